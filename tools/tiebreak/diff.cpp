// SPDX-License-Identifier: Apache-2.0
// tiebreak diff: for which inputs, all of them considered, two semantics differ.
#include "testsuite/diff/diff_semantics.hpp"

#include <algorithm>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/op_program.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/tensor_argument.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* diff_footer =
    "Examples:\n"
    "  tiebreak diff tflite-ref-double tflite-ref-single    # exit 1: they differ\n"
    "  tiebreak diff onnx onnx:tie=away onnx.QuantizeLinear --input 'x=*:f32' --input y_scale=0.01..10/200:f32 --input y_zero_point=0,3:u8    # exit 1\n"
    "  tiebreak diff reference reference:code=two_stages --input y_scale=100:f32 --svg map.svg    # exit 1\n"
    "  tiebreak diff --matrix --input y_scale=4,12,100:f32    # exit 1\n"
    "\n"
    "A and B are profiles, or PROFILE:CHOICE=ALTERNATIVE,... One operand is varied over all values of its type: NAME=*:TYPE. The others take\n"
    "one value (4), a list (0.1,0.3), every integer of a range (-128..127), or N geometric steps of floats (0.01..10/200).\n"
    "Without an op: quant.requantize over every i32 accumulator, for 64 scales and 3 zero points.\n"
    "Exit 0: equal on all inputs, 1: they differ.";

struct DiffArguments {
  std::vector<std::string> words, inputs, attributes, results;
  bool matrix = false;
  std::string version, json, svg, jobs = "1", show = "10";
};

const std::vector<std::string> default_inputs{"acc=*:i32", "x_scale=1:f32", "y_scale=1..4096/64:f32", "y_zero_point=0,-5,127:i32"};

struct Given {
  std::string name, values, type;
};

Result<Given> parse_given(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return fail(Errc::usage, "'" + text + "' has no NAME=", "--input", "--input 'x=*:f32'");
  const std::string rest = text.substr(equals + 1);
  const std::size_t colon = rest.find(':');
  if (colon == std::string::npos) return fail(Errc::usage, "the value has no type", "--input " + text, text + ":f32");
  return Given{text.substr(0, equals), rest.substr(0, colon), rest.substr(colon + 1)};
}

Result<std::vector<Given>> all_given(const DiffArguments& options, bool with_defaults) {
  std::vector<Given> all;
  for (const std::string& input : options.inputs) {
    TIEBREAK_TRY(given, parse_given(input));
    all.push_back(given);
  }
  if (!with_defaults) return all;
  for (const std::string& input : default_inputs) {
    TIEBREAK_TRY(given, parse_given(input));
    if (std::ranges::find(all, given.name, &Given::name) == all.end()) all.push_back(given);
  }
  return all;
}

/// Operands with one value stay in the call; lists and ranges become axes of the sweep.
Result<DiffQuestion> question_of(const Library& library, const std::string& op, const DiffArguments& options) {
  OpInputs call{op, {}, {}, {}, 0, "diff " + op};
  DiffQuestion question;
  std::vector<SweepAxis> axes;
  TIEBREAK_TRY(all, all_given(options, op == "quant.requantize"));
  for (const Given& given : all) {
    const std::string where = "--input " + given.name + "=" + given.values + ":" + given.type;
    TIEBREAK_TRY(type, parse_element_text(given.type, {}, where));
    TIEBREAK_TRY(tensor, Tensor::zeros(type));
    if (given.values == "*") {
      if (!question.varied.empty()) return fail(Errc::usage, "two operands are varied: " + question.varied + " and " + given.name, where);
      question.varied = given.name;
    } else {
      TIEBREAK_TRY(values, parse_values(given.values, type.element, where));
      tensor.set_code(0, *type.element.encode(values.front()));
      if (values.size() > 1) axes.push_back({given.name, given.type, values});
      else if (given.name.find('.') == std::string::npos) question.reproduce.push_back("--input " + given.name + "=" + given.values + ":" + given.type);
    }
    if (given.name.find('.') == std::string::npos) call.inputs.push_back({given.name, std::move(tensor)});
  }
  if (question.varied.empty()) return fail(Errc::usage, "no operand is varied", "diff " + op, "--input 'NAME=*:TYPE'");
  for (const std::string& attribute : options.attributes) {
    TIEBREAK_TRY(parsed, parse_attribute_argument(attribute));
    call.attributes[parsed.first] = parsed.second;
    question.reproduce.push_back("--attribute " + attribute);
  }
  for (const std::string& result : options.results) {
    TIEBREAK_TRY(type, parse_element_text(result, {}, "--result " + result));
    call.result_types.push_back(type);
    question.reproduce.push_back("--result '" + result + "'");
  }
  if (!options.version.empty()) {
    TIEBREAK_TRY(version, parse_count(options.version, "--op-version"));
    call.version = static_cast<int>(std::min<std::uint64_t>(version, 1000000));
  }
  Case test;
  test.id = op;
  TIEBREAK_CHECK(build_op_case(library, std::move(call), test));
  TIEBREAK_TRY(reference, library.find_profile("reference"));
  TIEBREAK_TRY(bound, call_of_output({library, *reference}, test, 0));
  question.call = bound.call;
  question.sweep = Sweep(std::move(axes));
  TIEBREAK_TRY(jobs, parse_jobs(options.jobs));
  question.jobs = jobs;
  question.interrupted = interrupted;
  if (question.sweep.size() > 4000000)
    return fail(Errc::usage, std::to_string(question.sweep.size()) + " parameter sets are too many", "diff " + op, "at most 4000000");
  return question;
}

/// Half a picture is none.
std::string picture_of(const DiffArguments& options, bool incomplete) { return incomplete ? "" : options.svg; }

Result<int> run_diff_matrix(const Library& library, const DiffArguments& options, OutputFiles& files) {
  // Words that are ops name the op; the rest are semantics. Without any: every profile.
  std::string op = "quant.requantize";
  std::vector<std::string> names;
  for (const std::string& word : options.words) {
    if (library.op_place(word)) op = word;
    else names.push_back(word);
  }
  const bool names_given = !names.empty();
  if (!names_given) {
    names.push_back("reference");
    for (const auto& [name, profile] : library.profiles())
      if (name != "reference") names.push_back(name);
  }
  std::vector<Profile> semantics;
  for (const std::string& name : names) {
    TIEBREAK_TRY(profile, parse_semantics(library, op, name));
    semantics.push_back(profile);
  }
  // All profiles were not asked for by name; those that say nothing are one class with the pages' own readings.
  std::string undeclared;
  for (std::size_t i = 0; i < semantics.size() && names_given; ++i) undeclared += undeclared_line({library, semantics[i]}, {op});
  TIEBREAK_TRY(question, question_of(library, op, options));
  TIEBREAK_TRY(matrix, diff_matrix(library, semantics, question));
  TIEBREAK_CHECK(deliver(
      files, undeclared + matrix_text(matrix, question),
      {{picture_of(options, matrix.incomplete), [&] { return matrix_svg(matrix, question); }}, {options.json, [&] { return matrix_json(matrix, question); }}}));
  return matrix.classes.size() > 1 ? finding : success;
}

Result<int> run_diff(const DiffArguments& options) {
  TIEBREAK_TRY(files, OutputFiles::open({options.svg, options.json}));
  TIEBREAK_TRY(library, load_library());
  if (options.matrix) return run_diff_matrix(*library, options, files);
  if (options.words.size() < 2 || options.words.size() > 3)
    return fail(Errc::usage, "name two semantics, and an op if it is not quant.requantize", "diff", "tiebreak diff tflite-ref-double tflite-ref-single");
  const std::string op = options.words.size() == 3 ? options.words[2] : "quant.requantize";
  TIEBREAK_TRY(place, library->find_op(op));
  static_cast<void>(place);
  TIEBREAK_TRY(first, parse_semantics(*library, op, options.words[0]));
  TIEBREAK_TRY(second, parse_semantics(*library, op, options.words[1]));
  TIEBREAK_TRY(question, question_of(*library, op, options));
  TIEBREAK_TRY(show, parse_count(options.show, "--show"));
  TIEBREAK_TRY(report, diff_semantics(*library, first, second, question));
  TIEBREAK_CHECK(deliver(files, undeclared_line({*library, first}, {op}) + undeclared_line({*library, second}, {op}) + diff_text(report, question, show),
                         {{picture_of(options, report.incomplete), [&] { return diff_svg(report, question); }},
                          {options.json, [&] { return diff_json(report, question, show); }}}));
  return report.total.equal() ? success : finding;
}

}  // namespace

void add_diff(Verb& app) {
  auto options = std::make_shared<DiffArguments>();
  Verb* sub = app.add_subcommand("diff", "For which inputs, all of them considered, two semantics differ");
  sub->add_option("A B [OP]", options->words, "two semantics and an op (default quant.requantize); with --matrix any number")->type_name("");
  sub->add_option("--input", options->inputs, "NAME=VALUES:TYPE of an operand; NAME=*:TYPE is varied over all values")->type_name("NAME=VALUES:TYPE");
  sub->add_option("--attribute", options->attributes, "NAME=VALUE of the op; may be repeated")->type_name("NAME=VALUE");
  sub->add_option("--result", options->results, "element type of a result that the op leaves open")->type_name("TYPE");
  sub->add_option("--op-version", options->version, "opset or dialect version of the op (default: the newest)")->type_name("N");
  sub->add_flag("--matrix", options->matrix, "every pair of the semantics named, or of all profiles");
  sub->add_option("--show", options->show, "parameter sets listed (default 10)")->type_name("N");
  sub->add_option("-j,--jobs", options->jobs, "threads, or auto (default 1)")->type_name("N");
  sub->add_option("--svg", options->svg, "a heat map over the sweep, or of the matrix")->type_name("FILE");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->footer = diff_footer;
  sub->action = [options] { return run_diff(*options); };
}

}  // namespace tiebreak::command
