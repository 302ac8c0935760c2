// SPDX-License-Identifier: Apache-2.0
// What stands where, and why, as text and JSON.
#include <fmt/format.h>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/quantize/quantize.hpp"

namespace tiebreak {
namespace {

std::string node_name(const Program& program, const Operation& operation) {
  return operation.results.empty() ? operation.where : bare_name(program, operation.results[0]);
}

std::map<std::string, std::string> notes_of(const QuantizedForms& made, Form form) {
  const auto found = made.forms.find(form);
  return found == made.forms.end() ? std::map<std::string, std::string>{} : found->second.notes;
}

}  // namespace

std::string quantize_report_json(const QuantizedForms& made, const std::string& model) {
  const Program& program = *made.program;
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.quantize/1").member("model", model).key("operations").begin_array();
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const OperationPlan& how = made.plan.operations[i];
    const std::string name = node_name(program, program.operations[i]);
    json.begin_object().member("value", name).member("operator", program.operations[i].op).member("placement", to_word(how.placement));
    if (!how.reason.empty()) json.member("reason", how.reason);
    for (const Form form : all_forms) {
      const auto notes = notes_of(made, form);
      if (const auto note = notes.find(name); note != notes.end()) json.member(std::string(to_word(form)) + "_form", note->second);
    }
    json.end_object();
  }
  json.end_array().end_object();
  return json.text();
}

std::string quantize_report_text(const QuantizedForms& made) {
  const Program& program = *made.program;
  std::map<std::string, int> counts, reasons;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const OperationPlan& how = made.plan.operations[i];
    ++counts[to_word(how.placement)];
    if (how.placement == Placement::left) ++reasons[program.operations[i].op + ": " + how.reason];
  }
  std::string text = fmt::format("{} operations", program.operations.size());
  for (const auto& [word, count] : counts) text += fmt::format("{} {} {}", text.ends_with("operations") ? ":" : ",", count, word);
  text += "\n";
  for (const auto& [reason, count] : reasons) text += fmt::format("  left in real space, {} x {}\n", count, reason);
  std::map<std::string, int> notes;
  for (const auto& [value, note] : notes_of(made, Form::integer)) ++notes[note];
  for (const auto& [note, count] : notes) text += fmt::format("  in the integer form as dequantize, operator, quantize, {} x {}\n", count, note);
  return text;
}

}  // namespace tiebreak
