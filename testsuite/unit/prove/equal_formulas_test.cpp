// SPDX-License-Identifier: Apache-2.0
// Proofs that two formulas are one function, and near misses that each of them must refuse.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interpreter/ranges/innocuous_rounding.hpp"
#include "testsuite/prove/same_formula.hpp"

namespace tiebreak {
namespace {

class EqualFormulas : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<const Library> library(const std::string& type, const std::string& result, const std::string& formula) {
    const std::filesystem::path folder = folder_ / std::to_string(number_++) / "spec";
    std::filesystem::create_directories(folder / "toy");
    std::ofstream(folder / "toy/one.md") << "# toy.one\n\n```semantics\nop toy.one(a: " << type << ", b: " << type << ") -> y: " << result
                                         << "\nstructure elementwise(a, b)\ny = " << formula << "\n```\n";
    auto loaded = Library::load(folder.string());
    EXPECT_TRUE(loaded) << formula << ": " << (loaded ? "" : to_text(loaded.error()));
    return loaded ? *loaded : nullptr;
  }

  bool same_by_cases(const std::string& type, const std::string& result, const std::string& first, const std::string& second) {
    return same(type, result, first, second, true);
  }

  bool same(const std::string& type, const std::string& result, const std::string& first, const std::string& second, bool by_cases = false) {
    const auto one = library(type, result, first), other = library(type, result, second);
    if (!one || !other) return false;
    const Tensor operand = *Tensor::zeros({*ElementType::parse(type), {2}});
    const auto bound = BoundCall::bind({*one, profile_}, {"toy.one", {operand, operand}});
    EXPECT_TRUE(bound) << (bound ? "" : to_text(bound.error()));
    if (!bound) return false;
    if (by_cases) return (*bound)->same_by_cases({*other, profile_}).value_or(false);
    const Result<Likeness> found = (*bound)->likeness({*other, profile_});
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
  const auto shifted = [](const std::string& limit, const std::string& power) {
    return "if b >= 0 and b < " + limit + " then wrap.i64(a * " + power + ") else 0";
  };
  EXPECT_TRUE(same("i64", "i64", shifted("64", "2^b"), shifted("64", "f32(2^b)")));
  EXPECT_FALSE(same("i64", "i64", shifted("129", "2^b"), shifted("129", "f32(2^b)"))) << "2^128 is none of f32";
  EXPECT_TRUE(same("i64", "i64", "if b >= 0 and b < 64 then floor(a / 2^b) else 0", "if b >= 0 and b < 64 then floor(a * f32(1 / 2^b)) else 0"));
  EXPECT_FALSE(same("i64", "i64", "if b >= 0 and b < 64 then sat.i64(floor(a / 2^b)) else 0", "if b >= 0 and b < 64 then sat.i64(rtz(a / 2^b)) else 0"));
  EXPECT_TRUE(same("i64", "i64", "if b >= 0 and b < 64 then sat.i64(floor(bitand(a, 255) / 2^b)) else 0",
                   "if b >= 0 and b < 64 then sat.i64(rtz(bitand(a, 255) / 2^b)) else 0"));
  EXPECT_TRUE(same("u8", "u8", "bitand(a, 255)", "a"));
  EXPECT_FALSE(same("u8", "u8", "bitand(a, 127)", "a"));
  EXPECT_FALSE(same("u8", "u8", "bitand(a, 253)", "a"));
}

TEST_F(EqualFormulas, RemaindersAreValues) {
  EXPECT_TRUE(same("f32", "f32", "f32(a - rtz(a / b) * b)", "f32(f64(a - rtz(a / b) * b))"));
  EXPECT_TRUE(same("f32", "f32", "f32(a - rtz(a / b) * b)", "rtz.f32(a - rtz(a / b) * b)"));
  EXPECT_FALSE(same("f32", "f32", "f32(a - floor(a / b) * b)", "rtz.f32(a - floor(a / b) * b)"));
  EXPECT_TRUE(same("i64", "i64", "if b == 0 then undefined else trap.i64(a - rtz(a / b) * b)", "if b == 0 then undefined else sat.i64(a - rtz(a / b) * b)"));
  EXPECT_FALSE(same("i64", "i64", "if b == 0 then undefined else trap.i64(rtz(a / b))", "if b == 0 then undefined else wrap.i64(rtz(a / b))"))
      << "the least number by -1";
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

TEST_F(EqualFormulas, SignsOfTwoZeros) {
  const auto open = [](const std::string& asked) { return "if a == 0 and b == 0 then (if " + asked + " then max(a, b) else undefined) else max(a, b)"; };
  EXPECT_TRUE(same("f32", "f32", open("1 / a == 1 / b"), open("2 / a == 1 / b")));
  EXPECT_TRUE(same("f32", "f32", open("1 / a == 1 / b"), open("1 / a == f32(1 / b)")));
  EXPECT_FALSE(same("f32", "f32", open("1 / a == 1 / b"), open("0 / a == 1 / b")));
  EXPECT_FALSE(same("f32", "f32", open("1 / a == 1 / b"), open("1 / a == -1 / b")));
  EXPECT_FALSE(same("f32", "f32", open("1 / a == 1 / b"), "max(a, b)")) << "zeros of both signs are undefined";
  EXPECT_FALSE(
      same("f32", "f32", "if a == 0 then (if 1 / a == 1 / b then a else undefined) else a", "if a == 0 then (if 2 / a == 1 / b then a else undefined) else a"))
      << "b need not be a zero";
  // A branch for zeros that gives what the other one gives.
  EXPECT_TRUE(same("f32", "f32", "if a == 0 and b == 0 then (if 1 / a > 1 / b then a else b) else max(a, b)", "max(a, b)"));
  EXPECT_FALSE(same("f32", "f32", "if a == 0 and b == 0 then (if 1 / a > 1 / b then b else a) else max(a, b)", "max(a, b)"));
  EXPECT_FALSE(same("f32", "f32", "if a == 0 then f32(1) else f32(2)", "f32(2)"));
  EXPECT_TRUE(same("i32", "i32", "if 1 / min(a, 2147483647) == 1 / a then b else 0", "b"));
  EXPECT_FALSE(same("i32", "i32", "if 1 / min(a, 2147483646) == 1 / a then b else 0", "b"));
  EXPECT_FALSE(same("f32", "f32", "if a / b == a / b then b else f32(0)", "b")) << "a nan";
}

TEST_F(EqualFormulas, QuotientsCutToWholeNumbers) {
  const auto cut = [](const std::string& quotient) { return "if b == 0 then undefined else trap.i64(" + quotient + ")"; };
  EXPECT_TRUE(same("i32", "i64", cut("rtz(a / b)"), cut("rtz(f64(a / b))")));
  EXPECT_TRUE(same("u16", "i64", cut("floor(a / b)"), cut("floor(f32(a / b))")));
  EXPECT_FALSE(same("i32", "i64", cut("rtz(a / b)"), cut("rtz(f32(a / b))")));
  EXPECT_FALSE(same("i64", "i64", cut("rtz(a / b)"), cut("rtz(f64(a / b))")));
  EXPECT_FALSE(same("u16", "i64", cut("rtz(a / b)"), cut("rtz(ceil.f32(a / b))")));
  EXPECT_FALSE(same("u16", "i64", cut("rne(a / b)"), cut("rne(bf16(a / b))")));
  EXPECT_TRUE(same("u16", "u16", "if b == 0 then undefined else wrap.u16(rtz(a / b))", "if b == 0 then undefined else sat.u16(rtz(a / b))"));
  EXPECT_FALSE(same("u16", "u16", "if b == 1 then undefined else wrap.u16(rtz(a / b))", "if b == 1 then undefined else sat.u16(rtz(a / b))"));
  EXPECT_FALSE(same("i16", "i16", "if b == 0 then undefined else wrap.i16(rtz(a / b))", "if b == 0 then undefined else sat.i16(rtz(a / b))"));
}

TEST_F(EqualFormulas, FormatsThatNothingOverflows) {
  EXPECT_TRUE(same("i32", "f32", "f32(a)", "sat.f32(a)"));
  EXPECT_FALSE(same("i32", "f16", "f16(a)", "sat.f16(a)"));
  EXPECT_FALSE(same("f32", "f32", "f32(a * 2)", "sat.f32(a * 2)"));
  EXPECT_FALSE(same("f32", "f4e2m1", "f4e2m1(a)", "sat.f4e2m1(a)"));
}

TEST_F(EqualFormulas, WhatIsNoNumberIsUndefinedAsAnInteger) {
  const std::string asked = "if isnan(a) or abs(a) == inf then undefined else wrap.i4(rne(a))";
  EXPECT_TRUE(same_by_cases("f32", "i4", asked, "wrap.i4(rne(a))"));
  EXPECT_FALSE(same_by_cases("f32", "i4", asked, "sat.i4(rne(a))"));
  EXPECT_FALSE(same_by_cases("f32", "i4", "if isnan(a) or abs(a) == inf then 0 else wrap.i4(rne(a))", "wrap.i4(rne(a))"));
  EXPECT_FALSE(same_by_cases("f32", "i4", "if isnan(a) or abs(a) == inf then undefined else sat.i4(rne(a))", "sat.i4(rne(a))")) << "infinities have ends";
  EXPECT_FALSE(same_by_cases("f32", "i4", "if abs(a) == 2 then undefined else wrap.i4(rne(a))", "wrap.i4(rne(a))"));
}

/// All quotients of small numbers through a format of five digits: the whole part stays below the bound, and is lost beyond it.
TEST(WholePart, BoundHoldsForAllPairs) {
  const FloatFormat format = made(8, 5);
  int lost = 0;
  for (std::int64_t a = -80; a <= 80; ++a)
    for (std::int64_t b = 1; b <= 80; ++b) {
      const Real exact = Real(a) / Real(b), rounded = *round_to(exact, format);
      for (const Rounding cut : {Rounding::toward_zero, Rounding::down, Rounding::up}) {
        const bool kept = round_whole(exact, cut) == round_whole(rounded, cut);
        if (keeps_whole_part(abs(Real(a)), Real(b), format)) {
          ASSERT_TRUE(kept) << a << " / " << b;
        }
        lost += kept ? 0 : 1;
      }
    }
  EXPECT_GT(lost, 0);
  EXPECT_TRUE(keeps_whole_part(Real(16), Real(16), format));
  EXPECT_FALSE(keeps_whole_part(Real(17), Real(16), format));
}

}  // namespace
}  // namespace tiebreak
