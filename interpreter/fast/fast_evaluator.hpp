// SPDX-License-Identifier: Apache-2.0
// The fast engine: columns of lanes instead of single values. It has the exact engine's value in every lane, because a carrier narrower than the
// exact value is chosen only with a proof (bounds.hpp), and every other operation goes through apply_node.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "interpreter/fast/cell_parts.hpp"
#include "interpreter/fast/enclosures.hpp"
#include "interpreter/fast/lane.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/formula/formula.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {

/// Bags of at most so many items go item by item over so many cells.
constexpr std::int64_t few_items = 64, cells_at_once = 4096;

class FastEvaluator {
 public:
  explicit FastEvaluator(const Formula& formula) : formula_(formula), bounds_(formula), enclosures_(formula, bounds_) {}
  FastEvaluator(const FastEvaluator&) = delete;
  FastEvaluator& operator=(const FastEvaluator&) = delete;

  /// Lanes are the cells [first, first + count).
  void set_cells(std::int64_t first, std::size_t count);
  /// Lanes are the cells [first, first + count), all of them at one item.
  void set_cells_at(std::int64_t item, std::int64_t first, std::size_t count);
  /// Lanes are the items [first, first + count) of one cell.
  void set_items(std::int64_t cell, std::int64_t first, std::size_t count);
  /// Lanes are the runs of some cells, all of one cell after those of another; `sums` are the values of the aggregate `id` over these runs.
  void set_runs(LaneSet lanes, NodeId id, Column sums);
  /// Lanes are places of operands: by source the offset of each lane, or nothing for sources that all nodes asked for read at one place or not at all.
  void set_offsets(std::size_t count, std::vector<std::vector<std::int64_t>> offsets);
  std::vector<std::vector<std::int64_t>> take_offsets() { return std::move(known_offsets_); }
  Result<const Column*> at(NodeId node);
  const LaneSet& lanes();
  std::size_t count() const { return lanes_.count; }
  /// Where a source is read; one offset where `uniform`.
  std::vector<std::int64_t> offsets_of(const Source& source, bool uniform);
  std::int64_t first_cell() const { return lanes_.first_cell; }  ///< -1 where lanes are no consecutive cells

 private:
  void set_lanes(LaneSet lanes);
  Result<Column> compute(NodeId node);
  std::optional<Column> by_loops(const Node& node, const std::vector<const Column*>& args, Carrier carrier);
  Result<Column> element(const Node& node);
  Column load(const Source& source, const std::vector<std::int64_t>& offsets, Carrier carrier);
  const CellParts* parts_of(std::size_t source);
  Result<std::optional<Column>> fused(const Node& node);
  Result<Column> index(const Node& node);
  Column count_items();
  Result<Column> aggregate(NodeId id);
  Result<std::optional<Column>> rounded_sum(const Node& node);
  Result<std::optional<Column>> rounded_enclosures(const Node& node);
  Result<Value> exact_lane(NodeId id, std::size_t lane);
  Column from_table(const Column& table, std::uint64_t rate);

  const Formula& formula_;
  BoundsTable bounds_;
  LaneSet lanes_{};
  std::vector<std::vector<std::int64_t>> known_offsets_{};                            ///< of set_offsets
  std::map<std::pair<std::size_t, std::int64_t>, std::optional<CellParts>> parts_{};  ///< by source and item
  std::map<const Source*, std::vector<double>> numbers_{};                            ///< of sources that are numbers of their own, where doubles carry them
  std::vector<std::unique_ptr<Column>> columns_{};
  std::map<NodeId, Column> tables_{};  ///< aggregates, and conversions of them, over all the coordinates of their rate
  Enclosures enclosures_;
  std::unique_ptr<ExactEvaluator> exact_{};  ///< for lanes that nothing else decides
  std::set<NodeId> unfit_{};                 ///< conversions of aggregates that have no table
};

/// All values of an aggregate, one for each combination of the cell coordinates in its rate, in row-major order.
Result<Column> aggregate_table(const Formula& formula, BoundsTable& bounds, NodeId id);

}  // namespace tiebreak
