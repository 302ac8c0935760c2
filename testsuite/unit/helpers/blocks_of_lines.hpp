// SPDX-License-Identifier: Apache-2.0
// One side of a product as the kernels take it, with what must be readable around its numbers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/simd/integer_product.hpp"

namespace tiebreak {

/// How lines lie in memory.
enum class Lay { rows, neighbours, two_runs, every_second };

template <class Number>
struct BlockOfLines {
  std::vector<Number> numbers;
  std::vector<std::int64_t> lines, items;
  simd::Lines<Number> side() const { return {numbers.data() + simd::slack, lines, items}; }
  Number at(std::size_t line, std::size_t item) const { return side().data[lines[line] + items[item]]; }
};

/// `number` gives each number in turn.
template <class Number, class F>
BlockOfLines<Number> block_of(std::int64_t lines, std::int64_t items, Lay lay, F number) {
  BlockOfLines<Number> block;
  const std::int64_t pitch = lay == Lay::every_second ? 2 * lines : lines + 5;
  for (std::int64_t n = 0; n < lines; ++n)
    block.lines.push_back(lay == Lay::rows ? n * items : lay == Lay::every_second ? 2 * n : lay == Lay::two_runs && n >= lines / 2 ? n + 4 : n);
  for (std::int64_t i = 0; i < items; ++i) block.items.push_back(lay == Lay::rows ? i : i * pitch);
  block.numbers.resize(static_cast<std::size_t>(block.lines.back() + block.items.back() + 1 + 2 * simd::slack));
  for (Number& n : block.numbers) n = static_cast<Number>(number());
  return block;
}

/// Some of the items, which then follow each other only in part.
template <class Number>
BlockOfLines<Number> with_gaps(BlockOfLines<Number> block) {
  std::erase_if(block.items, [&](std::int64_t item) { return item / (block.items[1] - block.items[0]) % 7 == 3; });
  return block;
}

/// Places of sums: row-major, or one column after the other.
inline std::vector<std::int64_t> steps_of(std::size_t count, std::size_t step) {
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(static_cast<std::int64_t>(i * step));
  return all;
}

/// check() by every instruction set that this processor has, and the one in use again after them.
template <class F>
void by_each_instruction_set(F check) {
  for (const std::string& set : simd::instruction_sets())
    if (simd::use_instruction_set(set)) check(set);
  simd::use_instruction_set("");
}

}  // namespace tiebreak
