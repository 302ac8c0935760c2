// SPDX-License-Identifier: Apache-2.0
// Rule `stairs` in a case file: the op, profile and operands whose stairs an input walks.
#pragma once
#include <functional>

#include "testsuite/generate/generate.hpp"
#include "testsuite/text/json_value.hpp"

namespace tiebreak {

/// What the case around an input says.
struct InputContext {
  const Library* library = nullptr;
  std::string op{};  ///< "" of programs
  int version = 0;
  std::vector<TensorType> results{};
};

/// Keys of the rule beside those of every rule.
const std::vector<std::string>& stairs_keys();
/// `made` gives the other inputs of the case by name; nullopt where there is none.
using OtherInput = std::function<Result<std::optional<Tensor>>(const std::string& name)>;
Result<StairsOf> read_stairs(const JsonValue& rule, const std::string& input, const TensorType& type, const InputContext& context,
                             const AttributeMap& attributes, const OtherInput& made);

}  // namespace tiebreak
