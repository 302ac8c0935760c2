// SPDX-License-Identifier: Apache-2.0
// Stored codes and narrow conversions against the oracle's bits: every packed code, every power of two and what lies beside it, midpoints of four-bit floats
// and their neighbours, every code of 8 bits through a leaky ReLU.
#include "testsuite/oracle/stored_codes.hpp"

#include <bit>
#include <cmath>
#include <random>

#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

TEST(StoredCodes, EveryPackedCode) {
  for (const int width : {4, 2}) {
    const std::string type = "u" + std::to_string(width);
    std::vector<int> codes;
    for (int bits = 0; bits < 1 << width; ++bits) codes.push_back(bits);
    for (const char* word : {"twos_complement", "offset", "offset_less_one", "unsigned"}) {
      const ResultTensor result = given_result({.op = "quant.unpack", .operands = {vector_tensor(type, codes)}}, {{"quant.unpack/code", word}});
      for (int bits : codes) EXPECT_EQ(integer_at(result, bits), oracle::unpacked(word, static_cast<std::uint32_t>(bits), width)) << word << " " << bits;
    }
    for (const bool less_one : {false, true}) {
      const ResultTensor result = given_result({.op = "quant.stored_zero_point", .operands = {vector_tensor(type, codes)}},
                                               {{"quant.stored_zero_point/offset", less_one ? "less_one" : "none"}});
      for (int bits : codes)
        EXPECT_EQ(integer_at(result, bits), oracle::stored_zero_point(static_cast<std::uint32_t>(bits), width, less_one)) << less_one << " " << bits;
    }
  }
}

/// Sixteen elements to a scale: the midpoints of the scale and the floats beside them, and what lies beyond the greatest.
TEST(StoredCodes, FourBitFloatsUnderAScale) {
  std::mt19937 engine(71);
  std::vector<float> x, units;
  std::vector<std::uint8_t> scale_codes;
  for (int block = 0; block < 200; ++block) {
    scale_codes.push_back(static_cast<std::uint8_t>(1 + engine() % 126));  // every positive scale but NaN
    Tensor one = *Tensor::zeros({*ElementType::parse("f8e4m3fn"), {1}, {}});
    one.set_code(0, scale_codes.back());
    units.push_back(static_cast<float>(one.value(0).to_double()));
    for (int i = 0; i < 16; ++i) {
      const float middles[] = {0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.0F, 7.0F};
      float value = middles[engine() % 8] * units.back();
      if (i % 3 == 1) value = std::nextafter(value, 0.0F);
      if (i % 3 == 2) value = std::nextafter(value, 100000.0F);
      x.push_back(engine() % 2 == 0 ? value : -value);
    }
  }
  Tensor scale = *Tensor::zeros({*ElementType::parse("f8e4m3fn"), {static_cast<std::int64_t>(scale_codes.size())}, {}});
  for (std::size_t i = 0; i < scale_codes.size(); ++i) scale.set_code(static_cast<std::int64_t>(i), scale_codes[i]);
  constexpr float tensor_scale = 0.3F;
  const std::vector<std::pair<std::string, oracle::UnitQuotient>> quotients{
      {"exact", oracle::UnitQuotient::exact}, {"divide", oracle::UnitQuotient::divided}, {"reciprocal", oracle::UnitQuotient::by_inverse}};
  for (const bool second : {false, true})
    for (const auto& [word, quotient] : quotients)
      for (const bool away : {false, true}) {
        OpCall call{.op = "quant.nvfp4", .operands = {floats_line(x), scale}};
        if (second) call.operands.emplace_back(scalar_tensor("f32", static_cast<double>(tensor_scale)));
        const ResultTensor result = given_result(call, {{"quant.nvfp4/quotient", word}, {"quant.nvfp4/tie", away ? "away" : "even"}});
        for (std::size_t i = 0; i < x.size(); ++i) {
          const float unit = second ? units[i / 16] * tensor_scale : units[i / 16];
          const double expected = oracle::four_bit_float(x[i], unit, quotient, away);
          ASSERT_TRUE(result.tensor.value(static_cast<std::int64_t>(i)).identical(Real::from_double(expected)))
              << word << " " << x[i] << " by " << unit << ", oracle " << expected;
        }
      }
}

std::vector<float> floats_beside_powers() {
  std::vector<float> values;
  for (std::uint32_t high = 0; high < 512; ++high)
    for (std::uint32_t low : {0U, 1U, 0x200000U, 0x3FFFFFU, 0x400000U, 0x400001U, 0x5FFFFFU, 0x600000U, 0x7FFFFFU})
      values.push_back(std::bit_cast<float>(high << 23 | low));
  return values;
}

TEST(StoredCodes, PowersOfTwoInEveryMode) {
  const std::vector<float> x = floats_beside_powers();
  for (const char* mode : {"up", "down", "nearest"})
    for (const bool saturate : {true, false}) {
      OpCall call{
          .op = "quant.convert",
          .operands = {floats_line(x)},
          .attributes = {{"to", Attribute{*ElementType::parse("f8e8m0")}}, {"saturate", Attribute{saturate}}, {"round_mode", Attribute{std::string(mode)}}}};
      const ResultTensor table = given_result(call), fields = given_result(call, {{"quant.to_power_of_two/scale", "fields"}});
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const std::optional<int> expected = oracle::power_of_two(x[i], mode, saturate);
        ASSERT_EQ(undefined_at(table, at), !expected) << mode << saturate << " " << x[i];
        ASSERT_EQ(table.tensor.code(at), static_cast<std::uint64_t>(expected.value_or(static_cast<int>(table.tensor.code(at)))))
            << mode << saturate << " " << x[i];
        ASSERT_EQ(fields.tensor.code(at), static_cast<std::uint64_t>(oracle::power_of_two_by_fields(x[i], mode, saturate))) << mode << saturate << " " << x[i];
      }
    }
}

TEST(StoredCodes, IntegersOfFourBits) {
  std::vector<float> x = floats_beside_powers();
  for (int halves = -80; halves <= 80; ++halves) x.push_back(static_cast<float>(halves) / 2);
  const OpCall call{.op = "quant.convert", .operands = {floats_line(x)}, .attributes = {{"to", Attribute{*ElementType::parse("i4")}}}};
  for (const bool away : {false, true}) {
    const ResultTensor result = given_result(call, {{"quant.to_integer/narrow_tie", away ? "away" : "even"}});
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(integer_at(result, static_cast<std::int64_t>(i)), oracle::four_bit_integer(x[i], away)) << away << " " << x[i];
  }
}

TEST(StoredCodes, IntegersThatBecomeNarrower) {
  std::vector<std::int32_t> x;
  for (std::int32_t i = -1000; i <= 1000; ++i) x.push_back(i);
  for (std::int32_t far : {INT32_MIN, INT32_MAX, 0x12345678}) x.push_back(far);
  const OpCall call{.op = "quant.convert", .operands = {vector_tensor("i32", x)}, .attributes = {{"to", Attribute{*ElementType::parse("i8")}}}};
  const ResultTensor wrapped = given_result(call), saturated = given_result(call, {{"quant.to_integer/narrowing", "saturated"}}),
                     open = given_result(call, {{"quant.to_integer/narrowing", "unstated"}});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    EXPECT_EQ(integer_at(wrapped, at), static_cast<std::int8_t>(x[i])) << x[i];
    EXPECT_EQ(integer_at(saturated, at), std::min(127, std::max(-128, x[i]))) << x[i];
    EXPECT_EQ(undefined_at(open, at), x[i] != static_cast<std::int8_t>(x[i])) << x[i];
  }
}

TEST(StoredCodes, EveryCodeThroughALeakyRelu) {
  int apart = 0;
  std::vector<float> steps{0.061773329973220825F, 0.5F, 0.1F};
  std::mt19937 engine(72);
  while (steps.size() < 20) steps.push_back(static_cast<float>(1 + engine() % (1U << 20)) * 0x1p-22F);
  for (const bool is_signed : {true, false})
    for (const float scale : steps)
      for (const float alpha : {0.1F, 0.3F})
        for (const std::int64_t zero_point : {0, 3, 126}) {
          std::vector<std::int64_t> codes;
          for (std::int64_t i = 0; i < 256; ++i) codes.push_back(is_signed ? i - 128 : i);
          const std::string type = is_signed ? "i8" : "u8";
          const auto of = [](double value, const char* word) { return scalar_tensor(word, value); };
          const OpCall call{.op = "quant.leaky_relu",
                            .operands = {vector_tensor(type, codes), of(static_cast<double>(scale), "f32"), of(static_cast<double>(zero_point), "i32"),
                                         of(static_cast<double>(scale), "f32"), of(static_cast<double>(zero_point), "i32")},
                            .attributes = {{"alpha", Attribute{Real::from_double(static_cast<double>(alpha))}}}};
          oracle::LeakyRelu how{scale, scale, alpha, zero_point, zero_point, is_signed, true};
          const ResultTensor vectors = given_result(call, {}, "pytorch-cpu-quantize"), tail = given_result(call, {}, "pytorch-cpu-quantize-tail");
          for (std::size_t i = 0; i < codes.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            how.vectors = true;
            const std::int64_t of_vectors = oracle::leaky_relu(how, codes[i]);
            how.vectors = false;
            const std::int64_t of_tail = oracle::leaky_relu(how, codes[i]);
            ASSERT_EQ(integer_at(vectors, at), of_vectors)
                << type << " " << codes[i] << " scale " << scale << " alpha " << alpha << " zero point " << zero_point;
            ASSERT_EQ(integer_at(tail, at), of_tail) << type << " " << codes[i] << " scale " << scale << " alpha " << alpha << " zero point " << zero_point;
            apart += of_vectors != of_tail ? 1 : 0;
          }
        }
  EXPECT_GT(apart, 0) << "the inputs tell vectors and tail apart";
}

}  // namespace
}  // namespace tiebreak
