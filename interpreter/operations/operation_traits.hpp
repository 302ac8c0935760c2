// SPDX-License-Identifier: Apache-2.0
// What an operation of the notation is, at one place: its value, between which numbers it lies, how it moves with its arguments, what carries it, and
// its loops over machine numbers. Every walk over a formula asks here; a new operation is a record in one of the files of this room, and a NodeOp.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/operations/carrier.hpp"
#include "interpreter/operations/lane_loops.hpp"
#include "interpreter/operations/node.hpp"
#include "interpreter/operations/number_range.hpp"

namespace tiebreak {

/// How a result moves when one argument grows and the others stand still.
enum class Course : std::uint8_t {
  unknown,
  rises,  ///< never falls
  falls,
  rises_where_number,  ///< rises among the arguments for which it is a number: sqrt, log
  falls_above_zero,
  with_other,     ///< rises where the other argument is positive, falls where it is negative
  against_other,  ///< the divisor: the other way round, on either side of zero
  with_own,       ///< rises above zero, falls below
};

/// What a formula gets from it: integers have one zero, truth values are no numbers.
enum class Gives : std::uint8_t { number, integer, integer_of_integers, truth };

struct OperationTraits {
  NodeOp op = NodeOp::constant;
  std::string_view word{};  ///< by which formulas call it; empty where it is a sign (a + b) or a form of its own
  int arguments = 2;
  Gives gives = Gives::number;
  bool each = false;  ///< each.F reaches its arguments
  /// Of arguments that are defined; truth values where truth is asked for.
  Result<Value> (*value)(const Node& node, std::span<const Value> args) = nullptr;
  Course (*course)(const Node& node, std::size_t argument) = nullptr;                          ///< nullptr: unknown
  ValueRange (*range)(const Node& node, std::span<const ValueRange> args) = nullptr;           ///< nullptr: anything
  std::optional<bool> (*truth)(const Node& node, std::span<const ValueRange> args) = nullptr;  ///< of comparisons: nullopt where it is not known
  Bounds (*bounds)(const Node& node, std::span<const Bounds> args) = nullptr;                  ///< nullptr: exact values
  LaneLoops loops{};
};

/// The record of an operation; nullptr for what has no value of its own: constants, elements, places, what is carried, aggregates.
const OperationTraits* find_traits(NodeOp op);
/// By the word of the notation.
const OperationTraits* find_traits(std::string_view word);

/// The one meaning of every operation. Undefined in, undefined out.
Result<Value> apply_node(const Node& node, std::span<const Value> args);
inline Result<Value> apply_node(const Node& node, const std::vector<Value>& args) { return apply_node(node, std::span<const Value>(args)); }

inline Course course_of(const Node& node, std::size_t argument) {
  const OperationTraits* operation = find_traits(node.op);
  return operation != nullptr && operation->course != nullptr ? operation->course(node, argument) : Course::unknown;
}

}  // namespace tiebreak
