// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/accumulator_oracle.hpp"

#include <algorithm>

namespace tiebreak::oracle {

std::vector<std::int64_t> products(std::span<const std::int32_t> row, std::span<const std::int32_t> column, std::int64_t row_zero, std::int64_t column_zero) {
  std::vector<std::int64_t> terms;
  for (std::size_t k = 0; k < row.size(); ++k) terms.push_back((row[k] - row_zero) * (column[k] - column_zero));
  return terms;
}

std::int64_t sum_of_codes(std::span<const std::int32_t> codes) {
  std::int64_t sum = 0;
  for (std::int32_t code : codes) sum += code;
  return sum;
}

SumRange range_of_sum(std::span<const std::int32_t> column, std::int64_t row_zero, std::int64_t column_zero, std::int32_t least, std::int32_t greatest,
                      std::int64_t bias) {
  SumRange range{bias, bias};
  for (std::int32_t weight : column) {
    std::int64_t low = (least - row_zero) * (weight - column_zero), high = low;
    for (std::int64_t code = least; code <= greatest; ++code) {
      const std::int64_t term = (code - row_zero) * (weight - column_zero);
      low = std::min(low, term);
      high = std::max(high, term);
    }
    range.low += low;
    range.high += high;
  }
  return range;
}

SumRange range_by_all_rows(std::span<const std::int32_t> column, std::int64_t row_zero, std::int64_t column_zero, std::int32_t least, std::int32_t greatest,
                           std::int64_t bias) {
  std::vector<std::int32_t> row(column.size(), least);
  SumRange range{INT64_MAX, INT64_MIN};
  for (;;) {
    std::int64_t sum = bias;
    for (std::int64_t term : products(row, column, row_zero, column_zero)) sum += term;
    range = {std::min(range.low, sum), std::max(range.high, sum)};
    std::size_t k = 0;
    while (k < row.size() && row[k] == greatest) row[k++] = least;
    if (k == row.size()) return range;
    ++row[k];
  }
}

std::int64_t wrap_to(std::int64_t v, int bits) {
  const int unused = 64 - bits;  // the upper bits are pushed out, the sign comes back
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(v) << unused) >> unused;
}

std::int64_t saturate_to(std::int64_t v, int bits) {
  std::int64_t half = 1;
  for (int i = 1; i < bits; ++i) half *= 2;
  return v >= half ? half - 1 : v < -half ? -half : v;
}

std::int64_t sum_in_register(std::span<const std::int64_t> terms, int bits, bool saturating, std::int64_t run) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    total += terms[i];
    const bool ends = run == 0 ? i + 1 == terms.size() : (static_cast<std::int64_t>(i) + 1) % run == 0 || i + 1 == terms.size();
    if (ends) total = saturating ? saturate_to(total, bits) : wrap_to(total, bits);
  }
  return total;
}

std::int64_t sum_of_registers(std::span<const std::int64_t> terms, int bits, bool saturating, std::int64_t run) {
  std::int64_t total = 0;
  for (std::size_t first = 0; first < terms.size(); first += static_cast<std::size_t>(run))
    total += sum_in_register(terms.subspan(first, std::min(static_cast<std::size_t>(run), terms.size() - first)), bits, saturating, 0);
  return total;
}

int signed_bits(std::int64_t low, std::int64_t high) {
  for (int bits = 1; bits < 64; ++bits)
    if (saturate_to(low, bits) == low && saturate_to(high, bits) == high) return bits;
  return 64;
}

}  // namespace tiebreak::oracle
