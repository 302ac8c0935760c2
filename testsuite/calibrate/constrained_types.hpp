// SPDX-License-Identifier: Apache-2.0
// Parameters that no range decides: those of accumulators and biases, and of functions whose range is known.
#pragma once
#include <cstdint>
#include <string>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// i32 codes with zero point 0 and the given scales, one for the tensor or one for each place of dimension 0.
QuantizedType accumulator_type(const ElementType& expressed, const std::vector<Real>& scales, bool per_axis);
/// The accumulator of codes of x and w: scales by quant.bias, one for each of w's. Errc::unsupported where x has several.
Result<QuantizedType> product_type(const Semantics& semantics, const QuantizedType& x, const QuantizedType& w, const std::string& where);
/// By quant.fixed_range.
Result<QuantizedType> fixed_type(const Semantics& semantics, const std::string& function, const ElementType& storage, const ElementType& expressed,
                                 const std::string& where);

/// A bias and its weights after quant.bias_limit; `grew` where some scale is larger than the product.
struct LimitedBias {
  QuantizedType bias, weights;
  bool grew = false;
};
Result<LimitedBias> limited_bias(const Semantics& semantics, const Tensor& bias, const QuantizedType& x, const QuantizedType& w, std::int64_t limit,
                                 const std::string& where);

/// The codes of a constant by quant.quantize, each less its zero point, row-major.
Result<std::vector<std::int64_t>> codes_less_zero_points(const Semantics& semantics, const Tensor& constant, const QuantizedType& type,
                                                         const std::string& where);

}  // namespace tiebreak
