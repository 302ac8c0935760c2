// SPDX-License-Identifier: Apache-2.0
// Dot products in accumulators of every kind, as loops over machine integers and floats. Names are the alternatives of quant.dot's
// accumulator.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace tiebreak::oracle {

struct DotArguments {
  std::span<const std::int32_t> a, b;
  std::int32_t a_zero_point = 0, b_zero_point = 0;
  int width = 32;
  bool a_unsigned = false;
};

/// Nothing where the accumulator traps or has no finite value.
using DotFunction = std::optional<std::int64_t> (*)(const DotArguments& arguments);
struct DotVariant {
  const char* name;
  DotFunction function;
};
std::span<const DotVariant> dot_variants();

}  // namespace tiebreak::oracle
