// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/diff/diff_semantics.hpp"
#include "testsuite/text/text_parts.hpp"

namespace tiebreak {
namespace {

/// One scalar op of the atlas: what varies, and for which parameters.
struct Chart {
  const char* op;
  const char* file;
  const char* varied;
  const char* varied_type;
  std::vector<std::pair<std::string, std::string>> fixed;  ///< operand or result type, `value:type`
  std::vector<SweepAxis> axes;
  const char* words;
};

SweepAxis axis(const char* name, const char* type, const char* values) {
  return {name, type, parse_values(values, *ElementType::parse(type), name).value_or(std::vector<Real>{})};
}

std::vector<Chart> charts() {
  return {
      {"quant.requantize",
       "atlas-requantize.svg",
       "acc",
       "i32",
       {{"x_scale", "1:f32"}, {"w_scale", "1:f32"}},
       {axis("y_scale", "f32", "0.3,4,6,10,12,100,1000,0x1.23456p+9,0x1.555556p+13"), axis("y_zero_point", "i32", "0,-5,127")},
       "Every i32 accumulator; scales 1 * 1 / y_scale for nine y_scale, three zero points, result i8."},
      {"quant.quantize",
       "atlas-quantize.svg",
       "x",
       "f32",
       {},
       {axis("scale", "f32", "0.1,0.25,1,0.0123,0x1.921fb6p+1"), axis("zero_point", "i8", "0,3,-128")},
       "Every f32 input; five scales, three zero points, result i8."},
  };
}

std::string profile_value_text(const ProfileValue& value) {
  std::string text = value.alternative;
  for (const std::string& alternative : value.any) text += (text.empty() ? "any of " : " ") + alternative;
  if (value.condition) text = value.then + " if " + notation::print(*value.condition) + ", else " + value.otherwise;
  return text;
}

/// A profile's own entries: what it inherits stands where it comes from.
std::string profile_section(const Semantics& semantics) {
  std::string text = "### " + semantics.profile.name + "\n\n" + (semantics.profile.title.empty() ? semantics.profile.system : semantics.profile.title) + ".";
  if (!semantics.profile.versions.empty()) text += " Versions: " + semantics.profile.versions + ".";
  if (!semantics.profile.isa.empty()) text += " Instruction sets: " + joined_words(semantics.profile.isa, ", ") + ".";
  if (!semantics.profile.extends.empty() && semantics.profile.extends != "reference") text += " Extends `" + semantics.profile.extends + "`.";
  if (!semantics.profile.sources.empty()) text += " Sources: `" + joined_words(semantics.profile.sources, "`, `") + "`.";
  text += "\n\n";
  const auto parent = semantics.library.profiles().find(semantics.profile.extends);
  std::string rows;
  for (const auto& [key, value] : semantics.profile.choices) {
    if (parent != semantics.library.profiles().end()) {
      auto inherited = parent->second.choices.find(key);
      if (inherited != parent->second.choices.end() && profile_value_text(inherited->second) == profile_value_text(value)) continue;
    }
    rows += "| " + key + " | " + profile_value_text(value) + " |\n";
  }
  if (!rows.empty()) text += "| Choice | Alternative |\n|---|---|\n" + rows + "\n";
  return text;
}

Result<DiffQuestion> question_of(const Library& library, const Chart& chart, int jobs) {
  TIEBREAK_TRY(place, library.find_op(chart.op));
  DiffQuestion question;
  question.varied = chart.varied;
  question.jobs = jobs;
  std::map<std::string, std::string> types;
  std::map<std::string, std::string> values;
  for (const auto& [name, text] : chart.fixed) {
    values[name] = text.substr(0, text.find(':'));
    types[name] = text.substr(text.find(':') + 1);
  }
  for (const SweepAxis& swept : chart.axes) types[swept.name] = swept.type;
  types[chart.varied] = chart.varied_type;
  question.call.op = chart.op;
  for (const notation::Operand& operand : place.op->operands) {
    auto type = types.find(operand.name);
    if (type == types.end()) {
      question.call.operands.emplace_back();
      continue;
    }
    TIEBREAK_TRY(tensor, Tensor::zeros({*ElementType::parse(type->second), {}, {}}));
    if (auto value = values.find(operand.name); value != values.end()) {
      TIEBREAK_TRY(number, Real::parse(value->second));
      tensor.set_code(0, *tensor.element().encode(number));
    }
    for (const SweepAxis& swept : chart.axes)
      if (swept.name == operand.name) tensor.set_code(0, *tensor.element().encode(swept.values.front()));
    question.call.operands.emplace_back(std::move(tensor));
  }
  question.sweep = Sweep(chart.axes);
  return question;
}

/// Whether the profile binds a choice of the op; others would all be the reference.
bool profile_speaks_of(const Semantics& semantics, const std::string& op) {
  const std::vector<OpChoice> choices = choices_of(semantics.library, op);
  return std::ranges::any_of(
      choices, [&](const OpChoice& choice) { return resolve_choice(semantics.profile, choice.module, op, choice.alias, choice.own_name) != nullptr; });
}

/// A cell is the number of digits of the count less one: `.` equal, 0 for 1..9 inputs, 6 for a million.
std::string digit_matrix(const DiffMatrix& matrix) {
  std::string text = "```text\n     ";
  for (std::size_t j = 0; j < matrix.classes.size(); ++j) text += fmt::format("{:>3}", j + 1);
  text += "\n";
  for (std::size_t i = 0; i < matrix.classes.size(); ++i) {
    text += fmt::format("{:>4} ", i + 1);
    for (std::size_t j = 0; j < matrix.classes.size(); ++j)
      text += matrix.counts[i][j] == 0 ? "  ." : fmt::format("{:>3}", std::to_string(matrix.counts[i][j]).size() - 1);
    text += "\n";
  }
  return text + "```\n\n";
}

Result<std::string> chart_section(const Library& library, const Chart& chart, int jobs, std::vector<AtlasFile>& files) {
  TIEBREAK_TRY(question, question_of(library, chart, jobs));
  std::vector<Profile> semantics;
  TIEBREAK_TRY(reference, library.find_profile("reference"));
  semantics.push_back(*reference);
  for (const auto& [name, profile] : library.profiles())
    if (name != "reference" && profile_speaks_of({library, profile}, chart.op)) semantics.push_back(profile);
  TIEBREAK_TRY(matrix, diff_matrix(library, semantics, question));
  std::string text = fmt::format("## {}\n\n{} {} inputs in all, every one considered{}.\n\n", chart.op, chart.words, matrix.inputs,
                                 matrix.proved() ? "; every staircase is proved" : "");
  text += fmt::format(
      "Profiles of one class are equal, and undefined, on the same inputs; where only one of two is undefined they do not count as different. [Heat map]({}). "
      "`tiebreak diff A B` gives counts, laws and witnesses for any two.\n\n| Class | Profiles |\n|---|---|\n",
      chart.file);
  for (std::size_t i = 0; i < matrix.classes.size(); ++i) text += fmt::format("| {} | {} |\n", i + 1, joined_words(matrix.classes[i], ", "));
  text += "\nInputs on which two classes differ, as a power of ten (`.` none, 0 for 1 to 9, 6 for millions):\n\n" + digit_matrix(matrix);
  if (!matrix.proved()) text += "Staircases without proof, monotone at samples only, so that their counts are no proofs:\n\n";
  for (const auto& [name, reason] : matrix.without_proof) text += "- `" + name + "`, because of `" + reason + "`\n";
  if (!matrix.proved()) text += "\n";
  for (const auto& [name, reason] : matrix.left_out) text += "Left out: `" + name + "`: " + reason + ".\n";
  if (!matrix.left_out.empty()) text += "\n";
  files.push_back({chart.file, matrix_svg(matrix, question)});
  return text;
}

}  // namespace

Result<std::vector<AtlasFile>> make_atlas(const Library& library, int jobs) {
  std::vector<AtlasFile> files;
  std::string text =
      "# The atlas of scalar semantics\n\nGenerated by `tiebreak profile atlas`; not edited by hand. What each choice means stands on its page under `spec/`; "
      "sources are cited in `spec/sources.json`.\n\n";
  for (const Chart& chart : charts()) {
    if (!library.op_place(chart.op)) continue;
    TIEBREAK_TRY(section, chart_section(library, chart, jobs, files));
    text += section;
  }
  text += "## Profiles\n\nA profile takes every choice that it does not list from the profile it extends, else the page's first alternative (`reference`).\n\n";
  for (const auto& [name, profile] : library.profiles()) text += profile_section({library, profile});
  files.insert(files.begin(), {"atlas.md", text});
  return files;
}

}  // namespace tiebreak
