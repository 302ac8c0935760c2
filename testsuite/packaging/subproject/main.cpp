// SPDX-License-Identifier: Apache-2.0
// One exact number is enough to show that headers, libraries and link line arrive; the whole library is the other project's subject.
#include <cstdio>

#include "interpreter/exact/real.hpp"

int main() {
  const auto half = tiebreak::Real::parse("1/2");
  if (!half) return std::fprintf(stderr, "%s\n", tiebreak::to_text(half.error()).c_str()), 1;
  return half->is_whole() ? 1 : 0;
}
