// SPDX-License-Identifier: Apache-2.0
// Every op of every backend identified, as one table: which profile each follows, or how far the nearest one is from it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "testsuite/identify/identify.hpp"
#include "testsuite/survey/surveyed_backend.hpp"

namespace tiebreak {

struct SurveyRow {
  enum class State : std::uint8_t {
    declared,     ///< the declared profile explains every answer; where none is declared, some profile does
    other,        ///< a profile explains every answer, but not the declared one
    unexplained,  ///< no profile does, or further elements refute it
    unanswered,   ///< the backend refuses everything that it was asked of this op
    unasked,      ///< there are neither questions nor cases
  } state = State::unasked;
  std::size_t backend = 0;       ///< place in the list
  std::string op, types;         ///< `x=u8 w=i8 -> u8`; `12 cases` where those were asked
  std::string answer;            ///< the profile, or how much of the answers the nearest explains
  std::string counterexample{};  ///< the first answer that the declared, else the nearest, profile does not explain
  std::string note{};            ///< others that the answers do not tell from it, what is left undefined, why there is no answer
  std::size_t answers = 0;
  std::uint64_t further = 0, different = 0;
  double seconds = 0;
  bool listed = true;  ///< the backend lists the op by its name, not by a glob
};
const char* to_word(SurveyRow::State state);

struct Survey {
  std::map<std::string, std::string> context{};  ///< tool, spec, command, confirm, seed
  std::vector<SurveyedBackend> backends{};
  std::vector<SurveyRow> rows{};  ///< by backend, op, types
  bool incomplete = false;
  /// No backend that can be asked lists an op that was asked for.
  bool is_empty() const;
  /// 1 if something is not as declared, 5 if a backend or an op that it lists by name gave no answer, else 0.
  int exit_code() const;
};

struct SurveyOptions {
  IdentifyOptions each{};                                               ///< `op` and `types` are filled in
  std::vector<std::string> ops{};                                       ///< globs; empty: all that a backend lists
  std::function<void(std::size_t done, std::size_t total)> progress{};  ///< ops
  std::function<void(const SurveyedBackend& backend, const SurveyRow& row)> finished{};
};

/// Questions are made once for all backends. Types that a backend refuses have no row, unless it refuses all.
Result<Survey> survey(const Library& library, std::vector<SurveyedBackend> backends, const SurveyOptions& options);

std::string survey_text(const Survey& survey);
/// `onednn --isa AVX2  onnx.QLinearConv x=u8 w=i8 -> u8: onednn-x64-avx2, 3.1 s`: what a log says of one row, without the backend's own words.
std::string survey_line(const SurveyedBackend& backend, const SurveyRow& row);
std::string survey_json(const Survey& survey);      ///< tiebreak.survey/1
std::string survey_markdown(const Survey& survey);  ///< without times: the same answers give the same bytes

}  // namespace tiebreak
