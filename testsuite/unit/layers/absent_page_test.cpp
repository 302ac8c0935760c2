// SPDX-License-Identifier: Apache-2.0
// A model with an operator that has no page, and that the backend does not load either: what does not follow from it is asked for in one run without it.
#include "testsuite/unit/helpers/chain_model.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

class AbsentPage : public testing::Test {
 protected:
  ToyLibrary toy_{{{"t/a", "op t.next(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = sat.y(x + 1)\n"}}};
  PlantedBackend backend_{*toy_.library, **toy_.library->find_profile("reference")};
  ModelOptions options_{};
  std::vector<std::string> asked_{};

  void SetUp() override {
    backend_.refuses = [this](const ExchangeCase& asked) {
      asked_.push_back(asked.id);
      return false;  // what has no page it does not answer anyway
    };
  }
  ModelVerdict check(Model model) {
    auto verdict = check_model(*toy_.library, std::move(model), backend_, options_);
    EXPECT_TRUE(verdict) << (verdict ? "" : to_text(verdict.error()));
    return verdict ? *std::move(verdict) : ModelVerdict{};
  }
  static Model chain_without(std::size_t absent) {
    Model model = chain_model("t.next", 6, 4, true);
    model.test.program.operations[absent].op = "t.custom.Mine";
    return model;
  }
};

TEST_F(AbsentPage, LayersBeforeItAreAskedForInOneRunAndThoseBehindItAlone) {
  const ModelVerdict verdict = check(chain_without(3));
  EXPECT_EQ(verdict.model.run, "graph");
  EXPECT_EQ(asked_, (std::vector<std::string>{"chain/all", "chain/before", "chain/outputs", "chain/layer-3"}));
  ASSERT_EQ(verdict.cases.size(), 7U);
  for (std::size_t layer = 0; layer < 3; ++layer) EXPECT_EQ(verdict.cases[layer].status, CaseStatus::conform) << layer;
  EXPECT_EQ(verdict.cases[3].status, CaseStatus::unsupported);
  EXPECT_EQ(verdict.cases[3].reason, "no page, and the backend does not run it alone: refused");
  for (std::size_t layer = 4; layer < 6; ++layer) EXPECT_EQ(verdict.cases[layer].status, CaseStatus::not_run) << layer;
  EXPECT_EQ(verdict.cases[6].status, CaseStatus::unsupported);
  EXPECT_EQ(verdict.cases[6].reason, "the reference of an output is not known, and the backend does not run the model: refused");
  ASSERT_EQ(verdict.model.notes.size(), 1U);
  EXPECT_EQ(verdict.model.notes[0],
            "the backend does not run the model (refused): it ran without v3 and what follows from it, 3 of 6 layers, which were asked for alone");
}

/// v4 is made of v1, not of what has no page.
TEST_F(AbsentPage, WhatDoesNotDependOnItIsJudged) {
  Model model = chain_without(3);
  model.test.program.operations[4].operands = {2};
  backend_.disturb = [](const ExchangeCase& asked, Tensor& tensor) {
    if (asked.id.ends_with("/before") && tensor.code(0) == 4) tensor.set_code(0, 9);
  };
  const ModelVerdict verdict = check(std::move(model));
  EXPECT_EQ(verdict.cases[2].status, CaseStatus::conform);
  EXPECT_EQ(verdict.cases[5].status, CaseStatus::fail) << "v5 is one more than v4, and was changed";
  EXPECT_EQ(verdict.model.first_local, "chain/5.v5");
}

/// A backend that has the operator, but not in a model with others.
TEST_F(AbsentPage, WhatTheBackendRunsAloneIsTakenFromItAndTheRestIsJudged) {
  const std::string op = "(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = sat.y(x + 1)\n";
  const ToyLibrary more{{{"t/a", "op t.next" + op + "op t.custom.Mine" + op}}};
  PlantedBackend backend(*more.library, **more.library->find_profile("reference"));
  std::vector<std::string> asked_ids;
  backend.refuses = [&asked_ids](const ExchangeCase& asked) {
    asked_ids.push_back(asked.id);
    return asked.id.ends_with("/all") || asked.id.ends_with("/outputs");
  };
  auto verdict = check_model(*toy_.library, chain_without(3), backend, options_);
  ASSERT_TRUE(verdict) << to_text(verdict.error());
  EXPECT_EQ(verdict->cases[3].reason, "no page: taken from the backend");
  for (const std::size_t layer : {0U, 1U, 2U, 4U, 5U})
    EXPECT_EQ(verdict->cases[layer].status, CaseStatus::conform) << layer << " " << verdict->cases[layer].reason;
  EXPECT_EQ(asked_ids,
            (std::vector<std::string>{"chain/all", "chain/before", "chain/outputs", "chain/layer-3", "chain/layer-3", "chain/layer-4", "chain/layer-5"}));
}

TEST_F(AbsentPage, WhereItIsTheFirstLayerEachIsAskedForAlone) {
  const ModelVerdict verdict = check(chain_without(0));
  EXPECT_EQ(verdict.model.run, "layers");
  ASSERT_EQ(verdict.model.notes.size(), 1U);
  EXPECT_NE(verdict.model.notes[0].find("each layer ran alone"), std::string::npos) << verdict.model.notes[0];
}

/// One that refuses the part before, too, is asked layer by layer.
TEST_F(AbsentPage, ABackendThatDoesNotRunThePartIsAskedLayerByLayer) {
  backend_.refuses = [](const ExchangeCase& asked) { return asked.id.ends_with("/before"); };
  const ModelVerdict verdict = check(chain_without(3));
  EXPECT_EQ(verdict.model.run, "layers");
  for (std::size_t layer = 0; layer < 3; ++layer) EXPECT_EQ(verdict.cases[layer].status, CaseStatus::conform) << layer;
}

}  // namespace
}  // namespace tiebreak
