// SPDX-License-Identifier: Apache-2.0
// Names of variadic operands in formulas: the member that the element lies in, in comparisons and under each.F too.
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

std::vector<std::string> joined(const std::string& formula) {
  const ToyLibrary toy(std::map<std::string, std::string>{
      {"t/a", "op t.a(x: T..., s: f32...[]) {axis = 0} -> y: f32\ntypes T: i32\nstructure concat(x, axis)\ny = " + formula + "\n"}});
  const auto line = [](std::int64_t code) { return codes_tensor("i32", {1}, {code}); };
  auto results = evaluate({*toy.library, **toy.library->find_profile("reference")},
                          {.op = "t.a", .operands = {line(16777217), floats_tensor({}, {1.0f}), line(5), floats_tensor({}, {2.0f})}}, {.engine = Engine::both});
  return results ? texts_of(results->front()) : std::vector<std::string>{results.error().what};
}

TEST(Members, AreCompared) {
  EXPECT_EQ(joined("if s == 1 then 7 else 8"), (std::vector<std::string>{"7", "8"}));
  EXPECT_EQ(joined("if s != 1 then 7 else 8"), (std::vector<std::string>{"8", "7"}));
  EXPECT_EQ(joined("if s in [2, 3] then 7 else 8"), (std::vector<std::string>{"8", "7"}));
}

TEST(Members, AreRoundedLeaves) { EXPECT_EQ(joined("f32(each.f32(x) - 16777000)"), (std::vector<std::string>{"216", "-16776995"})); }

}  // namespace
}  // namespace tiebreak
