// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/grid_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/exact/magnitude.hpp"
#include "interpreter/fast/factor_grid.hpp"
#include "interpreter/fast/items_outside_operand.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t shortest_run = 64;                          // of products in 32 bits that is worth the packing
constexpr std::int64_t products_together = std::int64_t{1} << 30;  // about so many between two looks at whether to stop, more where rows are many

/// One factor: where its lines begin at each place that both factors see, and what a line adds to the number of its sum.
struct GridSide {
  const std::int16_t* data = nullptr;
  std::vector<std::int64_t> places{}, lines{}, items{}, keys{};
};

std::vector<std::int64_t> keys_of(const CellSpace& space, const CellSpace& table, const Shape& extents) {
  std::vector<std::int64_t> keys, cell(extents.size());
  keys.reserve(static_cast<std::size_t>(space.size));
  for (std::int64_t number = 0; number < space.size; ++number) {
    space.place(number, cell);
    keys.push_back(table.key(cell));
  }
  return keys;
}

/// The share of entries that follow the one before.
double neighbours(const std::vector<std::int64_t>& steps) {
  std::size_t following = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) following += steps[i] == steps[i - 1] + 1 ? 1 : 0;
  return static_cast<double>(following + 1) / static_cast<double>(steps.size());
}

/// About how long it takes, in additions of one number, with these as rows and columns of the kernel: it multiplies some columns at once, and reads rows along
/// their items and columns across their lines.
double effort(const GridSide& rows, const GridSide& columns) {
  const auto row_count = static_cast<double>(rows.lines.size()), column_count = static_cast<double>(columns.lines.size());
  const auto items = static_cast<double>(rows.items.size()), panels = std::ceil(static_cast<double>(columns.lines.size()) / simd::panel_columns);
  return row_count * panels * items * 0.7 + row_count * items * (1.1 - neighbours(rows.items)) + column_count * items * (1.3 - neighbours(columns.lines)) +
         row_count * column_count * (neighbours(columns.keys) > 0.9 ? 0.3 : 2);
}

/// How many products are proved to have a sum of 32 bits.
std::int64_t proved_run(const Bounds& left, const Bounds& right, const Bounds& sum, std::int64_t items) {
  if (sum.low >= std::numeric_limits<std::int32_t>::min() && sum.high <= std::numeric_limits<std::int32_t>::max()) return items;
  const auto most = [](const Bounds& bounds) { return std::max(magnitude(bounds.low), magnitude(bounds.high)); };
  const auto a = static_cast<std::int64_t>(most(left)), b = static_cast<std::int64_t>(most(right));  // both of at most 32 bits
  return std::min(items, std::int64_t{std::numeric_limits<std::int32_t>::max()} / std::max<std::int64_t>(1, a * b));
}

simd::Side part(const GridSide& side, std::size_t place, std::size_t first, std::size_t count) {
  return {side.data + side.places[place], std::span(side.lines).subspan(first, count), side.items};
}

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
  const Shape& item_extents = formula.geometry.item_extents;
  GridSide left{left_grid->data(), left_grid->steps_of_cells(shared), left_grid->steps_of_cells(own_left), left_grid->steps_of_items(item_extents),
                keys_of(own_left, table, extents)};
  GridSide right{right_grid->data(), right_grid->steps_of_cells(shared), right_grid->steps_of_cells(own_right), right_grid->steps_of_items(item_extents),
                 keys_of(own_right, table, extents)};
  const bool swapped = effort(right, left) < effort(left, right);
  const GridSide &rows = swapped ? right : left, &columns = swapped ? left : right;

  Column values{.carrier = Carrier::integer};
  const bool is_short = run == items;
  if (is_short) values.short_integers.resize(static_cast<std::size_t>(table.size));
  else values.resize(static_cast<std::size_t>(table.size));
  const std::vector<std::int64_t> place_keys = keys_of(shared, table, extents);
  const auto many = static_cast<std::size_t>(std::max<std::int64_t>(64, products_together / (items * static_cast<std::int64_t>(rows.lines.size())) / 64 * 64));
  for (std::size_t place = 0; place < place_keys.size(); ++place)
    for (std::size_t first = 0; first < columns.lines.size(); first += many) {
      TIEBREAK_CHECK(formula.stop.check());
      const std::size_t count = std::min(many, columns.lines.size() - first);
      const simd::Side row_part = part(rows, place, 0, rows.lines.size()), column_part = part(columns, place, first, count);
      const std::span keys = std::span(columns.keys).subspan(first, count);
      if (is_short) simd::add_products(row_part, column_part, {values.short_integers.data() + place_keys[place], rows.keys, keys});
      else simd::add_products(row_part, column_part, {values.integers.data() + place_keys[place], rows.keys, keys}, run);
    }
  return std::optional(std::move(values));
}

}  // namespace tiebreak
