// SPDX-License-Identifier: Apache-2.0
// Trees over items in their order, with start values anywhere and any number of them. V(i, j), what trees over items i to j give, is the least set that
// holds the item (i = j), body(V(i, k), V(k + 1, j)) for all k, and body of its members with E on either side, where E is what trees of start values
// alone give. All problems take the same length together, so that the body is run for many pairs at once.
#include <algorithm>
#include <map>

#include "interpreter/orders/legal_fold.hpp"

namespace tiebreak::regions {
namespace {

constexpr std::size_t most_leaves = 256;
constexpr std::size_t most_ranges = 1 << 20;  // at the same time

/// A set that grows; whether a number is in it is known at once.
class GrowingSet {
 public:
  bool add(BodyValue id) {
    if (seen_.size() <= id) seen_.resize(id + 1, 0);
    if (seen_[id] == stamp_) return false;
    seen_[id] = stamp_;
    members_.push_back(id);
    return true;
  }
  void clear() { members_.clear(), ++stamp_; }
  const std::vector<BodyValue>& members() const { return members_; }
  ValueSet sorted() const {
    ValueSet set = members_;
    std::ranges::sort(set);
    return set;
  }

 private:
  std::vector<std::uint32_t> seen_{};
  std::uint32_t stamp_ = 1;
  std::vector<BodyValue> members_{};
};

/// What trees of start values alone give; nothing where the limits are passed.
Result<std::optional<ValueSet>> start_set(ValueTable& table, BodyValue start, const SetLimits& limits) {
  GrowingSet set;
  set.add(start);
  for (std::size_t grown = 0; grown < set.members().size();) {
    const std::size_t size = set.members().size();
    if (size > limits.starts) return std::optional<ValueSet>();
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < size; ++k)
        if (i >= grown || k >= grown) table.joined(set.members()[i], set.members()[k]);
    TIEBREAK_CHECK(table.run_wanted());
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < size; ++k)
        if (i >= grown || k >= grown) set.add(*table.joined(set.members()[i], set.members()[k]));
    grown = size;
  }
  return std::optional(set.sorted());
}

class TreeRun {
 public:
  TreeRun(ValueTable& table, const FoldProblem& problem, const ValueSet& starts, const SetLimits& limits, std::size_t& spent)
      : table_(table), problem_(problem), starts_(starts), limits_(limits), spent_(spent), ranges_(count() * (count() + 1) / 2) {}

  std::size_t count() const { return problem_.items.size(); }
  bool failed() const { return failed_; }

  /// All ranges of this length; false: pairs are wanted.
  bool grow_ranges(std::size_t length, GrowingSet& set) {
    bool complete = true;
    for (std::size_t first = 0; first + length <= count() && !failed_; ++first) complete &= grow_range(first, first + length - 1, set);
    return complete;
  }

  std::optional<ValueSet> result() const {
    if (failed_) return std::nullopt;
    return count() == 0 ? starts_ : ranges_[place(0, count() - 1)];
  }

 private:
  std::size_t place(std::size_t first, std::size_t last) const { return last * (last + 1) / 2 + first; }

  bool join(GrowingSet& set, BodyValue a, BodyValue b) {
    if (++pairs_ > limits_.pairs || ++spent_ > limits_.all_pairs || table_.pairs() > limits_.runs) failed_ = true;
    const auto joined = table_.joined(a, b);
    if (joined && set.add(*joined) && set.members().size() > limits_.members) failed_ = true;
    return joined.has_value();
  }

  bool grow_range(std::size_t first, std::size_t last, GrowingSet& set) {
    set.clear();
    bool complete = true;
    if (first == last) set.add(problem_.items[first]);
    for (std::size_t k = first; k < last; ++k)
      for (BodyValue a : ranges_[place(first, k)])
        for (BodyValue b : ranges_[place(k + 1, last)]) {
          if (failed_) return true;
          complete &= join(set, a, b);
        }
    for (std::size_t i = 0; i < set.members().size(); ++i)
      for (BodyValue start : starts_) {
        if (failed_) return true;
        const BodyValue member = set.members()[i];
        complete &= join(set, member, start);
        complete &= join(set, start, member);
      }
    ranges_[place(first, last)] = set.sorted();
    return complete;
  }

  ValueTable& table_;
  const FoldProblem& problem_;
  const ValueSet& starts_;
  const SetLimits& limits_;
  std::size_t& spent_;
  std::vector<ValueSet> ranges_;
  std::size_t pairs_ = 0;
  bool failed_ = false;
};

/// Repeats `grow` of every run until no pair is wanted.
template <class Grow>
Status settle(ValueTable& table, std::vector<TreeRun>& runs, Grow grow) {
  std::vector<std::uint8_t> complete(runs.size(), 0);
  for (;;) {
    for (std::size_t r = 0; r < runs.size(); ++r)
      if (complete[r] == 0 && !runs[r].failed()) complete[r] = grow(runs[r]) ? 1 : 0;
    if (!table.has_wanted()) return {};
    TIEBREAK_CHECK(table.run_wanted());
  }
}

Status run_batch(ValueTable& table, std::vector<TreeRun>& runs) {
  GrowingSet set;
  std::size_t longest = 0;
  for (const TreeRun& run : runs) longest = std::max(longest, run.count());
  for (std::size_t length = 1; length <= longest; ++length) TIEBREAK_CHECK(settle(table, runs, [&](TreeRun& run) { return run.grow_ranges(length, set); }));
  return {};
}

}  // namespace

Result<FoldSets> tree_sets(ValueTable& table, const std::vector<FoldProblem>& problems, const SetLimits& limits) {
  FoldSets sets;
  std::map<BodyValue, std::optional<ValueSet>> starts;
  for (const FoldProblem& problem : problems) {
    if (starts.contains(problem.start)) continue;
    TIEBREAK_TRY(set, start_set(table, problem.start, limits));
    starts[problem.start] = std::move(set);
  }
  std::size_t spent = 0;
  for (std::size_t begin = 0; begin < problems.size();) {
    std::vector<TreeRun> runs;
    std::vector<std::size_t> owners;
    std::size_t ranges = 0, end = begin;
    for (; end < problems.size() && ranges < most_ranges; ++end) {
      const std::size_t n = problems[end].items.size();
      const auto& alone = starts.at(problems[end].start);
      if (n > most_leaves || !alone) continue;
      ranges += n * (n + 1) / 2;
      runs.emplace_back(table, problems[end], *alone, limits, spent);
      owners.push_back(end);
    }
    TIEBREAK_CHECK(run_batch(table, runs));
    sets.resize(end);
    for (std::size_t r = 0; r < runs.size(); ++r) sets[owners[r]] = runs[r].result();
    begin = end;
  }
  return sets;
}

}  // namespace tiebreak::regions
