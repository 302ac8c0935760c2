// SPDX-License-Identifier: Apache-2.0
// Calls of the qnn pages with generated operands, and the comparison of their results with the oracle's.
#pragma once
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak::qnn_test {

inline constexpr std::uint64_t seed = 20181127;

inline Tensor line(const std::string& type, const std::vector<std::int64_t>& values) {
  return codes_tensor(type, {static_cast<std::int64_t>(values.size())}, values);
}
inline Tensor integer(std::int64_t value) { return codes_tensor("i32", {}, {value}); }

inline Tensor number(float value) { return floats_tensor({}, {value}); }

/// All codes of an 8-bit type, least first.
inline std::vector<std::int64_t> all_codes(const std::string& type) {
  std::vector<std::int64_t> codes;
  for (std::int64_t code = 0; code < 256; ++code) codes.push_back(type == "i8" ? code - 128 : code);
  return codes;
}

inline Result<ResultTensor> run(const OpCall& call, const std::string& profile_name, const std::map<std::string, std::string>& bound = {},
                                Engine engine = Engine::fast) {
  auto library = spec_pages();
  auto found = library->find_profile(profile_name);
  if (!found) return tl::unexpected<Error>(found.error());
  Profile profile = **found;
  for (const auto& [key, alternative] : bound) profile.choices[key] = ProfileValue{.alternative = alternative};
  auto results = evaluate({*library, profile}, call, {.engine = engine});
  if (!results) return tl::unexpected<Error>(results.error());
  return std::move(results->front());
}

/// Elements where result and oracle part: another code, or only one of them undefined. The first is printed.
inline int wrong(const ResultTensor& result, const std::function<std::optional<std::int64_t>(std::int64_t)>& expected, const std::string& what) {
  constexpr std::int64_t none = INT64_MIN;  // no code of a result
  int count = 0;
  for (std::int64_t i = 0; i < result.tensor.size(); ++i) {
    const bool undefined = !result.undefined.empty() && result.undefined[static_cast<std::size_t>(i)] != 0;
    const std::int64_t page = undefined ? none : result.tensor.value(i).to_int64().value_or(none);
    const std::int64_t oracle = expected(i).value_or(none);
    if (page == oracle) continue;
    if (++count == 1) ADD_FAILURE() << what << " element " << i << ": page " << page << ", oracle " << oracle << " (" << none << " is undefined)";
  }
  return count;
}

}  // namespace tiebreak::qnn_test
