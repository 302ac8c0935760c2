// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/stair_table.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "interpreter/operations/avx2_copy.hpp"

namespace tiebreak {
namespace {

/// Places of stored elements. -0 is the place below +0.
template <class Stored>
struct InOrder {
  using Element = Stored;
  static std::int32_t place(Stored v) { return static_cast<std::int32_t>(v); }
};
struct Unsigned32InOrder {
  using Element = std::uint32_t;
  static std::int32_t place(std::uint32_t v) { return static_cast<std::int32_t>(v ^ 0x80000000u); }
};
struct Float32InOrder {
  using Element = std::int32_t;
  static std::int32_t place(std::int32_t bits) { return bits ^ ((bits >> 31) & 0x7FFFFFFF); }
};
struct Float16InOrder {
  using Element = std::int16_t;
  static std::int32_t place(std::int16_t bits) { return bits ^ ((bits >> 15) & 0x7FFF); }
};

bool is_symmetric_float(const ElementType& type) {
  return type.is_float() && (type.bits() == 16 || type.bits() == 32) && type.floating().is_signed() && type.floating().has_negative_zero() &&
         type.floating().has_infinity();
}

/// f with the order of the type; false where the type has none here.
template <class F>
bool with_order(const ElementType& type, F f) {
  if (is_symmetric_float(type)) return type.bits() == 32 ? f(Float32InOrder{}) : f(Float16InOrder{}), true;
  if (!type.is_integer()) return false;
  const bool is_signed = type.integer().is_signed;
  switch (type.storage_bytes()) {
    case 1: return is_signed ? f(InOrder<std::int8_t>{}) : f(InOrder<std::uint8_t>{}), true;
    case 2: return is_signed ? f(InOrder<std::int16_t>{}) : f(InOrder<std::uint16_t>{}), true;
    case 4: return is_signed ? f(InOrder<std::int32_t>{}) : f(Unsigned32InOrder{}), true;
    default: return false;
  }
}

struct Step {
  std::int64_t place;
  std::int64_t outcome;
};

/// Steps over all 32-bit places, nan's included.
std::vector<Step> steps_of(const Staircase& stairs) {
  const ElementType& type = stairs.input.type;
  const bool shifted = type.is_integer() && type.bits() == 32 && !type.integer().is_signed;
  const std::int64_t away = shifted ? std::numeric_limits<std::int32_t>::min() : 0;
  std::vector<Step> steps;
  const auto add = [&](std::int64_t place, std::int64_t outcome) {
    if (steps.empty() || steps.back().outcome != outcome) steps.push_back({place, outcome});
  };
  if (type.is_float()) add(std::numeric_limits<std::int32_t>::min(), stairs.at_nan.value_or(outcome_undefined));
  for (std::size_t i = 0; i < stairs.starts.size(); ++i) add(stairs.starts[i] + away, stairs.values[i]);
  if (type.is_float()) add(stairs.input.last + 1, stairs.at_nan.value_or(outcome_undefined));
  return steps;
}

std::optional<std::uint8_t> code_of(std::int64_t outcome, const OrderedType& output) {
  if (outcome == outcome_undefined) return std::uint8_t{0};
  const auto code = output.type.encode(outcome == outcome_nan ? Real::nan() : output.value(outcome));
  if (!code) return std::nullopt;
  // As it is stored: what is narrower than a byte is extended in it as the number is.
  const bool extended = output.type.is_integer() && output.type.integer().is_signed && output.type.bits() < 8;
  const int unused = 8 - output.type.bits();
  return extended ? static_cast<std::uint8_t>(static_cast<std::int8_t>(static_cast<std::uint8_t>(*code << unused)) >> unused)
                  : static_cast<std::uint8_t>(*code);
}

constexpr std::size_t places_at_once = 2048;  // their places stay in the cache

template <class Order>
TIEBREAK_AVX2_COPY void put_places(const typename Order::Element* elements, std::size_t count, std::int32_t* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = Order::place(elements[i]);
}

bool is_inside(StairTable::Places places, std::int32_t place) { return place >= places.first && place <= places.last; }

TIEBREAK_AVX2_COPY bool any_inside(StairTable::Places places, const std::int32_t* all, std::size_t count) {
  std::int32_t any = 0;
  for (std::size_t i = 0; i < count; ++i) any |= is_inside(places, all[i]) ? 1 : 0;
  return any != 0;
}

/// f(places, begin, count) for some elements after the other.
template <class F>
void for_each_places(const ElementType& type, const std::byte* elements, std::size_t count, F f) {
  std::int32_t places[places_at_once];
  with_order(type, [&]<class Order>(Order) {
    const auto* all = reinterpret_cast<const typename Order::Element*>(elements);
    for (std::size_t begin = 0; begin < count; begin += places_at_once) {
      const std::size_t some = std::min(places_at_once, count - begin);
      put_places<Order>(all + begin, some, places);
      f(places, begin, some);
    }
  });
}

}  // namespace

std::optional<StairTable> stair_table(const Staircase& stairs, std::size_t entries) {
  if (stairs.output.type.storage_bytes() != 1 || !with_order(stairs.input.type, [](auto) {})) return std::nullopt;
  const std::vector<Step> steps = steps_of(stairs);
  std::vector<std::uint8_t> codes;
  for (const Step& step : steps) {
    const auto code = code_of(step.outcome, stairs.output);
    if (!code) return std::nullopt;
    codes.push_back(*code);
  }
  StairTable table;
  table.buckets.low = static_cast<std::int32_t>(steps.size() > 1 ? steps[1].place - 1 : steps[0].place);
  table.buckets.high = static_cast<std::int32_t>(steps.back().place);
  std::int64_t nearest = std::int64_t{1} << 16;
  for (std::size_t i = 2; i < steps.size(); ++i) nearest = std::min(nearest, steps[i].place - steps[i - 1].place);
  table.buckets.shift = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(nearest))) - 1;
  const std::uint64_t buckets = (static_cast<std::uint64_t>(std::int64_t{table.buckets.high} - table.buckets.low) >> table.buckets.shift) + 1;
  if (buckets > entries) return std::nullopt;
  // What holds between two steps, then the buckets that have one.
  table.entries.resize(buckets, std::uint32_t{codes[0]} << 8 | codes[0]);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const auto above = static_cast<std::uint64_t>(steps[i].place - table.buckets.low), bucket = above >> table.buckets.shift;
    const auto next = i + 1 < steps.size() ? static_cast<std::uint64_t>(steps[i + 1].place - table.buckets.low) >> table.buckets.shift : buckets - 1;
    const auto at = static_cast<std::uint32_t>(above - (bucket << table.buckets.shift));
    table.entries[bucket] = at << 16 | std::uint32_t{codes[i - 1]} << 8 | codes[i];
    std::fill(table.entries.begin() + static_cast<std::ptrdiff_t>(bucket) + 1, table.entries.begin() + static_cast<std::ptrdiff_t>(next) + 1,
              std::uint32_t{codes[i]} << 8 | codes[i]);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].outcome != outcome_undefined) continue;
    const std::int64_t last = i + 1 < steps.size() ? steps[i + 1].place - 1 : std::numeric_limits<std::int32_t>::max();
    table.undefined.push_back({static_cast<std::int32_t>(steps[i].place), static_cast<std::int32_t>(last)});
  }
  return table;
}

bool look_up(const StairTable& table, const ElementType& type, const std::byte* elements, std::size_t count, std::uint8_t* out) {
  simd::StepBuckets buckets = table.buckets;
  buckets.entries = table.entries.data();
  bool any = false;
  for_each_places(type, elements, count, [&](const std::int32_t* places, std::size_t begin, std::size_t some) {
    simd::look_up_steps(buckets, places, some, out + begin);
    for (const StairTable::Places undefined : table.undefined) any = any || any_inside(undefined, places, some);
  });
  return any;
}

void mark_undefined(const StairTable& table, const ElementType& type, const std::byte* elements, std::size_t count, std::uint8_t* out) {
  for_each_places(type, elements, count, [&](const std::int32_t* places, std::size_t begin, std::size_t some) {
    for (std::size_t i = 0; i < some; ++i)
      out[begin + i] = std::ranges::any_of(table.undefined, [&](StairTable::Places undefined) { return is_inside(undefined, places[i]); }) ? 1 : 0;
  });
}

}  // namespace tiebreak
