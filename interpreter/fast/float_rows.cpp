// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/float_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "interpreter/exact/machine_formats.hpp"
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
void runs_single(const View<float>& view, std::int64_t items, std::int64_t block, TileLanes<float>& sums) {
  runs(Native<float, false>{}, view, items, block, sums);
}
TIEBREAK_HASWELL_COPY
void runs_single_fused(const View<float>& view, std::int64_t items, std::int64_t block, TileLanes<float>& sums) {
  runs(Native<float, true>{}, view, items, block, sums);
}
TIEBREAK_HASWELL_COPY
void runs_wide(const View<double>& view, std::int64_t items, std::int64_t block, TileLanes<double>& sums) {
  runs(Native<double, false>{}, view, items, block, sums);
}
TIEBREAK_HASWELL_COPY
void runs_wide_fused(const View<double>& view, std::int64_t items, std::int64_t block, TileLanes<double>& sums) {
  runs(Native<double, true>{}, view, items, block, sums);
}
TIEBREAK_HASWELL_COPY
void runs_narrow(const Narrow& narrow, const View<double>& view, std::int64_t items, std::int64_t block, TileLanes<double>& sums) {
  runs(narrow, view, items, block, sums);
}

TIEBREAK_HASWELL_COPY
void sums_and_magnitudes(const View<double>& view, std::int64_t items, TileLanes<double>& sums, TileLanes<double>& magnitudes) {
  sums.fill(0);
  magnitudes.fill(0);
  for (std::int64_t i = 0; i < items; ++i) {
    const double left = view.left[i];
    const double* right = view.right + i * tile;
    for (std::size_t lane = 0; lane < tile; ++lane) {
      const double product = left * right[lane];
      sums[lane] += product;
      magnitudes[lane] += std::fabs(product);
    }
  }
}

template <class Number>
std::vector<Number> tiled(std::span<const double> rows, std::int64_t count, std::int64_t items) {
  const std::int64_t tiles = (count + tile - 1) / tile;
  std::vector<Number> packed(static_cast<std::size_t>(tiles * tile * items));
  for (std::int64_t row = 0; row < count; ++row)
    for (std::int64_t i = 0; i < items; ++i)
      packed[static_cast<std::size_t>((row / tile * items + i) * tile + row % tile)] = static_cast<Number>(rows[static_cast<std::size_t>(row * items + i)]);
  return packed;
}

bool is_single(const Bounds& bounds) {
  const Bounds real = as_real(bounds);
  return fits_double(bounds) && real.precision <= 24 && real.top <= 127 && real.bottom >= -149;
}

}  // namespace

std::optional<FloatCarrier> float_carrier(const FloatSteps& steps, const Bounds& left, const Bounds& right) {
  if (!fits_double(left) || !fits_double(right)) return std::nullopt;
  const Bounds a = as_real(left), b = as_real(right);
  const bool exact_products = a.precision + b.precision <= 53 && a.top + b.top + 1 <= 1023 && a.bottom + b.bottom >= -1074;
  if (steps.format == nullptr) return exact_products && a.top + b.top <= 900 ? std::optional(FloatCarrier::wide) : std::nullopt;
  if (steps.format->kind != FloatClass::ieee) return std::nullopt;
  if (is_binary64(*steps.format)) return FloatCarrier::wide;
  if (is_binary32(*steps.format) && is_single(left) && is_single(right)) return FloatCarrier::single;
  // Rounding to odd needs room at both ends.
  const bool room = a.top + b.top <= 800 && a.bottom + b.bottom >= -800;
  if (steps.format->precision() > 51 || !(exact_products || (steps.rounds_products && room))) return std::nullopt;
  return FloatCarrier::narrow;
}

FloatRows::FloatRows(std::span<const double> rights, std::int64_t count, std::int64_t items, const FloatSteps& steps, FloatCarrier carrier, const Stop& stop)
    : steps_(steps), carrier_(carrier), count_(count), items_(items), stop_(stop) {
  if (carrier == FloatCarrier::single) singles_ = tiled<float>(rights, count, items);
  else doubles_ = tiled<double>(rights, count, items);
}

void FloatRows::sum(std::span<const double> left, std::span<double> sums) const {
  const std::vector<float> short_left = carrier_ == FloatCarrier::single ? std::vector<float>(left.begin(), left.end()) : std::vector<float>();
  const Narrow narrow{steps_.format, steps_.rounds_products};
  for (std::int64_t first = 0; first < count_ && !stop_.is_requested(); first += tile) {
    const std::size_t lanes = static_cast<std::size_t>(std::min(tile, count_ - first));
    double* out = sums.data() + first;
    if (carrier_ == FloatCarrier::single) {
      const View<float> view{short_left.data(), singles_.data() + first * items_};
      TileLanes<float> totals;
      if (steps_.pairwise)
        steps_.rounds_products ? halves(Native<float, false>{}, view, 0, items_, totals) : halves(Native<float, true>{}, view, 0, items_, totals);
      else steps_.rounds_products ? runs_single(view, items_, steps_.block, totals) : runs_single_fused(view, items_, steps_.block, totals);
      std::copy_n(totals.begin(), lanes, out);
      continue;
    }
    const View<double> view{left.data(), doubles_.data() + first * items_};
    TileLanes<double> totals;
    if (carrier_ == FloatCarrier::narrow) {
      steps_.pairwise ? halves(narrow, view, 0, items_, totals) : runs_narrow(narrow, view, items_, steps_.block, totals);
    } else if (steps_.pairwise) {
      steps_.rounds_products ? halves(Native<double, false>{}, view, 0, items_, totals) : halves(Native<double, true>{}, view, 0, items_, totals);
    } else {
      steps_.rounds_products ? runs_wide(view, items_, steps_.block, totals) : runs_wide_fused(view, items_, steps_.block, totals);
    }
    std::copy_n(totals.begin(), lanes, out);
  }
}

void FloatRows::sum(std::span<const double> left, std::span<double> sums, std::span<double> magnitudes) const {
  for (std::int64_t first = 0; first < count_ && !stop_.is_requested(); first += tile) {
    const std::size_t lanes = static_cast<std::size_t>(std::min(tile, count_ - first));
    TileLanes<double> totals, sizes;
    sums_and_magnitudes({left.data(), doubles_.data() + first * items_}, items_, totals, sizes);
    std::copy_n(totals.begin(), lanes, sums.data() + first);
    std::copy_n(sizes.begin(), lanes, magnitudes.data() + first);
  }
}

}  // namespace tiebreak
