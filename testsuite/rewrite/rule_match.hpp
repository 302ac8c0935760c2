// SPDX-License-Identifier: Apache-2.0
// A rule's program found in another program, from its result upwards.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "testsuite/rewrite/rule_pattern.hpp"

namespace tiebreak {

constexpr std::size_t no_operation = static_cast<std::size_t>(-1);

/// What the program before the rewrite stands for in the other.
struct RuleMatch {
  std::vector<ValueId> values{};              ///< by value of the program before; -1: the result does not depend on it
  std::vector<std::size_t> operations{};      ///< by operation of the program before; no_operation: the result does not depend on it
  std::map<Shape, std::set<Shape>> shapes{};  ///< of the rule -> those that its values have there
};

/// How exactly numbers are compared.
struct MatchQuestion {
  const RulePage& page;
  const Program& before;
  const std::map<std::string, std::vector<ParameterPlace>>& open;  ///< places whose numbers are not compared; empty: all are
};

/// The program before with its result at that operation: the same operations with the same attributes on the same constants, operands in the order that is
/// written. Element types, quantized types and constants are the same; shapes may be others, as long as rank 0 stays rank 0. A constant of one number all
/// over stands for such a constant of any shape. nullopt where it is not there.
std::optional<RuleMatch> match_rule(const MatchQuestion& question, const Program& program, std::size_t operation);

/// Who computes each value: `no_operation` of inputs and constants.
std::vector<std::size_t> producers_of(const Program& program);

/// Whether the rule lets this constant be any other.
bool is_any_value(const RulePage& page, const ProgramValue& value);
/// One type, one content.
bool same_tensor(const Tensor& a, const Tensor& b);
/// All elements are the first one.
bool is_one_number(const Tensor& tensor);
/// A tensor of another shape whose elements all are the first one of this; itself where the shape is beyond the limits.
Tensor repeated(const Tensor& number, const Shape& shape);

/// The type of a value, where it is known.
std::optional<TensorType> type_of_value(const Program& program, ValueId id);

}  // namespace tiebreak
