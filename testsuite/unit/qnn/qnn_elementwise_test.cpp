// SPDX-License-Identifier: Apache-2.0
// TVM's quantized elementwise ops against the oracle, exhaustively where codes have 8 bits: every f16 value quantized, every code dequantized, every pair of
// codes added, subtracted and multiplied, every code through every function.
#include "testsuite/oracle/qnn/qnn_elementwise.hpp"

#include "testsuite/unit/helpers/qnn_calls.hpp"

namespace tiebreak::qnn_test {
namespace {

namespace twin = oracle::qnn;

twin::Range range_of(const std::string& type) {
  if (type == "i32") return {INT32_MIN, INT32_MAX};
  const int bits = std::stoi(type.substr(1));
  return type[0] == 'i' ? twin::Range{-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1} : twin::Range{0, (std::int64_t{1} << bits) - 1};
}

/// Every finite f16 value, infinities and nan.
std::vector<float> halves() {
  std::vector<float> values;
  for (std::uint64_t code = 0; code < 65536; ++code) values.push_back(static_cast<float>(decode(code, *find_float_format("f16")).to_double()));
  return values;
}

TEST(QnnQuantize, EveryHalf) {
  const std::vector<float> x = halves();
  const std::pair<twin::Quantize, std::map<std::string, std::string>> rules[] = {
      {{}, {}},
      {{.half_to_even = true}, {{"qnn.quantize/tie", "even"}}},
      {{.reciprocal = true}, {{"qnn.quantize/quotient", "reciprocal"}}},
      {{.order = twin::Order::before}, {{"qnn.quantize/order", "before"}}},
      {{.order = twin::Order::before_in_i32}, {{"qnn.quantize/order", "before_in_i32"}}}};
  for (const auto& [rule, bound] : rules)
    for (const auto& [type, scale, zero_point] :
         {std::tuple{"u8", 0.1f, 7}, std::tuple{"i8", 0.5f, -3}, std::tuple{"i16", 3e-4f, 11}, std::tuple{"u16", 0.75f, 65535}, std::tuple{"i32", 1e-6f, 5}}) {
      OpCall call{.op = "qnn.quantize",
                  .operands = {floats_tensor({65536}, x), number(scale), integer(zero_point)},
                  .attributes = {{"out_dtype", Attribute{*ElementType::parse(type)}}}};
      auto result = run(call, "tvm-0.18", bound);
      ASSERT_TRUE(result) << to_text(result.error());
      EXPECT_EQ(wrong(
                    *result,
                    [&, scale = scale, zero_point = zero_point, type = type, &rule = rule](std::int64_t i) {
                      return twin::quantize(x[static_cast<std::size_t>(i)], {scale, zero_point}, range_of(type), rule);
                    },
                    type),
                0);
    }
}

TEST(QnnDequantize, EveryCode) {
  for (const char* type : {"i8", "u8", "i16", "u16"}) {
    const twin::Range range = range_of(type);
    std::vector<std::int64_t> codes;
    for (std::int64_t code = range.least; code <= range.greatest; ++code) codes.push_back(code);
    auto result = run({.op = "qnn.dequantize", .operands = {line(type, codes), number(0.0123f), integer(-77)}}, "tvm-0.18");
    ASSERT_TRUE(result) << to_text(result.error());
    int unequal = 0;
    for (std::size_t i = 0; i < codes.size(); ++i)
      unequal += f32_at(result->tensor, static_cast<std::int64_t>(i)) != twin::dequantize(codes[i], {0.0123f, -77}) ? 1 : 0;
    EXPECT_EQ(unequal, 0) << type;
  }
}

struct Binary {
  twin::Parameters a, b, y;
};
constexpr Binary binaries[] = {{{0.125f, 0}, {0.125f, 0}, {0.25f, 0}},
                               {{0.0156863f, 127}, {0.0117647f, 85}, {0.0235294f, 128}},
                               {{0.00784314f, 127}, {0.00784314f, 127}, {0.00784314f, 127}},
                               {{1.0f / 3, -5}, {0.5f, 11}, {1.0f, 3}},
                               {{0.5f, 2}, {0.25f, -2}, {1.0f / 8, 100}}};

TEST(QnnBinary, EveryPairOfCodes) {
  const std::tuple<const char*, twin::Context> contexts[] = {
      {"tvm-0.18", {}}, {"tvm-0.18-int64-tonearest", {twin::Rounding::tonearest}}, {"tvm-0.18-f32-upward", {twin::Rounding::upward, twin::Compute::float32}}};
  for (const auto& [profile, context] : contexts)
    for (const Binary& binary : binaries)
      for (const std::string type : {"u8", "i8"})
        for (const std::string op : {"qnn.add", "qnn.subtract", "qnn.mul"}) {
          const std::vector<std::int64_t> codes = all_codes(type);
          OpCall call{.op = op, .operands = {codes_tensor(type, {256, 1}, codes), codes_tensor(type, {1, 256}, codes)}};
          for (const twin::Parameters& p : {binary.a, binary.b, binary.y}) call.operands.insert(call.operands.end(), {number(p.scale), integer(p.zero_point)});
          auto result = run(call, profile);
          ASSERT_TRUE(result) << to_text(result.error());
          const auto twin_op = op == "qnn.add" ? twin::add : op == "qnn.mul" ? twin::multiply : twin::subtract;
          auto expected = [&, context = context](std::int64_t i) {
            return twin_op(codes[static_cast<std::size_t>(i / 256)], codes[static_cast<std::size_t>(i % 256)], binary.a, binary.b, binary.y, range_of(type),
                           context);
          };
          EXPECT_EQ(wrong(*result, expected, op + " " + type + " " + profile), 0);
        }
}

TEST(QnnLeakyRelu, EveryCode) {
  for (const Binary& binary : binaries)
    for (const std::string type : {"u8", "i8"})
      for (const double alpha : {0.9, 0.5, 0.1, 0.25, 1.0 / 3, 0.999})
        for (const auto& [profile, context] :
             {std::pair{"tvm-0.18", twin::Context{}}, std::pair{"tvm-0.18-int64-tonearest", twin::Context{twin::Rounding::tonearest}}}) {
          const std::vector<std::int64_t> codes = all_codes(type);
          OpCall call{
              .op = "qnn.leaky_relu",
              .operands = {line(type, codes), number(binary.a.scale), integer(binary.a.zero_point), number(binary.y.scale), integer(binary.y.zero_point)},
              .attributes = {{"alpha", Attribute{Real::from_double(alpha)}}}};
          auto result = run(call, profile);
          ASSERT_TRUE(result) << to_text(result.error());
          auto expected = [&, context = context](std::int64_t i) {
            return twin::leaky_relu(codes[static_cast<std::size_t>(i)], alpha, binary.a, binary.y, range_of(type), context);
          };
          EXPECT_EQ(wrong(*result, expected, type + " alpha " + std::to_string(alpha)), 0);
        }
}

struct Function {
  const char* op;
  double (*once)(double);
  float (*steps)(float);
};
const Function functions[] = {
    {"qnn.sqrt", [](double x) { return std::sqrt(x); }, nullptr},
    {"qnn.exp", [](double x) { return std::exp(x); }, nullptr},
    {"qnn.tanh", [](double x) { return std::tanh(x); }, nullptr},
    {"qnn.erf", [](double x) { return std::erf(x); }, nullptr},
    {"qnn.log", [](double x) { return std::log(x); }, nullptr},
    {"qnn.abs", [](double x) { return std::fabs(x); }, nullptr},
    {"qnn.rsqrt", [](double x) { return 1 / std::sqrt(x); }, [](float x) { return 1.0f / std::sqrt(x); }},
    {"qnn.sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); },
     [](float x) { return 1.0f / (1.0f + static_cast<float>(std::exp(-static_cast<double>(x)))); }},
    {"qnn.hardswish", [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }, [](float x) { return x * std::clamp(x + 3.0f, 0.0f, 6.0f) / 6.0f; }}};

/// Double precision, rounded to f32 once, stands for the real function.
TEST(QnnUnary, EveryCode) {
  for (const Function& function : functions)
    for (const bool steps : {false, true}) {
      if (steps && function.steps == nullptr) continue;
      for (const std::string type : {"u8", "i8"})
        for (const Binary& binary : binaries) {
          const std::vector<std::int64_t> codes = all_codes(type);
          OpCall call{
              .op = function.op,
              .operands = {line(type, codes), number(binary.a.scale), integer(binary.a.zero_point), number(binary.b.scale), integer(binary.b.zero_point)}};
          std::map<std::string, std::string> bound;
          if (function.steps != nullptr) bound[std::string(function.op) + "/function"] = steps ? "steps" : "once";
          auto result = run(call, "tvm-0.18", bound);
          ASSERT_TRUE(result) << to_text(result.error());
          auto expected = [&](std::int64_t i) {
            const float x = twin::dequantize(codes[static_cast<std::size_t>(i)], binary.a);
            return twin::quantize(steps ? function.steps(x) : static_cast<float>(function.once(static_cast<double>(x))), binary.b, range_of(type));
          };
          EXPECT_EQ(wrong(*result, expected, std::string(function.op) + " " + type + (steps ? " steps" : "")), 0);
        }
    }
}

TEST(QnnSoftmax, RandomRows) {
  std::mt19937_64 generator(seed);
  for (const float scale : {1.0f, 0.5f, 0.125f, 0.1f, 0.02f, 0.0078125f})
    for (const twin::Parameters& to : {twin::Parameters{1.0f / 256, -128}, twin::Parameters{1.0f / 128, 0}, twin::Parameters{0.007f, 5}}) {
      const std::int64_t rows = 40, length = 1 + static_cast<std::int64_t>(generator() % 12);
      std::vector<std::int64_t> codes;
      for (std::int64_t i = 0; i < rows * length; ++i) codes.push_back(static_cast<std::int64_t>(generator() % 256) - 128);
      auto result = run(
          {.op = "qnn.softmax", .operands = {codes_tensor("i8", {rows, length}, codes), number(scale), integer(3), number(to.scale), integer(to.zero_point)}},
          "tvm-0.18");
      ASSERT_TRUE(result) << to_text(result.error());
      auto expected = [&](std::int64_t i) -> std::optional<std::int64_t> {
        const auto row =
            twin::softmax(std::span(codes).subspan(static_cast<std::size_t>(i / length * length), static_cast<std::size_t>(length)), {scale, 3}, to, {});
        return row ? std::optional((*row)[static_cast<std::size_t>(i % length)]) : std::nullopt;
      };
      EXPECT_EQ(wrong(*result, expected, "scale " + std::to_string(scale)), 0);
    }
}

TEST(QnnLegacy, EveryHalfAndManyCodes) {
  const std::vector<float> x = halves();
  for (const float scale : {0.1f, 0.0625f, 3.0f}) {
    auto simulated =
        run({.op = "qnn.legacy_simulated_quantize", .operands = {floats_tensor({65536}, x), number(scale), number(-127), number(127)}}, "tvm-0.18");
    auto realized = run({.op = "qnn.legacy_quantize", .operands = {floats_tensor({65536}, x), number(scale), number(-127), number(127)}}, "tvm-relay-realized");
    ASSERT_TRUE(simulated && realized) << to_text(simulated ? realized.error() : simulated.error());
    int unequal = 0;
    for (std::int64_t i = 0; i < 65536; ++i) {
      const float value = x[static_cast<std::size_t>(i)];
      if (std::isnan(value)) continue;
      unequal += f32_at(simulated->tensor, i) != twin::legacy_simulated(value, scale, -127, 127) ? 1 : 0;
      unequal += f32_at(realized->tensor, i) != twin::legacy_quantize(value, scale, -127, 127) ? 1 : 0;
    }
    EXPECT_EQ(unequal, 0) << scale;
  }
  std::vector<std::int64_t> codes{INT32_MIN, INT32_MAX, INT32_MAX - 1};
  for (std::int64_t code = -2000; code <= 2000; ++code) codes.push_back(code);
  for (const auto& [from, to] : {std::pair{0.25f, 1.0f}, std::pair{1.0f, 0.5f}, std::pair{0.3f, 0.3f}, std::pair{1.5f, 1.0f}, std::pair{0.1f, 0.7f}})
    for (const bool round : {true, false})
      for (const auto& [word, rounding] : {std::pair{"UPWARD", twin::Rounding::upward}, std::pair{"TONEAREST", twin::Rounding::tonearest}}) {
        OpCall call{.op = "qnn.legacy_requantize",
                    .operands = {line("i32", codes), number(from), number(to), number(-127), number(127)},
                    .attributes = {{"round_for_shift", Attribute{round}}, {"rounding", Attribute{std::string(word)}}}};
        auto result = run(call, "tvm-0.18");
        ASSERT_TRUE(result) << to_text(result.error());
        EXPECT_EQ(wrong(
                      *result,
                      [&, from = from, to = to, rounding = rounding](std::int64_t i) {
                        return twin::legacy_requantize(static_cast<std::int32_t>(codes[static_cast<std::size_t>(i)]), from, to, {-127, 127}, round, rounding);
                      },
                      word),
                  0);
      }
}

}  // namespace
}  // namespace tiebreak::qnn_test
