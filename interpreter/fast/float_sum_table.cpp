// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/float_sum_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/exact/long_accumulator.hpp"
#include "interpreter/fast/cell_space.hpp"
#include "interpreter/fast/factor_grid.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/float_rows.hpp"
#include "interpreter/fast/items_outside_operand.hpp"
#include "interpreter/fast/sum_factors.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/operations/double_rounding.hpp"

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

/// Rows of one factor: its values over the items of one cell, as doubles.
class RowReader {
 public:
  RowReader(const Formula& formula, NodeId factor) : formula_(formula), factor_(factor), evaluator_(formula), grid_(FactorGrid<double>::of(formula, factor)) {
    if (grid_) items_ = grid_->steps_of_items(formula.geometry.item_extents);
  }

  /// False where an element is undefined.
  Result<bool> read(const std::vector<std::int64_t>& cell, std::span<double> out) {
    if (grid_) {
      const double* row = grid_->at(cell);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = row[items_[i]];
      return true;
    }
    evaluator_.set_items(cell_number(cell, formula_.geometry.cell_extents), 0, out.size());
    TIEBREAK_TRY(column, evaluator_.at(factor_));
    if (column->may_be_undefined()) return false;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = column->real(i);
    return true;
  }

 private:
  const Formula& formula_;
  NodeId factor_;
  FastEvaluator evaluator_;
  std::optional<FactorGrid<double>> grid_;
  std::vector<std::int64_t> items_{};
};

/// A left row against packed right rows, for all cells: what both sides see is fixed first, then each row of one side meets all rows of the other.
class Products {
 public:
  Products(const Formula& formula, const SumFactors& factors)
      : formula_(formula),
        extents_(formula.geometry.cell_extents),
        items_(static_cast<std::size_t>(formula.geometry.items())),
        left_(factors.left),
        right_(factors.right) {
    // The side with more rows is packed where the other has too few for a vector.
    const CellSpace own_left(rate(left_) & ~rate(right_), extents_), own_right(rate(right_) & ~rate(left_), extents_);
    if (own_right.size < 16 && own_left.size > own_right.size) std::swap(left_, right_);
  }

  NodeId left() const { return left_; }
  NodeId right() const { return right_; }
  std::size_t items() const { return items_; }
  /// Both sides vary over all cells: no row meets several others, and few items are quicker cell after cell.
  bool are_single() const {
    const auto all = static_cast<std::int64_t>(items_) <= few_items ? CellSpace(rate(left_) & rate(right_), extents_).size : 0;
    return all > 1 && all == product(extents_, 0, extents_.size());
  }

  /// f(left row, packed rows, right rows, cell, space of the right rows); false where something is undefined.
  template <class F>
  Result<bool> each_row(const FloatSteps& steps, FloatCarrier carrier, F f) {
    const CellSpace shared(rate(left_) & rate(right_), extents_), rows(rate(left_) & ~rate(right_), extents_), columns(rate(right_) & ~rate(left_), extents_);
    RowReader lefts(formula_, left_), rights(formula_, right_);
    std::vector<std::int64_t> cell(extents_.size(), 0);
    std::vector<double> left(items_), right(items_ * static_cast<std::size_t>(columns.size));
    for (std::int64_t s = 0; s < shared.size; ++s) {
      shared.place(s, cell);
      for (std::int64_t c = 0; c < columns.size; ++c) {
        columns.place(c, cell);
        TIEBREAK_TRY(read, rights.read(cell, std::span(right).subspan(static_cast<std::size_t>(c) * items_, items_)));
        if (!read) return false;
      }
      const FloatRows packed(right, columns.size, static_cast<std::int64_t>(items_), steps, carrier, formula_.stop);
      for (std::int64_t row = 0; row < rows.size; ++row) {
        rows.place(row, cell);
        TIEBREAK_TRY(read, lefts.read(cell, left));
        if (!read) return false;
        TIEBREAK_CHECK(f(left, packed, right, cell, columns));
        TIEBREAK_CHECK(formula_.stop.check());  // sums that ended early are nothing
      }
    }
    return true;
  }

 private:
  std::uint64_t rate(NodeId id) const { return formula_[id].rate & cell_bits; }

  const Formula& formula_;
  const Shape& extents_;
  std::size_t items_;
  NodeId left_, right_;
};

/// Rounds exact sums: first by an interval around a sum of doubles, then, where its ends round apart, exactly.
class SumRounder {
 public:
  SumRounder(const Formula& formula, const Node& rounding, const SumFactors& factors, std::size_t items)
      : rounding_(rounding), outer_(factors.outer), items_(static_cast<std::int64_t>(items)), exact_(formula) {}

  /// The product of the scales of a cell; false where it is no finite positive number.
  Result<bool> set_scale(std::int64_t cell) {
    scale_ = Real(1);
    exact_.set_cell(cell);
    for (NodeId id : outer_) {
      TIEBREAK_TRY(value, exact_.at(id));
      if (!value.is_number() || !value.number().is_finite() || value.number().sign() <= 0) return false;
      scale_ = scale_ * value.number();
    }
    near_ = scale_.to_double();
    return near_ > 0x1p-400 && near_ < 0x1p400;
  }

  std::optional<double> decide(double sum, double magnitude) {
    if (magnitude == 0) return 0.0;
    const double error = sum_error(magnitude, items_);
    const double size = (std::fabs(sum) + error) * near_;
    if (!(size > 0x1p-900 && size < 0x1p900)) return std::nullopt;
    const double slack = size * 0x1p-49;  // of the few operations here
    bool missing = false;
    const double low = round((sum - error) * near_ - slack, missing), high = round((sum + error) * near_ + slack, missing);
    if (missing || std::bit_cast<std::uint64_t>(low) != std::bit_cast<std::uint64_t>(high)) return std::nullopt;
    return low;
  }

  std::optional<double> exactly(std::span<const double> left, std::span<const double> right) const {
    LongAccumulator sum;
    for (std::size_t i = 0; i < left.size(); ++i) sum.add(left[i] * right[i]);
    const auto rounded = round_to(sum.total() * scale_, *rounding_.format, rounding_.rounding, rounding_.overflow);
    return rounded ? std::optional(rounded->to_double()) : std::nullopt;
  }

 private:
  double round(double v, bool& missing) const { return round_to_format(v, *rounding_.format, rounding_.rounding, rounding_.overflow, missing); }

  const Node& rounding_;
  const std::vector<NodeId>& outer_;
  std::int64_t items_;
  ExactEvaluator exact_;
  Real scale_{1};
  double near_ = 1;
};

bool covers(const Formula& formula, const SumFactors& factors) {
  const std::uint64_t inner = formula[factors.left].rate | formula[factors.right].rate;
  return std::ranges::all_of(factors.outer, [&](NodeId id) { return (formula[id].rate & ~inner) == 0; });
}

}  // namespace

Result<std::optional<Column>> float_sum_table(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const Node* node = &formula[id];
  const std::optional<Column> none;
  FloatSteps steps{.format = plain_step(formula, node->aggregate), .pairwise = node->aggregate.order == AggregateOrder::pairwise};
  if (node->aggregate.order == AggregateOrder::feature_slowest) return none;
  if (steps.format == nullptr || node->aggregate.kind != AggregateKind::sum || node->aggregate.blocks > 0 || node->args.size() > 1 || !Holes(formula).empty())
    return none;
  if (node->aggregate.over_blocks > 0) {
    const Node& inner = formula[node->args[0]];
    const bool run = inner.op == NodeOp::aggregate && inner.aggregate.kind == AggregateKind::sum && inner.aggregate.order == AggregateOrder::sequential &&
                     !inner.aggregate.blocks_restart && inner.args.size() == 1 && plain_step(formula, inner.aggregate) == steps.format && !steps.pairwise;
    if (!run) return none;
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
  if (formula[body].op != NodeOp::multiply) return none;
  SumFactors factors{.left = formula[body].args[0], .right = formula[body].args[1]};
  if (((formula[factors.left].rate & formula[factors.right].rate) & rate_item) == 0) return none;
  const auto carrier = float_carrier(steps, bounds.of(factors.left), bounds.of(factors.right));
  if (!carrier) return none;
  const CellSpace space(formula[id].rate & cell_bits, formula.geometry.cell_extents);
  Column table{.carrier = Carrier::real};
  table.resize(static_cast<std::size_t>(space.size));
  std::vector<double> sums;
  Products products(formula, factors);
  if (products.are_single() && steps.block == 0 && !steps.pairwise) return none;
  TIEBREAK_TRY(whole, products.each_row(steps, *carrier,
                                        [&](const std::vector<double>& left, const FloatRows& packed, const std::vector<double>&,
                                            std::vector<std::int64_t> cell, const CellSpace& columns) -> Status {
                                          sums.resize(static_cast<std::size_t>(columns.size));
                                          packed.sum(left, sums);
                                          for (std::int64_t c = 0; c < columns.size; ++c) {
                                            columns.place(c, cell);
                                            table.reals[static_cast<std::size_t>(space.key(cell))] = sums[static_cast<std::size_t>(c)];
                                          }
                                          return {};
                                        }));
  return whole ? std::optional(std::move(table)) : none;
}

Result<std::optional<Column>> rounded_sum_table(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const Node& rounding = formula[id];
  const Node& node = formula[rounding.args[0]];
  const std::optional<Column> none;
  if (!is_exact_sum(node) || rounding.format->precision() > 53 || !Holes(formula).empty()) return none;
  const auto factors = sum_factors(formula, node.args[0]);
  if (!factors || !covers(formula, *factors)) return none;
  Products products(formula, *factors);
  if (products.are_single() && rounding.format->precision() <= most_enclosed_precision) return none;
  const auto carrier = float_carrier({}, bounds.of(products.left()), bounds.of(products.right()));
  if (!carrier) return none;
  const CellSpace space(node.rate & cell_bits, formula.geometry.cell_extents);
  Column table{.carrier = Carrier::real};
  table.resize(static_cast<std::size_t>(space.size));
  SumRounder rounder(formula, rounding, *factors, products.items());
  std::vector<double> sums, magnitudes;
  bool scaled = true;
  TIEBREAK_TRY(whole, products.each_row({}, *carrier,
                                        [&](const std::vector<double>& left, const FloatRows& packed, const std::vector<double>& rights,
                                            std::vector<std::int64_t> cell, const CellSpace& columns) -> Status {
                                          sums.resize(static_cast<std::size_t>(columns.size));
                                          magnitudes.resize(sums.size());
                                          packed.sum(left, sums, magnitudes);
                                          for (std::int64_t c = 0; scaled && c < columns.size; ++c) {
                                            TIEBREAK_CHECK(formula.stop.check());
                                            columns.place(c, cell);
                                            const auto lane = static_cast<std::size_t>(c), key = static_cast<std::size_t>(space.key(cell));
                                            if (!factors->outer.empty()) {
                                              TIEBREAK_TRY(usable, rounder.set_scale(cell_number(cell, formula.geometry.cell_extents)));
                                              scaled = usable;
                                            }
                                            auto value = rounder.decide(sums[lane], magnitudes[lane]);
                                            if (!value) value = rounder.exactly(left, std::span(rights).subspan(lane * products.items(), products.items()));
                                            if (value) table.reals[key] = *value;
                                            else table.set_undefined(key);
                                          }
                                          return {};
                                        }));
  return whole && scaled ? std::optional(std::move(table)) : none;
}

Result<std::optional<DoubleSums>> double_sums(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const std::optional<DoubleSums> none;
  const Node& node = formula[id];
  if (!is_exact_sum(node) || !Holes(formula).empty()) return none;
  const bool of_magnitudes = formula[node.args[0]].op == NodeOp::absolute;
  const auto factors = sum_factors(formula, of_magnitudes ? formula[node.args[0]].args[0] : node.args[0]);
  if (!factors || !factors->outer.empty()) return none;
  Products products(formula, *factors);
  if (products.are_single()) return none;
  const auto carrier = float_carrier({}, bounds.of(products.left()), bounds.of(products.right()));
  if (!carrier) return none;
  const CellSpace space(node.rate & cell_bits, formula.geometry.cell_extents);
  DoubleSums table;
  table.sums.resize(static_cast<std::size_t>(space.size));
  table.magnitudes.resize(table.sums.size());
  std::vector<double> sums, magnitudes;
  TIEBREAK_TRY(whole, products.each_row({}, *carrier,
                                        [&](const std::vector<double>& left, const FloatRows& packed, const std::vector<double>&,
                                            std::vector<std::int64_t> cell, const CellSpace& columns) -> Status {
                                          sums.resize(static_cast<std::size_t>(columns.size));
                                          magnitudes.resize(sums.size());
                                          packed.sum(left, sums, magnitudes);
                                          for (std::int64_t c = 0; c < columns.size; ++c) {
                                            columns.place(c, cell);
                                            const auto key = static_cast<std::size_t>(space.key(cell));
                                            table.sums[key] = (of_magnitudes ? magnitudes : sums)[static_cast<std::size_t>(c)];
                                            table.magnitudes[key] = magnitudes[static_cast<std::size_t>(c)];
                                          }
                                          return {};
                                        }));
  return whole ? std::optional(std::move(table)) : none;
}

}  // namespace tiebreak
