// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/observed_cases.hpp"

#include <algorithm>

#include "testsuite/candidates/one_formula.hpp"
#include "testsuite/compare/compare.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string answer_element_text(const ResultTensor& result, std::int64_t element) {
  return result.is_undefined(element) ? "undefined" : value_text(result.tensor.value(element));
}

}  // namespace

std::size_t Observation::counted(std::size_t output) const {
  std::size_t count = 0;
  if (output >= left_out.size() || left_out[output].empty()) return static_cast<std::size_t>(answers[output].tensor.size());
  for (std::int64_t i = 0; i < answers[output].tensor.size(); ++i) count += counts(output, i) ? 1 : 0;
  return count;
}

std::size_t count_different(const ResultTensor& a, const ResultTensor& b) {
  std::size_t count = 0;
  const std::int64_t size = std::min(a.tensor.size(), b.tensor.size());
  for (std::int64_t i = 0; i < size; ++i) count += !a.is_undefined(i) && !b.is_undefined(i) && !same_element(a.tensor, b.tensor, i) ? 1 : 0;
  return count;
}

std::size_t Evidence::elements() const {
  std::size_t count = 0;
  for (const Observation& observation : observations_)
    for (std::size_t output = 0; output < observation.answers.size(); ++output) count += observation.counted(output);
  return count;
}

/// A semantics that is looked for as a cause is refuted by one element; what is left of them is computed as a whole.
Fit Evidence::fit(const Profile& profile, std::size_t place, bool until_first) const {
  const Observation& observation = observations_[place];
  if (open_ == OpenElement::passed_over || observation.telling.empty()) return whole_fit(profile, observation, until_first);
  while (formulas_.size() <= place) formulas_.push_back(OneFormula::of(library_, observations_[formulas_.size()]));
  const std::shared_ptr<OneFormula>& one = formulas_[place];
  std::optional<Formula> formula = one ? one->bind({library_, profile}) : std::nullopt;
  if (!formula) return whole_fit(profile, observation, until_first);
  if (const Fit* known = one->known(*formula, !until_first)) return *known;
  Fit fit;
  if (until_first && one->is_refuted_early(*formula, observation)) {
    for (std::size_t output = 0; output < observation.answers.size(); ++output) fit.of += observation.counted(output);
  } else {
    fit = whole_fit(profile, observation, until_first);
  }
  one->remember(*std::move(formula), fit, !until_first || !fit.is_refuted());
  return fit;
}

Fit Evidence::whole_fit(const Profile& profile, const Observation& observation, bool until_first) const {
  Fit fit;
  for (std::size_t output = 0; output < observation.answers.size(); ++output) fit.of += observation.counted(output);
  Result<std::vector<ResultTensor>> results = evaluate({library_, profile}, observation.test.program, observation.test.inputs);
  if (!results || results->size() != observation.answers.size()) {
    std::string reason = results ? "another number of results" : results.error().what;
    fit.first = Witness{observation.inputs ? observation.inputs(0, 0) : observation.test.id, "cannot be evaluated: " + reason, "answered"};
    return fit;
  }
  for (std::size_t output = 0; output < results->size(); ++output) {
    const ResultTensor &predicted = (*results)[output], &answer = observation.answers[output];
    bool comparable = predicted.tensor.element() == answer.tensor.element() && predicted.tensor.shape() == answer.tensor.shape();
    for (std::int64_t i = 0; i < answer.tensor.size(); ++i) {
      if (!observation.counts(output, i)) continue;
      const bool open = comparable && predicted.is_undefined(i);
      const bool is_number = !answer.is_undefined(i);
      if (open && is_number && observation.is_unstated(output, i)) {
        --fit.of;
        continue;
      }
      if (open && is_number && open_ == OpenElement::passed_over) {
        ++fit.undefined;
        continue;
      }
      // What the answerer itself calls undefined is explained by semantics that leave it so, and by no other.
      if (comparable && open != is_number && (open || same_element(predicted.tensor, answer.tensor, i))) {
        ++fit.explained;
        continue;
      }
      if (!fit.first) {
        fit.first = Witness{observation.inputs ? observation.inputs(output, i) : "",
                            comparable ? answer_element_text(predicted, i) : to_text(predicted.tensor.type()), answer_element_text(answer, i)};
      }
      if (until_first) return fit;
    }
  }
  return fit;
}

/// Of a profile that says nothing of any answer.
std::optional<Witness> Evidence::first_answer() const {
  for (const Observation& observation : observations_)
    for (std::size_t output = 0; output < observation.answers.size(); ++output)
      for (std::int64_t i = 0; i < observation.answers[output].tensor.size(); ++i)
        if (observation.counts(output, i))
          return Witness{observation.inputs ? observation.inputs(output, i) : observation.test.id, "undefined",
                         answer_element_text(observation.answers[output], i)};
  return std::nullopt;
}

Fit Evidence::fit(const Profile& profile) const {
  Fit total;
  for (std::size_t place = 0; place < observations_.size(); ++place) {
    const Fit one = fit(profile, place, false);
    total.of += one.of;
    total.explained += one.explained;
    total.undefined += one.undefined;
    if (!total.first && one.first) total.first = one.first;
  }
  if (total.undefined > 0 && total.explained == 0 && !total.first) total.first = first_answer();
  return total;
}

std::vector<Witness> Evidence::predictions(const Profile& profile, std::size_t most) const {
  std::vector<Witness> all;
  for (const Observation& observation : observations_) {
    Result<std::vector<ResultTensor>> results = evaluate({library_, profile}, observation.test.program, observation.test.inputs);
    for (std::size_t output = 0; output < observation.answers.size(); ++output) {
      const ResultTensor& answer = observation.answers[output];
      bool comparable = results && output < results->size() && (*results)[output].tensor.shape() == answer.tensor.shape();
      for (std::int64_t i = 0; i < answer.tensor.size() && all.size() < most; ++i) {
        if (!observation.counts(output, i)) continue;
        std::string predicted = comparable ? answer_element_text((*results)[output], i) : "";
        all.push_back({observation.inputs ? observation.inputs(output, i) : "", predicted, answer_element_text(answer, i)});
      }
    }
  }
  return all;
}

Fit Evidence::fit_until_refuted(const Profile& profile) {
  for (std::size_t i = order_.size(); i < observations_.size(); ++i) order_.push_back(i);
  Fit total;
  for (auto place = order_.begin(); place != order_.end(); ++place) {
    const Fit one = fit(profile, *place, true);
    total.of += one.of;
    total.explained += one.explained;
    total.undefined += one.undefined;
    if (!one.is_refuted()) continue;
    std::rotate(order_.begin(), place, place + 1);
    break;
  }
  return total;
}

bool Evidence::explains(const Profile& profile) { return fit_until_refuted(profile).explains_all(); }

bool Evidence::refutes(const Profile& profile) { return fit_until_refuted(profile).is_refuted(); }

}  // namespace tiebreak
