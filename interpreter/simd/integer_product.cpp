// SPDX-License-Identifier: Apache-2.0
// The columns are packed in panels of 16: for each pair of items 16 lanes of 32 bits, which hold the two items of one column each. A pair of a row, in
// all lanes, meets a panel in one multiply-and-add of pairs. This file is compiled once for every instruction set.
#include "interpreter/simd/integer_product.hpp"

#include <algorithm>
#include <cstring>

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
namespace tiebreak::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t panel = panel_columns;
constexpr std::int64_t block_items = 256;  // of four panels they are 32 KiB

using Lanes = hn::CappedTag<std::int32_t, panel>;
using Vector = hn::Vec<Lanes>;
constexpr int width = static_cast<int>(hn::MaxLanes(Lanes()));
constexpr int parts = static_cast<int>(panel) / width;  // vectors in a panel
// As many sums as the registers hold.
constexpr int most_panels = width == 16 ? 4 : 1;
constexpr int most_rows = width >= 8 ? 6 : 2;

HWY_INLINE Vector add_pairs(Vector sum, Vector a, Vector b) {
#if HWY_TARGET == HWY_AVX3_DL
  return Vector{_mm512_dpwssd_epi32(sum.raw, a.raw, b.raw)};
#elif HWY_TARGET == HWY_SCALAR
  const auto x = static_cast<std::uint32_t>(hn::GetLane(a)), y = static_cast<std::uint32_t>(hn::GetLane(b));
  auto product = [&](int bits) { return static_cast<std::uint32_t>(static_cast<std::int16_t>(x >> bits) * static_cast<std::int16_t>(y >> bits)); };
  return hn::Set(Lanes(), static_cast<std::int32_t>(static_cast<std::uint32_t>(hn::GetLane(sum)) + product(0) + product(16)));
#else
  const hn::Repartition<std::int16_t, Lanes> pairs;
  // From zero at each step: some instruction sets have the sums in another order until they are rearranged.
  Vector odd = hn::Zero(Lanes());
  const Vector even = hn::ReorderWidenMulAccumulate(Lanes(), hn::BitCast(pairs, a), hn::BitCast(pairs, b), hn::Zero(Lanes()), odd);
  return hn::Add(sum, hn::RearrangeToOddPlusEven(even, odd));
#endif
}

/// The steps of a tile as recursion over its vectors: loops over arrays would keep the sums in memory.
template <int rows, int vectors>
struct TileSums {
  Vector sum[rows * vectors];

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
    sum[r * vectors + v] = add_pairs(sum[r * vectors + v], a, b[v]);
    if constexpr (v + 1 < vectors) add_row<r, v + 1>(a, b);
  }

  template <int r = 0>
  HWY_INLINE void add(const std::int32_t* left, std::int64_t stride, const Vector (&b)[vectors]) {
    add_row<r>(hn::Set(Lanes(), left[r * stride]), b);
    if constexpr (r + 1 < rows) add<r + 1>(left, stride, b);
  }
};

/// Rows from `left`, each `stride` pairs after the other, against panels from `right`, each `panel_stride` lanes after the other: sums of `pairs` pairs
/// are added to those in `sums`, whose rows are `sums_stride` lanes.
template <int rows, int panels>
HWY_NOINLINE void multiply_tile(const std::int32_t* HWY_RESTRICT left, std::int64_t stride, const std::int32_t* HWY_RESTRICT right, std::int64_t panel_stride,
                                std::int64_t pairs, std::int32_t* HWY_RESTRICT sums, std::int64_t sums_stride) {
  constexpr int vectors = panels * parts;
  TileSums<rows, vectors> tile;
  tile.load(sums, sums_stride);
  for (std::int64_t k = 0; k < pairs; ++k) {
    Vector b[vectors];
    tile.load_panels(b, right + k * panel, panel_stride);
    tile.add(left + k, stride, b);
  }
  tile.store(sums, sums_stride);
}

using Tile = decltype(&multiply_tile<1, 1>);

template <int panels>
Tile tile_of(std::int64_t rows) {
  if constexpr (most_rows > 2) {
    constexpr Tile tiles[] = {multiply_tile<1, panels>, multiply_tile<2, panels>, multiply_tile<3, panels>,
                              multiply_tile<4, panels>, multiply_tile<5, panels>, multiply_tile<6, panels>};
    return tiles[rows - 1];
  } else {
    return rows == 1 ? multiply_tile<1, panels> : multiply_tile<2, panels>;
  }
}

Tile tile_of(std::int64_t rows, std::int64_t panels) {
  if constexpr (most_panels > 1) {
    if (panels == 4) return tile_of<4>(rows);
    if (panels == 3) return tile_of<3>(rows);
    if (panels == 2) return tile_of<2>(rows);
  }
  return tile_of<1>(rows);
}

/// Up to 16 columns, for each pair of items a lane each. Lanes beyond the last column hold anything.
void pack_panel(const Side& side, std::span<const std::int64_t> lines, std::int32_t* HWY_RESTRICT out) {
  const Lanes d;
  const hn::Rebind<std::uint16_t, Lanes> narrow;
  const hn::RebindToUnsigned<Lanes> wide;
  const Neighbours neighbours(lines, panel);
  const auto items = static_cast<std::int64_t>(side.items.size());
  for (std::int64_t i = 0; i < items; i += 2, out += panel) {
    const std::int64_t even = side.items[static_cast<std::size_t>(i)];
    const std::int64_t odd = i + 1 < items ? side.items[static_cast<std::size_t>(i + 1)] : even;  // half a pair: the other half meets a zero in the rows
    if (neighbours.two_runs) {
      const auto* data = reinterpret_cast<const std::uint16_t*>(side.data);
      const std::int64_t one = lines[0], two = neighbours.first < panel ? lines[static_cast<std::size_t>(neighbours.first)] - neighbours.first : one;
      for (int part = 0; part < parts; ++part) {
        const std::int64_t at = part * width;
        auto low = hn::LoadU(narrow, data + one + even + at);
        auto high = hn::LoadU(narrow, data + one + odd + at);
        if (neighbours.first < at + width && neighbours.first < panel) {
          const auto first = hn::FirstN(narrow, static_cast<std::size_t>(std::max<std::int64_t>(0, neighbours.first - at)));
          low = hn::IfThenElse(first, low, hn::LoadU(narrow, data + two + even + at));
          high = hn::IfThenElse(first, high, hn::LoadU(narrow, data + two + odd + at));
        }
        const auto pair = hn::Or(hn::PromoteTo(wide, low), hn::ShiftLeft<16>(hn::PromoteTo(wide, high)));
        hn::StoreU(hn::BitCast(d, pair), d, out + at);
      }
      continue;
    }
    for (std::size_t c = 0; c < lines.size(); ++c) {
      const std::uint32_t low = static_cast<std::uint16_t>(side.data[lines[c] + even]);
      const std::uint32_t high = static_cast<std::uint16_t>(side.data[lines[c] + odd]);
      out[c] = static_cast<std::int32_t>(low | high << 16);
    }
  }
}

/// Rows against a few panels, block by block of items so that a block of the panels stays in the first cache.
void multiply_panels(const std::int32_t* left, std::int64_t rows, std::int64_t stride, const std::int32_t* right, std::int64_t panels, std::int64_t first,
                     std::int64_t last, std::int32_t* sums) {
  for (std::int64_t k = first; k < last; k += block_items / 2) {
    const std::int64_t pairs = std::min(block_items / 2, last - k);
    for (std::int64_t p = 0; p < panels; p += most_panels) {
      const std::int64_t together = std::min<std::int64_t>(most_panels, panels - p);
      for (std::int64_t r = 0; r < rows; r += most_rows) {
        const std::int64_t some = std::min<std::int64_t>(most_rows, rows - r);
        tile_of(some, together)(left + r * stride + k, stride, right + p * stride * panel + k * panel, stride * panel, pairs,
                                sums + r * panels * panel + p * panel, panels * panel);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tiebreak::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tiebreak::simd {
namespace {

HWY_EXPORT(pack_panel);
HWY_EXPORT(multiply_panels);

constexpr std::int64_t panels_together = 4;
constexpr std::int64_t row_bytes = 512 * 1024;  // of packed rows that stay in a second cache

/// Line by line, item after item; half a pair at the end is filled with zero.
void pack_rows(const Side& side, std::span<const std::int64_t> lines, const std::vector<Run>& runs, std::int64_t pairs, std::int32_t* out) {
  const std::size_t items = side.items.size();
  for (const std::int64_t line : lines) {
    auto* row = reinterpret_cast<std::int16_t*>(out);
    const std::int16_t* data = side.data + line;
    if (runs.size() * 4 <= items) {
      for (const Run& run : runs) std::memcpy(row + run.begin, data + run.offset, static_cast<std::size_t>(run.length) * sizeof(std::int16_t));
    } else {
      for (std::size_t i = 0; i < items; ++i) row[i] = data[side.items[i]];
    }
    if (items % 2 != 0) row[items] = 0;
    out += pairs;
  }
}

std::int64_t sum_of(std::int64_t a, std::int32_t b) { return a + b; }
std::int32_t sum_of(std::int32_t a, std::int32_t b) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b)); }

template <class Number>
void add_runs(const Side& rows, const Side& columns, const Sums<Number>& sums, std::int64_t run) {
  const auto row_count = static_cast<std::int64_t>(rows.lines.size()), column_count = static_cast<std::int64_t>(columns.lines.size());
  const auto items = static_cast<std::int64_t>(rows.items.size());
  if (row_count == 0 || column_count == 0 || items == 0) return;
  const std::int64_t pairs = (items + 1) / 2;
  const std::int64_t run_pairs = run >= items ? pairs : std::max<std::int64_t>(1, run / 2);
  const std::int64_t rows_together = std::min(row_count, std::max<std::int64_t>(48, row_bytes / (pairs * 4)));
  const std::int64_t columns_together = panel_columns * panels_together;
  Buffer<std::int32_t> left(rows_together * pairs), right(pairs * columns_together), block(rows_together * columns_together);
  const std::vector<Run> runs = runs_of_items(rows.items);
  const auto pack_panel = HWY_DYNAMIC_DISPATCH(pack_panel);
  const auto multiply_panels = HWY_DYNAMIC_DISPATCH(multiply_panels);
  for (std::int64_t r = 0; r < row_count; r += rows_together) {
    const std::int64_t some_rows = std::min(rows_together, row_count - r);
    const auto places = static_cast<std::size_t>(some_rows);
    pack_rows(rows, rows.lines.subspan(static_cast<std::size_t>(r), places), runs, pairs, left.data());
    for (std::int64_t c = 0; c < column_count; c += columns_together) {
      const std::int64_t some_columns = std::min(columns_together, column_count - c);
      const std::int64_t panels = (some_columns + panel_columns - 1) / panel_columns;
      for (std::int64_t p = 0; p < panels; ++p) {
        const std::int64_t first = c + p * panel_columns, count = std::min(panel_columns, column_count - first);
        pack_panel(columns, columns.lines.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)), right.data() + p * pairs * panel_columns);
      }
      for (std::int64_t k = 0; k < pairs; k += run_pairs) {
        std::fill_n(block.data(), some_rows * panels * panel_columns, 0);
        multiply_panels(left.data(), some_rows, pairs, right.data(), panels, k, std::min(pairs, k + run_pairs), block.data());
        const Sums<Number> part{sums.data, sums.rows.subspan(static_cast<std::size_t>(r), places),
                                sums.columns.subspan(static_cast<std::size_t>(c), static_cast<std::size_t>(some_columns))};
        add_block(block.data(), panels * panel_columns, part, [](Number a, std::int32_t b) { return sum_of(a, b); });
      }
    }
  }
}

}  // namespace

void add_products(const Side& rows, const Side& columns, const Sums<std::int32_t>& sums) {
  add_runs(rows, columns, sums, static_cast<std::int64_t>(rows.items.size()));
}
void add_products(const Side& rows, const Side& columns, const Sums<std::int64_t>& sums, std::int64_t run) { add_runs(rows, columns, sums, run); }

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
