// SPDX-License-Identifier: Apache-2.0
// Misreadings of a toy op that moves elements: what kills them, what shows nothing, what fits no call.
#include <algorithm>
#include <fstream>

#include "testsuite/score/score.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

constexpr const char* cut_page = R"(# toy.cut

```semantics
op toy.cut(x: i8) {start_indices, limit_indices, strides} -> y: i8
structure move.slice(x)
y = x
```
)";

class ScoreMisreadings : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::filesystem::create_directories(folder_ / "spec/toy");
    std::ofstream(folder_ / "spec/toy/cut.md") << cut_page;
    library = *Library::load(path("spec"));
  }

  /// Of eleven elements those from `start` to before `limit`, `stride` apart.
  ScoreReport scored(const std::string& elements, const std::string& start, const std::string& limit, const std::string& stride, const std::string& size) {
    const std::string file = write("cut.json", R"({"schema": "tiebreak.case/1", "op": "toy.cut", "cases": [{"name": "a", "attributes": {"start_indices": [)" +
                                                   start + R"(], "limit_indices": [)" + limit + R"(], "strides": [)" + stride +
                                                   R"(]}, "inputs": {"x": {"type": "i8", "shape": [11], "data": [)" + elements +
                                                   R"(]}}, "results": ["tensor<)" + size + R"(xi8>"]}]})");
    auto loaded = load_cases(*library, file);
    EXPECT_TRUE(loaded) << (loaded ? "" : to_text(loaded.error()));
    auto report = score(*library, *loaded, {});
    EXPECT_TRUE(report) << (report ? "" : to_text(report.error()));
    return report ? *report : ScoreReport{};
  }

  static bool is_of(const ScoredMutant& one, const std::string& word) { return one.after == "structure move.slice(x) with " + word; }

  /// What became of a word, wherever the report has it.
  static std::string fate(const ScoreReport& report, const std::string& word) {
    for (const ScoredMutant& one : report.cells.at(0).mutants)
      if (is_of(one, word)) return std::string(to_word(one.state)) + (one.proof.empty() ? "" : ", " + one.proof);
    for (const auto* apart : {&report.ill_formed, &report.not_reached})
      for (const auto& [op, mutants] : *apart)
        for (const ScoredMutant& one : mutants)
          if (is_of(one, word)) return to_word(one.state);
    return "-";
  }

  std::shared_ptr<const Library> library;
};

TEST_F(ScoreMisreadings, FateGoesByTheCall) {
  const ScoreReport report = scored("0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10", "1", "8", "4", "2");
  EXPECT_EQ(fate(report, "more(start_indices)"), "killed");
  EXPECT_EQ(fate(report, "more(strides)"), "killed");
  EXPECT_EQ(fate(report, "less(strides)"), "ill-formed") << "three elements do not fit the stated type";
  EXPECT_EQ(fate(report, "less(limit_indices)"), "equivalent, same places");
  EXPECT_EQ(fate(report, "reversed(strides)"), "not reached");
  EXPECT_EQ(fate(report, "negated(strides)"), "-") << "a number has no negation";
  EXPECT_EQ(report.exit_code(), 0);
}

TEST_F(ScoreMisreadings, EqualElementsShowNothing) {
  const ScoreReport report = scored("5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5", "1", "8", "4", "2");
  EXPECT_EQ(fate(report, "more(start_indices)"), "surviving");
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_NE(score_text(report, true).find("no case shows the misreading"), std::string::npos) << score_text(report, true);
}

}  // namespace
}  // namespace tiebreak
