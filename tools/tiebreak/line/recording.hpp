// SPDX-License-Identifier: Apache-2.0
// --record FOLDER, on every subcommand that asks one backend.
#pragma once
#include <memory>
#include <string>

#include "testsuite/backends/recorded_backend.hpp"
#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

void add_record_option(Verb& app, std::string& folder);
/// nullptr where nothing is to be recorded.
Result<std::unique_ptr<RecordingBackend>> recording_of(Backend& backend, const std::string& folder);
/// Writes the record, if there is one, and says on standard error what is in it.
Status finish_record(RecordingBackend* recording, bool complete, const std::string& folder);

}  // namespace tiebreak::command
