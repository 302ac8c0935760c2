// SPDX-License-Identifier: Apache-2.0
// Which Arm NN layer stands for which op.
#pragma once
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::armnn_calls {

OpCalls layer_calls();

}  // namespace tiebreak::armnn_calls
