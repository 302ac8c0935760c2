// SPDX-License-Identifier: Apache-2.0
// Along which dimension weights have a scale for each output channel: read off the geometry of the operation that contracts them, so that no operator needs
// to be listed.
#pragma once
#include <cstddef>

#include "interpreter/formula/call.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The last dimension of the operand that follows the result's elements alone, where others run over what is summed; -1 where nothing of it is summed, or
/// where no formula says so (an op that runs regions).
int channel_axis(const Semantics& semantics, const OpCall& call, std::size_t operand);

}  // namespace tiebreak
