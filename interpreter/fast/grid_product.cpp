// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/grid_product.hpp"

#include <algorithm>
#include <limits>

#include "interpreter/exact/magnitude.hpp"
#include "interpreter/fast/side_steps.hpp"
#include "interpreter/formula/items_outside_operand.hpp"

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

/// One factor on its grid.
struct GridSide {
  const std::int16_t* data = nullptr;
  SideSteps steps{};
  simd::Side part(std::size_t place, std::size_t first, std::size_t count) const {
    return {data + steps.places[place], std::span(steps.lines).subspan(first, count), steps.items};
  }
};

}  // namespace

Result<std::optional<Column>> grid_product(const Formula& formula, BoundsTable& bounds, NodeId sum, const FactorRows& factors) {
  const std::optional<Column> none;
  const Bounds left_bounds = bounds.of(factors.left()), right_bounds = bounds.of(factors.right());
  const std::int64_t items = formula.geometry.items();
  const std::int64_t run = proved_run(left_bounds, right_bounds, bounds.of(sum), items);
  if (items == 0 || run < std::min(items, shortest_run)) return none;
  const std::optional<FactorGrid<std::int16_t>> left_grid = FactorGrid<std::int16_t>::of(formula, factors.left());
  if (!left_grid) return none;
  const std::optional<FactorGrid<std::int16_t>> right_grid = FactorGrid<std::int16_t>::of(formula, factors.right());
  if (!right_grid || Holes(formula).of_another(left_grid->source())) return none;  // what another operand misses is no zero here

  const Shape& extents = formula.geometry.cell_extents;
  const std::uint64_t left_rate = formula[factors.left()].rate & cell_bits, right_rate = formula[factors.right()].rate & cell_bits;
  const CellSpace shared(left_rate & right_rate, extents), own_left(left_rate & ~right_rate, extents), own_right(right_rate & ~left_rate, extents);
  const CellSpace table(formula[sum].rate & cell_bits, extents);
  const GridSide left{left_grid->data(), steps_on_grid(*left_grid, shared, own_left, table, formula.geometry)};
  const GridSide right{right_grid->data(), steps_on_grid(*right_grid, shared, own_right, table, formula.geometry)};
  const bool swapped = effort(right.steps, left.steps) < effort(left.steps, right.steps);
  const GridSide &rows = swapped ? right : left, &columns = swapped ? left : right;

  Column values{.carrier = Carrier::integer};
  const bool is_short = run == items;
  if (is_short) values.short_integers.resize(static_cast<std::size_t>(table.size));
  else values.resize(static_cast<std::size_t>(table.size));
  const std::vector<std::int64_t> place_keys = keys_of(shared, table, extents);
  const std::size_t row_count = rows.steps.lines.size(), column_count = columns.steps.lines.size();
  const std::size_t many = columns_between_stops(row_count, rows.steps.items.size());
  for (std::size_t place = 0; place < place_keys.size(); ++place)
    for (std::size_t first = 0; first < column_count; first += many) {
      TIEBREAK_CHECK(formula.stop.check());
      const std::size_t count = std::min(many, column_count - first);
      const simd::Side row_part = rows.part(place, 0, row_count), column_part = columns.part(place, first, count);
      const std::span keys = std::span(columns.steps.keys).subspan(first, count);
      if (is_short) simd::add_products(row_part, column_part, {values.short_integers.data() + place_keys[place], rows.steps.keys, keys});
      else simd::add_products(row_part, column_part, {values.integers.data() + place_keys[place], rows.steps.keys, keys}, run);
    }
  return std::optional(std::move(values));
}

}  // namespace tiebreak
