// SPDX-License-Identifier: Apache-2.0
// N01 (unknown words, with the nearest known one), N02 (wrong number of arguments), N03 (twice, unused, circles), each at its place.
#include "testsuite/unit/notation/check_test_pages.hpp"

namespace tiebreak::notation {
namespace {

TEST(CheckNames, CleanPagesHaveNoFindings) {
  EXPECT_EQ(findings_of(""), Findings{});
  EXPECT_EQ(findings_in_op("y = x\n"), Findings{});
  EXPECT_EQ(findings_in_op("y = sat.y(rne(s * a) + q.zero_point)\na = b(x, f) where k = 1\nb = 2\n").size(),
            3u);  // b is no definition, k unused
  EXPECT_EQ(findings_in_op("y = sat.y(rne(a) + n.max)\na = c(x)\nchoice c(v): up = v | down = v + min(q.scale, s)\ntype n = q.expressed\n"), Findings{});
}

TEST(CheckNames, UnknownWordsHaveTheNearestOne) {
  EXPECT_EQ(findings_in_op("y = rnee(x)\n"), Findings{"N01 unknown rounding word 'rnee' @ 4:5 ; did you mean 'rne'?"});
  EXPECT_EQ(findings_in_op("y = rnee.f32(x)\n"), Findings{"N01 unknown rounding word 'rnee' @ 4:5 ; did you mean 'rne'?"});
  EXPECT_EQ(findings_in_op("y = f33(x)\n"), Findings{"N01 unknown format 'f33' @ 4:5 ; did you mean 'f32'?"});
  EXPECT_EQ(findings_in_op("y = sat.yy(x)\n"), Findings{"N01 unknown format 'yy' @ 4:5 ; did you mean 'y'?"});
  EXPECT_EQ(findings_in_op("y = rtz.f3(x)\n"), Findings{"N01 unknown format 'f3' @ 4:5 ; did you mean 'f'?"});
  EXPECT_EQ(findings_in_op("y = each.rtz.f32(x)\n"),
            Findings{"N01 unknown conversion 'each.rtz.f32' @ 4:5 ; a conversion is F, rtz.F, sat.F, sat.rtz.F, wrap.I, trap.I, each.F or any.F"});
  EXPECT_EQ(findings_in_op("y = totl\ntotal = x\n"), (Findings{"N01 unknown name 'totl' @ 4:5 ; did you mean 'total'?", "N03 'total' is never used @ 5:1"}));
  EXPECT_EQ(findings_in_op("y = something_else_entirely + x\n"), Findings{"N01 unknown name 'something_else_entirely' @ 4:5"});
  EXPECT_EQ(findings_in_op("y = x + rne\n"), Findings{"N01 'rne' is a function, read without its argument @ 4:9 ; write rne(...)"});
  EXPECT_EQ(findings_in_op("y = x(1) + f(1)\n").back(), "N01 'f' is an attribute and takes no arguments @ 4:12");
}

TEST(CheckNames, UnknownFacts) {
  EXPECT_EQ(findings_in_op("y = q.zero_pint\n"), Findings{"N01 unknown fact 'zero_pint' of 'q' @ 4:5 ; did you mean 'zero_point'?"});
  EXPECT_EQ(findings_in_op("y = S.scale\n"), Findings{"N01 unknown fact 'scale' of 'S' @ 4:5"});
  EXPECT_EQ(findings_in_op("y = f32.maxx\n"), Findings{"N01 unknown fact 'maxx' of 'f32' @ 4:5 ; did you mean 'max'?"});
  EXPECT_EQ(findings_in_op("y = a.scale\na = q\n").front(), "N01 'a' has no facts, read 'a.scale' @ 4:5");
  EXPECT_EQ(findings_in_op("y = f32.max + S.bits + x.rank + y.max + version + (if q is quant then 1 else 0) + (if p.present then 1 else 2)\n"), Findings{});
}

TEST(CheckNames, UnknownKinds) {
  EXPECT_EQ(findings_in_op("y = if x is flaot then 1 else x\n"), Findings{"N01 unknown kind 'flaot' after 'is' @ 4:13 ; did you mean 'float'?"});
}

TEST(CheckNames, Headers) {
  EXPECT_EQ(findings_of("op a.b(x: f33) -> y: T\nstructure elementwise(x)\ny = x\n"),
            (Findings{"N01 unknown type 'f33' @ 1:8 ; did you mean 'f32'?", "N01 unknown type 'T' @ 1:19 ; declare the type variable: types T: i8 u8"}));
  EXPECT_EQ(findings_of("op a.b(x: T) -> y: T\nstructure elementwise(x)\ny = T(x) + T.max\n"), Findings{});  // any type, the same twice
  EXPECT_EQ(findings_of("op a.b(x: quant(T:T)) -> y: quant(i8:T)\nstructure elementwise(x)\ny = x\n"), Findings{});
  EXPECT_EQ(findings_of("op a.b(x: T) -> y\ntypes T: i8 i99\nstructure elementwise(x)\ny = x\n"),
            Findings{"N01 unknown type 'i99' @ 2:1 ; did you mean 'i16'?"});
  EXPECT_EQ(findings_of("op a.b(x: i8, s: f32[chanel]) -> y\nstructure elementwise(x)\ny = x * s\n"),
            Findings{"N01 unknown index 'chanel' @ 1:15 ; did you mean 'channel'?"});
  EXPECT_EQ(findings_of("op a.b(x: i8[quantized]) {quantized = 1} -> y\nstructure elementwise(x)\ny = x\n"), Findings{});
  EXPECT_EQ(findings_of("op a.b(x) -> y\nstructure elementwis(x)\ny = x\n"),
            Findings{"N01 unknown structure 'elementwis' @ 2:11 ; did you mean 'elementwise'?"});
  EXPECT_EQ(findings_of("op a.b(x) -> y\nstructure dot.onx(x)\ny = x\n"), Findings{"N01 unknown convention 'onx' @ 2:11 ; did you mean 'onnx'?"});
  EXPECT_EQ(findings_of("op a.b(data) -> y\nstructure rows(dta)\ny = data\n"),
            Findings{"N01 unknown operand, attribute or region 'dta' @ 2:11 ; did you mean 'data'?"});
  EXPECT_EQ(findings_of("op a.b(x) -> y\nstructure window.onnx(x, pod = 0)\ny = x\n"),
            Findings{"N01 unknown structure argument 'pod' @ 2:11 ; did you mean 'pad'?"});
  EXPECT_EQ(findings_of("op a.b(x) {k = fals} -> y\nstructure elementwise(x)\ny = x\n"), Findings{"N01 unknown name 'fals' @ 1:16 ; did you mean 'false'?"});
  EXPECT_EQ(findings_of("op a.b(x) -> y, z\nstructure elementwise(x)\ny = x\n"), Findings{"N01 the result 'z' has no formula @ 1:17 ; write z = ..."});
  EXPECT_EQ(findings_of("op a.b(x) -> y\ny = x\n"), Findings{"N01 'a.b' has no structure @ 1:4 ; write structure elementwise(...), rows(...), dot(...) ..."});
  EXPECT_EQ(findings_of("op a.b(x) region body -> y\nstructure control\n"), Findings{});
}

TEST(CheckNames, Modules) {
  const std::map<std::string, std::string> base{{"quant.fixed", "def shift(v, n) = v / 2^n\nchoice tie(v): even = rne(v) | away = rna(v)\n"}};
  const auto findings = [&](const std::string& text) {
    auto texts = base;
    texts["page"] = text;
    return TestPages(texts).findings("page");
  };
  EXPECT_EQ(findings("use quant.fixed\ndef a(v) = fixed.shift(v, 1) + quant.fixed.tie(v)\n"), Findings{});
  EXPECT_EQ(findings("def a(v) = quant.fixed.shift(v, 1)\n"), Findings{});
  EXPECT_EQ(findings("use quant.fixed as f(tie = away)\ndef a(v) = f.tie(v)\n"), Findings{});
  EXPECT_EQ(findings("use quant.fixd\n"), Findings{"N01 unknown module 'quant.fixd' @ 1:5 ; did you mean 'quant.fixed'?"});
  EXPECT_EQ(findings("use quant.fixed(tye = away)\n"), Findings{"N01 'quant.fixed' has no choice 'tye' @ 1:5 ; did you mean 'tie'?"});
  EXPECT_EQ(findings("use quant.fixed(tie = awy)\n"), Findings{"N01 choice 'tie' of 'quant.fixed' has no alternative 'awy' @ 1:5 ; did you mean 'away'?"});
  EXPECT_EQ(findings("use quant.fixed(tie = away, tie = even)\n"), Findings{"N03 a second reading of 'tie' @ 1:5"});
  EXPECT_EQ(findings("use quant.fixed\ndef a(v) = fixed.shft(v, 1)\n"), Findings{"N01 module 'quant.fixed' has no 'shft' @ 2:12 ; did you mean 'shift'?"});
  EXPECT_EQ(findings("use quant.fixed\ndef a(v) = fixde.shift(v, 1)\n"), Findings{"N01 unknown name 'fixde.shift' @ 2:12 ; did you mean 'fixed'?"});
  EXPECT_EQ(findings("use quant.fixed\ndef a(v) = fixed.shift(v)\n"), Findings{"N02 'fixed.shift' takes 2 arguments, 1 given @ 2:12"});
  EXPECT_EQ(findings("use quant.fixed\nuse quant.fixed\n"), Findings{"N03 the alias 'fixed' is used twice @ 2:5 ; write use quant.fixed as another_name"});
  EXPECT_EQ(findings("use page\n"), Findings{"N03 'page' uses itself @ 1:5"});
  EXPECT_EQ(findings("use quant.fixed\ndef fixed(v) = v\ndef a(v) = fixed.shift(v, 1)\n"),
            Findings{"N01 'fixed' has no facts, read 'fixed.shift' @ 3:12 ; the name hides the module 'quant.fixed': write its full path"});
  EXPECT_EQ(findings("def a(v) = page.b(v)\ndef b(v) = v\n"), Findings{});  // its own full path
}

TEST(CheckNames, ModulesInACircle) {
  const TestPages pages({{"a", "use b\ndef f(v) = b.g(v)\n"}, {"b", "def g(v) = c.h(v)\n"}, {"c", "use a\ndef h(v) = v\n"}, {"d", "use a\n"}});
  const ModuleLookup lookup = [&](const std::string& name) { return pages.find(name); };
  const std::vector<Error> findings = check_module(*pages.find("a"), lookup);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].what, "N03 modules use each other in a circle: a -> b -> c -> a");
  EXPECT_EQ(findings[0].where, "a.md:1:5");
  EXPECT_TRUE(check_module(*pages.find("d"), lookup).empty());
}

TEST(CheckNames, Stages) {
  const TestPages pages({{"lib", "op l.rows(x: f32) {axis = -1} -> q: i8, s: f32[row]\nstructure rows(x, axis)\ns = f32(max(x))\nq = sat.q(rne(x / s))\n"},
                         {"good", "op g(x: f32) -> y: f32\nq, s <- l.rows(x) {axis = 1}\nstructure elementwise(q)\ny = q * s + q.bits\n"},
                         {"bad", "op b(x: f32) -> y: f32\nq <- l.rows(x, x) {axs = 1}\nr <- l.row(x)\nstructure elementwise(q)\ny = q + r\n"},
                         {"only", "op o(x: f32) -> y: i8, z: f32\ny, z <- l.rows(x)\n"}});
  EXPECT_EQ(pages.findings("good"), Findings{});
  EXPECT_EQ(pages.findings("only"), Findings{});
  EXPECT_EQ(pages.findings("bad"), (Findings{"N02 'l.rows' has 1 operands, 2 given @ 2:1", "N02 'l.rows' has 2 results, 1 given @ 2:1",
                                             "N01 unknown attribute of 'l.rows' 'axs' @ 2:1 ; did you mean 'axis'?", "N01 unknown op 'l.row' @ 3:1"}));
}

TEST(CheckNames, NumbersOfArguments) {
  EXPECT_EQ(findings_in_op("y = rne(x, 1)\n"), Findings{"N02 'rne' takes 1 argument, 2 given @ 4:5"});
  EXPECT_EQ(findings_in_op("y = clamp(x, 1)\n"), Findings{"N02 'clamp' takes 3 arguments, 2 given @ 4:5"});
  EXPECT_EQ(findings_in_op("y = atan2(x)\n"), Findings{"N02 'atan2' takes 2 arguments, 1 given @ 4:5"});
  EXPECT_EQ(findings_in_op("y = bitand(x)\n"), Findings{"N02 'bitand' takes 2 or more arguments, 1 given @ 4:5"});
  EXPECT_EQ(findings_in_op("y = sat.i8(x, 1)\n"), Findings{"N02 'sat.i8' takes 1 argument, 2 given @ 4:5"});
  EXPECT_EQ(findings_in_op("y = any.f32(x)\n"), Findings{"N02 'any.f32' takes 2 arguments, 1 given @ 4:5"});
  EXPECT_EQ(findings_in_op("y = d + x\ndef d(v) = v\n"), Findings{"N02 'd' takes 1 argument, none given @ 4:5"});
  EXPECT_EQ(findings_in_op("y = d(x)\ndef d = 1\n"), Findings{"N02 'd' takes no arguments @ 4:5 ; write d without parentheses"});
  EXPECT_EQ(findings_in_op("y = d(x, 1)\nchoice d(v): a = v\n"), Findings{"N02 'd' takes 1 argument, 2 given @ 4:5"});
}

TEST(CheckNames, Modifiers) {
  EXPECT_EQ(findings_in_op("y = sum[f32, order(feature, spatial)](sum[blocks(2, feature)](x)) + sum[rne](x) + sum[d](x)\ndef d(v) = f32(v)\n"), Findings{});
  EXPECT_EQ(findings_in_op("y = sum[f33](x)\n"), Findings{"N01 unknown modifier 'f33' @ 4:9 ; did you mean 'f32'?"});
  EXPECT_EQ(findings_in_op("y = sum[pairwis](x)\n"), Findings{"N01 unknown modifier 'pairwis' @ 4:9 ; did you mean 'pairwise'?"});
  EXPECT_EQ(findings_in_op("y = sum[order(spatail)](x)\n"), Findings{"N01 unknown index 'spatail' in 'order' @ 4:15 ; did you mean 'spatial'?"});
  EXPECT_EQ(findings_in_op("y = sum[order](x)\n"), Findings{"N02 'order' takes the indices, slowest first @ 4:9 ; write order(feature, spatial)"});
  EXPECT_EQ(findings_in_op("y = sum(sum[blocks](x))\n").front(), "N02 'blocks' takes a number and perhaps an index, 0 given @ 4:13");
  EXPECT_EQ(findings_in_op("y = sum[pairwise(2)](x)\n"), Findings{"N02 'pairwise' takes no arguments, 1 given @ 4:9"});
  EXPECT_EQ(findings_in_op("y = sum[f32(2)](x)\n"), Findings{"N02 the step 'f32' is written without arguments @ 4:9"});
  EXPECT_EQ(findings_in_op("y = sum[d](x)\ndef d(a, b) = a + b\n"), Findings{"N02 'sum' needs a step of 1 argument, 'd' takes 2 @ 4:9"});
  EXPECT_EQ(findings_in_op("y = fold(x)\n"),
            Findings{"N02 'fold' without what it folds with @ 4:5 ; write fold[f](...) with a definition of two arguments or a region"});
  EXPECT_EQ(findings_in_op("y = fold[f32](x)\n"), Findings{"N02 'fold' needs a definition of two arguments or a region, read 'f32' @ 4:10"});
  EXPECT_EQ(findings_in_op("y = fold[d, any](x, s)\ndef d(a, b) = a + b\n"), Findings{});
  EXPECT_EQ(findings_of("op a.b(x: i8) region body -> y: i8\nstructure rows(x)\ny = fold[body](x) + body\n"),
            Findings{"N01 the region 'body' is no value @ 3:21 ; write fold[body](...)"});
}

TEST(CheckNames, DefinedTwice) {
  EXPECT_EQ(findings_of("def a = 1\ndef a = 2\n"), Findings{"N03 'a' is defined twice, first as a definition in line 1 @ 2:5"});
  EXPECT_EQ(findings_of("def a = 1\nchoice a: b = 2\n"), Findings{"N03 'a' is defined twice, first as a definition in line 1 @ 2:8"});
  EXPECT_EQ(findings_in_op("y = x\nx = 1\n").front(), "N03 'x' is defined twice, first as an operand in line 1 @ 5:1");
  EXPECT_EQ(findings_in_op("y = x\ny = 1\n").front(), "N03 'y' is defined twice, first as a result in line 1 @ 5:1");
  EXPECT_EQ(findings_of("def a = 1\nop o(a) -> y\nstructure elementwise(a)\ny = a\n"),
            Findings{"N03 'a' is defined twice, first as a definition in line 1 @ 2:6"});
  EXPECT_EQ(findings_of("def a(v, v) = v\n"), Findings{"N03 a second parameter 'v' @ 1:5"});
  EXPECT_EQ(findings_of("def a(v) = k where k = v; k = 1\n"), Findings{"N03 'k' is defined twice @ 1:27"});
  EXPECT_EQ(findings_of("def a(v) = v where v = 1\n").front(), "N03 'v' is defined twice, first as a parameter @ 1:20");
  EXPECT_EQ(findings_of("choice a: b = 1 | b = 2\n"), Findings{"N03 a second alternative 'b' of choice 'a' @ 1:19"});
  EXPECT_EQ(findings_in_op("y = x\nconstraint C1: s > 0\nrequire C1: s > 1\n"), Findings{"N03 the label 'C1' is used twice @ 6:9"});
  EXPECT_EQ(findings_in_op("structure rows(x)\ny = x\n"), Findings{"N03 a second structure @ 4:11"});
}

TEST(CheckNames, WordsOfTheNotationCannotBeDefined) {
  EXPECT_EQ(findings_of("def floor(v) = v\n"), Findings{"N03 'floor' is a word of the notation and cannot be a definition @ 1:5"});
  EXPECT_EQ(findings_of("def a(f32) = 1\n"), Findings{"N03 'f32' is a word of the notation and cannot be a parameter @ 1:5"});
  EXPECT_EQ(findings_of("def a = exp where exp = 1\n").front(), "N03 'exp' is a word of the notation and cannot be a name @ 1:19");
  EXPECT_EQ(findings_of("op o(abs) -> y\nstructure elementwise\ny = 1\n"), Findings{"N03 'abs' is a word of the notation and cannot be an operand @ 1:6"});
  EXPECT_EQ(findings_of("choice order(v): any = v | float = v | floor = v | none = v\n"), Findings{});  // alternatives live apart
}

TEST(CheckNames, ParametersAndWhereMayHideOuterNames) {
  EXPECT_EQ(findings_in_op("y = d(x, s)\ndef d(x, y) = k + y where k = x\nz = k where k = 2\nconstraint c: z == 2\n"), Findings{});
}

TEST(CheckNames, OrderDoesNotMatterButForWhere) {
  EXPECT_EQ(findings_in_op("y = a + d(x)\ndef d(v) = v + b\na = b\nb = 1\n"), Findings{});
  EXPECT_EQ(findings_of("def a = b\ndef b = 1\n"), Findings{});
  EXPECT_EQ(findings_of("def a = k where k = l + 1; l = 2\n").front(),
            "N03 'l' is used above its definition @ 1:21 ; names after 'where' see those before them");
  EXPECT_EQ(findings_of("def a = k where k = k + 1\n").front(), "N03 'k' is used above its definition @ 1:21 ; names after 'where' see those before them");
}

TEST(CheckNames, Recursion) {
  EXPECT_EQ(findings_of("def a(v) = a(v)\n"), Findings{"N03 'a' is defined by itself: a -> a @ 1:5"});
  EXPECT_EQ(findings_of("def a(v) = b(v)\ndef b(v) = c\nchoice c: p = a(1) | q = 1\n"), Findings{"N03 'a' is defined by itself: a -> b -> c -> a @ 1:5"});
  EXPECT_EQ(findings_in_op("y = a\na = y\n"), Findings{"N03 'y' is defined by itself: y -> a -> y @ 4:1"});
  EXPECT_EQ(findings_in_op("y = sat.y(rne(x / y.scale) + y.zero_point)\n"), Findings{});          // facts are no values
  EXPECT_EQ(findings_in_op("y = d(x, y)\ndef d(v, t) = sat.t(rne(v / t.scale))\n"), Findings{});  // nor is a tensor's name
  EXPECT_EQ(findings_of("def n(a, b) = a + b\nop o(x) -> y\nstructure rows(x)\ny = n(fold[n](x), 1)\n"), Findings{});
}

TEST(CheckNames, Unused) {
  EXPECT_EQ(findings_in_op("y = x\na = 1\ndef b = 1\nchoice c: d = 1\n(e, g) = (1, 2)\n"),
            (Findings{"N03 'a' is never used @ 5:1", "N03 'b' is never used @ 6:5", "N03 'c' is never used @ 7:8", "N03 'e, g' is never used @ 8:1"}));
  EXPECT_EQ(findings_in_op("y = e\n(e, g) = (1, 2)\n"), Findings{});
  EXPECT_EQ(findings_of("def a = 1 where k = 2\n"), Findings{"N03 'k' is never used @ 1:17"});
  EXPECT_EQ(findings_of("def a = 1\n"), Findings{});  // for other pages
}

TEST(CheckNames, Claims) {
  EXPECT_EQ(findings_of("def a(v) = v\nclaim c(v: i8, w: float): a(v) == v and w == w\n"), Findings{});
  EXPECT_EQ(findings_of("claim c(v: i8x): v == u\n"), (Findings{"N01 unknown type 'i8x' @ 1:7", "N01 unknown name 'u' @ 1:23 ; did you mean 'v'?"}));
}

TEST(CheckNames, LongChainsOfDefinitionsAreChecked) {
  std::string text = "def a0 = 1\n";
  for (int i = 1; i < 30000; ++i) text += "def a" + std::to_string(i) + " = a" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(findings_of(text), Findings{});
}

}  // namespace
}  // namespace tiebreak::notation
