// SPDX-License-Identifier: Apache-2.0
// What kernels need to bring lines of numbers together, and their sums back where they belong.
#pragma once
#include <algorithm>
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

/// Some of a span from here on, at most so many.
inline std::span<const std::int64_t> some_from(std::span<const std::int64_t> all, std::int64_t first, std::int64_t most) {
  return all.subspan(static_cast<std::size_t>(first), std::min(static_cast<std::size_t>(most), all.size() - static_cast<std::size_t>(first)));
}

/// In equal parts of at most `most` each, as far as multiples of `unit` allow: how many a part has.
inline std::int64_t even_part(std::int64_t all, std::int64_t most, std::int64_t unit) {
  const std::int64_t parts = std::max<std::int64_t>(1, (all + most - 1) / most), part = (all + parts - 1) / parts;
  return (part + unit - 1) / unit * unit;
}

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
  std::span<const std::int64_t> lines;
  std::int64_t one = 0, two = 0;  ///< what the first and the second run add to the number of a column
  std::int64_t first;             ///< columns in the first run; as many as a panel has where it is the only one
  bool two_runs = true;           ///< what follows is one run, too

  Neighbours(std::span<const std::int64_t> lines_of_panel, std::int64_t panel) : lines(lines_of_panel), one(lines[0]), two(one), first(panel) {
    std::int64_t breaks = 0;
    for (std::size_t c = 1; c < lines.size(); ++c)
      if (lines[c] != lines[c - 1] + 1 && ++breaks == 1) {
        first = static_cast<std::int64_t>(c);
        two = lines[c] - first;
      }
    two_runs = breaks <= 1;
  }
};

/// The panels of some columns.
inline std::vector<Neighbours> panels_of(std::span<const std::int64_t> lines, std::int64_t panel) {
  std::vector<Neighbours> panels;
  for (std::int64_t c = 0; c < static_cast<std::int64_t>(lines.size()); c += panel) panels.emplace_back(some_from(lines, c, panel), panel);
  return panels;
}

inline bool are_neighbours(std::span<const std::int64_t> places) {
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i] != places[i - 1] + 1) return false;
  return true;
}

/// What a sum becomes where a part of it comes: the part is added, modulo 2^32 or in 64 bits, or is all of it. No lambdas within a kernel, which are compiled
/// for its instruction set and then not inlined into what is compiled for all.
struct Added {
  std::int64_t operator()(std::int64_t sum, std::int32_t part) const { return sum + part; }
  std::int32_t operator()(std::int32_t sum, std::int32_t part) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(part));
  }
};
struct Replaced {
  template <class Part>
  double operator()(double, Part part) const {
    return static_cast<double>(part);
  }
};

/// become(what is there, its part of the block) for the sums of some rows and columns, along memory where one of the two follows it. `block` is row-major.
template <class Become, class Number, class Part>
void add_block(const Part* block, std::int64_t stride, const Sums<Number>& sums) {
  constexpr Become become;
  if (are_neighbours(sums.columns)) {
    for (std::size_t r = 0; r < sums.rows.size(); ++r) {
      const Part* from = block + static_cast<std::int64_t>(r) * stride;
      Number* to = sums.data + sums.rows[r] + sums.columns[0];
      for (std::size_t c = 0; c < sums.columns.size(); ++c) to[c] = become(to[c], from[c]);
    }
    return;
  }
  for (std::size_t c = 0; c < sums.columns.size(); ++c)
    for (std::size_t r = 0; r < sums.rows.size(); ++r) {
      Number& to = sums.data[sums.rows[r] + sums.columns[c]];
      to = become(to, block[static_cast<std::int64_t>(r) * stride + static_cast<std::int64_t>(c)]);
    }
}

}  // namespace tiebreak::simd
