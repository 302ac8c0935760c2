// SPDX-License-Identifier: Apache-2.0
// Groups of items that fill 32 bits, pairs of 16-bit numbers or quads of bytes: how they are packed, and the instruction that multiplies and adds them. Columns
// are packed in panels of 16: for each group 16 lanes, which hold one column's items each. integer_product.cpp has this once for every instruction set, so that
// no guard keeps it from coming again.
#include <cstring>

#include "interpreter/simd/integer_product.hpp"
#include "interpreter/simd/packing.hpp"

namespace tiebreak::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t panel = panel_columns;
using Lanes = hn::CappedTag<std::int32_t, panel>;
using Vector = hn::Vec<Lanes>;
constexpr int width = static_cast<int>(hn::MaxLanes(Lanes()));
constexpr int parts = static_cast<int>(panel) / width;  // vectors in a panel

/// A side as it is read: 16-bit numbers, or bytes and what each of them is off.
template <class Stored>
struct Operand {
  Lines<Stored> lines{};
  std::int16_t base = 0;
};

struct Pairs {
  static constexpr std::int64_t size = 2;

  HWY_INLINE static Vector add(Vector sum, Vector a, Vector b) {
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

  /// Line by line, item after item; half a pair at the end is filled with zero.
  template <class Stored>
  static void pack_rows(const Operand<Stored>& side, std::int64_t stride, std::int32_t* out, std::int32_t*) {
    const std::span<const std::int64_t> items = side.lines.items;
    const std::vector<Run> runs = runs_of_items(items);
    for (const std::int64_t line : side.lines.lines) {
      auto* row = reinterpret_cast<std::int16_t*>(out);
      const Stored* data = side.lines.data + line;
      if (runs.size() * 4 > items.size()) {
        for (std::size_t i = 0; i < items.size(); ++i) row[i] = static_cast<std::int16_t>(data[items[i]] + side.base);
      } else if constexpr (sizeof(Stored) == sizeof(std::int16_t)) {
        for (const Run& run : runs) std::memcpy(row + run.begin, data + run.offset, static_cast<std::size_t>(run.length) * sizeof(std::int16_t));
      } else {
        for (const Run& run : runs)
          for (std::int64_t i = 0; i < run.length; ++i) row[run.begin + i] = static_cast<std::int16_t>(data[run.offset + i] + side.base);
      }
      if (items.size() % 2 != 0) row[items.size()] = 0;
      out += stride;
    }
  }

  using Narrow = hn::Rebind<std::uint16_t, Lanes>;
  HWY_INLINE static hn::Vec<Narrow> load(const std::int16_t* from, std::int16_t) { return hn::LoadU(Narrow(), reinterpret_cast<const std::uint16_t*>(from)); }
  HWY_INLINE static hn::Vec<Narrow> load(const std::uint8_t* from, std::int16_t base) {
    const hn::Rebind<std::uint8_t, Lanes> bytes;
    return hn::Add(hn::PromoteTo(Narrow(), hn::LoadU(bytes, from)), hn::Set(Narrow(), static_cast<std::uint16_t>(base)));
  }

  /// One item of the columns of a part of a panel.
  template <class Stored>
  HWY_INLINE static hn::Vec<Narrow> item_of(const Stored* data, std::int16_t base, const Neighbours& columns, std::int64_t at) {
    auto item = load(data + columns.one + at, base);
    if (columns.first < at + width && columns.first < panel) {
      const auto first = hn::FirstN(Narrow(), static_cast<std::size_t>(std::max<std::int64_t>(0, columns.first - at)));
      item = hn::IfThenElse(first, item, load(data + columns.two + at, base));
    }
    return item;
  }

  /// Up to 16 columns, for each pair of items a lane each. Lanes beyond the last column hold anything, and so does the missing half of a pair: it meets zero.
  template <class Stored>
  static void pack_columns(const Operand<Stored>& side, std::int64_t panel_stride, std::int32_t* HWY_RESTRICT out, std::span<std::int32_t>, std::int16_t) {
    const hn::RebindToUnsigned<Lanes> wide;
    const std::vector<Neighbours> panels = panels_of(side.lines.lines, panel);
    const std::span<const std::int64_t> items = side.lines.items;
    for (std::size_t i = 0; i < items.size(); i += 2, out += panel) {
      const Stored *even = side.lines.data + items[i], *odd = side.lines.data + items[std::min(i + 1, items.size() - 1)];
      std::int32_t* to = out;
      for (const Neighbours& columns : panels) {
        for (std::int64_t at = 0; columns.two_runs && at < panel; at += width) {
          const auto low = item_of(even, side.base, columns, at), high = item_of(odd, side.base, columns, at);
          const auto pair = hn::Or(hn::PromoteTo(wide, low), hn::ShiftLeft<16>(hn::PromoteTo(wide, high)));
          hn::StoreU(hn::BitCast(Lanes(), pair), Lanes(), to + at);
        }
        for (std::size_t c = 0; !columns.two_runs && c < columns.lines.size(); ++c) {
          const auto low = static_cast<std::uint16_t>(even[columns.lines[c]] + side.base), high = static_cast<std::uint16_t>(odd[columns.lines[c]] + side.base);
          to[c] = static_cast<std::int32_t>(low | std::uint32_t{high} << 16);
        }
        to += panel_stride;
      }
    }
  }

  /// What is packed are the numbers themselves: the terms stay 0.
  static void make_row_terms(std::span<std::int32_t>, std::int16_t, std::int16_t, std::int64_t) {}
};

#if HWY_TARGET == HWY_AVX3_DL
/// Bytes of a column as they are, u, and of a row less 128, s: the instruction multiplies bytes without a sign by bytes with one, and adds four products in 32
/// bits. With the bases p of the row and q of the column, a row's number is s + p + 128 and a column's u + q, and over n items
///     sum((s + p + 128) (u + q)) = sum(s u) + q sum(s) + (p + 128) (sum(u) + n q).
struct Quads {
  static constexpr std::int64_t size = 4;

  HWY_INLINE static Vector add(Vector sum, Vector a, Vector b) { return Vector{_mm512_dpbusd_epi32(sum.raw, b.raw, a.raw)}; }

  /// The terms of rows from their sums.
  static void make_row_terms(std::span<std::int32_t> sums, std::int16_t row_base, std::int16_t column_base, std::int64_t items) {
    for (std::int32_t& sum : sums) sum = wrapped(std::int64_t{column_base} * sum + (std::int64_t{row_base} + 128) * items * column_base);
  }

  /// Line by line, and the sum of each; what fills a row up to whole vectors is zero.
  static void pack_rows(const Operand<std::uint8_t>& side, std::int64_t stride, std::int32_t* out, std::int32_t* sums) {
    const std::span<const std::int64_t> items = side.lines.items;
    const std::vector<Run> runs = runs_of_items(items);
    const __m512i ones = _mm512_set1_epi8(1), half = _mm512_set1_epi8(-128);
    const std::int64_t vectors = stride / panel;
    for (std::size_t r = 0; r < side.lines.lines.size(); ++r, out += stride) {
      auto* row = reinterpret_cast<std::uint8_t*>(out);
      const std::uint8_t* data = side.lines.data + side.lines.lines[r];
      if (runs.size() * 4 <= items.size()) {
        for (const Run& run : runs) std::memcpy(row + run.begin, data + run.offset, static_cast<std::size_t>(run.length));
      } else {
        for (std::size_t i = 0; i < items.size(); ++i) row[i] = data[items[i]];
      }
      std::memset(row + items.size(), 128, static_cast<std::size_t>(stride) * 4 - items.size());
      __m512i sum = _mm512_setzero_si512();
      for (std::int64_t v = 0; v < vectors; ++v) {
        const __m512i bytes = _mm512_loadu_si512(out + v * panel);
        sum = _mm512_dpbusd_epi32(sum, bytes, ones);
        _mm512_storeu_si512(out + v * panel, _mm512_xor_si512(bytes, half));
      }
      sums[r] = static_cast<std::int32_t>(hn::GetLane(hn::SumOfLanes(Lanes(), Vector{sum})) - 128 * 64 * vectors);
    }
  }

  /// One item of the columns of a panel.
  HWY_INLINE static __m128i item_of(const std::uint8_t* data, const Neighbours& columns) {
    const __m128i item = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + columns.one));
    if (columns.first >= panel) return item;
    return _mm_mask_loadu_epi8(item, static_cast<__mmask16>(0xffffu << columns.first), data + columns.two);
  }

  /// 16 columns, for each of four items a lane.
  HWY_INLINE static __m512i quad_of(const std::uint8_t* const (&items)[size], const Neighbours& columns, __m512i places) {
    __m512i quad = _mm512_castsi128_si512(item_of(items[0], columns));
    quad = _mm512_inserti32x4(quad, item_of(items[1], columns), 1);
    quad = _mm512_inserti32x4(quad, item_of(items[2], columns), 2);
    quad = _mm512_inserti32x4(quad, item_of(items[3], columns), 3);
    return _mm512_permutexvar_epi8(places, quad);
  }

  /// For each quad of items a lane for each column. Lanes beyond the last column hold anything; what is missing in the last quad is there, too, but meets zero
  /// in the rows. `terms`: what the columns' sums add, which most operands have none of.
  static void pack_columns(const Operand<std::uint8_t>& side, std::int64_t panel_stride, std::int32_t* HWY_RESTRICT out, std::span<std::int32_t> terms,
                           std::int16_t row_base) {
    const __m512i places =
        _mm512_set_epi8(63, 47, 31, 15, 62, 46, 30, 14, 61, 45, 29, 13, 60, 44, 28, 12, 59, 43, 27, 11, 58, 42, 26, 10, 57, 41, 25, 9, 56, 40, 24, 8, 55, 39,
                        23, 7, 54, 38, 22, 6, 53, 37, 21, 5, 52, 36, 20, 4, 51, 35, 19, 3, 50, 34, 18, 2, 49, 33, 17, 1, 48, 32, 16, 0);
    const std::vector<Neighbours> panels = panels_of(side.lines.lines, panel);
    const std::span<const std::int64_t> items = side.lines.items;
    const bool has_terms = row_base != -128;
    std::memset(terms.data(), 0, terms.size_bytes());
    for (std::size_t i = 0; i < items.size(); i += size, out += panel) {
      const std::size_t last = std::min(items.size() - i, std::size_t{size}) - 1;
      const std::uint8_t* quad[size];
      for (std::size_t k = 0; k < size; ++k) quad[k] = side.lines.data + items[i + std::min(k, last)];
      const bool follow = last == size - 1 && quad[3] == quad[0] + 3 && quad[2] == quad[0] + 2 && quad[1] == quad[0] + 1;
      std::int32_t* to = out;
      for (const Neighbours& columns : panels) {
        if (columns.two_runs) {
          _mm512_store_si512(to, quad_of(quad, columns, places));
        } else if (follow) {
          for (std::size_t c = 0; c < columns.lines.size(); ++c) std::memcpy(to + c, quad[0] + columns.lines[c], size);
        } else {
          auto* bytes = reinterpret_cast<std::uint8_t*>(to);
          for (std::size_t c = 0; c < columns.lines.size(); ++c)
            for (std::size_t k = 0; k < size; ++k) bytes[c * size + k] = quad[k][columns.lines[c]];
        }
        to += panel_stride;
      }
      const __m512i ones = _mm512_set1_epi32(static_cast<int>(0x01010101u >> 8 * (size - 1 - last)));
      for (std::size_t p = 0; has_terms && p < panels.size(); ++p) {
        std::int32_t* sum = terms.data() + p * panel;
        const __m512i bytes = _mm512_load_si512(out + static_cast<std::int64_t>(p) * panel_stride);
        _mm512_storeu_si512(sum, _mm512_dpbusd_epi32(_mm512_loadu_si512(sum), bytes, ones));
      }
    }
    for (std::int32_t& term : terms) term = wrapped((std::int64_t{row_base} + 128) * term);
  }

 private:
  static std::int32_t wrapped(std::int64_t v) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(v)); }
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace tiebreak::simd
