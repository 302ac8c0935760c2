// SPDX-License-Identifier: Apache-2.0
// A group of a row's items, in all lanes, meets a panel of 16 columns in one instruction that multiplies and adds. Blocks of rows, columns and items are so
// large that what is packed of them stays in a second cache. This file is compiled once for every instruction set.
#include "interpreter/simd/integer_product.hpp"

#include <algorithm>

#include "interpreter/simd/packing.hpp"

#include "interpreter/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpreter/simd/integer_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX3_DL
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512vnni")  // Highway asks the processor for it, and names another extension to the compiler
#else
HWY_BEFORE_NAMESPACE();
#endif
#include "interpreter/simd/integer_groups.hpp"
namespace tiebreak::simd {
namespace HWY_NAMESPACE {

// Of a block: a row of panels stays in the first cache, its rows and its sums in a second one.
constexpr std::int64_t most_groups = 128, most_block_rows = 512, most_sums = 256 * 1024;
// As many sums as the registers hold.
constexpr int most_panels = width == 16 ? 4 : 1;
constexpr int most_rows = width >= 8 ? 6 : 2;
constexpr std::int64_t panels_together = 4;

/// The steps of a tile as recursion over its vectors: loops over arrays would keep the sums in memory.
template <class Group, int rows, int vectors>
struct TileSums {
  Vector sum[rows * vectors];

  HWY_INLINE TileSums() {}  // one that the compiler makes has not the instruction set

  template <int i = 0>
  HWY_INLINE void load(const std::int32_t* from, std::int64_t stride) {
    sum[i] = hn::LoadU(Lanes(), from + (i / vectors) * stride + (i % vectors) * width);
    if constexpr (i + 1 < rows * vectors) load<i + 1>(from, stride);
  }

  template <int i = 0>
  HWY_INLINE void store(std::int32_t* to, std::int64_t stride) const {
    hn::StoreU(sum[i], Lanes(), to + (i / vectors) * stride + (i % vectors) * width);
    if constexpr (i + 1 < rows * vectors) store<i + 1>(to, stride);
  }

  template <int v = 0>
  HWY_INLINE static void load_panels(Vector (&b)[vectors], const std::int32_t* right, std::int64_t panel_stride) {
    b[v] = hn::LoadU(Lanes(), right + (v / parts) * panel_stride + (v % parts) * width);
    if constexpr (v + 1 < vectors) load_panels<v + 1>(b, right, panel_stride);
  }

  template <int r, int v = 0>
  HWY_INLINE void add_row(Vector a, const Vector (&b)[vectors]) {
    sum[r * vectors + v] = Group::add(sum[r * vectors + v], a, b[v]);
    if constexpr (v + 1 < vectors) add_row<r, v + 1>(a, b);
  }

  template <int r = 0>
  HWY_INLINE void add(const std::int32_t* left, std::int64_t stride, const Vector (&b)[vectors]) {
    add_row<r>(hn::Set(Lanes(), left[r * stride]), b);
    if constexpr (r + 1 < rows) add<r + 1>(left, stride, b);
  }
};

/// Where the groups of rows and of panels lie, and the block of sums that they meet in.
struct Packed {
  const std::int32_t *left, *right;
  std::int64_t left_stride, right_stride;  ///< from one row, from one panel to the next
  std::int32_t* sums;
  std::int64_t sums_stride;
};

/// Some rows against some panels: sums of so many groups more.
template <class Group, int rows, int panels>
HWY_NOINLINE void multiply_tile(const Packed& packed, std::int64_t groups) {
  constexpr int vectors = panels * parts;
  const std::int32_t *left = packed.left, *right = packed.right;
  const std::int64_t left_stride = packed.left_stride, right_stride = packed.right_stride;
  TileSums<Group, rows, vectors> tile;
  tile.load(packed.sums, packed.sums_stride);
  for (std::int64_t k = 0; k < groups; ++k) {
    Vector b[vectors];
    tile.load_panels(b, right + k * panel, right_stride);
    tile.add(left + k, left_stride, b);
  }
  tile.store(packed.sums, packed.sums_stride);
}

using Tile = decltype(&multiply_tile<Pairs, 1, 1>);

template <class Group, int panels>
Tile tile_of(std::int64_t rows) {
  if constexpr (most_rows > 2) {
    constexpr Tile tiles[] = {multiply_tile<Group, 1, panels>, multiply_tile<Group, 2, panels>, multiply_tile<Group, 3, panels>,
                              multiply_tile<Group, 4, panels>, multiply_tile<Group, 5, panels>, multiply_tile<Group, 6, panels>};
    return tiles[rows - 1];
  } else {
    return rows == 1 ? multiply_tile<Group, 1, panels> : multiply_tile<Group, 2, panels>;
  }
}

template <class Group>
Tile tile_of(std::int64_t rows, std::int64_t panels) {
  if constexpr (most_panels > 1) {
    if (panels == 4) return tile_of<Group, 4>(rows);
    if (panels == 3) return tile_of<Group, 3>(rows);
    if (panels == 2) return tile_of<Group, 2>(rows);
  }
  return tile_of<Group, 1>(rows);
}

/// Rows against a few panels.
template <class Group>
void multiply_panels(const Packed& block, std::int64_t rows, std::int64_t panels, std::int64_t groups) {
  for (std::int64_t p = 0; p < panels; p += most_panels)
    for (std::int64_t r = 0; r < rows; r += most_rows) {
      const Packed part{block.left + r * block.left_stride,
                        block.right + p * block.right_stride,
                        block.left_stride,
                        block.right_stride,
                        block.sums + r * block.sums_stride + p * panel,
                        block.sums_stride};
      tile_of<Group>(std::min<std::int64_t>(most_rows, rows - r), std::min<std::int64_t>(most_panels, panels - p))(part, groups);
    }
}

/// What the terms of rows and columns add to each sum; `fresh` sums begin with them.
void add_terms(std::int32_t* sums, std::int64_t stride, std::span<const std::int32_t> rows, const std::int32_t* columns, std::int64_t count, bool fresh) {
  for (const std::int32_t term : rows) {
    for (std::int64_t c = 0; c < count; c += width) {
      const Vector terms = hn::Add(hn::Set(Lanes(), term), hn::LoadU(Lanes(), columns + c));
      hn::StoreU(fresh ? terms : hn::Add(hn::LoadU(Lanes(), sums + c), terms), Lanes(), sums + c);
    }
    sums += stride;
  }
}

template <class Group, class Stored, class Number>
void add_runs(const Operand<Stored>& rows, const Operand<Stored>& columns, const Sums<Number>& sums, std::int64_t run) {
  const auto row_count = static_cast<std::int64_t>(rows.lines.lines.size()), column_count = static_cast<std::int64_t>(columns.lines.lines.size());
  const auto items = static_cast<std::int64_t>(rows.lines.items.size());
  if (row_count == 0 || column_count == 0 || items == 0) return;
  const std::int64_t most = run < items ? std::min(run, most_groups * Group::size) / Group::size * Group::size : most_groups * Group::size;
  const std::int64_t together = even_part(items, most, Group::size);
  const std::int64_t some_rows = even_part(row_count, most_block_rows, most_rows);
  const std::int64_t some_columns = even_part(column_count, most_sums / some_rows, panels_together * panel);
  const std::int64_t left_stride = (together / Group::size + panel - 1) / panel * panel, right_stride = together / Group::size * panel;
  const std::int64_t sums_stride = some_columns + panel;  // no power of two: rows would meet in few lines of the cache
  Buffer<std::int32_t> left(some_rows * left_stride), right(panels_together * right_stride), block(some_rows * sums_stride);
  std::vector<std::int32_t> row_terms(static_cast<std::size_t>(some_rows)), column_terms(static_cast<std::size_t>(panels_together * panel));
  for (std::int64_t r = 0; r < row_count; r += some_rows)
    for (std::int64_t c = 0; c < column_count; c += some_columns) {
      const auto row_lines = some_from(rows.lines.lines, r, some_rows), column_lines = some_from(columns.lines.lines, c, some_columns);
      const auto height = static_cast<std::int64_t>(row_lines.size()), breadth = static_cast<std::int64_t>(column_lines.size());
      const Sums<Number> part{sums.data, some_from(sums.rows, r, some_rows), some_from(sums.columns, c, some_columns)};
      std::int64_t held = 0;  // items whose sums the block has
      for (std::int64_t k = 0; k < items; k += together) {
        const std::int64_t count = std::min(together, items - k), groups = (count + Group::size - 1) / Group::size;
        if (held + count > run) {
          add_block<Added>(block.data(), sums_stride, part);
          held = 0;
        }
        const Operand<Stored> some_left{{rows.lines.data, row_lines, some_from(rows.lines.items, k, count)}, rows.base};
        Group::pack_rows(some_left, left_stride, left.data(), row_terms.data());
        Group::make_row_terms(std::span(row_terms).first(row_lines.size()), rows.base, columns.base, count);
        for (std::int64_t p = 0; p < breadth; p += panels_together * panel) {
          const Operand<Stored> some_right{{columns.lines.data, some_from(column_lines, p, panels_together * panel), some_from(columns.lines.items, k, count)},
                                           columns.base};
          const std::int64_t panels = (static_cast<std::int64_t>(some_right.lines.lines.size()) + panel - 1) / panel;
          Group::pack_columns(some_right, right_stride, right.data(), column_terms, rows.base);
          add_terms(block.data() + p, sums_stride, std::span(row_terms).first(row_lines.size()), column_terms.data(), panels * panel, held == 0);
          multiply_panels<Group>({left.data(), right.data(), left_stride, right_stride, block.data() + p, sums_stride}, height, panels, groups);
        }
        held += count;
      }
      add_block<Added>(block.data(), sums_stride, part);
    }
}

void add_words(const Side& rows, const Side& columns, const Sums<std::int32_t>& sums) {
  add_runs<Pairs>(Operand<std::int16_t>{rows}, Operand<std::int16_t>{columns}, sums, static_cast<std::int64_t>(rows.items.size()));
}
void add_long_words(const Side& rows, const Side& columns, const Sums<std::int64_t>& sums, std::int64_t run) {
  add_runs<Pairs>(Operand<std::int16_t>{rows}, Operand<std::int16_t>{columns}, sums, run);
}

template <class Number>
void add_runs_of_bytes(const ByteSide& rows, const ByteSide& columns, const Sums<Number>& sums, std::int64_t run) {
  const Operand<std::uint8_t> left{rows.bytes, rows.base}, right{columns.bytes, columns.base};
#if HWY_TARGET == HWY_AVX3_DL
  if (run >= Quads::size) return add_runs<Quads>(left, right, sums, run);
#endif
  add_runs<Pairs>(left, right, sums, run);
}
void add_bytes(const ByteSide& rows, const ByteSide& columns, const Sums<std::int32_t>& sums) {
  add_runs_of_bytes(rows, columns, sums, std::max<std::int64_t>(4, static_cast<std::int64_t>(rows.bytes.items.size())));
}
void add_long_bytes(const ByteSide& rows, const ByteSide& columns, const Sums<std::int64_t>& sums, std::int64_t run) {
  add_runs_of_bytes(rows, columns, sums, run);
}

}  // namespace HWY_NAMESPACE
}  // namespace tiebreak::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tiebreak::simd {
namespace {

HWY_EXPORT(add_words);
HWY_EXPORT(add_long_words);
HWY_EXPORT(add_bytes);
HWY_EXPORT(add_long_bytes);

}  // namespace

void add_products(const Side& rows, const Side& columns, const Sums<std::int32_t>& sums) { HWY_DYNAMIC_DISPATCH(add_words)(rows, columns, sums); }
void add_products(const Side& rows, const Side& columns, const Sums<std::int64_t>& sums, std::int64_t run) {
  HWY_DYNAMIC_DISPATCH(add_long_words)(rows, columns, sums, run);
}
void add_products(const ByteSide& rows, const ByteSide& columns, const Sums<std::int32_t>& sums) { HWY_DYNAMIC_DISPATCH(add_bytes)(rows, columns, sums); }
void add_products(const ByteSide& rows, const ByteSide& columns, const Sums<std::int64_t>& sums, std::int64_t run) {
  HWY_DYNAMIC_DISPATCH(add_long_bytes)(rows, columns, sums, run);
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

bool use_instruction_set(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  if (name.empty()) return true;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (name == hwy::TargetName(target)) return hwy::SetSupportedTargetsForTest(target), true;
  return false;
}

}  // namespace tiebreak::simd
#endif
