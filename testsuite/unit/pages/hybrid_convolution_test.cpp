// SPDX-License-Identifier: Apache-2.0
// Dynamic-range convolutions against the oracle's quantized rows: an image, a place of it or the whole tensor is one row, and plain loops make the sums.
// The seed is printed.
#include <gtest/gtest.h>

#include <random>

#include "testsuite/oracle/quantized/hybrid.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr unsigned convolution_seed = 20251126;

enum class Rows { tensor, images, places };
enum class Filter { one_scale, channels, depthwise };

/// What a system does: the oracle's name of its rows, what a row is, the order of the scales.
struct System {
  const char* profile;
  const char* rows;
  Rows shared;
  oracle::ScaleOrder order;
};

struct Layer {
  std::int64_t images = 1, extent = 1, channels = 1, width = 1, results = 1, stride = 1, before = 0, after = 0, groups = 1;
  std::vector<float> x{}, scales{};
  std::vector<int> w{};  // [place][channel of the group][result]
  std::int64_t places() const { return (extent + before + after - width) / stride + 1; }
};

Layer random_layer(std::mt19937& random, Filter filter) {
  const auto up_to = [&](unsigned most) { return static_cast<std::int64_t>(1 + random() % most); };
  Layer layer{up_to(3), 3 + up_to(4), up_to(3), up_to(3), up_to(4), up_to(2), up_to(3) - 1, up_to(2) - 1, 1, {}, {}, {}};
  if (filter == Filter::depthwise) {
    layer.channels = 1 + up_to(3);
    layer.groups = layer.channels;
    layer.results = layer.channels * up_to(2);
  }
  if (filter == Filter::channels) layer.results = 1 + up_to(3);
  std::uniform_real_distribution<float> value(-1, 1);
  for (std::int64_t i = 0; i < layer.images * layer.extent * layer.channels; ++i) {
    float x = value(random);
    if (random() % 4 == 0) x = 0.5f * static_cast<float>(static_cast<int>(random() % 9) - 4);
    layer.x.push_back(x);
  }
  for (std::int64_t i = 0; i < layer.width * layer.channels / layer.groups * layer.results; ++i) layer.w.push_back(static_cast<int>(random() % 255) - 127);
  for (std::int64_t i = 0; i < (filter == Filter::channels ? layer.results : 1); ++i) layer.scales.push_back(static_cast<float>(1 + random() % 1000) / 4096);
  return layer;
}

/// Rows of the activation, quantized; of each element its row, and its code in it.
struct Quantized {
  std::vector<oracle::DynamicRow> rows{};
  std::vector<std::size_t> row_of{};
  std::vector<int> code{};
};

Quantized quantized(const Layer& layer, const System& system, bool pointwise) {
  const std::int64_t per_row = system.shared == Rows::tensor                ? layer.images * layer.extent * layer.channels
                               : system.shared == Rows::places && pointwise ? layer.channels
                                                                            : layer.extent * layer.channels;
  Quantized result;
  for (std::size_t first = 0; first < layer.x.size(); first += static_cast<std::size_t>(per_row)) {
    const std::vector<float> row(layer.x.begin() + static_cast<std::ptrdiff_t>(first), layer.x.begin() + static_cast<std::ptrdiff_t>(first) + per_row);
    result.rows.push_back(oracle::dynamic_row(system.rows, row));
    for (int code : result.rows.back().codes) {
      result.row_of.push_back(result.rows.size() - 1);
      result.code.push_back(code);
    }
  }
  return result;
}

float expected(const Layer& layer, const System& system, const Quantized& codes, std::int64_t image, std::int64_t place, std::int64_t result) {
  const std::int64_t in_group = layer.channels / layer.groups, group = result / (layer.results / layer.groups);
  std::int64_t sum = 0;
  std::size_t row = codes.row_of[static_cast<std::size_t>(image * layer.extent * layer.channels)];
  for (std::int64_t tap = 0; tap < layer.width; ++tap) {
    const std::int64_t at = place * layer.stride - layer.before + tap;
    if (at < 0 || at >= layer.extent) continue;  // the code of zero is the zero point
    for (std::int64_t channel = 0; channel < in_group; ++channel) {
      const auto element = static_cast<std::size_t>((image * layer.extent + at) * layer.channels + group * in_group + channel);
      row = codes.row_of[element];
      sum += std::int64_t{codes.code[element] - codes.rows[row].zero_point} *
             layer.w[static_cast<std::size_t>((tap * in_group + channel) * layer.results + result)];
    }
  }
  const float scale = layer.scales[layer.scales.size() == 1 ? 0 : static_cast<std::size_t>(result)];
  return oracle::scaled_sum(system.order, sum, static_cast<float>(codes.rows[row].scale), scale);
}

OpCall call_of(const Layer& layer) {
  TensorType type{*ElementType::parse("i8"), {layer.width, layer.channels / layer.groups, layer.results}, {}};
  QuantizedType weights{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  if (layer.scales.size() > 1) {
    weights.dimensions = {{2, 1}};
    weights.parameter_shape = {layer.results};
  }
  for (float scale : layer.scales) {
    weights.scales.push_back({Real::from_double(static_cast<double>(scale))});
    weights.zero_points.push_back({Real(0)});
  }
  type.quantized = weights;
  Tensor rhs = *Tensor::zeros(type);
  for (std::size_t i = 0; i < layer.w.size(); ++i) rhs.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(std::int64_t{layer.w[i]}));
  Tensor lhs = vector_tensor("f32", layer.x);
  lhs.set_type({lhs.element(), {layer.images, layer.extent, layer.channels}, {}});
  const auto number = [](std::int64_t value) { return Attribute{value}; };
  OpCall call{.op = "hybrid.convolution", .operands = {lhs, rhs}};
  call.attributes = {{"input_batch_dimension", number(0)},          {"input_spatial_dimensions", Attribute::integers({1})},
                     {"input_feature_dimension", number(2)},        {"kernel_spatial_dimensions", Attribute::integers({0})},
                     {"kernel_input_feature_dimension", number(1)}, {"kernel_output_feature_dimension", number(2)},
                     {"output_batch_dimension", number(0)},         {"output_spatial_dimensions", Attribute::integers({1})},
                     {"output_feature_dimension", number(2)},       {"window_strides", Attribute::integers({layer.stride})},
                     {"feature_group_count", number(layer.groups)}, {"padding", Attribute{AttributeList{Attribute::integers({layer.before, layer.after})}}}};
  return call;
}

void compare(const System& system, Filter filter, int rounds) {
  std::mt19937 random(convolution_seed);
  auto library = spec_pages();
  auto profile = library->find_profile(system.profile);
  ASSERT_TRUE(profile.has_value()) << system.profile;
  int compared = 0;
  for (int round = 0; round < rounds; ++round) {
    Layer layer = random_layer(random, filter);
    const bool pointwise = layer.width == 1 && layer.stride == 1 && layer.groups == 1 && layer.channels * layer.results > 1;
    if (system.shared == Rows::places && pointwise) layer.before = layer.after = 0;
    auto results = evaluate({*library, **profile}, call_of(layer));
    ASSERT_TRUE(results.has_value()) << to_text(results.error());
    const Quantized codes = quantized(layer, system, pointwise);
    for (std::int64_t at = 0; at < layer.images * layer.places() * layer.results; ++at, ++compared) {
      const float wanted = expected(layer, system, codes, at / layer.results / layer.places(), at / layer.results % layer.places(), at % layer.results);
      ASSERT_EQ(f32_at(results->front().tensor, at), wanted) << system.profile << " round " << round << " element " << at << " seed " << convolution_seed;
    }
  }
  EXPECT_GT(compared, rounds);
}

constexpr auto together = oracle::ScaleOrder::together;
constexpr auto weight_first = oracle::ScaleOrder::weight_first;
constexpr auto activation_first = oracle::ScaleOrder::activation_first;

TEST(HybridConvolution, IsTheSystemsOwn) {
  for (Filter filter : {Filter::one_scale, Filter::channels, Filter::depthwise})
    for (const System& system :
         {System{"tflite-hybrid-sym", "tflite-hybrid-sym", Rows::images, weight_first},
          System{"tflite-hybrid-asym-portable", "tflite-hybrid-asym-portable", Rows::images, weight_first},
          System{"onnxruntime-x64", "onnxruntime-x64", Rows::tensor, together}, System{"xnnpack-quantize", "xnnpack-quantize", Rows::images, activation_first}})
      compare(system, filter, 100);
}

TEST(HybridConvolution, KernelsOfLiteRtGoByTheFilter) {
  compare({"litert-builtin", "tflite-hybrid-sym", Rows::images, together}, Filter::one_scale, 200);
  compare({"litert-builtin", "tflite-hybrid-asym-portable", Rows::images, together}, Filter::channels, 200);
  compare({"litert-builtin", "tflite-hybrid-asym-portable", Rows::images, activation_first}, Filter::depthwise, 200);
  compare({"litert-xnnpack", "litert-xnnpack", Rows::places, activation_first}, Filter::one_scale, 200);
  compare({"litert-xnnpack", "litert-xnnpack", Rows::places, activation_first}, Filter::channels, 200);
  compare({"litert-xnnpack", "tflite-hybrid-asym-portable", Rows::images, activation_first}, Filter::depthwise, 200);
}

}  // namespace
}  // namespace tiebreak
