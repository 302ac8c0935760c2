// SPDX-License-Identifier: Apache-2.0
// Proofs that two formulas are one function, and near misses that each of them must refuse.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interpreter/evaluate/innocuous_rounding.hpp"
#include "interpreter/evaluate/same_formula.hpp"

namespace tiebreak {
namespace {

class EqualFormulas : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<const Library> library(const std::string& type, const std::string& result, const std::string& formula) {
    const std::filesystem::path folder = folder_ / std::to_string(number_++) / "spec";
    std::filesystem::create_directories(folder / "toy");
    std::ofstream(folder / "toy/one.md") << "# toy.one\n\n```semantics\nop toy.one(a: " << type << ", b: " << type << ") -> y: " << result << "\nstructure elementwise(a, b)\ny = " << formula << "\n```\n";
    auto loaded = Library::load(folder.string());
    EXPECT_TRUE(loaded) << formula << ": " << (loaded ? "" : to_text(loaded.error()));
    return loaded ? *loaded : nullptr;
  }

  bool same(const std::string& type, const std::string& result, const std::string& first, const std::string& second) {
    const auto one = library(type, result, first), other = library(type, result, second);
    if (!one || !other) return false;
    const Tensor operand = *Tensor::zeros({*ElementType::parse(type), {2}});
    const auto bound = BoundCall::bind(*one, profile_, {"toy.one", {operand, operand}});
    EXPECT_TRUE(bound) << (bound ? "" : to_text(bound.error()));
    if (!bound) return false;
    const Result<Likeness> found = (*bound)->likeness(*other, profile_);
    EXPECT_TRUE(found) << (found ? "" : to_text(found.error()));
    return found && *found != Likeness::unknown;
  }

  Profile profile_{};
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / ("tiebreak-formulas-" + std::to_string(::getpid()));
  int number_ = 0;
};

FloatFormat made(int exponent_bits, int precision) { return {"made", exponent_bits, precision - 1, (1 << (exponent_bits - 1)) - 1, FloatClass::ieee}; }

bool proved(NodeOp op, const FloatFormat& narrow, const FloatFormat& wide) {
  Node node;
  node.op = op;
  return innocuous_rounding(node, narrow, wide);
}

TEST(InnocuousRounding, AsksForTwiceTheDigitsAndTwo) {
  const FloatFormat& bf16 = *find_float_format("bf16");
  for (const NodeOp op : {NodeOp::add, NodeOp::subtract, NodeOp::divide}) {
    EXPECT_TRUE(proved(op, bf16, made(11, 18)));
    EXPECT_FALSE(proved(op, bf16, made(11, 17)));
  }
  EXPECT_TRUE(proved(NodeOp::divide, *find_float_format("f16"), *find_float_format("f32")));
  EXPECT_FALSE(proved(NodeOp::divide, bf16, *find_float_format("f32"))) << "quotients may be subnormal in f32";
  EXPECT_FALSE(proved(NodeOp::power, bf16, *find_float_format("f64")));
}

/// All pairs of a format of three digits, through the narrowest format that the proof takes.
TEST(InnocuousRounding, HoldsForAllPairs) {
  const FloatFormat& narrow = *find_float_format("f8e5m2");
  const FloatFormat wide = made(8, 8);
  const ElementType type(&narrow);
  for (const NodeOp op : {NodeOp::add, NodeOp::subtract, NodeOp::divide}) {
    ASSERT_TRUE(proved(op, narrow, wide));
    for (std::uint64_t i = 0; i < 256; ++i)
      for (std::uint64_t k = 0; k < 256; ++k) {
        const Real a = type.decode(i), b = type.decode(k), exact = op == NodeOp::add ? a + b : op == NodeOp::subtract ? a - b : a / b;
        const Real once = *round_to(exact, narrow), twice = *round_to(*round_to(exact, wide), narrow);
        ASSERT_TRUE(once.identical(twice) || (once.is_nan() && twice.is_nan())) << i << " " << k;
      }
  }
}

TEST_F(EqualFormulas, DoubleRounding) {
  EXPECT_TRUE(same("f32", "f32", "f32(a + b)", "f32(f64(a + b))"));
  EXPECT_TRUE(same("f32", "f32", "f32(a / b)", "f32(f64(a / b))"));
  EXPECT_TRUE(same("bf16", "bf16", "bf16(a - b)", "bf16(f32(a - b))"));
  EXPECT_FALSE(same("bf16", "bf16", "bf16(a / b)", "bf16(f32(a / b))"));
  EXPECT_FALSE(same("f32", "f32", "f32(a + b)", "f32(rtz.f64(a + b))"));
  EXPECT_FALSE(same("f32", "f32", "f32(a + b + a)", "f32(f64(a + b + a))"));
  EXPECT_FALSE(same("f64", "f64", "f64(a + b)", "f64(f32(a + b))"));
}

TEST_F(EqualFormulas, PowersOfTwoInRange) {
  const auto shifted = [](const std::string& limit, const std::string& power) { return "if b >= 0 and b < " + limit + " then wrap.i64(a * " + power + ") else 0"; };
  EXPECT_TRUE(same("i64", "i64", shifted("64", "2^b"), shifted("64", "f32(2^b)")));
  EXPECT_FALSE(same("i64", "i64", shifted("129", "2^b"), shifted("129", "f32(2^b)"))) << "2^128 is none of f32";
  EXPECT_TRUE(same("i64", "i64", "if b >= 0 and b < 64 then floor(a / 2^b) else 0", "if b >= 0 and b < 64 then floor(a * f32(1 / 2^b)) else 0"));
  EXPECT_FALSE(same("i64", "i64", "if b >= 0 and b < 64 then sat.i64(floor(a / 2^b)) else 0", "if b >= 0 and b < 64 then sat.i64(rtz(a / 2^b)) else 0"));
  EXPECT_TRUE(same("i64", "i64", "if b >= 0 and b < 64 then sat.i64(floor(bitand(a, 255) / 2^b)) else 0", "if b >= 0 and b < 64 then sat.i64(rtz(bitand(a, 255) / 2^b)) else 0"));
  EXPECT_TRUE(same("u8", "u8", "bitand(a, 255)", "a"));
  EXPECT_FALSE(same("u8", "u8", "bitand(a, 127)", "a"));
  EXPECT_FALSE(same("u8", "u8", "bitand(a, 253)", "a"));
}

TEST_F(EqualFormulas, RemaindersAreValues) {
  EXPECT_TRUE(same("f32", "f32", "f32(a - rtz(a / b) * b)", "f32(f64(a - rtz(a / b) * b))"));
  EXPECT_TRUE(same("f32", "f32", "f32(a - rtz(a / b) * b)", "rtz.f32(a - rtz(a / b) * b)"));
  EXPECT_FALSE(same("f32", "f32", "f32(a - floor(a / b) * b)", "rtz.f32(a - floor(a / b) * b)"));
  EXPECT_TRUE(same("i64", "i64", "if b == 0 then undefined else trap.i64(a - rtz(a / b) * b)", "if b == 0 then undefined else sat.i64(a - rtz(a / b) * b)"));
  EXPECT_FALSE(same("i64", "i64", "if b == 0 then undefined else trap.i64(rtz(a / b))", "if b == 0 then undefined else wrap.i64(rtz(a / b))")) << "the least number by -1";
}

TEST_F(EqualFormulas, Zeros) {
  const auto negative = [](const std::string& asked) { return "if a == 0 and " + asked + " then f32(1) else f32(2)"; };
  EXPECT_TRUE(same("f32", "f32", negative("1 / a < 0"), negative("2 / a < 0")));
  EXPECT_TRUE(same("f32", "f32", negative("1 / a < 0"), negative("1 / a <= -5")));
  EXPECT_FALSE(same("f32", "f32", negative("1 / a < 0"), negative("1 / a > 0")));
  EXPECT_FALSE(same("f32", "f32", negative("1 / a < 0"), negative("1 / b < 0")));
  EXPECT_TRUE(same("i64", "i64", "if b == 0 then undefined else trap.i64(rtz(a / b))", "trap.i64(rtz(a / b))"));
  EXPECT_FALSE(same("i64", "i64", "if b == 1 then undefined else trap.i64(rtz(a / b))", "trap.i64(rtz(a / b))"));
  EXPECT_FALSE(same("i64", "i64", "if b == 0 then undefined else sat.i64(rtz(a / b))", "sat.i64(rtz(a / b))")) << "infinities have ends";
}

}  // namespace
}  // namespace tiebreak
