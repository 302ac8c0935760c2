// SPDX-License-Identifier: Apache-2.0
// Layers judged on several threads, a long model that is cut after some of its layers, and the exact values of a model's outputs.
#include "testsuite/unit/helpers/chain_model.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

constexpr int depth = 100;

class ManyLayers : public testing::Test {
 protected:
  ToyLibrary toy_{{{"t/a", "op t.next(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = sat.y(rne((x + 3) / 2))\n"}}};
  PlantedBackend backend_{*toy_.library, **toy_.library->find_profile("reference")};
  ModelOptions options_{};

  ModelVerdict check(bool stated = true) {
    Model model = chain_model("t.next", depth, 10, stated);
    Tensor& input = model.test.inputs.front();
    for (std::int64_t i = 0; i < 10; ++i) input.set_code(i, static_cast<std::uint64_t>(i * 1000));
    auto verdict = check_model(*toy_.library, std::move(model), backend_, options_);
    EXPECT_TRUE(verdict) << (verdict ? "" : to_text(verdict.error()));
    return verdict ? *std::move(verdict) : ModelVerdict{};
  }
  static void add_one(Tensor& tensor, std::int64_t element) { tensor.set_code(element, tensor.code(element) + 1); }
};

TEST_F(ManyLayers, TheVerdictIsTheSameForAnyNumberOfThreads) {
  backend_.refuses = [](const ExchangeCase& asked) { return asked.id.ends_with("/all"); };
  backend_.disturb = [](const ExchangeCase& asked, Tensor& tensor) {
    if (asked.id.ends_with("/layer-7") || asked.id.ends_with("/layer-60")) add_one(tensor, 3);
  };
  std::vector<std::string> first;
  for (const int jobs : {1, 2, 5}) {
    options_.check.jobs = jobs;
    const ModelVerdict verdict = check();
    EXPECT_EQ(verdict.model.first_local, "chain/007.v7");
    std::vector<std::string> lines;
    for (const CaseReport& test : verdict.cases) lines.push_back(test.id + " " + to_word(test.status) + " " + test.reason);
    for (const ModelLayer& layer : verdict.model.layers)
      lines.push_back(layer.id + " " + std::to_string(layer.values.at(0).local.different) + " " + std::to_string(layer.values.at(0).accumulated.different));
    ASSERT_EQ(lines.size(), 2 * static_cast<std::size_t>(depth) + 1);
    EXPECT_NE(lines[7].find("1 of 10 differ"), std::string::npos) << lines[7];
    EXPECT_NE(lines[60].find("1 of 10 differ"), std::string::npos) << lines[60];
    if (first.empty()) first = lines;
    EXPECT_EQ(lines, first) << jobs;
  }
}

/// At any time the report is that of a run that is stopped there.
TEST_F(ManyLayers, WhatIsJudgedSoFarIsAReport) {
  backend_.refuses = [](const ExchangeCase& asked) { return asked.id.ends_with("/all"); };
  backend_.disturb = [](const ExchangeCase& asked, Tensor& tensor) {
    if (asked.id.ends_with("/layer-7")) add_one(tensor, 3);
  };
  options_.range.first = 2;
  std::size_t judged = 0;
  options_.judged = [&judged](const auto& so_far) {
    if (++judged != 20) return;
    const Result<ModelVerdict> verdict = so_far();
    ASSERT_TRUE(verdict);
    const ModelReport& model = verdict->model;
    ASSERT_EQ(model.layers.size(), std::size_t{depth} - 2);
    ASSERT_EQ(verdict->cases.size(), std::size_t{depth} - 2);
    EXPECT_EQ(model.stopped, "chain/022.v22");
    EXPECT_EQ(model.first_local, "chain/007.v7");
    for (std::size_t i = 0; i < verdict->cases.size(); ++i)
      EXPECT_EQ(verdict->cases[i].status, i >= 20 ? CaseStatus::not_run : i == 5 ? CaseStatus::fail : CaseStatus::conform) << verdict->cases[i].id;
  };
  const ModelVerdict verdict = check();
  EXPECT_EQ(judged, std::size_t{depth} - 2);
  EXPECT_EQ(verdict.model.stopped, "") << "the run itself goes on";
  EXPECT_EQ(verdict.cases[50].status, CaseStatus::conform);
}

/// What is fused from layer 60 on gives another value, and only what is no output is fused.
TEST_F(ManyLayers, TheFirstLayerThatACutChangesIsFoundWithoutAskingForEach) {
  std::size_t cuts = 0;
  backend_.disturb = [&cuts](const ExchangeCase& asked, Tensor& tensor) {
    const std::size_t at = asked.id.find("/cut-");
    if (at != std::string::npos) ++cuts;
    if (asked.id.ends_with("/outputs") || (at != std::string::npos && std::stoi(asked.id.substr(at + 5)) >= 60)) add_one(tensor, 0);
  };
  const ModelVerdict verdict = check();
  EXPECT_EQ(verdict.model.first_cut, "chain/060.v60");
  EXPECT_LT(cuts, 30U);
  EXPECT_GT(cuts, 16U);
  ASSERT_EQ(verdict.model.notes.size(), 1U);
  EXPECT_EQ(verdict.model.notes[0],
            "the model was cut after " + std::to_string(cuts) + " of its 100 layers; the first that gives another result where no later one is an output: v60");
  EXPECT_EQ(verdict.model.layers[59].values[0].cut.different, 0);
  EXPECT_EQ(verdict.model.layers[60].values[0].cut.different, 1);
}

/// 26 layers of 40 bytes are more than 1000.
TEST_F(ManyLayers, ValuesThatAreTooManyForOneAnswerAreAskedForInParts) {
  options_.most_answer = 1000;
  std::vector<std::string> asked_ids;
  bool refuses_a_part = false;
  backend_.refuses = [&](const ExchangeCase& asked) {
    asked_ids.push_back(asked.id);
    return refuses_a_part && asked.id.ends_with("/part-26");
  };
  backend_.disturb = [](const ExchangeCase& asked, Tensor& tensor) {
    if (asked.id.ends_with("/outputs")) add_one(tensor, 3);
  };
  for (const bool stated : {true, false}) {
    asked_ids.clear();
    const ModelVerdict verdict = check(stated);
    EXPECT_EQ(verdict.model.run, "parts");
    EXPECT_EQ(asked_ids, (std::vector<std::string>{"chain/part-0", "chain/part-26", "chain/part-52", "chain/part-78", "chain/outputs"}));
    EXPECT_EQ(verdict.model.first_local, "");
    EXPECT_EQ(verdict.cases.back().status, CaseStatus::fail);
    EXPECT_FALSE(verdict.model.changed.empty());
    EXPECT_LT(verdict.most_bytes, 3 * 26 * 40U + 500) << "a part of both sides, the reference of the next, and what that one reads";
    for (const ModelLayer& layer : verdict.model.layers) EXPECT_EQ(layer.values.at(0).local.compared, 10) << layer.id;
  }
  refuses_a_part = true;
  const ModelVerdict verdict = check();
  ASSERT_EQ(verdict.model.notes.size(), 2U);
  EXPECT_NE(verdict.model.notes[0].find("the layers from v26 on as one program"), std::string::npos) << verdict.model.notes[0];
  for (std::size_t layer = 0; layer < depth; ++layer) EXPECT_EQ(verdict.cases[layer].status, CaseStatus::conform) << layer;
}

TEST_F(ManyLayers, TheOutputsHaveTheirExactValues) {
  backend_.disturb = [](const ExchangeCase& asked, Tensor& tensor) {
    if (asked.id.ends_with("/outputs")) add_one(tensor, 9);
  };
  const ModelVerdict verdict = check();
  const CaseReport& outputs = verdict.cases.back();
  ASSERT_EQ(outputs.status, CaseStatus::fail) << outputs.reason;
  ASSERT_EQ(outputs.outputs.at(0).second.first.size(), 1U);
  EXPECT_EQ(outputs.outputs[0].second.first[0].before, "3.5") << "(4 + 3) / 2, which is rounded to 4";
}

}  // namespace
}  // namespace tiebreak
