// SPDX-License-Identifier: Apache-2.0
// Sums of products of 16-bit integers, many rows against many columns, by the widest instructions of the processor at hand. Plain numbers in memory:
// what they mean, and that nothing can overflow, is the caller's proof.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/simd/lines.hpp"

namespace tiebreak::simd {

/// Columns that are multiplied at once.
constexpr std::int64_t panel_columns = 16;

using Side = Lines<std::int16_t>;

/// Numbers that differ by less than 256: each is its byte and `base`. base and base + 255 are numbers of 16 bits.
struct ByteSide {
  Lines<std::uint8_t> bytes{};
  std::int16_t base = 0;
};

/// sums(r, c) += the sum over items of rows(r, i) * columns(c, i), modulo 2^32: exactly where the caller has proved that the sum lies in 32 bits, as partial
/// sums may wrap on their way. Both sides have the same number of items. Columns whose lines follow each other in memory are read fastest.
void add_products(const Side& rows, const Side& columns, const Sums<std::int32_t>& sums);
void add_products(const ByteSide& rows, const ByteSide& columns, const Sums<std::int32_t>& sums);
/// The same of 64 bits: the caller has proved that the sum of any `run` consecutive products (2 or more) lies in 32 bits.
void add_products(const Side& rows, const Side& columns, const Sums<std::int64_t>& sums, std::int64_t run);
void add_products(const ByteSide& rows, const ByteSide& columns, const Sums<std::int64_t>& sums, std::int64_t run);

/// The instruction sets that this processor has and the kernel was compiled for, the one in use first: AVX3_DL, AVX3, AVX2 ...
std::vector<std::string> instruction_sets();
/// Lets the kernel use this one instead, for tests; false where there is no such set. An empty name gives the choice back.
bool use_instruction_set(const std::string& name);

}  // namespace tiebreak::simd
