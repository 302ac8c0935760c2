// SPDX-License-Identifier: Apache-2.0
// Which Arm NN layer stands for which op.
#pragma once
#include "tools/adapters/armnn/network.hpp"

namespace tiebreak::armnn_calls {

OpCalls layer_calls(Device device);

}  // namespace tiebreak::armnn_calls
