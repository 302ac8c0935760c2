// SPDX-License-Identifier: Apache-2.0
// Accumulators of integer contractions by plain loops: the exact sum, its range by trying every code, and what a narrow register makes of it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "testsuite/oracle/contraction_oracle.hpp"

namespace tiebreak::oracle {

/// (a - a_zero) * (b - b_zero) of one row and one column, in the order of the depth.
std::vector<std::int64_t> products(std::span<const std::int32_t> row, std::span<const std::int32_t> column, std::int64_t row_zero, std::int64_t column_zero);

std::int64_t sum_of_codes(std::span<const std::int32_t> codes);

struct SumRange {
  std::int64_t low = 0, high = 0;
  bool operator==(const SumRange&) const = default;
};
/// Least and greatest sum of products where every element of the row takes each code from `least` to `greatest`; plus the bias.
SumRange range_of_sum(std::span<const std::int32_t> column, std::int64_t row_zero, std::int64_t column_zero, std::int32_t least, std::int32_t greatest,
                      std::int64_t bias);
/// The same by going through all rows there are: (greatest - least + 1) ^ depth of them.
SumRange range_by_all_rows(std::span<const std::int32_t> column, std::int64_t row_zero, std::int64_t column_zero, std::int32_t least, std::int32_t greatest,
                           std::int64_t bias);

/// A signed register of `bits` bits.
std::int64_t wrap_to(std::int64_t v, int bits);
std::int64_t saturate_to(std::int64_t v, int bits);
/// The sum in such a register: `run` terms are added exactly, then go through the register with what is there. run 1 is every step, run 0 the whole.
std::int64_t sum_in_register(std::span<const std::int64_t> terms, int bits, bool saturating, std::int64_t run);
/// Runs of terms go through the register each on its own and are added exactly.
std::int64_t sum_of_registers(std::span<const std::int64_t> terms, int bits, bool saturating, std::int64_t run);
/// The fewest bits of a signed register that holds both.
int signed_bits(std::int64_t low, std::int64_t high);

}  // namespace tiebreak::oracle
