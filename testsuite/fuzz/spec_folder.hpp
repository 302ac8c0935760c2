// SPDX-License-Identifier: Apache-2.0
// The pages and profiles of this build, for readers whose texts name ops, choices and systems.
#pragma once
#include <cstdio>
#include <cstdlib>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// Loaded once. A spec folder that does not load is no finding of a fuzzer, but nothing can be found without it either.
inline const Library& spec_folder() {
  static const std::shared_ptr<const Library> library = [] {
    auto loaded = Library::load(Library::default_directory());
    if (!loaded) {
      std::fprintf(stderr, "%s\n", to_text(loaded.error()).c_str());
      std::exit(2);
    }
    return *loaded;
  }();
  return *library;
}

/// libFuzzer calls it before the first input, whose time limit is not for loading.
extern "C" [[gnu::used]] inline int LLVMFuzzerInitialize(int*, char***) {
  spec_folder();
  return 0;
}

/// An error says what is wrong, and where.
inline void check_error(const Error& error) {
  if (error.what.empty() || error.where.empty()) std::abort();
}

}  // namespace tiebreak
