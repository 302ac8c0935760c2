// SPDX-License-Identifier: Apache-2.0
// The operators of whole networks against plain loops: every small padding, split and resizing, transposed convolutions of whole numbers, and activations
// and batch normalization with every step in f32.
#include "testsuite/oracle/onnx/onnx_layers.hpp"

#include <bit>
#include <random>

#include "testsuite/unit/helpers/both_engines.hpp"

namespace tiebreak {
namespace {

using Whole = std::vector<std::int64_t>;

Tensor whole_tensor(const char* type, Shape shape, const Whole& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), *tensor.element().encode(Real(values[i])));
  return tensor;
}

Tensor list_of(const Whole& values) { return whole_tensor("i64", {static_cast<std::int64_t>(values.size())}, values); }

Whole counted(std::int64_t count, std::int64_t first = 0) {
  Whole values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(first + i);
  return values;
}

Whole whole_of(const Tensor& tensor) {
  Whole values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.value(i).to_int64().value_or(-12345));
  return values;
}

TEST(OnnxLayers, EverySmallPadding) {
  for (const char* mode : {"constant", "edge", "reflect", "wrap"})
    for (std::int64_t length = 1; length <= 5; ++length)
      for (std::int64_t before = -2; before <= 11; ++before)
        for (std::int64_t behind = -2; behind <= 11; ++behind) {
          if (length - std::max<std::int64_t>(0, -before) - std::max<std::int64_t>(0, -behind) < 1) continue;
          const auto found =
              given_results({.op = "onnx.Pad",
                             .operands = {whole_tensor("i8", {length}, counted(length)), list_of({before, behind}), whole_tensor("i8", {}, {-1})},
                             .attributes = {{"mode", Attribute{std::string(mode)}}}});
          ASSERT_EQ(whole_of(found[0].tensor), oracle::onnx::padded(mode, length, before, behind)) << mode << " " << length << " " << before << " " << behind;
        }
}

TEST(OnnxLayers, EverySmallSplit) {
  for (std::int64_t length = 0; length <= 12; ++length)
    for (std::int64_t count = 1; count <= 6; ++count) {
      const Whole lengths = oracle::onnx::parts(length, count);
      if (lengths.back() == 0 && (length + count - 1) / count * (count - 1) > length) continue;  // refused: less than nothing would be left
      OpCall call{.op = "onnx.Split",
                  .operands = {whole_tensor("i8", {2, length}, counted(2 * length))},
                  .attributes = {{"axis", Attribute{Real(-1)}}, {"num_outputs", Attribute{Real(count)}}}};
      for (std::int64_t part : lengths) call.result_types.push_back(TensorType{*ElementType::parse("i8"), {2, part}, {}});
      const auto by_count = given_results(call);
      call.operands.emplace_back(list_of(lengths));
      call.attributes.erase("num_outputs");
      const auto by_lengths = given_results(call);
      ASSERT_EQ(by_count.size(), lengths.size());
      std::int64_t first = 0;
      for (std::size_t i = 0; i < lengths.size(); first += lengths[i++]) {
        Whole expected = counted(lengths[i], first);
        for (std::int64_t v : counted(lengths[i], first + length)) expected.push_back(v);
        EXPECT_EQ(whole_of(by_count[i].tensor), expected) << length << " in " << count;
        EXPECT_EQ(whole_of(by_lengths[i].tensor), expected) << length << " in " << count;
      }
    }
}

TEST(OnnxLayers, EveryPlaceOfAResizedAxis) {
  const std::vector<std::string> exact{"half_pixel", "asymmetric", "tf_half_pixel_for_nn"};
  std::int64_t places = 0, apart = 0;
  for (const char* place :
       {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"})
    for (const char* nearest : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})
      for (std::int64_t length : {1, 2, 5, 10, 17})
        for (int tenths = 1; tenths <= 34; ++tenths) {
          oracle::onnx::Resized how{place, nearest, length, 0, static_cast<float>(tenths) / 10, -0.25F, 1.3F};
          how.resized = static_cast<std::int64_t>(how.scale * static_cast<float>(length));
          const OpCall call{.op = "onnx.Resize",
                            .operands = {whole_tensor("i8", {length}, counted(length)), floats_line({how.first, how.last}), floats_line({how.scale})},
                            .attributes = {{"coordinate_transformation_mode", Attribute{how.place}},
                                           {"nearest_mode", Attribute{how.nearest}},
                                           {"extrapolation_value", Attribute{Real(-1)}}}};
          const Whole in_f32 = whole_of(given_results(call, {{"onnx.Resize/coordinate", "f32"}})[0].tensor);
          ASSERT_EQ(in_f32, oracle::onnx::resized_in_f32(how)) << place << " " << nearest << " " << length << " by " << how.scale;
          if (std::ranges::find(exact, how.place) == exact.end()) continue;
          const Whole exactly = whole_of(given_results(call)[0].tensor);
          ASSERT_EQ(exactly, oracle::onnx::resized_exactly(how)) << place << " " << nearest << " " << length << " by " << how.scale;
          places += how.resized;
          for (std::size_t i = 0; i < exactly.size(); ++i) apart += exactly[i] != in_f32[i] ? 1 : 0;
        }
  std::printf("  %lld of %lld places are another element in f32\n", static_cast<long long>(apart), static_cast<long long>(places));
  EXPECT_GT(apart, 0);
}

TEST(OnnxLayers, TransposedConvolutionsOfWholeNumbers) {
  std::mt19937 engine(41);
  const auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(engine() % static_cast<std::uint32_t>(bound)); };
  for (int round = 0; round < 300; ++round) {
    oracle::onnx::Transposed how{1 + below(2), 1, 1 + below(5), 1 + below(3), 1 + below(4), 1 + below(3), 1 + below(3), 1 + below(3), below(3), below(3), 0};
    how.channels = how.groups * (1 + below(2));
    how.more = below(how.stride);
    if (how.result_length() < 1) continue;
    Whole x, w;
    for (std::int64_t i = 0; i < how.batch * how.channels * how.length; ++i) x.push_back(below(19) - 9);
    for (std::int64_t i = 0; i < how.channels * how.features * how.kernel; ++i) w.push_back(below(19) - 9);
    const OpCall call{
        .op = "onnx.ConvTranspose",
        .operands = {whole_tensor("f32", {how.batch, how.channels, how.length}, x), whole_tensor("f32", {how.channels, how.features, how.kernel}, w)},
        .attributes = {{"strides", Attribute::integers({how.stride})},
                       {"dilations", Attribute::integers({how.dilation})},
                       {"pads", Attribute::integers({how.low, how.high})},
                       {"output_padding", Attribute::integers({how.more})},
                       {"group", Attribute{Real(how.groups)}}}};
    ASSERT_EQ(whole_of(given_results(call)[0].tensor), oracle::onnx::transposed_convolution(how, x, w)) << round;
  }
}

TEST(OnnxLayers, ActivationsAndNormalizationStepByStep) {
  std::mt19937 engine(42);
  const auto number = [&](float least, float greatest) { return least + (greatest - least) * static_cast<float>(engine() % (1U << 20)) * 0x1p-20F; };
  const auto codes = [](const Tensor& tensor) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(tensor.code(i))));
    return values;
  };
  std::vector<float> x;
  for (int i = 0; i < 4000; ++i) x.push_back(number(-4, 4));
  const float alpha = 0.3F, beta = 0.7F;
  const AttributeMap both{{"alpha", Attribute{Real::from_double(static_cast<double>(alpha))}},
                          {"beta", Attribute{Real::from_double(static_cast<double>(beta))}}};
  for (const std::string& op : {std::string("LeakyRelu"), std::string("HardSigmoid"), std::string("HardSwish")}) {
    OpCall call{.op = "onnx." + op, .operands = {floats_line(x)}};
    if (op != "HardSwish") call.attributes = both;
    if (op == "LeakyRelu") call.attributes.erase("beta");
    std::vector<float> expected;
    for (float v : x) expected.push_back(oracle::onnx::activation(op, v, alpha, beta));
    EXPECT_EQ(codes(given_results(call, {{"onnx." + op + "/form", "f32"}})[0].tensor), expected) << op;
  }
  std::vector<float> parameters[4], expected;
  const std::size_t channels = 200;
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t p = 0; p < 4; ++p) parameters[p].push_back(p == 3 ? number(0, 3) : number(-2, 2));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i / 20;
    expected.push_back(oracle::onnx::batch_normalization(x[i], parameters[0][c], parameters[1][c], parameters[2][c], parameters[3][c], 1e-5F));
  }
  Tensor image = floats_line(x);
  image = *Tensor::from_bytes({image.element(), {1, static_cast<std::int64_t>(channels), 4, 5}, {}}, {image.bytes().begin(), image.bytes().end()}, "");
  const OpCall call{.op = "onnx.BatchNormalization",
                    .operands = {image, floats_line(parameters[0]), floats_line(parameters[1]), floats_line(parameters[2]), floats_line(parameters[3])}};
  EXPECT_EQ(codes(given_results(call, {{"onnx.BatchNormalization/form", "folded"}})[0].tensor), expected);
}

}  // namespace
}  // namespace tiebreak
