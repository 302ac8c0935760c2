// SPDX-License-Identifier: Apache-2.0
// Sums of dequantized codes, the fused quantization and biases that take in a zero point against the oracle, on ties, beside them, on what is no
// number, and at the ends of int32.
#include "testsuite/oracle/onnx/vendor_paths.hpp"

#include <limits>

#include "testsuite/unit/helpers/microsoft_call.hpp"

namespace tiebreak {
namespace {

/// At ties of x / scale, one step beside them, and the specials.
std::vector<float> inputs_at_ties(Draw& draw, float scale) {
  std::vector<float> inputs = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 3e9f, -3e9f, 2147483648.0f, std::numeric_limits<float>::denorm_min()};
  for (int i = 0; i < 3000; ++i) {
    const float tie = (static_cast<float>(draw.below(600) - 300) + 0.5f) * scale;
    for (float x : {tie, std::nextafter(tie, INFINITY), std::nextafter(tie, -INFINITY)}) inputs.push_back(x);
  }
  return inputs;
}

TEST(VendorPaths, QuantizationInOneStepAndInTwo) {
  Draw draw(71);
  for (bool fused : {true, false}) {
    const Profile profile = profile_with({{"onnx.QuantizeLinear/order", fused ? "fused_reciprocal_flushed" : "reciprocal_flushed"},
                                          {"onnx.QuantizeLinear/integer", "least_beyond_i32_after_zero_point"}});
    std::int64_t other = 0;  // how often the other way gives another code
    for (bool is_signed : {false, true}) {
      const std::string type = is_signed ? "i8" : "u8";
      for (float scale : {0.1f, 0.0123f, 1.0f, 0.125f, 3.14159f, 0x1p+127f, 0x1.8p+126f, 0x1.4p-127f, 0x1p-126f, draw.number(0.001f, 1.0f)}) {
        const auto zero_point = static_cast<std::int32_t>(draw.code(oracle::integer_range(is_signed, 8)));
        const std::vector<float> inputs = inputs_at_ties(draw, scale);
        auto answer = evaluate(
            {*spec_pages(), profile},
            {.op = "onnx.QuantizeLinear", .operands = {floats_line(inputs), scale_tensor(scale), code_tensor(type, zero_point)}, .version = 13, .where = type});
        ASSERT_TRUE(answer) << to_text(answer.error());
        std::vector<std::int64_t> expected;
        for (float x : inputs) {
          expected.push_back(oracle::moved_code(x, scale, zero_point, is_signed, fused));
          other += expected.back() != oracle::moved_code(x, scale, zero_point, is_signed, !fused) ? 1 : 0;
        }
        EXPECT_EQ(mismatches(answer->front().tensor, expected), 0) << type << " " << scale << " " << zero_point << (fused ? " fused" : " apart");
      }
    }
    EXPECT_GT(other, 1000);
  }
}

/// Products of equal codes, so that a depth makes the sum: below 2^24, above it, and beyond int32 at both ends.
TEST(VendorPaths, SumsThroughFloats) {
  const Profile profile = profile_with({{"onnx.MatMulInteger/accumulator", "f32_saturated"}, {"onnx.ConvInteger/accumulator", "f32_saturated"}});
  Draw draw(73);
  for (int turn = 0; turn < 40; ++turn) {
    const bool negative = turn % 2 != 0, beyond = turn % 10 >= 8;
    const std::int64_t depth = beyond ? 66000 + draw.below(1000) : (turn % 3 == 0 ? 200 : 1000) + draw.below(1500), a = beyond ? 255 : 200 + draw.below(56),
                       b = beyond ? (negative ? -128 : 127) : (negative ? -101 : 101);
    const auto repeated = [](std::int64_t code, std::int64_t count) { return std::vector<std::int64_t>(static_cast<std::size_t>(count), code); };
    const std::int32_t expected = oracle::sum_through_float(depth * a * b);
    auto product = evaluate({*spec_pages(), profile},
                            {.op = "onnx.MatMulInteger",
                             .operands = {codes_tensor("u8", {1, depth}, repeated(a, depth)), codes_tensor("i8", {depth, 1}, repeated(b, depth))},
                             .version = 10,
                             .where = "product"});
    ASSERT_TRUE(product) << to_text(product.error());
    EXPECT_EQ(mismatches(product->front().tensor, {expected}), 0) << depth << " times " << a << " times " << b;
    auto image = evaluate({*spec_pages(), profile},
                          {.op = "onnx.ConvInteger",
                           .operands = {codes_tensor("u8", {1, depth, 1}, repeated(a, depth)), codes_tensor("i8", {1, depth, 1}, repeated(b, depth))},
                           .version = 10,
                           .where = "convolution"});
    ASSERT_TRUE(image) << to_text(image.error());
    EXPECT_EQ(mismatches(image->front().tensor, {expected}), 0) << depth << " times " << a << " times " << b;
  }
}

constexpr std::int64_t features = 40;

struct DrawnSum {
  std::int64_t depth = 1, x_zero_point = 0, y_zero_point = 0;
  float x_scale = 1, w_scale = 1, y_scale = 1;
  std::vector<std::int64_t> x{}, w{}, bias{};  ///< w feature-major

  std::int64_t code(std::int64_t feature, bool with_bias) const {
    oracle::DequantizedSum sum{{}, {}, x_scale, w_scale, y_scale, 0, static_cast<std::int32_t>(y_zero_point)};
    for (std::int64_t k = 0; k < depth; ++k) {
      sum.x.push_back(static_cast<std::int32_t>(x[static_cast<std::size_t>(k)] - x_zero_point));
      sum.w.push_back(static_cast<std::int32_t>(w[static_cast<std::size_t>(feature * depth + k)]));
    }
    if (with_bias) sum.bias = static_cast<std::int32_t>(bias[static_cast<std::size_t>(feature)]);
    return static_cast<std::int64_t>(std::clamp(oracle::dequantized_code(sum), -128.0, 127.0));
  }
};

/// Scales whose products of few codes are ties, or drawn ones.
DrawnSum draw_sum(Draw& draw, std::int64_t depth, bool ties) {
  const oracle::CodeRange range = oracle::integer_range(true, 8);
  DrawnSum data{depth, draw.code(range), draw.code(range), ties ? 0.5f : draw.number(0.01f, 1), ties ? 0.25f : draw.number(0.001f, 0.1f), 0, {}, {}, {}};
  data.y_scale = ties ? 4.0f : data.x_scale * data.w_scale * 300;
  data.x = draw.codes(range, depth);
  data.w = draw.codes(range, depth * features);
  for (std::int64_t i = 0; i < features; ++i) data.bias.push_back(draw.below(1 << 16) - (1 << 15));
  return data;
}

TEST(VendorPaths, SumsOfDequantizedCodes) {
  const Profile convolution = profile_with({{"onnx.QLinearConv/sums", "floats"}, {"quant.requantize/tie", "away"}});
  const Profile product = profile_with({{"onnx.QLinearMatMul/sums", "floats"}, {"quant.requantize/tie", "away"}});
  Draw draw(72);
  for (std::int64_t depth : {1, 2, 7, 64}) {
    for (int form = 0; form < 12; ++form) {
      const DrawnSum data = draw_sum(draw, depth, form % 2 == 0);
      const std::vector<std::optional<Tensor>> x{codes_tensor("i8", {1, depth, 1}, data.x), scale_tensor(data.x_scale), code_tensor("i8", data.x_zero_point)};
      auto first = evaluate({*spec_pages(), convolution},
                            {.op = "onnx.QLinearConv",
                             .operands = {x[0], x[1], x[2], codes_tensor("i8", {features, depth, 1}, data.w), scale_tensor(data.w_scale), code_tensor("i8", 0),
                                          scale_tensor(data.y_scale), code_tensor("i8", data.y_zero_point), codes_tensor("i32", {features}, data.bias)},
                             .version = 10,
                             .where = "convolution"});
      ASSERT_TRUE(first) << to_text(first.error());
      std::vector<std::int64_t> turned, with_bias, without;
      for (std::int64_t k = 0; k < depth; ++k)
        for (std::int64_t i = 0; i < features; ++i) turned.push_back(data.w[static_cast<std::size_t>(i * depth + k)]);
      for (std::int64_t i = 0; i < features; ++i) {
        with_bias.push_back(data.code(i, true));
        without.push_back(data.code(i, false));
      }
      EXPECT_EQ(mismatches(first->front().tensor, with_bias), 0) << "convolution, depth " << depth << " form " << form;
      auto second = evaluate({*spec_pages(), product},
                             {.op = "onnx.QLinearMatMul",
                              .operands = {codes_tensor("i8", {1, depth}, data.x), x[1], x[2], codes_tensor("i8", {depth, features}, turned),
                                           scale_tensor(data.w_scale), code_tensor("i8", 0), scale_tensor(data.y_scale), code_tensor("i8", data.y_zero_point)},
                              .version = 10,
                              .where = "product"});
      ASSERT_TRUE(second) << to_text(second.error());
      EXPECT_EQ(mismatches(second->front().tensor, without), 0) << "product, depth " << depth << " form " << form;
    }
  }
}

/// Biases at the ends of int32, to which the zero point's part is added before they are stored; the result shows the accumulator's upper bits.
TEST(VendorPaths, BiasesThatTakeInTheZeroPoint) {
  const Profile profile = profile_with({{"onnx.QLinearConv/accumulator", "zero_point_in_bias"}});
  Draw draw(74);
  for (bool is_signed : {false, true})
    for (std::int64_t depth : {1, 64, 4000})
      for (int turn = 0; turn < 8; ++turn) {
        const std::string type = is_signed ? "i8" : "u8";
        const oracle::CodeRange range = oracle::integer_range(is_signed, 8), weights = oracle::integer_range(true, 8);
        const std::int64_t zero_point = turn % 2 == 0 ? range.min : draw.code(range);
        const std::vector<std::int64_t> x = draw.codes(range, depth);
        std::vector<std::int64_t> w, bias, expected;
        for (std::int64_t i = 0; i < depth * features; ++i) w.push_back(turn % 4 < 2 ? draw.code(weights) : weights.max - draw.below(3));
        for (std::int64_t f = 0; f < features; ++f) {
          bias.push_back(f % 3 == 0 ? INT32_MAX - draw.below(1 << 20) : f % 3 == 1 ? INT32_MIN + draw.below(1 << 20) : draw.below(1 << 30));
          const auto first = w.begin() + f * depth;
          const std::int32_t sum = oracle::folded_sum({x.begin(), x.end()}, {first, first + depth}, static_cast<std::int32_t>(zero_point),
                                                      static_cast<std::int32_t>(bias.back()), is_signed);
          expected.push_back(static_cast<std::int64_t>(std::clamp(std::nearbyint(sum * 0x1p-24), -128.0, 127.0)));
        }
        auto answer =
            evaluate({*spec_pages(), profile}, {.op = "onnx.QLinearConv",
                                                .operands = {codes_tensor(type, {1, depth, 1}, x), scale_tensor(0x1p-24f), code_tensor(type, zero_point),
                                                             codes_tensor("i8", {features, depth, 1}, w), scale_tensor(1), code_tensor("i8", 0),
                                                             scale_tensor(1), code_tensor("i8", 0), codes_tensor("i32", {features}, bias)},
                                                .version = 10,
                                                .where = "convolution"});
        ASSERT_TRUE(answer) << to_text(answer.error());
        EXPECT_EQ(mismatches(answer->front().tensor, expected), 0) << type << ", depth " << depth << ", zero point " << zero_point;
      }
}

/// Weights are zero, so that the bias is the accumulator; biases lie at ties and beside them.
TEST(VendorPaths, BiasesThatAreFloats) {
  const Profile profile = profile_with({{"onnx.QLinearConv/accumulator", "bias_in_f32"},
                                        {"systems.onednn.added_bias/bias", "through_float"},
                                        {"onnx.QLinearConv/requantize.multiplier", "inverses"},
                                        {"onnx.QLinearConv/requantize.code", "f32_before"}});
  Draw draw(75);
  constexpr std::int64_t count = 900;
  int moved = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const float x_scale = turn == 0 ? 0.1f : draw.number(0.001f, 1), w_scale = turn == 0 ? 0.01f : draw.number(0.001f, 0.1f),
                y_scale = turn == 0 ? 0.3f : draw.number(0.01f, 2);
    const std::int64_t zero_point = turn == 0 ? 0 : draw.code(oracle::integer_range(false, 8));
    std::vector<std::int64_t> bias, expected;
    for (std::int64_t i = 0; i < count; ++i) {
      const double tie = (static_cast<double>(i / 3) - 20.5) * static_cast<double>(y_scale) / (static_cast<double>(x_scale) * static_cast<double>(w_scale));
      bias.push_back(static_cast<std::int64_t>(std::nearbyint(tie)) + i % 3 - 1);
      expected.push_back(static_cast<std::int64_t>(std::clamp(
          oracle::float_bias_code(static_cast<std::int32_t>(bias.back()), x_scale, w_scale, y_scale, static_cast<std::int32_t>(zero_point)), 0.0, 255.0)));
    }
    const OpCall image{.op = "onnx.QLinearConv",
                       .operands = {codes_tensor("u8", {1, 1, 1}, {9}), scale_tensor(x_scale), code_tensor("u8", 9),
                                    codes_tensor("i8", {count, 1, 1}, std::vector<std::int64_t>(count, 0)), scale_tensor(w_scale), code_tensor("i8", 0),
                                    scale_tensor(y_scale), code_tensor("u8", zero_point), codes_tensor("i32", {count}, bias)},
                       .version = 10,
                       .where = "bias"};
    auto answer = evaluate({*spec_pages(), profile}, image);
    ASSERT_TRUE(answer) << to_text(answer.error());
    EXPECT_EQ(mismatches(answer->front().tensor, expected), 0) << x_scale << " " << w_scale << " " << y_scale;
    Profile integer = profile;
    integer.choices["systems.onednn.added_bias/bias"] = ProfileValue{.alternative = "integer"};
    auto plain = evaluate({*spec_pages(), integer}, image);
    ASSERT_TRUE(plain) << to_text(plain.error());
    moved += mismatches(plain->front().tensor, expected);
  }
  EXPECT_GT(moved, 0) << "no bias shows that it was a float";
}

}  // namespace
}  // namespace tiebreak
