// SPDX-License-Identifier: Apache-2.0
// Where the elements of a stage's result lie is known from the structure, or the page is refused: element 0 would be read for all of them.
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

constexpr const char* doubled = "op toy.doubled(x: F) -> y: F\ntypes F: f32\nstructure elementwise(x)\ny = f32(2 * x)";

/// x + 2 z: the stage runs on an operand that the structure need not have.
Result<std::vector<ResultTensor>> run(const std::string& structure, std::int64_t elements) {
  const ToyLibrary toy({{"toy/doubled", doubled},
                        {"toy/staged", "op toy.staged(x: F, z: F) -> y: F\ntypes F: f32\nd <- toy.doubled(z)\nstructure " + structure + "\ny = f32(x + d)"}});
  const Profile profile;
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < elements; ++i) values.push_back(std::to_string(i));
  OpCall call{.op = "toy.staged", .operands = {tensor_of("f32", {3}, {"1", "1", "1"}), tensor_of("f32", {elements}, values)}};
  return evaluate({*toy.library, profile}, call);
}

TEST(StagePlaces, OfTheStructureAreRead) {
  const auto results = run("elementwise(x, d)", 3);
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_EQ(texts_of(results->at(0)), (std::vector<std::string>{"1", "3", "5"}));
}

TEST(StagePlaces, ThatNothingSaysAreAnError) {
  const auto results = run("elementwise(x)", 3);
  ASSERT_FALSE(results);
  EXPECT_NE(results.error().what.find("nothing says where the 3 elements of the stage's result 'd' lie"), std::string::npos) << to_text(results.error());
}

/// Of 0 .. 7 the greatest in each run of `inner` elements, read by an op of this structure.
Result<std::vector<ResultTensor>> run_tops(const std::string& inner, const std::string& structure, const std::string& formula) {
  const ToyLibrary toy(
      {{"toy/tops", "op toy.tops(x: F) -> top: F\ntypes F: f32\naxis = x.rank - 1\nstructure rows(x, axis by " + inner + ")\ntop = max(x)"},
       {"toy/staged", "op toy.staged(x: F) -> y: F\ntypes F: f32\naxis = x.rank - 1\ntop <- toy.tops(x)\nstructure " + structure + "\ny = " + formula}});
  const Profile profile;
  OpCall call{.op = "toy.staged", .operands = {tensor_of("f32", {2, 4}, {"0", "1", "2", "3", "4", "5", "6", "7"})}};
  return evaluate({*toy.library, profile}, call);
}

TEST(StagePlaces, OfARunAreReadByEachOfItsElements) {
  const auto results = run_tops("2", "elementwise(x)", "x - top + 0 * axis");
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_EQ(texts_of(results->at(0)), (std::vector<std::string>{"-1", "0", "-1", "0", "-1", "0", "-1", "0"}));
  const auto wider = run_tops("2", "rows(x, axis by 4)", "sum(top)");
  ASSERT_TRUE(wider) << to_text(wider.error());
  EXPECT_EQ(texts_of(wider->at(0)), (std::vector<std::string>{"8", "24"}));
}

TEST(StagePlaces, OfARunAreOneForARowInsideIt) {
  for (const std::string inner : {"2", "4"}) {
    const auto results = run_tops(inner, "rows(x, axis by 2)", "top");
    ASSERT_TRUE(results) << to_text(results.error());
    EXPECT_EQ(results->at(0).tensor.shape(), (Shape{2, 2}));
    EXPECT_EQ(texts_of(results->at(0)), inner == "2" ? (std::vector<std::string>{"1", "3", "5", "7"}) : (std::vector<std::string>{"3", "3", "7", "7"}));
  }
}

TEST(StagePlaces, OfOneElementAreEverywhere) { EXPECT_TRUE(run("elementwise(x)", 1)); }

}  // namespace
}  // namespace tiebreak
