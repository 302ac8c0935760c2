// SPDX-License-Identifier: Apache-2.0
// How a large result is filled, decided once for all of its elements.
#pragma once
#include <functional>

#include "interpreter/elementwise/inputs.hpp"
#include "interpreter/formula/call.hpp"

namespace tiebreak {

/// Fills a result of zeros, what the page requires included. The formula that it was made of and the tensors that this reads outlive it; their elements are
/// read when it runs. False: it has left the result as it was, which is to be filled cell by cell. Empty: there is no such plan. An error is that the
/// computation is not wanted any more.
using FillPlan = std::function<Result<bool>(ResultTensor&)>;

}  // namespace tiebreak
