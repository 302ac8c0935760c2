// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/evidence.hpp"

#include <algorithm>

#include "testsuite/harness/value_text.hpp"

namespace tiebreak {
namespace {

std::string element_text(const ResultTensor& result, std::int64_t element) {
  return result.is_undefined(element) ? "undefined" : value_text(result.tensor.value(element));
}

bool same(const Tensor& a, const Tensor& b, std::int64_t element) {
  if (a.code(element) == b.code(element)) return true;
  return a.element().is_float() && a.value(element).is_nan() && b.value(element).is_nan();
}

}  // namespace

std::size_t Observation::counted(std::size_t output) const {
  std::size_t count = 0;
  for (std::int64_t i = 0; i < answers[output].tensor.size(); ++i) count += counts(output, i) ? 1 : 0;
  return count;
}

std::size_t Evidence::elements() const {
  std::size_t count = 0;
  for (const Observation& observation : observations_)
    for (std::size_t output = 0; output < observation.answers.size(); ++output) count += observation.counted(output);
  return count;
}

Fit Evidence::fit(const Profile& profile, const Observation& observation, bool until_first) const {
  Fit fit;
  for (std::size_t output = 0; output < observation.answers.size(); ++output) fit.of += observation.counted(output);
  Result<std::vector<ResultTensor>> results = evaluate(library_, profile, observation.test.program, observation.test.inputs);
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
      bool open = comparable && predicted.is_undefined(i);
      // What the answerer calls undefined is explained by semantics that leave it so, and by no other.
      if (open || (comparable && !answer.is_undefined(i) && same(predicted.tensor, answer.tensor, i))) {
        ++fit.explained;
        fit.undefined += open ? 1 : 0;
        continue;
      }
      if (!fit.first) {
        fit.first = Witness{observation.inputs ? observation.inputs(output, i) : "",
                            comparable ? element_text(predicted, i) : to_text(predicted.tensor.type()), element_text(answer, i)};
      }
      if (until_first) return fit;
    }
  }
  return fit;
}

Fit Evidence::fit(const Profile& profile) const {
  Fit total;
  for (const Observation& observation : observations_) {
    Fit one = fit(profile, observation, false);
    total.of += one.of;
    total.explained += one.explained;
    total.undefined += one.undefined;
    if (!total.first && one.first) total.first = one.first;
  }
  return total;
}

std::vector<Witness> Evidence::predictions(const Profile& profile, std::size_t most) const {
  std::vector<Witness> all;
  for (const Observation& observation : observations_) {
    Result<std::vector<ResultTensor>> results = evaluate(library_, profile, observation.test.program, observation.test.inputs);
    for (std::size_t output = 0; output < observation.answers.size(); ++output) {
      const ResultTensor& answer = observation.answers[output];
      bool comparable = results && output < results->size() && (*results)[output].tensor.shape() == answer.tensor.shape();
      for (std::int64_t i = 0; i < answer.tensor.size() && all.size() < most; ++i) {
        if (!observation.counts(output, i)) continue;
        std::string predicted = comparable ? element_text((*results)[output], i) : "";
        all.push_back({observation.inputs ? observation.inputs(output, i) : "", predicted, element_text(answer, i)});
      }
    }
  }
  return all;
}

bool Evidence::explains(const Profile& profile) {
  for (std::size_t i = order_.size(); i < observations_.size(); ++i) order_.push_back(i);
  for (auto place = order_.begin(); place != order_.end(); ++place) {
    if (fit(profile, observations_[*place], true).explains_all()) continue;
    std::rotate(order_.begin(), place, place + 1);
    return false;
  }
  return true;
}

}  // namespace tiebreak
