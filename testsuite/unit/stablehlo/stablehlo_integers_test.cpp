// SPDX-License-Identifier: Apache-2.0
// StableHLO's ops on integers and between types against machine integers: all codes of narrow types, pseudo-random ones of wide types.
#include "testsuite/oracle/stablehlo/stablehlo_integers.hpp"

#include <cmath>
#include <cstdio>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

std::uint64_t ones(int bits) { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// All codes up to 16 bits, else 4096 pseudo-random ones, the ends among them. The count is a multiple of 64.
Tensor codes_of_integer_type(const std::string& type, Shape shape = {}) {
  const ElementType element = *ElementType::parse(type);
  const int bits = element.bits();
  const std::int64_t size = bits <= 16 ? std::max<std::int64_t>(64, std::int64_t{1} << bits) : 4096;
  if (shape.empty()) shape = {size};
  Tensor tensor = *Tensor::zeros({element, shape, {}});
  std::uint64_t state = 7;
  for (std::int64_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t wide = i < 2 ? (std::uint64_t{1} << (bits - 1)) - static_cast<std::uint64_t>(i) : state ^ (state >> 29);
    tensor.set_code(i, (bits <= 16 ? static_cast<std::uint64_t>(i) : wide) & ones(bits));
  }
  return tensor;
}

oracle::IntegerType oracle_type(const ElementType& type) { return {type.bits(), type.integer().is_signed}; }
TensorType with_shape(const std::string& type, Shape shape) { return {*ElementType::parse(type), std::move(shape), {}}; }

TEST(StablehloIntegers, UnaryOps) {
  std::int64_t points = 0;
  for (const std::string_view op : oracle::integer_ops())
    for (const char* type : {"i2", "i4", "i8", "i16", "i32", "i64", "u2", "u4", "u8", "u16", "u32"}) {
      if (type[0] == 'u' && (op == "abs" || op == "sign")) continue;  // I2
      const Tensor values = codes_of_integer_type(type);
      auto results = run_profile({.op = "stablehlo." + std::string(op), .operands = {values}, .result_types = {values.type()}}, "stablehlo-spec");
      ASSERT_TRUE(results) << to_text(results.error());
      for (std::int64_t i = 0; i < values.size(); ++i, ++points)
        ASSERT_EQ(integer_at(results->front(), i), oracle::unary_integer(op, *values.value(i).to_int64(), oracle_type(values.element())))
            << op << " " << type << " of " << values.value(i).to_decimal();
    }
  std::printf("  %lld points\n", static_cast<long long>(points));
}

TEST(StablehloIntegers, ConvertToIntegers) {
  std::int64_t points = 0;
  for (const char* from : {"f16", "bf16", "f32", "i8", "u8", "i16", "i64"})
    for (const char* to : {"i4", "u4", "i8", "u8", "i16", "i32", "u32", "i64"})
      for (const bool interpreter : {false, true}) {
        const Tensor values = codes_of_integer_type(from);
        const oracle::IntegerType target = oracle_type(*ElementType::parse(to));
        auto results = run_profile({.op = "stablehlo.convert", .operands = {values}, .result_types = {with_shape(to, values.shape())}},
                                   interpreter ? "stablehlo-interpreter" : "stablehlo-spec");
        ASSERT_TRUE(results) << to_text(results.error());
        for (std::int64_t i = 0; i < values.size(); ++i, ++points) {
          const Real value = values.value(i);
          const auto expected = values.element().is_float()
                                    ? oracle::float_to_integer(value.is_nan() ? std::nan("") : value.to_double_pair().first, target, interpreter)
                                    : oracle::integer_to_integer(*value.to_int64(), target, interpreter);
          ASSERT_EQ(integer_at(results->front(), i), expected) << from << " to " << to << ": " << value.to_decimal();
        }
      }
  std::printf("  %lld points\n", static_cast<long long>(points));
}

TEST(StablehloIntegers, ConvertToFloats) {
  std::int64_t points = 0;
  for (const char* from : {"f16", "bf16", "f32", "i8", "u8", "i16", "i32"})
    for (const oracle::WideFloat& to : {oracle::wide_f16, oracle::wide_bf16, oracle::wide_f32, oracle::wide_f64}) {
      const Tensor values = codes_of_integer_type(from);
      auto results = run_profile({.op = "stablehlo.convert", .operands = {values}, .result_types = {with_shape(to.name, values.shape())}}, "stablehlo-spec");
      ASSERT_TRUE(results) << to_text(results.error());
      for (std::int64_t i = 0; i < values.size(); ++i, ++points) {
        const Real value = values.value(i), actual = results->front().tensor.value(i);
        if (value.is_nan()) {
          ASSERT_TRUE(actual.is_nan());
          continue;
        }
        const long double expected = oracle::nearest(static_cast<long double>(value.to_double_pair().first), to);
        ASSERT_EQ(static_cast<long double>(actual.to_double_pair().first), expected) << from << " to " << to.name << ": " << value.to_decimal();
        ASSERT_EQ(std::signbit(actual.to_double_pair().first), std::signbit(expected));
      }
    }
  std::printf("  %lld points\n", static_cast<long long>(points));
}

bool nan_code(const ElementType& type, std::uint64_t code) {
  Tensor one = *Tensor::zeros({type, {1}, {}});
  one.set_code(0, code);
  return one.value(0).is_nan();
}

struct Regrouping {
  const char *from, *to;
};
class StablehloBits : public testing::TestWithParam<Regrouping> {};

TEST_P(StablehloBits, Bitcast) {
  const ElementType from = *ElementType::parse(GetParam().from), to = *ElementType::parse(GetParam().to);
  const std::int64_t size = codes_of_integer_type(GetParam().from).size(), pieces = std::max(from.bits(), to.bits()) / std::min(from.bits(), to.bits());
  Shape operand_shape{size}, result_shape{size};
  if (from.bits() < to.bits()) operand_shape = {size / pieces, pieces}, result_shape = {size / pieces};
  if (from.bits() > to.bits()) result_shape.push_back(pieces);
  const Tensor values = codes_of_integer_type(GetParam().from, operand_shape);
  auto results =
      run_profile({.op = "stablehlo.bitcast_convert", .operands = {values}, .result_types = {with_shape(GetParam().to, result_shape)}}, "stablehlo-spec");
  ASSERT_TRUE(results) << to_text(results.error());
  const ResultTensor& result = results->front();
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < size; ++i) codes.push_back(values.code(i) & ones(from.bits()));
  const std::vector<std::uint64_t> expected = oracle::regrouped(codes, from.bits(), to.bits());
  std::int64_t compared = 0;
  for (std::int64_t i = 0; i < result.tensor.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (undefined_at(result, i)) {  // only where a float among the sources is nan
      bool some = false;
      for (std::int64_t j = i * size / result.tensor.size(); j <= ((i + 1) * size - 1) / result.tensor.size(); ++j) some |= values.value(j).is_nan();
      ASSERT_TRUE(some) << i;
      continue;
    }
    if (nan_code(to, expected[place])) {
      ASSERT_TRUE(result.tensor.value(i).is_nan()) << i;
      continue;
    }
    ASSERT_EQ(result.tensor.code(i) & ones(to.bits()), expected[place]) << GetParam().from << " to " << GetParam().to << " at " << i;
    ++compared;
  }
  std::printf("  %lld elements\n", static_cast<long long>(compared));
  EXPECT_GT(compared, result.tensor.size() / 3);
}

std::string types_of(const testing::TestParamInfo<Regrouping>& test) { return std::string(test.param.from) + "_" + test.param.to; }
INSTANTIATE_TEST_SUITE_P(Types, StablehloBits,
                         testing::Values(Regrouping{"f16", "i16"}, Regrouping{"u16", "bf16"}, Regrouping{"bf16", "f16"}, Regrouping{"f32", "i16"},
                                         Regrouping{"i8", "f32"}, Regrouping{"i4", "i8"}, Regrouping{"i8", "u4"}, Regrouping{"f64", "f16"},
                                         Regrouping{"i16", "f64"}, Regrouping{"f8e5m2", "u8"}, Regrouping{"i64", "u2"}, Regrouping{"f8e4m3", "i2"}),
                         types_of);

}  // namespace
}  // namespace tiebreak
