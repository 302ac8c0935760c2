// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/float_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "interpreter/operations/double_rounding.hpp"

// Every operation here is IEEE's, one by one and lane by lane: it has one value in every instruction set. -ffp-contract=off keeps a * b + c two roundings.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TIEBREAK_HASWELL_COPY __attribute__((target_clones("arch=haswell", "default")))
#else
#define TIEBREAK_HASWELL_COPY
#endif

namespace tiebreak {
namespace {

constexpr std::int64_t tile = 32;  // lanes
template <class Number>
using TileLanes = std::array<Number, tile>;

template <class Number>
struct View {
  const Number* left;
  const Number* right;  ///< item by item, a tile each
};

/// Float and double: the hardware's operations.
template <class Number, bool fused>
struct Native {
  Number add(Number a, Number b) const { return a + b; }
  Number step(Number sum, Number a, Number b) const {
    if constexpr (fused) return std::fma(a, b, sum);
    else return sum + a * b;
  }
};

/// Any narrower format of IEEE form, in doubles: sums and products are rounded to odd first.
struct Narrow {
  const FloatFormat* format;
  bool rounds_products;
  double round(double v) const { return round_to_ieee(v, *format); }
  double product(double a, double b) const { return rounds_products ? round(multiply_to_odd(a, b)) : a * b; }
  double add(double a, double b) const { return round(add_to_odd(a, b)); }
  double step(double sum, double a, double b) const { return add(sum, product(a, b)); }
};

template <class Arithmetic, class Number>
inline __attribute__((always_inline)) void run_of(const Arithmetic& arithmetic, const View<Number>& view, std::int64_t first, std::int64_t last,
                                                  TileLanes<Number>& sums) {
  sums.fill(Number{0});
  for (std::int64_t i = first; i < last; ++i) {
    const Number left = view.left[i];
    const Number* right = view.right + i * tile;
    for (std::size_t lane = 0; lane < tile; ++lane) sums[lane] = arithmetic.step(sums[lane], left, right[lane]);
  }
}

template <class Arithmetic, class Number>
inline __attribute__((always_inline)) void add_lanes(const Arithmetic& arithmetic, TileLanes<Number>& sums, const TileLanes<Number>& more) {
  for (std::size_t lane = 0; lane < tile; ++lane) sums[lane] = arithmetic.add(sums[lane], more[lane]);
}

/// Halves, the first the larger.
template <class Arithmetic, class Number>
void halves(const Arithmetic& arithmetic, const View<Number>& view, std::int64_t first, std::int64_t last, TileLanes<Number>& sums) {
  if (last - first <= 1) return run_of(arithmetic, view, first, last, sums);
  const std::int64_t middle = first + (last - first + 1) / 2;
  TileLanes<Number> right;
  halves(arithmetic, view, first, middle, sums);
  halves(arithmetic, view, middle, last, right);
  add_lanes(arithmetic, sums, right);
}

template <class Arithmetic, class Number>
inline __attribute__((always_inline)) void runs(const Arithmetic& arithmetic, const View<Number>& view, std::int64_t items, std::int64_t block,
                                                TileLanes<Number>& sums) {
  if (block <= 0) return run_of(arithmetic, view, 0, items, sums);
  sums.fill(Number{0});
  for (std::int64_t first = 0; first < items; first += block) {
    TileLanes<Number> run;
    run_of(arithmetic, view, first, std::min(first + block, items), run);
    add_lanes(arithmetic, sums, run);
  }
}

TIEBREAK_HASWELL_COPY
void runs_narrow(const Narrow& narrow, const View<double>& view, std::int64_t items, std::int64_t block, TileLanes<double>& sums) {
  runs(narrow, view, items, block, sums);
}

template <class Number>
std::vector<Number> tiled(const simd::Lines<Number>& columns) {
  const std::size_t count = columns.lines.size(), items = columns.items.size(), lanes = static_cast<std::size_t>(tile);
  std::vector<Number> packed((count + lanes - 1) / lanes * lanes * items);
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t i = 0; i < items; ++i) packed[(c / lanes * items + i) * lanes + c % lanes] = columns.data[columns.lines[c] + columns.items[i]];
  return packed;
}

template <class Number>
void in_pairs(bool rounds_products, const View<Number>& view, std::int64_t items, TileLanes<Number>& sums) {
  rounds_products ? halves(Native<Number, false>{}, view, 0, items, sums) : halves(Native<Number, true>{}, view, 0, items, sums);
}

}  // namespace

template <class Number>
FloatRows<Number>::FloatRows(const simd::Lines<Number>& columns, const FloatSteps& steps, FloatCarrier carrier)
    : steps_(steps),
      carrier_(carrier),
      count_(static_cast<std::int64_t>(columns.lines.size())),
      items_(static_cast<std::int64_t>(columns.items.size())),
      packed_(tiled(columns)) {}

template <class Number>
void FloatRows<Number>::sum(std::span<const Number> row, std::span<double> sums, const Stop& stop) const {
  for (std::int64_t first = 0; first < count_ && !stop.is_requested(); first += tile) {
    const View<Number> view{row.data(), packed_.data() + first * items_};
    TileLanes<Number> totals;
    if constexpr (std::is_same_v<Number, double>) {
      const Narrow narrow{steps_.format, steps_.rounds_products};
      if (carrier_ != FloatCarrier::narrow) in_pairs(steps_.rounds_products, view, items_, totals);
      else steps_.pairwise ? halves(narrow, view, 0, items_, totals) : runs_narrow(narrow, view, items_, steps_.block, totals);
    } else {
      in_pairs(steps_.rounds_products, view, items_, totals);
    }
    std::copy_n(totals.begin(), std::min(tile, count_ - first), sums.data() + first);
  }
}

template class FloatRows<float>;
template class FloatRows<double>;

}  // namespace tiebreak
