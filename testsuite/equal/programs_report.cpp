// SPDX-License-Identifier: Apache-2.0
// What a comparison of programs says, as text, JSON and Markdown.
#include <fmt/format.h>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/equal/compare_programs.hpp"
#include "testsuite/text/grouped_digits.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t steps_shown = 24;

std::string witness_text(const ProgramsReport& report, const ElementClass& one) {
  std::string text;
  for (const auto& [leaf, value] : one.verdict.witness->inputs) text += (text.empty() ? "" : " ") + leaf_text(report, leaf) + "=" + value_text(value);
  return fmt::format("{}: A gives {}, B gives {}", text.empty() ? "no input" : text, one.verdict.witness->first, one.verdict.witness->second);
}

std::string verdict_line(const ElementVerdict& verdict) {
  std::string open = verdict.undefined > 0 ? fmt::format("; {} undefined on a side", grouped_digits(verdict.undefined)) : "";
  if (verdict.refused > 0) open += fmt::format("; {} refused by a side", grouped_digits(verdict.refused));
  const std::string count = grouped_digits(verdict.inputs);
  switch (verdict.verdict) {
    case Verdict::equal: return (verdict.counted ? fmt::format("equal on all {} inputs ({})", count, verdict.way) : "equal: " + verdict.way) + open;
    case Verdict::undecided:
      if (verdict.counted || verdict.inputs == 0) return fmt::format("not decided ({})", verdict.way) + open;
      return fmt::format("not decided; equal on {} inputs at ties and beside them{} ({})", count, open, verdict.way);
    case Verdict::differ: break;
  }
  return fmt::format("differ on {}{} of {} inputs ({}){}", verdict.counted ? "" : "at least ", grouped_digits(verdict.differing), count, verdict.way, open);
}

std::string distances(const ElementVerdict& verdict) {
  if (verdict.largest == 0) return "";
  return fmt::format("B - A: -1 on {}, +1 on {}, more on {} (at most {} codes)", grouped_digits(verdict.minus_one), grouped_digits(verdict.plus_one),
                     grouped_digits(verdict.differing - verdict.minus_one - verdict.plus_one), grouped_digits(verdict.largest));
}

/// The share of all inputs, and how it depends on them.
std::string law_text(const ElementVerdict& verdict) {
  if (!verdict.counted || verdict.differing == 0) return "";
  std::string text = fmt::format("share: 1 in {:.4g} inputs", static_cast<double>(verdict.inputs) / static_cast<double>(verdict.differing));
  const TieCount& ties = verdict.ties;
  if (ties.looked_at > 0)
    text += fmt::format("; of {} differing inputs looked at, A rounds a half on {}, B on {}", grouped_digits(ties.looked_at), grouped_digits(ties.first),
                        grouped_digits(ties.second));
  return text;
}

std::string side_text(const char* letter, const WitnessSide& side) {
  std::string text;
  for (std::size_t i = 0; i < side.steps.size() && i < steps_shown; ++i) text += fmt::format("    {}  {}\n", letter, side.steps[i]);
  if (side.steps.size() > steps_shown) text += fmt::format("    {}  ... {} more\n", letter, side.steps.size() - steps_shown);
  if (!side.rounding.empty()) text += fmt::format("    {}  {}\n", letter, side.rounding);
  return text;
}

std::string tensor_line(const ComparedTensor& tensor) {
  return tensor.name + ": " + to_text(tensor.type) + (tensor.values.empty() ? "" : " = " + tensor.values);
}

std::string conclusion(const ProgramsReport& report) {
  switch (report.verdict) {
    case Verdict::equal: return "equal on all inputs";
    case Verdict::differ: return "they differ";
    case Verdict::undecided: break;
  }
  return "not decided: no difference found";
}

}  // namespace

std::string leaf_text(const ProgramsReport& report, const Leaf& leaf) {
  const ComparedTensor& input = report.inputs[leaf.input];
  return input.name + (input.shared || input.type.shape.empty() ? "" : index_text(input.type.shape, leaf.element));
}

std::string elements_text(const ProgramsReport& report, const ElementClass& one) {
  const ComparedTensor& output = report.outputs[one.output];
  std::size_t of_output = 0, classes = 0;
  for (const ElementClass& other : report.classes)
    if (other.output == one.output) of_output += other.elements.size(), ++classes;
  if (of_output == 0) return output.name + ", which is empty";
  if (classes == 1) return output.name + (of_output == 1 ? "" : fmt::format(", all {} elements alike", of_output));
  const std::string first = output.name + index_text(output.type.shape, one.elements.front());
  return one.elements.size() == 1 ? first : fmt::format("{} and {} more alike", first, one.elements.size() - 1);
}

std::string programs_text(const ProgramsReport& report) {
  std::string text = fmt::format("A {}  profile {}\nB {}  profile {}\n", report.first, report.first_profile, report.second, report.second_profile);
  for (const ComparedTensor& input : report.inputs) text += "  input  " + tensor_line(input) + "\n";
  for (const ComparedTensor& output : report.outputs) text += "  output " + tensor_line(output) + "\n";
  for (std::size_t c = 0; c < report.classes.size(); ++c) {
    const ElementClass& one = report.classes[c];
    text += fmt::format("{}: {}\n", elements_text(report, one), verdict_line(one.verdict));
    if (one.verdict.verdict != Verdict::differ) continue;
    if (const std::string apart = distances(one.verdict); !apart.empty()) text += "  " + apart + "\n";
    if (const std::string law = law_text(one.verdict); !law.empty()) text += "  " + law + "\n";
    if (one.verdict.witness) text += (one.verdict.counted ? "  smallest witness: " : "  a witness: ") + witness_text(report, one) + "\n";
    if (report.shown != c) continue;
    for (const std::string& choice : report.parting) text += "    part  " + choice + "\n";
    text += side_text("A", report.first_side) + side_text("B", report.second_side);
    text += "    again  " + report.first_side.again + "\n           " + report.second_side.again + "\n";
  }
  return text + conclusion(report) + "\n";
}

std::string programs_markdown(const ProgramsReport& report) {
  std::string text = fmt::format("**{}**: A `{}` (profile `{}`), B `{}` (profile `{}`)\n\n| output | verdict | witness |\n|---|---|---|\n", conclusion(report),
                                 report.first, report.first_profile, report.second, report.second_profile);
  for (const ElementClass& one : report.classes)
    text += fmt::format("| {} | {} | {} |\n", markdown_cell(elements_text(report, one)), markdown_cell(verdict_line(one.verdict)),
                        one.verdict.witness ? markdown_cell(witness_text(report, one)) : "");
  if (report.shown) text += "\n```\n" + report.first_side.again + "\n" + report.second_side.again + "\n```\n";
  return text;
}

namespace {

void write_side(JsonWriter& json, const char* name, const WitnessSide& side) {
  json.key(name).begin_object().member("steps", side.steps).member("rounding", side.rounding).member("again", side.again).end_object();
}

void write_tensors(JsonWriter& json, const char* name, const std::vector<ComparedTensor>& tensors) {
  json.key(name).begin_array();
  for (const ComparedTensor& tensor : tensors) {
    json.begin_object().member("name", tensor.name).member("type", to_text(tensor.type));
    if (!tensor.values.empty()) json.member("values", tensor.values);
    json.end_object();
  }
  json.end_array();
}

void write_class(JsonWriter& json, const ProgramsReport& report, const ElementClass& one) {
  const ElementVerdict& verdict = one.verdict;
  json.begin_object().member("output", report.outputs[one.output].name).member("elements", std::uint64_t{one.elements.size()});
  if (!one.elements.empty()) json.member("first_element", one.elements.front());
  json.member("verdict", to_word(verdict.verdict)).member("way", verdict.way).member("counted", verdict.counted);
  json.member("inputs", fmt::to_string(verdict.inputs)).member("differing", fmt::to_string(verdict.differing));
  json.member("undefined", fmt::to_string(verdict.undefined)).member("refused", fmt::to_string(verdict.refused));
  json.member("minus_one", fmt::to_string(verdict.minus_one));
  json.member("plus_one", fmt::to_string(verdict.plus_one)).member("largest", fmt::to_string(verdict.largest));
  if (verdict.ties.looked_at > 0)
    json.key("ties")
        .begin_object()
        .member("looked_at", verdict.ties.looked_at)
        .member("first", verdict.ties.first)
        .member("second", verdict.ties.second)
        .end_object();
  if (verdict.witness) {
    json.key("witness").begin_object().key("inputs").begin_array();
    for (const auto& [leaf, value] : verdict.witness->inputs)
      json.begin_object().member("input", report.inputs[leaf.input].name).member("element", leaf.element).member("value", value_text(value)).end_object();
    json.end_array().member("first", verdict.witness->first).member("second", verdict.witness->second).end_object();
  }
  json.end_object();
}

}  // namespace

std::string programs_json(const ProgramsReport& report) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.equal/1").member("first", report.first).member("second", report.second);
  json.member("first_profile", report.first_profile).member("second_profile", report.second_profile).member("verdict", to_word(report.verdict));
  write_tensors(json, "inputs", report.inputs);
  write_tensors(json, "outputs", report.outputs);
  json.key("classes").begin_array();
  for (const ElementClass& one : report.classes) write_class(json, report, one);
  json.end_array();
  if (!report.parting.empty()) json.member("parting", report.parting);
  if (report.shown) {
    json.member("shown", std::uint64_t{*report.shown});
    write_side(json, "first_at_witness", report.first_side);
    write_side(json, "second_at_witness", report.second_side);
  }
  json.end_object();
  return json.text();
}

}  // namespace tiebreak
