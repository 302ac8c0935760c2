// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/armnn/network.hpp"

#include <cmath>
#include <cstring>

namespace tiebreak::armnn_calls {
namespace {

/// The messages of a refusal in one line.
std::string joined(const std::vector<std::string>& messages, const std::string& otherwise) {
  std::string text;
  for (const std::string& message : messages) text += (text.empty() ? "" : "; ") + message;
  return text.empty() ? otherwise : text;
}

armnn::INetworkPtr network_of(const std::vector<Bound>& inputs, const armnn::TensorInfo& output, const AddLayer& add) {
  armnn::INetworkPtr network = armnn::INetwork::Create();
  armnn::IConnectableLayer* layer = add(*network);
  for (unsigned int index = 0; index < inputs.size(); ++index) {
    armnn::IConnectableLayer* input = network->AddInputLayer(static_cast<int>(index));
    input->GetOutputSlot(0).Connect(layer->GetInputSlot(index));
    input->GetOutputSlot(0).SetTensorInfo(inputs[index].info);
  }
  layer->GetOutputSlot(0).Connect(network->AddOutputLayer(0)->GetInputSlot(0));
  layer->GetOutputSlot(0).SetTensorInfo(output);
  return network;
}

Result<OpAnswer> run_network(Device device, const std::vector<Bound>& inputs, const armnn::TensorInfo& output, const AddLayer& add) {
  armnn::IRuntimePtr runtime = armnn::IRuntime::Create(armnn::IRuntime::CreationOptions());
  const armnn::INetworkPtr network = network_of(inputs, output, add);
  std::vector<std::string> messages;
  armnn::IOptimizedNetworkPtr optimized(nullptr, nullptr);
  try {
    optimized = armnn::Optimize(*network, {armnn::BackendId(name_of(device))}, runtime->GetDeviceSpec(), armnn::OptimizerOptions(),
                                armnn::Optional<std::vector<std::string>&>(messages));
  } catch (const armnn::InvalidArgumentException& error) {
    return fail(Errc::unsupported, "Arm NN: " + joined(messages, error.what()));
  }
  if (!optimized) return fail(Errc::unsupported, "Arm NN: " + joined(messages, "the network cannot be optimized"));
  armnn::NetworkId id = 0;
  std::string refusal;
  if (runtime->LoadNetwork(id, std::move(optimized), refusal) != armnn::Status::Success) return fail(Errc::unsupported, "Arm NN: " + refusal);
  armnn::InputTensors in;
  for (unsigned int index = 0; index < inputs.size(); ++index) {
    in.emplace_back(static_cast<int>(index), armnn::ConstTensor(runtime->GetInputTensorInfo(id, static_cast<int>(index)), inputs[index].bytes.data()));
  }
  std::vector<std::uint8_t> result(output.GetNumBytes());
  const armnn::OutputTensors out{{0, armnn::Tensor(runtime->GetOutputTensorInfo(id, 0), result.data())}};
  if (runtime->EnqueueWorkload(id, in, out) != armnn::Status::Success) return fail(Errc::backend, "Arm NN: the workload failed");
  return answer_of(result, name_of(device));
}

}  // namespace

std::string name_of(Device device) { return device == Device::cpu_ref ? "CpuRef" : "CpuAcc"; }

bool is_there(Device device) {
  const armnn::IRuntimePtr runtime = armnn::IRuntime::Create(armnn::IRuntime::CreationOptions());
  return runtime->GetDeviceSpec().GetSupportedBackends().contains(armnn::BackendId(name_of(device)));
}

armnn::TensorShape shape_of(const Shape& shape) {
  std::vector<unsigned int> extents;
  for (std::int64_t extent : shape) extents.push_back(static_cast<unsigned int>(extent));
  if (extents.empty()) extents.push_back(1);
  return {static_cast<unsigned int>(extents.size()), extents.data()};
}

Result<armnn::TensorInfo> info_of(const Quantization& quantization, const Shape& shape, const std::string& name) {
  TIEBREAK_CHECK(one_scale(quantization, name));
  if (!std::isfinite(quantization.scale()) || quantization.scale() <= 0) return fail(Errc::unsupported, "the scale of " + name + " is no positive number");
  const auto type = quantization.is_signed ? armnn::DataType::QAsymmS8 : armnn::DataType::QAsymmU8;
  return armnn::TensorInfo(shape_of(shape), type, quantization.scale(), quantization.zero_point());
}

armnn::TensorInfo float_info(const Shape& shape) { return {shape_of(shape), armnn::DataType::Float32}; }

std::vector<std::uint8_t> bytes_of(const std::vector<float>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(float));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Result<OpAnswer> run_layer(Device device, const std::vector<Bound>& inputs, const armnn::TensorInfo& output, const AddLayer& add) {
  try {
    return run_network(device, inputs, output, add);
  } catch (const armnn::Exception& error) {
    return fail(Errc::unsupported, std::string("Arm NN: ") + error.what());
  }
}

}  // namespace tiebreak::armnn_calls
