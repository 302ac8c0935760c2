// SPDX-License-Identifier: Apache-2.0
// tiebreak eval: outputs of one op, of a program, or of cases.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "testsuite/harness/json_value.hpp"
#include "testsuite/harness/json_writer.hpp"
#include "testsuite/harness/literal_text.hpp"
#include "testsuite/harness/output_file.hpp"
#include "testsuite/harness/semantics_word.hpp"
#include "testsuite/harness/value_text.hpp"
#include "tools/tiebreak/command.hpp"
#include "tools/tiebreak/console.hpp"
#include "tools/tiebreak/tensor_argument.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* footer =
    "Examples:\n"
    "  tiebreak eval onnx.QuantizeLinear --input x=[0.5,1.5,2.5]:f32 --input y_scale=1:f32 --input y_zero_point=1:i8\n"
    "  tiebreak eval stablehlo.add --input 'lhs=[1,2]:!quant.uniform<i8:f32, 0.5>' --input 'rhs=[3,4]:!quant.uniform<i8:f32, 0.5>' \\\n"
    "                --result 'tensor<2x!quant.uniform<i8:f32, 0.5>>'\n"
    "  tiebreak eval model.mlir --input arg0=[1,2,3]:f32\n"
    "  tiebreak eval onnx.QuantizeLinear -k '*/example-2' --profile onnx --json\n"
    "\n"
    "With --input the first word is an op or a program file; without, it selects cases as for check.\n"
    "Values are exact: 0.1:f32 is the f32 nearest to one tenth, 0x1.99999ap-4 is that value itself.";

struct Options {
  SelectionText selection;
  std::vector<std::string> inputs, attributes, results;
  std::string profile = "reference", engine = "fast", version, json;
};

/// A program from a file, its inputs from the command line.
Result<Case> program_case(const std::string& path, const Options& options) {
  Case test;
  test.source = path;
  test.id = path;
  if (path.ends_with(".onnx")) {
    TIEBREAK_TRY(program, read_onnx_file(path));
    test.program = std::move(program);
  } else {
    TIEBREAK_TRY(text, read_text_file(path));
    TIEBREAK_TRY(parsed, parse_mlir(text, path));
    if (parsed.functions.size() != 1)
      return fail(Errc::usage, "the file has " + std::to_string(parsed.functions.size()) + " functions, not one", path);
    test.program = std::move(parsed.functions[0]);
  }
  std::vector<NamedTensor> given;
  for (const std::string& input : options.inputs) {
    TIEBREAK_TRY(tensor, parse_tensor_argument(input));
    given.push_back(std::move(tensor));
  }
  std::vector<std::string> known;
  for (ValueId id : test.program.inputs) {
    std::string name = test.program.values[static_cast<std::size_t>(id)].name;
    if (name.starts_with("%")) name = name.substr(1);
    known.push_back(name);
    const NamedTensor* found = nullptr;
    for (const NamedTensor& tensor : given) found = tensor.name == name ? &tensor : found;
    if (found == nullptr) return fail(Errc::usage, "input '" + name + "' has no value", path, "--input " + name + "=VALUE:TYPE");
    test.inputs.push_back(found->tensor);
  }
  for (const NamedTensor& tensor : given) {
    if (std::find(known.begin(), known.end(), tensor.name) != known.end()) continue;
    std::string near = nearest(tensor.name, known);
    return fail(Errc::unknown_name, "the program has no input '" + tensor.name + "'", path,
                near.empty() ? "" : "did you mean '" + near + "'?");
  }
  return test;
}

Result<Case> op_case(const Library& library, const std::string& op, const Options& options) {
  OpInputs call{op, {}, {}, {}, 0, "eval " + op};
  for (const std::string& input : options.inputs) {
    TIEBREAK_TRY(tensor, parse_tensor_argument(input));
    call.inputs.push_back(std::move(tensor));
  }
  for (const std::string& attribute : options.attributes) {
    TIEBREAK_TRY(parsed, parse_attribute_argument(attribute));
    call.attributes[parsed.first] = parsed.second;
  }
  for (const std::string& result : options.results) {
    TIEBREAK_TRY(type, parse_tensor_type(result, "--result"));
    call.result_types.push_back(type);
  }
  if (!options.version.empty()) {
    TIEBREAK_TRY(version, parse_count(options.version, "--op-version"));
    call.version = static_cast<int>(std::min<std::uint64_t>(version, 1000000));
  }
  Case test;
  test.id = op;
  TIEBREAK_CHECK(build_op_case(library, std::move(call), test));
  return test;
}

Result<std::vector<Case>> cases_for(const Library& library, const Options& options) {
  bool called = !options.inputs.empty() || !options.attributes.empty() || !options.results.empty();
  if (!called) {
    TIEBREAK_TRY(selection, to_selection(options.selection));
    selection.preferred_profile = options.profile;
    return select_cases(library, selection);
  }
  if (options.selection.sources.size() != 1)
    return fail(Errc::usage, "with --input, name one op or one program file", "eval", "tiebreak eval --help");
  const std::string& source = options.selection.sources.front();
  std::error_code error;
  TIEBREAK_TRY(test, std::filesystem::is_regular_file(source, error) ? program_case(source, options) : op_case(library, source, options));
  return std::vector<Case>{std::move(test)};
}

std::string output_text(const ResultTensor& output) {
  std::string name = output.name.starts_with("%") ? output.name.substr(1) : output.name;
  return "%" + name + ": " + tensor_text(output.tensor, output.undefined) + " : " + to_text(output.tensor.type()) + "\n";
}

void write_output(JsonWriter& json, const ResultTensor& output) {
  json.begin_object().member("name", output.name).member("type", to_text(output.tensor.type())).key("values").begin_array();
  for (std::int64_t i = 0; i < output.tensor.size(); ++i) {
    bool undefined = !output.undefined.empty() && output.undefined[static_cast<std::size_t>(i)] != 0;
    json.value(undefined ? "undefined" : value_text(output.tensor.value(i)));
  }
  json.end_array().end_object();
}

Result<int> run(const Options& options) {
  TIEBREAK_TRY(engine, parse_engine(options.engine));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(cases, cases_for(*library, options));
  if (cases.empty()) {
    print_error({Errc::usage, "nothing is selected", "", "tiebreak case list"});
    return nothing_selected;
  }
  // PROFILE:CHOICE=ALTERNATIVE speaks of the choices of the op that is called.
  const Program& first = cases.front().program;
  TIEBREAK_TRY(profile, parse_semantics(*library, first.operations.empty() ? "" : first.operations.front().op, options.profile));
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.eval/1").member("profile", profile.name).key("cases").begin_array();
  std::string text;
  for (const Case& test : cases) {
    if (test.unusable) return tl::unexpected<Error>(*test.unusable);
    Result<std::vector<ResultTensor>> outputs = evaluate(*library, profile, test.program, test.inputs, engine);
    bool expected_error = !outputs && outputs.error().code == Errc::constraint && !test.expected_error.empty();
    if (!outputs && !expected_error)
      return fail(outputs.error().code, outputs.error().what, outputs.error().where.empty() ? test.id : outputs.error().where,
                  outputs.error().hint);
    if (cases.size() > 1) text += "// " + test.id + "\n";
    json.begin_object().member("id", test.id);
    if (expected_error) {
      text += "// error " + outputs.error().what + "\n";
      json.member("error", outputs.error().what);
    } else {
      json.key("outputs").begin_array();
      for (const ResultTensor& output : *outputs) {
        text += output_text(output);
        write_output(json, output);
      }
      json.end_array();
    }
    json.end_object();
  }
  json.end_array().end_object();
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  TIEBREAK_CHECK(print(options.json == "-" ? json.text() : text));
  return success;
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("eval", "Compute the outputs of an op, a program or cases");
  add_selection(*sub, options->selection);
  sub->add_option("--input", options->inputs, "NAME=VALUE:TYPE, for each operand of the op or input of the program")
      ->type_name("NAME=VALUE:TYPE")
      ->allow_extra_args(false);
  sub->add_option("--attribute", options->attributes, "NAME=VALUE of the op; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--result", options->results, "type of a result that the op leaves open: tensor<2xi8>; may be repeated")
      ->type_name("TYPE")
      ->allow_extra_args(false);
  sub->add_option("--op-version", options->version, "opset or dialect version of the op (default: the newest)")->type_name("N");
  sub->add_option("-p,--profile", options->profile, "semantics to compute (default reference)")->type_name("PROFILE");
  sub->add_option("--engine", options->engine, "fast (default), exact, or both and compare")->type_name("ENGINE");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->footer(footer);
  sub->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tiebreak::command
