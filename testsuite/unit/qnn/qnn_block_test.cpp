// SPDX-License-Identifier: Apache-2.0
// The family of quantized matrix products (accumulators of any width, bias, activation) and the realized rules of relay.quantize, against the oracle.
#include "testsuite/oracle/qnn/qnn_block.hpp"

#include "testsuite/oracle/fixed_point.hpp"
#include "testsuite/unit/helpers/qnn_calls.hpp"

namespace tiebreak::qnn_test {
namespace {

namespace twin = oracle::qnn;

constexpr std::int64_t block_rows = 24, block_columns = 5, block_depth = 13;

std::vector<std::int64_t> drawn_codes(std::int64_t count, std::int64_t least, std::int64_t greatest, std::mt19937_64& generator) {
  std::vector<std::int64_t> codes;
  for (std::int64_t i = 0; i < count; ++i) codes.push_back(least + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(greatest - least + 1)));
  return codes;
}

/// Row r without its zero point.
std::vector<std::int64_t> centred_row(const std::vector<std::int64_t>& codes, std::int64_t r, std::int64_t zero_point) {
  std::vector<std::int64_t> row;
  for (std::int64_t i = 0; i < block_depth; ++i) row.push_back(codes[static_cast<std::size_t>(r * block_depth + i)] - zero_point);
  return row;
}

Attribute type_word(const std::string& type) { return Attribute{*ElementType::parse(type)}; }

TEST(QnnBlock, AccumulatorsOfEveryWidth) {
  std::mt19937_64 generator(seed);
  const std::vector<std::int64_t> x = drawn_codes(block_rows * block_depth, -128, 127, generator),
                                  w = drawn_codes(block_columns * block_depth, -128, 127, generator), bias = drawn_codes(block_columns, -5000, 5000, generator);
  for (const auto& [type, bits] : {std::pair{"i8", 8}, std::pair{"i14", 14}, std::pair{"i16", 16}, std::pair{"i18", 18}, std::pair{"i32", 32}})
    for (const auto& [word, overflow] :
         {std::pair{"wrap", twin::Overflow::wrap}, std::pair{"saturate", twin::Overflow::saturate}, std::pair{"trap", twin::Overflow::trap}})
      for (const bool each_step : {false, true}) {
        const OpCall call{.op = "qnn.dense_block",
                          .operands = {codes_tensor("i8", {block_rows, block_depth}, x), codes_tensor("i8", {block_columns, block_depth}, w), integer(3),
                                       integer(-2), number(1), number(1), number(1), integer(0), line("i32", bias)},
                          .attributes = {{"accumulator", type_word(type)},
                                         {"overflow", Attribute{std::string(word)}},
                                         {"each_step", Attribute{each_step}},
                                         {"requantized", Attribute{false}}}};
        auto result = run(call, "tvm-0.18");
        ASSERT_TRUE(result) << to_text(result.error());
        const auto expected = [&, b = bits, o = overflow](std::int64_t i) {
          return twin::accumulate(centred_row(x, i / block_columns, 3), centred_row(w, i % block_columns, -2),
                                  bias[static_cast<std::size_t>(i % block_columns)], {b, o, each_step});
        };
        EXPECT_EQ(wrong(*result, expected, std::string(type) + " " + word + (each_step ? " each step" : "")), 0);
      }
}

TEST(QnnBlock, FloatsInOrder) {
  std::mt19937_64 generator(seed);
  std::vector<float> x, w;
  for (std::int64_t i = 0; i < block_rows * block_depth; ++i) x.push_back(static_cast<float>(generator() % 200000) - 100000.0f);
  for (std::int64_t i = 0; i < block_columns * block_depth; ++i) w.push_back(static_cast<float>(generator() % 2000) - 1000.0f);
  const OpCall call{.op = "qnn.dense_block",
                    .operands = {floats_tensor({block_rows, block_depth}, x), floats_tensor({block_columns, block_depth}, w), integer(16777217), integer(3),
                                 number(1), number(1)},
                    .attributes = {{"accumulator", type_word("f32")}, {"each_step", Attribute{true}}, {"requantized", Attribute{false}}}};
  auto result = run(call, "tvm-0.18");
  ASSERT_TRUE(result) << to_text(result.error());
  int unequal = 0;
  for (std::int64_t i = 0; i < block_rows * block_columns; ++i) {
    const auto row = [&](const std::vector<float>& values, std::int64_t r) {
      return std::span(values).subspan(static_cast<std::size_t>(r * block_depth), static_cast<std::size_t>(block_depth));
    };
    unequal += f32_at(result->tensor, i) != twin::accumulate_f32(row(x, i / block_columns), row(w, i % block_columns), 16777217.0f, 3.0f) ? 1 : 0;
  }
  EXPECT_EQ(unequal, 0);
}

TEST(QnnBlock, BiasRequantizationAndActivation) {
  std::mt19937_64 generator(seed);
  const std::vector<std::int64_t> x = drawn_codes(block_rows * block_depth, 0, 255, generator),
                                  w = drawn_codes(block_columns * block_depth, -128, 127, generator), bias = drawn_codes(block_columns, -100, 100, generator);
  const std::vector<float> scales{0.5f, 0.25f, 0.1f, 0.03f, 0.007f};
  for (const std::string type : {"i8", "u8"})
    for (const char activation : {'n', 'r', 'c'})
      for (const bool in_result : {false, true})
        for (const auto& [profile, context] :
             {std::pair{"tvm-0.18", twin::Context{}}, std::pair{"tvm-0.18-int64-tonearest", twin::Context{twin::Rounding::tonearest}},
              std::pair{"tvm-0.18-f32-upward", twin::Context{twin::Rounding::upward, twin::Compute::float32}}}) {
          const OpCall call{
              .op = "qnn.dense_block",
              .operands = {codes_tensor("u8", {block_rows, block_depth}, x), codes_tensor("i8", {block_columns, block_depth}, w), integer(127), integer(0),
                           number(0.02f), floats_tensor({block_columns}, scales), number(0.9f), integer(type == "i8" ? -3 : 120), line("i32", bias)},
              .attributes = {{"bias_place", Attribute{std::string(in_result ? "result" : "accumulator")}},
                             {"activation", Attribute{std::string(activation == 'n'   ? "none"
                                                                  : activation == 'r' ? "relu"
                                                                                      : "clip")}},
                             {"a_min", Attribute{Real(-1)}},
                             {"out_dtype", type_word(type)}}};
          auto result = run(call, profile);
          ASSERT_TRUE(result) << to_text(result.error());
          const auto expected = [&, c = context](std::int64_t i) -> std::optional<std::int64_t> {
            const std::int64_t own = bias[static_cast<std::size_t>(i % block_columns)];
            const auto acc = twin::accumulate(centred_row(x, i / block_columns, 127), centred_row(w, i % block_columns, 0), in_result ? 0 : own, {});
            const twin::Block block{
                {0.02f, 127}, {scales[static_cast<std::size_t>(i % block_columns)], 0, false}, {0.9f, type == "i8" ? -3 : 120}, in_result, activation, -1, 6};
            return acc ? twin::finish(*acc, own, block, type == "i8" ? twin::Range{-128, 127} : twin::Range{0, 255}, c) : std::nullopt;
          };
          EXPECT_EQ(wrong(*result, expected, type + " " + activation + " " + profile), 0);
        }
}

TEST(QnnLegacyRules, ProductsThatWrap) {
  std::mt19937_64 generator(seed);
  const std::vector<std::int64_t> x = drawn_codes(block_rows * block_depth, -127, 127, generator),
                                  w = drawn_codes(block_columns * block_depth, -127, 127, generator);
  for (const auto& [type, bits] : {std::pair{"i8", 8}, std::pair{"i16", 16}, std::pair{"i32", 32}}) {
    auto result = run({.op = "qnn.legacy_dense",
                       .operands = {codes_tensor("i32", {block_rows, block_depth}, x), codes_tensor("i8", {block_columns, block_depth}, w)},
                       .attributes = {{"dtype_activation", type_word(type)}}},
                      "tvm-relay-realized");
    ASSERT_TRUE(result) << to_text(result.error());
    EXPECT_EQ(wrong(
                  *result,
                  [&, b = bits](std::int64_t i) {
                    return twin::accumulate(centred_row(x, i / block_columns, 0), centred_row(w, i % block_columns, 0), 0, {b, twin::Overflow::wrap, true});
                  },
                  type),
              0);
  }
}

TEST(QnnLegacyRules, SumsOfTwoSteps) {
  std::mt19937_64 generator(seed);
  std::vector<std::int64_t> a{INT32_MIN, INT32_MAX}, b{1, -1};
  for (int i = 0; i < 400; ++i)
    a.push_back(static_cast<std::int32_t>(generator()) >> (generator() % 32)), b.push_back(static_cast<std::int32_t>(generator()) >> 20);
  for (const auto& [left, right] : {std::pair{0.25f, 0.0625f}, std::pair{0.1f, 0.3f}, std::pair{0.3f, 0.1f}, std::pair{1.5f, 1.0f}, std::pair{0.07f, 0.07f},
                                    std::pair{16.000002f, 1.0f}, std::pair{3.0f, 1.0f}, std::pair{1.0f, 0x1p-33f}})
    for (const auto& [word, rounding] : {std::pair{"UPWARD", twin::Rounding::upward}, std::pair{"TONEAREST", twin::Rounding::tonearest}}) {
      auto result = run({.op = "qnn.legacy_add",
                         .operands = {line("i32", a), line("i32", b), number(left), number(right)},
                         .attributes = {{"rounding", Attribute{std::string(word)}}}},
                        "tvm-relay-realized");
      ASSERT_TRUE(result) << to_text(result.error());
      const float step = std::min(left, right);
      EXPECT_EQ(wrong(
                    *result,
                    [&, l = left, r = right, how = rounding](std::int64_t i) -> std::optional<std::int64_t> {
                      const auto x = twin::to_smaller_step(static_cast<std::int32_t>(a[static_cast<std::size_t>(i)]), l, step, how),
                                 y = twin::to_smaller_step(static_cast<std::int32_t>(b[static_cast<std::size_t>(i)]), r, step, how);
                      return x && y ? std::optional<std::int64_t>(oracle::wrap32(std::int64_t{*x} + *y)) : std::nullopt;
                    },
                    std::to_string(left) + " " + std::to_string(right)),
                0);
    }
}

}  // namespace
}  // namespace tiebreak::qnn_test
