// SPDX-License-Identifier: Apache-2.0
// One Arm NN layer as a network of its own: inputs, the layer, one output, loaded for a compute device and run once.
#pragma once
#include <armnn/ArmNN.hpp>

#include <functional>
#include <string>
#include <vector>

#include "tools/adapters/single_op/linear_ops.hpp"
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::armnn_calls {

/// Arm NN's own loops, or the Compute Library, which its packages have for ARM alone.
enum class Device { cpu_ref, cpu_acc };
std::string name_of(Device device);
/// Whether the packages that are installed have it.
bool is_there(Device device);

/// A tensor with its bytes.
struct Bound {
  armnn::TensorInfo info{};
  std::vector<std::uint8_t> bytes{};
};

armnn::TensorShape shape_of(const Shape& shape);
/// QAsymmS8 or QAsymmU8. A scale that is no positive number is unsupported.
Result<armnn::TensorInfo> info_of(const Quantization& quantization, const Shape& shape, const std::string& name);
armnn::TensorInfo float_info(const Shape& shape);
std::vector<std::uint8_t> bytes_of(const std::vector<float>& numbers);

/// Adds the layer to a network. Layers take their inputs in order.
using AddLayer = std::function<armnn::IConnectableLayer*(armnn::INetwork&)>;
/// The output's bytes. What the library refuses is unsupported, in its own words.
Result<OpAnswer> run_layer(Device device, const std::vector<Bound>& inputs, const armnn::TensorInfo& output, const AddLayer& add);

}  // namespace tiebreak::armnn_calls
