// SPDX-License-Identifier: Apache-2.0
// tiebreak export: what a case is made of, and what it must give, as files for hardware and C.
#include <fmt/format.h>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/export/collect.hpp"
#include "testsuite/export/export_folder.hpp"
#include "testsuite/export/layer_case.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* export_footer =
    "Examples:\n"
    "  tiebreak export tflite.CONV_2D/i8/0 -o vectors --profile tflite-ref-double\n"
    "  tiebreak export testsuite/cases/onnx/QLinearConv.json --max-cases 2 -o memories --format memh,mif,sv-test\n"
    "  tiebreak export model.onnx --layer '*conv*' -o layers --profile onnx\n"
    "\n"
    "Writes FOLDER/export.json, and a folder for each case: its inputs and constants, what is expected, exact accumulators, multipliers\n"
    "and shifts, tables of functions of one code; with benches bench.c and bench.sv that check a device under test. docs/export.md";

struct ExportArguments {
  SelectionText selection;
  std::string output, profile = "reference", format;
  std::vector<std::string> layers, inputs;
  bool force = false;
};

Result<std::vector<Case>> cases_of_layers(const Library& library, const Selection& selection, const ExportArguments& options, std::optional<Profile>& profile) {
  if (selection.sources.size() != 1 || !is_model(selection.sources.front()))
    return fail(Errc::usage, "--layer is of one model: an .onnx or .tflite file, or a folder with model.onnx", "--layer",
                "tiebreak export model.onnx --layer NAME -o FOLDER");
  if (!selection.globs.empty() || selection.most != 0)
    return fail(Errc::usage, "--layer selects the layers", selection.globs.empty() ? "--max-cases" : "-k", "without -k and --max-cases");
  TIEBREAK_TRY(model, load_model(selection.sources.front(), options.inputs, selection.seed, nullptr, selection.input_shapes, library.stop()));
  TIEBREAK_TRY(semantics, semantics_of_cases(library, {&model.test}, options.profile));
  profile = std::move(semantics);
  TIEBREAK_CHECK(take_branches({library, *profile}, model));
  return layer_cases({library, *profile}, model, options.layers);
}

Result<std::vector<Case>> selected_cases(const Library& library, const ExportArguments& options, std::optional<Profile>& profile) {
  TIEBREAK_TRY(selection, to_selection(options.selection));
  selection.preferred_profile = options.profile;
  if (!options.layers.empty()) return cases_of_layers(library, selection, options, profile);
  if (!options.inputs.empty()) return fail(Errc::usage, "--inputs is of a layer's model", "--inputs", "add --layer NAME");
  if (selection.sources.empty() && selection.globs.empty())
    return fail(Errc::usage, "name a case, an op or a file of cases", "export", "tiebreak export tflite.CONV_2D/i8/0 -o FOLDER");
  TIEBREAK_TRY(cases, select_cases(library, selection));
  if (cases.empty()) return cases;
  TIEBREAK_TRY(semantics, semantics_of_cases(library, cases, options.profile));
  profile = std::move(semantics);
  return cases;
}

/// Why a case cannot be exported: others of the selection still can.
struct Refusal {
  Error error;
  int code;
};

Result<std::optional<Refusal>> add_case(const Semantics& semantics, const Case& test, const std::string& output, ExportFolder& folder, std::string& text) {
  Result<ExportedCase> exported = collect_case(semantics, test);
  TIEBREAK_CHECK(semantics.library.stop().check());
  if (!exported && exported.error().code == Errc::internal) return tl::unexpected<Error>(exported.error());
  if (!exported) return std::optional(Refusal{exported.error(), exit_code_of(exported.error())});
  if (has_no_output(*exported))
    return std::optional(Refusal{{Errc::usage, "its outputs have no element: there is nothing to hold a device against", test.id, ""}, inconclusive});
  if (has_nothing_defined(*exported)) {
    const std::string what = "profile " + semantics.profile.name + " leaves every element of the outputs undefined: there is nothing to hold a device against";
    return std::optional(Refusal{{Errc::usage, what, test.id, "--profile with one that states them"}, inconclusive});
  }
  TIEBREAK_TRY(files, folder.add(*exported));
  text += fmt::format("{}  {}, {} in {}/{}\n", exported->id, counted(exported->tensors.size(), "tensor"), counted(files, "file"), output, exported->folder);
  for (const std::string& note : exported->notes) text += "  " + note + "\n";
  return std::optional<Refusal>();
}

Result<int> run_export(const ExportArguments& options) {
  if (options.output.empty()) return fail(Errc::usage, "-o FOLDER is wanted", "export", "tiebreak export CASE -o FOLDER");
  TIEBREAK_TRY(formats, parse_export_formats(options.format));
  TIEBREAK_TRY(folder, ExportFolder::open(options.output, std::move(formats), options.force));
  TIEBREAK_TRY(library, load_library());
  std::optional<Profile> profile;
  TIEBREAK_TRY(cases, selected_cases(*library, options, profile));
  if (cases.empty()) {
    print_error({Errc::usage, "nothing is selected", "", "tiebreak case list"});
    return nothing_selected;
  }
  std::string text;
  std::optional<Refusal> refused;
  std::size_t left_out = 0;
  for (const Case& test : cases) {
    TIEBREAK_TRY(refusal, add_case({*library, *profile}, test, options.output, folder, text));
    if (!refusal) continue;
    folder.leave_out(test.id, refusal->error.what);
    text += test.id + "  left out: " + refusal->error.what + "\n";
    if (!refused) refused = std::move(refusal);
    ++left_out;
  }
  if (left_out == cases.size()) {
    print_error(refused->error);
    return refused->code;
  }
  TIEBREAK_CHECK(library->stop().check());
  TIEBREAK_CHECK(folder.finish());
  TIEBREAK_CHECK(print(text));
  return success;
}

}  // namespace

void add_export(Verb& app) {
  auto options = std::make_shared<ExportArguments>();
  Verb* sub = app.add_subcommand("export", "Write cases or layers as files for hardware and C, with test benches");
  add_selection(*sub, options->selection);
  sub->add_option("--layer", options->layers, "of a model: layers whose name, or the name of whose first result, matches this glob; may be repeated")
      ->type_name("GLOB");
  sub->add_option("--inputs", options->inputs,
                  "of that model: tensors (.npy .npz .pb .raw .bin), cases (.h5) or folder with input_0.pb ...;\nmay be repeated (default: test_data_set_0 "
                  "beside it, else drawn from --seed)")
      ->type_name("PATH");
  sub->add_option("-o,--output", options->output, "folder for the files; not there, or empty")->type_name("FOLDER");
  sub->add_flag("--force", options->force, "replace an earlier export of that name");
  sub->add_option("-p,--profile", options->profile, "semantics to compute (default reference); PROFILE:CHOICE=ALTERNATIVE,... takes\nsome choices otherwise")
      ->type_name("PROFILE");
  sub->add_option("--format", options->format, "some of " + joined_words(export_format_words(), ", ") + ", separated by commas (default all)")
      ->type_name("FORMATS");
  sub->footer = export_footer;
  sub->action = [options] { return run_export(*options); };
}

}  // namespace tiebreak::command
