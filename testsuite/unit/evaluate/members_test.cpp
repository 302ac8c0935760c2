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

/// Scale and zero point are the member's, other facts the first one's; what members have in common is known before any element is looked at.
TEST(Members, HaveParametersOfTheirOwn) {
  const ToyLibrary toy(std::map<std::string, std::string>{
      {"t/a", "op t.a(x: quant(Q:f32)...) {axis = 0} -> y: f32\ntypes Q: i8\nstructure concat(x, axis)\ny = f32((x - x.zero_point) * x.scale)\n"},
      {"t/b",
       "op t.b(x: quant(Q:f32)...) {axis = 0} -> y: f32\ntypes Q: i8\nstructure concat(x, axis)\ntype E = x.expressed\nconstraint C: x.zero_point == 3\ny = "
       "E(x)\n"}});
  const auto line = [](const char* scale, std::int64_t zero_point, std::int64_t code) {
    const ElementType i8 = *ElementType::parse("i8"), f32 = *ElementType::parse("f32");
    Tensor tensor = *Tensor::zeros({i8, {1}, QuantizedType{i8, i8.min(), i8.max(), f32, {}, {}, {{*Real::parse(scale)}}, {{Real(zero_point)}}}});
    tensor.set_code(0, static_cast<std::uint64_t>(code));
    return tensor;
  };
  const std::vector<Tensor> apart{line("0.5", 3, 5), line("0.25", -1, 7), line("0.5", -1, 7)};
  const Semantics semantics{*toy.library, **toy.library->find_profile("reference")};
  auto results = evaluate(semantics, {.op = "t.a", .operands = {apart[0], apart[1], apart[2]}}, {.engine = Engine::both});
  ASSERT_TRUE(results) << results.error().what;
  EXPECT_EQ(texts_of(results->front()), (std::vector<std::string>{"1", "2", "4"}));
  EXPECT_FALSE(evaluate(semantics, {.op = "t.b", .operands = {apart[0], apart[1]}}));
  EXPECT_TRUE(evaluate(semantics, {.op = "t.b", .operands = {apart[0], apart[0]}}));
}

}  // namespace
}  // namespace tiebreak
