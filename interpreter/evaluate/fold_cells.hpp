// SPDX-License-Identifier: Apache-2.0
// What is folded, cell by cell: rows (reduce), windows (reduce_window), and the updates that land on an element (scatter, select_and_scatter). The order is
// decided elsewhere: one (run_fold), or every order that is right (legal_fold).
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "interpreter/evaluate/fold_line.hpp"
#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {

struct FoldCells {
  std::unique_ptr<RegionRun> body{};
  FoldOrder order{};
  std::vector<ResultTensor> starts{};   ///< per member, a value for each cell
  std::vector<ResultTensor> sources{};  ///< per member
  std::vector<ResultTensor> holes{};    ///< per member: the value of places outside the operand; empty where such places are passed over
  std::vector<std::int64_t> items{};    ///< elements of the sources, cell after cell; below zero: the hole
  std::vector<std::size_t> begins{};    ///< of each cell's items, and the end of the last
  Shape shape{};                        ///< of the results
  bool selection_open = false;          ///< which element a window selects depends on an order, too

  std::size_t cells() const { return begins.size() - 1; }
  std::span<const std::int64_t> items_of(std::size_t cell) const { return std::span(items).subspan(begins[cell], begins[cell + 1] - begins[cell]); }
};

/// By the structure of the page; nothing where the op folds nothing.
Result<std::optional<FoldCells>> fold_cells(const Context& context);

/// The results in one order.
Results run_fold(const FoldCells& cells, const FoldOrder& order);

}  // namespace tiebreak::regions
