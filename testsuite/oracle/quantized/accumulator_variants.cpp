// SPDX-License-Identifier: Apache-2.0
// See the header. Sums of this size fit int64, so that a narrower accumulator is made of it step by step.
#include "testsuite/oracle/quantized/accumulator_variants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "testsuite/oracle/accumulator_oracle.hpp"
#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {
namespace {

using DotIn = const DotArguments&;
using Sum = std::optional<std::int64_t>;

std::int64_t product(DotIn d, std::size_t k) { return static_cast<std::int64_t>(d.a[k] - d.a_zero_point) * (d.b[k] - d.b_zero_point); }

/// The low bits, sign-extended.
std::int64_t sign_extended(std::int64_t v, int width) {
  const int drop = 64 - width;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(v) << drop) >> drop;
}
std::int64_t held_in(std::int64_t v, int width) {
  const std::int64_t top = static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1);
  return std::clamp(v, -top - 1, top);
}
bool fits(std::int64_t v, int width) { return sign_extended(v, width) == v; }
std::int64_t exact_dot(DotIn d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum += product(d, k);
  return sum;
}

Sum exact(DotIn d) { return exact_dot(d); }
Sum wraps(DotIn d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum = sign_extended(sum + product(d, k), d.width);
  return sum;
}
Sum saturates(DotIn d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum = held_in(sum + product(d, k), d.width);
  return sum;
}
Sum saturates_last(DotIn d) { return held_in(exact_dot(d), d.width); }
Sum traps(DotIn d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) {
    sum += product(d, k);
    if (!fits(sum, d.width)) return std::nullopt;
  }
  return sum;
}
Sum traps_last(DotIn d) {
  const std::int64_t sum = exact_dot(d);
  return fits(sum, d.width) ? Sum(sum) : Sum();
}

/// Runs of `size` steps through a function from partial sum and product to partial sum; the runs are added exactly.
template <typename Step>
std::int64_t in_blocks(DotIn d, std::size_t size, Step step) {
  std::int64_t total = 0;
  for (std::size_t start = 0; start < d.a.size(); start += size) {
    std::int64_t sum = 0;
    for (std::size_t k = start; k < std::min(start + size, d.a.size()); ++k) sum = step(sum + product(d, k));
    total += sum;
  }
  return total;
}
Sum blocks(DotIn d) {
  return in_blocks(d, 4, [&](std::int64_t v) { return sign_extended(v, d.width); });
}
Sum blocks_saturate(DotIn d) {
  return in_blocks(d, 4, [&](std::int64_t v) { return held_in(v, d.width); });
}

/// a + moved times b, two at a time into int16, which saturates.
std::vector<std::int64_t> pair_sums(DotIn d, std::int32_t moved) {
  std::vector<std::int64_t> sums;
  for (std::size_t k = 0; k < d.a.size(); k += 2) {
    std::int64_t sum = static_cast<std::int64_t>(d.a[k] + moved) * d.b[k];
    if (k + 1 < d.a.size()) sum += static_cast<std::int64_t>(d.a[k + 1] + moved) * d.b[k + 1];
    sums.push_back(std::clamp<std::int64_t>(sum, -32768, 32767));
  }
  return sums;
}
std::int64_t zero_point_terms(DotIn d) {
  return d.a_zero_point * sum_of_codes(d.b) + d.b_zero_point * sum_of_codes(d.a) -
         static_cast<std::int64_t>(d.a_zero_point) * d.b_zero_point * static_cast<std::int64_t>(d.a.size());
}
Sum pairs(DotIn d) {
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 0)) sum = sign_extended(sum + pair, 32);
  return sign_extended(sum - zero_point_terms(d), 32);
}
Sum pairs_saturate(DotIn d) {
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 0)) sum = held_in(sum + pair, 32);
  return held_in(sum - zero_point_terms(d), 32);
}
/// The running sum stays in int16; blocks of 256 products would be emptied, which is not said here.
Sum pairs_int16(DotIn d) {
  if (d.a.size() > 256) return std::nullopt;
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 0)) sum = std::clamp<std::int64_t>(sum + pair, -32768, 32767);
  return sign_extended(sum - zero_point_terms(d), 32);
}
Sum pairs_moved(DotIn d) {
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 128)) sum += pair;
  return sign_extended(sum - 128 * sum_of_codes(d.b) - zero_point_terms(d), 32);
}

Sum whole(double v) { return std::isfinite(v) ? Sum(static_cast<std::int64_t>(v)) : Sum(); }
float f32_product(DotIn d, std::size_t k) { return static_cast<float>(product(d, k)); }
Sum f32_in_order(DotIn d) {
  float sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum += f32_product(d, k);
  return whole(static_cast<double>(sum));
}
Sum f32_fused(DotIn d) {
  float sum = 0;  // the exact product and a float: their sum fits double, which rounds to float once
  for (std::size_t k = 0; k < d.a.size(); ++k) sum = static_cast<float>(static_cast<double>(sum) + static_cast<double>(product(d, k)));
  return whole(static_cast<double>(sum));
}
float f32_sum_of_halves(DotIn d, std::size_t first, std::size_t count) {
  if (count == 1) return f32_product(d, first);
  const std::size_t left = count - count / 2;
  return f32_sum_of_halves(d, first, left) + f32_sum_of_halves(d, first + left, count - left);
}
Sum f32_pairwise(DotIn d) { return whole(d.a.empty() ? 0.0 : static_cast<double>(f32_sum_of_halves(d, 0, d.a.size()))); }
Sum f32_blocks(DotIn d) {
  float total = 0;
  for (std::size_t start = 0; start < d.a.size(); start += 4) {
    float sum = 0;
    for (std::size_t k = start; k < std::min(start + 4, d.a.size()); ++k) sum += f32_product(d, k);
    total += sum;
  }
  return whole(static_cast<double>(total));
}
Sum f32_stored(DotIn d) {
  const std::int64_t sum = sign_extended(exact_dot(d), 32);
  if (d.a_unsigned && d.a_zero_point == 0 && d.b_zero_point == 0) return sum;
  return whole(static_cast<double>(static_cast<float>(sum)));
}

float half_sum(DotIn d, std::size_t first, std::size_t last) {
  float sum = 0;
  for (std::size_t k = first; k < last; ++k) sum = rounded_to_f16(sum + rounded_to_f16(f32_product(d, k)));
  return sum;
}
Sum f16_steps(DotIn d) { return whole(static_cast<double>(half_sum(d, 0, d.a.size()))); }
Sum f16_blocks(DotIn d) {
  float total = 0;
  for (std::size_t start = 0; start < d.a.size(); start += 4) total += half_sum(d, start, std::min(start + 4, d.a.size()));
  return whole(static_cast<double>(total));
}

constexpr DotVariant dot_variant_table[] = {{"exact", exact},
                                            {"wraps", wraps},
                                            {"saturates", saturates},
                                            {"saturates_last", saturates_last},
                                            {"traps", traps},
                                            {"traps_last", traps_last},
                                            {"blocks", blocks},
                                            {"blocks_saturate", blocks_saturate},
                                            {"pairs", pairs},
                                            {"pairs_saturate", pairs_saturate},
                                            {"pairs_plus_128", pairs_moved},
                                            {"pairs_summed_in_i16", pairs_int16},
                                            {"f32", f32_in_order},
                                            {"f32_fused", f32_fused},
                                            {"f32_pairwise", f32_pairwise},
                                            {"f32_blocks", f32_blocks},
                                            {"through_f32_if_zero_point_or_i8", f32_stored},
                                            {"f16", f16_steps},
                                            {"f16_blocks", f16_blocks}};

}  // namespace

std::span<const DotVariant> dot_variants() { return dot_variant_table; }

}  // namespace tiebreak::oracle
