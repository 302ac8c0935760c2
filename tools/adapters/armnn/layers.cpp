// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/armnn/layers.hpp"

#include <cmath>

namespace tiebreak::armnn_calls {
namespace {

using OptionalTensor = armnn::Optional<armnn::ConstTensor>;

/// Sums in f32 that may leave it can become no number, and then an assertion of the library ends the process.
Status stays_a_number(const Quantization& x, const Quantization& w) {
  for (float scale : w.scales) {
    const float greatest = 255.0f * x.scale() * (255.0f * scale), unit = x.scale() * scale * 0x1p31f;
    if (!std::isfinite(255.0f * scale) || !std::isfinite(255.0f * x.scale()) || !std::isfinite(greatest) || !std::isfinite(unit)) {
      return fail(Errc::unsupported, "Arm NN: products beyond f32, which its Assertion `!std::isnan(value)' may meet");
    }
  }
  return {};
}

/// Weights of one scale, or symmetric ones with one a feature.
Result<armnn::TensorInfo> weight_info(const Quantization& w, const Shape& shape) {
  if (!w.per_channel()) return info_of(w, shape, "w");
  for (std::int32_t code : w.zero_points) {
    if (code != 0) return fail(Errc::unsupported, "weights with a scale a channel have no zero point");
  }
  if (!w.is_signed) return fail(Errc::unsupported, "weights with a scale a channel are i8");
  return armnn::TensorInfo(shape_of(shape), armnn::DataType::QSymmS8, w.scales, 0);
}

/// The unit of a bias is the product of the scales of x and w.
armnn::TensorInfo bias_info(const Quantization& x, const Quantization& w, std::int64_t features) {
  std::vector<float> scales;
  for (float scale : w.scales) scales.push_back(x.scale() * scale);
  const armnn::TensorShape shape = shape_of({features});
  if (scales.size() == 1) return {shape, armnn::DataType::Signed32, scales[0], 0};
  return {shape, armnn::DataType::Signed32, scales, 0};
}

template <Device device>
Result<OpAnswer> quantize_linear(const SingleOp& single) {
  TIEBREAK_TRY(op, quantize_op(single));
  TIEBREAK_TRY(output, info_of(op.y, op.shape, "y"));
  // The library is built with its assertions, and this one ends the process.
  for (float number : op.x) {
    if (std::isnan(number)) return fail(Errc::unsupported, "Arm NN: Assertion `!std::isnan(value)'");
  }
  return run_layer(device, {{float_info(op.shape), bytes_of(op.x)}}, output, [](armnn::INetwork& network) { return network.AddQuantizeLayer(); });
}

template <Device device>
Result<OpAnswer> dequantize_linear(const SingleOp& single) {
  TIEBREAK_TRY(op, dequantize_op(single));
  TIEBREAK_TRY(input, info_of(op.x.as, op.x.shape, "x"));
  return run_layer(device, {{input, op.x.bytes}}, float_info(op.x.shape), [](armnn::INetwork& network) { return network.AddDequantizeLayer(); });
}

template <Device device>
Result<OpAnswer> q_linear_mat_mul(const SingleOp& single) {
  TIEBREAK_TRY(op, matrix_op(single));
  TIEBREAK_TRY(input, info_of(op.a.as, {op.rows, op.depth}, "a"));
  TIEBREAK_TRY(output, info_of(op.y, {op.rows, op.columns}, "y"));
  TIEBREAK_CHECK(stays_a_number(op.a.as, op.b.as));
  if (op.b.as.per_channel()) return fail(Errc::unsupported, "FullyConnected takes one scale of the weights");
  TIEBREAK_TRY(weights, info_of(op.b.as, {op.depth, op.columns}, "b"));
  return run_layer(device, {{input, op.a.bytes}}, output, [&](armnn::INetwork& network) {
    return network.AddFullyConnectedLayer(armnn::FullyConnectedDescriptor(), armnn::ConstTensor(weights, op.b.bytes.data()), OptionalTensor());
  });
}

/// Both kinds of convolution have the same parameters.
template <class Descriptor>
Descriptor described(const ImageOp& op) {
  const auto word = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  Descriptor descriptor;
  descriptor.m_PadTop = word(op.pads_begin[0]);
  descriptor.m_PadLeft = word(op.pads_begin[1]);
  descriptor.m_PadBottom = word(op.pads_end[0]);
  descriptor.m_PadRight = word(op.pads_end[1]);
  descriptor.m_StrideY = word(op.strides[0]);
  descriptor.m_StrideX = word(op.strides[1]);
  descriptor.m_DilationY = word(op.dilations[0]);
  descriptor.m_DilationX = word(op.dilations[1]);
  descriptor.m_BiasEnabled = !op.bias.empty();
  descriptor.m_DataLayout = armnn::DataLayout::NCHW;
  return descriptor;
}

/// Weights [features, 1, height, width] as [features a channel, channels, height, width].
Codes depthwise_weights(const ImageOp& op) {
  const std::int64_t channels = op.x.shape[1], each = op.w.shape[0] / channels;
  Codes w = op.w;
  w.bytes = permuted(op.w.bytes, {channels, each, op.w.shape[2], op.w.shape[3]}, {1, 0, 2, 3});
  w.shape = {each, channels, op.w.shape[2], op.w.shape[3]};
  return w;
}

template <Device device>
Result<OpAnswer> q_linear_conv(const SingleOp& single) {
  TIEBREAK_TRY(op, image_op(single));
  const bool depthwise = op.groups > 1;
  if (depthwise && op.w.shape[1] != 1) return fail(Errc::unsupported, "a convolution has one group, or one for each channel");
  if (depthwise && op.w.as.per_channel()) return fail(Errc::unsupported, "DepthwiseConvolution2d with a scale a channel is not mapped");
  TIEBREAK_TRY(input, info_of(op.x.as, op.x.shape, "x"));
  TIEBREAK_TRY(output, info_of(op.y, op.result, "y"));
  TIEBREAK_CHECK(stays_a_number(op.x.as, op.w.as));
  const Codes w = depthwise ? depthwise_weights(op) : op.w;
  TIEBREAK_TRY(weights, weight_info(w.as, w.shape));
  const armnn::TensorInfo unit = bias_info(op.x.as, op.w.as, op.w.shape[0]);
  return run_layer(device, {{input, op.x.bytes}}, output, [&](armnn::INetwork& network) {
    const armnn::ConstTensor kernel(weights, w.bytes.data());
    const OptionalTensor bias = op.bias.empty() ? OptionalTensor() : OptionalTensor(armnn::ConstTensor(unit, op.bias.data()));
    if (depthwise) return network.AddDepthwiseConvolution2dLayer(described<armnn::DepthwiseConvolution2dDescriptor>(op), kernel, bias);
    return network.AddConvolution2dLayer(described<armnn::Convolution2dDescriptor>(op), kernel, bias);
  });
}

/// Shapes of one rank, as the layers want them.
Result<OpAnswer> elementwise(Device device, const SingleOp& single, const AddLayer& add) {
  TIEBREAK_TRY(op, pair_op(single));
  Shape a = op.a.shape, b = op.b.shape;
  while (a.size() < op.result.size()) a.insert(a.begin(), 1);
  while (b.size() < op.result.size()) b.insert(b.begin(), 1);
  TIEBREAK_TRY(left, info_of(op.a.as, a, "a"));
  TIEBREAK_TRY(right, info_of(op.b.as, b, "b"));
  TIEBREAK_TRY(output, info_of(op.y, op.result, "y"));
  return run_layer(device, {{left, op.a.bytes}, {right, op.b.bytes}}, output, add);
}

template <Device device>
Result<OpAnswer> add(const SingleOp& single) {
  return elementwise(device, single, [](armnn::INetwork& network) { return network.AddAdditionLayer(); });
}
template <Device device>
Result<OpAnswer> multiply(const SingleOp& single) {
  return elementwise(device, single, [](armnn::INetwork& network) { return network.AddMultiplicationLayer(); });
}

template <Device device>
OpCalls calls_on() {
  return {{"onnx.DequantizeLinear", dequantize_linear<device>},
          {"onnx.QLinearConv", q_linear_conv<device>},
          {"onnx.QLinearMatMul", q_linear_mat_mul<device>},
          {"onnx.QuantizeLinear", quantize_linear<device>},
          {"quant.add", add<device>},
          {"quant.mul", multiply<device>}};
}

}  // namespace

OpCalls layer_calls(Device device) { return device == Device::cpu_ref ? calls_on<Device::cpu_ref>() : calls_on<Device::cpu_acc>(); }

}  // namespace tiebreak::armnn_calls
