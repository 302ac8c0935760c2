// SPDX-License-Identifier: Apache-2.0
// A small U-Net: a path down with two branches, two ways up, a skip, and a label for each pixel.
#include "testsuite/models/model_builder.hpp"
#include "testsuite/models/small_models.hpp"

namespace tiebreak::models {
namespace {

constexpr int segmenter_opset = 16;
constexpr std::uint64_t segmenter_seed = 9;

Attribute f32(double value) { return Attribute{Real::from_double(static_cast<double>(static_cast<float>(value)))}; }
Attribute text(const char* word) { return Attribute{std::string(word)}; }

/// Weights of one scale, back in f32.
ValueId weights(ModelBuilder& model, const std::string& name, Shape shape, double scale) {
  const ValueId codes = model.drawn(name + ".weight", "i8", std::move(shape), -127, 127);
  const Quantization how = model.quantization(name + ".weight", scale, "i8", 0);
  return model.add("DequantizeLinear", name + "/weight_dq", {codes, how.scale, how.zero_point});
}

/// Padding by mirrored pixels, so that no zeros enter at the border.
ValueId stem(ModelBuilder& model, ValueId image) {
  const ValueId around = model.whole("stem.pads", "i64", {8}, {0, 0, 1, 1, 0, 0, 1, 1});
  const ValueId padded = model.add("Pad", "/stem/pad", {image, around}, {{"mode", text("reflect")}});
  const ValueId convolved =
      model.add("Conv", "/stem/conv", {padded, weights(model, "stem", {8, 3, 3, 3}, 0.011), model.drawn_floats("stem.bias", {8}, -0.5, 0.5)});
  const ValueId relu = model.add("LeakyRelu", "/stem/relu", {convolved}, {{"alpha", f32(0.1)}});
  return model.quantized_and_back("/stem/out", relu, model.quantization("/stem/out", 0.07, "u8", 20));
}

/// Half of the channels through an activation, the other half through a normalization.
ValueId branches(ModelBuilder& model, ValueId x) {
  const ValueId pooled = model.add("MaxPool", "/down/pool", {x}, {{"kernel_shape", numbers({2, 2})}, {"strides", numbers({2, 2})}});
  const ValueId lengths = model.whole("down.lengths", "i64", {2}, {4, 4});
  const std::vector<ValueId> halves = model.add_several("Split", {"/down/left", "/down/right"}, {pooled, lengths}, {{"axis", number(1)}});
  const ValueId left = model.add("HardSwish", "/down/swish", {halves[0]});
  const ValueId moved = model.add("BatchNormalization", "/down/norm",
                                  {halves[1], model.drawn_floats("norm.scale", {4}, 0.5, 2), model.drawn_floats("norm.shift", {4}, -1, 1),
                                   model.drawn_floats("norm.mean", {4}, -1, 1), model.drawn_floats("norm.variance", {4}, 0.2, 3)},
                                  {{"epsilon", f32(1e-3)}});
  const ValueId right = model.add("PRelu", "/down/prelu", {moved, model.drawn_floats("prelu.slope", {4, 1, 1}, -0.5, 0.5)});
  const Quantization joined = model.quantization("/down/joined", 0.05, "u8", 90);
  const ValueId both =
      model.add("Concat", "/down/concat", {model.quantized_and_back("/down/left", left, joined), model.quantized_and_back("/down/right", right, joined)},
                {{"axis", number(1)}});
  const ValueId mixed = model.add("Conv", "/down/conv", {both, weights(model, "down", {8, 8, 1, 1}, 0.006)});
  const ValueId gate = model.add("HardSigmoid", "/down/gate", {mixed}, {{"alpha", f32(0.2)}, {"beta", f32(0.4)}});
  return model.quantized_and_back("/down/out", gate, model.quantization("/down/out", 1.0 / 255, "u8", 0));
}

/// Up by the nearest pixel and by a transposed convolution, beside what came before the way down.
ValueId segment_scores(ModelBuilder& model, ValueId low, ValueId skip) {
  const ValueId twice = model.floats("up.scales", {4}, {1, 1, 2, 2});
  const ValueId nearest = model.add("Resize", "/up/nearest", {low, -1, twice}, {{"mode", text("nearest")}});
  const ValueId learned = model.add("ConvTranspose", "/up/learned", {low, weights(model, "up", {8, 4, 2, 2}, 0.009)}, {{"strides", numbers({2, 2})}});
  const ValueId all =
      model.add("Concat", "/up/concat", {nearest, model.quantized_and_back("/up/learned", learned, model.quantization("/up/learned", 0.03, "u8", 110)), skip},
                {{"axis", number(1)}});
  const ValueId classes = model.add("Conv", "/head/conv", {all, weights(model, "head", {3, 20, 1, 1}, 0.01)});
  return model.quantized_and_back("scores", classes, model.quantization("scores", 0.06, "u8", 128));
}

}  // namespace

Program segmenter_qdq() {
  ModelBuilder model("segmenter.qdq", segmenter_opset, segmenter_seed);
  const ValueId image = model.quantized_and_back("/image", model.input("image/pixels", "f32", {1, 3, 16, 16}), model.quantization("/image", 0.0157, "u8", 128));
  const ValueId skip = stem(model, image);
  const ValueId found = segment_scores(model, branches(model, skip), skip);
  // What is not above the threshold of its class counts as nothing.
  const ValueId least =
      model.add("Expand", "/head/threshold", {model.floats("head.least", {3, 1, 1}, {0.5, -0.5, 0.25}), model.add("Shape", "/head/shape", {found})});
  const ValueId sure = model.add("Greater", "/head/sure", {found, least});
  const ValueId kept = model.add("Where", "/head/kept", {sure, found, model.floats("head.nothing", {}, {-8})});
  return model.finish({model.add("ArgMax", "labels", {kept}, {{"axis", number(1)}, {"keepdims", number(0)}}), found});
}

}  // namespace tiebreak::models
