// SPDX-License-Identifier: Apache-2.0
// Whose arithmetic is in a log: for each part of it what explains it, and how explanations relate at the log's own parameters.
#pragma once
#include "testsuite/identify/identify.hpp"
#include "testsuite/identify/observed_log.hpp"

namespace tiebreak {

struct LogIdentification {
  std::vector<Identification> parts{};  ///< as the log names them; one where it does not
  /// 0 every part has one explanation, or only ones that nothing known tells apart; 1 some part has none; 5 some part has several.
  int exit_code() const;
};

/// `options`: op and types are the log's.
Result<LogIdentification> identify_log(const Library& library, const ObservedLog& log, const IdentifyOptions& options);

std::string log_text(const LogIdentification& identification, bool colour);
/// tiebreak.identify/1; of a log with parts an object whose `parts` are such objects.
std::string log_json(const LogIdentification& identification);

}  // namespace tiebreak
