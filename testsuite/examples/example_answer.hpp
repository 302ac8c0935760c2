// SPDX-License-Identifier: Apache-2.0
// What becomes of an example of a text: it holds, differs, is ill-formed, or cannot be checked, and why.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "testsuite/check/baseline.hpp"

namespace tiebreak {

enum class Answer : std::uint8_t {
  holds,          ///< every stated value is the computed one, or is it as printed
  differs,        ///< a stated value is not, or a stated error is not reported
  ill_formed,     ///< the text cannot be read, or breaks a constraint of its op
  not_checkable,  ///< nothing to compare, or nothing to compute it with
};
const char* to_word(Answer answer);  ///< `ill-formed`, `not checkable`

struct DocumentedDifference {
  std::string output;
  std::string index;       ///< [0, 1]; "" for a scalar or the whole output
  std::string documented;  ///< as it stands in the text
  std::string computed;    ///< the result's value
  std::string exact{};     ///< the value that entered the last rounding, where it is known
  std::string distance{};  ///< documented - computed, in `unit`
  std::string unit{};
  std::int64_t count = 1;  ///< of differing elements of the whole output
  std::string condition{};
  std::string where{};
};

struct ExampleAnswer {
  std::string id;  ///< spec/add/example-1
  std::string file;
  int line = 0;
  std::vector<std::string> headings{};
  std::string op{};  ///< as far as it is known
  Answer answer = Answer::not_checkable;
  std::string reason{};  ///< of every answer but `holds`
  std::string cause{};   ///< what kind of reason, for counting: `no page`, `process grid`
  bool executed = false;
  std::size_t statements = 0;                       ///< expectations compared: outputs times conditions, and errors
  std::size_t as_printed = 0;                       ///< elements that agree to the digits that are printed only
  std::vector<DocumentedDifference> differences{};  ///< the first sixteen of each output
  std::vector<std::string> notes{};
  std::string known{};    ///< the baseline's reason where it lists the example
  bool own_page = false;  ///< an example of the pages in use: when it cannot be read, these are at fault
};

/// The last heading that says more than that examples follow; "text" without any.
std::string heading_of(const std::vector<std::string>& headings);

/// The answers as a report that baselines, JUnit and exit codes understand: `differs` and `ill-formed` fail, what cannot be checked
/// did not run. What the baseline lists is noted in `known`; `warnings` are entries that no example matches.
struct AnsweredReport {
  CheckReport report{};
  std::vector<std::string> warnings{};
};
AnsweredReport report_answers(std::vector<ExampleAnswer>& answers, const std::vector<BaselineEntry>& baseline, const std::string& profile);

}  // namespace tiebreak
