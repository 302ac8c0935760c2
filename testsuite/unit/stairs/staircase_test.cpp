// SPDX-License-Identifier: Apache-2.0
// Scalar functions against the exact engine, and staircases against evaluation at every input or at many.
#include "interpreter/stairs/staircase.hpp"

#include <random>

#include "interpreter/semantics/profile_lookup.hpp"

#include "testsuite/unit/helpers/spec_profiles.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

Tensor one(const std::string& type, const std::string& value) { return tensor_of(type, {}, {value}); }

/// Ends of the domain, around zero, around powers of two, and pseudo-random places.
std::vector<std::int64_t> places(const OrderedType& type, std::size_t random) {
  std::vector<std::int64_t> all;
  for (std::int64_t d = 0; d < 40; ++d) {
    all.push_back(type.first + d);
    all.push_back(type.last - d);
    all.push_back(std::clamp<std::int64_t>(d - 20, type.first, type.last));
  }
  for (int k = 0; k < 31; ++k)
    for (std::int64_t d : {-1, 0, 1})
      for (std::int64_t sign : {-1, 1}) all.push_back(std::clamp<std::int64_t>(sign * (std::int64_t{1} << k) + d, type.first, type.last));
  std::mt19937_64 generator(20);
  for (std::size_t i = 0; i < random; ++i) all.push_back(type.first + static_cast<std::int64_t>(generator() % type.count()));
  return all;
}

/// The plan equals the exact engine at all places; the stairs equal the plan at them and at both sides of every stair.
void expect_exact(ScalarFunction& function, const std::string& label, std::size_t random = 60) {
  std::vector<std::int64_t> inputs = places(function.input(), random), results(inputs.size());
  Status evaluated = function.evaluate(inputs, results);
  ASSERT_TRUE(evaluated) << label << ": " << to_text(evaluated.error());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto exact = function.exactly_at(inputs[i]);
    ASSERT_TRUE(exact) << label << ": " << to_text(exact.error());
    ASSERT_EQ(results[i], *exact) << label << " at " << function.input().text(inputs[i]);
  }
  auto stairs = staircase(function);
  ASSERT_TRUE(stairs) << label << ": " << to_text(stairs.error());
  for (std::size_t i = 0; i < inputs.size(); ++i) ASSERT_EQ(stairs->at(inputs[i]), results[i]) << label << " at " << function.input().text(inputs[i]);
  for (std::size_t s = 1; s < stairs->starts.size(); s += 1 + stairs->starts.size() / 200) {
    auto before = function.exactly_at(stairs->starts[s] - 1), after = function.exactly_at(stairs->starts[s]);
    ASSERT_TRUE(before && after);
    EXPECT_EQ(*before, stairs->values[s - 1]) << label << " before " << function.input().text(stairs->starts[s]);
    EXPECT_EQ(*after, stairs->values[s]) << label << " at " << function.input().text(stairs->starts[s]);
  }
}

OpCall requantize_call_of_texts(const std::string& type, const std::string& x, const std::string& w, const std::string& y, const std::string& zero_point) {
  OpCall call{.op = "quant.requantize", .operands = {one("i32", "0"), one("f32", x), one("f32", w), one("f32", y), one("i32", zero_point)}};
  call.attributes["output_dtype"] = Attribute{*ElementType::parse(type)};
  return call;
}

Profile with(const std::map<std::string, std::string>& choices) {
  Profile profile;
  profile.name = "test";
  for (const auto& [key, alternative] : choices) profile.choices[key].alternative = alternative;
  return profile;
}

TEST(ScalarFunction, RequantizeOfEveryCodeChoice) {
  auto library = spec_pages();
  auto place = find_choice(*library, "quant.requantize/code");
  ASSERT_TRUE(place);
  for (const notation::Alternative& alternative : place->choice->alternatives) {
    const Profile profile = with({{"quant.requantize/code", alternative.name}, {"quant.requantize/multiplier", "f64"}});
    auto function = ScalarFunction::compile({*library, profile}, requantize_call_of_texts("i8", "1", "1", "4", "0"), "acc");
    ASSERT_TRUE(function) << alternative.name << ": " << to_text(function.error());
    for (const char* scale : {"4", "12", "0x1.99999ap-2", "2048", "0x1p-3", "0x1.19799ap+10", "0x1p+33"})
      for (const char* zero_point : {"0", "-5", "127"}) {
        ASSERT_TRUE(function->set("y_scale", *Real::parse(scale)));
        ASSERT_TRUE(function->set("y_zero_point", *Real::parse(zero_point)));
        expect_exact(*function, alternative.name + " y_scale " + scale + " zero point " + zero_point, 20);
      }
  }
}

TEST(ScalarFunction, QuantizeLinearOfEveryProfile) {
  auto library = spec_pages();
  for (const auto& [name, profile] : library->profiles()) {
    if (name.starts_with("stablehlo")) continue;
    for (const char* type : {"u8", "i8"}) {
      OpCall call{.op = "onnx.QuantizeLinear", .operands = {one("f32", "0"), one("f32", "0x1.99999ap-4"), one(type, "3")}, .version = 21};
      auto function = ScalarFunction::compile({*library, profile}, call, "x");
      ASSERT_TRUE(function) << name << ": " << to_text(function.error());
      expect_exact(*function, name + " " + type, 40);
    }
  }
}

TEST(ScalarFunction, WrapsSignsAndBranchesAreCut) {
  ToyLibrary toy({{"a/wrap", "op a.wrap(x: i32) -> y: i8\nstructure elementwise(x)\ny = sat.y(rhu(wrap.i32(x * 6) / 2^24))"},
                  {"a/square", "op a.square(x: i32) -> y: i16\nstructure elementwise(x)\ny = sat.y(rne(x * x / 2^50))"},
                  {"a/branch", "op a.branch(x: i32) -> y: i8\nstructure elementwise(x)\ny = sat.y(if x < 1000 then rna(x / 7) else -rne(x / 2^20))"},
                  {"a/trap", "op a.trap(x: i32) -> y: i8\nstructure elementwise(x)\nrequire r: x < 5000000\ny = sat.y(rtz(trap.i16(floor(x / 100)) / 300))"},
                  {"a/odd", "op a.odd(x: i32) -> y: i8\nstructure elementwise(x)\ny = sat.y(bitand(x, 3))"}});
  for (const char* op : {"a.wrap", "a.square", "a.branch", "a.trap"}) {
    auto function = ScalarFunction::compile({*toy.library, *toy.library->find_profile("reference").value()}, {.op = op, .operands = {one("i32", "0")}}, "x");
    ASSERT_TRUE(function) << op << ": " << to_text(function.error());
    expect_exact(*function, op, 200);
    auto stairs = staircase(*function);
    EXPECT_EQ(stairs->proof, StairProof::pieces) << op;
  }
  auto function = ScalarFunction::compile({*toy.library, *toy.library->find_profile("reference").value()}, {.op = "a.odd", .operands = {one("i32", "0")}}, "x");
  EXPECT_FALSE(staircase(*function)) << "no monotone pieces are known, and the domain is too large for a table";
}

TEST(Staircase, ComparesOverAllInputs) {
  auto library = spec_pages();
  const OpCall call = requantize_call_of_texts("i8", "1", "1", "4", "0");
  auto even = ScalarFunction::compile({*library, with({{"quant.requantize/tie", "even"}})}, call, "acc");
  auto away = ScalarFunction::compile({*library, with({{"quant.requantize/tie", "away"}})}, call, "acc");
  ASSERT_TRUE(even && away);
  auto first = staircase(*even);
  auto second = staircase(*away, &*first);
  ASSERT_TRUE(first && second);
  const Disagreement d = compare(*first, *second);
  // Ties k + 1/2 with an even k: 2 mod 8 up to 506 above, -2 mod 8 down to -506 below; -514 is saturated on the one side only.
  std::uint64_t expected = 0;
  for (std::int64_t acc = -4096; acc <= 4096; ++acc) expected += *even->at(acc) != *away->at(acc) ? 1 : 0;
  EXPECT_EQ(d.count, expected);
  EXPECT_EQ(d.total, std::uint64_t{1} << 32);
  EXPECT_EQ(d.witness, 2);
  EXPECT_EQ(d.witness_first, 0);
  EXPECT_EQ(d.witness_second, 1);
  EXPECT_TRUE(d.proved);
  auto alone = staircase(*away);
  EXPECT_EQ(alone->starts, second->starts) << "a hint changes nothing";
  EXPECT_EQ(alone->values, second->values);
}

TEST(Staircase, WhatSaturatesIsCountedApartFromWhatARoundingMoves) {
  const std::map<std::string, std::string> pages{{"a/wide", "op a.wide(x: i32) -> y: i8\nstructure elementwise(x)\ny = sat.y(rne(x / 4))"},
                                                 {"a/narrow", "op a.narrow(x: i32) -> y: i8\nstructure elementwise(x)\ny = max(-127, sat.y(rna(x / 4)))"}};
  ToyLibrary toy(pages);
  const auto stairs_of = [&](const char* op) {
    auto function = ScalarFunction::compile({*toy.library, *toy.library->find_profile("reference").value()}, {.op = op, .operands = {one("i32", "0")}}, "x");
    return *staircase(*function);
  };
  const Staircase wide = stairs_of("a.wide"), narrow = stairs_of("a.narrow");
  const Disagreement d = compare(wide, narrow);
  // Ties k + 1/2 with an even k part by one, 64 above zero and 64 below. From -510 (a tie, to even -128) down to -2^31 the one gives -128, the other -127;
  // of the other ties that of 506 alone meets an end, 127.
  const std::uint64_t below = (std::uint64_t{1} << 31) - 510 + 1;
  EXPECT_EQ(d.by_plus_one, below + 64);
  EXPECT_EQ(d.by_minus_one, 64U);
  EXPECT_EQ(d.saturated, below + 1);
  EXPECT_EQ(d.unsaturated_by_one, d.count - d.saturated);
  EXPECT_LT(d.unsaturated_by_one, d.unsaturated);
}

TEST(OrderedType, PlacesAreInOrder) {
  for (const char* word : {"f16", "bf16", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f6e3m2", "f4e2m1", "f8e8m0", "u8", "i4"}) {
    auto type = ordered({*ElementType::parse(word), {}, {}});
    ASSERT_TRUE(type);
    for (std::int64_t o = type->first; o < type->last; ++o) {
      const Real here = type->value(o), next = type->value(o + 1);
      const bool zeros = here.is_zero() && next.is_zero();
      ASSERT_TRUE(zeros ? here.is_negative() && !next.is_negative() : here < next) << word << " " << o;
    }
    EXPECT_EQ(type->ordinal_below(Real(1)), type->ordinal_below(*Real::parse("1.0001"))) << word;
  }
}

}  // namespace
}  // namespace tiebreak
