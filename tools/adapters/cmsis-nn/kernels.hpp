// SPDX-License-Identifier: Apache-2.0
// Which function of CMSIS-NN stands for which op, and the factors that they take.
#pragma once
#include <arm_nnfunctions.h>

#include <string>
#include <vector>

#include "tools/adapters/single_op/linear_ops.hpp"
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::cmsis_nn {

OpCalls convolution_calls();  ///< convolutions: arm_convolve, arm_depthwise_conv
OpCalls matrix_calls();       ///< matrix products: arm_fully_connected, arm_batch_matmul
OpCalls elementwise_calls();  ///< arm_elementwise_add, arm_elementwise_mul, arm_nn_requantize
OpCalls wide_calls();         ///< arm_nn_requantize_s64
OpCalls pooling_calls();      ///< arm_avgpool, arm_max_pool

/// How the functions that the options choose among are called. Set once, before the first case.
struct Options {
  bool batch_matmul = false;   ///< matrix products by arm_batch_matmul_s8, else arm_fully_connected_s8
  bool small_weights = false;  ///< weights packed as 4 bits, by the functions for such
};
Options& options();

/// Factors as mantissas and exponents, m * 2^e / 2^31.
struct Factors {
  std::vector<std::int32_t> mantissas{}, exponents{};
};
/// The mantissa of 31 digits, rounded half away, as TensorFlow Lite Micro makes it; zero where the exponent is below -31.
Status add_factor(double factor, Factors& factors);
/// x_scale * w_scale / y_scale in f64, one a channel of w.
Result<Factors> factors_of(const Quantization& x, const Quantization& w, const Quantization& y);

/// Codes with a sign alone: the library has no others.
Result<std::vector<std::int8_t>> signed_codes(const Codes& codes, const std::string& name);
/// Errc::unsupported where a function says no.
Status checked(arm_cmsis_nn_status status, const std::string& name);
/// Two neighbours a byte, the lower half first; Errc::unsupported where a code is not of 4 bits.
Result<std::vector<std::int8_t>> packed(const std::vector<std::int8_t>& codes);

inline std::int32_t extent(std::int64_t value) { return static_cast<std::int32_t>(value); }

}  // namespace tiebreak::cmsis_nn
