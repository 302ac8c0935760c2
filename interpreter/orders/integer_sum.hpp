// SPDX-License-Identifier: Apache-2.0
// The accumulator of a contraction, taken from its bound formula: the sum over the bag with what is added to it (a bias), as whole numbers. Every
// term is a polynomial of operands' codes, so that it is computed, and bounded over ranges of codes, without any rounding.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// Whole numbers from low to high. Empty where low > high.
struct IntegerInterval {
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  bool is_empty() const { return low > high; }
  void include(std::int64_t v);
  void include(const IntegerInterval& other);
  bool contains(std::int64_t v) const { return low <= v && v <= high; }
  /// The least n whose two's complement range has both ends; 0 of an empty interval.
  int signed_bits() const;
  bool operator==(const IntegerInterval&) const = default;
};

/// Codes that an operand's elements may take, each on its own.
struct OperandRange {
  std::string operand;
  IntegerInterval codes{};
};

class IntegerSum {
 public:
  /// Finds the sum that result `result` comes from. Errc::unsupported where there is none, where its terms are no whole numbers (floats, terms that
  /// wrap or saturate), or where a ranged operand stands in a term more than linearly.
  static Result<IntegerSum> find(const Formula& formula, std::size_t result, const std::vector<OperandRange>& ranges);

  NodeId node() const { return node_; }                 ///< whose value is sum * unit
  std::string text() const;                             ///< sum(p) + B
  std::string place() const;                            ///< page:line
  bool leaves_out_rounding() const { return rounds_; }  ///< the page rounds terms or partial sums to a float format
  /// Factors that do not vary over the items and are no whole numbers (scales): what one unit of the sum is worth.
  const std::vector<NodeId>& units() const { return units_; }

  /// Terms of one cell in the order of the bag, then what is added to the sum. Errc::limit beyond 63 bits.
  Status terms(std::int64_t cell, std::vector<std::int64_t>& out);
  /// The same with every ranged operand free: exact ends of each term. Elements of one cell's bag are different ones, so ends add up.
  Status extremes(std::int64_t cell, std::vector<IntegerInterval>& out);

 private:
  /// One operation on whole numbers; operands are earlier steps.
  struct Step {
    NodeOp op = NodeOp::constant;
    int first = -1, second = -1;
    std::int64_t constant = 0;
    int slot = -1;
  };
  /// One element that a term reads.
  struct Slot {
    int source = -1;
    int pad = -1;    ///< step that stands for a hole; -1: a hole removes the item
    int range = -1;  ///< which range its element may take any code of
  };
  struct Tape {
    std::vector<Step> steps{};
    std::vector<std::uint64_t> free{};  ///< by step: ranged slots it depends on
    std::map<NodeId, int> done{};       ///< steps of nodes that are there already
  };

  IntegerSum(const Formula& formula, const std::vector<OperandRange>& ranges) : formula_(&formula), ranges_(ranges) {}
  Result<int> lower(NodeId id, Tape& tape);
  Result<int> lower_new(NodeId id, Tape& tape);
  Result<int> lower_element(const Node& node, Tape& tape);
  Result<int> add_step(Tape& tape, Step step, const Node& node);
  bool is_unit(NodeId id) const;
  Status find_sum(NodeId result);
  void climb(NodeId result);
  Status read_source(int source);
  bool place_slots(const Tape& tape);
  Status run(const Tape& tape);
  Status span_of(const Tape& tape, IntegerInterval& span);
  tl::unexpected<Error> refuse(const std::string& what, const Node& node) const;

  const Formula* formula_;
  std::vector<OperandRange> ranges_;
  NodeId node_ = -1;
  bool rounds_ = false;
  std::vector<NodeId> units_{};
  Tape term_{}, addend_{};
  bool has_addend_ = false;
  bool subtracts_ = false;
  std::vector<Slot> slots_{};
  std::vector<std::vector<std::int64_t>> values_{};  ///< by source
  std::vector<std::int64_t> slot_values_{}, step_values_{};
  std::vector<bool> slot_holes_{};
  std::vector<std::int64_t> cell_{}, item_{};
};

}  // namespace tiebreak
