// SPDX-License-Identifier: Apache-2.0
// Layer by layer: what is held at a time, which layers a range means, and what a run leaves that was told to end.
#include "testsuite/unit/helpers/chain_model.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

constexpr int chain = 20;
constexpr std::size_t one = 400;  // bytes of a value

class Layers : public testing::Test {
 protected:
  ToyLibrary toy_{{{"t/a", "op t.next(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = sat.y(x + 1)\n"}}};
  PlantedBackend backend_{*toy_.library, **toy_.library->find_profile("reference")};
  ModelOptions options_{};

  /// x, then v0 = x + 1, v1 = v0 + 1 ...
  static Model model(bool stated) { return chain_model("t.next", chain, 100, stated); }
  ModelVerdict check(bool stated) {
    auto verdict = check_model(*toy_.library, model(stated), backend_, options_);
    EXPECT_TRUE(verdict) << (verdict ? "" : to_text(verdict.error()));
    return verdict ? *std::move(verdict) : ModelVerdict{};
  }
};

TEST_F(Layers, TheReferenceHoldsTwoValuesWhereTypesAreStated) {
  const ModelVerdict verdict = check(true);
  EXPECT_EQ(verdict.cases.size(), chain + 1U);
  for (const CaseReport& test : verdict.cases) EXPECT_EQ(test.status, CaseStatus::conform) << test.id << ": " << test.reason;
  EXPECT_EQ(verdict.most_bytes, (chain + 1 + 2) * one) << "all that the backend gave in one run, the input, and two values of the reference";
}

TEST_F(Layers, WhereEachRunsAloneBothSidesHoldTwoValues) {
  backend_.refuses = [](const ExchangeCase& asked) { return asked.id.ends_with("/all"); };
  const ModelVerdict verdict = check(true);
  EXPECT_EQ(verdict.model.run, "layers");
  for (const CaseReport& test : verdict.cases) EXPECT_EQ(test.status, CaseStatus::conform) << test.id << ": " << test.reason;
  EXPECT_EQ(verdict.most_bytes, 4 * one);
}

TEST_F(Layers, TypesThatAreNotStatedAreFoundFirst) {
  const ModelVerdict verdict = check(false);
  for (const CaseReport& test : verdict.cases) EXPECT_EQ(test.status, CaseStatus::conform) << test.id << ": " << test.reason;
  EXPECT_EQ(verdict.most_bytes, 2 * (chain + 1) * one);
}

TEST_F(Layers, ARangeIsJudgedAndTheModelEndsThere) {
  options_.range = {3, 5};
  const ModelVerdict verdict = check(true);
  ASSERT_EQ(verdict.cases.size(), 4U);
  EXPECT_EQ(verdict.cases[0].id, "chain/03.v3") << "numbers are the whole model's";
  EXPECT_EQ(verdict.cases[2].id, "chain/05.v5");
  EXPECT_EQ(verdict.cases[3].id, "chain/outputs");
  for (const CaseReport& test : verdict.cases) EXPECT_EQ(test.status, CaseStatus::conform) << test.id << ": " << test.reason;
  ASSERT_EQ(verdict.model.outputs.size(), 1U);
  EXPECT_EQ(verdict.model.outputs[0].name, "v5");
  EXPECT_EQ(verdict.model.layers.front().values.front().accumulated.compared, 100) << "counted from the model's inputs on";
}

TEST_F(Layers, ARangeHasNumbersOrNamesAndOpenEnds) {
  const Program program = model(true).test.program;
  const auto ends = [&program](const std::string& range, const std::string& until = "") {
    const auto layers = layer_range(program, range, until);
    return layers ? std::pair{layers->first, layers->last} : std::pair{std::size_t{99}, std::size_t{99}};
  };
  using Ends = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(ends("3..5"), (Ends{3, 5}));
  EXPECT_EQ(ends("v3..05.v5"), (Ends{3, 5}));
  EXPECT_EQ(ends("..4"), (Ends{0, 4}));
  EXPECT_EQ(ends("v17.."), (Ends{17, 19}));
  EXPECT_EQ(ends("", "v7"), (Ends{0, 7}));
  EXPECT_EQ(ends("2..", "7"), (Ends{2, 7}));
  for (const std::string text : {"3", "..", "5..3", "v5..v3", "20..", "v99..", "3...5"}) EXPECT_EQ(ends(text), (Ends{99, 99})) << text;
  const auto near = layer_range(program, "w3..", "");
  ASSERT_FALSE(near);
  EXPECT_EQ(near.error().code, Errc::unknown_name);
  EXPECT_EQ(near.error().hint, "did you mean 'v3'?");
}

TEST_F(Layers, ARunThatIsStoppedLeavesWhatWasJudged) {
  bool stopped = false;
  options_.progress = [&stopped](std::size_t layer, const std::string&) { stopped = stopped || layer == 7; };
  options_.check.interrupted = [&stopped] { return stopped; };
  const ModelVerdict verdict = check(true);
  EXPECT_EQ(verdict.model.stopped, "chain/07.v7");
  EXPECT_EQ(verdict.model.layers.size(), static_cast<std::size_t>(chain)) << "all stand in the table";
  for (int layer = 0; layer < chain; ++layer) {
    const CaseReport& test = verdict.cases[static_cast<std::size_t>(layer)];
    EXPECT_EQ(test.status, layer < 7 ? CaseStatus::conform : CaseStatus::not_run) << test.id;
    EXPECT_EQ(verdict.model.layers[static_cast<std::size_t>(layer)].state, layer < 7 ? "" : "interrupted");
  }
  EXPECT_EQ(verdict.cases.back().reason, "interrupted");
}

}  // namespace
}  // namespace tiebreak
