// SPDX-License-Identifier: Apache-2.0
// FxpMath's lowering for every pair of codes, the casts of the quant dialect for every f32 number that is an f16 one, and the literals of upstream's tests.
#include "testsuite/oracle/quantized/fxpmath.hpp"

#include <set>

#include "testsuite/oracle/fixed_point.hpp"
#include "testsuite/oracle/float_oracle.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::UniformType;

TensorType signed_uniform(UniformType of, const Shape& shape) {
  TensorType type{*ElementType::parse("i8"), shape, {}};
  QuantizedType quantized{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  quantized.scales = {{Real::from_double(of.scale)}};
  quantized.zero_points = {{Real(of.zero_point)}};
  type.quantized = quantized;
  return type;
}

/// All pairs: the first operand's code changes slowest.
std::pair<Tensor, Tensor> all_pairs(UniformType a, UniformType b) {
  Tensor left = *Tensor::zeros(signed_uniform(a, {65536})), right = *Tensor::zeros(signed_uniform(b, {65536}));
  for (std::int64_t i = 0; i < 65536; ++i) {
    left.set_code(i, static_cast<std::uint64_t>(i / 256 - 128));
    right.set_code(i, static_cast<std::uint64_t>(i % 256 - 128));
  }
  return {left, right};
}

Result<std::vector<ResultTensor>> run_pairs(const std::string& op, UniformType a, UniformType b, UniformType y, const AttributeMap& attributes = {}) {
  const auto [left, right] = all_pairs(a, b);
  return run_profile({.op = op, .operands = {left, right}, .attributes = attributes, .result_types = {signed_uniform(y, {65536})}}, "fxpmath");
}

TEST(FxpMath, AddsEveryPair) {
  for (const int zero_point : {0, -5, 127}) {
    const UniformType type{0.0625, zero_point};
    auto result = run_pairs("fxpmath.real_add_ew", type, type, type);
    ASSERT_TRUE(result) << to_text(result.error());
    for (int i = 0; i < 65536; ++i)
      ASSERT_EQ(integer_at((*result)[0], i), oracle::fxpmath_add(i / 256 - 128, i % 256 - 128, type, -128, 127)) << i / 256 - 128 << " " << i % 256 - 128;
  }
  const UniformType type{0.0625, 0};  // limits of 4 are codes 64
  auto limited = run_pairs("fxpmath.real_add_ew", type, type, type, {{"clamp_min", Attribute{Real(-4)}}, {"clamp_max", Attribute{Real(4)}}});
  ASSERT_TRUE(limited) << to_text(limited.error());
  for (int i = 0; i < 65536; ++i) ASSERT_EQ(integer_at((*limited)[0], i), oracle::fxpmath_add(i / 256 - 128, i % 256 - 128, type, -64, 64));
}

TEST(FxpMath, MultipliesEveryPair) {
  const std::vector<std::array<UniformType, 3>> types{
      {{{0.0625, 0}, {0.03875, 0}, {0.1065, 0}}}, {{{0.0625, -3}, {0.0625, -5}, {0.0625, -9}}}, {{{0.5, 0}, {0.5, 1}, {1.0, 3}}}};
  int once = 0;
  for (const auto& [a, b, y] : types) {
    auto result = run_pairs("fxpmath.real_mul_ew", a, b, y);
    ASSERT_TRUE(result) << to_text(result.error());
    for (int i = 0; i < 65536; ++i) {
      const int left = i / 256 - 128, right = i % 256 - 128, expected = oracle::fxpmath_mul(left, a, right, b, y);
      ASSERT_EQ(integer_at((*result)[0], i), expected) << left << " " << right;
      const auto by = oracle::fixed_multiplier(a.scale * b.scale / y.scale);
      const auto single = oracle::multiply_once_rounded((left - a.zero_point) * (right - b.zero_point), by) + y.zero_point;
      once += std::min<std::int64_t>(127, std::max<std::int64_t>(-128, single)) != expected;
    }
  }
  EXPECT_GT(once, 1000);  // the second rounding is seen
}

/// The factor that the test of the lowering prints: 0.0625 * 0.03875 / 0.1065.
TEST(FxpMath, FactorIsThePublishedOne) {
  const auto by = oracle::fixed_multiplier(0.0625 * 0.03875 / 0.1065);
  EXPECT_EQ(by.mantissa, 1562722842);
  EXPECT_EQ(by.exponent, -5);
}

TEST(QuantDialect, CastsEveryHalf) {
  const oracle::FloatTable half("f16");
  std::vector<float> x;
  for (std::uint64_t code = 0; code < 65536; ++code)
    if (const double value = half.value(code); value == value) x.push_back(static_cast<float>(value));
  std::set<std::string> parted;
  for (const UniformType type : {UniformType{1, 1}, UniformType{0.5, -7}, UniformType{0.25, 0}}) {
    const Shape shape{static_cast<std::int64_t>(x.size())};
    const OpCall call{.op = "quant.qcast", .operands = {vector_tensor("f32", x)}, .result_types = {signed_uniform(type, shape)}};
    auto lowered = run_profile(call, "mlir-lower-quant-ops"), fast = run_profile(call, "mlir-const"), generic = run_profile(call, "mlir-const-generic");
    ASSERT_TRUE(lowered && fast && generic);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const auto expected = oracle::lowered_qcast(x[i], type);
      ASSERT_EQ(integer_at((*lowered)[0], at).has_value(), expected.has_value()) << x[i];
      if (expected) {
        ASSERT_EQ(*integer_at((*lowered)[0], at), *expected) << x[i];
      }
      ASSERT_EQ(integer_at((*fast)[0], at), oracle::constant_qcast(x[i], type, true)) << x[i];
      ASSERT_EQ(integer_at((*generic)[0], at), oracle::constant_qcast(x[i], type, false)) << x[i];
      if (oracle::constant_qcast(x[i], type, true) != oracle::constant_qcast(x[i], type, false)) parted.insert("constants");
      if (expected && *expected != oracle::constant_qcast(x[i], type, true)) parted.insert("lowered");
    }
  }
  EXPECT_EQ(parted.size(), 2U);
}

}  // namespace
}  // namespace tiebreak
