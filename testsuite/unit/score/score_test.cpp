// SPDX-License-Identifier: Apache-2.0
// Toy case sets with known survivors, equivalence by stairs and by the formula, and the command's exit codes.
#include "testsuite/score/score.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testsuite/sources/load_cases.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

/// Quotients by 3 are never at a tie: the nearest roundings are one and the same function, whatever the cases.
constexpr const char* third_page = R"(# toy.third

```semantics
op toy.third(x: i8, z: i8[] = 0) -> y: i8
structure elementwise(x)
y = sat.y(rne(x / 3) + z)
```
)";

class Score : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::filesystem::create_directories(folder_ / "spec/toy");
    std::ofstream(folder_ / "spec/toy/third.md") << third_page;
    environment.push_back("TIEBREAK_SPEC=" + path("spec"));
    library = *Library::load(path("spec"));
  }

  std::string cases(const std::string& x, const std::string& z) {
    const auto count = std::to_string(1 + std::ranges::count(x, ','));
    return write("cases.json", R"({"schema": "tiebreak.case/1", "op": "toy.third", "cases": [{"name": "a", "inputs": {"x": {"type": "i8", "shape": [)" + count +
                                   R"(], "data": [)" + x + R"(]}, "z": {"type": "i8", "shape": [], "data": [)" + z + "]}}}]}");
  }

  ScoreReport scored(const std::string& file) {
    auto loaded = load_cases(*library, file);
    EXPECT_TRUE(loaded) << (loaded ? "" : to_text(loaded.error()));
    auto report = score(*library, *loaded, {});
    EXPECT_TRUE(report) << (report ? "" : to_text(report.error()));
    return report ? *report : ScoreReport{};
  }

  static const ScoredMutant& find(const ScoreReport& report, const std::string& before, const std::string& after) {
    static const ScoredMutant none{};
    for (const ScoredMutant& one : report.cells.at(0).mutants)
      if (one.before == before && one.after == after) return one;
    ADD_FAILURE() << before << " -> " << after << " is no mutant";
    return none;
  }

  std::shared_ptr<const Library> library;
};

TEST_F(Score, ACaseWithoutTheEdgesLeavesSurvivorsWithAWitness) {
  const ScoreReport report = scored(cases("1, 2, 5, -4", "3"));
  ASSERT_EQ(report.cells.size(), 1u);
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_EQ(find(report, "rne(x / 3)", "floor(x / 3)").state, MutantState::killed);
  EXPECT_EQ(find(report, "rne(x / 3)", "floor(x / 3)").killed_by, "toy.third/a");
  const ScoredMutant& range = find(report, "sat.y(rne(x / 3) + z)", "wrap.y(rne(x / 3) + z)");
  EXPECT_EQ(range.state, MutantState::surviving);
  EXPECT_NE(range.witness.find("z=-128 x=-2: -128, the mutant 127"), std::string::npos) << range.witness;
}

TEST_F(Score, StairsShowWhichMutantsAreNone) {
  const ScoreReport report = scored(cases("1, 2, 5, -4", "3"));
  for (const char* after : {"rna(x / 3)", "rhu(x / 3)", "rhd(x / 3)", "rnz(x / 3)"}) {
    const ScoredMutant& nearest = find(report, "rne(x / 3)", after);
    EXPECT_EQ(nearest.state, MutantState::equivalent) << after;
    EXPECT_EQ(nearest.proof.substr(0, 8), "stairs, ") << nearest.proof;
  }
}

TEST_F(Score, EnoughCasesKillAll) {
  std::string all = "-128";
  for (int x = -127; x < 128; ++x) all += ", " + std::to_string(x);
  ScoreReport report = scored(cases(all, "101"));
  std::string left;
  for (const ScoredMutant& one : report.cells.at(0).mutants)
    if (one.state == MutantState::surviving) left += one.before + " -> " + one.after + "  " + one.witness + "\n";
  EXPECT_NE(left.find("y.min + 1"), std::string::npos) << "nothing reaches the lower end\n" << left;
}

TEST_F(Score, WhatFitsNoCallIsCountedApart) {
  std::ofstream(folder_ / "spec/toy/ratio.md")
      << "# toy.ratio\n\n```semantics\nop toy.ratio(x: i8, s: f32[] = 1) -> y: f32\nstructure elementwise(x)\ny = f32(x / 3)\n```\n";
  library = *Library::load(path("spec"));
  const ScoreReport report = scored(
      write("ratio.json",
            R"({"schema": "tiebreak.case/1", "op": "toy.ratio", "cases": [{"name": "a", "inputs": {"x": {"type": "i8", "shape": [3], "data": [1, 2, 5]}}}]})"));
  ASSERT_EQ(report.cells.size(), 1u);
  // A third is no float: without the rounding there is no result. The default of s is read nowhere.
  ASSERT_EQ(report.ill_formed.count("toy.ratio"), 1u);
  EXPECT_EQ(report.ill_formed.at("toy.ratio").front().rule, "format dropped");
  EXPECT_EQ(report.cells[0].ill_formed, report.ill_formed.at("toy.ratio").size());
  EXPECT_EQ(report.cells[0].not_reached, report.not_reached.at("toy.ratio").size());
  for (const ScoredMutant& one : report.cells[0].mutants) EXPECT_NE(one.after, "x / 3");
  EXPECT_NE(score_text(report, false).find(" fit no legal call"), std::string::npos) << score_text(report, false);
  EXPECT_EQ(nlohmann::json::parse(score_json(report)).at("ill_formed").at(0).at("op"), "toy.ratio");
}

/// Mutants that were proved equal otherwise than by one graph.
int by_stairs(const nlohmann::json& report) {
  int found = 0;
  for (const auto& cell : report.at("cells"))
    for (const auto& mutant : cell.at("mutants")) found += mutant.value("proof", "formula") != "formula";
  return found;
}

TEST_F(Score, TheCommandExitsWithOneForASurvivor) {
  const std::string file = cases("1, 2, 5, -4", "3");
  const CommandOutcome outcome = run({"score", file});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  for (const char* part : {"toy.third", "survivors", "spec/toy/third.md:6", "would kill it: z=-128 x=-2"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  EXPECT_EQ(run({"score", file, "-j", "3"}).out, outcome.out);
  const CommandOutcome json = run({"score", file, "--json"});
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed.at("schema"), "tiebreak.score/1");
  EXPECT_EQ(parsed.at("cells").at(0).at("op"), "toy.third");
  const auto unproved = nlohmann::json::parse(run({"score", file, "--no-proofs", "--json"}).out);
  EXPECT_EQ(unproved.at("equivalent").get<int>(), parsed.at("equivalent").get<int>() - by_stairs(parsed));
  EXPECT_EQ(unproved.at("surviving").get<int>(), parsed.at("surviving").get<int>() + by_stairs(parsed));
  EXPECT_GT(by_stairs(parsed), 0);
  EXPECT_EQ(run({"score", file, "--op", "toy.thirt"}).code, 2);
  EXPECT_EQ(run({"score", file, "-k", "onnx.Add/*"}).code, 2);
}

TEST_F(Score, TheCommandExitsWithZeroWhereAllAreKilled) {
  std::string pairs, zs;
  for (int x = -128; x < 128; ++x) pairs += (x == -128 ? "" : ", ") + std::to_string(x);
  std::string text = R"({"schema": "tiebreak.case/1", "op": "toy.third", "cases": [)";
  for (const char* z : {"-128", "127", "3", "0"})
    text += std::string(text.back() == '[' ? "" : ", ") + R"({"name": "z)" + z + R"(", "inputs": {"x": {"type": "i8", "shape": [256], "data": [)" + pairs +
            R"(]}, "z": {"type": "i8", "shape": [], "data": [)" + z + "]}}}";
  const CommandOutcome outcome = run({"score", write("all.json", text + "]}")});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("0 surviving"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace tiebreak
