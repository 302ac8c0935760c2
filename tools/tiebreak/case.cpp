// SPDX-License-Identifier: Apache-2.0
// tiebreak case: what there is to run.
#include "testsuite/text/json_writer.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/value_text.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

struct CaseArguments {
  SelectionText selection;
  std::string json;
};

Result<int> run_case_list(const CaseArguments& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(selection, to_selection(options.selection));
  TIEBREAK_TRY(ids, list_cases(*library, selection));
  std::string text;
  for (const std::string& id : ids) text += id + "\n";
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.cases/1").member("cases", ids).end_object();
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  TIEBREAK_CHECK(print(options.json == "-" ? json.text() : text));
  if (ids.empty()) print_error({Errc::usage, "nothing is selected"});
  return ids.empty() ? nothing_selected : success;
}

std::string describe(const Case& test) {
  std::string text = test.id + "\n";
  if (!test.description.empty()) text += "  " + test.description + "\n";
  text += "  source  " + test.source + "\n";
  if (test.unusable) return text + "  not supported: " + test.unusable->what + "\n";
  for (const Operation& operation : test.program.operations) {
    text += "  op      " + operation.op + (operation.version > 0 ? " version " + std::to_string(operation.version) : "") + "\n";
    for (const auto& [name, attribute] : operation.attributes) text += "    " + name + " = " + to_text(attribute) + "\n";
  }
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    const Tensor& input = test.inputs[i];
    std::string name = test.program.values[static_cast<std::size_t>(test.program.inputs[i])].name;
    text += "  input   " + name + ": " + (input.size() <= 64 ? tensor_text(input) + " : " : "") + to_text(input.type()) + "\n";
  }
  if (!test.expected_error.empty()) text += "  ill-formed on purpose: " + test.expected_error + "\n";
  return text;
}

Result<int> run_case_show(const CaseArguments& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(selection, to_selection(options.selection));
  TIEBREAK_TRY(cases, select_cases(*library, selection));
  std::string text;
  for (const Case& test : cases) text += describe(test);
  TIEBREAK_CHECK(print(text));
  if (cases.empty()) print_error({Errc::usage, "nothing is selected", "", "tiebreak case list"});
  return cases.empty() ? nothing_selected : success;
}

}  // namespace

void add_case(Verb& app) {
  auto options = std::make_shared<CaseArguments>();
  Verb* group = app.add_subcommand("case", "List and show cases");
  Verb* ids = group->add_subcommand("list", "Ids of the selected cases, one a line; each can be selected again");
  add_selection(*ids, options->selection);
  ids->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  ids->action = [options] { return run_case_list(*options); };
  Verb* one = group->add_subcommand("show", "Op, attributes and inputs of the selected cases");
  add_selection(*one, options->selection);
  one->action = [options] { return run_case_show(*options); };
}

}  // namespace tiebreak::command
