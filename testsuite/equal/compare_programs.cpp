// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/compare_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpreter/hint.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/equal/same_operations.hpp"
#include "testsuite/equal/sample_programs.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_elements = 4096;  // of an output, each with a formula

const TensorType* type_of(const Program& program, ValueId id) {
  const auto& type = program.values[static_cast<std::size_t>(id)].type;
  return type ? &*type : nullptr;
}

/// Sizes that only the values tell are 1 here.
TensorType closed(TensorType type) {
  for (std::int64_t& extent : type.shape) extent = extent < 0 ? 1 : extent;
  return type;
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

struct Inputs {
  std::vector<Tensor> tensors{};
  std::vector<InputRole> roles{};
  std::vector<std::vector<std::uint64_t>> codes{};  ///< of shared inputs
};

/// Something that every page takes: ones, or what of the type comes next to it.
Result<Tensor> ones(TensorType type) {
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  Real value(1);
  if (tensor.type().quantized) value = std::clamp(value, tensor.type().quantized->storage_min, tensor.type().quantized->storage_max);
  const std::uint64_t code = tensor.element().is_boolean() ? 1 : tensor.element().encode(value).value_or(0);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, code);
  return tensor;
}

Result<Inputs> inputs_of(const ProgramSide& side, const std::vector<GivenInput>& given) {
  Inputs inputs;
  std::vector<std::string> names;
  for (const ValueId id : side.program.inputs) {
    names.push_back(bare_name(side.program, id));
    TIEBREAK_TRY(tensor, ones(closed(*type_of(side.program, id))));
    inputs.roles.push_back(InputRole::free);
    inputs.codes.emplace_back();
    const auto found = std::ranges::find(given, names.back(), &GivenInput::name);
    if (found != given.end()) {
      for (const Real& value : found->values) {
        const auto code = tensor.element().encode(value);
        if (!code) return fail(Errc::type, fmt::format("{} is no value of {}", value_text(value), tensor.element().name()), "--input " + names.back());
        inputs.codes.back().push_back(*code);
      }
      inputs.roles.back() = found->values.size() > 1 ? InputRole::shared : InputRole::fixed;
      for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, inputs.codes.back().front());
    }
    inputs.tensors.push_back(std::move(tensor));
  }
  for (const GivenInput& one : given)
    if (std::ranges::find(names, one.name) == names.end())
      return fail(Errc::unknown_name, "the programs have no input '" + one.name + "'", "--input " + one.name, did_you_mean(one.name, names));
  return inputs;
}

LeafDomain domain_of(const Inputs& inputs, const Leaf& leaf) {
  TensorType type = inputs.tensors[leaf.input].type();
  type.shape.clear();
  return {std::move(type), inputs.codes[leaf.input]};
}

ComparedTensor compared_input(const Program& program, const Inputs& inputs, std::size_t input) {
  ComparedTensor made{bare_name(program, program.inputs[input]), inputs.tensors[input].type(), "", inputs.roles[input] == InputRole::shared};
  const std::vector<std::uint64_t>& codes = inputs.codes[input];
  if (codes.empty()) return made;
  const auto value = [&](std::uint64_t code) { return value_text(inputs.tensors[input].element().decode(code)); };
  made.values = codes.size() == 1 ? value(codes.front()) : fmt::format("{} to {}, {} values", value(codes.front()), value(codes.back()), codes.size());
  return made;
}

class OutputsCompared {
 public:
  OutputsCompared(const ProgramSide& first, const ProgramSide& second, const ProgramsQuestion& question, const Inputs& inputs, ProgramsReport& report)
      : first_(first), second_(second), question_(question), inputs_(inputs), report_(report) {}

  Status run() {
    TIEBREAK_TRY(a, ProgramFormulas::bind(first_.semantics(), first_.program, inputs_.tensors, inputs_.roles));
    TIEBREAK_TRY(b, ProgramFormulas::bind(second_.semantics(), second_.program, inputs_.tensors, inputs_.roles));
    const std::vector<bool> same = same_operations(first_, a, second_, b);
    for (std::size_t output = 0; output < first_.program.outputs.size(); ++output) {
      const TensorType type = a.output_type(output);
      const std::string name = bare_name(first_.program, first_.program.outputs[output]);
      if (!same_type(type, b.output_type(output)))
        return fail(Errc::type, fmt::format("output {} ('{}') is {} in A and {} in B", output, name, to_text(type), to_text(b.output_type(output))),
                    second_.name);
      report_.outputs.push_back({.name = name, .type = type});
      TIEBREAK_TRY(count, element_count(type.shape));
      if (same[output]) all_elements(output, count, {.verdict = Verdict::equal, .way = "the same operations on the same values", .counted = false});
      else TIEBREAK_CHECK(compare_output(a, b, output, count));
    }
    sum_up();
    return {};
  }

 private:
  void all_elements(std::size_t output, std::int64_t count, ElementVerdict verdict) {
    ElementClass one{.output = output, .elements = {}, .verdict = std::move(verdict)};
    for (std::int64_t e = 0; e < count; ++e) one.elements.push_back(e);
    report_.classes.push_back(std::move(one));
  }

  Status compare_output(const ProgramFormulas& a, const ProgramFormulas& b, std::size_t output, std::int64_t count) {
    std::map<std::string, std::size_t> known;
    const std::size_t before = report_.classes.size();
    for (std::int64_t e = 0; e < count; ++e) {
      auto first = count > most_elements ? fail(Errc::limit, fmt::format("more than {} elements of one output", most_elements)) : a.element(output, e);
      auto second = first ? b.element(output, e) : Result<ElementFormula>(fail(Errc::limit, ""));
      if (!first || !second) {
        const Error& why = first ? second.error() : first.error();
        if (why.code != Errc::limit && why.code != Errc::unsupported) return tl::unexpected<Error>(why);
        report_.classes.resize(before);
        return sample_output(output, count, why.what);
      }
      const auto [found, fresh] = known.try_emplace(key_of(*first, *second, inputs_.roles), report_.classes.size());
      if (fresh) {
        ElementQuestion question = question_.limits;
        for (const auto* leaves : {&first->leaves, &second->leaves})
          for (const Leaf& leaf : *leaves) question.domains.try_emplace(leaf, domain_of(inputs_, leaf));
        TIEBREAK_TRY(verdict, compare_elements(*first, *second, question));
        report_.classes.push_back({.output = output, .elements = {}, .verdict = std::move(verdict)});
      }
      report_.classes[found->second].elements.push_back(e);
    }
    return {};
  }

  /// Where no formula of one element can be had: whole inputs at ties, both programs run.
  Status sample_output(std::size_t output, std::int64_t count, const std::string& why) {
    std::vector<LeafDomain> domains;
    for (std::size_t i = 0; i < inputs_.tensors.size(); ++i) domains.push_back(domain_of(inputs_, {i, 0}));
    TIEBREAK_TRY(verdict, sample_programs(first_, second_, {inputs_.tensors, inputs_.roles, domains, output, question_.limits}));
    if (verdict.verdict == Verdict::undecided) verdict.way = why;
    all_elements(output, count, std::move(verdict));
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
  const Inputs& inputs_;
  ProgramsReport& report_;
};

}  // namespace

Result<ProgramsReport> compare_programs(const ProgramSide& first, const ProgramSide& second, const ProgramsQuestion& question) {
  TIEBREAK_CHECK(match_inputs(first, second));
  TIEBREAK_TRY(inputs, inputs_of(first, question.given));
  ProgramsReport report{.first = first.name, .second = second.name, .first_profile = first.profile.name, .second_profile = second.profile.name};
  for (std::size_t i = 0; i < inputs.tensors.size(); ++i) report.inputs.push_back(compared_input(first.program, inputs, i));
  TIEBREAK_CHECK(OutputsCompared(first, second, question, inputs, report).run());
  if (!report.shown) return report;
  const ElementClass& shown = report.classes[*report.shown];
  const WitnessAt at{*shown.verdict.witness, shown.output, shown.verdict.witness->element.value_or(shown.elements.front())};
  TIEBREAK_TRY(one, side_at(first, inputs.tensors, inputs.roles, at));
  TIEBREAK_TRY(other, side_at(second, inputs.tensors, inputs.roles, at));
  report.first_side = std::move(one);
  report.second_side = std::move(other);
  return report;
}

}  // namespace tiebreak
