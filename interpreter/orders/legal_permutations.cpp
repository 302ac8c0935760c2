// SPDX-License-Identifier: Apache-2.0
// Items in any order, one after another from the start value on. What has arrived is known by how many of each value: S(none) is the start, S(A) holds
// body(S(A without u), u) for every u of A.
#include <algorithm>
#include <map>

#include "interpreter/orders/legal_fold.hpp"

namespace tiebreak::regions {
namespace {

constexpr std::size_t most_states = 1 << 14;  // of one problem: 14 different items

using Arrived = std::vector<std::uint16_t>;  ///< how many of each different item

class PermutationRun {
 public:
  PermutationRun(ValueTable& table, const FoldProblem& problem, const SetLimits& limits) : table_(table), limits_(limits), length_(problem.items.size()) {
    std::map<BodyValue, std::uint16_t> counts;
    for (BodyValue item : problem.items) ++counts[item];
    std::size_t states = 1;
    for (const auto& [item, count] : counts) {
      items_.push_back(item);
      counts_.push_back(count);
      states *= static_cast<std::size_t>(count) + 1;
      if (states > most_states) failed_ = true;
      if (failed_) return;
    }
    sets_[Arrived(items_.size(), 0)] = {problem.start};
  }

  std::size_t length() const { return length_; }
  bool failed() const { return failed_; }

  /// What one more arrival gives; false: pairs are wanted.
  bool step() {
    std::map<Arrived, ValueSet> next;
    bool complete = true;
    for (const auto& [arrived, values] : sets_)
      for (std::size_t i = 0; i < items_.size(); ++i) {
        if (arrived[i] == counts_[i]) continue;
        Arrived more = arrived;
        ++more[i];
        ValueSet& into = next[more];
        for (BodyValue value : values) {
          if (++pairs_ > limits_.pairs || table_.pairs() > limits_.runs) return failed_ = true;
          const auto joined = table_.joined(value, items_[i]);
          complete &= joined.has_value();
          if (!joined) continue;
          const auto place = std::ranges::lower_bound(into, *joined);
          if (place == into.end() || *place != *joined) into.insert(place, *joined);
        }
        if (into.size() > limits_.members) return failed_ = true;
      }
    if (complete) sets_ = std::move(next);
    return complete;
  }

  std::optional<ValueSet> result() const { return failed_ ? std::nullopt : std::optional(sets_.begin()->second); }

 private:
  ValueTable& table_;
  const SetLimits& limits_;
  std::size_t length_;
  std::vector<BodyValue> items_{};
  std::vector<std::uint16_t> counts_{};
  std::map<Arrived, ValueSet> sets_{};  ///< all states with as many arrivals
  std::size_t pairs_ = 0;
  bool failed_ = false;
};

}  // namespace

Result<FoldSets> permutation_sets(ValueTable& table, const std::vector<FoldProblem>& problems, const SetLimits& limits) {
  std::vector<PermutationRun> runs;
  std::size_t longest = 0;
  for (const FoldProblem& problem : problems) {
    runs.emplace_back(table, problem, limits);
    if (!runs.back().failed()) longest = std::max(longest, problem.items.size());
  }
  for (std::size_t done = 0; done < longest; ++done) {
    std::vector<std::uint8_t> complete(runs.size(), 0);
    for (;;) {
      for (std::size_t r = 0; r < runs.size(); ++r)
        if (complete[r] == 0 && done < runs[r].length() && !runs[r].failed()) complete[r] = runs[r].step() ? 1 : 0;
      if (!table.has_wanted()) break;
      TIEBREAK_CHECK(table.run_wanted());
    }
  }
  FoldSets sets;
  for (const PermutationRun& run : runs) sets.push_back(run.result());
  return sets;
}

}  // namespace tiebreak::regions
