// SPDX-License-Identifier: Apache-2.0
// What kernels need to bring lines of numbers together, and their sums back where they belong.
#pragma once
#include <memory>
#include <new>
#include <vector>

#include "interpreter/simd/lines.hpp"

namespace tiebreak::simd {

/// Numbers that begin at a cache line.
template <class Number>
class Buffer {
 public:
  explicit Buffer(std::int64_t size) : numbers_(new (std::align_val_t{64}) Number[static_cast<std::size_t>(size)]) {}
  Number* data() { return numbers_.get(); }

 private:
  struct Free {
    void operator()(Number* numbers) const { ::operator delete[](numbers, std::align_val_t{64}); }
  };
  std::unique_ptr<Number[], Free> numbers_;
};

/// Where items of a line follow each other in memory.
struct Run {
  std::int64_t begin, offset, length;
};

inline std::vector<Run> runs_of_items(std::span<const std::int64_t> items) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!runs.empty() && items[i] == runs.back().offset + runs.back().length) ++runs.back().length;
    else runs.push_back({static_cast<std::int64_t>(i), items[i], 1});
  }
  return runs;
}

/// Columns of one panel as runs of neighbours in memory: one, two, or more than are worth it.
struct Neighbours {
  std::int64_t first;    ///< columns in the first run; as many as a panel has where it is the only one
  bool two_runs = true;  ///< what follows is one run, too

  Neighbours(std::span<const std::int64_t> lines, std::int64_t panel) : first(panel) {
    std::int64_t breaks = 0;
    for (std::size_t c = 1; c < lines.size(); ++c)
      if (lines[c] != lines[c - 1] + 1 && ++breaks == 1) first = static_cast<std::int64_t>(c);
    two_runs = breaks <= 1;
  }
};

inline bool are_neighbours(std::span<const std::int64_t> places) {
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i] != places[i - 1] + 1) return false;
  return true;
}

/// sum_of(what is there, what is added) for the sums of some rows and columns, along memory where one of the two follows it. `block` is row-major.
template <class Number, class Part, class F>
void add_block(const Part* block, std::int64_t stride, const Sums<Number>& sums, F sum_of) {
  if (are_neighbours(sums.columns)) {
    for (std::size_t r = 0; r < sums.rows.size(); ++r) {
      const Part* from = block + static_cast<std::int64_t>(r) * stride;
      Number* to = sums.data + sums.rows[r] + sums.columns[0];
      for (std::size_t c = 0; c < sums.columns.size(); ++c) to[c] = sum_of(to[c], from[c]);
    }
    return;
  }
  for (std::size_t c = 0; c < sums.columns.size(); ++c)
    for (std::size_t r = 0; r < sums.rows.size(); ++r) {
      Number& to = sums.data[sums.rows[r] + sums.columns[c]];
      to = sum_of(to, block[static_cast<std::int64_t>(r) * stride + static_cast<std::int64_t>(c)]);
    }
}

}  // namespace tiebreak::simd
