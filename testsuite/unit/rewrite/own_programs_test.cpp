// SPDX-License-Identifier: Apache-2.0
// Every rule that there is, applied to the program that its own page has before it, gives the program that the page has after it.
#include <gtest/gtest.h>

#include <map>

#include "testsuite/rewrite/operation_types.hpp"
#include "testsuite/rewrite/rule_application.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

/// Operations with attributes and types; values by what they are: inputs by their place, constants by their content, results in their order.
std::string canonical(const Program& program) {
  std::map<ValueId, std::string> names;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) names[program.inputs[i]] = "input" + std::to_string(i);
  const auto name_of = [&](ValueId id) {
    if (id < 0) return std::string("none");
    const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    return value.constant ? to_text(Attribute{*value.constant}) + to_text(value.constant->type()) : names[id];
  };
  std::string text;
  for (const Operation& operation : program.operations) {
    text += operation.op;
    for (const ValueId id : operation.operands) text += " " + name_of(id);
    text += " " + to_text(Attribute{operation.attributes});
    for (const ValueId id : operation.results) {
      names[id] = "v" + std::to_string(names.size());
      const auto type = type_of_value(program, id);
      text += " " + names[id] + ":" + (type ? to_text(*type) : "?");
    }
    text += "\n";
  }
  for (const ValueId id : program.outputs) text += name_of(id) + "\n";
  return text;
}

std::size_t root_of(const Program& program) { return producers_of(program)[static_cast<std::size_t>(program.outputs.front())]; }

TEST(OwnPrograms, AreRewrittenAsThePagesState) {
  const auto rules = load_rules({TIEBREAK_SOURCE_DIR "/spec"}, {});
  ASSERT_TRUE(rules) << to_text(rules.error());
  std::size_t applied = 0;
  for (const RulePage& page : *rules) {
    const auto patterns = patterns_of(page);
    ASSERT_TRUE(patterns) << page.name << ": " << to_text(patterns.error());
    if (!patterns->unusable.empty()) continue;
    const Semantics semantics{pages(), **pages().find_profile(page.profile)};
    for (const std::uint64_t set : {std::uint64_t{0}, page.sets() - 1}) {
      const auto text = page.program_of(set);
      ASSERT_TRUE(text) << page.name << ": " << to_text(text.error());
      if (!*text) continue;
      auto programs = parse_rule_programs(page, **text);
      ASSERT_TRUE(programs) << page.name << ": " << to_text(programs.error());
      state_result_types(semantics, programs->before);
      state_result_types(semantics, programs->after);
      const auto found = find_application(semantics, *patterns, programs->before, root_of(programs->before));
      EXPECT_TRUE(found) << page.name << " does not stand in its own program, " << page.set_text(set);
      if (!found) continue;
      EXPECT_EQ(found->refused, "") << page.name;
      if (!found->refused.empty()) continue;
      Program made = programs->before;
      apply_rule(*found, root_of(made), made);
      EXPECT_EQ(canonical(made), canonical(programs->after)) << page.name << ", " << page.set_text(set);
      ++applied;
    }
  }
  EXPECT_GT(applied, 2 * rules->size() * 9 / 10) << "nine of ten rules can be applied";
}

}  // namespace
}  // namespace tiebreak
