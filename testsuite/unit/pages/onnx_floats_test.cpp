// SPDX-License-Identifier: Apache-2.0
// ONNX's float operators against machine floats, on pseudo-random inputs: sums exactly and in two orders, biases and scalings before and after a rounding,
// softmax and layer normalization in one step and in several.
#include "testsuite/oracle/onnx/onnx_floats.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <random>

#include "testsuite/oracle/float_sums.hpp"
#include "testsuite/unit/helpers/draw.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

Floats floats_of_tensor(const Tensor& tensor) {
  Floats values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(tensor.code(i))));
  return values;
}

/// What a call gives with some choices taken otherwise than by the pages.
Floats given_floats(const OpCall& call, const std::map<std::string, std::string>& choices = {}) {
  auto results = evaluate({*spec_pages(), profile_with(choices)}, call);
  EXPECT_TRUE(results) << to_text(results.error());
  return results ? floats_of_tensor(results->front().tensor) : Floats{};
}

Floats drawn_floats(Draw& draw, std::int64_t count, float least = -2, float greatest = 2) {
  Floats values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(draw.number(least, greatest));
  return values;
}

enum class Order { exact, in_order, fused };
const std::map<Order, std::string> words{{Order::exact, "exact"}, {Order::in_order, "in_order"}, {Order::fused, "fused"}};

/// Sum of products, then what `extra` adds to it before the one rounding of the exact order.
float sum_of(const Floats& a, const Floats& b, Order order) {
  if (order == Order::exact) return oracle::exact_sum(a, b).value();
  return oracle::sum_f32(a, b, {.order = oracle::SumOrder::sequential, .fused = order == Order::fused});
}

TEST(OnnxFloats, ProductsInEveryOrder) {
  Draw draw(31);
  constexpr std::int64_t rows = 9, depth = 23, columns = 11;
  for (int round = 0; round < 20; ++round) {
    const Floats a = drawn_floats(draw, rows * depth), b = drawn_floats(draw, depth * columns), c = drawn_floats(draw, columns);
    for (const auto& [order, word] : words) {
      const Floats product = given_floats({.op = "onnx.MatMul", .operands = {floats_tensor({rows, depth}, a), floats_tensor({depth, columns}, b)}},
                                          {{"arithmetic.float_sum/order", word}});
      const Floats scaled = given_floats({.op = "onnx.Gemm",
                                          .operands = {floats_tensor({rows, depth}, a), floats_tensor({depth, columns}, b), floats_tensor({columns}, c)},
                                          .attributes = {{"alpha", Attribute{Real::from_double(0.25)}}}},
                                         {{"arithmetic.float_sum/order", word}, {"onnx.Gemm/rounding", "steps"}});
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
          Floats left, right;
          for (std::int64_t k = 0; k < depth; ++k) {
            left.push_back(a[static_cast<std::size_t>(i * depth + k)]);
            right.push_back(b[static_cast<std::size_t>(k * columns + j)]);
          }
          const float sum = sum_of(left, right, order), quarter = 0.25F * sum;
          ASSERT_EQ(product.at(static_cast<std::size_t>(i * columns + j)), sum) << word;
          ASSERT_EQ(scaled.at(static_cast<std::size_t>(i * columns + j)), quarter + c[static_cast<std::size_t>(j)]) << word;
        }
    }
  }
}

/// Factors place by place, features fastest, as feature by feature.
Floats by_feature(const Floats& factors, std::size_t features) {
  Floats turned;
  for (std::size_t feature = 0; feature < features; ++feature)
    for (std::size_t i = feature; i < factors.size(); i += features) turned.push_back(factors[i]);
  return turned;
}

TEST(OnnxFloats, ConvolutionsWithTheirBias) {
  Draw draw(32);
  for (const oracle::onnx::Convolution& how :
       {oracle::onnx::Convolution{{2, 4, 7, 6}, {6, 4, 3, 3}, 1, 1, 1, 1}, oracle::onnx::Convolution{{1, 4, 9, 8}, {4, 2, 3, 2}, 2, 2, 2, 2}}) {
    const Floats x = drawn_floats(draw, how.x[0] * how.x[1] * how.x[2] * how.x[3]), w = drawn_floats(draw, how.w[0] * how.w[1] * how.w[2] * how.w[3]),
                 b = drawn_floats(draw, how.w[0], -30, 30);
    const AttributeMap attributes{{"strides", Attribute::integers({how.stride, how.stride})},
                                  {"dilations", Attribute::integers({how.dilation, how.dilation})},
                                  {"pads", Attribute::integers({how.pad, how.pad, how.pad, how.pad})},
                                  {"group", Attribute{Real(how.groups)}}};
    const OpCall call{
        .op = "onnx.Conv", .operands = {floats_tensor(how.x, x), floats_tensor(how.w, w), floats_tensor({how.w[0]}, b)}, .attributes = attributes};
    const Floats inside = given_floats(call), after = given_floats(call, {{"onnx.Conv/bias", "after"}});
    const Floats channels = given_floats(call, {{"onnx.Conv/order", "channels"}}), channels_fused = given_floats(call, {{"onnx.Conv/order", "channels_fused"}});
    const std::vector<oracle::onnx::Factors> cells = oracle::onnx::factors(how, x, w);
    ASSERT_EQ(inside.size(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      oracle::onnx::Factors cell = cells[i];
      const float bias = b[cell.channel];
      ASSERT_EQ(after[i], sum_of(cell.x, cell.w, Order::exact) + bias);
      const auto features = static_cast<std::size_t>(how.w[1]);
      const Floats left = by_feature(cell.x, features), right = by_feature(cell.w, features);
      ASSERT_EQ(channels[i], sum_of(left, right, Order::in_order) + bias);
      ASSERT_EQ(channels_fused[i], sum_of(left, right, Order::fused) + bias);
      cell.x.push_back(bias);
      cell.w.push_back(1);
      ASSERT_EQ(inside[i], sum_of(cell.x, cell.w, Order::exact));
    }
  }
}

TEST(OnnxFloats, MeansAndTheirRounding) {
  Draw draw(33);
  const Floats x = drawn_floats(draw, 3 * 5 * 8, -1000, 1000);
  const Tensor tensor = floats_tensor({1, 3, 5, 8}, x);
  const std::vector<std::pair<OpCall, std::string>> calls{
      {{.op = "onnx.GlobalAveragePool", .operands = {tensor}}, "onnx.GlobalAveragePool/mean"},
      {{.op = "onnx.ReduceMean", .operands = {tensor}, .attributes = {{"axes", Attribute::integers({2, -1})}}}, "onnx.ReduceMean/mean"},
      {{.op = "onnx.AveragePool", .operands = {tensor}, .attributes = {{"kernel_shape", Attribute::integers({5, 8})}}}, "onnx.AveragePool/mean"}};
  for (const auto& [call, choice] : calls) {
    const Floats once = given_floats(call), after = given_floats(call, {{choice, "after_sum"}});
    ASSERT_EQ(once.size(), 3U) << call.op;
    for (std::size_t c = 0; c < 3; ++c) {
      const Floats line(x.begin() + static_cast<std::ptrdiff_t>(40 * c), x.begin() + static_cast<std::ptrdiff_t>(40 * (c + 1)));
      double sum = 0;  // 24 bits and six more: exact
      for (float v : line) sum += static_cast<double>(v);
      EXPECT_EQ(once[c], static_cast<float>(sum / 40)) << call.op;
      EXPECT_EQ(after[c], static_cast<float>(sum) / 40.0F) << call.op;
    }
  }
}

/// Windows of every size, with padding counted or not, some of which hang over its end.
TEST(OnnxFloats, AveragePools) {
  Draw draw(36);
  int hanging = 0;
  for (int round = 0; round < 400; ++round) {
    oracle::onnx::Pool how{1 + draw.below(4), 1 + draw.below(3), 1 + draw.below(2)};
    how.low = draw.below(how.kernel);
    how.high = draw.below(how.kernel);
    how.rounds_up = round % 4 != 0;
    how.counts_padding = round % 3 != 0;
    const std::int64_t size = (how.kernel - 1) * how.dilation + 1 + draw.below(8);
    const Floats line = drawn_floats(draw, size, -1000, 1000);
    const OpCall call{.op = "onnx.AveragePool",
                      .operands = {floats_tensor({1, 1, size}, line)},
                      .attributes = {{"kernel_shape", Attribute::integers({how.kernel})},
                                     {"strides", Attribute::integers({how.stride})},
                                     {"dilations", Attribute::integers({how.dilation})},
                                     {"pads", Attribute::integers({how.low, how.high})},
                                     {"ceil_mode", Attribute{Real(how.rounds_up ? 1 : 0)}},
                                     {"count_include_pad", Attribute{Real(how.counts_padding ? 1 : 0)}}}};
    Floats expected;
    for (const oracle::onnx::Mean& mean : oracle::onnx::average_pool(line, how)) {
      expected.push_back(static_cast<float>(mean.sum / static_cast<double>(mean.count)));
      hanging += how.counts_padding && mean.count < how.kernel ? 1 : 0;
    }
    const Floats actual = given_floats(call);
    ASSERT_EQ(actual.size(), expected.size()) << "round " << round;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (std::isnan(expected[i])) continue;  // nothing but padding
      EXPECT_EQ(actual[i], expected[i]) << "round " << round << " window " << i;
    }
  }
  EXPECT_GT(hanging, 30);
}

TEST(OnnxFloats, LinesInOneStepAndInSeveral) {
  Draw draw(34);
  for (int round = 0; round < 60; ++round) {
    const std::int64_t count = 2 + draw.below(30);
    const Floats line = drawn_floats(draw, count, -5, 5);
    const oracle::onnx::Normalization how{drawn_floats(draw, count, 0.5F, 2), round % 2 == 0 ? Floats{} : drawn_floats(draw, count), 1e-5F};
    const OpCall softmax{.op = "onnx.Softmax", .operands = {floats_tensor({1, count}, line)}};
    EXPECT_EQ(given_floats(softmax), oracle::onnx::softmax(line));
    EXPECT_EQ(given_floats(softmax, {{"onnx.Softmax/form", "steps"}}), oracle::onnx::softmax_in_steps(line));
    // Before opset 13 a line has all dimensions from the axis on, by default from the second.
    const std::int64_t rest = count % 2 == 0 ? 2 : 1;
    EXPECT_EQ(given_floats({.op = "onnx.Softmax", .operands = {floats_tensor({1, count / rest, rest}, line)}, .version = 12}), oracle::onnx::softmax(line));
    OpCall normal{.op = "onnx.LayerNormalization",
                  .operands = {floats_tensor({1, count}, line), floats_tensor({count}, how.scale)},
                  .attributes = {{"epsilon", Attribute{Real::from_double(static_cast<double>(how.epsilon))}}}};
    if (!how.shift.empty()) normal.operands.emplace_back(floats_tensor({count}, how.shift));
    EXPECT_EQ(given_floats(normal), oracle::onnx::layer_normalization(line, how));
    EXPECT_EQ(given_floats(normal, {{"onnx.LayerNormalization/form", "steps"}}), oracle::onnx::layer_normalization_in_steps(line, how));
  }
}

TEST(OnnxFloats, FunctionsElementByElement) {
  Draw draw(35);
  const Floats x = drawn_floats(draw, 300, -6, 6), positive = drawn_floats(draw, 300, 0.01F, 50), y = drawn_floats(draw, 300, -3, 3);
  for (const char* op : {"Exp", "Erf", "Tanh", "Sigmoid", "Reciprocal", "Relu", "Gelu"}) {
    Floats expected;
    for (float v : x) expected.push_back(oracle::onnx::unary(op, v));
    EXPECT_EQ(given_floats({.op = std::string("onnx.") + op, .operands = {floats_tensor({300}, x)}}), expected) << op;
  }
  Floats roots, powers, curves;
  for (std::size_t i = 0; i < x.size(); ++i) {
    roots.push_back(oracle::onnx::unary("Sqrt", positive[i]));
    powers.push_back(oracle::onnx::power(positive[i], y[i]));
    curves.push_back(oracle::onnx::unary("GeluTanh", x[i]));
  }
  EXPECT_EQ(given_floats({.op = "onnx.Sqrt", .operands = {floats_tensor({300}, positive)}}), roots);
  EXPECT_EQ(given_floats({.op = "onnx.Pow", .operands = {floats_tensor({300}, positive), floats_tensor({300}, y)}}), powers);
  // The text's tanh form cancels where x is far below zero: doubles have seven digits fewer there.
  const Floats tanh_form =
      given_floats({.op = "onnx.Gelu", .operands = {floats_tensor({300}, x)}, .attributes = {{"approximate", Attribute{std::string("tanh")}}}});
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LE(std::abs(tanh_form[i] - curves[i]), x[i] > -2 ? 0.0F : 1e-9F) << x[i];
}

}  // namespace
}  // namespace tiebreak
