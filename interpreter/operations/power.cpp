// SPDX-License-Identifier: Apache-2.0
// a ^ b with a whole exponent, and exponent(v), its other direction for powers of two.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

/// Far beyond every format; powers with larger exponents need not be known.
constexpr std::int64_t most_exponent = 4096;

Result<Value> power_value(const Node& node, Values args) {
  TIEBREAK_TRY(base, exact(node, args[0]));
  TIEBREAK_TRY(exponent, exact(node, args[1]));
  if (exponent.is_nan() || exponent.is_infinite()) return Value();
  if (!exponent.is_whole()) return fail(Errc::type, fmt::format("N08 the exponent {} is not a whole number", exponent.to_string()), place_of(node));
  const auto n = exponent.to_int64();
  if (!n) return fail(Errc::limit, fmt::format("N08 the exponent {} is too large", exponent.to_string()), place_of(node));
  TIEBREAK_TRY(result, power(base, *n));
  return as_kind(node, result);
}

Real repeated_product(const Real& base, std::int64_t exponent) {
  Real result(1);
  for (std::int64_t i = 0; i < exponent; ++i) result = result * base;
  return result;
}

ValueRange power_range(const Node&, Ranges args) {
  const ValueRange &base = args[0], &e = args[1];
  if (!e.whole || e.nan || e.empty() || e.infinite() || base.nan || base.empty() || base.infinite()) return {};
  const auto low = e.low.to_int64(), high = e.high.to_int64();
  if (!low || !high) return {};
  const bool undefined = base.undefined || e.undefined;
  if ((base.is_point() && base.low == Real(1)) || (*low == 0 && *high == 0)) return {Real(1), Real(1), false, undefined, false, true};
  if (base.is_point() && base.low.is_zero() && *low >= 1) return {Real(0), Real(0), false, undefined, true, true};
  if (base.is_point() && base.low == Real(2) && *low >= -most_exponent && *high <= most_exponent)
    return {Real::power_of_two(*low), Real::power_of_two(*high), false, undefined, false, *low >= 0};
  if (*low != *high || *low < 1 || *low > 64 || max(abs(base.low), abs(base.high)) > Real::power_of_two(64)) return {};
  const Real first = repeated_product(base.low, *low), last = repeated_product(base.high, *low);
  const bool even = *low % 2 == 0;
  return {even && base.contains_zero() ? Real(0) : std::min(first, last), std::max(first, last), false, undefined, true, base.whole};
}

Result<Value> exponent_value(const Node& node, Values args) {
  TIEBREAK_TRY(v, exact(node, args[0]));
  if (v.is_nan()) return Value(Real::nan());
  if (v.is_infinite()) return Value(Real::infinity());
  return v.is_zero() ? Value(Real::infinity(true)) : Value(Real(v.exponent()));
}

const OperationTraits power_records[] = {
    {.op = NodeOp::power, .value = power_value, .range = power_range},
    {.op = NodeOp::exponent, .word = "exponent", .arguments = 1, .gives = Gives::integer, .value = exponent_value, .course = always<Course::with_own>},
};

}  // namespace

std::span<const OperationTraits> power_operations() { return power_records; }

}  // namespace tiebreak::operations_inside
