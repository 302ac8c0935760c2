// SPDX-License-Identifier: Apache-2.0
// The reference engine: one cell at a time, every value an extended real. Slow on purpose; everything else is compared with it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// What an aggregate starts from where the page says nothing; a fold has no start.
Value neutral(AggregateKind kind);
/// The operation by which it takes one more value; of a fold its own graph does.
NodeOp combining_op(AggregateKind kind);

class ExactEvaluator {
 public:
  explicit ExactEvaluator(const Formula& formula);

  /// Chooses the cell that at() speaks of.
  void set_cell(std::int64_t cell);
  /// Chooses an item of the bag, for results that vary over it. Items that are holes give undefined.
  void set_item(std::int64_t item);
  Result<Value> at(NodeId node);

  /// "" if the truth value holds for all coordinates it varies over, else a description of the first place where it does not.
  Result<std::string> holds_everywhere(NodeId node);

  const std::vector<std::int64_t>& cell() const { return cell_; }

 private:
  /// The coordinates a value belongs to, as numbers.
  struct Key {
    std::int64_t cell = -1, item = 0, block = 0;
    bool operator==(const Key&) const = default;
  };
  struct Memo {
    Key key{};
    Value value{};
  };
  /// An aggregate on its way: what is combined so far, or what waits to be combined in pairs.
  struct Running {
    Value total{};
    bool has_total = false;
    std::vector<Value> kept{};
  };
  Result<Running> begin(const Node& node);
  Status take(const Node& node, const Value& value, Running& running);
  Result<Value> finish(const Node& node, const Running& running);
  Result<Value> compute(NodeId node);
  Result<Value> element(const Node& node);
  Result<Value> aggregate(const Node& node);
  Result<Value> over_items(const Node& node, const std::vector<std::int64_t>& items);
  Result<Value> over_blocks(const Node& node);
  Result<Value> combine(const Node& node, const Value& a, const Value& b);
  Result<Value> pairwise(const Node& node, std::span<const Value> values);
  Result<Value> start_of(const Node& node, bool& has_start);
  Result<Value> carry(NodeId graph, const Value& first, const Value& second);
  const std::vector<std::int64_t>& bag();
  std::int64_t item_by_feature(std::int64_t place) const;
  std::vector<std::int64_t> items_between(AggregateOrder order, std::int64_t first, std::int64_t last);
  std::vector<std::int64_t> block_items(const Aggregate& aggregate, std::int64_t block);
  std::int64_t block_count(std::int64_t blocks, bool restart) const;
  Key key_of(std::uint64_t rate) const;

  const Formula& formula_;
  std::vector<Memo> memo_;
  std::vector<std::int64_t> cell_;
  std::vector<std::int64_t> item_;
  std::int64_t cell_number_ = 0;
  std::int64_t item_number_ = 0;
  std::int64_t block_number_ = 0;
  std::int64_t items_per_cell_ = 1;
  std::vector<std::int64_t> bag_{};  ///< of cell bag_cell_
  std::int64_t bag_cell_ = -1;
  std::vector<Value> carried_ = std::vector<Value>(2);
  std::vector<const Access*> missing_{};  ///< accesses whose holes are not in the bag
};

}  // namespace tiebreak
