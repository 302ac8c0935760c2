// SPDX-License-Identifier: Apache-2.0
// StableHLO's batch norms on pseudo-random tensors, f32 and 8-bit codes, features in every place, against machine floats.
#include "testsuite/oracle/stablehlo/stablehlo_normalization.hpp"

#include <cmath>
#include <random>

#include "testsuite/unit/helpers/stablehlo_pairs.hpp"

namespace tiebreak {
namespace {

constexpr float epsilon = 0.001f;
const hlo::Arithmetic plain_arithmetic{hlo::Expressed::f32, hlo::Reading::text};

/// A tensor of f32 or of codes, with the floats that it stands for.
struct NormalizationNumbers {
  Tensor tensor;
  std::vector<float> values;
};

/// Draws tensors: floats between -4 and 4, or codes of parameters that vary from draw to draw.
class Tensors {
 public:
  Tensors(std::uint32_t seed, bool quantized) : engine_(seed), quantized_(quantized) {}
  hlo::Uniform parameters(double scale) {
    const bool is_signed = true;
    return {scale, static_cast<std::int64_t>(engine_() % 21) - 10, oracle::CodeRange{-128, 127}, is_signed, 8};
  }
  NormalizationNumbers draw(const Shape& shape, double scale, bool positive = false) {
    hlo::Uniform type = parameters(scale);
    if (positive) type.zero_point = -128;
    NormalizationNumbers drawn{*Tensor::zeros(quantized_ ? uniform_type(type, hlo::Expressed::f32, shape) : TensorType{*ElementType::parse("f32"), shape, {}}),
                               {}};
    for (std::int64_t i = 0; i < drawn.tensor.size(); ++i) {
      const auto bits = static_cast<std::int64_t>(engine_());
      const std::int64_t code = bits % 256 - 128;
      const float value = positive ? static_cast<float>(bits % 4096) * 0x1p-10f : static_cast<float>(bits % 8191 - 4095) * 0x1p-10f;
      drawn.values.push_back(quantized_ ? static_cast<float>(hlo::dequantize(code, type, plain_arithmetic)) : value);
      drawn.tensor.set_code(i, quantized_ ? static_cast<std::uint64_t>(code) : *drawn.tensor.element().encode(Real::from_double(static_cast<double>(value))));
    }
    return drawn;
  }

 private:
  std::mt19937 engine_;
  bool quantized_;
};

struct Layout {
  Shape shape;
  int feature;
};
const std::vector<Layout> layouts{{{40, 7}, 1}, {{5, 60}, 0}, {{3, 5, 17}, 1}, {{4, 3, 5, 6}, 3}, {{2, 3, 4, 2, 5}, 2}};

/// Which feature each element belongs to.
std::vector<std::size_t> features_of(const Layout& layout) {
  std::int64_t inner = 1, size = 1;
  for (std::size_t d = 0; d < layout.shape.size(); ++d) {
    size *= layout.shape[d];
    if (d > static_cast<std::size_t>(layout.feature)) inner *= layout.shape[d];
  }
  std::vector<std::size_t> features;
  for (std::int64_t i = 0; i < size; ++i) features.push_back(static_cast<std::size_t>(i / inner % layout.shape[static_cast<std::size_t>(layout.feature)]));
  return features;
}

std::vector<float> column(const std::vector<float>& values, const std::vector<std::size_t>& features, std::size_t feature) {
  std::vector<float> found;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (features[i] == feature) found.push_back(values[i]);
  return found;
}

struct Wanted {
  Shape shape;
  hlo::Uniform type;
  std::vector<float> values;
};

/// Writes the values of one feature to their places.
void place_column(std::vector<float>& values, const std::vector<std::size_t>& features, std::size_t feature, const std::vector<float>& of_feature) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (features[i] == feature) values[i] = of_feature[next++];
}

void compare_results(OpCall call, const std::vector<Wanted>& wanted, bool quantized, const Layout& layout, const std::string& choices) {
  call.attributes["epsilon"] = Attribute{Real::from_double(static_cast<double>(epsilon))};
  call.attributes["feature_index"] = Attribute{Real(layout.feature)};
  for (const Wanted& one : wanted)
    call.result_types.push_back(quantized ? uniform_type(one.type, hlo::Expressed::f32, one.shape) : TensorType{*ElementType::parse("f32"), one.shape, {}});
  auto results = run_profile(call, choices);
  ASSERT_TRUE(results) << call.op << " " << to_text(layout.shape) << " " << to_text(results.error());
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    int wrong = 0;
    for (std::int64_t i = 0; i < (*results)[r].tensor.size(); ++i) {
      const float value = wanted[r].values[static_cast<std::size_t>(i)];
      if (quantized) {
        wrong += integer_at((*results)[r], i) != hlo::quantize(static_cast<double>(value), wanted[r].type, plain_arithmetic) ? 1 : 0;
      } else {
        const float actual = f32_at((*results)[r].tensor, i);
        wrong += actual != value && !(std::isnan(actual) && std::isnan(value)) ? 1 : 0;
      }
    }
    EXPECT_EQ(wrong, 0) << call.op << " result " << r << " " << to_text(layout.shape) << (quantized ? " codes" : " floats");
  }
}

template <class Check>
void every_layout(Check check) {
  std::printf("  seeds 1 to 8\n");
  for (std::uint32_t seed = 1; seed <= 8; ++seed)
    for (const Layout& layout : layouts)
      for (const bool quantized : {false, true}) {
        Tensors tensors(seed, quantized);
        check(tensors, layout, Shape{layout.shape[static_cast<std::size_t>(layout.feature)]}, features_of(layout), quantized);
      }
}

TEST(StablehloNormalization, Inference) {
  every_layout([](Tensors& tensors, const Layout& layout, const Shape& row, const std::vector<std::size_t>& features, bool quantized) {
    const NormalizationNumbers x = tensors.draw(layout.shape, 0.1), scale = tensors.draw(row, 0.05), offset = tensors.draw(row, 0.02),
                               mean = tensors.draw(row, 0.03), variance = tensors.draw(row, 0.07, true);
    Wanted result{layout.shape, tensors.parameters(0.11), std::vector<float>(features.size())};
    for (std::size_t c = 0; c < static_cast<std::size_t>(row[0]); ++c)
      place_column(result.values, features, c,
                   hlo::normalize(column(x.values, features, c), {scale.values[c], offset.values[c], mean.values[c], variance.values[c]}, epsilon));
    compare_results({.op = "stablehlo.batch_norm_inference", .operands = {x.tensor, scale.tensor, offset.tensor, mean.tensor, variance.tensor}}, {result},
                    quantized, layout, "stablehlo-spec");
  });
}

TEST(StablehloNormalization, Training) {
  every_layout([](Tensors& tensors, const Layout& layout, const Shape& row, const std::vector<std::size_t>& features, bool quantized) {
    const NormalizationNumbers x = tensors.draw(layout.shape, 0.1), scale = tensors.draw(row, 0.05), offset = tensors.draw(row, 0.02);
    Wanted result{layout.shape, tensors.parameters(0.06), std::vector<float>(features.size())}, mean{row, tensors.parameters(0.01), {}},
        variance{row, tensors.parameters(0.3), {}};
    for (std::size_t c = 0; c < static_cast<std::size_t>(row[0]); ++c) {
      const hlo::Training found = hlo::train(column(x.values, features, c), scale.values[c], offset.values[c], epsilon);
      place_column(result.values, features, c, found.output);
      mean.values.push_back(found.mean);
      variance.values.push_back(found.variance);
    }
    compare_results({.op = "stablehlo.batch_norm_training", .operands = {x.tensor, scale.tensor, offset.tensor}}, {result, mean, variance}, quantized, layout,
                    "stablehlo-spec");
  });
}

TEST(StablehloNormalization, Gradient) {
  every_layout([](Tensors& tensors, const Layout& layout, const Shape& row, const std::vector<std::size_t>& features, bool quantized) {
    const NormalizationNumbers x = tensors.draw(layout.shape, 0.1), scale = tensors.draw(row, 0.05), mean = tensors.draw(row, 0.03),
                               variance = tensors.draw(row, 0.07, true), output = tensors.draw(layout.shape, 0.02);
    Wanted operand{layout.shape, tensors.parameters(0.06), std::vector<float>(features.size())}, by_scale{row, tensors.parameters(0.3), {}},
        by_offset{row, tensors.parameters(0.2), {}};
    for (std::size_t c = 0; c < static_cast<std::size_t>(row[0]); ++c) {
      const hlo::Gradient found =
          hlo::gradient(column(x.values, features, c), column(output.values, features, c), {scale.values[c], 0, mean.values[c], variance.values[c]}, epsilon);
      place_column(operand.values, features, c, found.operand);
      by_scale.values.push_back(found.scale);
      by_offset.values.push_back(found.offset);
    }
    compare_results({.op = "stablehlo.batch_norm_grad", .operands = {x.tensor, scale.tensor, mean.tensor, variance.tensor, output.tensor}},
                    {operand, by_scale, by_offset}, quantized, layout, "stablehlo-spec");
  });
}

}  // namespace
}  // namespace tiebreak
