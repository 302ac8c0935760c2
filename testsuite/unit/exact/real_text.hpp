// SPDX-License-Identifier: Apache-2.0
// Reals as tests write them.
#pragma once
#include <gtest/gtest.h>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

inline Real real_of(const char* text) {
  auto v = Real::parse(text);
  EXPECT_TRUE(v.has_value()) << text;
  return v ? *v : Real::nan();
}

}  // namespace tiebreak
