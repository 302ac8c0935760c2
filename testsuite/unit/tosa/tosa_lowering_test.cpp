// SPDX-License-Identifier: Apache-2.0
// What MLIR's lowering of TOSA makes of casts and pools, under its profile, against plain machine floats and integers.
#include <bit>
#include <limits>

#include "testsuite/unit/helpers/microsoft_call.hpp"

namespace tiebreak {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Codes of a float format of 16 bits for what all three formats hold: small halves, infinities, NaN.
struct SmallFormat {
  const char* name;
  std::uint64_t half, minus_two_and_half, infinity, minus_infinity, not_a_number;
};
constexpr SmallFormat small_formats[] = {{"f16", 0x3800, 0xC100, 0x7C00, 0xFC00, 0x7E00}, {"bf16", 0x3F00, 0xC020, 0x7F80, 0xFF80, 0x7FC0}};

Result<Tensor> cast(Tensor input, const std::string& to) {
  return result_of({.op = "onnx.Cast", .operands = {std::move(input)}, .attributes = {{"to", Attribute{*ElementType::parse(to)}}}}, "mlir-22");
}

TEST(TosaLowering, CastsRoundToEvenAndSaturate) {
  Draw draw(81);
  std::vector<float> inputs = {infinity,      -infinity,     0.0f,           -0.0f, 127.5f, 128.5f,   -128.5f,  -129.5f,
                               2147483520.0f, 2147483648.0f, -2147483648.0f, 3e38f, -3e38f, 32767.5f, -32768.5f};
  for (int i = 0; i < 4000; ++i) inputs.push_back(static_cast<float>(draw.below(1 << 18) - (1 << 17)) * 0.25f);
  const std::tuple<const char*, double, double> types[] = {{"i8", -128.0, 127.0}, {"i16", -32768.0, 32767.0}, {"i32", -2147483648.0, 2147483647.0}};
  for (const auto& [to, least, greatest] : types) {
    auto result = cast(floats_tensor({static_cast<std::int64_t>(inputs.size())}, inputs), to);
    ASSERT_TRUE(result) << to_text(result.error());
    std::vector<std::int64_t> expected;
    for (float x : inputs) expected.push_back(static_cast<std::int64_t>(std::clamp(std::nearbyint(static_cast<double>(x)), least, greatest)));
    EXPECT_EQ(mismatches(*result, expected), 0) << to;
  }
}

TEST(TosaLowering, NotANumberGoesByTheTypes) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [to, code] : {std::pair{"i8", 0}, std::pair{"i16", 0}, std::pair{"i32", 2147483647}})
    EXPECT_EQ(mismatches(*cast(floats_tensor({1}, {nan}), to), {code}), 0) << to;
  const std::map<std::string, std::vector<std::int64_t>> expected{{"f16", {0, 32767, -2147483648}}, {"bf16", {0, 32767, 2147483647}}};
  for (const SmallFormat& format : small_formats) {
    int at = 0;
    for (const auto& [to, least, greatest] : {std::tuple{"i8", -128, 127}, std::tuple{"i16", -32768, 32767}, std::tuple{"i32", -2147483647 - 1, 2147483647}}) {
      const auto codes = [](std::uint64_t code) { return static_cast<std::int64_t>(code); };
      const Tensor input = codes_tensor(
          format.name, {5},
          {codes(format.half), codes(format.minus_two_and_half), codes(format.infinity), codes(format.minus_infinity), codes(format.not_a_number)});
      const std::int64_t of_nan = expected.at(format.name)[static_cast<std::size_t>(at++)];
      EXPECT_EQ(mismatches(*cast(input, to), {0, -2, greatest, least, of_nan}), 0) << format.name << " " << to;
    }
  }
}

/// Windows of two rows and three columns.
template <class Fold>
std::vector<float> pooled(const std::vector<float>& x, std::int64_t rows, std::int64_t columns, float start, Fold fold) {
  std::vector<float> y;
  for (std::int64_t i = 0; i + 2 <= rows; ++i)
    for (std::int64_t j = 0; j + 3 <= columns; ++j) {
      float value = start;
      for (std::int64_t k = 0; k < 6; ++k) value = fold(value, x[static_cast<std::size_t>((i + k / 3) * columns + j + k % 3)]);
      y.push_back(value);
    }
  return y;
}

/// Bit for bit, but for what is no number.
void expect_floats(const Result<Tensor>& result, const std::vector<float>& expected) {
  ASSERT_TRUE(result) << to_text(result.error());
  ASSERT_EQ(result->size(), static_cast<std::int64_t>(expected.size()));
  for (std::int64_t i = 0; i < result->size(); ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(result->code(i))), wanted = expected[static_cast<std::size_t>(i)];
    const bool same = std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(wanted);
    EXPECT_TRUE(same || (std::isnan(wanted) && std::isnan(value))) << i << ": " << value << " for " << wanted;
  }
}

TEST(TosaLowering, PoolsOfFloats) {
  Draw draw(82);
  constexpr std::int64_t rows = 9, columns = 24;
  const float choices[] = {0.0f, -0.0f, -infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), -1.0f, infinity};
  const AttributeMap attributes{{"kernel_shape", Attribute::integers({2, 3})}};
  for (std::int64_t kinds : {2, 4, 7}) {
    std::vector<float> special, numbers;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      special.push_back(choices[draw.below(kinds)]);
      numbers.push_back(draw.number(-1000, 1000));
    }
    const auto greater = [](float a, float b) { return std::isnan(a) || a > b ? a : b; };
    expect_floats(result_of({.op = "onnx.MaxPool", .operands = {floats_tensor({1, 1, rows, columns}, special)}, .attributes = attributes}, "mlir-22"),
                  pooled(special, rows, columns, std::numeric_limits<float>::lowest(), greater));
    std::vector<float> means = pooled(numbers, rows, columns, 0, [](float a, float b) { return a + b; });
    for (float& mean : means) mean /= 6;
    expect_floats(result_of({.op = "onnx.AveragePool", .operands = {floats_tensor({1, 1, rows, columns}, numbers)}, .attributes = attributes}, "mlir-22"),
                  means);
  }
}

/// Rows of three: of equal elements the first stays. And the bounds of a clip, the lower one last.
TEST(TosaLowering, ReductionsAndLimits) {
  Draw draw(83);
  const float choices[] = {0.0f, -0.0f, -infinity, infinity, -infinity, -1.0f, 1.0f, std::numeric_limits<float>::quiet_NaN()};
  constexpr std::int64_t rows = 200;
  std::vector<float> x, greatest, least, clipped;
  for (std::int64_t i = 0; i < rows * 3; ++i) x.push_back(choices[draw.below(i < rows ? 2 : i < rows * 2 ? 5 : 8)]);
  for (std::size_t i = 0; i < x.size(); i += 3) {
    float high = std::numeric_limits<float>::lowest(), low = std::numeric_limits<float>::max();
    for (std::size_t k = i; k < i + 3; ++k) {
      if (std::isnan(x[k]) || x[k] > high) high = x[k];
      if (std::isnan(x[k]) || x[k] < low) low = x[k];
    }
    const bool no_number = std::isnan(x[i]) || std::isnan(x[i + 1]) || std::isnan(x[i + 2]);
    greatest.push_back(no_number ? std::numeric_limits<float>::quiet_NaN() : high);
    least.push_back(no_number ? std::numeric_limits<float>::quiet_NaN() : low);
  }
  const AttributeMap attributes{{"axes", Attribute::integers({1})}};
  expect_floats(result_of({.op = "onnx.ReduceMax", .operands = {floats_tensor({rows, 3}, x)}, .attributes = attributes}, "mlir-22"), greatest);
  expect_floats(result_of({.op = "onnx.ReduceMin", .operands = {floats_tensor({rows, 3}, x)}, .attributes = attributes}, "mlir-22"), least);
  for (const auto& [low, high] : {std::pair{-1.0f, 0.0f}, std::pair{-0.0f, 1.0f}, std::pair{-0.0f, 0.0f}, std::pair{0.0f, 1.0f}}) {
    clipped.clear();
    for (float v : x) {
      const float below = std::isnan(v) || v < high ? v : high;
      clipped.push_back(std::isnan(below) || below > low ? below : low);
    }
    const std::vector<std::optional<Tensor>> operands{floats_tensor({rows * 3}, x), scale_tensor(low), scale_tensor(high)};
    expect_floats(result_of({.op = "onnx.Clip", .operands = operands}, "mlir-22"), clipped);
  }
}

/// Of two zeros the second operand, and the least integer's opposite is the greatest.
TEST(TosaLowering, ZerosAndOpposites) {
  const std::vector<float> zeros{0.0f, -0.0f, 0.0f, -0.0f}, others{-0.0f, 0.0f, 1.0f, -1.0f};
  const std::vector<std::optional<Tensor>> operands{floats_tensor({4}, zeros), floats_tensor({4}, others)};
  expect_floats(result_of({.op = "onnx.Max", .operands = operands}, "mlir-22"), {-0.0f, 0.0f, 1.0f, -0.0f});
  expect_floats(result_of({.op = "onnx.Min", .operands = operands}, "mlir-22"), {-0.0f, 0.0f, 0.0f, -1.0f});
  const auto opposite = result_of({.op = "onnx.Neg", .operands = {codes_tensor("i8", {3}, {-128, 127, 0})}}, "mlir-22");
  ASSERT_TRUE(opposite) << to_text(opposite.error());
  EXPECT_EQ(mismatches(*opposite, {127, -127, 0}), 0);
}

}  // namespace
}  // namespace tiebreak
