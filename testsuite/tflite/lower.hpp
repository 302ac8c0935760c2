// SPDX-License-Identifier: Apache-2.0
// One op of a page as a TensorFlow Lite model: which operator says the same, in which layout its tensors lie, and how its result comes back.
#pragma once
#include "interpreter/lite/model.hpp"
#include "interpreter/tensor/attribute.hpp"

namespace tiebreak::tflite {

/// An op with its operands in page order; absent ones are empty.
struct OpCall {
  std::string op;
  AttributeMap attributes{};
  std::vector<std::optional<Tensor>> operands{};
  TensorType result{};
  std::vector<TensorType> further{};  ///< results behind the first
};

struct LowerOptions {
  /// The host exchanges no int8: tensors go in and out as u8 with the zero point moved by 128, through a QUANTIZE at either side.
  bool unsigned_host = false;
  /// Written so that the XNNPACK delegate declines and the builtin kernel runs: a filter that is no constant, an activation that is none, seven dimensions.
  bool builtin_kernels = false;
  /// A convolution without a bias is written without one, instead of with one of zeros.
  bool absent_bias = false;
};

struct Lowered {
  Model model{};
  std::vector<Tensor> inputs{};       ///< in the order of model.inputs, as the host gives them
  TensorType result{};                ///< of the page
  bool as_bytes = false;              ///< the model's result has the bytes of the page's, in whatever type the host has
  bool channels_last = false;         ///< the model's result is NHWC where the page's is NCHW
  std::vector<TensorType> further{};  ///< results of the page behind the first, all as bytes
};

/// Errc::unsupported, with the reason, for what has no operator that says the same.
Result<Lowered> lower(const OpCall& call, const LowerOptions& options);
/// What the host got back, as the page has it.
Result<Tensor> result_of(const Lowered& lowered, const Tensor& answer);
/// The ops that lower() takes.
const std::vector<std::string>& lowered_ops();

}  // namespace tiebreak::tflite
