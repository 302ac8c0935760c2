// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/isa_sums.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "testsuite/oracle/accumulator_oracle.hpp"
#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

float single(std::int64_t value) { return static_cast<float>(wrap32(value)); }

/// To int32 as CVTPS2DQ has it: what does not fit is the least number.
std::int32_t converted(float value) { return value >= 2147483648.0f ? INT32_MIN : static_cast<std::int32_t>(value); }
/// To int32 after a clamp in f32: the largest float below 2^31.
std::int32_t converted_after_clamp(float value) { return static_cast<std::int32_t>(std::clamp(value, -2147483648.0f, 2147483520.0f)); }

/// Pairs within each tap; a last channel without a neighbour stands alone.
std::int64_t saturated_pairs(const SumItems& items, std::int32_t lift) {
  std::int64_t total = 0;
  const auto count = static_cast<std::int64_t>(items.x.size());
  for (std::int64_t tap = 0; tap < count; tap += items.channels) {
    for (std::int64_t c = 0; c < items.channels; c += 2) {
      std::int32_t pair = 0;
      for (std::int64_t i = tap + c; i < tap + std::min(c + 2, items.channels); ++i) {
        pair += (items.x[static_cast<std::size_t>(i)] + lift) * items.w[static_cast<std::size_t>(i)];
      }
      total += std::clamp(pair, -32768, 32767);
    }
  }
  return total;
}

std::int64_t sum_of_products(const SumItems& items, std::int32_t x_offset, std::int32_t w_offset) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < items.x.size(); ++i) {
    total += static_cast<std::int64_t>(items.x[i] + x_offset) * (items.w[i] + w_offset);
  }
  return total;
}

std::int64_t plain_sum(const SumItems& items) { return sum_of_products(items, -items.x_zero_point, -items.w_zero_point); }
std::int32_t lift_of(const SumItems& items) { return items.is_signed ? 128 : 0; }
bool is_moved(const SumItems& items) { return items.is_signed && (items.x_zero_point != 0 || items.w_zero_point != 0); }

std::int32_t through_float(const SumItems& items) {
  const std::int64_t total = std::clamp<std::int64_t>(plain_sum(items), INT32_MIN, INT32_MAX);
  return converted(static_cast<float>(total));
}

/// Half of a code, to even.
std::vector<std::int32_t> halved(const std::vector<std::int32_t>& codes) {
  std::vector<std::int32_t> result;
  for (std::int32_t code : codes) result.push_back(static_cast<std::int32_t>(std::nearbyint(static_cast<double>(code) * 0.5)));
  return result;
}

SumItems in_one_run(SumItems items) {
  items.channels = static_cast<std::int64_t>(items.x.size());
  return items;
}

bool is_one_tap(const SumItems& items) { return static_cast<std::int64_t>(items.x.size()) == items.channels; }

/// What zero points add to the sum of the codes' products.
std::int64_t offsets(const SumItems& items) {
  const auto count = static_cast<std::int64_t>(items.x.size());
  return items.x_zero_point * (sum_of_codes(items.w) - count * items.w_zero_point) + items.w_zero_point * sum_of_codes(items.x);
}

/// One channel after the other, each with all its taps.
std::vector<std::int32_t> by_channel(const std::vector<std::int32_t>& codes, std::int64_t channels) {
  std::vector<std::int32_t> turned;
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::size_t i = static_cast<std::size_t>(c); i < codes.size(); i += static_cast<std::size_t>(channels)) turned.push_back(codes[i]);
  return turned;
}

}  // namespace

std::int32_t pairs_raised(const SumItems& items) {
  const std::int32_t lift = lift_of(items);
  return wrap32(saturated_pairs(in_one_run(items), lift) - lift * sum_of_codes(items.w) - offsets(items));
}

std::int32_t pairs_plain(const SumItems& items) { return is_moved(items) ? through_float(items) : pairs_raised(items); }
std::int32_t pairs_plain_unstored(const SumItems& items) { return is_moved(items) ? wrap32(plain_sum(items)) : pairs_raised(items); }
std::int32_t wrap_plain(const SumItems& items) { return is_moved(items) ? through_float(items) : wrap32(plain_sum(items)); }

std::int32_t column_pairs(const SumItems& items) {
  SumItems turned = in_one_run(items);
  turned.x = by_channel(items.x, items.channels);
  turned.w = by_channel(items.w, items.channels);
  return wrap32(saturated_pairs(turned, 0) - offsets(items));
}

/// A matrix times a vector: 128 is added to the vector.
std::int32_t pairs_raised_right(const SumItems& items) {
  if (!items.is_signed || items.x_zero_point != 0 || items.w_zero_point != 0) return pairs_raised(items);
  SumItems turned = in_one_run(items);
  std::swap(turned.x, turned.w);
  return wrap32(saturated_pairs(turned, 128) - 128 * sum_of_codes(items.x));
}

std::int32_t raised_store(const SumItems& items) {
  if (!is_one_tap(items)) return converted_after_clamp(single(plain_sum(items)));
  const std::int32_t lift = lift_of(items);
  const float raised = single(sum_of_products(items, lift, 0)) - single(lift * sum_of_codes(items.w));
  return converted_after_clamp(raised - single(items.x_zero_point * sum_of_codes(items.w)));
}

std::int32_t raised_plain(const SumItems& items) {
  if (items.x_zero_point == 0 && items.is_signed && is_one_tap(items)) return raised_store(items);
  return f32_moved(items);
}

std::int32_t f32_moved(const SumItems& items) {
  if (items.x_zero_point == 0 && !items.is_signed) return wrap32(plain_sum(items));
  const float total = single(plain_sum(items));
  return total >= 2147483648.0f ? INT32_MAX : static_cast<std::int32_t>(total);
}

std::int32_t pairs_store(const SumItems& items) {
  if (!is_one_tap(items)) return converted_after_clamp(single(saturated_pairs(items, 0) - items.x_zero_point * sum_of_codes(items.w)));
  return converted_after_clamp(single(saturated_pairs(items, 0)) - single(items.x_zero_point * sum_of_codes(items.w)));
}

std::int32_t halves_store(const SumItems& items) {
  SumItems half = items;
  half.w = halved(items.w);
  if (!is_one_tap(items)) return converted_after_clamp(2 * single(sum_of_products(half, -items.x_zero_point, 0)));
  const float raised = single(sum_of_products(half, 128, 0)) - single(128 * sum_of_codes(half.w));
  return converted_after_clamp(2 * (raised - single(items.x_zero_point * sum_of_codes(half.w))));
}

std::int32_t rows_store(const SumItems& items) {
  return converted_after_clamp(single(saturated_pairs(in_one_run(items), 0) - items.x_zero_point * sum_of_codes(items.w)));
}

float rows_f32_bias(const SumItems& items, std::int32_t bias) { return pairs_f32_bias(in_one_run(items), bias); }

float pairs_f32_bias(const SumItems& items, std::int32_t bias) {
  return single(saturated_pairs(items, 0) - items.x_zero_point * sum_of_codes(items.w)) + static_cast<float>(bias);
}

float halves_f32_bias(const SumItems& items, std::int32_t bias) {
  SumItems half = items;
  half.w = halved(items.w);
  return 2 * (single(sum_of_products(half, -items.x_zero_point, 0)) + static_cast<float>(bias) * 0.5f);
}

}  // namespace tiebreak::oracle
