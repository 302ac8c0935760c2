// SPDX-License-Identifier: Apache-2.0
// See the header. Sums of this size fit int64, so that a narrower accumulator is made of it step by step.
#include "testsuite/oracle/accumulator_variants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {
namespace {

using In = const DotArguments&;
using Sum = std::optional<std::int64_t>;

std::int64_t product(In d, std::size_t k) { return static_cast<std::int64_t>(d.a[k] - d.a_zero_point) * (d.b[k] - d.b_zero_point); }

/// The low bits, sign-extended.
std::int64_t cut(std::int64_t v, int width) {
  const int drop = 64 - width;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(v) << drop) >> drop;
}
std::int64_t limited(std::int64_t v, int width) {
  const std::int64_t top = static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1);
  return std::clamp(v, -top - 1, top);
}
bool fits(std::int64_t v, int width) { return cut(v, width) == v; }
std::int64_t exact_sum(In d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum += product(d, k);
  return sum;
}

Sum exact(In d) { return exact_sum(d); }
Sum wraps(In d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum = cut(sum + product(d, k), d.width);
  return sum;
}
Sum saturates(In d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum = limited(sum + product(d, k), d.width);
  return sum;
}
Sum saturates_last(In d) { return limited(exact_sum(d), d.width); }
Sum traps(In d) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) {
    sum += product(d, k);
    if (!fits(sum, d.width)) return std::nullopt;
  }
  return sum;
}
Sum traps_last(In d) {
  const std::int64_t sum = exact_sum(d);
  return fits(sum, d.width) ? Sum(sum) : Sum();
}

/// Runs of `size` steps through a function from partial sum and product to partial sum; the runs are added exactly.
template <typename Step>
std::int64_t in_blocks(In d, std::size_t size, Step step) {
  std::int64_t total = 0;
  for (std::size_t start = 0; start < d.a.size(); start += size) {
    std::int64_t sum = 0;
    for (std::size_t k = start; k < std::min(start + size, d.a.size()); ++k) sum = step(sum + product(d, k));
    total += sum;
  }
  return total;
}
Sum blocks(In d) {
  return in_blocks(d, 4, [&](std::int64_t v) { return cut(v, d.width); });
}
Sum blocks_saturate(In d) {
  return in_blocks(d, 4, [&](std::int64_t v) { return limited(v, d.width); });
}

/// a + moved times b, two at a time into int16, which saturates.
std::vector<std::int64_t> pair_sums(In d, std::int32_t moved) {
  std::vector<std::int64_t> sums;
  for (std::size_t k = 0; k < d.a.size(); k += 2) {
    std::int64_t sum = static_cast<std::int64_t>(d.a[k] + moved) * d.b[k];
    if (k + 1 < d.a.size()) sum += static_cast<std::int64_t>(d.a[k + 1] + moved) * d.b[k + 1];
    sums.push_back(std::clamp<std::int64_t>(sum, -32768, 32767));
  }
  return sums;
}
std::int64_t sum_of(std::span<const std::int32_t> codes) {
  std::int64_t sum = 0;
  for (std::int32_t code : codes) sum += code;
  return sum;
}
std::int64_t offsets(In d) {
  return d.a_zero_point * sum_of(d.b) + d.b_zero_point * sum_of(d.a) -
         static_cast<std::int64_t>(d.a_zero_point) * d.b_zero_point * static_cast<std::int64_t>(d.a.size());
}
Sum pairs(In d) {
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 0)) sum = cut(sum + pair, 32);
  return cut(sum - offsets(d), 32);
}
Sum pairs_saturate(In d) {
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 0)) sum = limited(sum + pair, 32);
  return limited(sum - offsets(d), 32);
}
/// The running sum stays in int16; blocks of 256 products would be emptied, which is not said here.
Sum pairs_int16(In d) {
  if (d.a.size() > 256) return std::nullopt;
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 0)) sum = std::clamp<std::int64_t>(sum + pair, -32768, 32767);
  return cut(sum - offsets(d), 32);
}
Sum pairs_moved(In d) {
  std::int64_t sum = 0;
  for (std::int64_t pair : pair_sums(d, 128)) sum += pair;
  return cut(sum - 128 * sum_of(d.b) - offsets(d), 32);
}

Sum whole(double v) { return std::isfinite(v) ? Sum(static_cast<std::int64_t>(v)) : Sum(); }
float f32_product(In d, std::size_t k) { return static_cast<float>(product(d, k)); }
Sum f32(In d) {
  float sum = 0;
  for (std::size_t k = 0; k < d.a.size(); ++k) sum += f32_product(d, k);
  return whole(static_cast<double>(sum));
}
Sum f32_fused(In d) {
  float sum = 0;  // the exact product and a float: their sum fits double, which rounds to float once
  for (std::size_t k = 0; k < d.a.size(); ++k) sum = static_cast<float>(static_cast<double>(sum) + static_cast<double>(product(d, k)));
  return whole(static_cast<double>(sum));
}
float halves(In d, std::size_t first, std::size_t count) {
  if (count == 1) return f32_product(d, first);
  const std::size_t left = count - count / 2;
  return halves(d, first, left) + halves(d, first + left, count - left);
}
Sum f32_pairwise(In d) { return whole(d.a.empty() ? 0.0 : static_cast<double>(halves(d, 0, d.a.size()))); }
Sum f32_blocks(In d) {
  float total = 0;
  for (std::size_t start = 0; start < d.a.size(); start += 4) {
    float sum = 0;
    for (std::size_t k = start; k < std::min(start + 4, d.a.size()); ++k) sum += f32_product(d, k);
    total += sum;
  }
  return whole(static_cast<double>(total));
}
Sum f32_stored(In d) {
  const std::int64_t sum = cut(exact_sum(d), 32);
  if (d.a_unsigned && d.a_zero_point == 0 && d.b_zero_point == 0) return sum;
  return whole(static_cast<double>(static_cast<float>(sum)));
}

float half(float v) { return decode(encode(v, f16, false), f16); }
float half_sum(In d, std::size_t first, std::size_t last) {
  float sum = 0;
  for (std::size_t k = first; k < last; ++k) sum = half(sum + half(f32_product(d, k)));
  return sum;
}
Sum f16_steps(In d) { return whole(static_cast<double>(half_sum(d, 0, d.a.size()))); }
Sum f16_blocks(In d) {
  float total = 0;
  for (std::size_t start = 0; start < d.a.size(); start += 4) total += half_sum(d, start, std::min(start + 4, d.a.size()));
  return whole(static_cast<double>(total));
}

constexpr DotVariant variants[] = {{"exact", exact},
                                   {"wraps", wraps},
                                   {"saturates", saturates},
                                   {"saturates_last", saturates_last},
                                   {"traps", traps},
                                   {"traps_last", traps_last},
                                   {"blocks", blocks},
                                   {"blocks_saturate", blocks_saturate},
                                   {"pairs", pairs},
                                   {"pairs_saturate", pairs_saturate},
                                   {"pairs_moved", pairs_moved},
                                   {"pairs_int16", pairs_int16},
                                   {"f32", f32},
                                   {"f32_fused", f32_fused},
                                   {"f32_pairwise", f32_pairwise},
                                   {"f32_blocks", f32_blocks},
                                   {"f32_stored", f32_stored},
                                   {"f16", f16_steps},
                                   {"f16_blocks", f16_blocks}};

}  // namespace

std::span<const DotVariant> dot_variants() { return variants; }

}  // namespace tiebreak::oracle
