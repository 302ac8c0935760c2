// SPDX-License-Identifier: Apache-2.0
// tiebreak quantize: the forms of a quantized program, from a float program.
#include "testsuite/quantize/quantize.hpp"

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/quantize/compare_forms.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/data_options.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/program_file.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* quantize_footer =
    "Examples:\n"
    "  tiebreak quantize layer.mlir --recipe recipe.json --parameters parameters.json -o forms\n"
    "  tiebreak quantize layer.mlir --recipe recipe.json --seed 1 --batches 2 -o forms --compare\n"
    "  tiebreak quantize layer.mlir --recipe recipe.json --parameters parameters.json -o annotated --annotate\n"
    "  tiebreak quantize layer.mlir --recipe recipe.json --batches 8 --provider percentile:share=0.99 -o forms\n"
    "\n"
    "Writes FOLDER/simulated.onnx, fake.onnx, qdq.onnx, integer.onnx (.mlir of an MLIR program), parameters.json and report.json. docs/quantize.md";

struct QuantizeArguments {
  std::vector<std::string> model;
  std::string recipe, parameters, output, profile, derive = "onnxruntime-tool", provider, timeout = "60";
  DataText data{};
  bool compare = false, annotate = false;
};

Status write_forms(const QuantizedForms& made, const QuantizeArguments& options) {
  TIEBREAK_CHECK(make_output_folder(options.output));
  for (const auto& [form, written] : made.forms) {
    const std::string path = options.output + "/" + to_word(form) + (made.program->file.ends_with(".onnx") ? ".onnx" : ".mlir");
    TIEBREAK_TRY(content, file_content(written.program, path));
    TIEBREAK_CHECK(write_file(path, content));
  }
  TIEBREAK_CHECK(write_file(options.output + "/parameters.json", parameters_json(made.parameters)));
  return write_file(options.output + "/report.json", quantize_report_json(made, options.model.front()));
}

Status check_words(const QuantizeArguments& options) {
  if (options.model.size() != 1) return fail(Errc::usage, "name one model", "quantize", "tiebreak quantize model.onnx --recipe recipe.json -o forms");
  if (options.recipe.empty() || options.output.empty()) return fail(Errc::usage, "--recipe and --output are wanted", "quantize", "tiebreak quantize --help");
  if (!options.parameters.empty() && !options.data.data.empty() && !options.compare)
    return fail(Errc::usage, "--data has no use beside --parameters, but with --compare", "quantize", "tiebreak quantize --help");
  if (!options.parameters.empty() && !options.provider.empty())
    return fail(Errc::usage, "--provider has no use beside --parameters", "quantize", "tiebreak calibrate makes parameters, too");
  return {};
}

Result<ParameterSet> find_parameters(const Semantics& semantics, const Semantics& derivation, const Program& program, const Recipe& recipe,
                                     const std::vector<Batch>& batches, const QuantizeArguments& options) {
  if (!options.parameters.empty()) return read_parameters(options.parameters);
  MeasureOptions measure;
  if (!options.provider.empty()) measure.provider = options.provider;
  TIEBREAK_TRY(seconds, parse_seconds(options.timeout, "--timeout"));
  measure.program.timeout_seconds = seconds;
  return measured_parameters(semantics, derivation, program, recipe, batches, measure);
}

Result<int> run_quantize(const QuantizeArguments& options) {
  TIEBREAK_CHECK(check_words(options));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(program, read_program(options.model.front()));
  TIEBREAK_CHECK(close_shapes(program, options.data));
  TIEBREAK_TRY(recipe, read_recipe(options.recipe));
  TIEBREAK_CHECK(check_recipe(recipe, program));
  const std::string wanted = !options.profile.empty() ? options.profile : has_onnx_operators(program) ? "onnx" : "reference";
  TIEBREAK_TRY(profile, library->find_profile(wanted));
  TIEBREAK_TRY(derive, library->find_profile(options.derive));
  const Semantics semantics{*library, *profile}, derivation{*library, *derive};
  ParameterSet parameters;
  std::vector<Batch> batches;
  if (options.parameters.empty() || options.compare) {
    TIEBREAK_TRY(made, batches_of(program, options.model.front(), options.data));
    batches = std::move(made);
  }
  TIEBREAK_TRY(found, find_parameters(semantics, derivation, program, recipe, batches, options));
  TIEBREAK_TRY(made, quantize_program(derivation, program, recipe, found, options.annotate));
  TIEBREAK_CHECK(write_forms(made, options));
  TIEBREAK_CHECK(print(quantize_report_text(made)));
  if (!options.compare) return success;
  TIEBREAK_TRY(comparison, compare_forms(semantics, derivation, made, batches));
  TIEBREAK_CHECK(print(comparison_text(comparison)));
  return success;
}

}  // namespace

void add_quantize(Verb& app) {
  auto options = std::make_shared<QuantizeArguments>();
  Verb* sub = app.add_subcommand("quantize", "Make the forms of a quantized program from a float program");
  sub->add_option("MODEL", options->model, "a float program: .onnx, or .mlir of stablehlo")->type_name("");
  sub->add_option("--recipe", options->recipe, "what is quantized how (JSON, docs/quantize.md)")->type_name("FILE");
  sub->add_option("--parameters", options->parameters, "parameters of the tensors; without: chosen from the data, as calibrate does")->type_name("FILE");
  add_data(*sub, options->data);
  sub->add_option("--provider", options->provider, "who chooses ranges from the data, as for calibrate (default min_max)")->type_name("PROVIDER");
  sub->add_option("--timeout", options->timeout, "of a provider that is a program, for one tensor (default 60)")->type_name("SECONDS");
  sub->add_option("-o,--output", options->output, "folder for the forms")->type_name("FOLDER");
  sub->add_option("-p,--profile", options->profile, "semantics by which programs run (default onnx, of MLIR reference)")->type_name("PROFILE");
  sub->add_option("--derive", options->derive, "semantics of parameters and constant codes (default onnxruntime-tool)")->type_name("PROFILE");
  sub->add_flag("--annotate", options->annotate, "write parameters and where they come from at the values, as quantize_info");
  sub->add_flag("--compare", options->compare, "run the forms on the data: where they part, operator by operator");
  sub->footer = quantize_footer;
  sub->action = [options] { return run_quantize(*options); };
}

}  // namespace tiebreak::command
