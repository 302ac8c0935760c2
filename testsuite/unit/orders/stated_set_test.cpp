// SPDX-License-Identifier: Apache-2.0
// A set that a page states, element by element, against the same set of all elements together.
#include "interpreter/orders/stated_set.hpp"

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

}  // namespace
}  // namespace tiebreak
