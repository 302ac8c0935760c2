// SPDX-License-Identifier: Apache-2.0
// A call under both engines, which must agree, with some choices taken otherwise than by a profile.
#pragma once
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {

/// Where the call is refused, a failure, and one result without elements.
inline std::vector<ResultTensor> given_results(const OpCall& call, const std::map<std::string, std::string>& choices = {},
                                               const std::string& base = "reference") {
  auto results = evaluate({*spec_pages(), profile_with(choices, base)}, call, {.engine = Engine::both});
  EXPECT_TRUE(results) << call.op << " " << to_text(results.error());
  return results ? *std::move(results) : std::vector<ResultTensor>{ResultTensor{.name = "", .tensor = floats_line({})}};
}

inline ResultTensor given_result(const OpCall& call, const std::map<std::string, std::string>& choices = {}, const std::string& base = "reference") {
  return std::move(given_results(call, choices, base).front());
}

/// The types of so many results, all of which are asked for.
inline std::vector<std::optional<TensorType>> result_types(std::initializer_list<std::pair<const char*, Shape>> types) {
  std::vector<std::optional<TensorType>> all;
  for (const auto& [word, shape] : types) all.emplace_back(TensorType{*ElementType::parse(word), shape, {}});
  return all;
}

}  // namespace tiebreak
