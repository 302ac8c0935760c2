// SPDX-License-Identifier: Apache-2.0
// What the rules share: storing exact values as codes, and finding the scale that belongs to an element.
#pragma once
#include <vector>

#include "testsuite/generate/generate.hpp"

namespace tiebreak::generate {

/// The request's tensor with `values` repeated until the shape is full. When there are more values than elements, a choice of
/// them drawn from the seed, in order.
Result<Tensor> fill(const InputRequest& request, const std::vector<Real>& values);
/// Stores one value; an error if the type does not hold it.
Status store(Tensor& tensor, std::int64_t index, const Real& value, const std::string& where);

const Tensor* operand(const InputRequest& request, const std::string& key);  ///< nullptr if not given
Real number(const InputRequest& request, const std::string& key, const Real& otherwise);

/// Position in a parameter tensor (scale, zero point) of the parameter that belongs to an element of `shape`: the only one of a
/// single value, the axis' one of a vector, the block's one of a tensor of the same rank.
std::int64_t parameter_index(const Shape& shape, std::int64_t element, const Tensor& parameter, std::int64_t axis, std::int64_t block_size);

/// Codes of the output range that ties are made for, seen from the zero point: y = round(x / scale) + zero_point.
struct OutputRange {
  std::int64_t least = 0;     ///< y.min - zero_point
  std::int64_t greatest = 0;  ///< y.max - zero_point
};
OutputRange output_range(const InputRequest& request, std::int64_t element);

}  // namespace tiebreak::generate
