// SPDX-License-Identifier: Apache-2.0
// The evaluator on pages of a few lines: binding, choices, conversions, aggregates, outcomes. Both engines run and must agree.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

using Texts = std::vector<std::string>;

/// Runs an op under both engines and returns the texts of its first result, or the error's text.
Texts run_toy(const ToyLibrary& toy, OpCall call, const std::string& profile = "reference") {
  auto found = toy.library->find_profile(profile);
  if (!found) return {to_text(found.error())};
  auto results = evaluate({*toy.library, **found}, call, {.engine = Engine::both, .explain_values = true});
  if (!results) return {results.error().what};
  return texts_of(results->front());
}

TEST(Evaluate, QuantizeRoundsOnceAndSaturates) {
  ToyLibrary toy(Pages{{"t/q", "op t.q(x: f32, s: f32[], z: i8[] = 0) -> y: i8\nstructure elementwise(x)\ny = sat.y(rne(f32(x / s)) + z)"}});
  Tensor x = tensor_of("f32", {6}, {"0.5", "1.5", "2.5", "-0.5", "1000", "-1000"});
  EXPECT_EQ(run_toy(toy, {.op = "t.q", .operands = {x, tensor_of("f32", {}, {"1"}), tensor_of("i8", {}, {"3"})}}), (Texts{"3", "5", "5", "3", "127", "-128"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.q", .operands = {x, tensor_of("f32", {}, {"1"})}}), (Texts{"0", "2", "2", "0", "127", "-128"}));
}

TEST(Evaluate, NanIntoAnIntegerIsUndefined) {
  ToyLibrary toy(Pages{{"t/q", "op t.q(x: f32) -> y: u8\nstructure elementwise(x)\ny = sat.y(rne(x))"}});
  EXPECT_EQ(run_toy(toy, {.op = "t.q", .operands = {tensor_of("f32", {3}, {"nan", "inf", "-inf"})}}), (Texts{"undefined", "255", "0"}));
}

/// A condition that is undefined before any element is looked at makes what hangs on it undefined, of whatever kind that is.
TEST(Evaluate, UndefinedConditionsGiveUndefinedOfEveryKind) {
  const std::string head =
      "op t.q(x: f32) {mode = 0} -> y: i8\nstructure elementwise(x)\nq = if mode == 0 then undefined else x\nd = if isnan(q) then 1 else 2\n"
      "(m, e) = if isnan(q) then (1, 2) else (3, 4)\n";
  const std::map<std::string, std::string> formulas{{"a number", "y = sat.y(d + m)"},
                                                    {"a truth value", "c = if isnan(q) then x > 1 else x > 2\ny = if c and not c then e else d"},
                                                    {"of a pair", "y = sat.y(e)"},
                                                    {"compared with a format", "y = if q == f32 then m else e + d"},
                                                    {"in a list", "y = if q in [1, 2] then m else e + d"},
                                                    {"after where", "y = sat.y(v + m * e) where v = d"}};
  for (const auto& [what, formula] : formulas) {
    ToyLibrary toy(Pages{{"t/q", head + formula + (what == "of a pair" ? " + 0 * m + 0 * d" : "")}});
    EXPECT_EQ(run_toy(toy, {.op = "t.q", .operands = {tensor_of("f32", {2}, {"1", "3"})}}), (Texts{"undefined", "undefined"})) << what;
  }
}

TEST(Evaluate, UndefinedBranchesTakeTheKindOfTheOther) {
  ToyLibrary toy(Pages{{"t/q",
                        "op t.q(x: f32) -> y: i8\nstructure elementwise(x)\nc = if x > 2 then undefined else x > 0\n(m, e) = if x > 1 then undefined else (3, "
                        "4)\ny = if c then sat.y(m * e) else 7"}});
  EXPECT_EQ(run_toy(toy, {.op = "t.q", .operands = {tensor_of("f32", {4}, {"3", "2", "1", "-1"})}}), (Texts{"undefined", "undefined", "12", "7"}));
}

TEST(Evaluate, WholeNumbersBeyondDoublesRoundOnce) {
  ToyLibrary toy(
      Pages{{"t/c",
             "op t.near(x: i64) -> y: bf16\nstructure elementwise(x)\ny = bf16(x)\nop t.cut(x: i64) -> y: f64\nstructure elementwise(x)\ny = rtz.f64(x)\n"
             "op t.single(x: i64) -> y: f32\nstructure elementwise(x)\ny = f32(x)"}});
  // One above the tie between 2^55 and 2^55 + 2^48; 2^53 + 1 is no double.
  EXPECT_EQ(run_toy(toy, {.op = "t.near", .operands = {tensor_of("i64", {2}, {"36169534507319297", "36169534507319296"})}}),
            (Texts{"36310271995674624", "36028797018963968"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.cut", .operands = {tensor_of("i64", {3}, {"-22512575124594798", "9007199254740993", "9007199254740995"})}}),
            (Texts{"-22512575124594796", "9007199254740992", "9007199254740994"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.single", .operands = {tensor_of("i64", {2}, {"9007199791611905", "-9007199791611905"})}}),
            (Texts{"9007200328482816", "-9007200328482816"}));
}

TEST(Evaluate, ProfilesTakeAlternatives) {
  ToyLibrary toy(Pages{{"t/r", "choice tie(v): even = rne(v) | away = rna(v) | up = rhu(v)"},
                       {"t/q",
                        "use t.r(tie = away)\nop t.q(x: f32) -> y: i8\nstructure elementwise(x)\nchoice order: after = r.tie(x) + 1 | before = r.tie(x + 1)\ny "
                        "= sat.y(order)"}},
                 Pages{{"a", R"({"name": "a", "choices": {"t.r/tie": "up"}})"},
                       {"b", R"({"name": "b", "extends": "a", "choices": {"t.q/r.tie": "even", "t.q/order": "before"}})"}});
  OpCall call{.op = "t.q", .operands = {tensor_of("f32", {3}, {"-0.5", "0.5", "1.5"})}};
  EXPECT_EQ(run_toy(toy, call), (Texts{"0", "2", "3"}));       // away, by the page's own reading of the used module
  EXPECT_EQ(run_toy(toy, call, "a"), (Texts{"1", "2", "3"}));  // up
  EXPECT_EQ(run_toy(toy, call, "b"), (Texts{"0", "2", "2"}));  // even of x + 1 = 0.5, 1.5, 2.5
}

TEST(Evaluate, FusedAndSeparateMultiplyAddDiffer) {
  ToyLibrary toy(Pages{{"t/f",
                        "op t.f(a: f32, b: f32, c: f32) -> y: f32\nstructure elementwise(a, b, c)\ny = f32(a * b + c)\n"
                        "op t.g(a: f32, b: f32, c: f32) -> y: f32\nstructure elementwise(a, b, c)\ny = each.f32(a * b + c)"}});
  Tensor a = tensor_of("f32", {1}, {"0x1.001p0"}), c = tensor_of("f32", {1}, {"-0x1.002p0"});
  EXPECT_EQ(run_toy(toy, {.op = "t.f", .operands = {a, a, c}}), (Texts{"1/16777216"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.g", .operands = {a, a, c}}), (Texts{"0"}));
}

TEST(Evaluate, SumsWrapSaturateAndFoldInOrder) {
  ToyLibrary toy(Pages{{"t/d",
                        "def cap(v) = sat.i16(v)\n"
                        "op t.wrap(a: i8, b: i8) -> y: i8\nstructure dot.onnx(a, b)\ny = wrap.y(sum(a * b))\n"
                        "op t.pairs(a: i8, b: i8) -> y: i32\nstructure dot.onnx(a, b)\ny = wrap.y(sum(sat.i16(sum[blocks(2)](a * b * 3))))\n"
                        "op t.steps(a: i8, b: i8) -> y: i32\nstructure dot.onnx(a, b)\ny = wrap.y(sum[cap](a * b * 3))\n"
                        "op t.f32(a: f32, b: f32) -> y: f32\nstructure dot.onnx(a, b)\ny = sum[f32](f32(a * b))\n"
                        "op t.tree(a: f32, b: f32) -> y: f32\nstructure dot.onnx(a, b)\ny = sum[f32, pairwise](f32(a * b))"}});
  Tensor a = tensor_of("i8", {1, 4}, {"127", "127", "127", "-128"}), b = tensor_of("i8", {4, 1}, {"127", "127", "127", "127"});
  EXPECT_EQ(run_toy(toy, {.op = "t.wrap", .operands = {a, b}}), (Texts{std::to_string(static_cast<std::int8_t>(127 * 127 * 3 - 128 * 127))}));
  EXPECT_EQ(run_toy(toy, {.op = "t.pairs", .operands = {a, b}}), (Texts{std::to_string(32767 + 127 * 127 * 3 - 128 * 127 * 3)}));
  EXPECT_EQ(run_toy(toy, {.op = "t.steps", .operands = {a, b}}), (Texts{std::to_string(32767 - 128 * 127 * 3)}));
  Tensor u = tensor_of("f32", {4}, {"16777216", "1", "1", "1"}), v = tensor_of("f32", {4}, {"1", "1", "1", "1"});
  EXPECT_EQ(run_toy(toy, {.op = "t.f32", .operands = {u, v}}), (Texts{"16777216"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.tree", .operands = {u, v}}), (Texts{"16777218"}));
}

TEST(Evaluate, TheBagOfAConvolutionCanBePutInOrderByChannels) {
  const std::string header =
      "(x: f32, w: f32) {auto_pad = \"NOTSET\", dilations = none, group = 1, kernel_shape = none, pads = none, strides = none} -> y: f32\n"
      "structure convolution.onnx(x, w)\ny = ";
  ToyLibrary toy(Pages{{"t/o", "op t.taps" + header + "sum[f32](x * w)\nop t.written" + header + "sum[f32, order(spatial, feature)](x * w)\n" +
                                   "op t.channels" + header + "sum[f32, order(feature, spatial)](x * w)\n" + "op t.runs" + header +
                                   "sum(f32(sum[order(feature, spatial), blocks(2)](x * w)))\n" + "op t.once" + header + "sum[f32, order(feature)](x * w)\n" +
                                   "op t.anew" + header + "sum(sum[order(feature, spatial), blocks(3, spatial)](x * w))"}});
  // Two channels of two taps: 2^24 and -2^24; 1 and 1.
  const Tensor x = tensor_of("f32", {1, 2, 2}, {"16777216", "-16777216", "1", "1"}), w = tensor_of("f32", {1, 2, 2}, {"1", "1", "1", "1"});
  EXPECT_EQ(run_toy(toy, {.op = "t.taps", .operands = {x, w}}), (Texts{"1"})) << "((2^24 + 1) - 2^24) + 1";
  EXPECT_EQ(run_toy(toy, {.op = "t.written", .operands = {x, w}}), (Texts{"1"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.channels", .operands = {x, w}}), (Texts{"2"})) << "((2^24 - 2^24) + 1) + 1";
  EXPECT_EQ(run_toy(toy, {.op = "t.runs", .operands = {x, w}}), (Texts{"2"})) << "(2^24 - 2^24) + (1 + 1), not (2^24 + 1) + (1 - 2^24)";
  EXPECT_EQ(run_toy(toy, {.op = "t.once", .operands = {x, w}}), (Texts{"order(feature) is not executed here"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.anew", .operands = {x, w}}), (Texts{"N07 runs that start anew and another order are not executed together"}));
}

TEST(Evaluate, RowsGiveValuesPerRowAndPerItem) {
  ToyLibrary toy(Pages{{"t/r",
                        "op t.r(x: f32) -> y: u8, s: f32[]\nstructure rows(x)\ns = f32((max(x) - min(x)) / 255)\ny = sat.y(rne(x / s))\n"
                        "op t.soft(x: i8) {axis = -1} -> y: f32\nstructure rows(x, axis)\ny = f32(exp(x) / sum(exp(x)))"}});
  EXPECT_EQ(run_toy(toy, {.op = "t.r", .operands = {tensor_of("f32", {2, 2}, {"0", "1", "2", "255"})}}), (Texts{"0", "1", "2", "255"}));
  EXPECT_EQ(run_toy(toy, {.op = "t.soft", .operands = {tensor_of("i8", {2, 2}, {"3", "3", "-100", "100"})}}), (Texts{"1/2", "1/2", "0", "1"}));
}

TEST(Evaluate, ErrorsNameTheirPlace) {
  ToyLibrary toy(Pages{{"t/e",
                        "op t.e(x: f32) -> y: i8\nstructure elementwise(x)\ny = sat.y(x)\n"
                        "op t.c(x: i8) {n = 1} -> y: i8\nstructure elementwise(x)\nconstraint C7: n > 1\ny = x\n"
                        "op t.o(x: f32) -> y: i8\nstructure elementwise(x)\ny = rne(x)"}});
  EXPECT_EQ(run_toy(toy, {.op = "t.e", .operands = {tensor_of("f32", {1}, {"0.5"})}})[0].substr(0, 3), "N05");
  EXPECT_EQ(run_toy(toy, {.op = "t.o", .operands = {tensor_of("f32", {1}, {"1000"})}})[0].substr(0, 3), "N05");
  EXPECT_EQ(run_toy(toy, {.op = "t.c", .operands = {tensor_of("i8", {1}, {"5"})}})[0], "t.c C7: n > 1 does not hold");
  EXPECT_EQ(run_toy(toy, {.op = "t.c", .operands = {tensor_of("i8", {1}, {"5"})}, .attributes = {{"m", Attribute{Real(2)}}}})[0], "t.c has no attribute 'm'");
  EXPECT_EQ(run_toy(toy, {.op = "t.c", .operands = {tensor_of("f32", {1}, {"5"})}})[0], "t.c: x has type f32, expected i8");
  EXPECT_EQ(run_toy(toy, {.op = "t.x", .operands = {}})[0].find("t.x") != std::string::npos, true);
}

TEST(Evaluate, BeforeAndDistanceSpeakOfTheLastRounding) {
  ToyLibrary toy(Pages{{"t/q", "op t.q(x: f32) -> y: u8\nstructure elementwise(x)\ny = sat.y(rne(x) + 7)"}});
  auto profile = toy.library->find_profile("reference");
  OpCall call{.op = "t.q", .operands = {tensor_of("f32", {3}, {"2.5", "2.25", "1000"})}};
  auto results = evaluate({*toy.library, **profile}, call, {.explain_values = true});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_EQ(results->front().before[0].first, 9.5);
  EXPECT_EQ(results->front().distance[0], 0);
  EXPECT_EQ(results->front().distance[1], -0.25);
  EXPECT_EQ(results->front().distance[2], 1007 - 254.5);
  const auto second = std::make_shared<const std::set<std::int64_t>>(std::set<std::int64_t>{1});
  auto alone = evaluate({*toy.library, **profile}, call, {.explain_values = true, .explained = second});
  ASSERT_TRUE(alone) << to_text(alone.error());
  EXPECT_TRUE(std::isnan(alone->front().before[0].first));
  EXPECT_EQ(alone->front().before[1].first, 9.25);
  EXPECT_EQ(alone->front().distance[1], -0.25);
  auto steps = explain({*toy.library, **profile}, call, 0, 0);
  ASSERT_TRUE(steps);
  ASSERT_GE(steps->size(), 3u);
  EXPECT_EQ(steps->back().value, "9");
}

}  // namespace
}  // namespace tiebreak
