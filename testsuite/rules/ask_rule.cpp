// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rules/ask_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "testsuite/case/request.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// The witness as tensors; elements that decide nothing are zero, and open sizes 1.
Result<std::vector<Tensor>> witness_tensors(const Program& program, const ElementWitness& witness) {
  std::vector<Tensor> tensors;
  for (const ValueId id : program.inputs) {
    const auto& stated = program.values[static_cast<std::size_t>(id)].type;
    if (!stated) return fail(Errc::type, "an input of the rule has no type", program.file);
    TensorType type = *stated;
    std::ranges::replace_if(
        type.shape, [](std::int64_t size) { return size < 0; }, 1);
    TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
    tensors.push_back(std::move(tensor));
  }
  for (const auto& [leaf, value] : witness.inputs) {
    Tensor& tensor = tensors[leaf.input];
    const auto code = tensor.element().is_boolean() ? (value.is_zero() ? 0 : 1) : tensor.element().encode(value).value_or(0);
    tensor.set_code(leaf.element, code);
  }
  return tensors;
}

/// Where both are defined. Every nan is one value.
bool is_same(const ResultTensor& expected, const Tensor& actual) {
  for (std::int64_t e = 0; e < expected.tensor.size(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    if (at < expected.undefined.size() && expected.undefined[at] != 0) continue;
    if (expected.tensor.code(e) == actual.code(e)) continue;
    if (!expected.tensor.value(e).is_nan() || !actual.value(e).is_nan()) return false;
  }
  return true;
}

struct AskedSide {
  Case test{};
  std::vector<ResultTensor> expected{};
};

Result<AskedSide> side_of(const Semantics& semantics, const Program& program, const std::string& id, const std::vector<Tensor>& inputs) {
  TIEBREAK_TRY(expected, evaluate(semantics, program, inputs));
  return AskedSide{{.id = id, .source = program.file, .program = program, .inputs = inputs}, std::move(expected)};
}

bool gives(const AskedSide& side, const BackendAnswer& answer) {
  for (std::size_t o = 0; o < side.expected.size(); ++o)
    if (!is_same(side.expected[o], answer.outputs[o].tensor)) return false;
  return true;
}

std::string outputs_text(const std::vector<ExchangeTensor>& outputs) {
  std::vector<std::string> texts;
  for (const ExchangeTensor& output : outputs) texts.push_back(tensor_text(output.tensor));
  return joined_words(texts, "; ");
}

std::string stated_of(const RulePage& page, const std::string& spelled) {
  const auto found = std::ranges::find(page.seen, spelled, &RuleSeen::backend);
  return found == page.seen.end() ? "" : found->result;
}

}  // namespace

const char* to_word(SeenResult result) {
  switch (result) {
    case SeenResult::before: return "before";
    case SeenResult::after: return "after";
    case SeenResult::neither: return "neither";
    case SeenResult::unsupported: break;
  }
  return "unsupported";
}

Result<RuleAnswer> ask_rule(const Library& library, const RuleReport& report, const std::string& spelled, Backend& backend) {
  RuleAnswer found{.rule = report.page.name, .stated = stated_of(report.page, spelled), .inputs = "", .text = ""};
  const std::string set = report.page.set_text(report.witness_set);
  found.inputs = fmt::format("{}{}{}", set, set.empty() ? "" : " ", fmt::join(report.witness_inputs, " "));
  TIEBREAK_TRY(profile, library.find_profile(report.page.profile));
  TIEBREAK_TRY(text, report.page.program_of(report.witness_set));
  TIEBREAK_TRY(parsed, parse_rule_programs(report.page, text.value_or("")));
  TIEBREAK_TRY(inputs, witness_tensors(parsed.before, *report.witness));
  TIEBREAK_TRY(first, side_of({library, *profile}, parsed.before, "rule/" + report.page.name + "/before", inputs));
  TIEBREAK_TRY(second, side_of({library, *profile}, parsed.after, "rule/" + report.page.name + "/after", inputs));
  const auto answers = backend.run({to_request(library, first.test, *profile, first.expected), to_request(library, second.test, *profile, second.expected)});
  for (const BackendAnswer& answer : answers) {
    if (answer.kind == BackendAnswer::Kind::answered) continue;
    found.text = answer.reason.empty() ? "no answer" : answer.reason;
    return found;
  }
  found.text = fmt::format("{} before, {} after", outputs_text(answers[0].outputs), outputs_text(answers[1].outputs));
  const bool told_apart = !gives(first, answers[1]);
  if (!gives(second, answers[1]) || !told_apart) found.result = SeenResult::neither;
  else found.result = gives(first, answers[0]) ? SeenResult::before : gives(second, answers[0]) ? SeenResult::after : SeenResult::neither;
  return found;
}

std::string answers_text(const std::string& backend, const std::vector<RuleAnswer>& answers) {
  std::string text;
  std::size_t otherwise = 0, unstated = 0;
  for (const RuleAnswer& answer : answers) {
    text += fmt::format("{}: {}\n  {}: {}\n", answer.rule, to_word(answer.result), answer.inputs, answer.text);
    if (answer.stated.empty()) ++unstated;
    if (answer.as_stated()) continue;
    ++otherwise;
    text += fmt::format("  the page says '{}'\n", answer.stated);
  }
  return text + fmt::format("{}: {} asked, {} as stated, {} otherwise, {} of which the page says nothing\n", backend, counted(answers.size(), "rule"),
                            answers.size() - otherwise - unstated, otherwise, unstated);
}

}  // namespace tiebreak
