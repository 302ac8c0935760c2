// SPDX-License-Identifier: Apache-2.0
// min, max, abs and sign.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <type_traits>

#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

/// The bits of two equal numbers, of which only zeros have two signs: joined, -0 goes before +0.
template <class T, class Join>
T equal_number(T a, T b, Join join) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<T>(join(std::bit_cast<Bits>(a), std::bit_cast<Bits>(b)));
}

/// nan if either is, and -0 below +0, as the notation has them; without branches, so that compilers vectorize the loops.
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return a != a ? a : a == b ? equal_number(a, b, std::bit_or<>()) : a < b ? a : b;
  }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return std::min(a, b); }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a != a ? a : a == b ? equal_number(a, b, std::bit_and<>()) : a > b ? a : b;
  }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return std::max(a, b); }
};
struct Absolute {
  template <class T>
  T operator()(T a, T) const {
    return std::fabs(a);
  }
  std::int64_t operator()(std::int64_t a, std::int64_t) const { return a < 0 ? -a : a; }
};

template <class Function>
constexpr LaneLoops order_loops() {
  return {
      .integers = run_lanes<Function, std::int64_t, std::int64_t>, .reals = run_lanes<Function, double, double>, .floats = run_lanes<Function, float, float>};
}

template <Real (*extreme)(const Real&, const Real&)>
Result<Value> extreme_value(const Node& node, Values args) {
  TIEBREAK_TRY(a, exact(node, args[0]));
  TIEBREAK_TRY(b, exact(node, args[1]));
  return as_kind(node, extreme(a, b));
}

ValueRange extreme_range(const Node& node, Ranges args) {
  const ValueRange &a = args[0], &b = args[1];
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  const bool least = node.op == NodeOp::minimum;
  range.low = least ? std::min(a.low, b.low) : std::max(a.low, b.low);
  range.high = least ? std::min(a.high, b.high) : std::max(a.high, b.high);
  const auto above = [](const ValueRange& one) { return one.low >= Real(0) && !one.negative_zero; };
  range.negative_zero = (a.negative_zero || b.negative_zero) && (least || !(above(a) || above(b)));
  range.whole = a.whole && b.whole;
  return range;
}

Bounds extreme_bounds(const Node& node, BoundsOf args) {
  const Bounds &a = args[0], &b = args[1];
  if (a.carrier != Carrier::integer || b.carrier != Carrier::integer) return a.carrier == Carrier::truth ? Bounds{} : either(a, b);
  const bool least = node.op == NodeOp::minimum;
  return between_integers(least ? std::min(a.low, b.low) : std::max(a.low, b.low), least ? std::min(a.high, b.high) : std::max(a.high, b.high));
}

Result<Value> absolute_value(const Node& node, Values args) {
  TIEBREAK_TRY(v, exact(node, args[0]));
  return Value(abs(v));
}

ValueRange absolute_range(const Node&, Ranges args) {
  const ValueRange& a = args[0];
  if (a.empty()) return a;
  return {a.contains_zero() ? Real(0) : std::min(abs(a.low), abs(a.high)), std::max(abs(a.low), abs(a.high)), a.nan, a.undefined, false, a.whole};
}

Bounds absolute_bounds(const Node&, BoundsOf args) {
  const Bounds& a = args[0];
  if (a.carrier == Carrier::real) return a;
  if (a.carrier != Carrier::integer) return {};
  return between_integers(a.low > 0 ? __int128_t{a.low} : a.high < 0 ? -__int128_t{a.high} : 0, std::max(__int128_t{a.high}, -__int128_t{a.low}));
}

Result<Value> sign_value(const Node& node, Values args) {
  TIEBREAK_TRY(v, exact(node, args[0]));
  return v.is_nan() ? Value(Real::nan()) : Value(Real(v.sign()));
}

const OperationTraits order_records[] = {
    {.op = NodeOp::minimum,
     .word = "min",
     .gives = Gives::integer_of_integers,
     .each = true,
     .value = extreme_value<min>,
     .course = always<Course::rises>,
     .range = extreme_range,
     .bounds = extreme_bounds,
     .loops = order_loops<Minimum>()},
    {.op = NodeOp::maximum,
     .word = "max",
     .gives = Gives::integer_of_integers,
     .each = true,
     .value = extreme_value<max>,
     .course = always<Course::rises>,
     .range = extreme_range,
     .bounds = extreme_bounds,
     .loops = order_loops<Maximum>()},
    {.op = NodeOp::absolute,
     .word = "abs",
     .arguments = 1,
     .gives = Gives::integer_of_integers,
     .each = true,
     .value = absolute_value,
     .course = always<Course::with_own>,
     .range = absolute_range,
     .bounds = absolute_bounds,
     .loops = order_loops<Absolute>()},
    {.op = NodeOp::sign, .word = "sign", .arguments = 1, .gives = Gives::integer, .value = sign_value, .course = always<Course::rises>},
};

}  // namespace

std::span<const OperationTraits> order_operations() { return order_records; }

}  // namespace tiebreak::operations_inside
