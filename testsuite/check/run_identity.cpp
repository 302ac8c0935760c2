// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/run_identity.hpp"

#include <algorithm>
#include <iterator>

namespace tiebreak {

bool rests_on(const std::string& key) {
  static constexpr const char* keys[] = {"tool_version", "profile", "profile_hash", "policy", "seed", "engine"};  // only older reports have a profile_hash
  return key == "backend" || key.starts_with("backend_") || std::ranges::find(keys, key) != std::end(keys);
}

}  // namespace tiebreak
