// SPDX-License-Identifier: Apache-2.0
// Whether a function has stairs that are known already. Two inputs a step are enough, which is cheaper than to search for the function's own stairs.
#pragma once
#include "interpreter/stairs/staircase.hpp"

namespace tiebreak {

struct StairCheck {
  bool equal = false;                        ///< proved for every input
  std::optional<std::int64_t> differs_at{};  ///< of least magnitude among the inputs that were looked at
  std::int64_t value = 0;                    ///< the function's there
  bool differs_at_nan = false;
  std::string reason{};  ///< of neither: why nothing is proved
};

/// Both ends of every step are compared; between them the function is constant where its formula is monotone. Where that is not known,
/// domains of at most 2^16 inputs are compared whole.
Result<StairCheck> check_stairs(ScalarFunction& function, const Staircase& known, const StaircaseLimits& limits = {});

/// Without stairs: some thousand inputs, dense near zero and at the ends. Finds differences, proves nothing.
Result<StairCheck> check_samples(ScalarFunction& first, ScalarFunction& second);

}  // namespace tiebreak
