// SPDX-License-Identifier: Apache-2.0
// Parameters and codes of constants, as pages compute them.
#pragma once
#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/calibrate/type_of_ranges.hpp"
#include "testsuite/parameters/parameters.hpp"
#include "testsuite/quantize/recipe.hpp"

namespace tiebreak {

/// As every form stores them: with scales in f32.
QuantizedType with_f32_scales(QuantizedType type);
/// Parameters of one range by quant.parameters, the scale as f32.
Result<QuantizedType> derive_parameters(const Semantics& semantics, const Range& range, const CodeFormat& format, const std::string& where);
/// Of a constant: its slices along the dimensions.
Result<QuantizedType> parameters_of_constant(const Semantics& semantics, const Tensor& constant, const CodeFormat& format,
                                             std::vector<QuantizedDimension> dimensions, const std::string& where);
/// The codes of an f32 constant, by onnx.QuantizeLinear.
Result<Tensor> codes_of_constant(const Semantics& semantics, const Tensor& constant, const QuantizedType& type, const std::string& where);

/// Bias codes (i32), and the f32 scales of the accumulator, by quant.bias: one for each output channel, or one for all.
struct BiasCodes {
  Tensor codes;
  std::vector<Real> scales;
};
Result<BiasCodes> bias_codes(const Semantics& semantics, const Tensor& bias, const QuantizedType& x, const QuantizedType& w, const std::string& where);
/// The scales of products of both, by the same page.
Result<std::vector<Real>> product_scales(const Semantics& semantics, const QuantizedType& x, const QuantizedType& w, const std::string& where);

/// Scales and zero points as tensors: of no dimension per tensor, else of the parameters' shape.
Tensor scale_tensor(const QuantizedType& type);
Tensor zero_point_tensor(const QuantizedType& type, const ElementType& element);
Tensor f32_tensor(const std::vector<Real>& values, Shape shape);
Tensor whole_tensor(const std::vector<std::int64_t>& values, const ElementType& element, Shape shape);
Tensor list_tensor(const std::vector<std::int64_t>& values);  ///< i64, one dimension
bool has_zero_point(const QuantizedType& type);               ///< one that is not 0
ElementType f32_type();

}  // namespace tiebreak
