// SPDX-License-Identifier: Apache-2.0
// Parameters and codes of constants, as pages compute them.
#pragma once
#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/quantize/recipe.hpp"

namespace tiebreak {

/// How a range becomes parameters.
struct StorageRequest {
  ElementType storage;
  bool symmetric = false;
  bool narrow = false;
};

/// Least and greatest numbers, one pair a slice.
struct Ranges {
  std::vector<Real> low, high;
};

/// By quant.parameters; the scales as f32, as every form stores them. Errc::constraint where the profile gives a range no scale or no zero point.
Result<QuantizedType> derive_parameters(const Semantics& semantics, const Ranges& ranges, const StorageRequest& request,
                                        std::vector<QuantizedDimension> dimensions, const Shape& parameter_shape, const std::string& where);
/// Of a constant: its slices along the dimensions.
Result<QuantizedType> parameters_of_constant(const Semantics& semantics, const Tensor& constant, const StorageRequest& request,
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
