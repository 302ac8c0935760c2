// SPDX-License-Identifier: Apache-2.0
// What the rules share: storing exact values as codes, and finding the scale that belongs to an element.
#pragma once
#include <functional>
#include <vector>

#include "testsuite/generate/generate.hpp"

namespace tiebreak::generate {

/// The request's tensor with `values` repeated until the shape is full. When there are more values than elements, a choice of
/// them drawn from the seed, in order.
Result<Tensor> fill(const InputRequest& request, const std::vector<Real>& values);
/// Stores one value; an error if the type does not hold it.
Status store(Tensor& tensor, std::int64_t index, const Real& value, const InputRequest& request);

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
/// The k whose ties k + 1/2 are visited, ascending, from beyond one end of the range to beyond the other; wide ranges are sampled.
std::vector<std::int64_t> tie_numbers(const OutputRange& range);

/// How far one code is from the next, seen from the input: the scale `of`, or y_scale / (x_scale * w_scale) for accumulators.
/// `which` tells widths apart: elements of equal `which` have the same.
struct CodeWidth {
  Real value{};
  std::int64_t which = 0;
};
Result<CodeWidth> code_width(const InputRequest& request, std::int64_t element);

/// Values for the elements of one group (one scale), and how they are handed out where there are more than elements.
enum class Handing : std::uint8_t {
  spread,  ///< evenly over the whole list, from a place the seed chooses
  first,   ///< from the front
};
/// Elements of a group walk its list on their own; a shorter list begins again. Groups of one element (a channel each) take different places.
Result<Tensor> fill_groups(const InputRequest& request, const std::function<Result<std::int64_t>(std::int64_t element)>& group_of,
                           const std::function<Result<std::vector<Real>>(std::int64_t element)>& values_for, Handing handing);

}  // namespace tiebreak::generate
