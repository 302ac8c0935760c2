// SPDX-License-Identifier: Apache-2.0
// N04 (integer formats without sat, wrap or trap), N07 (aggregates over nothing), N12 (pairs and truth values where numbers belong).
#include "testsuite/unit/notation/check_test_pages.hpp"

namespace tiebreak::notation {
namespace {

TEST(CheckFormats, IntegerFormatsNeedAVerb) {
  EXPECT_EQ(findings_in_op("y = i8(x)\n"),
            Findings{"N04 the integer format 'i8' without sat, wrap or trap @ 4:5 ; write sat.i8(...), wrap.i8(...) or trap.i8(...)"});
  EXPECT_EQ(findings_in_op("y = y(x)\n"),
            Findings{"N04 the integer format 'y' without sat, wrap or trap @ 4:5 ; write sat.y(...), wrap.y(...) or trap.y(...)"});
  EXPECT_EQ(findings_in_op("y = S(x)\n").size(), 1u);
  EXPECT_EQ(findings_in_op("y = q(x)\n").size(), 1u);
  EXPECT_EQ(findings_in_op("y = rtz.i8(x)\n"), Findings{"N04 the integer format 'i8' with a rounding word @ 4:5 ; round first: trap.i8(rtz(...))"});
  EXPECT_EQ(findings_in_op("y = sat.rna.y(x)\n"), Findings{"N04 the integer format 'y' with a rounding word @ 4:5 ; round first: sat.y(rna(...))"});
  EXPECT_EQ(findings_in_op("y = each.i8(x)\n"), Findings{"N04 'each' needs a float format, 'i8' is an integer format @ 4:5"});
  EXPECT_EQ(findings_in_op("y = sum[i32](x)\n"),
            Findings{"N04 the integer format 'i32' without sat, wrap or trap @ 4:9 ; write sat.i32(...), wrap.i32(...) or trap.i32(...)"});
  EXPECT_EQ(findings_in_op("y = any.i8(x, s)\n"), Findings{});
}

TEST(CheckFormats, FloatFormatsNeitherWrapNorTrap) {
  EXPECT_EQ(findings_in_op("y = wrap.f32(x)\n"),
            Findings{"N04 'wrap' needs an integer format, 'f32' is a float format @ 4:5 ; write f32(...) or sat.f32(...)"});
  EXPECT_EQ(findings_in_op("y = trap.s(x)\n"), Findings{"N04 'trap' needs an integer format, 's' is a float format @ 4:5 ; write s(...) or sat.s(...)"});
  EXPECT_EQ(findings_in_op("y = sat.f32(x) + s(x) + sat.rtz.f32(x)\n"), Findings{});
}

TEST(CheckFormats, MixedAndUnknownFormatsAreTheEvaluatorsToJudge) {
  EXPECT_EQ(findings_of("op o(x: f32) {d = i8} -> y: Q\ntypes Q: i8 f32\nstructure elementwise(x)\ntype D = d\ny = if Q is float then Q(x) "
                        "else wrap.Q(D(x))\n"),
            Findings{});
  EXPECT_EQ(findings_of("def d(v, t) = t(v) + wrap.t(v)\n"), Findings{});
}

TEST(CheckAggregates, NeedAValueOfTheBag) {
  const std::string what = "N07 'sum' of a value that does not vary over the bag @ ";
  EXPECT_EQ(findings_in_op("y = sum(s)\n"), Findings{what + "4:5"});
  EXPECT_EQ(findings_in_op("y = sum(1)\n"), Findings{what + "4:5"});
  EXPECT_EQ(findings_in_op("y = sum(a) + x\na = s * 2 + count + axis\n"), Findings{what + "4:5"});
  EXPECT_EQ(findings_in_op("y = sum(max(x))\n"), Findings{what + "4:5"});
  EXPECT_EQ(findings_in_op("y = sum(t[0])\n"), Findings{what + "4:5"});
  EXPECT_EQ(findings_in_op("y = sum(d(s))\ndef d(v) = v + 1\n"), Findings{what + "4:5"});
  EXPECT_EQ(findings_of("def d = sum(1)\n"), Findings{what + "1:9"});
  EXPECT_EQ(findings_in_op("y = sum(d(x)) + sum(t[x]) + sum(index) + sum(e(s)) + sum(if f then x else 0)\ndef d(v) = v + 1\ndef e(v) = v * x\n"), Findings{});
  EXPECT_EQ(findings_of("def d(v) = sum(v)\n"), Findings{});
}

TEST(CheckAggregates, NeedABag) {
  EXPECT_EQ(findings_of("op o(x: i8) -> y: i32\nstructure elementwise(x)\ny = sum(x)\n"),
            Findings{"N07 'sum' without a bag @ 3:5 ; rows, dot, convolution, window and scatter have one; max[whole](...) runs over the "
                     "whole tensor"});
  EXPECT_EQ(findings_of("op o(x: i8) -> y: i32\nstructure elementwise(x)\ny = max[whole](x)\n"), Findings{});
}

TEST(CheckAggregates, BlocksBelongIntoAnAggregate) {
  const std::string what = "N07 the result 'y' is made of values per block outside an aggregate @ ";
  EXPECT_EQ(findings_in_op("y = sum[blocks(2)](x)\n"), Findings{what + "4:1 ; put sum(...) around sum[blocks(n)](...)"});
  EXPECT_EQ(findings_in_op("y = d(a)\na = sat.i16(sum[lanes(4)](x))\ndef d(v) = v + 1\n"), Findings{what + "4:1 ; put sum(...) around sum[blocks(n)](...)"});
  EXPECT_EQ(findings_in_op("y = d(a)\na = sat.i16(sum[blocks(4)](x))\ndef d(v) = sum(v) + 1\n"), Findings{});
  EXPECT_EQ(findings_in_op("y = sum[f32](sum[f32, blocks(16)](x))\n"), Findings{});
}

TEST(CheckKinds, NumbersAreNeeded) {
  EXPECT_EQ(findings_in_op("y = (x == 1) + 1\n"), Findings{"N12 a number is needed, 'x == 1' is a truth value @ 4:8"});
  EXPECT_EQ(findings_in_op("y = rne(true)\n"), Findings{"N12 a number is needed, 'true' is a truth value @ 4:9"});
  EXPECT_EQ(findings_in_op("y = -\"a\" + i8 + none + [1, 2]\n").size(), 4u);
  EXPECT_EQ(findings_in_op("y = x + q.type\n"), Findings{"N12 a number is needed, 'q.type' is a format @ 4:9"});
  EXPECT_EQ(findings_in_op("y = sum(x == 1)\n"), Findings{"N12 a number is needed, 'x == 1' is a truth value @ 4:11"});
  EXPECT_EQ(findings_in_op("y = x + a\na = x > 1 and f\n"), Findings{"N12 a number is needed, 'a' is a truth value @ 4:9"});
  EXPECT_EQ(findings_in_op("y = x + c\nchoice c: on = true | off = x < 0\n"), Findings{"N12 a number is needed, 'c' is a truth value @ 4:9"});
  EXPECT_EQ(findings_in_op("y = if x == 0 then undefined else x / p\n"), Findings{});  // what an attribute is, the call says
}

TEST(CheckKinds, TruthValuesAreNeeded) {
  EXPECT_EQ(findings_in_op("y = if x + 1 then 1 else 2\n"), Findings{"N12 a truth value is needed, 'x + 1' is a number @ 4:10"});
  EXPECT_EQ(findings_in_op("y = if not 1 then 1 else 2\n"), Findings{"N12 a truth value is needed, '1' is a number @ 4:12"});
  EXPECT_EQ(findings_in_op("y = if f and 3 then 1 else 2\n"), Findings{"N12 a truth value is needed, '3' is a number @ 4:14"});
  EXPECT_EQ(findings_in_op("y = x\nconstraint c: rne(s)\n"), Findings{"N12 a truth value is needed, 'rne(s)' is a number @ 5:15"});
  EXPECT_EQ(findings_of("claim c(v: i8): v\n"), Findings{"N12 a truth value is needed, 'v' is a number @ 1:17"});
  EXPECT_EQ(findings_in_op("y = if all(s + 1) then 1 else 2\n"), Findings{"N12 a truth value is needed, 's + 1' is a number @ 4:14"});
  EXPECT_EQ(findings_in_op("y = if all(s == 1) then 1 else all(f)\n"), Findings{});
  EXPECT_EQ(findings_in_op("y = if f and scalar(s) and isnan(x) and p.present and (x is int) == (y is int) then 1 else 2\n"), Findings{});
}

TEST(CheckKinds, PairsAreTakenApart) {
  EXPECT_EQ(findings_in_op("y = (1, 2) + 1\n"), Findings{"N12 a pair must be taken apart before it is used @ 4:5 ; write (a, b) = ..."});
  EXPECT_EQ(findings_in_op("y = d(x) * 2\ndef d(v) = (v, v)\n"), Findings{"N12 a pair must be taken apart before it is used @ 4:5 ; write (a, b) = ..."});
  EXPECT_EQ(findings_in_op("y = d((1, 2))\ndef d(v) = v\n"), Findings{"N12 a pair must be taken apart before it is used @ 4:7 ; write (a, b) = ..."});
  EXPECT_EQ(findings_in_op("y = x + a\na = if f then (1, 2) else (3, 4)\n").front(),
            "N12 a pair must be taken apart before it is used @ 4:9 ; write (a, b) = ...");
  EXPECT_EQ(findings_in_op("y = (1, 2)\n"), Findings{"N12 'y' is a pair and must be taken apart @ 4:1 ; write (a, b) = ..."});
  EXPECT_EQ(findings_in_op("y = a + b\n(a, b) = (1, 2, 3)\n"), Findings{"N12 2 names for 3 values @ 5:1"});
  EXPECT_EQ(findings_in_op("y = a + b\n(a, b) = x == 1\n"), Findings{"N12 2 names for a truth value @ 5:1"});
  EXPECT_EQ(findings_in_op("y = a + b\n(a, b) = c\nchoice c: p = (1, 2) | q = if f then (3, 4) else d(x)\ndef d(v) = (m, e) where (m, e) = (v, 1)\n"),
            Findings{});
  EXPECT_EQ(findings_in_op("y = if x in 3 then 1 else 2\n"), Findings{"N12 'in' needs a list, '3' is a number @ 4:13"});
}

TEST(CheckKinds, AreFoundThroughModules) {
  const TestPages pages({{"lib", "def pair(v) = (v, v)\ndef truth(v) = v == 0\n"},
                         {"page", "use lib\ndef a(v) = lib.pair(v) + lib.truth(v)\ndef b(v) = m + e where (m, e) = lib.pair(v)\n"}});
  EXPECT_EQ(pages.findings("page"), (Findings{"N12 a pair must be taken apart before it is used @ 2:12 ; write (a, b) = ...",
                                              "N12 a number is needed, 'lib.truth(v)' is a truth value @ 2:26"}));
  EXPECT_EQ(pages.findings("lib"), Findings{});
}

}  // namespace
}  // namespace tiebreak::notation
