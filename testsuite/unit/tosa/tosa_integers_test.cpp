// SPDX-License-Identifier: Apache-2.0
// TOSA's operators on integers against machine words: every pair of codes of 8 bits, edges and draws of the wider types, under both engines.
#include "testsuite/oracle/tosa/tosa_integers.hpp"

#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/draw.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using TosaInteger = oracle::tosa::Integer;
using TosaCodes = std::vector<std::int64_t>;

struct TosaWidth {
  const char* type;
  int bits;
};
constexpr TosaWidth narrow_width{"i8", 8};
constexpr TosaWidth all_widths[] = {{"i8", 8}, {"i16", 16}, {"i32", 32}, {"i64", 64}};

std::int64_t least_of(int bits) { return static_cast<std::int64_t>(~std::uint64_t{0} << (bits - 1)); }

/// Every pair of 8 bits; of wider types both ends, powers of two and beside them, and draws, each with each.
void pairs_of(const TosaWidth& width, Draw& draw, TosaCodes& a, TosaCodes& b) {
  TosaCodes some;
  if (width.bits == 8) {
    for (std::int64_t i = -128; i < 128; ++i) some.push_back(i);
  } else {
    const std::int64_t least = least_of(width.bits);
    for (std::int64_t d = 0; d < 3; ++d) some.insert(some.end(), {least + d, ~least - d, d, -d, width.bits - d});
    for (int k = 3; k < width.bits - 1; k += 5) some.insert(some.end(), {std::int64_t{1} << k, (std::int64_t{1} << k) - 1, -(std::int64_t{1} << k)});
    for (int i = 0; i < 20; ++i)
      some.push_back(((draw.below(1 << 30) << 34) | (draw.below(1 << 30) << 4)) >> (64 - width.bits + static_cast<int>(draw.below(width.bits - 1))));
  }
  for (std::int64_t x : some)
    for (std::int64_t y : some) {
      a.push_back(x);
      b.push_back(y);
    }
}

template <typename Oracle>
void expect_codes(const OpCall& call, std::size_t count, Oracle expected) {
  const ResultTensor result = given_result(call);
  ASSERT_EQ(result.tensor.size(), static_cast<std::int64_t>(count)) << call.op;
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const TosaInteger actual = integer_at(result, index), wanted = expected(i);
    if (actual != wanted && ++wrong <= 3) ADD_FAILURE() << call.op << " " << index << ": " << text_of(actual) << ", oracle " << text_of(wanted);
  }
}

TEST(TosaIntegers, Pairs) {
  Draw draw(91);
  for (const TosaWidth& width : all_widths) {
    TosaCodes a, b;
    pairs_of(width, draw, a, b);
    const auto check = [&](const std::string& op) {
      expect_codes({.op = "tosa." + op, .operands = {vector_tensor(width.type, a), vector_tensor(width.type, b)}}, a.size(),
                   [&](std::size_t i) { return oracle::tosa::of_integers(op, a[i], b[i], width.bits); });
    };
    for (const char* op : {"LOGICAL_LEFT_SHIFT", "LOGICAL_RIGHT_SHIFT", "BITWISE_AND", "BITWISE_OR", "BITWISE_XOR"}) check(op);
    if (width.bits < 32) continue;
    for (const char* op : {"ADD", "SUB", "INTDIV", "MAXIMUM", "MINIMUM", "EQUAL", "GREATER", "GREATER_EQUAL"}) check(op);
  }
}

TEST(TosaIntegers, RightShifts) {
  Draw draw(92);
  for (const TosaWidth& width : all_widths)
    for (const bool round : {false, true}) {
      TosaCodes a, b;
      pairs_of(width, draw, a, b);
      expect_codes({.op = "tosa.ARITHMETIC_RIGHT_SHIFT",
                    .operands = {vector_tensor(width.type, a), vector_tensor(width.type, b)},
                    .attributes = {{"round", Attribute{round}}}},
                   a.size(), [&](std::size_t i) { return oracle::tosa::right_shift(a[i], b[i], width.bits, round); });
    }
}

TEST(TosaIntegers, Products) {
  Draw draw(93);
  const auto check = [&](const TosaWidth& width, std::int64_t shift) {
    TosaCodes a, b;
    pairs_of(width, draw, a, b);
    expect_codes({.op = "tosa.MUL", .operands = {vector_tensor(width.type, a), vector_tensor(width.type, b), scalar_tensor("i8", static_cast<double>(shift))}},
                 a.size(), [&](std::size_t i) { return oracle::tosa::product(a[i], b[i], shift, width.bits); });
  };
  for (std::int64_t shift : {0, 1, -1}) check(narrow_width, shift);
  for (std::int64_t shift : {0, 5}) check({"i16", 16}, shift);
  for (std::int64_t shift : {0, 1, 2, 7, 15, 30, 31, 32, 33, 47, 61, 62, 63, 64, -128}) check({"i32", 32}, shift);
}

TEST(TosaIntegers, OneOperand) {
  Draw draw(94);
  for (const TosaWidth& width : all_widths) {
    TosaCodes a, b;
    pairs_of(width, draw, a, b);
    a.resize(width.bits == 8 ? 65536 : 4000, 0);
    for (const char* op : {"ABS", "BITWISE_NOT", "CLZ"}) {
      if (width.bits < 32 && std::string(op) != "BITWISE_NOT") continue;
      expect_codes({.op = std::string("tosa.") + op, .operands = {vector_tensor(width.type, a)}}, a.size(),
                   [&](std::size_t i) { return oracle::tosa::unary(op, a[i], width.bits); });
    }
  }
}

TEST(TosaIntegers, Negations) {
  TosaCodes bytes, words;
  for (std::int64_t i = -128; i < 128; ++i) bytes.push_back(i);
  for (std::int64_t i = -32768; i < 32768; ++i) words.push_back(i);
  const auto check = [](const TosaWidth& width, const TosaCodes& codes, std::int64_t in, std::int64_t out) {
    expect_codes(
        {.op = "tosa.NEGATE",
         .operands = {vector_tensor(width.type, codes), vector_tensor<std::int64_t>(width.type, {in}), vector_tensor<std::int64_t>(width.type, {out})}},
        codes.size(), [&](std::size_t i) { return oracle::tosa::negated(codes[i], in, out, width.bits); });
  };
  for (std::int64_t in = -128; in < 128; in += 15)
    for (std::int64_t out = -128; out < 128; out += 17) check(narrow_width, bytes, in, out);
  check({"i16", 16}, words, 0, 0);
  check({"i32", 32}, {0, 1, -1, 2147483647, -2147483647, least_of(32)}, 0, 0);
}

TEST(TosaIntegers, CastsBetweenIntegers) {
  Draw draw(95);
  for (const TosaWidth& from : all_widths)
    for (const TosaWidth& to : all_widths)
      for (const bool read_unsigned : {false, true}) {
        if (from.bits == to.bits || (std::max(from.bits, to.bits) == 64 && std::min(from.bits, to.bits) != 32)) continue;
        TosaCodes a, b;
        pairs_of(from, draw, a, b);
        const Shape shape{static_cast<std::int64_t>(b.size())};
        expect_codes({.op = "tosa.CAST",
                      .operands = {vector_tensor(from.type, b)},
                      .attributes = {{"input_unsigned", Attribute{read_unsigned}}},
                      .result_types = {TensorType{*ElementType::parse(to.type), shape, {}}}},
                     b.size(), [&](std::size_t i) { return TosaInteger(oracle::tosa::cast(b[i], from.bits, to.bits, read_unsigned)); });
      }
}

/// Lines of few different numbers, so that many are equal, and of ends, so that sums overflow on their way.
TEST(TosaIntegers, Lines) {
  Draw draw(96);
  constexpr std::int64_t lines = 400, length = 7;
  for (const TosaWidth& width : all_widths) {
    TosaCodes codes;
    for (std::int64_t i = 0; i < lines * length; ++i) {
      const std::int64_t least = least_of(width.bits), kind = draw.below(10);
      codes.push_back(kind == 0 && i > lines * length / 2 ? least : kind == 1 && i > lines * length / 2 ? ~least : draw.below(7) - 3);
    }
    Tensor tensor = vector_tensor(width.type, codes);
    tensor.set_type({tensor.element(), {lines, length}, {}});
    const auto line = [&](std::size_t i) {
      return TosaCodes(codes.begin() + static_cast<std::ptrdiff_t>(i) * length, codes.begin() + static_cast<std::ptrdiff_t>(i + 1) * length);
    };
    const AttributeMap axis{{"axis", Attribute{Real(1)}}};
    expect_codes({.op = "tosa.ARGMAX", .operands = {tensor}, .attributes = axis, .result_types = result_types({{"i64", {lines}}})}, lines,
                 [&](std::size_t i) { return TosaInteger(oracle::tosa::place_of_greatest(line(i))); });
    expect_codes({.op = "tosa.REDUCE_MAX", .operands = {tensor}, .attributes = axis}, lines,
                 [&](std::size_t i) { return TosaInteger(line(i)[static_cast<std::size_t>(oracle::tosa::place_of_greatest(line(i)))]); });
    if (width.bits >= 32)
      expect_codes({.op = "tosa.REDUCE_SUM", .operands = {tensor}, .attributes = axis}, lines,
                   [&](std::size_t i) { return oracle::tosa::sum(line(i), width.bits); });
  }
}

}  // namespace
}  // namespace tiebreak
