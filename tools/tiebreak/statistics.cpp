// SPDX-License-Identifier: Apache-2.0
// tiebreak statistics: how much forms of a program differ from it, value by value.
#include <algorithm>
#include <filesystem>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/statistics/side_values.hpp"
#include "testsuite/statistics/statistics.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/data_options.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace fs = std::filesystem;

namespace tiebreak::command {
namespace {

constexpr const char* statistics_footer =
    "Examples:\n"
    "  tiebreak statistics net.mlir@net net.mlir@codes --input x=[[0.3,-1.2],[0.8,9]]:f32\n"
    "  tiebreak statistics net.mlir@codes --profile reference --against stablehlo-interpreter --input x=[[0.3,-1.2],[0.8,9]]:f32 --growth\n"
    "\n"
    "The first program is the reference, unless --model names it; a folder stands for the .onnx and .mlir files in it, and for its parameters.json.\n"
    "Values are matched by name: x of a form, else its codes x.q with their parameters, stand for x of the reference.\n"
    "Data are tensors (.pb), files of cases (.h5) and folders with input_0.pb or with such folders: each case and each folder is a batch.";

struct StatisticsArguments {
  std::vector<std::string> programs;
  std::string model, parameters, profile = "reference", against, axis, elements = "8", json, markdown, html;
  bool growth = false, no_ties = false;
  CallText call{};
  DataText data{};
};

/// What a folder of forms holds, in the order of names.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".onnx" || entry.path().extension() == ".mlir") found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

/// The programs that are named, folders opened; the reference first.
Result<std::vector<std::string>> named_programs(StatisticsArguments& options) {
  std::vector<std::string> names;
  std::error_code error;
  if (!options.model.empty()) names.push_back(options.model);
  for (const std::string& word : options.programs) {
    if (!fs::is_directory(word, error)) {
      names.push_back(word);
      continue;
    }
    const std::vector<std::string> found = files_of(word);
    if (found.empty()) return fail(Errc::usage, "no .onnx or .mlir file in this folder", word, "name program files, or a folder of forms");
    names.insert(names.end(), found.begin(), found.end());
    if (const fs::path beside = fs::path(word) / "parameters.json"; options.parameters.empty() && fs::exists(beside, error))
      options.parameters = beside.string();
  }
  if (names.empty()) return fail(Errc::usage, "no program is named", "statistics", "tiebreak statistics float.onnx form.onnx --data DATA");
  if (names.size() == 1 && options.against.empty())
    return fail(Errc::usage, "one program alone is compared with itself under another profile", "statistics", "--against PROFILE");
  if (names.size() == 1) names.push_back(names.front());
  return names;
}

/// The reference's program and its data.
Result<std::vector<Batch>> load_reference(const Library& library, const std::string& word, const StatisticsArguments& options, StatisticsSide& reference) {
  if (!options.call.inputs.empty()) {
    if (!options.data.data.empty()) return fail(Errc::usage, "--data and --input both say what the inputs are", word, "one of them");
    TIEBREAK_TRY(test, call_case(library, word, options.call));
    reference.program = test.program;
    return std::vector<Batch>{{test.inputs, {"the command line"}}};
  }
  const std::string path = model_path(word);
  TIEBREAK_TRY(program, read_program(path));
  TIEBREAK_CHECK(close_shapes(program, options.data));
  reference.program = std::move(program);
  return batches_of(reference.program, path, options.data);
}

/// What a word stands for on the first batch: whether a choice has an effect shows where the program runs.
Result<Profile> profile_of_side(const Library& library, const StatisticsSide& reference, const std::vector<Batch>& batches, const StatisticsSide& side,
                                const std::string& word) {
  Case test;
  test.id = side.program.file;
  test.program = side.program;
  TIEBREAK_TRY(inputs, inputs_of_form(reference.program, batches.front(), side.program, side.name));
  test.inputs = std::move(inputs);
  return semantics_of_cases(library, std::vector<const Case*>{&test}, word);
}

Result<StatisticsOptions> options_of(const StatisticsArguments& arguments) {
  StatisticsOptions options;
  options.growth = arguments.growth;
  options.ties = !arguments.no_ties;
  TIEBREAK_TRY(elements, parse_count(arguments.elements, "--elements"));
  options.growth_elements = elements;
  TIEBREAK_TRY(axis, parse_axis(arguments.axis));
  options.axis = axis;
  return options;
}

Result<int> run_statistics(StatisticsArguments& arguments) {
  TIEBREAK_TRY(names, named_programs(arguments));
  TIEBREAK_TRY(files, OutputFiles::open({arguments.json, arguments.markdown, arguments.html}));
  TIEBREAK_TRY(options, options_of(arguments));
  TIEBREAK_TRY(library, load_library());
  ParameterSet parameters;
  if (!arguments.parameters.empty()) {
    TIEBREAK_TRY(read, read_parameters(arguments.parameters));
    parameters = std::move(read);
  }
  StatisticsSide reference{names.front(), {}, {}};
  TIEBREAK_TRY(batches, load_reference(*library, names.front(), arguments, reference));
  TIEBREAK_TRY(profile, profile_of_side(*library, reference, batches, reference, arguments.profile));
  reference.profile = profile;
  std::vector<StatisticsSide> forms;
  for (std::size_t i = 1; i < names.size(); ++i) {
    StatisticsSide form{names[i], {}, {}};
    if (names[i] == names.front()) {
      form.program = reference.program;
    } else {
      TIEBREAK_TRY(program, read_program(names[i]));
      form.program = std::move(program);
    }
    TIEBREAK_TRY(own, profile_of_side(*library, reference, batches, form, arguments.against.empty() ? arguments.profile : arguments.against));
    form.profile = own;
    forms.push_back(std::move(form));
  }
  TIEBREAK_TRY(report, collect_statistics(*library, reference, forms, parameters, batches, options));
  TIEBREAK_CHECK(deliver(files, statistics_text(report),
                         {{arguments.json, [&] { return statistics_json(report); }},
                          {arguments.markdown, [&] { return statistics_markdown(report); }},
                          {arguments.html, [&] { return statistics_html(report); }}}));
  return success;
}

}  // namespace

void add_statistics(Verb& app) {
  auto options = std::make_shared<StatisticsArguments>();
  Verb* sub = app.add_subcommand("statistics", "How much forms of a program differ from it: SQNR, errors, saturation, ties, codes, growth");
  sub->add_option("PROGRAM", options->programs, "the reference and its forms: files, FILE@FUNCTION, or a folder of forms")->type_name("");
  sub->add_option("--model", options->model, "the reference, if it is not the first program")->type_name("FILE");
  sub->add_option("--parameters", options->parameters, "of the codes x.q (tiebreak.parameters/1; default: parameters.json of the folder of forms)")
      ->type_name("FILE");
  add_data(*sub, options->data);
  sub->add_option("--input", options->call.inputs, "NAME=VALUE:TYPE of an input, in place of --data: one batch")->type_name("NAME=VALUE:TYPE");
  sub->add_option("-p,--profile", options->profile, "semantics of the reference, and of forms without --against (default reference)")->type_name("PROFILE");
  sub->add_option("--against", options->against, "semantics of the forms")->type_name("PROFILE");
  sub->add_option("--axis", options->axis, "of the arg max (default: the last one)")->type_name("N");
  sub->add_flag("--no-ties", options->no_ties, "leave out how many codes come from a tie, which the exact evaluator says");
  sub->add_flag("--growth", options->growth, "what becomes of one code more at each value of codes, on the first batch");
  sub->add_option("--elements", options->elements, "elements that get one code more, one at a time (default 8)")->type_name("N");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->add_option("--markdown", options->markdown, "as a comment for a pull request")->type_name("FILE");
  sub->add_option("--html", options->html, "as a page with pictures")->type_name("FILE");
  sub->footer = statistics_footer;
  sub->action = [options] { return run_statistics(*options); };
}

}  // namespace tiebreak::command
