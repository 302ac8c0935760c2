// SPDX-License-Identifier: Apache-2.0
// Rule pages: what is read, each verdict once, and what is refused with its place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testsuite/rules/judge_rule.hpp"
#include "testsuite/rules/rule_expression.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

std::string page(const std::string& head, const std::string& before, const std::string& after) {
  const std::string type = "tensor<!quant.uniform<i8:f32, 0.5:{z}>>";
  const auto function = [&](const std::string& name, const std::string& body) {
    return "func.func @" + name + "(%x: " + type + ") -> " + type + " {\n" + body + "  return %r : " + type + "\n}\n";
  };
  return "# A rule\n\nProse.\n\n```rule\n" + head + "\n" + function("before", before) + function("after", after) + "```\n";
}
const std::string head = "claim: equal\nverdict: holds\nparameter z: -3, 0, 5\n";
const std::string type = "tensor<!quant.uniform<i8:f32, 0.5:{z}>>";
const std::string identity = "  %r = stablehlo.maximum %x, %x : " + type + "\n";

/// Twice the code, by a sum, less the zero point: saturates at the ends.
const std::string sum = "  %r = stablehlo.add %x, %x : " + type + "\n";
std::string constant(const std::string& value) { return "  %c = stablehlo.constant dense<" + value + "> : " + type + "\n"; }

RuleReport judged(const std::string& text) {
  const auto read = read_rule(text, "t/r", "spec/rules/t/r.md");
  EXPECT_TRUE(read) << to_text(read.error());
  if (!read) return {};
  auto report = judge_rule(pages(), *read);
  EXPECT_TRUE(report) << to_text(report.error());
  return report ? *std::move(report) : RuleReport{};
}

TEST(Rules, ParametersAreEverySet) {
  const auto read = read_rule(page("parameter s: 1, 2\n" + head, "  // {s}\n" + identity, identity), "t/r", "spec/rules/t/r.md");
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->title, "A rule");
  EXPECT_EQ(read->sets(), 6U);
  EXPECT_EQ(read->set_text(4), "s=2 z=0");
  EXPECT_NE(read->program_of(4)->value().find("0.5:0>>"), std::string::npos);
  EXPECT_EQ(read->line, 11);
}

TEST(Rules, Holds) {
  const RuleReport report = judged(page(head, identity, constant("-128") + "  %r = stablehlo.maximum %x, %c : " + type + "\n"));
  EXPECT_STREQ(to_word(report.verdict), "holds");
  EXPECT_EQ(fmt::to_string(report.inputs), "768");
  EXPECT_TRUE(report.as_stated());
}

/// Adding one step and taking it away again loses the greatest code alone.
TEST(Rules, HoldsUnlessItSaturates) {
  const std::string step = "  %o = stablehlo.constant dense<{one}> : " + type + "\n";
  const RuleReport report = judged(page("claim: equal\nverdict: holds unless it saturates\nparameter z: 0\nparameter one: 1\n",
                                        step + "  %a = stablehlo.add %x, %o : " + type + "\n  %r = stablehlo.subtract %a, %o : " + type + "\n", identity));
  EXPECT_STREQ(to_word(report.verdict), "holds unless it saturates");
  EXPECT_EQ(fmt::to_string(report.differing), "1");
  EXPECT_EQ(report.witness_inputs, std::vector<std::string>{"x=127"});
}

TEST(Rules, OffByOneAndWrongByMore) {
  const std::string step = "  %o = stablehlo.constant dense<{n}> : " + type + "\n  %r = stablehlo.add %x, %o : " + type + "\n";
  const std::string parameters = "claim: equal\nverdict: off by one\nparameter z: 0\nparameter n: ";
  EXPECT_STREQ(to_word(judged(page(parameters + "1\n", step, identity)).verdict), "off by one");
  const RuleReport wrong = judged(page(parameters + "1, 2\n", step, identity));
  EXPECT_STREQ(to_word(wrong.verdict), "wrong by more");
  EXPECT_FALSE(wrong.as_stated());
  EXPECT_NE(rules_text({wrong}).find("  the page says 'off by one' (spec/rules/t/r.md:11)\n1 rule: 0 as stated, 1 otherwise\n"), std::string::npos)
      << rules_text({wrong});
}

TEST(Rules, WhatIsNotReadIsRefusedWithItsPlace) {
  const auto refused = [](const std::string& text) {
    const auto read = read_rule(text, "t/r", "r.md");
    return read ? std::string("read") : to_text(read.error());
  };
  EXPECT_EQ(refused("# A\n"), "the page has no block ```rule (r.md:1:1)");
  EXPECT_EQ(refused("```rule\nclam: equal\n\n```\n"),
            "'clam' is no key of a rule (r.md:2:1)\n  hint: parameter NAME, let NAME, condition, any value, any attribute, shapes, claim, verdict, profile, "
            "seen BACKEND");
  EXPECT_EQ(refused("```rule\nclaim: equal\n\n```\n"), "a rule says its claim and its verdict (r.md:1:1)\n  hint: claim: equal");
  EXPECT_EQ(refused("```rule\nclaim: equal\nverdict: holds\nparameter s: 1\n\nx\n```\n"),
            "the programs have no {s} (r.md:1:1)\n  hint: the parameter changes nothing");
  EXPECT_EQ(refused("```rule\nclaim: equal\nverdict: holds\n\nx\n"), "the block does not end (r.md:1:1)\n  hint: ```");
  std::string many = "1";
  for (int i = 2; i <= 70; ++i) many += "," + std::to_string(i);
  EXPECT_EQ(refused("```rule\nclaim: equal\nverdict: holds\nparameter s: " + many + "\nparameter t: " + many + "\n\n{s}{t}\n```\n"),
            "4097 parameter sets, at most 4096 are judged (r.md:1:1)");
}

TEST(Rules, SetsThatAConditionExcludesAreNotJudged) {
  const std::string step = "  %o = stablehlo.constant dense<{n}> : " + type + "\n  %r = stablehlo.add %x, %o : " + type + "\n";
  const std::string parameters = "claim: equal\nverdict: holds\nparameter z: -1, 0, 1\n";
  const RuleReport judged_alone = judged(page(parameters + "let n: if z >= 0 then z else z + 1\ncondition: z >= 0\n", step, identity));
  EXPECT_STREQ(to_word(judged_alone.verdict), "holds");
  EXPECT_EQ(judged_alone.judged_sets(), 2U);
  EXPECT_STREQ(to_word(judged(page(parameters + "let n: if z >= 0 then z else z + 1\n", step, identity)).verdict), "off by one");
}

TEST(Rules, FormulasThatCannotBeReadAreRefusedInTheirLine) {
  const auto refused = [](const std::string& line) {
    const auto read = read_rule(page("claim: equal\nverdict: holds\nparameter z: 1\n" + line, identity, identity), "t/r", "r.md");
    if (!read) return to_text(read.error());
    const auto report = judge_rule(pages(), *read);
    return report ? std::string("judged") : to_text(report.error());
  };
  EXPECT_EQ(refused("condition: z > y\n"), "the rule has no number 'y' (r.md:9:1)\n  hint: did you mean 'z'?");
  EXPECT_EQ(refused("condition: z + 1\n"), "'z + 1' is no condition (r.md:9:1)\n  hint: condition: s < t");
  EXPECT_EQ(refused("condition: z > 1\n"), "no set of parameters fulfils the conditions (r.md:9:1)\n  hint: parameters whose values fulfil them");
  EXPECT_EQ(refused("let n: z\n"), "the programs have no {n} (r.md:9:1)\n  hint: the parameter changes nothing");
  EXPECT_EQ(refused("shapes: any\n"), "'any' is nothing that shapes can be (r.md:9:1)\n  hint: shapes: fixed");
  EXPECT_EQ(refused("any value: %k\n"), "the programs have no %k (r.md:5:1)\n  hint: any value: %NAME of a constant");
}

TEST(Rules, ExpressionsAreThoseOfPages) {
  const RuleNumbers numbers{{"s", *Real::parse("0.05")}, {"z", Real(-7)}};
  const auto value = [&](const std::string& text) {
    const auto found = evaluate_rule_expression(text, numbers, "r.md:1:1");
    if (!found) return to_text(found.error());
    return found->is_truth() ? std::string(found->truth() ? "true" : "false") : found->number().to_string();
  };
  EXPECT_EQ(value("rtz(1.08 / s) + z"), "14");
  EXPECT_EQ(value("rne(1.025 / s)"), "20");
  EXPECT_EQ(value("rna(1.025 / s)"), "21");
  EXPECT_EQ(value("f32(s) == s"), "false");
  EXPECT_EQ(value("sat.i8(rne(10 / s)) - z"), "134");
  EXPECT_EQ(value("max(z, -10) > -8 and not (z == 0)"), "true");
  EXPECT_EQ(value("rna(z == 3)"), "'z == 3' is a truth value (r.md:1:1)\n  hint: parameters, numbers, operations, roundings");
  EXPECT_EQ(value("z and true"), "'z' is a number (r.md:1:1)\n  hint: parameters, numbers, operations, roundings");
  EXPECT_EQ(value("sum(z)"), "'sum(z)' is nothing that a rule computes (r.md:1:1)\n  hint: parameters, numbers, operations, roundings");
}

TEST(Rules, ProgramsThatDoNotFitAreRefusedInThePage) {
  const auto refused = [](const std::string& program) {
    const auto read = read_rule("```rule\nclaim: equal\nverdict: holds\n\n" + program + "```\n", "t/r", "r.md");
    const auto report = judge_rule(pages(), *read);
    return report ? std::string("judged") : to_text(report.error());
  };
  const std::string a = "func.func @a(%x: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }\n",
                    b = "func.func @b(%x: tensor<i4>) -> tensor<i4> { return %x : tensor<i4> }\n";
  EXPECT_EQ(refused(a), "1 functions, a rule has two (r.md:5:1)");
  EXPECT_EQ(refused(a + b), "input 'x' is tensor<i8> in A and tensor<i4> in B (r.md:5:1)\n  hint: inputs are matched by their order");
}

TEST(Rules, NamesByGlob) {
  const auto all = load_rules({TIEBREAK_SOURCE_DIR "/spec"}, {});
  ASSERT_TRUE(all) << to_text(all.error());
  const auto some = load_rules({TIEBREAK_SOURCE_DIR "/spec"}, {"tvm/relu"});
  ASSERT_TRUE(some) << to_text(some.error());
  EXPECT_EQ(some->size(), 1U);
  EXPECT_LT(some->size(), all->size());
  const auto none = load_rules({TIEBREAK_SOURCE_DIR "/spec"}, {"tvm/rleu"});
  EXPECT_EQ(to_text(none.error()), "no rule of that name (tvm/rleu)\n  hint: tiebreak rule list");
}

}  // namespace
}  // namespace tiebreak
