// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/deciding_operands.hpp"

#include "testsuite/case/value_name.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// What the program calls the op's operand; an operand of a variadic name, and a fact, keep theirs.
std::string program_name(const Library& library, const Program& program, const std::string& operand) {
  const Operation& operation = program.operations.front();
  const Result<Library::OpPlace> place = library.find_op(operation.op);
  for (std::size_t i = 0; place && i < place->op->operands.size() && i < operation.operands.size(); ++i) {
    const notation::Operand& own = place->op->operands[i];
    if (own.name != operand || own.variadic || operation.operands[i] < 0) continue;
    return bare_name(program, operation.operands[i]);
  }
  return operand;
}

/// `name=` as a word of the text.
bool has_name(const std::string& text, const std::string& name) {
  const std::string word = name + "=";
  return text.starts_with(word) || text.find(" " + word) != std::string::npos;
}

}  // namespace

DecidingOperands::DecidingOperands(const Semantics& semantics, const Case& test, std::size_t output) : library_(semantics.library), test_(test) {
  if (test.program.operations.size() != 1) return;
  Result<CallOfOutput> call = call_of_output(semantics, test, output);
  if (!call) return;
  call_ = *std::move(call);
  if (Result<DecidingValues> values = DecidingValues::bind_to(semantics, call_->call, call_->result)) values_ = *std::move(values);
}

std::string DecidingOperands::at(const Shape& shape, std::int64_t index) const {
  std::string text = inputs_at(library_, test_, shape, index);
  if (!values_) return text;
  const Result<std::vector<DecidingValue>> values = values_->at(index);
  if (!values) return text;
  for (const DecidingValue& one : *values) {
    const std::string name = program_name(library_, test_.program, one.name);
    if (!has_name(text, name)) text += (text.empty() ? "" : " ") + name + "=" + value_text(one.value);
  }
  return text;
}

}  // namespace tiebreak
