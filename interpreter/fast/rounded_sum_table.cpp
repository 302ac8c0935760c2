// SPDX-License-Identifier: Apache-2.0
// Exact sums of products, decided by sums of doubles. Where the two ends of what the sum may be round apart, two doubles decide, and at last the exact sum.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "interpreter/fast/enclosures.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/float_lines.hpp"
#include "interpreter/fast/float_sum_table.hpp"
#include "interpreter/fast/sum_rounder.hpp"
#include "interpreter/formula/cell_space.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/formula/sum_factors.hpp"
#include "interpreter/large_pages.hpp"
#include "interpreter/operations/avx2_copy.hpp"
#include "interpreter/simd/float_product.hpp"

namespace tiebreak {
namespace {

/// The products of one sum of a block.
template <class Number>
void read_products(const FloatBlock<Number>& block, std::size_t row, std::size_t column, std::vector<double>& products) {
  const Number *left = block.rows.data + block.rows.lines[row], *right = block.columns.data + block.columns.lines[column];
  products.resize(block.rows.items.size());
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = static_cast<double>(left[block.rows.items[i]]) * right[block.columns.items[i]];
}

/// What is rounded: an exact sum of products, perhaps with scales, perhaps with something added to it.
struct ExactSum {
  NodeId aggregate = -1, addend = -1;  ///< -1: nothing is added
  SumFactors factors{};
};

std::optional<ExactSum> exact_sum_of(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  ExactSum sum{.aggregate = id};
  if (node.op == NodeOp::add) {
    const bool first = is_exact_sum(formula[node.args[0]]);
    sum.aggregate = node.args[first ? 0 : 1];
    sum.addend = node.args[first ? 1 : 0];
  }
  if (!is_exact_sum(formula[sum.aggregate])) return std::nullopt;
  const auto factors = sum_factors(formula, formula[sum.aggregate].args[0]);
  if (!factors) return std::nullopt;
  sum.factors = *factors;
  const std::uint64_t inner = formula[sum.factors.left].rate | formula[sum.factors.right].rate;
  const bool covered = std::ranges::all_of(sum.factors.outer, [&](NodeId outer) { return (formula[outer].rate & ~inner) == 0; });
  if (!covered || (sum.addend >= 0 && (formula[sum.addend].rate & ~(inner & cell_bits)) != 0)) return std::nullopt;
  return sum;
}

/// What is added to the sums of a table: a node's values, and where among them that of each place is. Without a node it is 0.
class Addends {
 public:
  /// Nothing where a value is undefined or no finite double.
  static Result<std::optional<Addends>> of(const Formula& formula, NodeId id, const CellSpace& table) {
    const CellSpace own(formula[id].rate & cell_bits, formula.geometry.cell_extents);
    Addends addends;
    std::vector<double>& values = addends.values_;
    values.clear();
    std::vector<std::int64_t> cell(formula.geometry.cell_extents.size());
    FastEvaluator evaluator(formula);
    const bool consecutive = own.size == formula.geometry.cells();
    while (static_cast<std::int64_t>(values.size()) < own.size) {
      const auto first = static_cast<std::int64_t>(values.size());
      own.place(first, cell);
      evaluator.set_cells(cell_number(cell, formula.geometry.cell_extents),
                          static_cast<std::size_t>(consecutive ? std::min(cells_at_once, own.size - first) : 1));
      TIEBREAK_TRY(column, evaluator.at(id));
      for (std::size_t i = 0; i < evaluator.count(); ++i) {
        if (column->is_undefined(i) || !std::isfinite(column->real(i))) return std::optional<Addends>();
        values.push_back(column->real(i));
      }
    }
    addends.extents_ = table.extents;
    for (const std::size_t coordinate : table.coordinates) {
      std::ranges::fill(cell, 0);
      cell[coordinate] = 1;
      addends.steps_.push_back(own.key(cell));
    }
    return std::optional(std::move(addends));
  }

  /// What follows is of this block.
  template <class Number>
  void set_block(const FloatBlock<Number>& block) {
    if (are_one()) return;
    first_ = place_of(block.key);
    const auto places_of = [&](std::span<const std::int64_t> keys, std::vector<std::int64_t>& places) {
      places.clear();
      for (const std::int64_t key : keys) places.push_back(place_of(key));
    };
    places_of(block.row_keys, rows_);
    places_of(block.column_keys, columns_);
  }

  bool are_one() const { return values_.size() == 1; }
  double at(std::size_t row, std::size_t column) const {
    return are_one() ? values_[0] : values_[static_cast<std::size_t>(first_ + rows_[row] + columns_[column])];
  }

 private:
  /// A place of the table is a sum of coordinates, and so is its value's.
  std::int64_t place_of(std::int64_t key) const {
    std::int64_t place = 0;
    for (std::size_t d = extents_.size(); d-- > 0; key /= extents_[d]) place += key % extents_[d] * steps_[d];
    return place;
  }

  std::vector<double> values_{0.0};
  Shape extents_{};                    ///< of the table
  std::vector<std::int64_t> steps_{};  ///< of its coordinates among the values
  std::int64_t first_ = 0;
  std::vector<std::int64_t> rows_{}, columns_{};
};

/// Sums whose ends are one float become it; `undecided` tells of the others, by lanes of their width so that compilers vectorize. True where there are such.
TIEBREAK_AVX2_COPY bool decide_singles(double* sums, const double* addends, double row_error, const double* column_errors, std::size_t count,
                                       std::uint64_t* undecided) {
  std::uint64_t any = 0;
  for (std::size_t c = 0; c < count; ++c) {
    const double total = sums[c] + addends[c];
    const double error = row_error * column_errors[c] + std::fabs(total) * 0x1p-51;  // with that of the operations here
    const double low = static_cast<float>(total - error), high = static_cast<float>(total + error);
    const bool is_one = std::bit_cast<std::uint64_t>(low) == std::bit_cast<std::uint64_t>(high) && error < 0x1p900;
    sums[c] = is_one ? low : sums[c];
    undecided[c] = is_one ? 0 : 1;
    any |= undecided[c];
  }
  return any != 0;
}

/// Where sums of a row are brought together that do not follow each other, and what is added to them: all of it where it is one number.
struct RowLanes {
  static constexpr std::size_t most = 256;
  std::array<double, most> sums{}, addends{};
  std::array<std::uint64_t, most> undecided{};
};

/// The sums of a block's row, in place; of those that are not decided the columns are kept.
template <class Number>
void decide_row(const FloatBlock<Number>& block, std::size_t row, const simd::SumErrors& errors, const Addends& addends, std::vector<double>& table,
                RowLanes& lanes, std::vector<std::size_t>& undecided) {
  undecided.clear();
  double* sums = table.data() + block.key + block.row_keys[row];
  for (std::size_t first = 0; first < block.column_keys.size(); first += RowLanes::most) {
    const std::size_t count = std::min(RowLanes::most, block.column_keys.size() - first);
    const auto keys = block.column_keys.subspan(first, count);
    const bool are_neighbours = keys.back() - keys.front() == static_cast<std::int64_t>(count) - 1;  // they ascend
    double* line = are_neighbours ? sums + keys.front() : lanes.sums.data();
    for (std::size_t c = 0; c < count && !are_neighbours; ++c) line[c] = sums[keys[c]];
    for (std::size_t c = 0; c < count && !addends.are_one(); ++c) lanes.addends[c] = addends.at(row, first + c);
    const bool any = decide_singles(line, lanes.addends.data(), errors.share * errors.rows[row], errors.columns.data() + first, count, lanes.undecided.data());
    for (std::size_t c = 0; c < count && !are_neighbours; ++c) sums[keys[c]] = line[c];
    for (std::size_t c = 0; c < count && any; ++c)
      if (lanes.undecided[c] != 0) undecided.push_back(first + c);
  }
}

/// Whether doubles hold every product, and every square has room; whether floats hold the factors.
struct DoubleCarrier {
  bool fits = false, in_floats = false;
  DoubleCarrier(const Bounds& left, const Bounds& right) {
    if (!fits_double(left) || !fits_double(right)) return;
    const Bounds a = as_real(left), b = as_real(right);
    const auto has_room = [](const Bounds& bounds) { return bounds.top <= 400 && bounds.bottom >= -400; };
    fits = a.precision + b.precision <= 53 && has_room(a) && has_room(b);
    in_floats = fits_single(left) && fits_single(right);
  }
};

/// The sums of blocks, rounded where they stand in the table.
class RoundedTable {
 public:
  RoundedTable(const Formula& formula, const Node& rounding, const ExactSum& sum, const FloatProducts& products)
      : formula_(formula), products_(products), rounder_(formula, rounding, sum.factors.outer), cell_(formula.geometry.cell_extents.size()) {
    make_zeros(column_.reals, static_cast<std::size_t>(products.table().size));
  }

  void set_addends(Addends addends) {
    addends_ = std::move(addends);
    if (addends_.are_one()) lanes_.addends.fill(addends_.at(0, 0));
  }
  Column take() { return std::move(column_); }

  /// False where a scale is none.
  template <class Number>
  Result<bool> fill() {
    bool scaled = true;
    TIEBREAK_TRY(whole, products_.each_block<Number>([&](const FloatBlock<Number>& block) -> Status {
      if (!scaled) return {};
      const simd::SumErrors errors = simd::add_doubles(block.rows, block.columns, block.sums(column_.reals));
      addends_.set_block(block);
      for (std::size_t row = 0; scaled && row < block.rows.lines.size(); ++row) {
        TIEBREAK_CHECK(formula_.stop.check());
        TIEBREAK_TRY(rounded, round_row(block, row, errors));
        scaled = rounded;
      }
      return {};
    }));
    return whole && scaled;
  }

 private:
  template <class Number>
  Result<bool> round_row(const FloatBlock<Number>& block, std::size_t row, const simd::SumErrors& errors) {
    if (rounder_.is_plain()) {
      decide_row(block, row, errors, addends_, column_.reals, lanes_, undecided_);
    } else {
      undecided_.resize(block.columns.lines.size());
      std::iota(undecided_.begin(), undecided_.end(), std::size_t{0});
    }
    for (const std::size_t column : undecided_) {
      const std::size_t key = block.key_of(row, column);
      if (rounder_.has_scales()) {
        products_.table().place(static_cast<std::int64_t>(key), cell_);
        TIEBREAK_TRY(usable, rounder_.set_scale(cell_number(cell_, formula_.geometry.cell_extents)));
        if (!usable) return false;
      }
      const double addend = addends_.at(row, column);
      auto value = rounder_.is_plain() ? std::nullopt : rounder_.decide(column_.reals[key], errors.of(row, column), addend);
      if (!value) {
        read_products(block, row, column, single_);
        value = rounder_.exactly(single_, addend);
      }
      if (value) column_.reals[key] = *value;
      else column_.set_undefined(key);
    }
    return true;
  }

  const Formula& formula_;
  const FloatProducts& products_;
  SumRounder rounder_;
  Column column_{.carrier = Carrier::real};
  Addends addends_{};
  RowLanes lanes_{};
  std::vector<std::size_t> undecided_{};
  std::vector<double> single_{};
  std::vector<std::int64_t> cell_;
};

template <class Number>
Result<bool> fill(const FloatProducts& products, simd::Of of, DoubleSums& table) {
  return products.each_block<Number>([&](const FloatBlock<Number>& block) -> Status {
    const simd::SumErrors errors = simd::add_doubles(block.rows, block.columns, block.sums(table.sums), of);
    for (std::size_t r = 0; r < block.rows.lines.size(); ++r)
      for (std::size_t c = 0; c < block.columns.lines.size(); ++c) table.errors[block.key_of(r, c)] = errors.of(r, c);
    return {};
  });
}

}  // namespace

Result<std::optional<Column>> rounded_sum_table(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const Node& rounding = formula[id];
  const std::optional<Column> none;
  const auto sum = exact_sum_of(formula, rounding.args[0]);
  if (!sum || rounding.format->precision() > 53 || !Holes(formula).empty()) return none;
  const FloatProducts products(formula, sum->factors.left, sum->factors.right);
  if (products.are_single() && rounding.format->precision() <= most_enclosed_precision) return none;
  const DoubleCarrier carrier(bounds.of(products.left()), bounds.of(products.right()));
  if (!carrier.fits || (sum->addend >= 0 && !fits_double(bounds.of(sum->addend)))) return none;
  RoundedTable table(formula, rounding, *sum, products);
  if (sum->addend >= 0) {
    TIEBREAK_TRY(addends, Addends::of(formula, sum->addend, products.table()));
    if (!addends) return none;
    table.set_addends(std::move(*addends));
  }
  TIEBREAK_TRY(whole, carrier.in_floats ? table.fill<float>() : table.fill<double>());
  if (!whole) return none;
  return std::optional(table.take());
}

Result<std::optional<DoubleSums>> double_sums(const Formula& formula, BoundsTable& bounds, NodeId id) {
  const std::optional<DoubleSums> none;
  const Node& node = formula[id];
  if (!is_exact_sum(node) || !Holes(formula).empty()) return none;
  const bool of_magnitudes = formula[node.args[0]].op == NodeOp::absolute;
  const auto factors = sum_factors(formula, of_magnitudes ? formula[node.args[0]].args[0] : node.args[0]);
  if (!factors || !factors->outer.empty()) return none;
  const FloatProducts products(formula, factors->left, factors->right);
  if (products.are_single()) return none;
  const DoubleCarrier carrier(bounds.of(factors->left), bounds.of(factors->right));
  if (!carrier.fits) return none;
  DoubleSums table;
  make_zeros(table.sums, static_cast<std::size_t>(products.table().size));
  make_zeros(table.errors, table.sums.size());
  const simd::Of of = of_magnitudes ? simd::Of::magnitudes : simd::Of::products;
  TIEBREAK_TRY(whole, carrier.in_floats ? fill<float>(products, of, table) : fill<double>(products, of, table));
  if (!whole) return none;
  return std::optional(std::move(table));
}

}  // namespace tiebreak
