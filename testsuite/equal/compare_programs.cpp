// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/compare_programs.hpp"

#include <fmt/format.h>

#include <set>

#include "testsuite/case/value_name.hpp"
#include "testsuite/diff/diff_semantics.hpp"
#include "testsuite/equal/output_comparison.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

const TensorType* type_of(const Program& program, ValueId id) {
  const auto& type = program.values[static_cast<std::size_t>(id)].type;
  return type ? &*type : nullptr;
}

Status match_inputs(const ProgramSide& first, const ProgramSide& second) {
  const std::size_t count = first.program.inputs.size();
  if (count != second.program.inputs.size())
    return fail(Errc::type, fmt::format("{} has {} inputs, {} has {}", first.name, count, second.name, second.program.inputs.size()), second.name);
  if (first.program.outputs.size() != second.program.outputs.size())
    return fail(Errc::type, fmt::format("{} has {} outputs, {} has {}", first.name, first.program.outputs.size(), second.name, second.program.outputs.size()),
                second.name);
  for (std::size_t i = 0; i < count; ++i) {
    const TensorType* a = type_of(first.program, first.program.inputs[i]);
    const TensorType* b = type_of(second.program, second.program.inputs[i]);
    const std::string name = bare_name(first.program, first.program.inputs[i]);
    if (a == nullptr || b == nullptr) return fail(Errc::type, "the type of input '" + name + "' is not stated", first.name);
    if (!same_type(closed(*a), closed(*b)))
      return fail(Errc::type, fmt::format("input '{}' is {} in A and {} in B", name, to_text(*a), to_text(*b)), second.name,
                  "inputs are matched by their order");
  }
  return {};
}

ComparedTensor compared_input(const Program& program, const ProgramInputs& inputs, std::size_t input) {
  ComparedTensor made{bare_name(program, program.inputs[input]), inputs.tensors[input].type(), "", inputs.roles[input] == InputRole::shared};
  const std::vector<std::uint64_t>& codes = inputs.codes[input];
  if (codes.empty()) return made;
  const auto value = [&](std::uint64_t code) { return value_text(inputs.tensors[input].element().decode(code)); };
  made.values = codes.size() == 1 ? value(codes.front()) : fmt::format("{} to {}, {} values", value(codes.front()), value(codes.back()), codes.size());
  return made;
}

/// What the profiles choose differently for the operations of both programs, where the programs are one.
std::vector<std::string> parting_of(const ProgramSide& first, const ProgramSide& second) {
  std::vector<std::string> parting;
  std::set<std::string> ops;
  if (first.profile.hash == second.profile.hash || &first.library != &second.library) return parting;
  for (const Operation& operation : first.program.operations) ops.insert(operation.op);
  for (const std::string& op : ops)
    for (const std::string& choice : parting_choices(first.library, op, first.profile, second.profile)) parting.push_back(op + ": " + choice);
  return parting;
}

/// The program as it was named, and the rules by which it was rewritten.
std::string title_of(const ProgramSide& side) {
  return side.rules.empty() ? side.name : fmt::format("{} with rules {}", side.name, fmt::join(side.rules, " "));
}

class OutputsCompared {
 public:
  OutputsCompared(const ProgramSide& first, const ProgramSide& second, const ProgramsQuestion& question, const ProgramInputs& inputs, ProgramsReport& report)
      : first_(first), second_(second), question_(question), inputs_(inputs), report_(report) {}

  Status run() {
    TIEBREAK_TRY(a, ProgramFormulas::bind(first_.semantics(), first_.program, inputs_.tensors, inputs_.roles));
    TIEBREAK_TRY(b, ProgramFormulas::bind(second_.semantics(), second_.program, inputs_.tensors, inputs_.roles));
    ComparedPrograms programs{first_, second_, a, b, inputs_, question_.limits};
    TIEBREAK_TRY(shared, find_shared(programs));
    for (std::size_t output = 0; output < first_.program.outputs.size(); ++output) TIEBREAK_CHECK(one_output(programs, shared, output));
    sum_up();
    return {};
  }

 private:
  Status one_output(const ComparedPrograms& programs, const SharedValues& shared, std::size_t output) {
    const ValueId one = first_.program.outputs[output], other = second_.program.outputs[output];
    const TensorType& type = programs.a.type_of(one);
    const std::string name = bare_name(first_.program, one);
    if (!same_type(type, programs.b.type_of(other)))
      return fail(Errc::type, fmt::format("output {} ('{}') is {} in A and {} in B", output, name, to_text(type), to_text(programs.b.type_of(other))),
                  second_.name);
    report_.outputs.push_back({.name = name, .type = type});
    if (shared.same(one, other)) {
      TIEBREAK_TRY(count, element_count(type.shape));
      ElementClass all{
          .output = output,
          .elements = {},
          .verdict = {.verdict = Verdict::equal,
                      .way = shared.shown ? "the same operations on values that are equal on all inputs" : "the same operations on the same values",
                      .counted = false}};
      for (std::int64_t e = 0; e < count; ++e) all.elements.push_back(e);
      report_.classes.push_back(std::move(all));
      return {};
    }
    TIEBREAK_TRY(classes, compare_output(programs, output));
    for (ElementClass& found : classes) {
      for (const auto& [open, side] : {std::pair{programs.first_facts.open[static_cast<std::size_t>(one)], &first_},
                                       std::pair{programs.second_facts.open[static_cast<std::size_t>(other)], &second_}}) {
        if (open.empty() || found.verdict.verdict != Verdict::equal) continue;
        found.verdict.verdict = Verdict::undecided;
        found.verdict.way = fmt::format("{} leaves {} open, and one reading was looked at; there: {}", side->profile.name, open, found.verdict.way);
      }
      report_.classes.push_back(std::move(found));
    }
    return {};
  }

  void sum_up() {
    report_.verdict = Verdict::equal;
    for (std::size_t c = 0; c < report_.classes.size(); ++c) {
      const Verdict one = report_.classes[c].verdict.verdict;
      if (one == Verdict::differ && !report_.shown && report_.classes[c].verdict.witness) report_.shown = c;
      if (one == Verdict::differ || report_.verdict == Verdict::equal) report_.verdict = one;
    }
  }

  const ProgramSide &first_, &second_;
  const ProgramsQuestion& question_;
  const ProgramInputs& inputs_;
  ProgramsReport& report_;
};

}  // namespace

Result<ProgramsReport> compare_programs(const ProgramSide& first, const ProgramSide& second, const ProgramsQuestion& question) {
  TIEBREAK_CHECK(match_inputs(first, second));
  TIEBREAK_TRY(inputs, inputs_of(first.program, question.given));
  ProgramsReport report{.first = title_of(first), .second = title_of(second), .first_profile = first.profile.name, .second_profile = second.profile.name};
  for (std::size_t i = 0; i < inputs.tensors.size(); ++i) report.inputs.push_back(compared_input(first.program, inputs, i));
  TIEBREAK_CHECK(OutputsCompared(first, second, question, inputs, report).run());
  if (!report.shown) return report;
  report.parting = parting_of(first, second);
  const ElementClass& shown = report.classes[*report.shown];
  const WitnessAt at{*shown.verdict.witness, shown.output, shown.verdict.witness->element.value_or(shown.elements.front())};
  TIEBREAK_TRY(one, side_at(first, inputs.tensors, inputs.roles, at));
  TIEBREAK_TRY(other, side_at(second, inputs.tensors, inputs.roles, at));
  report.first_side = std::move(one);
  report.second_side = std::move(other);
  return report;
}

}  // namespace tiebreak
