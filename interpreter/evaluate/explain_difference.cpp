// SPDX-License-Identifier: Apache-2.0
#include "interpreter/evaluate/explain_difference.hpp"

#include <algorithm>

#include "interpreter/bind/binder.hpp"

namespace tiebreak {
namespace {

std::string choice_name(const std::string& clause) { return clause.substr(0, clause.find('=')); }

/// The choice whose outcome a step is: steps come after what they need, so the next step that is less deep is the one that needs it.
std::vector<std::string> outcomes(const std::vector<TraceStep>& steps) {
  std::vector<std::string> names(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::size_t user = i + 1;
    while (user < steps.size() && steps[user].depth >= steps[i].depth) ++user;
    const std::string outer = user < steps.size() ? steps[user].choice : "";
    if (!steps[i].choice.empty() && choice_name(steps[i].choice) != choice_name(outer)) names[i] = choice_name(steps[i].choice);
  }
  return names;
}

bool same_step_value(const TraceStep& a, const TraceStep& b) { return a.value == b.value && (a.value != "irrational" || a.decimal == b.decimal); }

class Aligner {
 public:
  Aligner(const std::vector<TraceStep>& first, const std::vector<TraceStep>& second)
      : first_(first),
        second_(second),
        first_outcomes_(outcomes(first)),
        second_outcomes_(outcomes(second)),
        columns_(second.size() + 1),
        best_((first.size() + 1) * columns_, 0) {}

  std::vector<TraceRow> run() {
    for (std::size_t i = first_.size(); i-- > 0;)
      for (std::size_t k = second_.size(); k-- > 0;)
        best(i, k) = std::max({best(i + 1, k), best(i, k + 1), similarity(i, k) > 0 ? best(i + 1, k + 1) + similarity(i, k) : 0});
    std::vector<TraceRow> rows;
    std::size_t i = 0, k = 0;
    while (i < first_.size() || k < second_.size()) {
      const bool both = i < first_.size() && k < second_.size();
      if (both && similarity(i, k) > 0 && best(i, k) == best(i + 1, k + 1) + similarity(i, k)) {
        rows.push_back({static_cast<int>(i++), static_cast<int>(k++)});
      } else if (k >= second_.size() || (both && best(i, k) == best(i + 1, k))) {
        rows.push_back({static_cast<int>(i++), -1});
      } else {
        rows.push_back({-1, static_cast<int>(k++)});
      }
    }
    return rows;
  }

 private:
  /// 0: these two do not belong together. Among steps that do alike, those of the same value.
  int similarity(std::size_t i, std::size_t k) const {
    const bool last_first = i + 1 == first_.size(), last_second = k + 1 == second_.size();
    if (last_first || last_second) return last_first && last_second ? 1 << 20 : 0;
    const TraceStep& a = first_[i];
    const TraceStep& b = second_[k];
    const int value = same_step_value(a, b) ? 1 : 0;
    if (a.text == b.text) return (a.place == b.place ? 40 : 30) + value;
    return !first_outcomes_[i].empty() && first_outcomes_[i] == second_outcomes_[k] ? 20 + value : 0;
  }
  int& best(std::size_t i, std::size_t k) { return best_[i * columns_ + k]; }

  const std::vector<TraceStep>& first_;
  const std::vector<TraceStep>& second_;
  std::vector<std::string> first_outcomes_, second_outcomes_;
  std::size_t columns_;
  std::vector<int> best_;
};

std::string step_text(const TraceStep& step) { return step.decimal.empty() || step.decimal == step.value ? step.value : step.value + " = " + step.decimal; }

/// The result as text; "" where the op with this reading is an error.
std::string result_of(const Semantics& semantics, const OpCall& call, std::size_t result, std::int64_t element) {
  const Result<std::vector<TraceStep>> steps = explain(semantics, call, result, element);
  return steps && !steps->empty() ? step_text(steps->back()) : "";
}

}  // namespace

bool TraceDifference::same_value(const TraceRow& row) const {
  return row.is_pair() && same_step_value(first[static_cast<std::size_t>(row.first)], second[static_cast<std::size_t>(row.second)]);
}

std::vector<TraceRow> align(const std::vector<TraceStep>& first, const std::vector<TraceStep>& second) { return Aligner(first, second).run(); }

Result<std::map<std::string, std::string>> readings_of(const Semantics& semantics, const OpCall& call) {
  TIEBREAK_TRY(formula, bind(semantics, call));
  return std::move(formula.readings);
}

Result<TraceDifference> explain_difference(const Library& library, const TracedCall& first, const TracedCall& second, std::size_t result,
                                           std::int64_t element) {
  TraceDifference difference;
  TIEBREAK_TRY(first_steps, explain({library, first.profile}, first.call, result, element));
  TIEBREAK_TRY(second_steps, explain({library, second.profile}, second.call, result, element));
  difference.first = std::move(first_steps);
  difference.second = std::move(second_steps);
  difference.rows = align(difference.first, difference.second);
  for (std::size_t i = 0; i < difference.rows.size() && !difference.parts; ++i)
    if (difference.rows[i].is_pair() && !difference.same_value(difference.rows[i])) difference.parts = i;
  if (!difference.first.empty()) difference.first_result = step_text(difference.first.back());
  if (!difference.second.empty()) difference.second_result = step_text(difference.second.back());

  TIEBREAK_TRY(first_readings, readings_of({library, first.profile}, first.call));
  TIEBREAK_TRY(second_readings, readings_of({library, second.profile}, second.call));
  std::map<std::string, ReadingDifference> by_key;
  for (const auto& [key, alternative] : first_readings) by_key[key] = {key, alternative, "", ""};
  for (const auto& [key, alternative] : second_readings) {
    by_key[key].key = key;
    by_key[key].second = alternative;
  }
  for (auto& [key, reading] : by_key) {
    if (reading.first == reading.second) continue;
    if (!reading.second.empty()) {
      Profile changed = first.profile;
      changed.choices[key] = ProfileValue{.alternative = reading.second};
      reading.alone = result_of({library, changed}, first.call, result, element);
    }
    difference.readings.push_back(std::move(reading));
  }
  return difference;
}

}  // namespace tiebreak
