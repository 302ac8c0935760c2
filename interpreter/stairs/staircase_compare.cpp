// SPDX-License-Identifier: Apache-2.0
// Two staircases walked side by side: counting over all inputs costs as many steps as they have.
#include <algorithm>

#include "interpreter/exact/magnitude.hpp"
#include "interpreter/stairs/staircase.hpp"

namespace tiebreak {
namespace {

/// Calls visit(first, last, value of a, value of b) for every run of inputs on which neither changes.
template <class Visit>
void walk(const Staircase& a, const Staircase& b, Visit visit) {
  std::size_t i = 0, j = 0;
  std::int64_t first = std::max(a.input.first, b.input.first);
  const std::int64_t end = std::min(a.input.last, b.input.last);
  if (first > end) return;
  i = a.step_of(first);
  j = b.step_of(first);
  for (;;) {
    std::int64_t last = end;
    if (i + 1 < a.starts.size()) last = std::min(last, a.starts[i + 1] - 1);
    if (j + 1 < b.starts.size()) last = std::min(last, b.starts[j + 1] - 1);
    visit(first, last, a.values[i], b.values[j]);
    if (last == end) return;
    first = last + 1;
    if (i + 1 < a.starts.size() && a.starts[i + 1] == first) ++i;
    if (j + 1 < b.starts.size() && b.starts[j + 1] == first) ++j;
  }
}

/// The input of least magnitude in a run.
std::int64_t nearest_zero(std::int64_t first, std::int64_t last) { return first > 0 ? first : last < 0 ? last : 0; }

bool at_end(std::int64_t value, const OrderedType& type) { return value == type.first || value == type.last; }

}  // namespace

Disagreement compare(const Staircase& a, const Staircase& b) {
  Disagreement result;
  result.proved = a.proof != StairProof::sampled && b.proof != StairProof::sampled;
  walk(a, b, [&](std::int64_t first, std::int64_t last, std::int64_t x, std::int64_t y) {
    const std::uint64_t size = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
    result.total += size;
    if (x == outcome_undefined || y == outcome_undefined) {
      result.undefined += size;
      if (x != y) result.one_sided += size;
      return;
    }
    const bool special = is_special(x) || is_special(y);
    const bool unsaturated = !special && !at_end(x, a.output) && !at_end(y, b.output);
    if (unsaturated) result.unsaturated += size;
    if (x == y) return;
    result.count += size;
    if (!special && !unsaturated) result.saturated += size;
    if (unsaturated && x - y >= -1 && x - y <= 1) result.unsaturated_by_one += size;
    if (special || x - y > 1 || y - x > 1) result.by_more += size;
    else (y < x ? result.by_minus_one : result.by_plus_one) += size;
    if (!special) result.largest = std::max(result.largest, y > x ? y - x : x - y);
    const std::int64_t witness = nearest_zero(first, last);
    // Of a positive and a negative input of one magnitude the positive one is shown.
    if (!result.witness || magnitude(witness) < magnitude(*result.witness) || (magnitude(witness) == magnitude(*result.witness) && witness > *result.witness)) {
      result.witness = witness;
      result.witness_first = x;
      result.witness_second = y;
    }
  });
  if (a.at_nan && b.at_nan) result.nan_differs = *a.at_nan != *b.at_nan && *a.at_nan != outcome_undefined && *b.at_nan != outcome_undefined;
  return result;
}

std::vector<DifferingRun> differing_runs(const Staircase& a, const Staircase& b, std::size_t limit) {
  std::vector<DifferingRun> runs;
  walk(a, b, [&](std::int64_t first, std::int64_t last, std::int64_t x, std::int64_t y) {
    if (x == y || x == outcome_undefined || y == outcome_undefined || runs.size() >= limit) return;
    runs.push_back({first, last, x, y});
  });
  return runs;
}

}  // namespace tiebreak
