// SPDX-License-Identifier: Apache-2.0
// One function a rule, each in the file of its name.
#pragma once
#include "testsuite/generate/generate.hpp"

namespace tiebreak::generate {

Result<Tensor> ties(const InputRequest& request);
Result<Tensor> accumulator_ties(const InputRequest& request);
Result<Tensor> edges(const InputRequest& request);
Result<Tensor> specials(const InputRequest& request);
Result<Tensor> random(const InputRequest& request);
Result<Tensor> extremes(const InputRequest& request);
Result<Tensor> sequence(const InputRequest& request);
Result<Tensor> exact_ties(const InputRequest& request);
Result<Tensor> near_ties(const InputRequest& request);
Result<Tensor> saturation(const InputRequest& request);
Result<Tensor> zero_points(const InputRequest& request);
Result<Tensor> extreme_scales(const InputRequest& request);
Result<Tensor> large_accumulators(const InputRequest& request);
Result<Tensor> stairs(const InputRequest& request);
Result<Tensor> constant(const InputRequest& request);

}  // namespace tiebreak::generate
