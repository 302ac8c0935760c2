// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/enclosures.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/exact/double_functions.hpp"
#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/float_sum_table.hpp"
#include "interpreter/fast/lane_arithmetic.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/formula/sum_factors.hpp"
#include "interpreter/operations/double_rounding.hpp"
#include "interpreter/simd/enclosure_loops.hpp"

namespace tiebreak {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
using Ends = Enclosures::Ends;

/// IEEE's operations are off by at most 2^-53 of their result, or by less than 2^-1022; four times that holds them and the operation that widens.
Ends widened(double low, double high) {
  const Ends ends{low - (std::fabs(low) * 0x1p-51 + 0x1p-1000), high + (std::fabs(high) * 0x1p-51 + 0x1p-1000)};
  return std::isfinite(ends.low) && std::isfinite(ends.high) ? ends : Ends{};
}

/// Whether a double holds the sum of two, s.
bool is_exact_sum_of(double s, double a, double b) { return std::isfinite(s) && error_of_sum(s, a, b) == 0; }

/// By how much at most a sum of so many exact doubles is off, in any order: (n - 1) * 2^-53 times the sum of their magnitudes, but for higher orders; twice
/// that holds them, and the few operations of a caller who widens by it.
double sum_error(double magnitude, std::int64_t items) { return magnitude * (static_cast<double>(items) + 4) * 0x1p-52; }

Ends of_corners(const std::array<double, 4>& corners) {
  double low = corners[0], high = corners[0];
  for (const double corner : corners) {
    if (!std::isfinite(corner)) return {};
    low = std::min(low, corner);
    high = std::max(high, corner);
  }
  return widened(low, high);
}

Ends quotient(Ends a, Ends b) {
  if (!(b.low > 0) && !(b.high < 0)) return {};
  return of_corners({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
}

/// The lesser or the greater one. Which of two zeros that is says their sign, which is left to exact values.
double extreme(NodeOp op, double a, double b) {
  if (std::isnan(a) || std::isnan(b) || (a == 0 && b == 0 && std::signbit(a) != std::signbit(b))) return unknown;
  return op == NodeOp::minimum ? std::min(a, b) : std::max(a, b);
}

Ends root(Ends a) { return a.low >= 0 ? widened(std::sqrt(a.low), std::sqrt(a.high)) : Ends{}; }

/// The rising function in doubles; nullptr where there is none.
double (*near_function(RealFunction function))(double) {
  switch (function) {
    case RealFunction::exp: return exp_near;
    case RealFunction::log: return log_near;
    case RealFunction::tanh: return tanh_near;
    case RealFunction::logistic: return logistic_near;
    default: return nullptr;
  }
}

/// A rising function at one end; below -700 exp and logistic are less than any number of a format that is asked for here, and not less than 0.
double near_value(RealFunction function, double x, bool upper) {
  const bool is_tiny = x < -700 && (function == RealFunction::exp || function == RealFunction::logistic);
  if (is_tiny) return upper ? exp_near(-700) : 0;
  return function == RealFunction::logistic && x > 700 ? 1 : near_function(function)(x);
}

Ends rising(RealFunction function, Ends a) {
  if (std::isnan(a.low)) return {};
  const double low = near_value(function, a.low, false), high = near_value(function, a.high, true);
  return widened(low - std::fabs(low) * double_function_error, high + std::fabs(high) * double_function_error);
}

Ends magnitude(Ends a) {
  if (a.low >= 0 && !std::signbit(a.low)) return a;
  if (a.high <= 0) return {std::fabs(a.high), std::fabs(a.low)};
  return std::isnan(a.low) ? Ends{} : Ends{0, std::max(-a.low, a.high)};
}

Ends apply(NodeOp op, Ends a, Ends b) {
  switch (op) {
    case NodeOp::divide: return quotient(a, b);
    case NodeOp::negate: return {-a.high, -a.low};
    case NodeOp::absolute: return magnitude(a);
    case NodeOp::minimum:
    case NodeOp::maximum: return {extreme(op, a.low, b.low), extreme(op, a.high, b.high)};
    default: return {};
  }
}

/// Loops over many lanes, of the operations of which formulas have most; nullptr where there is none.
decltype(&simd::add_ends) loop_of(NodeOp op) {
  switch (op) {
    case NodeOp::add: return simd::add_ends;
    case NodeOp::subtract: return simd::subtract_ends;
    case NodeOp::multiply: return simd::multiply_ends;
    default: return nullptr;
  }
}

Ends apply(const Node& node, Ends a, Ends b) {
  if (node.op != NodeOp::real_function) return apply(node.op, a, b);
  return node.function == RealFunction::sqrt ? root(a) : rising(node.function, a);
}

Ends ends_at(const EnclosureColumn& column, std::size_t lane) { return {column.low[column.at(lane)], column.high[column.at(lane)]}; }

void set(EnclosureColumn& column, std::size_t lane, Ends ends) {
  const bool known = std::isfinite(ends.low) && std::isfinite(ends.high);
  column.low[lane] = known ? ends.low : unknown;
  column.high[lane] = known ? ends.high : unknown;
}

void resize(EnclosureColumn& column, std::size_t lanes) {
  column.low.resize(column.uniform ? 1 : lanes);
  column.high.resize(column.low.size());
}

std::size_t lanes_of(const EnclosureColumn& a, const EnclosureColumn& b) { return a.uniform ? b.low.size() : a.low.size(); }

EnclosureColumn of_numbers(const Column& numbers) {
  EnclosureColumn column{.uniform = numbers.uniform};
  resize(column, numbers.size());
  if (numbers.carrier == Carrier::real && numbers.undefined.empty()) {
    for (std::size_t i = 0; i < column.low.size(); ++i) column.low[i] = column.high[i] = std::isfinite(numbers.reals[i]) ? numbers.reals[i] : unknown;
    return column;
  }
  for (std::size_t i = 0; i < column.low.size(); ++i) {
    if (numbers.is_undefined(i)) {
      set(column, i, {});
      continue;
    }
    const double number = numbers.real(i);
    const bool is_rounded = numbers.carrier == Carrier::integer && !(std::fabs(number) < static_cast<double>(double_limit));
    set(column, i, is_rounded ? widened(number, number) : Ends{number, number});
  }
  return column;
}

bool is_number(const Node& node) { return node.op == NodeOp::constant && node.constant.is_number() && node.constant.number().is_finite(); }

}  // namespace

bool Enclosures::encloses(NodeId id) {
  if (encloses_.empty()) encloses_.assign(formula_.nodes.size(), -1);
  if (encloses_[static_cast<std::size_t>(id)] < 0) encloses_[static_cast<std::size_t>(id)] = is_enclosed(formula_[id]) ? 1 : 0;
  return encloses_[static_cast<std::size_t>(id)] != 0;
}

bool Enclosures::is_enclosed(const Node& node) {
  const auto id = static_cast<NodeId>(&node - formula_.nodes.data());
  if ((node.rate & (rate_block | rate_carried)) != 0 || node.truth) return false;
  const Carrier carrier = bounds_.of(id).carrier;
  if (carrier == Carrier::integer || carrier == Carrier::real || is_number(node)) return true;
  const auto known = [this](NodeId arg) { return encloses(arg); };
  switch (node.op) {
    using enum NodeOp;
    case element: return formula_.sources[static_cast<std::size_t>(node.source)].tensor == nullptr;
    case add:
    case subtract:
    case multiply:
    case divide:
    case negate:
    case absolute:
    case minimum:
    case maximum: return std::ranges::all_of(node.args, known);
    case conditional: return bounds_.of(node.args[0]).carrier == Carrier::truth && known(node.args[1]) && known(node.args[2]);
    case real_function: return (node.function == RealFunction::sqrt || near_function(node.function) != nullptr) && known(node.args[0]);
    case aggregate: return is_exact_sum(node) && known(node.args[0]);
    default: return false;
  }
}

Result<EnclosureColumn> Enclosures::of(NodeId id, FastEvaluator& lanes) {
  const Node& node = formula_[id];
  const Carrier carrier = bounds_.of(id).carrier;
  if (carrier == Carrier::integer || carrier == Carrier::real) {
    TIEBREAK_TRY(numbers, lanes.at(id));
    return of_numbers(*numbers);
  }
  if (node.op == NodeOp::constant) {
    const double near = node.constant.number().to_double();
    const Ends ends = widened(near, near);
    return EnclosureColumn{true, {ends.low}, {ends.high}};
  }
  if (node.op == NodeOp::element) return of_source(node.source, lanes);
  if (node.op == NodeOp::conditional) return choice(node, lanes);
  if (node.op != NodeOp::aggregate) return operation(node, lanes);
  auto found = tables_.find(id);
  if (found == tables_.end()) {
    TIEBREAK_TRY(table, sum_table(id));
    found = tables_.emplace(id, std::move(table)).first;
  }
  return look_up(found->second, lanes);
}

/// Numbers that belong to places: a double that is one of them, or two around it.
EnclosureColumn Enclosures::of_source(int number, FastEvaluator& lanes) {
  const Source& source = formula_.sources[static_cast<std::size_t>(number)];
  std::vector<Ends>& near = near_[number];
  if (near.empty())
    for (const Real& value : source.values) {
      const double nearest = value.to_double();
      near.push_back(!value.is_finite() ? Ends{} : Real::from_double(nearest) == value ? Ends{nearest, nearest} : widened(nearest, nearest));
    }
  EnclosureColumn column{.uniform = source.access.cell_rate() == 0 && !source.access.varies_over_items()};
  const std::vector<std::int64_t> offsets = lanes.offsets_of(source, column.uniform);
  resize(column, offsets.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) set(column, i, offsets[i] < 0 ? Ends{} : near[static_cast<std::size_t>(offsets[i])]);
  return column;
}

EnclosureColumn Enclosures::look_up(const SumTable& table, FastEvaluator& lanes) const {
  EnclosureColumn column{.uniform = table.space.size == 1};
  const std::int64_t first = lanes.first_cell();
  const bool all = first >= 0 && table.space.extents.size() == formula_.geometry.cell_extents.size();
  if (all && !column.uniform) {
    const auto copied = [&](const std::vector<double>& ends) {
      return std::vector<double>(ends.begin() + first, ends.begin() + first + static_cast<std::ptrdiff_t>(lanes.count()));
    };
    column.low = copied(table.sums.low);
    column.high = copied(table.sums.high);
    return column;
  }
  resize(column, lanes.count());
  std::vector<std::int64_t> cell;
  for (std::size_t i = 0; i < column.low.size(); ++i) {
    std::int64_t key = 0;
    if (!column.uniform) {
      const auto place = lanes.lanes().cell(i);
      cell.assign(place.begin(), place.end());
      key = table.space.key(cell);
    }
    set(column, i, ends_at(table.sums, static_cast<std::size_t>(key)));
  }
  return column;
}

Result<EnclosureColumn> Enclosures::operation(const Node& node, FastEvaluator& lanes) {
  TIEBREAK_TRY(left, of(node.args.front(), lanes));
  TIEBREAK_TRY(right, node.args.size() > 1 ? of(node.args[1], lanes) : Result<EnclosureColumn>(EnclosureColumn{true, {0}, {0}}));
  EnclosureColumn column{.uniform = left.uniform && right.uniform};
  resize(column, lanes_of(left, right));
  if (const auto loop = loop_of(node.op)) {
    loop({left.low.data(), left.high.data(), left.uniform}, {right.low.data(), right.high.data(), right.uniform}, column.low.size(), column.low.data(),
         column.high.data());
    return column;
  }
  for (std::size_t i = 0; i < column.low.size(); ++i) set(column, i, apply(node, ends_at(left, i), ends_at(right, i)));
  return column;
}

Result<EnclosureColumn> Enclosures::choice(const Node& node, FastEvaluator& lanes) {
  TIEBREAK_TRY(condition, lanes.at(node.args[0]));
  TIEBREAK_TRY(taken, of(node.args[1], lanes));
  TIEBREAK_TRY(otherwise, of(node.args[2], lanes));
  EnclosureColumn column{.uniform = condition->uniform && taken.uniform && otherwise.uniform};
  resize(column, condition->uniform ? lanes_of(taken, otherwise) : condition->size());
  for (std::size_t i = 0; i < column.low.size(); ++i) {
    if (condition->is_undefined(i)) set(column, i, {});
    else set(column, i, ends_at(condition->truths[condition->at(i)] != 0 ? taken : otherwise, i));
  }
  return column;
}

/// Sums of products by rows, all others item by item.
Result<Enclosures::SumTable> Enclosures::sum_table(NodeId id) {
  SumTable table{.space = CellSpace(formula_[id].rate & cell_bits, formula_.geometry.cell_extents)};
  resize(table.sums, static_cast<std::size_t>(table.space.size));
  TIEBREAK_TRY(products, double_sums(formula_, bounds_, id));
  if (!products) {
    TIEBREAK_CHECK(add_items(id, table));
    return table;
  }
  for (std::size_t key = 0; key < products->sums.size(); ++key) {
    const double sum = products->sums[key], error = products->errors[key];
    set(table.sums, key, widened(sum - error, sum + error));
  }
  return table;
}

/// Ends of a sum of items, one after another. As long as no step loses anything it is one number.
void Enclosures::PartialSum::add(double from, double to) {
  is_exact = is_exact && from == to && is_exact_sum_of(low + from, low, from);
  low += from;
  high += to;
  magnitude += std::max(std::fabs(from), std::fabs(to));
}

void Enclosures::PartialSum::store(EnclosureColumn& column, std::size_t key, std::int64_t items) const {
  const double error = sum_error(magnitude, items);
  set(column, key, is_exact ? Ends{low, low} : widened(low - error, high + error));
}

Status Enclosures::add_items(NodeId id, SumTable& table) {
  const Geometry& geometry = formula_.geometry;
  const Holes holes(formula_);
  FastEvaluator evaluator(formula_);
  if (holes.empty() && geometry.items() <= few_items && table.space.size == geometry.cells()) return add_by_cells(id, table, evaluator);
  std::vector<std::int64_t> place(geometry.cell_extents.size(), 0);
  for (std::size_t key = 0; key < table.sums.low.size(); ++key) {
    table.space.place(static_cast<std::int64_t>(key), place);
    evaluator.set_items(cell_number(place, geometry.cell_extents), 0, static_cast<std::size_t>(geometry.items()));
    TIEBREAK_TRY(body, of(formula_[id].args[0], evaluator));
    PartialSum sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.items()); ++i)
      if (holes.empty() || !holes.at(evaluator.lanes().cell(i), evaluator.lanes().item(i))) sum.add(body.low[body.at(i)], body.high[body.at(i)]);
    sum.store(table.sums, key, geometry.items());
  }
  return {};
}

/// Item by item over many cells: of few items that is less work.
Status Enclosures::add_by_cells(NodeId id, SumTable& table, FastEvaluator& evaluator) {
  const std::int64_t items = formula_.geometry.items();
  std::vector<PartialSum> sums;
  for (std::int64_t first = 0; first < table.space.size; first += cells_at_once) {
    const auto count = static_cast<std::size_t>(std::min(cells_at_once, table.space.size - first));
    sums.assign(count, {});
    for (std::int64_t item = 0; item < items; ++item) {
      evaluator.set_cells_at(item, first, count);
      TIEBREAK_TRY(body, of(formula_[id].args[0], evaluator));
      for (std::size_t i = 0; i < count; ++i) sums[i].add(body.low[body.at(i)], body.high[body.at(i)]);
    }
    for (std::size_t i = 0; i < count; ++i) sums[i].store(table.sums, static_cast<std::size_t>(first) + i, items);
  }
  return {};
}

std::vector<double> round_enclosures(const Node& rounding, const EnclosureColumn& column) {
  std::vector<double> rounded(column.low.size(), unknown);
  if (is_conversion(rounding) && is_binary32(*rounding.format)) {  // the processor's own
    for (std::size_t i = 0; i < rounded.size(); ++i) {
      const auto low = static_cast<float>(column.low[i]), high = static_cast<float>(column.high[i]);
      rounded[i] = std::bit_cast<std::uint32_t>(low) == std::bit_cast<std::uint32_t>(high) ? static_cast<double>(low) : unknown;
    }
    return rounded;
  }
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    if (std::isnan(column.low[i])) continue;
    bool missing = false;
    const auto round = [&](double end) { return round_to_format(end, *rounding.format, rounding.rounding, rounding.overflow, missing); };
    const double low = round(column.low[i]), high = round(column.high[i]);
    if (!missing && std::bit_cast<std::uint64_t>(low) == std::bit_cast<std::uint64_t>(high)) rounded[i] = low;
  }
  return rounded;
}

}  // namespace tiebreak
