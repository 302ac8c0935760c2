// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/lane_arithmetic.hpp"

#include <algorithm>
#include <cmath>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/ranges/double_rounding.hpp"

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

/// out[i] = f(a[i], b[i]) with the two broadcast cases as loops of their own, so that compilers vectorize them.
template <class Out, class In, class F>
void zip(std::vector<Out>& out, const std::vector<In>& a, bool a_uniform, const std::vector<In>& b, bool b_uniform, F f) {
  const std::size_t n = out.size();
  if (a_uniform) {
    const In x = a[0];
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(x, b[b_uniform ? 0 : i]));
  } else if (b_uniform) {
    const In y = b[0];
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], y));
  } else {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], b[i]));
  }
}

/// The reals of a column, converted where it carries integers.
const std::vector<double>& reals_of(const Column& column, std::vector<double>& space) {
  if (column.carrier == Carrier::real) return column.reals;
  space.resize(column.integers.size());
  for (std::size_t i = 0; i < space.size(); ++i) space[i] = static_cast<double>(column.integers[i]);
  return space;
}

double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == 0 && b == 0) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace

Result<Column> lane_arithmetic(const Node& node, const Column& a, const Column& b, Carrier carrier) {
  if (carrier == Carrier::exact) return lane_apply(node, {&a, &b});
  Column out = result_of(carrier, a, b);
  if (carrier == Carrier::integer) {
    auto run = [&](auto f) { zip(out.integers, a.integers, a.uniform, b.integers, b.uniform, f); };
    switch (node.op) {
      case NodeOp::add: run([](std::int64_t x, std::int64_t y) { return x + y; }); break;
      case NodeOp::subtract: run([](std::int64_t x, std::int64_t y) { return x - y; }); break;
      case NodeOp::multiply: run([](std::int64_t x, std::int64_t y) { return x * y; }); break;
      case NodeOp::minimum: run([](std::int64_t x, std::int64_t y) { return std::min(x, y); }); break;
      default: run([](std::int64_t x, std::int64_t y) { return std::max(x, y); }); break;
    }
    return out;
  }
  std::vector<double> left, right;
  const std::vector<double>& x = reals_of(a, left);
  const std::vector<double>& y = reals_of(b, right);
  auto run = [&](auto f) { zip(out.reals, x, a.uniform, y, b.uniform, f); };
  switch (node.op) {
    case NodeOp::add: run([](double p, double q) { return p + q; }); break;
    case NodeOp::subtract: run([](double p, double q) { return p - q; }); break;
    case NodeOp::multiply: run([](double p, double q) { return p * q; }); break;
    case NodeOp::divide: run([](double p, double q) { return p / q; }); break;
    case NodeOp::minimum: run(minimum); break;
    default: run(maximum); break;
  }
  return out;
}

Column lane_negate(const Node& node, const Column& a, Carrier carrier) {
  Column out = a;
  const bool absolute = node.op == NodeOp::absolute;
  if (carrier == Carrier::integer)
    for (std::int64_t& v : out.integers) v = !absolute || v < 0 ? -v : v;
  else
    for (double& v : out.reals) v = absolute ? std::fabs(v) : -v;
  return out;
}

Column lane_compare(const Node& node, const Column& a, const Column& b) {
  Column out = result_of(Carrier::truth, a, b);
  std::vector<double> left, right;
  const std::vector<double>& x = reals_of(a, left);
  const std::vector<double>& y = reals_of(b, right);
  auto run = [&](auto f) { zip(out.truths, x, a.uniform, y, b.uniform, f); };
  switch (node.op) {
    case NodeOp::equal: run([](double p, double q) { return p == q; }); break;
    case NodeOp::not_equal: run([](double p, double q) { return p != q; }); break;
    case NodeOp::less: run([](double p, double q) { return p < q; }); break;
    default: run([](double p, double q) { return p <= q; }); break;
  }
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

Column lane_conditional(const Column& condition, const Column& a, const Column& b, Carrier carrier) {
  Column out{.carrier = carrier, .uniform = condition.uniform && a.uniform && b.uniform};
  const std::size_t lanes = condition.uniform ? lanes_of(a, b) : condition.size();
  out.resize(out.uniform ? 1 : lanes);
  const bool undefined = condition.may_be_undefined() || a.may_be_undefined() || b.may_be_undefined();
  if (undefined) out.undefined.resize(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Column& taken = condition.truths[condition.at(i)] != 0 ? a : b;
    if (undefined) out.undefined[i] = condition.is_undefined(i) || taken.is_undefined(i) ? 1 : 0;
    if (undefined && out.undefined[i] != 0) continue;
    switch (carrier) {
      case Carrier::integer: out.integers[i] = taken.integers[taken.at(i)]; break;
      case Carrier::real: out.reals[i] = taken.real(i); break;
      case Carrier::truth: out.truths[i] = taken.truths[taken.at(i)]; break;
      case Carrier::exact: out.values[i] = taken.value(i); break;
    }
  }
  return out;
}

Column lane_round_whole(const Node& node, const Column& a, Carrier carrier) {
  Column out = a;
  if (carrier == Carrier::integer) return out;
  if (node.rounding == Rounding::nearest_even)
    for (double& v : out.reals) v = std::nearbyint(v);
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

Column lane_round_operation(const Node& node, const Node& operation, const Column& a, const Column& b, const Bounds& x, const Bounds& y) {
  Column out = result_of(Carrier::real, a, b);
  std::vector<double> left, right;
  const std::vector<double>& p = reals_of(a, left);
  const std::vector<double>& q = reals_of(b, right);
  auto run = [&](auto f) { zip(out.reals, p, a.uniform, q, b.uniform, f); };
  const bool even = node.rounding == Rounding::nearest_even && node.overflow == Overflow::format;
  if (even && is_binary64(*node.format)) {  // IEEE's own operation
    switch (operation.op) {
      case NodeOp::add: run([](double u, double v) { return u + v; }); break;
      case NodeOp::subtract: run([](double u, double v) { return u - v; }); break;
      case NodeOp::multiply: run([](double u, double v) { return u * v; }); break;
      default: run([](double u, double v) { return u / v; }); break;
    }
    return out;
  }
  if (even && is_binary32(*node.format) && x.precision <= 24 && y.precision <= 24) {
    // 53 >= 2 * 24 + 2: rounding twice is rounding once (Figueroa, "When is double rounding innocuous?", 1995).
    switch (operation.op) {
      case NodeOp::add: run([](double u, double v) { return static_cast<float>(u + v); }); break;
      case NodeOp::subtract: run([](double u, double v) { return static_cast<float>(u - v); }); break;
      case NodeOp::multiply: run([](double u, double v) { return static_cast<float>(u * v); }); break;
      default: run([](double u, double v) { return static_cast<float>(u / v); }); break;
    }
    return out;
  }
  bool missing = false;
  auto finish = [&](double v) { return round_to_format(v, *node.format, node.rounding, node.overflow, missing); };
  for (std::size_t i = 0; i < out.reals.size(); ++i) {
    const double u = p[a.at(i)], v = q[b.at(i)];
    missing = false;
    switch (operation.op) {
      case NodeOp::add: out.reals[i] = finish(add_to_odd(u, v)); break;
      case NodeOp::subtract: out.reals[i] = finish(add_to_odd(u, -v)); break;
      case NodeOp::multiply: out.reals[i] = finish(multiply_to_odd(u, v)); break;
      default: out.reals[i] = finish(divide_to_odd(u, v)); break;
    }
    if (!missing) continue;
    if (out.undefined.empty()) out.undefined.resize(out.reals.size());
    out.undefined[i] = 1;
  }
  return out;
}

namespace {

/// A whole real into [low, high]; nan is undefined.
void saturate_reals(Column& out, const std::vector<double>& reals, std::int64_t low, std::int64_t high) {
  const double lo = static_cast<double>(low), hi = static_cast<double>(high);
  bool nan = false;
  for (std::size_t i = 0; i < out.integers.size(); ++i) {
    const double v = reals[i];
    nan |= v != v;
    const double clamped = v < lo ? lo : v > hi ? hi : v;
    out.integers[i] = static_cast<std::int64_t>(clamped == clamped ? clamped : lo);
  }
  if (!nan) return;
  if (out.undefined.empty()) out.undefined.resize(out.integers.size());
  for (std::size_t i = 0; i < out.integers.size(); ++i)
    if (std::isnan(reals[i])) out.undefined[i] = 1;
}

}  // namespace

Column lane_to_integer(const Node& node, const Column& a) {
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
