// SPDX-License-Identifier: Apache-2.0
// A set that a page states, element by element, against the same set of all elements together.
#include "interpreter/orders/stated_set.hpp"

#include <cmath>

#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

class StatedSets : public testing::Test {
 protected:
  ToyLibrary toy_{{{"t/a", "op t.near(x: T) -> y: T\ntypes T: f32\nstructure elementwise(x)\ny = any.f32(x - abs(x) / 4, x + abs(x) / 4)\n"},
                   {"t/b", "op t.behind(x: T) -> y: T\ntypes T: f32\nstructure elementwise(x)\ny = f32(any.f32(x, x + 1) + 1)\n"},
                   {"t/c", "op t.one(x: T) -> y: T\ntypes T: f32\nstructure elementwise(x)\ny = f32(x + 1)\n"}}};
  Semantics semantics() const { return {*toy_.library, **toy_.library->find_profile("reference")}; }
  static OpCall call(const std::string& op) { return {.op = op, .operands = {floats_line({1, -8, 0, 3e-45F, NAN, INFINITY, 5})}}; }
};

TEST_F(StatedSets, OfOneElementIsThatOfAllTogether) {
  const auto set = StatedSet::of(semantics(), call("t.near"));
  ASSERT_TRUE(set) << to_text(set.error());
  ASSERT_TRUE(*set);
  const auto all = legal_results(semantics(), call("t.near"));
  ASSERT_TRUE(all) << to_text(all.error());
  ASSERT_EQ(all->size(), 1U);
  for (const std::int64_t i : {6, 1, 0, 2, 3}) {
    const LegalElement one = (*set)->at(i), same = all->front().elements[static_cast<std::size_t>(i)];
    EXPECT_EQ(one.kind, same.kind) << i;
    EXPECT_EQ(one.low, same.low) << i;
    EXPECT_EQ(one.high, same.high) << i;
  }
  EXPECT_EQ((*set)->at(1).low, Real(-10));
  EXPECT_EQ((*set)->at(1).high, Real(-6));
  EXPECT_EQ((*set)->at(4).kind, LegalElement::Kind::unknown);
}

TEST_F(StatedSets, AreNothingWhereMoreStandsBehindThem) {
  for (const char* op : {"t.behind", "t.one"}) {
    const auto set = StatedSet::of(semantics(), call(op));
    ASSERT_TRUE(set) << to_text(set.error());
    EXPECT_FALSE(*set) << op;
  }
}

/// Asked for one behind the other, many are computed at once; the first that cannot be is no matter of those beside it.
TEST_F(StatedSets, OfManyElementsAreThoseOfEach) {
  Floats values;
  for (int i = 0; i < 9000; ++i) values.push_back(i % 50 == 7 ? NAN : i % 50 == 9 ? INFINITY : static_cast<float>(i % 300 - 150) * 0.37F);
  const OpCall many{.op = "t.near", .operands = {floats_line(values)}};
  const auto set = StatedSet::of(semantics(), many);
  ASSERT_TRUE(set && *set);
  const auto all = legal_results(semantics(), many);
  ASSERT_TRUE(all) << to_text(all.error());
  Tensor answer = floats_line(values);
  for (std::int64_t i = 0; i < answer.size(); ++i)
    if (i % 3 == 1) answer.set_code(i, *answer.element().encode(Real(i % 7)));
  std::size_t decided = 0;
  for (const std::int64_t step : {1, 5, 70, 2000, 3})
    for (std::int64_t i = 0; i < answer.size(); i += step) {
      const LegalElement one = (*set)->at(i), same = all->front().elements[static_cast<std::size_t>(i)];
      ASSERT_EQ(one.kind, same.kind) << i;
      ASSERT_TRUE(one.kind != LegalElement::Kind::interval || (one.low == same.low && one.high == same.high)) << i;
      const std::optional<bool> holds = (*set)->holds(answer, i);
      if (!holds) continue;
      ++decided;
      ASSERT_EQ(*holds, is_legal(same, {&answer}, i)) << i;
    }
  EXPECT_GT(decided, 9000U);
}

}  // namespace
}  // namespace tiebreak
