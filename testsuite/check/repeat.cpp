// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/repeat.hpp"

#include <algorithm>

#include "testsuite/compare/compare.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

struct OtherElements {
  std::int64_t count = 0;
  std::int64_t open = 0;    ///< that the semantics leaves undefined
  std::int64_t first = -1;  ///< of those that count
};

OtherElements other_elements(const Tensor& a, const Tensor& b, const std::vector<std::uint8_t>& undefined) {
  OtherElements other;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    if (same_element(a, b, i)) continue;
    auto place = static_cast<std::size_t>(i);
    if (place < undefined.size() && undefined[place] != 0) {
      ++other.open;
      continue;
    }
    if (other.first < 0) other.first = i;
    ++other.count;
  }
  return other;
}

std::string word_of(const BackendAnswer& answer) {
  std::string reason = answer.reason.empty() ? "" : ": " + answer.reason;
  switch (answer.kind) {
    using enum BackendAnswer::Kind;
    case answered: return "an answer";
    case unsupported: return "unsupported" + reason;
    case not_recorded: return "not recorded" + reason;
    case inconclusive: return "no answer" + reason;
  }
  return "";
}

/// Only what is more serious takes the place of what is there; the first contradiction stays.
void decide(CaseReport& report, CaseStatus status, const std::string& reason) {
  if (report.reason.starts_with("the backend contradicts itself")) return;
  report.status = status;
  report.reason = "the backend contradicts itself: " + reason;
}

}  // namespace

void judge_repetition(const Expectation& expectation, const BackendAnswer& first, const BackendAnswer& again, std::size_t repetition, CaseReport& report) {
  using Kind = BackendAnswer::Kind;
  std::string here = "the first time", there = "time " + std::to_string(repetition + 1);
  if (first.kind != again.kind) {
    report.outputs.clear();  // a verdict would rest on one lucky time
    report.inputs_of_first.clear();
    report.diagnosis.reset();
    report.explain.clear();
    decide(report, CaseStatus::inconclusive, here + " " + word_of(first) + ", " + there + " " + word_of(again));
    return;
  }
  if (first.kind != Kind::answered) return;
  if (first.outputs.size() != again.outputs.size()) {
    decide(report, CaseStatus::fail, std::to_string(first.outputs.size()) + " outputs " + here + ", " + std::to_string(again.outputs.size()) + " " + there);
    return;
  }
  for (std::size_t i = 0; i < first.outputs.size(); ++i) {
    const Tensor &a = first.outputs[i].tensor, &b = again.outputs[i].tensor;
    const std::string name = "output " + first.outputs[i].name;
    if (a.shape() != b.shape() || !(a.element() == b.element())) {
      decide(report, CaseStatus::fail, name + " is " + to_text(a.type()) + " " + here + ", " + to_text(b.type()) + " " + there);
      return;
    }
    const OtherElements other = other_elements(a, b, i < expectation.outputs.size() ? expectation.outputs[i].undefined : std::vector<std::uint8_t>{});
    if (other.count > 0) {
      decide(report, CaseStatus::fail,
             name + ": " + std::to_string(other.count) + " of " + std::to_string(a.size()) + " elements change from one time to another, first at " +
                 index_text(a.shape(), other.first) + ": " + value_text(a.value(other.first)) + " " + here + ", " + value_text(b.value(other.first)) + " " +
                 there);
      return;
    }
    if (other.open > 0) {
      std::string note = name + ": " + std::to_string(other.open) + " elements that the semantics leaves undefined change from one time to another";
      if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) report.notes.push_back(std::move(note));
    }
  }
}

}  // namespace tiebreak
