// SPDX-License-Identifier: Apache-2.0
// One network in two forms: convolution, pooling, convolution with a residual branch, mean, classifier.
#include "testsuite/models/model_builder.hpp"
#include "testsuite/models/small_models.hpp"

namespace tiebreak::models {
namespace {

constexpr int cnn_opset = 13;
constexpr std::uint64_t cnn_seed = 5;

struct Layer {
  ValueId weight = -1, weight_scale = -1, weight_zero_point = -1, bias = -1, bias_scale = -1, bias_zero_point = -1;
};

struct Network {
  Quantization image, first, second, branch, joined, mean, scores;
  Layer stem, body, side, classifier;
};

/// Weights with one scale for each output channel, and the bias in the scale of the accumulator.
Layer layer(ModelBuilder& model, const std::string& name, Shape shape, double input_scale, double weight_scale) {
  const std::int64_t channels = shape[0];
  std::vector<double> scales, products;
  for (std::int64_t c = 0; c < channels; ++c) {
    scales.push_back(static_cast<double>(static_cast<float>(weight_scale * (1 + 0.07 * static_cast<double>(c)))));
    products.push_back(static_cast<double>(static_cast<float>(static_cast<double>(static_cast<float>(input_scale)) * scales.back())));
  }
  Layer made;
  made.weight = model.drawn(name + ".weight", "i8", std::move(shape), -127, 127);
  made.weight_scale = model.floats(name + ".weight_scale", {channels}, scales);
  made.weight_zero_point = model.whole(name + ".weight_zero_point", "i8", {channels}, {0});
  made.bias = model.drawn(name + ".bias", "i32", {channels}, -4000, 4000);
  made.bias_scale = model.floats(name + ".bias_scale", {channels}, products);
  made.bias_zero_point = model.whole(name + ".bias_zero_point", "i32", {channels}, {0});
  return made;
}

Network network(ModelBuilder& model) {
  Network made;
  made.image = model.quantization("/image", 0.0157, "u8", 128);
  made.first = model.quantization("/stem/relu", 0.081, "u8", 0);
  made.second = model.quantization("/body/relu", 0.23, "u8", 0);
  made.branch = model.quantization("/side/conv", 0.31, "u8", 121);
  made.joined = model.quantization("/join/add", 0.37, "u8", 97);
  made.mean = model.quantization("/head/mean", 0.11, "u8", 127);
  made.scores = model.quantization("/head/scores", 0.05, "u8", 131);
  made.stem = layer(model, "stem", {8, 3, 3, 3}, 0.0157, 0.01);
  made.body = layer(model, "body", {16, 8, 3, 3}, 0.081, 0.004);
  made.side = layer(model, "side", {16, 8, 1, 1}, 0.081, 0.013);
  made.classifier = layer(model, "classifier", {10, 16}, 0.11, 0.006);
  return made;
}

AttributeMap window(std::int64_t kernel, std::int64_t stride, std::int64_t pad) {
  return {{"kernel_shape", numbers({kernel, kernel})}, {"strides", numbers({stride, stride})}, {"pads", numbers({pad, pad, pad, pad})}};
}

ValueId float_convolution(ModelBuilder& model, const std::string& name, ValueId x, const Layer& weights, AttributeMap attributes) {
  const ValueId w =
      model.add("DequantizeLinear", name + "/weight_dq", {weights.weight, weights.weight_scale, weights.weight_zero_point}, {{"axis", number(0)}});
  const ValueId b = model.add("DequantizeLinear", name + "/bias_dq", {weights.bias, weights.bias_scale, weights.bias_zero_point}, {{"axis", number(0)}});
  return model.add("Conv", name + "/conv", {x, w, b}, std::move(attributes));
}

ValueId quantized_convolution(ModelBuilder& model, const std::string& name, ValueId x, const Quantization& from, const Layer& weights, const Quantization& to,
                              AttributeMap attributes) {
  return model.add("QLinearConv", name,
                   {x, from.scale, from.zero_point, weights.weight, weights.weight_scale, weights.weight_zero_point, to.scale, to.zero_point, weights.bias},
                   std::move(attributes));
}

}  // namespace

Program cnn_qdq() {
  ModelBuilder model("cnn.qdq", cnn_opset, cnn_seed);
  const Network net = network(model);
  const ValueId image = model.quantized_and_back("/image/input", model.input("image/pixels", "f32", {1, 3, 32, 32}), net.image);
  const ValueId stem = model.add("Relu", "/stem/relu", {float_convolution(model, "/stem", image, net.stem, window(3, 1, 1))});
  const ValueId pooled = model.add("MaxPool", "/stem/pool", {model.quantized_and_back("/stem/out", stem, net.first)}, window(2, 2, 0));
  const ValueId features = model.quantized_and_back("/stem/pooled", pooled, net.first);
  const ValueId body = model.add("Relu", "/body/relu", {float_convolution(model, "/body", features, net.body, window(3, 2, 1))});
  const ValueId side = float_convolution(model, "/side", features, net.side, window(1, 2, 0));
  const ValueId sum =
      model.add("Add", "/join/add", {model.quantized_and_back("/body/out", body, net.second), model.quantized_and_back("/side/out", side, net.branch)});
  const ValueId mean = model.add("GlobalAveragePool", "/head/mean", {model.quantized_and_back("/join/out", sum, net.joined)});
  const ValueId flat = model.add("Flatten", "/head/flat", {model.quantized_and_back("/head/mean_out", mean, net.mean)});
  const ValueId w = model.add("DequantizeLinear", "/head/weight_dq", {net.classifier.weight, net.classifier.weight_scale, net.classifier.weight_zero_point},
                              {{"axis", number(0)}});
  const ValueId b =
      model.add("DequantizeLinear", "/head/bias_dq", {net.classifier.bias, net.classifier.bias_scale, net.classifier.bias_zero_point}, {{"axis", number(0)}});
  const ValueId scores = model.add("Gemm", "/head/gemm", {flat, w, b}, {{"transB", number(1)}});
  return model.finish({model.quantized_and_back("scores", scores, net.scores)});
}

Program cnn_qoperator() {
  ModelBuilder model("cnn.qoperator", cnn_opset, cnn_seed);
  const Network net = network(model);
  const ValueId pixels = model.input("image/pixels", "f32", {1, 3, 32, 32});
  const ValueId image = model.add("QuantizeLinear", "/image/input_q", {pixels, net.image.scale, net.image.zero_point});
  const ValueId stem = quantized_convolution(model, "/stem/conv", image, net.image, net.stem, net.first, window(3, 1, 1));
  const ValueId features = model.add("MaxPool", "/stem/pool", {stem}, window(2, 2, 0));
  const ValueId body = quantized_convolution(model, "/body/conv", features, net.first, net.body, net.second, window(3, 2, 1));
  const ValueId side = quantized_convolution(model, "/side/conv", features, net.first, net.side, net.branch, window(1, 2, 0));
  const ValueId sum =
      model.add("microsoft.QLinearAdd", "/join/add",
                {body, net.second.scale, net.second.zero_point, side, net.branch.scale, net.branch.zero_point, net.joined.scale, net.joined.zero_point});
  const ValueId mean =
      model.add("microsoft.QLinearGlobalAveragePool", "/head/mean", {sum, net.joined.scale, net.joined.zero_point, net.mean.scale, net.mean.zero_point});
  const ValueId flat = model.add("Flatten", "/head/flat", {mean});
  const Layer& last = net.classifier;
  const ValueId scores = model.add(
      "microsoft.QGemm", "/head/gemm",
      {flat, net.mean.scale, net.mean.zero_point, last.weight, last.weight_scale, last.weight_zero_point, last.bias, net.scores.scale, net.scores.zero_point},
      {{"transB", number(1)}});
  return model.finish({model.add("DequantizeLinear", "scores_dq", {scores, net.scores.scale, net.scores.zero_point})});
}

}  // namespace tiebreak::models
