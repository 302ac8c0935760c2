// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/grid_product.hpp"

#include <algorithm>
#include <limits>

#include "interpreter/exact/magnitude.hpp"
#include "interpreter/fast/side_steps.hpp"
#include "interpreter/formula/items_outside_operand.hpp"
#include "interpreter/large_pages.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t shortest_run = 64;  // of products in 32 bits that is worth the packing

/// How many products are proved to have a sum of 32 bits.
std::int64_t proved_run(const Bounds& left, const Bounds& right, const Bounds& sum, std::int64_t items) {
  if (sum.low >= std::numeric_limits<std::int32_t>::min() && sum.high <= std::numeric_limits<std::int32_t>::max()) return items;
  const auto most = [](const Bounds& bounds) { return std::max(magnitude(bounds.low), magnitude(bounds.high)); };
  const auto a = static_cast<std::int64_t>(most(left)), b = static_cast<std::int64_t>(most(right));  // both of at most 32 bits
  return std::min(items, std::int64_t{std::numeric_limits<std::int32_t>::max()} / std::max<std::int64_t>(1, a * b));
}

simd::Side side_of(const simd::Lines<std::int16_t>& lines, std::int16_t) { return lines; }
simd::ByteSide side_of(const simd::Lines<std::uint8_t>& bytes, std::int16_t base) { return {bytes, base}; }

/// Both factors on grids.
template <class Number>
struct GridPair {
  FactorGrid<Number> left, right;
  static std::optional<GridPair> of(const Formula& formula, const FactorRows& factors) {
    auto left = FactorGrid<Number>::of(formula, factors.left());
    if (!left) return std::nullopt;
    auto right = FactorGrid<Number>::of(formula, factors.right());
    if (!right || Holes(formula).of_another(left->source())) return std::nullopt;  // what another operand misses is no zero here
    return GridPair{std::move(*left), std::move(*right)};
  }
};

/// The sums of such a pair; `run`: so many products are proved to have a sum of 32 bits.
template <class Number>
Result<Column> sums_of(const Formula& formula, NodeId sum, const FactorRows& factors, const GridPair<Number>& grids, std::int64_t run) {
  const Shape& extents = formula.geometry.cell_extents;
  const std::uint64_t left_rate = formula[factors.left()].rate & cell_bits, right_rate = formula[factors.right()].rate & cell_bits;
  const CellSpace shared(left_rate & right_rate, extents), own_left(left_rate & ~right_rate, extents), own_right(right_rate & ~left_rate, extents);
  const CellSpace table(formula[sum].rate & cell_bits, extents);
  const SideSteps left = steps_on_grid(grids.left, shared, own_left, table, formula.geometry);
  const SideSteps right = steps_on_grid(grids.right, shared, own_right, table, formula.geometry);
  const bool swapped = effort(right, left) < effort(left, right);
  const SideSteps &rows = swapped ? right : left, &columns = swapped ? left : right;
  const FactorGrid<Number>&row_grid = swapped ? grids.right : grids.left, &column_grid = swapped ? grids.left : grids.right;

  Column values{.carrier = Carrier::integer};
  const bool is_short = run == formula.geometry.items();
  if (is_short) make_zeros(values.short_integers, static_cast<std::size_t>(table.size));
  else make_zeros(values.integers, static_cast<std::size_t>(table.size));
  const std::vector<std::int64_t> place_keys = keys_of(shared, table, extents);
  const std::vector<SumsBetweenStops> blocks = sums_between_stops(rows.lines.size(), columns.lines.size(), rows.items.size());
  for (std::size_t place = 0; place < place_keys.size(); ++place)
    for (const SumsBetweenStops& block : blocks) {
      TIEBREAK_CHECK(formula.stop.check());
      const auto row_side = side_of({row_grid.data() + rows.places[place], block.rows.of(rows.lines), rows.items}, row_grid.base());
      const auto column_side = side_of({column_grid.data() + columns.places[place], block.columns.of(columns.lines), columns.items}, column_grid.base());
      const auto row_keys = block.rows.of(rows.keys), column_keys = block.columns.of(columns.keys);
      if (is_short) simd::add_products(row_side, column_side, {values.short_integers.data() + place_keys[place], row_keys, column_keys});
      else simd::add_products(row_side, column_side, {values.integers.data() + place_keys[place], row_keys, column_keys}, run);
    }
  return values;
}

}  // namespace

Result<std::optional<Column>> grid_product(const Formula& formula, BoundsTable& bounds, NodeId sum, const FactorRows& factors) {
  const std::optional<Column> none;
  const std::int64_t items = formula.geometry.items();
  const std::int64_t run = proved_run(bounds.of(factors.left()), bounds.of(factors.right()), bounds.of(sum), items);
  if (items == 0 || run < std::min(items, shortest_run)) return none;
  if (const auto bytes = GridPair<std::uint8_t>::of(formula, factors)) {
    TIEBREAK_TRY(values, sums_of(formula, sum, factors, *bytes, run));
    return std::optional(std::move(values));
  }
  if (const auto words = GridPair<std::int16_t>::of(formula, factors)) {
    TIEBREAK_TRY(values, sums_of(formula, sum, factors, *words, run));
    return std::optional(std::move(values));
  }
  return none;
}

}  // namespace tiebreak
