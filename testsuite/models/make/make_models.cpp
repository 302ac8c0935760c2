// SPDX-License-Identifier: Apache-2.0
// tiebreak-make-models FOLDER: writes the small models.
#include <cstdio>

#include "testsuite/models/small_models.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: tiebreak-make-models FOLDER\n", stderr);
    return 2;
  }
  const auto written = tiebreak::models::write_small_models(argv[1]);
  if (written) return 0;
  std::fprintf(stderr, "tiebreak-make-models: %s\n", tiebreak::to_text(written.error()).c_str());
  return 2;
}
