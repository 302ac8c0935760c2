// SPDX-License-Identifier: Apache-2.0
// move.top_onnx(x, k): of each line along `axis` the k greatest elements, or the least where `largest` is 0, the first of equal ones first.
// NaN counts as greater than every number. k is an operand or, in older opsets, an attribute. The order holds whether or not `sorted` asks
// for one.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interpreter/movement/listed_elements.hpp"

namespace tiebreak::structure {
namespace {

/// The elements of one line, in their order.
std::vector<std::int64_t> ranked(const Tensor& tensor, std::int64_t first, std::int64_t stride, std::int64_t length, bool largest) {
  std::vector<Real> values;
  for (std::int64_t i = 0; i < length; ++i) values.push_back(tensor.value(first + i * stride));
  std::vector<std::int64_t> order(static_cast<std::size_t>(length));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
    const Real &low = values[static_cast<std::size_t>(largest ? b : a)], &high = values[static_cast<std::size_t>(largest ? a : b)];
    return low.is_nan() || high.is_nan() ? high.is_nan() && !low.is_nan() : low < high;
  });
  return order;
}

Result<std::int64_t> number_of_elements(const StructureRequest& request, std::int64_t length) {
  TIEBREAK_TRY(given, steered(request, 1, "k"));
  if (!given || given->size() != 1) return malformed(request, "", "k must be one number, an operand or an attribute");
  const std::int64_t k = given->front();
  if (k < 0 || k > length) return malformed(request, "", fmt::format("k is {} for a line of {}", k, length));
  return k;
}

}  // namespace

Result<Geometry> move_top_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(axis, axis_from_front(request, -1, shape.size()));
  TIEBREAK_TRY(k, number_of_elements(request, shape[axis]));
  TIEBREAK_TRY(largest, integer(request, "largest", 1));
  const std::int64_t stride = row_major_strides(shape)[axis], length = shape[axis];
  Shape wanted = shape;
  wanted[axis] = k;
  TIEBREAK_TRY(count, element_count(wanted));
  std::vector<std::int64_t> places(static_cast<std::size_t>(count));
  for (std::int64_t line = 0; line < (k == 0 ? 0 : count / k); ++line) {
    const std::int64_t before = line / stride, behind = line % stride;
    const std::int64_t first = before * length * stride + behind;
    const std::vector<std::int64_t> order = ranked(*operand->tensor, first, stride, length, largest != 0);
    for (std::int64_t rank = 0; rank < k; ++rank)
      places[static_cast<std::size_t>((before * k + rank) * stride + behind)] = first + order[static_cast<std::size_t>(rank)] * stride;
  }
  return listed_elements(request, *operand, wanted, std::move(places));
}

Result<Geometry> move_top_relay(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(axis, axis_from_front(request, -1, operand->type.shape.size()));
  TIEBREAK_TRY(k, integer(request, "k", 1));
  TIEBREAK_TRY(ascends, integer(request, "is_ascend", 0));
  AttributeMap attributes = *request.attributes;
  attributes["k"] = Attribute{Real(k < 1 ? operand->type.shape[axis] : k)};
  attributes["largest"] = Attribute{Real(ascends != 0 ? 0 : 1)};
  StructureRequest as_onnx = request;
  as_onnx.attributes = &attributes;
  return move_top_onnx(as_onnx);
}

}  // namespace tiebreak::structure
