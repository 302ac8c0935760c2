// SPDX-License-Identifier: Apache-2.0
// Proofs that two formulas are one function: what must be proved, what must not, and every proof against evaluation at special and
// pseudo-random inputs. The ranges behind the proofs are compared with the exact engine's values.
#include "testsuite/prove/same_formula.hpp"

#include <random>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/ranges/value_range.hpp"
#include "interpreter/stairs/staircase_check.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

constexpr const char* header = "op toy.pair(x: f32, s: f32, i: i8, u: u8) -> y: ";

std::string toy_page_text(const std::string& type, const std::string& formula) { return header + type + "\nstructure elementwise(x, s, i, u)\ny = " + formula; }

std::vector<std::string> float_values() {
  std::vector<std::string> all{"nan", "inf",  "-inf", "0",   "-0",   "0x1p-149",      "-0x1p-149", "0x1p-126", "0x1.fffffep+127", "-0x1.fffffep+127", "1", "-1",
                               "0.5", "-2.5", "1.5",  "300", "-300", "0x1.99999ap-4", "16777216",  "16777219", "2147483648",      "-2147483648",      "3"};
  std::mt19937 generator(3);
  for (int n = 0; n < 17; ++n) all.push_back(std::to_string(static_cast<int>(generator() % 4001) - 2000) + "/16");
  return all;
}

/// A call with every special float twice, beside pseudo-random codes.
OpCall special_floats_call() {
  const std::vector<std::string> floats = float_values();
  std::vector<std::string> x, s, i, u;
  std::mt19937 generator(20);
  for (const std::string& a : floats)
    for (const std::string& b : floats) {
      x.push_back(a);
      s.push_back(b);
      i.push_back(std::to_string(static_cast<int>(generator() % 256) - 128));
      u.push_back(std::to_string(generator() % 256));
    }
  const Shape shape{static_cast<std::int64_t>(x.size())};
  return {.op = "toy.pair", .operands = {tensor_of("f32", shape, x), tensor_of("f32", shape, s), tensor_of("i8", shape, i), tensor_of("u8", shape, u)}};
}

struct Pair {
  const char* type;
  const char* first;
  const char* second;
  bool proved;
};

const std::vector<Pair> formula_pairs{
    // Conversions that change nothing, or something.
    {"f32", "f32(f32(i) * s)", "f32(i * s)", true},
    {"f32", "f32(f32(i - u) * s)", "f32(bf16(i - u) * s)", false},
    {"f32", "f32(f32(i) * s)", "f32(bf16(i) * s)", true},
    {"i8", "sat.i8(i + 0)", "wrap.i8(i)", true},
    {"i8", "sat.i8(i + 1)", "wrap.i8(i + 1)", false},
    {"i8", "sat.i8(rne(clamp(x, -100, 100)))", "wrap.i8(rne(clamp(x, -100, 100)))", true},
    {"i8", "sat.i8(rne(clamp(x, -100, 200)))", "trap.i8(rne(clamp(x, -100, 200)))", false},
    {"i8", "sat.i8(f32(i * u))", "sat.i8(i * u)", true},
    {"i8", "sat.i8(f32(rne(x) + i))", "sat.i8(rne(x) + i)", true},
    {"i8", "sat.i8(rne(bf16(x * 2)))", "sat.i8(rne(x * 2))", false},
    // Ends of clamps that are reached, or not.
    {"f32", "max(abs(x), 0)", "max(abs(x), -1)", true},
    {"f32", "max(x, 0)", "max(x, -1)", false},
    {"u8", "sat.u8(rne(min(255, max(0, f32(u)))))", "u", true},
    // Signs.
    {"u8", "sat.u8(rne(f32(0 - x / s)))", "sat.u8(rne(0 - f32(x / s)))", true},
    {"f32", "floor.f32(0 - x / 3)", "f32(0 - floor.f32(x / 3))", false},
    {"f32", "0 - x", "-x", false},
    // Limits between which no float lies.
    {"u8", "if x > 2147483647 then 1 else 0", "if x >= 2147483648 then 1 else 0", true},
    {"u8", "if x > 16777216 then 1 else 0", "if x >= 16777216 then 1 else 0", false},
    {"u8", "if x < 3 then 1 else 0", "if x <= 3 then 1 else 0", false},
    // Digits that are cut, or were not there.
    {"f32", "x", "if abs(x) > 0 and abs(x) < inf then rtz(x / 2^(exponent(x) - 23)) * 2^(exponent(x) - 23) else x", true},
    {"f32", "x", "if abs(x) > 0 and abs(x) < inf then rtz(x / 2^(exponent(x) - 15)) * 2^(exponent(x) - 15) else x", false},
    // What a condition says, and branches that are one.
    {"u8", "if isnan(x) then 7 else sat.u8(rne(clamp(x, 0, 255)))", "if isnan(x) then 7 else wrap.u8(rne(clamp(x, 0, 255)))", true},
    {"u8", "if isnan(x) then 7 else sat.u8(rne(x))", "sat.u8(rne(x))", false},
    {"u8", "if isnan(f32(i)) then 7 else u", "u", true},
    {"u8", "if isnan(x) then u else u", "u", true},
    // By cases: a quotient that is no number has a divisor that is none, zero or infinite.
    {"u8", "if isnan(x / s) then 0 else sat.u8(rne(x / s) + (if isnan(s) then 255 else 3))",
     "if isnan(x / s) then 0 else sat.u8(rne(x / s) + (if isnan(s) then 256 else 3))", true},
    {"u8", "if isnan(x / s) then 0 else sat.u8(rne(x / s) + (if abs(s) == inf then 200 else 3))",
     "if isnan(x / s) then 0 else sat.u8(rne(x / s) + (if abs(s) == inf then 201 else 3))", false},
    {"u8", "if isnan(x / s) then 0 else sat.u8(rne(x / s) + 255)", "if isnan(x / s) then 0 else sat.u8(rne(x / s) + 256)", false},
    // By cases: of two numbers one is less, or they are equal; nan is neither.
    {"u8", "if not (i < u) and not (u < i) then 1 else 0", "if i == u then 1 else 0", true},
    {"u8", "if not (i < u) then 1 else 0", "if i == u then 1 else 0", false},
    {"u8", "if not (x < s) and not (s < x) then 1 else 0", "if x == s then 1 else 0", false},
    // By cases: between which constants a whole number lies; of what -1, 0 and 1 are raised to, the parity counts.
    {"i8", "sat.i8((if abs(i) <= 1 then i else 1) ^ (if u == 0 then 0 else 2 - bitand(u, 1)))", "sat.i8((if abs(i) <= 1 then i else 1) ^ u)", true},
    {"i8", "sat.i8((if abs(i) == 1 then i else 1) ^ (2 + bitand(u, 1)))", "sat.i8((if abs(i) == 1 then i else 1) ^ u)", true},
    {"i8", "sat.i8((if abs(i) == 1 then i else -1) ^ (1 + bitand(u, 1)))", "sat.i8((if abs(i) == 1 then i else -1) ^ u)", false},
    {"i8", "if abs(i) >= 2 and u == 7 then trap.i8(i ^ 8) else i", "if abs(i) >= 2 and u == 7 then undefined else i", true},
    {"i8", "if abs(i) >= 2 then trap.i8(i * 16) else i", "if abs(i) >= 2 then undefined else i", false},
    // Of a code the low bits count: of large floats there are none, and 2^31 is -2^31.
    {"i8", "wrap.i8(if rtz(x) >= -2147483648 and rtz(x) < 2147483648 then rtz(x) else -2147483648)",
     "wrap.i8(if rtz(x) > -2147483648 and rtz(x) < 2147483648 then rtz(x) else 2147483648)", true},
    {"i8", "wrap.i8(if rtz(x) < 2147483648 then max(rtz(x), 0) else 0)", "wrap.i8(if rtz(x) < 4294967296 then max(rtz(x), 0) else 0)", true},
    {"i8", "wrap.i8(if rtz(x) < 256 then max(rtz(x), 0) else 0)", "wrap.i8(if rtz(x) < 4294967296 then max(rtz(x), 0) else 0)", false},
    {"u8", "wrap.u8(i - 7 + 300)", "wrap.u8(37 + i)", true},
    {"u8", "wrap.u8(i - 7 + 300)", "wrap.u8(165 + i)", false},
    {"u8", "wrap.u8(u + 512)", "u", true},
    // A quotient has a sign whatever digits are cut; that of a zero is another matter.
    {"u8", "if 1 / x < 0 then 1 else 0",
     "if 1 / (if abs(x) > 0 and abs(x) < inf then rtz(x / 2^(exponent(x) - 7)) * 2^(exponent(x) - 7) else x) < 0 then 1 else 0", true},
    {"u8", "if x < 0 or 1 / x < 0 then 1 else 0", "if x < 0 or 0 / x < 0 then 1 else 0", false},
    {"u8", "if x == 0 then (if 0 / x < 0 then 1 else 2) else 0", "if x == 0 then 2 else 0", true},
    {"u8", "if x == 0 then (if 1 / x > 0 then 1 else 0) else 2", "if x == 0 then (if f32(1 / x) >= 1 then 1 else 0) else 2", true},
    {"u8", "sat.u8(if isnan(x) then undefined else rne(x))", "sat.u8(rne(x))", true},
    {"i8", "wrap.i8(floor(i / 256))", "if i < 0 then -1 else 0", true},
    // Times zero the digits do not count; whether it is a number does.
    {"f32", "(if abs(x) > 0 and abs(x) < inf then rtz(x / 2^(exponent(x) - 7)) * 2^(exponent(x) - 7) else x) * 0.0", "x * 0.0", true},
    {"f32", "abs(x) * 0.0", "x * 0.0", false},
    {"u8", "if x - s == 0 then sat.u8(rne(x * 0.0)) else 1", "if x - s == 0 then 0 else 1", true},
    {"u8", "if isnan(x) then 1 else sat.u8(rne(x * 0.0))", "if isnan(x) then 1 else 0", false},
    // Conditions of which a part is known.
    {"u8", "if u >= 0 and i > 3 then 1 else 0", "if i > 3 then 1 else 0", true},
    {"u8", "if i > 3 and i < 2 then 1 else 0", "0", true},
    {"u8", "if i > 3 or i < 4 then 1 else 0", "1", true},
    // Angles of numbers are numbers. A whole number of units is nothing where it is none.
    {"u8", "if isnan(f32(atan2(i, u))) then 1 else u", "u", true},
    {"u8", "if isnan(f32(atan2(x, u))) then 1 else u", "u", false},
    {"f32", "f32(f32(i) * 0x1p-149) + 0.0", "f32(f32(i) * 0x1p-149)", true},
    {"f32", "f32(f32(i) * 0x1p-160) + 0.0", "f32(f32(i) * 0x1p-160)", false},
};

TEST(SameFormula, ProvesWhatIsEqualAndNothingElse) {
  const Profile profile{};
  for (const Pair& pair : formula_pairs) {
    const std::string label = std::string(pair.first) + "  ->  " + pair.second;
    const ToyLibrary first({{"toy/pair", toy_page_text(pair.type, pair.first)}}), second({{"toy/pair", toy_page_text(pair.type, pair.second)}});
    ASSERT_TRUE(first.library && second.library) << label;
    const auto bound = BoundCall::bind({*first.library, profile}, special_floats_call());
    ASSERT_TRUE(bound) << label << ": " << to_text(bound.error());
    const auto likeness = (*bound)->likeness({*second.library, profile});
    ASSERT_TRUE(likeness) << label << ": " << to_text(likeness.error());
    const auto cases = (*bound)->same_by_cases({*second.library, profile});
    ASSERT_TRUE(cases) << label;
    EXPECT_EQ(*likeness == Likeness::same || *cases, pair.proved) << label;
    auto a = evaluate({*first.library, profile}, (*bound)->call()), b = evaluate({*second.library, profile}, (*bound)->call());
    ASSERT_TRUE(a && b) << label << (a ? "" : to_text(a.error())) << (b ? "" : to_text(b.error()));
    // What is not proved differs at one of these inputs, so that the table has no proof that was merely not found.
    EXPECT_EQ(texts_of(a->front()) == texts_of(b->front()), pair.proved) << label;
  }
}

bool contains(const ValueRange& range, const Value& value) {
  if (value.is_undefined()) return range.undefined;
  if (!value.is_number()) return true;
  const Real& number = value.number();
  if (number.is_nan()) return range.nan;
  if (number.is_zero() && number.is_negative() && !range.negative_zero) return false;
  return range.low <= number && number <= range.high && (!range.whole || !number.is_finite() || number.is_whole());
}

TEST(SameFormula, RangesHoldForEveryNode) {
  for (const Pair& pair : formula_pairs)
    for (const char* formula : {pair.first, pair.second}) {
      const ToyLibrary toy({{"toy/pair", toy_page_text(pair.type, formula)}});
      ASSERT_TRUE(toy.library) << formula;
      const OpCall call = special_floats_call();
      const auto bound = bind({*toy.library, Profile{}}, call);
      ASSERT_TRUE(bound) << formula << ": " << to_text(bound.error());
      ValueRanges ranges(*bound);
      ExactEvaluator evaluator(*bound);
      for (std::int64_t cell = 0; cell < call.operands[0]->size(); cell += 3) {
        evaluator.set_cell(cell);
        for (NodeId node = 0; node < static_cast<NodeId>(bound->nodes.size()); ++node)
          if (const auto value = evaluator.at(node)) {
            ASSERT_TRUE(contains(ranges.of(node), *value)) << formula << ": " << (*bound)[node].text << " at cell " << cell;
          }
      }
    }
}

/// Stairs of one function tried on another: the verdict is that of all inputs.
TEST(StairCheck, AgreesWithEveryInput) {
  const std::string start = "op toy.step(x: f16, s: f32) -> y: i8\nstructure elementwise(x)\ny = ";
  const std::vector<std::string> formulas{
      "sat.i8(rne(x / s))",
      "sat.i8(rna(x / s))",
      "sat.i8(rne(f32(x / s)))",
      "sat.i8(rne(x / s) + 0)",
      "wrap.i8(rne(x / s))",
      "sat.i8(rne(abs(x) / s))",
      "if x > 0 then sat.i8(rne(x / s)) else sat.i8(rne(x / s))",
      "if abs(x) > 0 and abs(x) < inf then sat.i8(rne(rtz(x * 2^(12 - exponent(x))) / 2^(12 - exponent(x)) / s)) else sat.i8(rne(x / s))"};
  OpCall call{.op = "toy.step", .operands = {tensor_of("f16", {}, {"0"}), tensor_of("f32", {}, {"3"})}};
  const Profile profile{};
  for (const std::string& first : formulas)
    for (const std::string& second : formulas) {
      const ToyLibrary one({{"toy/step", start + first}}), other({{"toy/step", start + second}});
      auto a = ScalarFunction::compile({*one.library, profile}, call, "x"), b = ScalarFunction::compile({*other.library, profile}, call, "x");
      ASSERT_TRUE(a && b) << first << " and " << second;
      const auto stairs = staircase(*a);
      ASSERT_TRUE(stairs) << first;
      const auto check = check_stairs(*b, *stairs);
      ASSERT_TRUE(check) << second;
      std::vector<std::int64_t> inputs;
      for (std::int64_t x = a->input().first; x <= a->input().last; ++x) inputs.push_back(x);
      std::vector<std::int64_t> values(inputs.size()), others(inputs.size());
      ASSERT_TRUE(a->evaluate(inputs, values) && b->evaluate(inputs, others));
      const bool equal = *a->at_nan() == *b->at_nan() && values == others;
      EXPECT_EQ(check->equal, equal) << first << " and " << second << ": " << check->reason;
      EXPECT_NE(check->equal, check->differs_at.has_value() || check->differs_at_nan) << first << " and " << second;
      if (check->differs_at) {
        EXPECT_NE(*a->at(*check->differs_at), *b->at(*check->differs_at));
      }
    }
}

}  // namespace
}  // namespace tiebreak
