// SPDX-License-Identifier: Apache-2.0
// The pages of this source tree, loaded once for all tests that only read them.
#pragma once
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

inline const Library& pages() {
  static const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  return **library;
}

}  // namespace tiebreak
