// SPDX-License-Identifier: Apache-2.0
// Elements that lie outside of their operand at some items of a cell: such an item is in no bag.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

class Holes {
 public:
  explicit Holes(const Formula& formula) {
    for (const Node& node : formula.nodes) {
      if (node.op != NodeOp::element || !node.args.empty()) continue;
      const Access& access = formula.sources[static_cast<std::size_t>(node.source)].access;
      if (!access.may_miss) continue;
      accesses_.push_back(&access);
      sources_.push_back(node.source);
    }
  }

  bool empty() const { return accesses_.empty(); }

  /// Whether this operand, a source of the formula, misses any; whether another one does.
  bool of(int source) const { return std::ranges::find(sources_, source) != sources_.end(); }
  bool of_another(int source) const {
    return std::ranges::any_of(sources_, [source](int own) { return own != source; });
  }

  /// The cell coordinates on which it depends where the holes are.
  std::uint64_t cell_rate() const {
    std::uint64_t rate = 0;
    for (const Access* access : accesses_) rate |= access->cell_rate();
    return rate;
  }

  bool at(std::span<const std::int64_t> cell, std::span<const std::int64_t> item) const {
    return std::ranges::any_of(accesses_, [&](const Access* access) { return access->offset(cell, item) < 0; });
  }

 private:
  std::vector<const Access*> accesses_{};
  std::vector<int> sources_{};  ///< of each
};

}  // namespace tiebreak
