// SPDX-License-Identifier: Apache-2.0
// This file is compiled once for each instruction set.
#include "interpreter/simd/step_lookup.hpp"

#include <algorithm>

#include "interpreter/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpreter/simd/step_lookup.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tiebreak::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void look_up(const StepBuckets& buckets, const std::int32_t* numbers, std::size_t count, std::uint8_t* out) {
  const hn::ScalableTag<std::int32_t> lanes;
  const hn::RebindToUnsigned<decltype(lanes)> entries;
  const hn::Rebind<std::uint8_t, decltype(lanes)> values;
  const auto low = hn::Set(lanes, buckets.low), high = hn::Set(lanes, buckets.high);
  const auto within = hn::Set(entries, (std::uint32_t{1} << buckets.shift) - 1), byte = hn::Set(entries, 0xFFu);
  const auto value_at = [&](auto number) HWY_ATTR {
    const auto above = hn::BitCast(entries, hn::Sub(hn::Min(hn::Max(number, low), high), low));
    const auto bucket = hn::BitCast(lanes, hn::ShiftRightSame(above, buckets.shift));
    const auto entry = hn::GatherIndex(entries, buckets.entries, bucket);
    const auto is_before = hn::Lt(hn::BitCast(lanes, hn::And(above, within)), hn::BitCast(lanes, hn::ShiftRight<16>(entry)));
    const auto value = hn::IfThenElse(hn::RebindMask(entries, is_before), hn::ShiftRight<8>(entry), entry);
    return hn::DemoteTo(values, hn::BitCast(lanes, hn::And(value, byte)));
  };
  const std::size_t width = hn::Lanes(lanes);
  std::size_t i = 0;
  for (; i + width <= count; i += width) hn::StoreU(value_at(hn::LoadU(lanes, numbers + i)), values, out + i);
  if (i == count) return;
  std::int32_t rest[hn::MaxLanes(lanes)] = {};
  std::uint8_t last[hn::MaxLanes(lanes)] = {};
  std::copy_n(numbers + i, count - i, rest);
  hn::StoreU(value_at(hn::LoadU(lanes, rest)), values, last);
  std::copy_n(last, count - i, out + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace tiebreak::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tiebreak::simd {
namespace {

HWY_EXPORT(look_up);

}  // namespace

void look_up_steps(const StepBuckets& buckets, const std::int32_t* numbers, std::size_t count, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(look_up)(buckets, numbers, count, out);
}

}  // namespace tiebreak::simd
#endif
