// SPDX-License-Identifier: Apache-2.0
// Whole numbers of which only the low bits count, and those that have none: large floats are multiples of their last digit.
#include <algorithm>

#include "testsuite/prove/neutral_operations.hpp"

namespace tiebreak {
namespace {

/// Zero is a multiple of every power.
constexpr std::int64_t every_power = 4096;

std::int64_t trailing_zeros(Real number) {
  if (number.is_zero()) return every_power;
  std::int64_t count = 0;
  for (; count < every_power && (number / Real(2)).is_whole(); ++count) number = number / Real(2);
  return count;
}

bool is_finite_whole(const ValueRange& range) { return range.whole && !range.nan && !range.undefined && !range.empty() && !range.infinite(); }

}  // namespace

std::int64_t NeutralOperations::power_divisor(NodeId id) {
  id = without(id, false);
  const ValueRange range = ranges.of(id);
  if (!range.whole || range.empty()) return 0;
  if (range.low == range.high && range.low.is_finite()) return trailing_zeros(range.low);
  const Node& node = formula[id];
  if (node.op == NodeOp::add || node.op == NodeOp::subtract) {
    const std::int64_t first = power_divisor(node.args[0]);
    return first == 0 ? 0 : std::min(first, power_divisor(node.args[1]));
  }
  if (node.op == NodeOp::multiply && ranges.of(node.args[0]).whole && ranges.of(node.args[1]).whole)
    return power_divisor(node.args[0]) + power_divisor(node.args[1]);
  if (range.contains_zero()) return 0;
  const Real least = min(abs(range.low), abs(range.high));
  const FloatFormat* format = least.is_finite() ? format_of(id) : nullptr;
  return format == nullptr ? 0 : std::max<std::int64_t>(0, least.exponent() - format->precision() + 1);
}

/// What both branches leave.
std::optional<NeutralOperations::Residue> NeutralOperations::of_branches(const Node& node, const Residue& so_far, int bits) {
  const auto one = residue(node.args[1], bits), other = residue(node.args[2], bits);
  if (!one || !other || one->base != other->base || !((one->offset - other->offset) / Real::power_of_two(bits)).is_whole()) return std::nullopt;
  return Residue{one->base, so_far.offset + one->offset};
}

std::optional<NeutralOperations::Residue> NeutralOperations::residue(NodeId id, int bits) {
  Residue found{-1, Real(0)};
  for (;;) {
    id = without(id, false);
    const Node& node = formula[id];
    const ValueRange range = ranges.of(id);
    if (!is_finite_whole(range)) return std::nullopt;
    if (range.is_point()) return Residue{-1, found.offset + range.low};
    if (power_divisor(id) >= bits) return found;
    if (node.op == NodeOp::wrap && node.integer_format.bits >= bits) {
      id = node.args[0];
      continue;
    }
    if (node.op == NodeOp::conditional)
      if (const std::optional<Residue> left = of_branches(node, found, bits)) return left;
    const bool sum = node.op == NodeOp::add || node.op == NodeOp::subtract;
    const std::optional<Real> left = node.op == NodeOp::add ? only_value(node.args[0]) : std::nullopt, right = sum ? only_value(node.args[1]) : std::nullopt;
    if (!left && !right) return Residue{id, found.offset};
    found.offset = right ? (node.op == NodeOp::add ? found.offset + *right : found.offset - *right) : found.offset + *left;
    id = node.args[right ? 0 : 1];
  }
}

}  // namespace tiebreak
