// SPDX-License-Identifier: Apache-2.0
// tiebreak quantize: the forms of a quantized program, from a float program.
#include "testsuite/quantize/quantize.hpp"

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/generate/generate.hpp"
#include "testsuite/layers/model.hpp"
#include "testsuite/quantize/compare_forms.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* quantize_footer =
    "Examples:\n"
    "  tiebreak quantize layer.mlir --recipe recipe.json --parameters parameters.json -o forms\n"
    "  tiebreak quantize layer.mlir --recipe recipe.json --seed 1 --batches 2 -o forms --compare\n"
    "\n"
    "Writes FOLDER/simulated.onnx, fake.onnx, qdq.onnx, integer.onnx (.mlir of an MLIR program), parameters.json and report.json. docs/quantize.md";

struct QuantizeArguments {
  std::vector<std::string> model;
  std::string recipe, parameters, seed = "0", batches = "1", output, profile, derive = "onnxruntime-tool";
  std::vector<std::string> data, shapes;
  bool compare = false;
};

using Batches = std::vector<std::vector<Tensor>>;

/// NAME=1x3x8x8
Status set_shape(Program& program, const std::string& text) {
  const std::size_t equals = text.find('=');
  for (const ValueId id : program.inputs) {
    ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    if (equals == std::string::npos || value.name != text.substr(0, equals)) continue;
    Shape shape;
    std::string rest = text.substr(equals + 1) + "x";
    for (std::size_t cross = rest.find('x'); cross != std::string::npos; cross = rest.find('x')) {
      TIEBREAK_TRY(extent, integer_of_text(rest.substr(0, cross), "--input-shape " + text));
      shape.push_back(extent);
      rest.erase(0, cross + 1);
    }
    TIEBREAK_CHECK(element_count(shape));
    value.type = TensorType{*ElementType::parse("f32"), shape, {}};
    return {};
  }
  return fail(Errc::usage, "'" + text + "' names no input", "--input-shape", "--input-shape x=1x3x32x32");
}

Result<Batches> draw(const Program& program, std::uint64_t seed, std::uint64_t count) {
  Batches batches;
  for (std::uint64_t batch = 0; batch < count; ++batch) {
    batches.emplace_back();
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      const ProgramValue& value = program.values[static_cast<std::size_t>(program.inputs[i])];
      const std::string where = program.file + ": input '" + value.name + "'";
      if (!value.type)
        return fail(Errc::usage, "the model leaves the shape open, so that no input can be drawn", where, "--input-shape " + value.name + "=1x3x32x32");
      InputRequest request{.rule = "random", .type = *value.type, .seed = seed + batch * program.inputs.size() + i, .where = where};
      if (value.type->element.is_float()) request.numbers = {{"min", Real(-2)}, {"max", Real(2)}};
      TIEBREAK_TRY(made, generate_input(request));
      batches.back().push_back(std::move(made));
    }
  }
  return batches;
}

Result<Batches> batches_of(const Program& program, const QuantizeArguments& options) {
  TIEBREAK_TRY(seed, parse_count(options.seed, "--seed"));
  TIEBREAK_TRY(count, parse_count(options.batches, "--batches"));
  if (options.data.empty()) return draw(program, seed, count);
  if (!has_onnx_operators(program)) return fail(Errc::unsupported, "--data is read for ONNX models only", options.model.front(), "--seed N --batches K");
  Batches batches;
  for (const std::string& set : options.data) {
    TIEBREAK_TRY(model, load_model(options.model.front(), {set}, seed));
    batches.push_back(std::move(model.test.inputs));
  }
  return batches;
}

Status write_forms(const QuantizedForms& made, const QuantizeArguments& options) {
  TIEBREAK_CHECK(make_output_folder(options.output));
  for (const auto& [form, written] : made.forms) {
    const std::string stem = options.output + "/" + to_word(form);
    if (!made.program->file.ends_with(".onnx")) {
      TIEBREAK_CHECK(write_file(stem + ".mlir", print_mlir(written.program)));
      continue;
    }
    TIEBREAK_TRY(bytes, write_onnx_model(written.program));
    TIEBREAK_CHECK(write_file(stem + ".onnx", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  }
  TIEBREAK_CHECK(write_file(options.output + "/parameters.json", parameters_json(made.parameters)));
  return write_file(options.output + "/report.json", quantize_report_json(made, options.model.front()));
}

Result<int> run_quantize(const QuantizeArguments& options) {
  if (options.model.size() != 1) return fail(Errc::usage, "name one model", "quantize", "tiebreak quantize model.onnx --recipe recipe.json -o forms");
  if (options.recipe.empty() || options.output.empty()) return fail(Errc::usage, "--recipe and --output are wanted", "quantize", "tiebreak quantize --help");
  if (!options.parameters.empty() && !options.data.empty() && !options.compare)
    return fail(Errc::usage, "--data has no use beside --parameters, but with --compare", "quantize", "tiebreak quantize --help");
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(program, read_program(options.model.front()));
  for (const std::string& shape : options.shapes) TIEBREAK_CHECK(set_shape(program, shape));
  TIEBREAK_TRY(recipe, read_recipe(options.recipe));
  TIEBREAK_CHECK(check_recipe(recipe, program));
  const std::string wanted = !options.profile.empty() ? options.profile : has_onnx_operators(program) ? "onnx" : "reference";
  TIEBREAK_TRY(profile, library->find_profile(wanted));
  TIEBREAK_TRY(derive, library->find_profile(options.derive));
  const Semantics semantics{*library, *profile}, derivation{*library, *derive};
  ParameterSet parameters;
  Batches batches;
  if (options.parameters.empty() || options.compare) {
    TIEBREAK_TRY(made, batches_of(program, options));
    batches = std::move(made);
  }
  TIEBREAK_TRY(found, options.parameters.empty() ? min_max_parameters(semantics, derivation, program, recipe, batches) : read_parameters(options.parameters));
  TIEBREAK_TRY(made, quantize_program(derivation, program, recipe, found));
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
  sub->add_option("--parameters", options->parameters, "parameters of the tensors; without: least and greatest number on the data")->type_name("FILE");
  sub->add_option("--data", options->data, "a batch: a folder with input_0.pb ..., a .pb or .h5 file; none: drawn from the seed")->type_name("PATH");
  sub->add_option("--input-shape", options->shapes, "NAME=1x3x32x32: of an input whose shape the model leaves open")->type_name("NAME=SHAPE");
  sub->add_option("--seed", options->seed, "of inputs that are drawn (default 0)")->type_name("N");
  sub->add_option("--batches", options->batches, "how many are drawn (default 1)")->type_name("N");
  sub->add_option("-o,--output", options->output, "folder for the forms")->type_name("FOLDER");
  sub->add_option("-p,--profile", options->profile, "semantics by which programs run (default onnx, of MLIR reference)")->type_name("PROFILE");
  sub->add_option("--derive", options->derive, "semantics of parameters and constant codes (default onnxruntime-tool)")->type_name("PROFILE");
  sub->add_flag("--compare", options->compare, "run the forms on the data: where they part, operator by operator");
  sub->footer = quantize_footer;
  sub->action = [options] { return run_quantize(*options); };
}

}  // namespace tiebreak::command
