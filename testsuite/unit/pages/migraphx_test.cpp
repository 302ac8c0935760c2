// SPDX-License-Identifier: Apache-2.0
// MIGraphX's pages under its profiles against the oracle's step by step computation: every f16 number, every code of 8 bits, every byte.
#include "testsuite/oracle/quantized/migraphx.hpp"

#include <cmath>
#include <set>

#include "testsuite/oracle/float_oracle.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::Migraphx;
struct Build {
  const char* profile;
  Migraphx build;
};
constexpr Build builds[] = {{"migraphx-ref", Migraphx::reference},
                            {"migraphx-ref-2024", Migraphx::reference_2024},
                            {"migraphx-before-2244", Migraphx::before_2244},
                            {"migraphx-gpu", Migraphx::gpu}};

std::vector<double> every_half() {
  const oracle::FloatTable half("f16");
  std::vector<double> values;
  for (std::uint64_t code = 0; code < 65536; ++code) values.push_back(half.value(code));
  return values;
}

Tensor half_tensor(const std::vector<double>& values) {
  const oracle::FloatTable half("f16");
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f16"), {static_cast<std::int64_t>(values.size())}, {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), *half.round(values[i], "rne", "format"));
  return tensor;
}

TEST(Migraphx, QuantizesEveryHalf) {
  const std::vector<double> x = every_half();
  std::set<std::string> parted;
  for (const double scale : {1.0, 3.0, 0.0999755859375})
    for (const int zero_point : {0, 3}) {
      std::vector<std::optional<int>> first;
      for (const auto& [profile, build] : builds) {
        OpCall call{
            .op = "migraphx.quantizelinear",
            .operands = {half_tensor(x), half_tensor(std::vector<double>(x.size(), scale)), vector_tensor("i8", std::vector<int>(x.size(), zero_point))}};
        auto result = run_profile(call, profile);
        ASSERT_TRUE(result) << to_text(result.error());
        for (std::size_t i = 0; i < x.size(); ++i) {
          const auto expected = oracle::migraphx_quantize(build, x[i], scale, zero_point);
          const auto computed = integer_at((*result)[0], static_cast<std::int64_t>(i));
          ASSERT_EQ(computed.has_value(), expected.has_value()) << profile << " " << x[i] << " / " << scale;
          if (expected) {
            ASSERT_EQ(*computed, *expected) << profile << " " << x[i] << " / " << scale << " + " << zero_point;
          }
          if (build == Migraphx::reference) first.push_back(expected);
          else if (first[i] != expected) parted.insert(profile);
        }
      }
    }
  EXPECT_EQ(parted.size(), 3U);  // each of the others differs from the first somewhere
}

TEST(Migraphx, DequantizesEveryCode) {
  std::vector<int> codes;
  for (int code = -128; code < 128; ++code) codes.push_back(code);
  for (const double scale : {0.0999755859375, 1.599609375})
    for (const int zero_point : {-128, 0, 77})
      for (const auto& [profile, build] : builds) {
        OpCall call{
            .op = "migraphx.dequantizelinear",
            .operands = {vector_tensor("i8", codes), half_tensor(std::vector<double>(256, scale)), vector_tensor("i8", std::vector<int>(256, zero_point))}};
        auto result = run_profile(call, profile);
        ASSERT_TRUE(result) << to_text(result.error());
        for (std::size_t i = 0; i < codes.size(); ++i) {
          const double expected = oracle::migraphx_dequantize(build, codes[i], scale, zero_point);
          ASSERT_EQ((*result)[0].tensor.value(static_cast<std::int64_t>(i)).to_double(), expected)
              << profile << " " << codes[i] << " - " << zero_point << " * " << scale;
        }
      }
}

TEST(Migraphx, ConvertsEveryHalf) {
  const std::vector<double> x = every_half();
  for (const auto& [profile, build] : builds) {
    auto result =
        run_profile({.op = "migraphx.convert", .operands = {half_tensor(x)}, .attributes = {{"target_type", Attribute{*ElementType::parse("i8")}}}}, profile);
    ASSERT_TRUE(result) << to_text(result.error());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto expected = oracle::migraphx_convert(build, x[i]);
      const auto computed = integer_at((*result)[0], static_cast<std::int64_t>(i));
      ASSERT_EQ(computed.has_value(), expected.has_value()) << profile << " " << x[i];
      if (expected) {
        ASSERT_EQ(*computed, *expected) << profile << " " << x[i];
      }
    }
  }
}

TEST(Migraphx, PacksEveryHalfAsFp4) {
  const std::vector<double> x = every_half();
  auto result = run_profile({.op = "migraphx.pack_fp4", .operands = {half_tensor(x)}}, "migraphx-ref");
  ASSERT_TRUE(result) << to_text(result.error());
  for (std::size_t i = 0; i < x.size(); i += 2)
    ASSERT_EQ(integer_at((*result)[0], static_cast<std::int64_t>(i / 2)), oracle::migraphx_fp4(x[i + 1]) * 16 + oracle::migraphx_fp4(x[i]))
        << x[i] << " " << x[i + 1];
}

TEST(Migraphx, PacksEveryPairAndUnpacksEveryByte) {
  for (const bool is_signed : {false, true}) {
    const int least = is_signed ? -128 : 0;
    std::vector<int> pairs, bytes;
    for (int low = least; low < least + 256; ++low) {
      bytes.push_back(low);
      for (int high = least; high < least + 256; ++high) pairs.push_back(low), pairs.push_back(high);
    }
    const std::string type = is_signed ? "i8" : "u8";
    auto packed = run_profile({.op = "migraphx.pack_int4", .operands = {vector_tensor(type, pairs)}}, "migraphx-ref");
    ASSERT_TRUE(packed) << to_text(packed.error());
    for (std::size_t i = 0; i < pairs.size(); i += 2)
      ASSERT_EQ(integer_at((*packed)[0], static_cast<std::int64_t>(i / 2)), oracle::migraphx_pack(pairs[i], pairs[i + 1], is_signed))
          << pairs[i] << " " << pairs[i + 1];
    auto unpacked = run_profile({.op = "migraphx.unpack_int4", .operands = {vector_tensor(type, bytes)}}, "migraphx-ref");
    ASSERT_TRUE(unpacked) << to_text(unpacked.error());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto [low, high] = oracle::migraphx_unpack(bytes[i], is_signed);
      ASSERT_EQ(integer_at((*unpacked)[0], static_cast<std::int64_t>(2 * i)), low) << bytes[i];
      ASSERT_EQ(integer_at((*unpacked)[0], static_cast<std::int64_t>(2 * i + 1)), high) << bytes[i];
    }
  }
}

}  // namespace
}  // namespace tiebreak
