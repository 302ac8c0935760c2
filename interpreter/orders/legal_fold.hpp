// SPDX-License-Identifier: Apache-2.0
// All that the orders of a fold give. Small folds: the set, by dynamic programming over ranges of items (trees) or over what has arrived (permutations).
// Long ones: by what is known of the body.
#pragma once
#include <optional>
#include <vector>

#include "interpreter/evaluate/fold_cells.hpp"
#include "interpreter/orders/legal_results.hpp"
#include "interpreter/orders/value_table.hpp"

namespace tiebreak::regions {

using ValueSet = std::vector<BodyValue>;  ///< ascending, each once

/// A start value with items in their order.
struct FoldProblem {
  BodyValue start = 0;
  std::vector<BodyValue> items{};
  bool operator<(const FoldProblem& other) const { return std::tie(start, items) < std::tie(other.start, other.items); }
};

/// How much is spent on sets.
struct SetLimits {
  std::size_t members = 4096;       ///< of one set
  std::size_t starts = 512;         ///< values that start values alone give
  std::size_t pairs = 1 << 24;      ///< looked up for one problem
  std::size_t all_pairs = 1 << 26;  ///< looked up for all problems together
  std::size_t runs = 1 << 18;       ///< of the body, for all problems together
};

using FoldSets = std::vector<std::optional<ValueSet>>;  ///< nothing where the limits are passed
Result<FoldSets> tree_sets(ValueTable& table, const std::vector<FoldProblem>& problems, const SetLimits& limits);
Result<FoldSets> permutation_sets(ValueTable& table, const std::vector<FoldProblem>& problems, const SetLimits& limits);

/// Fills in the elements that have no set yet, as far as the body is one operation whose order does not matter, or a float sum. `why` says how.
Status judge_by_body(const FoldCells& cells, std::vector<std::optional<LegalElement>>& elements, std::string& why);

/// The same for trees over integers of at most 8 bits, where the body rises.
Status judge_narrow(const FoldCells& cells, std::vector<std::optional<LegalElement>>& elements, std::string& why);

}  // namespace tiebreak::regions
