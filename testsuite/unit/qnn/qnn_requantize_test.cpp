// SPDX-License-Identifier: Apache-2.0
// TVM's products and requantization against the oracle: values at ties of the factor and beside them, the ends of int32, random ones; every rounding and path.
#include "testsuite/oracle/qnn/qnn_requantize.hpp"

#include "testsuite/unit/helpers/qnn_calls.hpp"

namespace tiebreak::qnn_test {
namespace {

namespace twin = oracle::qnn;

/// Values whose product with `factor` is near k + 1/2, the ends of int32, and random ones.
std::vector<std::int64_t> directed_values(double factor, std::mt19937_64& generator) {
  std::vector<std::int64_t> values{0, 1, -1, INT32_MAX, INT32_MIN, INT32_MAX - 1, INT32_MIN + 1, 1 << 24, (1 << 24) + 1, -(1 << 24) - 1};
  for (int i = 0; i < 60; ++i) {
    const double tie = (static_cast<double>(static_cast<std::int64_t>(generator() % 300) - 150) + 0.5) / factor;
    if (std::abs(tie) > 2e9) continue;
    for (std::int64_t near = -1; near <= 1; ++near) values.push_back(std::llround(tie) + near);
  }
  for (int i = 0; i < 20; ++i) values.push_back(static_cast<std::int32_t>(generator()));
  return values;
}

const std::pair<twin::Lowering, const char*> lowerings[] = {{twin::Lowering::shifted, "shifted"},       {twin::Lowering::general, "general"},
                                                            {twin::Lowering::aarch64, "two_stages_up"}, {twin::Lowering::hexagon, "floor_then_half_up"},
                                                            {twin::Lowering::gemmlowp, "two_stages"},   {twin::Lowering::even, "even"}};

TEST(QnnFixedPoint, EveryLowering) {
  std::mt19937_64 generator(seed);
  for (const auto& [lowering, name] : lowerings)
    for (int exponent : {-33, -32, -31, -20, -7, -1, 0, 1, 3})
      for (std::int64_t mantissa :
           {std::int64_t{1} << 30, std::int64_t{1518500250}, (std::int64_t{1} << 31) - 1, static_cast<std::int64_t>((generator() >> 34) | (1u << 30))}) {
        const std::vector<std::int64_t> values = directed_values(std::ldexp(static_cast<double>(mantissa), exponent - 31), generator);
        OpCall call{.op = "qnn.fixed_point_multiply",
                    .operands = {line("i32", values)},
                    .attributes = {{"multiplier", Attribute{Real(mantissa)}}, {"shift", Attribute{Real(exponent)}}}};
        auto result = run(call, "tvm-0.18", {{"qnn.fixed_point/upward", name}});
        ASSERT_TRUE(result) << to_text(result.error());
        auto expected = [&, lowering = lowering](std::int64_t i) -> std::optional<std::int64_t> {
          return twin::multiply_upward(static_cast<std::int32_t>(values[static_cast<std::size_t>(i)]), {mantissa, exponent}, lowering);
        };
        EXPECT_EQ(wrong(*result, expected, std::string(name) + " " + std::to_string(mantissa) + " shift " + std::to_string(exponent)), 0);
      }
}

struct Mode {
  twin::Rounding rounding;
  twin::Compute compute;
  const char* profile;
  bool adds = false;
};
constexpr Mode modes[] = {{twin::Rounding::upward, twin::Compute::int64, "tvm-0.18-int64-upward"},
                          {twin::Rounding::tonearest, twin::Compute::int64, "tvm-0.18-int64-tonearest"},
                          {twin::Rounding::upward, twin::Compute::float32, "tvm-0.18-f32-upward"},
                          {twin::Rounding::tonearest, twin::Compute::float32, "tvm-0.18-f32-tonearest"},
                          {twin::Rounding::tonearest, twin::Compute::float32, "tvm-0.18-f32-tonearest-emulated", true},
                          {twin::Rounding::upward, twin::Compute::float64, "tvm-0.18-f64-upward"},
                          {twin::Rounding::tonearest, twin::Compute::float64, "tvm-0.18-f64-tonearest"},
                          {twin::Rounding::tonearest, twin::Compute::float64, "tvm-0.18-f64-tonearest-emulated", true}};

struct OutputType {
  const char* name;
  std::int64_t least, greatest;
};
constexpr OutputType output_types[] = {{"i8", -128, 127}, {"u8", 0, 255}, {"i16", -32768, 32767}, {"i32", INT32_MIN, INT32_MAX}};

/// Scales: powers of two, thirds, random ones, equal ones, a factor above one, a tiny one.
std::vector<std::pair<float, float>> scale_pairs(std::mt19937_64& generator) {
  std::vector<std::pair<float, float>> pairs{{0.5f, 1.0f}, {1.0f, 4.0f},   {1.0f, 3.0f},           {0.1f, 0.1f},  {1.0f, 0.5f},
                                             {0.3f, 0.1f}, {1e-9f, 0.02f}, {0x1.fffffep-2f, 1.0f}, {1e-12f, 1.0f}};
  std::uniform_real_distribution<float> exponents(-14, 1);
  for (int i = 0; i < 12; ++i) pairs.emplace_back(std::exp2(exponents(generator)), std::exp2(exponents(generator) / 4));
  return pairs;
}

TEST(QnnRequantize, EveryModeAndType) {
  std::mt19937_64 generator(seed);
  int elements = 0;
  for (const auto& [input_scale, output_scale] : scale_pairs(generator)) {
    const std::vector<std::int64_t> values = directed_values(static_cast<double>(input_scale) / static_cast<double>(output_scale), generator);
    for (const Mode& mode : modes)
      for (const OutputType& type : output_types) {
        const bool offset = generator() % 2 != 0, single = generator() % 3 != 0;
        twin::Requantize how{input_scale, output_scale, offset ? -3 : 0, offset ? 7 : 0, mode.rounding, mode.compute, twin::Lowering::shifted,
                             single,      mode.adds};
        const Tensor scale = single ? number(input_scale) : floats_tensor({1}, {input_scale});
        OpCall call{.op = "qnn.requantize",
                    .operands = {line("i32", values), scale, integer(how.input_zero_point), number(output_scale), integer(how.output_zero_point)},
                    .attributes = {{"out_dtype", Attribute{*ElementType::parse(type.name)}}}};
        auto result = run(call, mode.profile);
        ASSERT_TRUE(result) << to_text(result.error());
        auto expected = [&](std::int64_t i) -> std::optional<std::int64_t> {
          const auto code = twin::requantize(values[static_cast<std::size_t>(i)], how);
          return code ? std::optional(std::clamp<std::int64_t>(*code, type.least, type.greatest)) : std::nullopt;
        };
        elements += static_cast<int>(values.size());
        EXPECT_EQ(
            wrong(*result, expected, std::string(mode.profile) + " " + type.name + " " + std::to_string(input_scale) + "/" + std::to_string(output_scale)), 0);
      }
  }
  std::printf("  %d elements, seed %llu\n", elements, static_cast<unsigned long long>(seed));
}

/// quant.requantize and qnn.requantize are two pages of one system: factors of one scale and of a vector with one, powers of two that int32
/// can shift by and not.
TEST(QnnRequantize, TwoPagesGiveOneAnswer) {
  std::mt19937_64 generator(seed);
  std::vector<float> scales{0.0f, 1.0f, 3.0f, 0x1.fffffep-1f};
  for (int k = -36; k <= 34; ++k) scales.push_back(std::ldexp(1.0f, k));
  for (int k = -34; k <= 66; k += 7) scales.push_back(std::ldexp(1.0f + static_cast<float>(generator() % 1000) / 1000.0f, k));
  int elements = 0, undefined = 0;
  for (const char* profile : {"tvm-0.18-int64-upward", "tvm-0.18-int64-tonearest", "tvm-0.18-aarch64", "tvm-0.18-hexagon"})
    for (const char* type : {"i32", "i64"})
      for (float scale : scales)
        for (const bool single : {true, false}) {
          std::vector<std::int64_t> values = directed_values(scale == 0 ? 1.0 : static_cast<double>(scale), generator);
          if (std::string_view(type) == "i64")
            for (std::int64_t& value : values) value += static_cast<std::int64_t>(generator() % 3) << 32;
          const Tensor input_scale = single ? number(scale) : floats_tensor({1}, {scale});
          const AttributeMap to_i32{{"out_dtype", Attribute{*ElementType::parse("i32")}}}, to_i32_here{{"output_dtype", Attribute{*ElementType::parse("i32")}}};
          auto own =
              run({.op = "qnn.requantize", .operands = {line(type, values), input_scale, integer(0), number(1), integer(5)}, .attributes = to_i32}, profile);
          auto other = run(
              {.op = "quant.requantize", .operands = {line(type, values), number(1), input_scale, number(1), integer(5)}, .attributes = to_i32_here}, profile);
          ASSERT_TRUE(own) << to_text(own.error());
          ASSERT_TRUE(other) << to_text(other.error());
          auto expected = [&](std::int64_t i) -> std::optional<std::int64_t> {
            if (own->is_undefined(i)) return std::nullopt;
            return own->tensor.value(i).to_int64();
          };
          EXPECT_EQ(wrong(*other, expected, std::string(profile) + " " + type + " scale " + std::to_string(scale) + (single ? "" : " of shape [1]")), 0);
          elements += static_cast<int>(values.size());
          for (std::int64_t i = 0; i < own->tensor.size(); ++i) undefined += own->is_undefined(i) ? 1 : 0;
        }
  std::printf("  %d elements, %d of them undefined, seed %llu\n", elements, undefined, static_cast<unsigned long long>(seed));
}

/// The attributes say the same as the context.
TEST(QnnRequantize, AttributesReplaceTheContext) {
  const std::vector<std::int64_t> values{-5, -3, -1, 1, 3, 5};
  for (const Mode& mode : modes) {
    if (mode.adds) continue;
    const char* compute = mode.compute == twin::Compute::int64 ? "i64" : mode.compute == twin::Compute::float32 ? "f32" : "f64";
    OpCall call{.op = "qnn.requantize",
                .operands = {line("i32", values), number(0.5f), integer(0), number(1.0f), integer(1)},
                .attributes = {{"rounding", Attribute{std::string(mode.rounding == twin::Rounding::upward ? "UPWARD" : "TONEAREST")}},
                               {"compute_dtype", Attribute{*ElementType::parse(compute)}}}};
    for (const char* profile : {"tvm-0.18", "tvm-0.18-f32-tonearest"}) {
      auto result = run(call, profile);
      ASSERT_TRUE(result) << to_text(result.error());
      twin::Requantize how{0.5f, 1.0f, 0, 1, mode.rounding, mode.compute};
      EXPECT_EQ(
          wrong(
              *result, [&](std::int64_t i) -> std::optional<std::int64_t> { return twin::requantize(values[static_cast<std::size_t>(i)], how); }, profile),
          0);
    }
  }
}

}  // namespace
}  // namespace tiebreak::qnn_test
