// SPDX-License-Identifier: Apache-2.0
// Which oneDNN primitive stands for which op, and with which parameters. What is computed here is the adapter's arithmetic, not the
// library's, and is named in the description: f32(1 / y_scale) for quantization, f32(f32(x_scale * w_scale) / y_scale) for the rest.
#pragma once
#include "tools/adapters/onednn/dnnl_calls.hpp"
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::onednn {

inline constexpr const char* mapping_text =
    "QuantizeLinear: reorder with multiplier f32(1 / y_scale); QLinearMatMul, QLinearConv: output_scales f32(f32(x_scale * w_scale) / "
    "y_scale)";

/// Errc::unsupported with the reason where the primitive has no such form (u8 weights, several zero points, blocked scales ...).
OpCalls calls();

}  // namespace tiebreak::onednn
