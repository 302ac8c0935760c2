// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/lane_arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/operations/avx2_copy.hpp"
#include "interpreter/operations/double_rounding.hpp"

namespace tiebreak {

std::size_t Column::size() const {
  switch (carrier) {
    case Carrier::integer: return integers.size();
    case Carrier::real: return reals.size();
    case Carrier::truth: return truths.size();
    case Carrier::exact: return values.size();
  }
  return 0;
}

void Column::resize(std::size_t count) {
  switch (carrier) {
    case Carrier::integer: integers.resize(count); break;
    case Carrier::real: reals.resize(count); break;
    case Carrier::truth: truths.resize(count); break;
    case Carrier::exact: values.resize(count); break;
  }
}

Value Column::value(std::size_t lane) const {
  if (is_undefined(lane)) return {};
  switch (carrier) {
    case Carrier::integer: return Real(integers[at(lane)]);
    case Carrier::real: return Real::from_double(reals[at(lane)]);
    case Carrier::truth: return truths[at(lane)] != 0;
    case Carrier::exact: return values[at(lane)];
  }
  return {};
}

double Column::real(std::size_t lane) const { return carrier == Carrier::integer ? static_cast<double>(integers[at(lane)]) : reals[at(lane)]; }

namespace {

std::size_t lanes_of(const Column& a, const Column& b) { return a.uniform ? b.size() : a.size(); }

Column result_of(Carrier carrier, const Column& a, const Column& b) {
  Column column{.carrier = carrier, .uniform = a.uniform && b.uniform};
  column.resize(column.uniform ? 1 : lanes_of(a, b));
  if (a.may_be_undefined() || b.may_be_undefined()) {
    column.undefined.resize(column.size());
    for (std::size_t i = 0; i < column.undefined.size(); ++i) column.undefined[i] = a.is_undefined(i) || b.is_undefined(i) ? 1 : 0;
  }
  return column;
}

/// The reals of a column, converted where it carries integers.
const std::vector<double>& reals_of(const Column& column, std::vector<double>& space) {
  if (column.carrier == Carrier::real) return column.reals;
  space.resize(column.integers.size());
  for (std::size_t i = 0; i < space.size(); ++i) space[i] = static_cast<double>(column.integers[i]);
  return space;
}

template <class T>
LaneArgument<T> argument(const std::vector<T>& values, const Column& column) {
  return {values.data(), column.uniform};
}

/// The loop over the reals of both columns.
template <class Out>
void run_reals(LaneLoop<Out, double> loop, std::vector<Out>& out, const Column& a, const Column& b) {
  std::vector<double> left, right;
  loop(out, argument(reals_of(a, left), a), argument(reals_of(b, right), b));
}

}  // namespace

Column lane_arithmetic(const LaneLoops& loops, const Column& a, const Column& b, Carrier carrier) {
  Column out = result_of(carrier, a, b);
  if (carrier == Carrier::integer) loops.integers(out.integers, argument(a.integers, a), argument(b.integers, b));
  else run_reals(loops.reals, out.reals, a, b);
  return out;
}

Column lane_compare(const LaneLoops& loops, const Column& a, const Column& b) {
  Column out = result_of(Carrier::truth, a, b);
  run_reals(loops.truths, out.truths, a, b);
  return out;
}

Column lane_is_nan(const Column& a) {
  Column out{.carrier = Carrier::truth, .uniform = a.uniform};
  out.undefined = a.undefined;
  out.resize(a.size());
  if (a.carrier == Carrier::real)
    for (std::size_t i = 0; i < out.truths.size(); ++i) out.truths[i] = a.reals[i] != a.reals[i] ? 1 : 0;
  return out;
}

namespace {

template <class T>
TIEBREAK_AVX2_COPY void select_lanes(const std::uint8_t* condition, LaneArgument<T> a, LaneArgument<T> b, std::vector<T>& out) {
  const std::size_t count = out.size();
  if (a.uniform) {
    const T x = a.values[0];
    for (std::size_t i = 0; i < count; ++i) out[i] = condition[i] != 0 ? x : b.values[b.uniform ? 0 : i];
  } else if (b.uniform) {
    const T y = b.values[0];
    for (std::size_t i = 0; i < count; ++i) out[i] = condition[i] != 0 ? a.values[i] : y;
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = condition[i] != 0 ? a.values[i] : b.values[i];
  }
}

/// One undefined value for all lanes: it has no number that could stand in a lane.
bool is_silent(const Column& column) { return column.uniform && column.is_undefined(0); }

/// Lane by lane from columns of one carrier; false where they are none. A silent branch leaves its lanes to the other, whatever that has there.
bool select_columns(const Column& condition, const Column& a, const Column& b, Column& out) {
  const Column &first = is_silent(a) ? b : a, &second = is_silent(b) ? a : b;
  if (condition.uniform || first.carrier != out.carrier || second.carrier != out.carrier) return false;
  if (out.carrier == Carrier::integer) select_lanes(condition.truths.data(), argument(first.integers, first), argument(second.integers, second), out.integers);
  else if (out.carrier == Carrier::real) select_lanes(condition.truths.data(), argument(first.reals, first), argument(second.reals, second), out.reals);
  else return false;
  return true;
}

/// Which lanes of a choice are undefined; nothing where none is.
std::vector<std::uint8_t> undefined_lanes(const Column& condition, const Column& a, const Column& b, std::size_t lanes) {
  std::vector<std::uint8_t> undefined(lanes);
  std::uint8_t any = 0;
  const auto is_plain = [](const Column& branch) { return branch.uniform || !branch.may_be_undefined(); };
  if (!condition.uniform && !condition.may_be_undefined() && is_plain(a) && is_plain(b)) {
    const std::uint8_t first = a.is_undefined(0) ? 1 : 0, second = b.is_undefined(0) ? 1 : 0;
    for (std::size_t i = 0; i < lanes; ++i) any |= undefined[i] = condition.truths[i] != 0 ? first : second;
  } else {
    for (std::size_t i = 0; i < lanes; ++i)
      any |= undefined[i] = condition.is_undefined(i) || (condition.truths[condition.at(i)] != 0 ? a : b).is_undefined(i) ? 1 : 0;
  }
  if (any == 0) undefined.clear();
  return undefined;
}

}  // namespace

Column lane_conditional(const Column& condition, const Column& a, const Column& b, Carrier carrier) {
  Column out{.carrier = carrier, .uniform = condition.uniform && a.uniform && b.uniform};
  const std::size_t lanes = condition.uniform ? lanes_of(a, b) : condition.size();
  out.resize(out.uniform ? 1 : lanes);
  if (condition.may_be_undefined() || a.may_be_undefined() || b.may_be_undefined()) out.undefined = undefined_lanes(condition, a, b, out.size());
  if (select_columns(condition, a, b, out)) return out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Column& taken = condition.truths[condition.at(i)] != 0 ? a : b;
    if (!out.undefined.empty() && out.undefined[i] != 0) continue;
    switch (carrier) {
      case Carrier::integer: out.integers[i] = taken.integers[taken.at(i)]; break;
      case Carrier::real: out.reals[i] = taken.real(i); break;
      case Carrier::truth: out.truths[i] = taken.truths[taken.at(i)]; break;
      case Carrier::exact: out.values[i] = taken.value(i); break;
    }
  }
  return out;
}

namespace {

TIEBREAK_AVX2_COPY
void round_to_even(double* lanes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) lanes[i] = std::nearbyint(lanes[i]);
}

TIEBREAK_AVX2_COPY
void round_to_single(const double* lanes, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(static_cast<float>(lanes[i]));
}

}  // namespace

Column lane_round_whole(const Node& node, const Column& a, Carrier carrier) {
  Column out = a;
  if (carrier == Carrier::integer) return out;
  if (node.rounding == Rounding::nearest_even) round_to_even(out.reals.data(), out.reals.size());
  else
    for (double& v : out.reals) v = round_whole(v, node.rounding);
  return out;
}

bool is_conversion(const Node& node) {
  return node.op == NodeOp::round_float && node.rounding == Rounding::nearest_even && node.overflow == Overflow::format &&
         (is_binary32(*node.format) || is_binary64(*node.format));
}

Column lane_round_float(const Node& node, const Column& a) {
  Column out{.carrier = Carrier::real, .uniform = a.uniform};
  out.undefined = a.undefined;
  out.resize(a.size());
  if (a.carrier == Carrier::integer && is_conversion(node)) {
    // IEEE conversions of 64-bit integers round once, ties to even.
    const bool single = is_binary32(*node.format);
    for (std::size_t i = 0; i < out.reals.size(); ++i)
      out.reals[i] = single ? static_cast<double>(static_cast<float>(a.integers[i])) : static_cast<double>(a.integers[i]);
    return out;
  }
  if (a.carrier == Carrier::real && is_conversion(node) && is_binary32(*node.format)) {
    round_to_single(a.reals.data(), out.reals.size(), out.reals.data());
    return out;
  }
  for (std::size_t i = 0; i < out.reals.size(); ++i) {
    if (a.is_undefined(i)) continue;
    bool missing = false;
    out.reals[i] = round_to_format(a.real(i), *node.format, node.rounding, node.overflow, missing);
    if (!missing) continue;
    if (out.undefined.empty()) out.undefined.resize(out.reals.size());
    out.undefined[i] = 1;
  }
  return out;
}

Column lane_round_operation(const Node& node, const LaneLoops& loops, const Column& a, const Column& b, const Bounds& x, const Bounds& y) {
  Column out = result_of(Carrier::real, a, b);
  const bool even = node.rounding == Rounding::nearest_even && node.overflow == Overflow::format;
  // 53 >= 2 * 24 + 2: rounding twice is rounding once (Figueroa, "When is double rounding innocuous?", 1995).
  const bool single = is_binary32(*node.format) && x.precision <= 24 && y.precision <= 24;
  if (even && (is_binary64(*node.format) || single)) {
    run_reals(single ? loops.singles : loops.reals, out.reals, a, b);
    return out;
  }
  std::vector<double> left, right;
  const std::vector<double>& p = reals_of(a, left);
  const std::vector<double>& q = reals_of(b, right);
  for (std::size_t i = 0; i < out.reals.size(); ++i) {
    bool missing = false;
    out.reals[i] = round_to_format(loops.to_odd(p[a.at(i)], q[b.at(i)]), *node.format, node.rounding, node.overflow, missing);
    if (!missing) continue;
    if (out.undefined.empty()) out.undefined.resize(out.reals.size());
    out.undefined[i] = 1;
  }
  return out;
}

namespace {

/// Whole numbers clamped to ends of less than 2^51, nan to the lower one; true where one was nan. Such a number plus 1.5 * 2^52 is exact, and its last
/// bits are the number: double to integer in instructions that every processor has for several lanes.
TIEBREAK_AVX2_COPY
bool clamp_reals(const double* reals, std::size_t count, double low, double high, std::int64_t* out) {
  constexpr double shift = 0x1.8p52;
  std::int64_t nan = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double v = reals[i];
    nan |= v != v ? 1 : 0;
    const double above = v > low ? v : low;  // of nan, too
    out[i] = std::bit_cast<std::int64_t>((above < high ? above : high) + shift) - std::bit_cast<std::int64_t>(shift);
  }
  return nan != 0;
}

/// A whole real into [low, high]; nan is undefined.
void saturate_reals(Column& out, const std::vector<double>& reals, std::int64_t low, std::int64_t high) {
  const double lo = static_cast<double>(low), hi = static_cast<double>(high);
  constexpr std::int64_t small = std::int64_t{1} << 51;
  bool nan = false;
  if (low > -small && high < small) {
    nan = clamp_reals(reals.data(), out.integers.size(), lo, hi, out.integers.data());
  } else {
    for (std::size_t i = 0; i < out.integers.size(); ++i) {
      const double v = reals[i];
      nan |= v != v;
      const double clamped = v < lo ? lo : v > hi ? hi : v;
      out.integers[i] = static_cast<std::int64_t>(clamped == clamped ? clamped : lo);
    }
  }
  if (!nan) return;
  if (out.undefined.empty()) out.undefined.resize(out.integers.size());
  for (std::size_t i = 0; i < out.integers.size(); ++i)
    if (std::isnan(reals[i])) out.undefined[i] = 1;
}

}  // namespace

namespace {

TIEBREAK_AVX2_COPY
bool all_within(const std::int64_t* lanes, std::size_t count, std::int64_t low, std::int64_t high) {
  std::int64_t outside = 0;
  for (std::size_t i = 0; i < count; ++i) outside |= lanes[i] < low || lanes[i] > high ? 1 : 0;
  return outside == 0;
}

}  // namespace

Column lane_to_integer(const Node& node, const Column& a) {
  if (node.op == NodeOp::trap && a.carrier == Carrier::integer && all_within(a.integers.data(), a.size(), *node.low.to_int64(), *node.high.to_int64()))
    return a;
  Column out{.carrier = Carrier::integer, .uniform = a.uniform};
  out.undefined = a.undefined;
  out.resize(a.size());
  if (node.op == NodeOp::saturate) {
    const std::int64_t low = *node.low.to_int64(), high = *node.high.to_int64();
    if (a.carrier == Carrier::real) {
      saturate_reals(out, a.reals, low, high);
    } else {
      for (std::size_t i = 0; i < out.integers.size(); ++i) out.integers[i] = std::clamp(a.integers[i], low, high);
    }
    return out;
  }
  if (node.op == NodeOp::wrap) {
    const int shift = 64 - node.integer_format.bits;
    for (std::size_t i = 0; i < out.integers.size(); ++i) {
      const std::uint64_t shifted = static_cast<std::uint64_t>(a.integers[i]) << shift;
      out.integers[i] = node.integer_format.is_signed ? static_cast<std::int64_t>(shifted) >> shift : static_cast<std::int64_t>(shifted >> shift);
    }
    return out;
  }
  const std::int64_t low = *node.low.to_int64(), high = *node.high.to_int64();
  for (std::size_t i = 0; i < out.integers.size(); ++i) {
    bool inside = false;
    if (a.carrier == Carrier::real) {
      const double v = a.reals[i];
      inside = v >= static_cast<double>(low) && v <= static_cast<double>(high);
      out.integers[i] = inside ? static_cast<std::int64_t>(v) : 0;
    } else {
      inside = a.integers[i] >= low && a.integers[i] <= high;
      out.integers[i] = a.integers[i];
    }
    if (inside) continue;
    if (out.undefined.empty()) out.undefined.resize(out.integers.size());
    out.undefined[i] = 1;
  }
  return out;
}

Column lane_saturate_sum(const Node& node, const Node& sum, const Column& a, const Column& b) {
  Column out = result_of(Carrier::integer, a, b);
  std::vector<double> reals(out.size());
  const double sign = sum.op == NodeOp::subtract ? -1 : 1;
  if (b.uniform && !a.uniform) {
    const double z = sign * static_cast<double>(b.integers[0]);
    for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = a.reals[i] + z;
  } else {
    for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = a.reals[a.at(i)] + sign * static_cast<double>(b.integers[b.at(i)]);
  }
  saturate_reals(out, reals, *node.low.to_int64(), *node.high.to_int64());
  return out;
}

Result<Column> lane_apply(const Node& node, const std::vector<const Column*>& args) {
  Column out{.carrier = Carrier::exact, .uniform = true};
  std::size_t lanes = 1;
  for (const Column* arg : args)
    if (!arg->uniform) {
      out.uniform = false;
      lanes = arg->size();
    }
  out.resize(lanes);
  std::vector<Value> values(args.size());
  for (std::size_t i = 0; i < lanes; ++i) {
    for (std::size_t k = 0; k < args.size(); ++k) values[k] = args[k]->value(i);
    TIEBREAK_TRY(value, apply_node(node, values));
    out.values[i] = std::move(value);
  }
  return out;
}

}  // namespace tiebreak
