// SPDX-License-Identifier: Apache-2.0
// tiebreak explain: why this value. Every step of one element, the exact value before the last rounding, the distance to where
// the rounding turns.
#include <cmath>
#include <functional>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/text/value_text.hpp"
#include "tools/tiebreak/explanation.hpp"
#include "tools/tiebreak/first_differing_op.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/one_case.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* explain_footer =
    "Examples:\n"
    "  tiebreak explain onnx.QuantizeLinear/ties/f32-u8-tenth-zp7:17 --profile onnx\n"
    "  tiebreak explain onnx.QuantizeLinear/axis/0:y:[0,17] --profile onnx --profile onnxruntime-x64\n"
    "  tiebreak explain stablehlo.add/example-1\n"
    "\n"
    "INDEX is flat or one number for each dimension; OUTPUT is a name. Without them: the first element of the first output.";

struct ExplainArguments {
  SelectionText selection;
  std::string target, json, width;
  std::vector<std::string> profiles;
};

/// CASE[:OUTPUT][:INDEX]
struct Target {
  std::string id;
  std::string output;
  std::string index;
};

Target split_target(const std::string& text) {
  Target target;
  std::vector<std::string> parts{""};
  for (char c : text) {
    if (c == ':') parts.emplace_back();
    else parts.back() += c;
  }
  target.id = parts[0];
  auto is_index = [](const std::string& part) { return !part.empty() && part.find_first_not_of("0123456789[], ") == std::string::npos; };
  if (parts.size() > 1 && is_index(parts.back())) {
    target.index = parts.back();
    parts.pop_back();
  }
  for (std::size_t i = 1; i < parts.size(); ++i) target.output += (i > 1 ? ":" : "") + parts[i];
  return target;
}

Result<std::int64_t> flat_index(const std::string& text, const Shape& shape, const std::string& where) {
  TIEBREAK_TRY(size, element_count(shape));
  std::vector<std::int64_t> numbers;
  std::string digits;
  for (char c : text + " ") {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else if (!digits.empty()) {
      TIEBREAK_TRY(number, parse_count(digits, where));
      numbers.push_back(static_cast<std::int64_t>(std::min<std::uint64_t>(number, std::uint64_t{1} << 40)));
      digits.clear();
    }
  }
  std::int64_t flat = 0;
  if (numbers.size() == shape.size() && (numbers.size() > 1 || text.find('[') != std::string::npos)) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (numbers[d] >= shape[d]) return fail(Errc::usage, "index " + text + " lies outside " + to_text(shape), where);
      flat = flat * shape[d] + numbers[d];
    }
  } else if (numbers.size() == 1) {
    flat = numbers[0];
  } else if (!numbers.empty()) {
    return fail(Errc::usage, "index " + text + " has " + std::to_string(numbers.size()) + " numbers, the shape is " + to_text(shape), where);
  }
  if (flat >= size) return fail(Errc::usage, "index " + text + " lies outside " + to_text(shape), where);
  return flat;
}

/// One profile's reading, and the call it is of: operands that other ops compute depend on the profile.
struct Reading {
  const Profile* profile = nullptr;
  CallOfOutput call;
  Explanation explanation;
};

/// Where the element of `call` that the text names lies.
Result<std::int64_t> element_place(const Semantics& semantics, const CallOfOutput& call, const std::string& index, const std::string& where, Shape& shape) {
  TIEBREAK_TRY(results, evaluate(semantics, call.call));
  if (call.result >= results.size()) return fail(Errc::internal, "the op has fewer results than the program says", where);
  shape = results[call.result].tensor.shape();
  TIEBREAK_TRY(flat, flat_index(index, shape, where));
  if (results[call.result].tensor.size() == 0) return fail(Errc::usage, "the output has no elements", where);
  return flat;
}

Result<Reading> explain_under(const Library& library, const Profile* profile, CallOfOutput call, std::int64_t flat) {
  TIEBREAK_TRY(results, evaluate({library, *profile}, call.call, {Engine::fast, true}));
  const ResultTensor& result = results[call.result];
  TIEBREAK_TRY(steps, explain({library, *profile}, call.call, call.result, flat));
  Explanation explanation{profile->name, std::move(steps), "", "", ""};
  auto at = static_cast<std::size_t>(flat);
  bool undefined = at < result.undefined.size() && result.undefined[at] != 0;
  explanation.value = undefined ? "undefined" : value_text(result.tensor.value(flat)) + "   " + bits_text(result.tensor, flat);
  if (at < result.before.size() && !std::isnan(result.before[at].first)) {
    explanation.exact = (Real::from_double(result.before[at].first) + Real::from_double(result.before[at].second)).to_decimal(25);
  }
  if (at < result.distance.size() && !std::isnan(result.distance[at])) explanation.distance = decimal_text(result.distance[at], 8);
  return Reading{profile, std::move(call), std::move(explanation)};
}

/// The first reading beside each of the others.
Result<std::vector<TraceDifference>> differences_of(const Library& library, const std::vector<Reading>& readings, std::int64_t index) {
  std::vector<TraceDifference> differences;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    TIEBREAK_TRY(difference, explain_difference(library, {*readings[0].profile, readings[0].call.call}, {*readings[i].profile, readings[i].call.call},
                                                readings[0].call.result, index));
    differences.push_back(std::move(difference));
  }
  return differences;
}

/// One element under each profile.
struct Element {
  std::string name{};   ///< y[0, 17]
  std::string title{};  ///< of an op on the way, which one it is
  std::vector<Reading> readings{};
  std::vector<TraceDifference> differences{};
};

std::string plain(const std::string& name) { return name.starts_with("%") ? name.substr(1) : name; }

Result<Element> element_of(const Library& library, const std::vector<Profile>& profiles, const std::string& name, std::int64_t index,
                           const std::function<Result<CallOfOutput>(const Profile&)>& call_under) {
  Element element;
  element.name = name;
  for (const Profile& profile : profiles) {
    TIEBREAK_TRY(call, call_under(profile));
    TIEBREAK_TRY(reading, explain_under(library, &profile, std::move(call), index));
    element.readings.push_back(std::move(reading));
  }
  TIEBREAK_TRY(differences, differences_of(library, element.readings, index));
  element.differences = std::move(differences);
  return element;
}

/// In a program, the first op in which some profile parts from the first; nothing where that is the op of the output itself.
Result<std::optional<Element>> beginning_of(const Library& library, const std::vector<Profile>& profiles, const Case& test, std::size_t output,
                                            std::int64_t index) {
  if (test.program.operations.size() < 2) return std::optional<Element>();
  for (std::size_t i = 1; i < profiles.size(); ++i) {
    TIEBREAK_TRY(parting, first_differing_op(library, profiles[0], profiles[i], test, output, index));
    if (!parting) continue;
    const Operation& operation = test.program.operations[parting->operation];
    if (operation.results[parting->result] == test.program.outputs[output]) return std::optional<Element>();
    const auto call_under = [&](const Profile& profile) -> Result<CallOfOutput> {
      TIEBREAK_TRY(call, reach_call({library, profile}, test.program, parting->operation, test.inputs));
      return CallOfOutput{std::move(call), parting->result};
    };
    TIEBREAK_TRY(element, element_of(library, profiles, plain(parting->value) + index_text(parting->shape, parting->element), parting->element, call_under));
    element.title = "the profiles part first in " + operation.op + ", operation " + std::to_string(parting->operation + 1) + " of " +
                    std::to_string(test.program.operations.size()) + ", in " + std::to_string(parting->differing) + " of " + std::to_string(parting->of) +
                    " elements of " + plain(parting->value);
    return std::optional(std::move(element));
  }
  return std::optional<Element>();
}

void write_element(JsonWriter& json, const Element& element) {
  json.member("element", element.name).key("profiles").begin_array();
  for (const Reading& reading : element.readings) write_explanation(json, reading.explanation);
  json.end_array();
  if (element.differences.empty()) return;
  json.key("differences").begin_array();
  for (std::size_t i = 0; i < element.differences.size(); ++i)
    write_difference(json, element.readings[0].explanation, element.readings[i + 1].explanation, element.differences[i]);
  json.end_array();
}

std::string element_json(const Case& test, const std::optional<Element>& begins, const Element& element) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.explain/1").member("case", test.id);
  write_element(json, element);
  if (begins) {
    json.key("begins").begin_object().member("what", begins->title);
    write_element(json, *begins);
    json.end_object();
  }
  json.end_object();
  return json.text();
}

std::string element_text(const Element& element, std::size_t width) {
  if (element.differences.empty()) return explanation_text(element.readings[0].explanation);
  std::string text;
  for (std::size_t i = 0; i < element.differences.size(); ++i)
    text += difference_text(element.readings[0].explanation, element.readings[i + 1].explanation, element.differences[i], width);
  return text;
}

Result<int> run_explain(const ExplainArguments& options) {
  Target target = split_target(options.target);
  std::size_t width = output_width();
  if (!options.width.empty()) {
    TIEBREAK_TRY(columns, parse_count(options.width, "--width"));
    width = columns;
  }
  TIEBREAK_TRY(files, OutputFiles::open({options.json}));
  TIEBREAK_TRY(library, load_library());
  std::vector<std::string> names = options.profiles.empty() ? std::vector<std::string>{"reference"} : options.profiles;
  for (const std::string& name : names) TIEBREAK_CHECK(library->find_profile(name.substr(0, name.find(':'))));
  TIEBREAK_TRY(test, find_case(*library, options.selection, target.id, options.profiles.empty() ? "" : options.profiles.front()));
  std::vector<Profile> profiles;
  for (const std::string& name : names) {
    TIEBREAK_TRY(profile, semantics_of_cases(*library, std::vector<const Case*>{&test}, name));
    profiles.push_back(std::move(profile));
  }
  TIEBREAK_TRY(output, find_output(test, target.output));
  const auto call_under = [&, output = output](const Profile& profile) { return call_of_output({*library, profile}, test, output); };
  TIEBREAK_TRY(call, call_under(profiles[0]));
  Shape shape;
  TIEBREAK_TRY(index, element_place({*library, profiles[0]}, call, target.index, test.id, shape));
  const std::string name = plain(test.program.values[static_cast<std::size_t>(test.program.outputs[output])].name);
  TIEBREAK_TRY(begins, beginning_of(*library, profiles, test, output, index));
  TIEBREAK_TRY(element, element_of(*library, profiles, name + index_text(shape, index), index, call_under));
  std::string text;
  for (const Profile& profile : profiles) text += undeclared_line({*library, profile}, ops_with_regions(test.program));
  text += test.id + "  " + element.name + "\n";
  if (std::string inputs = inputs_at(*library, test, shape, index); !inputs.empty()) text += inputs + "\n";
  if (begins) text += begins->title + "\n\n" + begins->name + "\n" + element_text(*begins, width) + "\nand come to " + element.name + "\n";
  text += element_text(element, width);
  TIEBREAK_CHECK(deliver(files, text, {{options.json, [&] { return element_json(test, begins, element); }}}));
  return success;
}

}  // namespace

void add_explain(Verb& app) {
  auto options = std::make_shared<ExplainArguments>();
  Verb* sub = app.add_subcommand("explain", "Show every step that leads to one element of an output");
  sub->add_option("CASE", options->target, "CASE[:OUTPUT][:INDEX]")->type_name("")->required();
  sub->add_option("-p,--profile", options->profiles,
                  "semantics to follow (default reference); repeat it to see two side by side;\nPROFILE:CHOICE=ALTERNATIVE,... takes some choices otherwise")
      ->type_name("PROFILE");
  add_selection(*sub, options->selection, false);
  sub->add_option("--width", options->width, "columns of two profiles side by side (default: the terminal's, else 120)")->type_name("N");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->footer = explain_footer;
  sub->action = [options] { return run_explain(*options); };
}

}  // namespace tiebreak::command
