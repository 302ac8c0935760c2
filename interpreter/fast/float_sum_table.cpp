// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/float_sum_table.hpp"

#include "interpreter/fast/float_lines.hpp"
#include "interpreter/fast/float_rows.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/large_pages.hpp"
#include "interpreter/simd/float_product.hpp"

namespace tiebreak {
namespace {

/// The conversion that a step is, if it is a plain one to the nearest value of a format.
const FloatFormat* plain_step(const Formula& formula, const Aggregate& aggregate) {
  if (aggregate.step < 0) return nullptr;
  const Node& step = formula[aggregate.step];
  const bool plain = step.op == NodeOp::round_float && formula[step.args[0]].op == NodeOp::carried && step.rounding == Rounding::nearest_even &&
                     step.overflow == Overflow::format;
  return plain ? step.format : nullptr;
}

/// A sum of products, and how it is rounded.
struct SteppedSum {
  FloatSteps steps{};
  NodeId left = -1, right = -1;
};

std::optional<SteppedSum> stepped_sum(const Formula& formula, NodeId id) {
  const Node* node = &formula[id];
  SteppedSum sum{.steps = {.format = plain_step(formula, node->aggregate), .pairwise = node->aggregate.order == AggregateOrder::pairwise}};
  FloatSteps& steps = sum.steps;
  if (node->aggregate.order == AggregateOrder::feature_slowest) return std::nullopt;
  if (steps.format == nullptr || node->aggregate.kind != AggregateKind::sum || node->aggregate.blocks > 0 || node->args.size() > 1 || !Holes(formula).empty())
    return std::nullopt;
  if (node->aggregate.over_blocks > 0) {
    const Node& inner = formula[node->args[0]];
    const bool run = inner.op == NodeOp::aggregate && inner.aggregate.kind == AggregateKind::sum && inner.aggregate.order == AggregateOrder::sequential &&
                     !inner.aggregate.blocks_restart && inner.args.size() == 1 && plain_step(formula, inner.aggregate) == steps.format && !steps.pairwise;
    if (!run) return std::nullopt;
    steps.block = inner.aggregate.blocks;
    node = &inner;
  }
  NodeId body = node->args[0];
  const Node& rounded = formula[body];
  if (rounded.op == NodeOp::round_float && rounded.format == steps.format && rounded.rounding == Rounding::nearest_even &&
      rounded.overflow == Overflow::format) {
    steps.rounds_products = true;
    body = rounded.args[0];
  }
  if (formula[body].op != NodeOp::multiply) return std::nullopt;
  sum.left = formula[body].args[0];
  sum.right = formula[body].args[1];
  if (((formula[sum.left].rate & formula[sum.right].rate) & rate_item) == 0) return std::nullopt;
  return sum;
}

/// The arithmetic in which these steps are exact; nothing where there is none.
std::optional<FloatCarrier> float_carrier(const FloatSteps& steps, const Bounds& left, const Bounds& right) {
  if (steps.format->kind != FloatClass::ieee || !fits_double(left) || !fits_double(right)) return std::nullopt;
  if (is_binary64(*steps.format)) return FloatCarrier::wide;
  if (is_binary32(*steps.format) && fits_single(left) && fits_single(right)) return FloatCarrier::single;
  const Bounds a = as_real(left), b = as_real(right);
  const bool exact_products = a.precision + b.precision <= 53 && a.top + b.top + 1 <= 1023 && a.bottom + b.bottom >= -1074;
  // Rounding to odd needs room at both ends.
  const bool room = a.top + b.top <= 800 && a.bottom + b.bottom >= -800;
  if (steps.format->precision() > 51 || !(exact_products || (steps.rounds_products && room))) return std::nullopt;
  return FloatCarrier::narrow;
}

/// Row after row, where the order or the format asks for it.
template <class Number>
void add_rows(const FloatBlock<Number>& block, const FloatSteps& steps, FloatCarrier carrier, std::vector<double>& table, const Stop& stop) {
  const FloatRows<Number> columns(block.columns, steps, carrier);
  std::vector<Number> row(block.rows.items.size());
  std::vector<double> sums(block.columns.lines.size());
  for (std::size_t r = 0; r < block.rows.lines.size() && !stop.is_requested(); ++r) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = block.rows.data[block.rows.lines[r] + block.rows.items[i]];
    columns.sum(row, sums, stop);
    for (std::size_t c = 0; c < sums.size(); ++c) table[block.key_of(r, c)] = sums[c];
  }
}

template <class Number>
Result<bool> fill(const FloatProducts& products, const FloatSteps& steps, FloatCarrier carrier, std::vector<double>& table, const Stop& stop) {
  return products.each_block<Number>([&](const FloatBlock<Number>& block) -> Status {
    if (carrier == FloatCarrier::narrow || steps.pairwise) add_rows(block, steps, carrier, table, stop);
    else simd::add_in_order(block.rows, block.columns, block.sums(table), steps.rounds_products ? simd::Step::rounded : simd::Step::fused, steps.block);
    return stop.check();  // sums that ended early are nothing
  });
}

}  // namespace

Result<std::optional<Column>> float_sum_table(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const std::optional<Column> none;
  const auto sum = stepped_sum(formula, id);
  if (!sum) return none;
  const auto carrier = float_carrier(sum->steps, bounds.of(sum->left), bounds.of(sum->right));
  if (!carrier) return none;
  const FloatProducts products(formula, sum->left, sum->right);
  if (products.are_single() && sum->steps.block == 0 && !sum->steps.pairwise) return none;
  Column table{.carrier = Carrier::real};
  make_zeros(table.reals, static_cast<std::size_t>(products.table().size));
  const bool in_floats = *carrier == FloatCarrier::single;
  TIEBREAK_TRY(whole, in_floats ? fill<float>(products, sum->steps, *carrier, table.reals, formula.stop)
                                : fill<double>(products, sum->steps, *carrier, table.reals, formula.stop));
  if (!whole) return none;
  return std::optional(std::move(table));
}

}  // namespace tiebreak
