// SPDX-License-Identifier: Apache-2.0
// How named systems derive a scale and a zero point from a range. Names are those of the profiles.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

struct DerivedParameters {
  double scale = 1;
  std::optional<std::int64_t> zero_point{};  ///< nothing where the system divides zero by zero
};

using ParameterFunction = DerivedParameters (*)(float low, float high, CodeRange codes);
struct ParameterVariant {
  const char* name;
  ParameterFunction function;
};
std::span<const ParameterVariant> parameter_variants();

/// MLIR's first quantizer: widens the step by bisection until both ends are covered by whole steps from zero. No page says it: the notation
/// has no loops.
DerivedParameters bisected_parameters(double low, double high, int steps, int least_code);

}  // namespace tiebreak::oracle
