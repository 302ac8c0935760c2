// SPDX-License-Identifier: Apache-2.0
// a + b, a - b, a * b, a / b and -a.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/operations/double_rounding.hpp"
#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

struct Add {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Subtract {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a - b;
  }
};
struct Multiply {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a * b;
  }
};
struct Divide {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a / b;
  }
};
struct Negate {
  template <class T>
  T operator()(const T& a, const T&) const {
    return -a;
  }
};

/// A number beyond what exact arithmetic is willing to hold is an error, not a nan.
Result<Value> within_limits(const Node& node, Real number) {
  if (number.is_exceeded()) return fail(Errc::limit, fmt::format("'{}' has more digits than exact arithmetic holds", node.text), place_of(node));
  return as_kind(node, std::move(number));
}

template <class Function>
Result<Value> arithmetic_value(const Node& node, Values args) {
  const Value &a = args[0], &b = args[args.size() - 1];
  if (a.is_number() && b.is_number()) return within_limits(node, Function{}(a.number(), b.number()));
  return Value(Function{}(a.computable(), b.computable()));
}

Result<Value> negated_value(const Node& node, Values args) {
  if (args[0].is_number()) return as_kind(node, -args[0].number());
  return Value(-args[0].computable());
}

// Ranges

/// The sum of two ends; opposite infinities make a nan, which `nan` has apart.
Real add_ends(const Real& a, const Real& b, bool low) {
  if (a.is_infinite() && b.is_infinite() && a.is_negative() != b.is_negative()) return low ? minus_infinity : infinity;
  return a + b;
}

ValueRange negative(const ValueRange& a) { return a.empty() ? a : ValueRange{-a.high, -a.low, a.nan, a.undefined, true, a.whole}; }

/// `negative_zero`: whether -0 of the first summand may meet a -0, or of a difference a +0.
ValueRange sum_range(const ValueRange& a, const ValueRange& b, bool negative_zero) {
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  range.low = add_ends(a.low, b.low, true);
  range.high = add_ends(a.high, b.high, false);
  range.nan |= (may_be(a, infinity) && may_be(b, minus_infinity)) || (may_be(a, minus_infinity) && may_be(b, infinity));
  range.negative_zero = a.negative_zero && negative_zero;
  range.whole = a.whole && b.whole;
  return range;
}

ValueRange product_range(const Node&, Ranges args) {
  const ValueRange &a = args[0], &b = args[1];
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  // Zero times infinity: the numbers near it have any size.
  const auto times = [](const Real& x, const Real& y) { return x.is_zero() || y.is_zero() ? Real(0) : x * y; };
  const Real ends[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
  range.low = *std::min_element(std::begin(ends), std::end(ends));
  range.high = *std::max_element(std::begin(ends), std::end(ends));
  range.nan |= (may_be(a, Real(0)) && may_be_infinite(b)) || (may_be(b, Real(0)) && may_be_infinite(a));
  const auto other_sign = [](const ValueRange& zero, const ValueRange& other) {
    const bool any = other.contains_zero();
    return (zero.contains_zero() && (other.low < Real(0) || other.negative_zero)) || (zero.negative_zero && (other.high > Real(0) || any));
  };
  range.negative_zero = other_sign(a, b) || other_sign(b, a);
  range.whole = a.whole && b.whole;
  return range;
}

/// The same apart from its numbers; `none`: there are no numbers.
ValueRange with_numbers(ValueRange range, const Real& low, const Real& high, bool none) {
  range.low = none ? infinity : low;
  range.high = none ? minus_infinity : high;
  return range;
}

ValueRange quotient_range(const Node&, Ranges args) {
  const ValueRange &a = args[0], &b = args[1];
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  range.nan |= (may_be(a, Real(0)) && may_be(b, Real(0))) || (may_be_infinite(a) && may_be_infinite(b));
  range.negative_zero = true;
  range.low = minus_infinity;
  range.high = infinity;
  const auto only_zeros = [](const ValueRange& one) { return one.low.is_zero() && one.high.is_zero(); };
  if (only_zeros(a) && only_zeros(b)) return with_numbers(range, infinity, minus_infinity, true);
  // A divisor that never has the sign bit; +0 makes infinities of the dividend's sign.
  if (b.low < Real(0) || b.negative_zero) return range;
  if (b.low.is_infinite()) return with_numbers(range, Real(0), Real(0), a.low.is_infinite() || a.high.is_infinite() ? a.low == a.high : false);
  if (b.high.is_zero() && a.low > Real(0)) return with_numbers(range, infinity, infinity, false);
  if (b.high.is_zero() && a.high < Real(0)) return with_numbers(range, minus_infinity, minus_infinity, false);
  if (b.low == b.high && b.low > Real(0)) {
    range.low = a.low / b.low;
    range.high = a.high / b.low;
  } else {
    if (b.low >= Real(1) && b.high.is_finite()) range.low = std::min(a.low, Real(0)), range.high = std::max(a.high, Real(0));
    if (a.low >= Real(0)) range.low = Real(0);
    if (a.high <= Real(0)) range.high = Real(0);
  }
  if (a.low >= Real(0) && !a.negative_zero) range.negative_zero = false;
  return range;
}

// Bounds

bool are_integers(BoundsOf args) {
  return std::ranges::all_of(args, [](const Bounds& arg) { return arg.carrier == Carrier::integer; });
}

/// Sums of reals are exact in a double where all bits fit between the lowest and the highest.
Bounds real_sum_bounds(BoundsOf args) {
  if (!fits_double(args[0]) || !fits_double(args[1])) return {};
  const Bounds x = as_real(args[0]), y = as_real(args[1]);
  Bounds sum{.carrier = Carrier::real, .whole = x.whole && y.whole};
  sum.top = std::max(x.top, y.top) + 1;
  sum.bottom = std::min(x.bottom, y.bottom);
  sum.precision = sum.top - sum.bottom + 1;
  return within_double(sum);
}

Bounds sum_bounds(const Node&, BoundsOf args) {
  if (!are_integers(args)) return real_sum_bounds(args);
  return between_integers(__int128_t{args[0].low} + args[1].low, __int128_t{args[0].high} + args[1].high);
}

Bounds difference_bounds(const Node&, BoundsOf args) {
  if (!are_integers(args)) return real_sum_bounds(args);
  return between_integers(__int128_t{args[0].low} - args[1].high, __int128_t{args[0].high} - args[1].low);
}

Bounds product_bounds(const Node&, BoundsOf args) {
  if (are_integers(args)) {
    const __int128_t al = args[0].low, ah = args[0].high, bl = args[1].low, bh = args[1].high;
    return between_integers(std::min({al * bl, al * bh, ah * bl, ah * bh}), std::max({al * bl, al * bh, ah * bl, ah * bh}));
  }
  if (!fits_double(args[0]) || !fits_double(args[1])) return {};
  const Bounds x = as_real(args[0]), y = as_real(args[1]);
  return within_double(
      {.carrier = Carrier::real, .precision = x.precision + y.precision, .top = x.top + y.top + 1, .bottom = x.bottom + y.bottom, .whole = x.whole && y.whole});
}

/// Only a quotient by a power of two is a double for sure.
Bounds quotient_bounds(const Node&, BoundsOf args) {
  if (!fits_double(args[0]) || !fits_double(args[1]) || !args[1].power_of_two) return {};
  Bounds quotient = as_real(args[0]);
  quotient.top -= *args[1].power_of_two;
  quotient.bottom -= *args[1].power_of_two;
  quotient.whole = quotient.whole && quotient.bottom >= 0;
  quotient.power_of_two.reset();
  return within_double(quotient);
}

Bounds negative_bounds(const Node&, BoundsOf args) {
  if (args[0].carrier == Carrier::integer) return between_integers(-__int128_t{args[0].high}, -__int128_t{args[0].low});
  if (args[0].carrier != Carrier::real) return {};
  Bounds bounds = args[0];
  bounds.power_of_two.reset();
  return bounds;
}

constexpr LaneLoops with_odd(LaneLoops loops, double (*to_odd)(double, double)) {
  loops.to_odd = to_odd;
  return loops;
}

constexpr LaneLoops without_integers(LaneLoops loops) {
  loops.integers = nullptr;
  return loops;
}

const OperationTraits arithmetic_records[] = {
    {.op = NodeOp::add,
     .gives = Gives::integer_of_integers,
     .value = arithmetic_value<Add>,
     .course = always<Course::rises>,
     .range = [](const Node&, Ranges args) { return sum_range(args[0], args[1], args[1].negative_zero); },
     .bounds = sum_bounds,
     .loops = with_odd(arithmetic_loops<Add>(), add_to_odd)},
    {.op = NodeOp::subtract,
     .gives = Gives::integer_of_integers,
     .value = arithmetic_value<Subtract>,
     .course = by_argument<Course::rises, Course::falls>,
     .range = [](const Node&, Ranges args) { return sum_range(args[0], negative(args[1]), may_be(args[1], Real(0))); },
     .bounds = difference_bounds,
     .loops = with_odd(arithmetic_loops<Subtract>(), [](double a, double b) { return add_to_odd(a, -b); })},
    {.op = NodeOp::multiply,
     .gives = Gives::integer_of_integers,
     .value = arithmetic_value<Multiply>,
     .course = always<Course::with_other>,
     .range = product_range,
     .bounds = product_bounds,
     .loops = with_odd(arithmetic_loops<Multiply>(), multiply_to_odd)},
    {.op = NodeOp::divide,
     .value = arithmetic_value<Divide>,
     .course = by_argument<Course::with_other, Course::against_other>,
     .range = quotient_range,
     .bounds = quotient_bounds,
     .loops = with_odd(without_integers(arithmetic_loops<Divide>()), divide_to_odd)},
    {.op = NodeOp::negate,
     .arguments = 1,
     .gives = Gives::integer_of_integers,
     .value = negated_value,
     .course = always<Course::falls>,
     .range = [](const Node&, Ranges args) { return negative(args[0]); },
     .bounds = negative_bounds,
     .loops = {.integers = run_lanes<Negate, std::int64_t, std::int64_t>,
               .reals = run_lanes<Negate, double, double>,
               .floats = run_lanes<Negate, float, float>}},
};

}  // namespace

std::span<const OperationTraits> arithmetic_operations() { return arithmetic_records; }

}  // namespace tiebreak::operations_inside
