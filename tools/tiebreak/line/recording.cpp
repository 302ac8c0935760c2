// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/recording.hpp"

#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/console.hpp"

namespace tiebreak::command {

void add_record_option(Verb& app, std::string& folder) {
  app.add_option("--record", folder, "keep the backend's answers in this folder; --backend recorded:FOLDER answers from it (docs/recorded.md)")
      ->type_name("FOLDER");
}

Result<std::unique_ptr<RecordingBackend>> recording_of(Backend& backend, const std::string& folder) {
  return folder.empty() ? Result<std::unique_ptr<RecordingBackend>>() : RecordingBackend::open(backend, folder);
}

Status finish_record(RecordingBackend* recording, bool complete, const std::string& folder) {
  if (recording == nullptr) return {};
  TIEBREAK_TRY(record, recording->finish(complete));
  std::int64_t answers = 0;
  for (const RecordedFile& file : record.files) answers += file.requests;
  print_note("tiebreak: " + counted(static_cast<std::size_t>(answers), "answer") + " recorded in " + folder + (complete ? "" : ", incomplete"));
  const auto left_out = static_cast<std::size_t>(record.unanswered + record.contradicted);
  if (left_out > 0) print_note("tiebreak: warning: not recorded: " + counted(left_out, "request") + " without an answer, or with several that differ");
  return {};
}

}  // namespace tiebreak::command
