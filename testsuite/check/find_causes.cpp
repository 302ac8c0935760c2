// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/find_causes.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace tiebreak {
namespace {

/// Of one op: nothing here depends on another op.
struct OpFailures {
  std::string op;
  std::vector<std::size_t> places{};  ///< of the failing cases in the report
  std::vector<FoundCause> causes{};
};

/// The backend gave exactly what was expected.
bool is_exact(const CaseReport& report) {
  return report.status == CaseStatus::conform && !report.outputs.empty() &&
         std::ranges::all_of(report.outputs, [](const auto& output) { return output.second.different == 0 && output.second.compared > 0; });
}

class CauseRun {
 public:
  CauseRun(const CauseSearch& search, const std::vector<const Case*>& cases, const std::map<std::size_t, FailingCase>& failing, CheckReport& report)
      : search_(search), cases_(cases), failing_(failing), report_(report) {
    std::map<std::string, OpFailures> by_op;
    for (const auto& [place, one] : failing) by_op[report.cases[place].op].places.push_back(place);
    for (auto& [op, failures] : by_op) {
      failures.op = op;
      ops_.push_back(std::move(failures));
    }
  }

  void run() {
    const auto work = [this] {
      for (std::size_t i = next_.fetch_add(1); i < ops_.size() && !interrupted(); i = next_.fetch_add(1)) explain(ops_[i]);
    };
    std::vector<std::jthread> helpers;
    for (int i = 1; i < search_.jobs; ++i) helpers.emplace_back(work);
    work();
    helpers.clear();  // joins
    for (const OpFailures& failures : ops_) keep(failures);
    std::ranges::stable_sort(report_.causes, std::ranges::greater{}, [](const CommonCause& cause) { return cause.cases.size(); });
  }

 private:
  bool interrupted() const { return search_.interrupted && search_.interrupted(); }

  void explain(OpFailures& failures) {
    CauseQuestion question{search_.expected, search_.declared, {}, {}, search_.fusions, search_.interrupted};
    for (std::size_t place : failures.places) question.failing.push_back(&failing_.at(place));
    for (std::size_t i = 0; i < report_.cases.size(); ++i)
      if (report_.cases[i].op == failures.op && is_exact(report_.cases[i])) question.conforming.push_back(cases_[i]);
    failures.causes = common_causes(question);
    std::vector<const FoundCause*> of_case(failures.places.size(), nullptr);
    for (const FoundCause& cause : failures.causes)
      for (std::size_t i : cause.cases) of_case[i] = &cause;
    for (std::size_t i = 0; i < of_case.size() && !interrupted(); ++i) {
      const FailingCase& failing = *question.failing[i];
      report_.cases[failures.places[i]].diagnosis =
          of_case[i] == nullptr ? diagnosis_without_cause(search_.expected, failing) : diagnosis_by(search_.expected, failing, *of_case[i]);
    }
  }

  void keep(const OpFailures& failures) {
    for (const FoundCause& cause : failures.causes) {
      CommonCause& common = report_.causes.emplace_back();
      common.op = failures.op;
      for (std::size_t i : cause.cases) common.cases.push_back(report_.cases[failures.places[i]].id);
      common.readings = cause.readings;
      common.agreeing = cause.agreeing;
    }
  }

  const CauseSearch& search_;
  const std::vector<const Case*>& cases_;
  const std::map<std::size_t, FailingCase>& failing_;
  CheckReport& report_;
  std::vector<OpFailures> ops_{};
  std::atomic<std::size_t> next_{0};
};

}  // namespace

void find_causes(const CauseSearch& search, const std::vector<const Case*>& cases, const std::map<std::size_t, FailingCase>& failing, CheckReport& report) {
  CauseRun(search, cases, failing, report).run();
}

}  // namespace tiebreak
