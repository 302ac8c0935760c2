// SPDX-License-Identifier: Apache-2.0
// Columns are packed in panels of as many vectors as sums fit the registers: item by item, a lane each. Some rows, each item in all lanes, meet a panel. Blocks
// of rows, columns and items are so large that what is packed of them, and their sums, stay in a second cache. This file is compiled once for every
// instruction set.
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

// Of a block: its rows and its sums stay in a second cache, a panel in the first one.
constexpr std::int64_t most_items = 128, most_block_rows = 384, sum_bytes = 1024 * 1024;

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

  HWY_INLINE TileSums() {}  // one that the compiler makes has not the instruction set

  template <int i = 0>
  HWY_INLINE void clear() {
    sum[i] = hn::Zero(LanesOf<T>());
    if constexpr (i + 1 < rows * vectors) clear<i + 1>();
  }

  template <int i = 0>
  HWY_INLINE void load(const T* from, std::int64_t stride) {
    sum[i] = hn::LoadU(LanesOf<T>(), from + (i / vectors) * stride + (i % vectors) * width<T>);
    if constexpr (i + 1 < rows * vectors) load<i + 1>(from, stride);
  }

  template <int i = 0>
  HWY_INLINE void store(T* to, std::int64_t stride) const {
    hn::StoreU(sum[i], LanesOf<T>(), to + (i / vectors) * stride + (i % vectors) * width<T>);
    if constexpr (i + 1 < rows * vectors) store<i + 1>(to, stride);
  }

  template <int i = 0>
  HWY_INLINE void add(const T* more, std::int64_t stride) {
    sum[i] = hn::Add(hn::LoadU(LanesOf<T>(), more + (i / vectors) * stride + (i % vectors) * width<T>), sum[i]);
    if constexpr (i + 1 < rows * vectors) add<i + 1>(more, stride);
  }

  template <int i = 0>
  HWY_INLINE void add_zero() {
    sum[i] = hn::Add(hn::Zero(LanesOf<T>()), sum[i]);
    if constexpr (i + 1 < rows * vectors) add_zero<i + 1>();
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
  HWY_INLINE void add_item(const T* left, std::int64_t stride, const VectorOf<T> (&b)[vectors]) {
    add_row<r>(hn::Set(LanesOf<T>(), left[r * stride]), b);
    if constexpr (r + 1 < rows) add_item<r + 1>(left, stride, b);
  }
};

/// Where rows and a panel lie, and the sums that they meet in.
template <class T>
struct Packed {
  const T *left, *right;
  std::int64_t left_stride;  ///< from one row to the next
  T* sums;
  std::int64_t sums_stride;
};

/// Whether items go on with the sums before them, or are a run of their own, whose sum is added to those of the runs before it; whether any are before them.
struct Part {
  bool own_run, first;
};

/// Some rows against a panel.
template <class T, Step step, int rows, int vectors>
HWY_NOINLINE void multiply_tile(const Packed<T>& packed, std::int64_t items, Part part) {
  TileSums<T, step, rows, vectors> tile;
  if (part.own_run || part.first) tile.clear();
  else tile.load(packed.sums, packed.sums_stride);
  const T *left = packed.left, *right = packed.right;
  const std::int64_t stride = packed.left_stride;
  for (std::int64_t i = 0; i < items; ++i) {
    VectorOf<T> b[vectors];
    tile.load_panel(b, right + i * panel_of<T>);
    tile.add_item(left + i, stride, b);
  }
  if (part.own_run && part.first) tile.add_zero();
  else if (part.own_run) tile.add(packed.sums, packed.sums_stride);
  tile.store(packed.sums, packed.sums_stride);
}

template <class T>
struct Tile {
  void (*multiply)(const Packed<T>&, std::int64_t, Part);
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
void pack_panel(const Lines<Stored>& side, T* HWY_RESTRICT out) {
  constexpr std::int64_t panel = panel_of<T>;
  const LanesOf<T> d;
  const Neighbours columns(side.lines, panel);
  const auto count = static_cast<std::int64_t>(side.lines.size());
  if (!columns.two_runs) {
    for (const std::int64_t item : side.items) {
      for (std::int64_t c = 0; c < count; ++c) out[c] = static_cast<T>(side.data[side.lines[static_cast<std::size_t>(c)] + item]);
      for (std::int64_t c = count; c < panel; ++c) out[c] = 0;
      out += panel;
    }
    return;
  }
  for (std::int64_t at = 0; at < count; at += width<T>) {  // vector by vector: what is read of the items of a block stays in the first cache
    const Stored *one = side.data + (columns.first > at ? columns.one : columns.two) + at, *two = side.data + columns.two + at;
    T* to = out + at;
    if (columns.first <= at || columns.first >= std::min(count, at + width<T>)) {
      for (const std::int64_t item : side.items) {
        hn::Store(load<T>(one + item), d, to);
        to += panel;
      }
    } else {
      const auto first = hn::FirstN(d, static_cast<std::size_t>(columns.first - at));
      for (const std::int64_t item : side.items) {
        hn::Store(hn::IfThenElse(first, load<T>(one + item), load<T>(two + item)), d, to);
        to += panel;
      }
    }
  }
}

/// Up to a vector more is written than there are items.
template <class T, class Stored>
void pack_rows(const Lines<Stored>& side, std::int64_t stride, T* HWY_RESTRICT out) {
  const std::size_t items = side.items.size();
  const std::vector<Run> runs = runs_of_items(side.items);
  const bool are_long = runs.size() * 4 <= items;
  for (const std::int64_t line : side.lines) {
    const Stored* data = side.data + line;
    if (are_long) {
      for (const Run& run : runs)
        for (std::int64_t i = 0; i < run.length; i += width<T>) hn::StoreU(load<T>(data + run.offset + i), LanesOf<T>(), out + run.begin + i);
    } else {
      for (std::size_t i = 0; i < items; ++i) out[i] = static_cast<T>(data[side.items[i]]);
    }
    out += stride;
  }
}

template <class T>
void make_positive(T* numbers, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = std::fabs(numbers[i]);
}

double squares_of_row(const double* row, std::int64_t items) {
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
  return squares;
}

/// Adds those of a panel's columns, all of them at once.
template <int v = 0>
HWY_INLINE void add_squares(const double* numbers, VectorOf<double> (&squares)[most_vectors<double>]) {
  const auto x = hn::Load(LanesOf<double>(), numbers + v * width<double>);
  squares[v] = hn::MulAdd(x, x, squares[v]);
  if constexpr (v + 1 < most_vectors<double>) add_squares<v + 1>(numbers, squares);
}

void add_squares_of_panel(const double* panel, std::int64_t items, std::span<double> sums) {
  const LanesOf<double> d;
  VectorOf<double> squares[most_vectors<double>];
  for (auto& vector : squares) vector = hn::Zero(d);
  for (std::int64_t i = 0; i < items; ++i) add_squares(panel + i * panel_of<double>, squares);
  HWY_ALIGN double lanes[panel_of<double>];
  for (int v = 0; v < most_vectors<double>; ++v) hn::Store(squares[v], d, lanes + v * width<double>);
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += lanes[c];
}

/// The root of a sum of squares, rounded up: `terms` additions and multiplications and the root are off by less than 2^-52 of it each.
void make_norms(std::span<double> squares, std::int64_t terms) {
  for (double& one : squares) one = std::sqrt(one) * (1 + static_cast<double>(terms + 4) * 0x1p-52);
}

/// Rows against a panel: some items more, or a run of them.
template <class T, Step step>
void multiply_panel(const Packed<T>& block, std::int64_t rows, std::int64_t columns, std::int64_t items, Part part) {
  for (std::int64_t r = 0; r < rows;) {
    const Tile<T> tile = tile_of<T, step>(rows - r, columns);
    tile.multiply({block.left + r * block.left_stride, block.right, block.left_stride, block.sums + r * block.sums_stride, block.sums_stride}, items, part);
    r += tile.rows;
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
  if (row_count == 0 || column_count == 0) return;
  const std::int64_t together = std::min(items, run > 0 ? run : most_items);
  const std::int64_t some_rows = even_part(row_count, most_block_rows, most_rows<T>);
  const std::int64_t some_columns = even_part(column_count, sum_bytes / (some_rows * static_cast<std::int64_t>(sizeof(T))), panel);
  // No powers of two: rows would meet in few lines of the cache.
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t left_stride = together + line, sums_stride = some_columns + line;
  Buffer<T> left(some_rows * left_stride), right(together * panel), block(some_rows * sums_stride);
  for (std::int64_t r = 0; r < row_count; r += some_rows)
    for (std::int64_t c = 0; c < column_count; c += some_columns) {
      const auto row_lines = some_from(rows.lines, r, some_rows), column_lines = some_from(columns.lines, c, some_columns);
      const auto height = static_cast<std::int64_t>(row_lines.size()), breadth = static_cast<std::int64_t>(column_lines.size());
      if (items == 0) std::fill_n(block.data(), height * sums_stride, T{0});
      for (std::int64_t k = 0; k < items; k += together) {
        const std::int64_t count = std::min(together, items - k);
        pack_rows<T, Stored>({rows.data, row_lines, some_from(rows.items, k, count)}, left_stride, left.data());
        if (wanted.of == Of::magnitudes) make_positive(left.data(), height * left_stride);
        if constexpr (sizeof(T) == sizeof(double))
          for (std::int64_t i = 0; wanted.errors != nullptr && c == 0 && i < height; ++i)
            wanted.errors->rows[static_cast<std::size_t>(r + i)] += squares_of_row(left.data() + i * left_stride, count);
        for (std::int64_t p = 0; p < breadth; p += panel) {
          const auto some = some_from(column_lines, p, panel);
          pack_panel<T, Stored>({columns.data, some, some_from(columns.items, k, count)}, right.data());
          if (wanted.of == Of::magnitudes) make_positive(right.data(), count * panel);
          if constexpr (sizeof(T) == sizeof(double))
            if (wanted.errors != nullptr && r == 0)
              add_squares_of_panel(right.data(), count, std::span(wanted.errors->columns).subspan(static_cast<std::size_t>(c + p), some.size()));
          multiply_panel<T, step>({left.data(), right.data(), left_stride, block.data() + p, sums_stride}, height, breadth - p, count, {run > 0, k == 0});
        }
      }
      add_block<Replaced>(block.data(), sums_stride, Sums<double>{sums.data, some_from(sums.rows, r, some_rows), some_from(sums.columns, c, some_columns)});
    }
  if (wanted.errors == nullptr) return;
  make_norms(wanted.errors->rows, items);
  make_norms(wanted.errors->columns, items);
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
