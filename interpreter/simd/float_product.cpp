// SPDX-License-Identifier: Apache-2.0
// Columns are packed in panels of as many vectors as sums fit the registers: item by item, a lane each. Some rows, each item in all lanes, meet a panel. This
// file is compiled once for every instruction set.
#include "interpreter/simd/float_product.hpp"

#include <algorithm>
#include <cmath>

#include "interpreter/simd/packing.hpp"
#include "interpreter/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpreter/simd/float_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tiebreak::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t panel_bytes = 32 * 1024;  // of a block of items, which stays in the first cache
constexpr std::int64_t row_bytes = 1024 * 1024;  // of packed rows, which stay in a second one

template <class T>
using LanesOf = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using VectorOf = hn::Vec<LanesOf<T>>;
template <class T>
constexpr std::int64_t width = static_cast<std::int64_t>(hn::MaxLanes(LanesOf<T>()));
// As many sums as the registers hold.
template <class T>
constexpr int most_vectors = width<T>* static_cast<std::int64_t>(sizeof(T)) >= 64 ? 4 : 2;
template <class T>
constexpr std::int64_t most_rows = width<T>* static_cast<std::int64_t>(sizeof(T)) >= 32 ? 6 : 4;
template <class T>
constexpr std::int64_t panel_of = most_vectors<T>* width<T>;

template <class T, Step step>
HWY_INLINE VectorOf<T> add_product(VectorOf<T> sum, VectorOf<T> a, VectorOf<T> b) {
  const LanesOf<T> d;
  if constexpr (step == Step::rounded) {
    return hn::Add(sum, hn::Mul(a, b));
  } else if constexpr (HWY_NATIVE_FMA) {
    return hn::MulAdd(a, b, sum);
  } else {
    HWY_ALIGN T x[width<T>], y[width<T>], sums[width<T>];
    hn::Store(a, d, x);
    hn::Store(b, d, y);
    hn::Store(sum, d, sums);
    for (std::int64_t i = 0; i < width<T>; ++i) sums[i] = std::fma(x[i], y[i], sums[i]);
    return hn::Load(d, sums);
  }
}

/// The steps of a tile as recursion over its vectors: loops over arrays would keep the sums in memory.
template <class T, Step step, int rows, int vectors>
struct TileSums {
  VectorOf<T> sum[rows * vectors];

  template <int i = 0>
  HWY_INLINE void load(const T* from) {
    sum[i] = hn::LoadU(LanesOf<T>(), from + (i / vectors) * panel_of<T> + (i % vectors) * width<T>);
    if constexpr (i + 1 < rows * vectors) load<i + 1>(from);
  }

  template <int i = 0>
  HWY_INLINE void store(T* to) const {
    hn::StoreU(sum[i], LanesOf<T>(), to + (i / vectors) * panel_of<T> + (i % vectors) * width<T>);
    if constexpr (i + 1 < rows * vectors) store<i + 1>(to);
  }

  template <int v = 0>
  HWY_INLINE static void load_panel(VectorOf<T> (&b)[vectors], const T* right) {
    b[v] = hn::LoadU(LanesOf<T>(), right + v * width<T>);
    if constexpr (v + 1 < vectors) load_panel<v + 1>(b, right);
  }

  template <int r, int v = 0>
  HWY_INLINE void add_row(VectorOf<T> a, const VectorOf<T> (&b)[vectors]) {
    sum[r * vectors + v] = add_product<T, step>(sum[r * vectors + v], a, b[v]);
    if constexpr (v + 1 < vectors) add_row<r, v + 1>(a, b);
  }

  template <int r = 0>
  HWY_INLINE void add(const T* left, std::int64_t stride, const VectorOf<T> (&b)[vectors]) {
    add_row<r>(hn::Set(LanesOf<T>(), left[r * stride]), b);
    if constexpr (r + 1 < rows) add<r + 1>(left, stride, b);
  }
};

/// Rows from `left`, each `stride` numbers after the other, against a panel: some items more for the sums of these rows.
template <class T, Step step, int rows, int vectors>
HWY_NOINLINE void multiply_tile(const T* HWY_RESTRICT left, std::int64_t stride, const T* HWY_RESTRICT right, std::int64_t items, T* HWY_RESTRICT sums) {
  TileSums<T, step, rows, vectors> tile;
  tile.load(sums);
  for (std::int64_t i = 0; i < items; ++i) {
    VectorOf<T> b[vectors];
    tile.load_panel(b, right + i * panel_of<T>);
    tile.add(left + i, stride, b);
  }
  tile.store(sums);
}

template <class T>
struct Tile {
  void (*multiply)(const T*, std::int64_t, const T*, std::int64_t, T*);
  std::int64_t rows;
};

template <class T, Step step, int vectors>
Tile<T> tile_of_rows(std::int64_t rows) {
  if constexpr (most_rows<T> >= 6)
    if (rows >= 6) return {multiply_tile<T, step, 6, vectors>, 6};
  if (rows >= 4) return {multiply_tile<T, step, 4, vectors>, 4};
  if (rows >= 2) return {multiply_tile<T, step, 2, vectors>, 2};
  return {multiply_tile<T, step, 1, vectors>, 1};
}

template <class T, Step step>
Tile<T> tile_of(std::int64_t rows, std::int64_t columns) {
  if (columns <= width<T>) return tile_of_rows<T, step, 1>(rows);
  if constexpr (most_vectors < T >> 2)
    if (columns <= 2 * width<T>) return tile_of_rows<T, step, 2>(rows);
  return tile_of_rows<T, step, most_vectors<T>>(rows);
}

template <class T, class Stored>
HWY_INLINE VectorOf<T> load(const Stored* from) {
  const LanesOf<T> d;
  if constexpr (sizeof(Stored) == sizeof(T)) return hn::LoadU(d, from);
  else return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Stored, LanesOf<T>>(), from));
}

/// A panel's columns, for each item a lane each. Lanes beyond the last column hold numbers that are no matter.
template <class T, class Stored>
void pack_panel(const Lines<Stored>& side, std::span<const std::int64_t> lines, T* HWY_RESTRICT out) {
  constexpr std::int64_t panel = panel_of<T>;
  const LanesOf<T> d;
  const auto columns = static_cast<std::int64_t>(lines.size());
  const Neighbours neighbours(lines, panel);
  if (!neighbours.two_runs) {
    for (const std::int64_t item : side.items) {
      for (std::size_t c = 0; c < lines.size(); ++c) out[c] = static_cast<T>(side.data[lines[c] + item]);
      for (std::int64_t c = columns; c < panel; ++c) out[c] = 0;
      out += panel;
    }
    return;
  }
  const std::int64_t one = lines[0], two = neighbours.first < columns ? lines[static_cast<std::size_t>(neighbours.first)] - neighbours.first : one;
  const std::int64_t last = (columns + width<T> - 1) / width<T> * width<T>;
  for (const std::int64_t item : side.items) {
    for (std::int64_t at = 0; at < last; at += width<T>) {
      VectorOf<T> numbers = load<T>(side.data + (neighbours.first > at ? one : two) + item + at);
      if (neighbours.first > at && neighbours.first < at + width<T>)
        numbers = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(neighbours.first - at)), numbers, load<T>(side.data + two + item + at));
      hn::Store(numbers, d, out + at);
    }
    out += panel;
  }
}

template <class T, class Stored>
void pack_rows(const Lines<Stored>& side, std::span<const std::int64_t> lines, const std::vector<Run>& runs, T* HWY_RESTRICT out) {
  const std::size_t items = side.items.size();
  const bool are_long = runs.size() * 4 <= items;
  for (const std::int64_t line : lines) {
    const Stored* data = side.data + line;
    for (const Run& run : runs)
      for (std::int64_t i = 0; are_long && i < run.length; ++i) out[run.begin + i] = static_cast<T>(data[run.offset + i]);
    for (std::size_t i = 0; !are_long && i < items; ++i) out[i] = static_cast<T>(data[side.items[i]]);
    out += items;
  }
}

/// The root of a sum of squares, rounded up: `terms` additions and multiplications and the root are off by less than 2^-52 of it each.
double norm_of(double squares, std::int64_t terms) { return std::sqrt(squares) * (1 + static_cast<double>(terms + 4) * 0x1p-52); }

double norm_of_row(const double* row, std::int64_t items) {
  const LanesOf<double> d;
  VectorOf<double> a = hn::Zero(d), b = a;
  std::int64_t i = 0;
  for (; i + 2 * width<double> <= items; i += 2 * width<double>) {
    const auto x = hn::LoadU(d, row + i), y = hn::LoadU(d, row + i + width<double>);
    a = hn::MulAdd(x, x, a);
    b = hn::MulAdd(y, y, b);
  }
  double squares = hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
  for (; i < items; ++i) squares += row[i] * row[i];
  return norm_of(squares, items);
}

void norms_of_panel(const double* panel, std::int64_t items, std::span<double> norms) {
  const LanesOf<double> d;
  const auto columns = static_cast<std::int64_t>(norms.size());
  for (std::int64_t at = 0; at < columns; at += width<double>) {
    VectorOf<double> squares = hn::Zero(d);
    for (std::int64_t i = 0; i < items; ++i) {
      const auto x = hn::Load(d, panel + i * panel_of<double> + at);
      squares = hn::MulAdd(x, x, squares);
    }
    HWY_ALIGN double lanes[width<double>];
    hn::Store(squares, d, lanes);
    for (std::int64_t c = at; c < std::min(columns, at + width<double>); ++c) norms[static_cast<std::size_t>(c)] = norm_of(lanes[c - at], items);
  }
}

template <class T>
void make_positive(T* numbers, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = std::fabs(numbers[i]);
}

/// Rows against a panel, some items more, block by block of items.
template <class T, Step step>
void multiply_panel(const T* left, std::int64_t rows, std::int64_t stride, const T* right, std::int64_t columns, std::int64_t items, T* sums) {
  constexpr std::int64_t block = panel_bytes / (panel_of<T> * static_cast<std::int64_t>(sizeof(T)));
  for (std::int64_t first = 0; first < items; first += block) {
    const std::int64_t some = std::min(block, items - first);
    for (std::int64_t r = 0; r < rows;) {
      const Tile<T> tile = tile_of<T, step>(rows - r, columns);
      tile.multiply(left + r * stride + first, stride, right + first * panel_of<T>, some, sums + r * panel_of<T>);
      r += tile.rows;
    }
  }
}

/// What is wanted beside the sums, and of what.
struct Wanted {
  SumErrors* errors = nullptr;
  Of of = Of::products;
};

template <class T, Step step, class Stored>
void multiply(const Lines<Stored>& rows, const Lines<Stored>& columns, const Sums<double>& sums, std::int64_t run, const Wanted& wanted) {
  constexpr std::int64_t panel = panel_of<T>;
  const auto row_count = static_cast<std::int64_t>(rows.lines.size()), column_count = static_cast<std::int64_t>(columns.lines.size());
  const auto items = static_cast<std::int64_t>(rows.items.size());
  const std::int64_t together =
      std::min(row_count, std::max<std::int64_t>(48, row_bytes / (std::max<std::int64_t>(1, items) * static_cast<std::int64_t>(sizeof(T)))));
  Buffer<T> left(together * items), right(items * panel), block(together * panel), runs(run > 0 ? together * panel : 0);
  const std::vector<Run> runs_in_memory = runs_of_items(rows.items);
  for (std::int64_t r = 0; r < row_count; r += together) {
    const std::int64_t some_rows = std::min(together, row_count - r), size = some_rows * panel;
    pack_rows(rows, rows.lines.subspan(static_cast<std::size_t>(r), static_cast<std::size_t>(some_rows)), runs_in_memory, left.data());
    if (wanted.of == Of::magnitudes) make_positive(left.data(), some_rows * items);
    if constexpr (sizeof(T) == sizeof(double))
      for (std::int64_t i = 0; wanted.errors != nullptr && i < some_rows; ++i)
        wanted.errors->rows[static_cast<std::size_t>(r + i)] = norm_of_row(left.data() + i * items, items);
    for (std::int64_t c = 0; c < column_count; c += panel) {
      const auto some_columns = static_cast<std::size_t>(std::min(panel, column_count - c));
      pack_panel(columns, columns.lines.subspan(static_cast<std::size_t>(c), some_columns), right.data());
      if (wanted.of == Of::magnitudes) make_positive(right.data(), items * panel);
      if constexpr (sizeof(T) == sizeof(double))
        if (wanted.errors != nullptr && r == 0)
          norms_of_panel(right.data(), items, std::span(wanted.errors->columns).subspan(static_cast<std::size_t>(c), some_columns));
      std::fill_n(block.data(), size, T{0});
      const std::int64_t step_items = run > 0 ? run : std::max<std::int64_t>(1, items);
      for (std::int64_t first = 0; first < items; first += step_items) {
        T* out = run > 0 ? runs.data() : block.data();
        if (run > 0) std::fill_n(out, size, T{0});
        multiply_panel<T, step>(left.data() + first, some_rows, items, right.data() + first * panel, static_cast<std::int64_t>(some_columns),
                                std::min(step_items, items - first), out);
        for (std::int64_t i = 0; run > 0 && i < size; ++i) block.data()[i] += out[i];
      }
      const Sums<double> part{sums.data, sums.rows.subspan(static_cast<std::size_t>(r), static_cast<std::size_t>(some_rows)),
                              sums.columns.subspan(static_cast<std::size_t>(c), some_columns)};
      add_block<Replaced>(block.data(), panel, part);
    }
  }
}

void singles_in_order(const Lines<float>& rows, const Lines<float>& columns, const Sums<double>& sums, Step step, std::int64_t run) {
  if (step == Step::fused) multiply<float, Step::fused>(rows, columns, sums, run, {});
  else multiply<float, Step::rounded>(rows, columns, sums, run, {});
}

void doubles_in_order(const Lines<double>& rows, const Lines<double>& columns, const Sums<double>& sums, Step step, std::int64_t run) {
  if (step == Step::fused) multiply<double, Step::fused>(rows, columns, sums, run, {});
  else multiply<double, Step::rounded>(rows, columns, sums, run, {});
}

constexpr Step quick = HWY_NATIVE_FMA ? Step::fused : Step::rounded;

void singles_as_doubles(const Lines<float>& rows, const Lines<float>& columns, const Sums<double>& sums, SumErrors& errors, Of of) {
  multiply<double, quick>(rows, columns, sums, sum_block, {&errors, of});
}

void doubles(const Lines<double>& rows, const Lines<double>& columns, const Sums<double>& sums, SumErrors& errors, Of of) {
  multiply<double, quick>(rows, columns, sums, sum_block, {&errors, of});
}

}  // namespace HWY_NAMESPACE
}  // namespace tiebreak::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tiebreak::simd {
namespace {

HWY_EXPORT(singles_in_order);
HWY_EXPORT(doubles_in_order);
HWY_EXPORT(singles_as_doubles);
HWY_EXPORT(doubles);

/// Runs of 128, whose sums are added: each item goes through so many roundings of at most 2^-53 of what the magnitudes add up to, but for higher orders. Twice
/// that holds them.
template <class Number>
SumErrors room_for_errors(const Lines<Number>& rows, const Lines<Number>& columns) {
  const auto items = static_cast<std::int64_t>(rows.items.size());
  const std::int64_t roundings = std::min(items, sum_block) + (items + sum_block - 1) / sum_block;
  return {static_cast<double>(roundings) * 0x1p-52, std::vector<double>(rows.lines.size()), std::vector<double>(columns.lines.size())};
}

}  // namespace

void add_in_order(const Lines<float>& rows, const Lines<float>& columns, const Sums<double>& sums, Step step, std::int64_t run) {
  HWY_DYNAMIC_DISPATCH(singles_in_order)(rows, columns, sums, step, run);
}

void add_in_order(const Lines<double>& rows, const Lines<double>& columns, const Sums<double>& sums, Step step, std::int64_t run) {
  HWY_DYNAMIC_DISPATCH(doubles_in_order)(rows, columns, sums, step, run);
}

SumErrors add_doubles(const Lines<float>& rows, const Lines<float>& columns, const Sums<double>& sums, Of of) {
  SumErrors errors = room_for_errors(rows, columns);
  HWY_DYNAMIC_DISPATCH(singles_as_doubles)(rows, columns, sums, errors, of);
  return errors;
}

SumErrors add_doubles(const Lines<double>& rows, const Lines<double>& columns, const Sums<double>& sums, Of of) {
  SumErrors errors = room_for_errors(rows, columns);
  HWY_DYNAMIC_DISPATCH(doubles)(rows, columns, sums, errors, of);
  return errors;
}

}  // namespace tiebreak::simd
#endif
