// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/identify_all_ops.hpp"

#include "testsuite/survey/identify_all_ops.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"

namespace tiebreak::command {
namespace {

SurveyedBackend opened(const std::string& typed, const BackendOptions& shared) {
  SurveyedBackend one;
  one.name = typed;
  Result<std::unique_ptr<Backend>> backend = open_backend(typed, shared);
  if (!backend) {
    one.trouble = backend.error().what;
    return one;
  }
  Result<BackendDescription> description = (*backend)->describe();
  if (!description) {
    one.trouble = description.error().what;
    return one;
  }
  one.description = *description;
  one.backend = *std::move(backend);
  return one;
}

}  // namespace

Result<std::vector<SurveyedBackend>> open_all(std::vector<std::string> names, bool installed, const AdapterText& adapter) {
  TIEBREAK_TRY(shared, to_backend_options(adapter));
  if (installed)
    for (const std::string& name : Backend::available())
      if (name != "reference" && name != "faulty") names.push_back(name);
  std::vector<SurveyedBackend> backends;
  for (const std::string& name : names) backends.push_back(opened(name, shared));
  return backends;
}

Result<int> run_survey(const SurveyText& text, const AdapterText& adapter, const IdentifyOptions& settings) {
  TIEBREAK_TRY(files, OutputFiles::open({text.json, text.markdown}));
  TIEBREAK_TRY(backends, open_all(text.backends, text.installed, adapter));
  TIEBREAK_TRY(library, load_library());
  SurveyOptions options;
  options.each = settings;
  if (!settings.op.empty()) options.ops = {settings.op};
  Progress progress("ops asked", !text.quiet);
  options.progress = [&](std::size_t done, std::size_t total) { progress(done, total); };
  // Where nobody looks there is nothing to write over: a log gets a line for each row.
  if (!text.quiet && !progress.is_shown()) options.finished = [](const SurveyedBackend& one, const SurveyRow& row) { print_note(survey_line(one, row)); };
  TIEBREAK_TRY(found, survey(*library, std::move(backends), options));
  progress.clear();
  if (found.is_empty()) {
    print_error({Errc::usage, "nothing is selected: no backend named here lists " + (settings.op.empty() ? "an op" : "an op '" + settings.op + "'"), "--op",
                 "tiebreak backend info BACKEND prints the ops that it lists; in a glob * stands for any characters, ? for one"});
    return nothing_selected;
  }
  found.context["command"] = command_line();
  TIEBREAK_CHECK(
      deliver(files, survey_text(found), {{text.json, [&] { return survey_json(found); }}, {text.markdown, [&] { return survey_markdown(found); }}}));
  return found.exit_code();
}

}  // namespace tiebreak::command
