// SPDX-License-Identifier: Apache-2.0
// Three oneDNN 2.x primitives on plain row-major codes: reorder to 8 bits, matmul, convolution. No arithmetic of its own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::onednn {

enum class Storage : std::uint8_t { u8, s8, s32 };

/// A tensor of 8-bit codes with one zero point.
struct Operand {
  Storage storage = Storage::u8;
  std::vector<std::int64_t> shape{};
  std::vector<std::byte> codes{};
  std::int32_t zero_point = 0;
};

/// What follows the accumulation: bias, multipliers (one, or one a channel; none: 1) and the result's zero point.
struct Finish {
  Storage storage = Storage::s32;
  std::vector<float> multipliers{};
  std::int32_t zero_point = 0;
  std::vector<std::int32_t> bias{};  ///< one a channel, or none
};

struct Geometry {
  std::int64_t groups = 1;
  std::vector<std::int64_t> strides{}, dilations{}, pads_begin{}, pads_end{};  ///< dilation 1 is dense, as ONNX counts
};

/// x * multiplier + zero_point in the library's own order. One multiplier, or one a slice along `axis`.
Result<OpAnswer> quantize(const std::vector<float>& x, const std::vector<std::int64_t>& shape, const std::vector<float>& multipliers, int axis,
                          const Finish& finish);
/// Both shapes of one rank >= 2; result shape [..., rows, columns] as given.
Result<OpAnswer> matmul(const Operand& a, const Operand& b, const std::vector<std::int64_t>& result_shape, const Finish& finish);
/// x [n, c, spatial...], w [features, c / groups, kernel...]; w has no zero point.
Result<OpAnswer> convolution(const Operand& x, const Operand& w, const std::vector<std::int64_t>& result_shape, const Geometry& geometry, const Finish& finish);

std::string version();
/// The instruction set that kernels are made for: the CPU's, or less by ONEDNN_MAX_CPU_ISA.
std::string effective_isa();
/// Sets that limit for this process, before the first primitive. Errc::unknown_name for other words than isa_caps().
Status limit_isa(const std::string& cap);
std::string isa_caps();

}  // namespace tiebreak::onednn
