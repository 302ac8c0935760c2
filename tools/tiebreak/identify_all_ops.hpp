// SPDX-License-Identifier: Apache-2.0
// tiebreak identify without an op: everything that the named backends list, as one table.
#pragma once
#include <string>
#include <vector>

#include "testsuite/identify/identify.hpp"
#include "testsuite/survey/surveyed_backend.hpp"
#include "tools/tiebreak/line/adapter_text.hpp"

namespace tiebreak::command {

struct SurveyText {
  std::vector<std::string> backends;  ///< as typed: a name or path, and after a space options of its own
  bool installed = false;             ///< every adapter of this installation but the two that serve the suite's own tests
  std::string json, markdown;
  bool quiet = false;  ///< no progress on standard error
};

/// The backends as named, then those of this installation if `installed`. One that cannot be asked says why.
Result<std::vector<SurveyedBackend>> open_all(std::vector<std::string> names, bool installed, const AdapterText& adapter);

/// `settings.op` is a glob, or empty for all.
Result<int> run_survey(const SurveyText& text, const AdapterText& adapter, const IdentifyOptions& settings);

}  // namespace tiebreak::command
