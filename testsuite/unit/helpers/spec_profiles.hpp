// SPDX-License-Identifier: Apache-2.0
// The pages of this source tree with their profiles, and profiles that take some choices otherwise.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace tiebreak {

inline std::shared_ptr<const Library> spec_pages() {
  static const auto loaded = Library::load(std::string(TIEBREAK_SOURCE_DIR) + "/spec");
  EXPECT_TRUE(loaded) << (loaded ? "" : to_text(loaded.error()));
  return loaded ? *loaded : nullptr;
}

/// A profile with some choices taken otherwise.
inline Profile profile_with(const std::map<std::string, std::string>& choices, const std::string& base = "reference") {
  Profile profile = **spec_pages()->find_profile(base);
  for (const auto& [key, alternative] : choices) profile.choices[key] = ProfileValue{.alternative = alternative};
  return profile;
}

}  // namespace tiebreak
