// SPDX-License-Identifier: Apache-2.0
// What an earlier run judged, taken over by a run that goes on where that one was stopped (`check --resume`). It is taken only under what it was judged
// under; that the backend gives the same again is compared value by value where the values are.
#pragma once
#include <map>
#include <string>

#include "testsuite/check/check.hpp"

namespace tiebreak {

class EarlierVerdicts {
 public:
  /// `file`: the report's, for messages.
  EarlierVerdicts(CheckReport report, std::string file);
  EarlierVerdicts(EarlierVerdicts&&) noexcept = default;
  EarlierVerdicts(const EarlierVerdicts&) = delete;  // it points into its report
  EarlierVerdicts& operator=(const EarlierVerdicts&) = delete;

  /// Whether the report is of a run with this context: Errc::usage with the first key in which a verdict rests on something else.
  Status agrees_with(const std::map<std::string, std::string>& context) const;
  /// The same of the pages: what the values of each op depend on.
  Status agrees_with_pages(const std::map<std::string, std::string>& op_hashes) const;
  /// The same of a model, by its digest and those of its inputs; Errc::usage where the report has none of its name.
  Status agrees_with_model(const ModelReport& model) const;

  /// The verdict on the case, or nullptr where it was not judged, or where not all of it is in the report: what fails is there with its first mismatches only,
  /// of which as many are wanted as `show` says. What a baseline excused is judged again.
  const CaseReport* judged(const std::string& id, std::size_t show) const;
  /// What the report says of the layer in the table of its model; nullptr where it says nothing.
  const ModelLayer* layer(const std::string& id) const;

 private:
  tl::unexpected<Error> other(const std::string& what, const std::string& there, const std::string& here) const;

  CheckReport report_;
  std::string file_;
  std::map<std::string, const CaseReport*> cases_{};
  std::map<std::string, const ModelLayer*> layers_{};
};

}  // namespace tiebreak
