// SPDX-License-Identifier: Apache-2.0
// The parameters of a call as other libraries want them: numbers of operands with one element, lists of attributes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

inline const Tensor& operand(const OpCall& call, std::size_t index) { return *call.operands[index]; }
inline std::int32_t whole(const OpCall& call, std::size_t index) { return static_cast<std::int32_t>(*operand(call, index).value(0).to_int64()); }
inline float number(const OpCall& call, std::size_t index) { return static_cast<float>(operand(call, index).value(0).to_double()); }

inline std::vector<std::int64_t> integers(const OpCall& call, const char* name, std::vector<std::int64_t> otherwise) {
  const auto found = call.attributes.find(name);
  const auto list = found == call.attributes.end() ? std::nullopt : found->second.as_integers();
  return list ? *list : otherwise;
}

inline bool has_type(const OpCall& call, std::size_t index, const char* name) { return operand(call, index).element().name() == name; }

}  // namespace tiebreak
