// SPDX-License-Identifier: Apache-2.0
// tiebreak eval: outputs of one op, of a program, or of cases.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/program_run.hpp"
#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "interpreter/orders/sum_interval.hpp"
#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/candidates/legal_outputs.hpp"
#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/text/value_text.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/layer_progress.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* eval_footer =
    "Examples:\n"
    "  tiebreak eval onnx.QuantizeLinear --input x=[0.5,1.5,2.5]:f32 --input y_scale=1:f32 --input y_zero_point=1:i8\n"
    "  tiebreak eval stablehlo.add --input 'lhs=[1,2]:!quant.uniform<i8:f32, 0.5>' --input 'rhs=[3,4]:!quant.uniform<i8:f32, 0.5>' \\\n"
    "                --result 'tensor<2x!quant.uniform<i8:f32, 0.5>>'\n"
    "  tiebreak eval model.mlir --input arg0=[1,2,3]:f32\n"
    "  tiebreak eval model.tflite --seed 1\n"
    "  tiebreak eval onnx.QuantizeLinear/example-2 --profile onnx --json\n"
    "\n"
    "With --input the first word is an op or a program file; without, it selects cases as for check.\n"
    "Values are exact: 0.1:f32 is the f32 nearest to one tenth, 0x1.99999ap-4 is that value itself.";

struct EvalArguments {
  SelectionText selection;
  CallText call;
  std::string profile = "reference", engine = "fast", json;
  bool interval = false, legal = false;
};

Result<std::vector<Case>> cases_for(const Library& library, const EvalArguments& options) {
  if (options.call.empty()) {
    TIEBREAK_TRY(selection, to_selection(options.selection));
    selection.preferred_profile = options.profile;
    return select_cases(library, selection);
  }
  if (options.selection.sources.size() != 1) return fail(Errc::usage, "with --input, name one op or one program file", "eval", "tiebreak eval --help");
  TIEBREAK_TRY(test, call_case(library, options.selection.sources.front(), options.call));
  return std::vector<Case>{std::move(test)};
}

std::string output_text(const ResultTensor& output) {
  return "%" + bare_name(output.name) + ": " + tensor_text(output.tensor, output.undefined) + " : " + to_text(output.tensor.type()) + "\n";
}

using Legal = std::vector<std::optional<LegalOutput>>;

void write_output(JsonWriter& json, const ResultTensor& output, const LegalOutput* legal) {
  json.begin_object().member("name", output.name).member("type", to_text(output.tensor.type())).key("values").begin_array();
  for (std::int64_t i = 0; i < output.tensor.size(); ++i) {
    json.value(output.is_undefined(i) ? "undefined" : value_text(output.tensor.value(i)));
  }
  json.end_array();
  if (legal != nullptr) {
    json.key("right").begin_array();
    for (std::int64_t i = 0; i < output.tensor.size(); ++i) json.value(legal->text(i, output));
    json.end_array();
    if (!legal->why.empty()) json.member("why", legal->why);
  }
  json.end_object();
}

/// What is right for each output, as comments under it.
std::string legal_comments(const Legal& legal, const std::vector<ResultTensor>& outputs) {
  std::string text;
  for (std::size_t o = 0; o < legal.size(); ++o) {
    if (!legal[o]) continue;
    text += fmt::format("// right for %{}: {}\n", bare_name(outputs[o].name), legal_text(*legal[o], outputs[o]));
    if (!legal[o]->why.empty()) text += "//   " + legal[o]->why + "\n";
  }
  return text;
}

/// The interval of a program of one op, as comments under its result.
Result<std::string> interval_text(const Semantics& semantics, const Case& test) {
  if (test.program.operations.size() != 1) return std::string();
  TIEBREAK_TRY(found, call_of_output(semantics, test, 0));
  TIEBREAK_TRY(place, semantics.library.find_op(found.call.op));
  if (!place.op->regions.empty()) return std::string();
  TIEBREAK_TRY(interval, sum_interval(semantics, found.call, 64));
  if (!interval) return std::string();
  std::string text = fmt::format("// any order of {} terms, rounded to {}:\n//   from {}\n//   to   {}\n", interval->terms, interval->format,
                                 tensor_text(interval->low.tensor, interval->low.undefined), tensor_text(interval->high.tensor, interval->high.undefined));
  for (std::size_t i = 0; i < interval->exact.size(); ++i)
    text += fmt::format("//   [{}] exact sum {}, at most {} away\n", i, interval->exact[i].to_decimal(), interval->bound[i].to_decimal(4));
  return text;
}

/// The outputs of a case; of a program of several operations, the terminal shows how far it is, and an interrupt says where it came.
Result<std::vector<ResultTensor>> outputs_of(const Semantics& semantics, const Case& test, const EvaluateOptions& engine) {
  std::vector<LentTensor> inputs;
  for (const Tensor& input : test.inputs) inputs.push_back(lent(input));
  const std::size_t count = test.program.operations.size();
  LayerProgress progress(count > 1);
  std::size_t at = 0;
  ProgramWatch watch;
  watch.before = [&](std::size_t operation) {
    at = operation;
    progress(operation, count, first_result(test.program, test.program.operations[operation]));
  };
  auto outputs = evaluate_program(semantics, test.program, inputs, engine, &watch);
  progress.clear();
  if (!outputs && interrupted() && count > 1)
    print_note(fmt::format("tiebreak: stopped in {} ({}), {} of {} layers done", layer_word(test.program, at), test.program.operations[at].op, at, count));
  return outputs;
}

/// One case: its outputs, and what else is right where that is asked.
Status write_case(const Semantics& semantics, const Case& test, const EvaluateOptions& engine, const EvalArguments& options, std::string& text,
                  JsonWriter& json) {
  if (test.unusable) return tl::unexpected<Error>(*test.unusable);
  Result<std::vector<ResultTensor>> outputs = outputs_of(semantics, test, engine);
  const bool expected_error = !outputs && outputs.error().code == Errc::constraint && !test.expected_error.empty();
  if (!outputs && !expected_error)
    return fail(outputs.error().code, outputs.error().what, outputs.error().where.empty() ? test.id : outputs.error().where, outputs.error().hint);
  const bool asked = !expected_error && (options.legal || options.interval);  // with --interval whatever order the profile binds
  TIEBREAK_TRY(legal, asked ? legal_outputs(semantics, test, options.interval) : Result<Legal>(Legal{}));
  TIEBREAK_TRY(interval, asked && options.interval ? interval_text(semantics, test) : Result<std::string>(""));
  json.begin_object().member("id", test.id);
  if (expected_error) {
    text += "// error " + outputs.error().what + "\n";
    json.member("error", outputs.error().what).end_object();
    return {};
  }
  json.key("outputs").begin_array();
  for (std::size_t o = 0; o < outputs->size(); ++o) {
    text += output_text((*outputs)[o]);
    write_output(json, (*outputs)[o], o < legal.size() && legal[o] ? &*legal[o] : nullptr);
  }
  json.end_array().end_object();
  if (!asked) return {};
  const std::string comments = legal_comments(legal, *outputs);
  text += interval.empty() ? comments : interval;
  if (interval.empty() && comments.empty())
    text += options.interval ? "// one result: the op has no sum or fold whose order may be another\n" : "// one result: the profile leaves nothing open\n";
  return {};
}

Result<int> run_eval(const EvalArguments& options) {
  TIEBREAK_TRY(engine, parse_engine(options.engine));
  TIEBREAK_TRY(files, OutputFiles::open({options.json}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(cases, cases_for(*library, options));
  if (cases.empty()) {
    print_error({Errc::usage, "nothing is selected", "", "tiebreak case list"});
    return nothing_selected;
  }
  TIEBREAK_TRY(profile, semantics_of_cases(*library, cases, options.profile));
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.eval/1").member("profile", profile.name);
  if (const std::vector<std::string> silent = undeclared_ops({*library, profile}, ops_of_cases(cases)); !silent.empty()) json.member("not_declared", silent);
  json.key("cases").begin_array();
  std::string text = undeclared_line({*library, profile}, ops_of_cases(cases), "// ");
  for (const Case& test : cases) {
    const std::string heading = cases.size() > 1 ? "// " + test.id + "\n" : "";
    std::string own;
    Status done = write_case({*library, profile}, test, engine, options, own, json);
    if (!done && interrupted()) break;  // what was computed before is printed
    TIEBREAK_CHECK(done);
    text += heading + own;
  }
  json.end_array().end_object();
  TIEBREAK_CHECK(deliver(files, text, {{options.json, [&] { return json.text(); }}}));
  return success;
}

}  // namespace

void add_eval(Verb& app) {
  auto options = std::make_shared<EvalArguments>();
  Verb* sub = app.add_subcommand("eval", "Compute the outputs of an op, a program or cases");
  add_selection(*sub, options->selection);
  add_call(*sub, options->call);
  sub->add_option("-p,--profile", options->profile, "semantics to compute (default reference); PROFILE:CHOICE=ALTERNATIVE,... takes\nsome choices otherwise")
      ->type_name("PROFILE");
  sub->add_option("--engine", options->engine, "fast (default), exact, or both and compare")->type_name("ENGINE");
  sub->add_flag("--legal", options->legal, "what the profile leaves open: every right result of each element, an interval, or ? where that is not known");
  sub->add_flag("--interval", options->interval,
                "what any order may give, whichever the profile takes; under float sums also exact sum, bound, least and greatest result");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->footer = eval_footer;
  sub->action = [options] { return run_eval(*options); };
}

}  // namespace tiebreak::command
