// SPDX-License-Identifier: Apache-2.0
// What goes through operations between a least and a greatest value: known where every value between lies between the ends' results, else unknown.
#include "interpreter/orders/interval_evaluator.hpp"
#include "interpreter/bind/binder.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

/// The ends of what any order of the f32 terms may give behind `expression` of their sum s, "unknown" where none are known.
std::string ends(const std::string& result_type, const std::string& expression, const std::vector<float>& terms) {
  const ToyLibrary toy(Pages{{"t/a", "op t.a(x: f32) -> y: " + result_type + "\nstructure rows(x)\ns = sum[f32](x)\ny = " + expression + "\n"}});
  const OpCall call{.op = "t.a", .operands = {vector_tensor("f32", terms)}};
  auto formula = bind({*toy.library, **toy.library->find_profile("reference")}, call);
  if (!formula) return to_text(formula.error());
  IntervalEvaluator evaluator(*formula);
  evaluator.set_cell(0);
  const auto range = evaluator.at(formula->results[0].node);
  if (!range) return to_text(range.error());
  if (!*range) return "unknown";
  const auto text = [](const Value& value) { return value.is_undefined() ? "undefined" : value.number().to_string(); };
  return text((*range)->low) + " " + text((*range)->high);
}

const std::vector<float> near_zero{0x1p30f, -0x1p30f, 1};  // 0 or 1, and an enclosure of hundreds around them

TEST(IntervalEvaluator, FollowsWhatRisesAndWhatFalls) {
  EXPECT_EQ(ends("f32", "s", {1, 2, 3}), ends("f32", "min(s, 100)", {1, 2, 3}));
  EXPECT_EQ(ends("i8", "sat.i8(rne(s))", near_zero), "-128 127");
  EXPECT_EQ(ends("i8", "sat.i8(rne(-s) + 3)", near_zero), "-128 127");
  EXPECT_EQ(ends("f32", "f32(s * 0 + 7)", near_zero), "7 7");
  EXPECT_EQ(ends("f32", "s / (s - s + 0)", near_zero), "unknown") << "the divisor may be zero";
}

TEST(IntervalEvaluator, EndsWithoutANumberSayNothingOfWhatLiesBetween) {
  EXPECT_EQ(ends("f8e4m3fn", "f8e4m3fn(s * 16)", near_zero), "unknown") << "both ends are nan";
  EXPECT_EQ(ends("i8", "trap.i8(rne(s))", near_zero), "unknown") << "both ends are undefined";
  EXPECT_EQ(ends("f8e4m3fn", "sat.f8e4m3fn(s * 16)", near_zero), "-448 448");
}

TEST(IntervalEvaluator, WrapsTogetherOrNotAtAll) {
  EXPECT_EQ(ends("i8", "wrap.i8(rne(s))", near_zero), "unknown");
  EXPECT_EQ(ends("i8", "wrap.i8(rne(s) + 256)", {4, 4}), "8 8");
}

}  // namespace
}  // namespace tiebreak
