// SPDX-License-Identifier: Apache-2.0
// Input rules: a case names a rule ("ties", "edges", "random" ...) instead of listing numbers. Every rule is deterministic:
// the same request gives the same codes on every machine and in every version, with a pseudo-random generator of our own.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// Whose stairs rule `stairs` makes: an op of one number under a profile, `varied` being the operand that runs.
struct StairsOf {
  const Library* library = nullptr;
  std::string profile = "reference";
  std::map<std::string, std::string> choices{};  ///< bound beside the profile's, by key
  OpCall call{};                                 ///< operands in page order; `varied` has any value of its type
  std::vector<std::string> operands{};           ///< names of the operands, in page order
  std::string varied;
};

/// What a case says about one input. `numbers` and `operands` hold the keys that the rule knows (find_rule).
struct InputRequest {
  std::string rule;
  TensorType type;
  std::uint64_t seed = 1;
  std::map<std::string, Real> numbers{};            ///< min, max, start, step, value
  std::map<std::string, const Tensor*> operands{};  ///< of, zero_point, x_scale, w_scale, y_scale, weights: other inputs of the case
  std::optional<ElementType> output{};              ///< range the ties are made for; else the zero point's type, else u8
  std::int64_t axis = 1;                            ///< of the op: which scale belongs to an element
  std::int64_t block_size = 0;
  std::string where{};
  std::optional<StairsOf> stairs{};  ///< of rule `stairs`
  Stop stop{};                       ///< looked at between elements
};

/// One rule: its word in a case file, what it makes in one line, and the keys it takes beside type, shape, rule and seed.
struct InputRule {
  std::string name;
  std::string description;
  std::vector<std::string> numbers;
  std::vector<std::string> operands;
  std::vector<std::string> required;
  bool takes_output = false;
  Result<Tensor> (*make)(const InputRequest& request) = nullptr;
  bool takes_stairs = false;  ///< keys op, profile, choices, operands, attributes, result, varied
};

const std::vector<InputRule>& input_rules();
/// Errc::unknown_name with the nearest rule.
Result<const InputRule*> find_rule(const std::string& name, const std::string& where);
Result<Tensor> generate_input(const InputRequest& request);

}  // namespace tiebreak
