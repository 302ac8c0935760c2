// SPDX-License-Identifier: Apache-2.0
// Results beside the first: places of maxima among many equal ones, the statistics of layer normalization, batch normalization in training.
#include "testsuite/oracle/onnx/onnx_results.hpp"

#include <random>

#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

TEST(OnnxResults, PlacesOfMaxima) {
  std::mt19937 engine(61);
  const auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(engine() % static_cast<std::uint32_t>(bound)); };
  int compared = 0;
  for (int round = 0; round < 200; ++round) {
    oracle::onnx::MaxPool how{1 + below(3), 2 + below(6), 2 + below(6), 1 + below(3), 1 + below(3), 1 + below(2), 0, round % 2 == 1};
    how.pad = below(how.kernel);
    if (how.height + 2 * how.pad < (how.kernel - 1) * how.dilation + 1 || how.width + 2 * how.pad < (how.kernel - 1) * how.dilation + 1) continue;
    if (how.pad > 0 && how.dilation > 1) continue;  // windows that see nothing but padding
    std::vector<std::int8_t> x;
    for (std::int64_t i = 0; i < how.planes * how.height * how.width; ++i) x.push_back(static_cast<std::int8_t>(below(3) - 1));
    Tensor image = *Tensor::zeros({*ElementType::parse("i8"), {1, how.planes, how.height, how.width}, {}});
    for (std::size_t i = 0; i < x.size(); ++i) image.set_code(static_cast<std::int64_t>(i), static_cast<std::uint8_t>(x[i]));
    const Shape shape{1, how.planes, how.extent(how.height), how.extent(how.width)};
    const OpCall call{.op = "onnx.MaxPool",
                      .operands = {image},
                      .attributes = {{"kernel_shape", Attribute::integers({how.kernel, how.kernel})},
                                     {"strides", Attribute::integers({how.stride, how.stride})},
                                     {"dilations", Attribute::integers({how.dilation, how.dilation})},
                                     {"pads", Attribute::integers({how.pad, how.pad, how.pad, how.pad})},
                                     {"storage_order", Attribute{Real(how.by_columns ? 1 : 0)}}},
                      .result_types = result_types({{"i8", shape}, {"i64", shape}})};
    const std::vector<ResultTensor> found = given_results(call);
    ASSERT_EQ(found.size(), 2U);
    const std::vector<std::int64_t> expected = oracle::onnx::places_of_maxima(how, x);
    ASSERT_EQ(found[1].tensor.size(), static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(integer_at(found[1], static_cast<std::int64_t>(i)), expected[i]) << "round " << round << " window " << i;
    ++compared;
  }
  EXPECT_GT(compared, 80);
}

TEST(OnnxResults, StatisticsOfLayerNormalization) {
  std::mt19937 engine(62);
  for (int round = 0; round < 60; ++round) {
    Floats line;
    for (std::uint32_t i = 0; i < 2 + engine() % 20; ++i) line.push_back(static_cast<float>(engine() % (1U << 23)) * 0x1p-20F);
    const auto count = static_cast<std::int64_t>(line.size());
    const OpCall call{.op = "onnx.LayerNormalization",
                      .operands = {floats_tensor({1, count}, line), floats_tensor({count}, Floats(line.size(), 1.0F))},
                      .attributes = {{"epsilon", Attribute{Real::from_double(0.125)}}},
                      .result_types = result_types({{"f32", {1, count}}, {"f32", {1, 1}}, {"f32", {1, 1}}})};
    const std::vector<ResultTensor> found = given_results(call);
    ASSERT_EQ(found.size(), 3U);
    const oracle::onnx::Statistics expected = oracle::onnx::statistics(line, 0.125F);
    EXPECT_EQ(f32_at(found[1].tensor, 0), expected.mean) << round;
    EXPECT_EQ(f32_at(found[2].tensor, 0), expected.inverse) << round;
  }
}

TEST(OnnxResults, BatchNormalizationInTraining) {
  std::mt19937 engine(63);
  const auto number = [&](float least, float greatest) { return least + (greatest - least) * static_cast<float>(engine() % (1U << 20)) * 0x1p-20F; };
  constexpr float momentum = 0.9F;
  constexpr std::int64_t images = 3, channels = 4, places = 5;
  for (int round = 0; round < 20; ++round) {
    Floats x, parameters[4];
    for (std::int64_t i = 0; i < images * channels * places; ++i) x.push_back(number(-4, 4));
    for (int p = 0; p < 4; ++p)
      for (std::int64_t c = 0; c < channels; ++c) parameters[p].push_back(p == 3 ? number(0, 3) : number(-2, 2));
    const OpCall call{
        .op = "onnx.BatchNormalization",
        .operands = {floats_tensor({images, channels, places}, x), floats_tensor({channels}, parameters[0]), floats_tensor({channels}, parameters[1]),
                     floats_tensor({channels}, parameters[2]), floats_tensor({channels}, parameters[3])},
        .attributes = {{"training_mode", Attribute{Real(1)}},
                       {"epsilon", Attribute{Real::from_double(0.125)}},
                       {"momentum", Attribute{Real::from_double(static_cast<double>(momentum))}}},
        .result_types = result_types({{"f32", {images, channels, places}}, {"f32", {channels}}, {"f32", {channels}}})};
    const std::vector<ResultTensor> found = given_results(call);
    ASSERT_EQ(found.size(), 3U);
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto channel = static_cast<std::size_t>(c);
      Floats own;
      std::vector<std::int64_t> at;
      for (std::int64_t n = 0; n < images; ++n)
        for (std::int64_t k = 0; k < places; ++k) {
          at.push_back((n * channels + c) * places + k);
          own.push_back(x[static_cast<std::size_t>(at.back())]);
        }
      const Floats expected = oracle::onnx::normalized(own, 0.125F, parameters[0][channel], parameters[1][channel]);
      for (std::size_t i = 0; i < at.size(); ++i) EXPECT_EQ(f32_at(found[0].tensor, at[i]), expected[i]) << round << " " << c << " " << i;
      const oracle::onnx::Statistics kept = oracle::onnx::running_statistics(own, parameters[2][channel], parameters[3][channel], momentum);
      EXPECT_EQ(f32_at(found[1].tensor, c), kept.mean) << round << " " << c;
      EXPECT_EQ(f32_at(found[2].tensor, c), kept.variance) << round << " " << c;
    }
  }
}

}  // namespace
}  // namespace tiebreak
