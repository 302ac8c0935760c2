// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/form_writer.hpp"

#include "testsuite/case/value_name.hpp"

namespace tiebreak {

const char* to_word(Form form) {
  switch (form) {
    case Form::simulated: return "simulated";
    case Form::fake: return "fake";
    case Form::qdq: return "qdq";
    case Form::integer: return "integer";
  }
  return "";
}

Result<WrittenForm> FormWriter::run() {
  for (const ValueId id : program_.inputs) written(id).real = out_.input(name(id), source(id).type);
  for (std::size_t index = 0; index < program_.operations.size(); ++index) {
    TIEBREAK_CHECK(semantics_.library.stop().check());
    out_.set_place(program_.operations[index].where);
    TIEBREAK_CHECK(operation(index));
  }
  std::vector<ValueId> outputs;
  for (const ValueId id : program_.outputs) {
    TIEBREAK_TRY(value, real(id));
    outputs.push_back(value);
  }
  pass_annotations();
  Program made = out_.finish(std::move(outputs), program_name(), program_.file);
  for (std::size_t i = 0; i < made.outputs.size(); ++i) {
    auto& declared = made.values[static_cast<std::size_t>(made.outputs[i])].type;
    if (!declared) declared = source(program_.outputs[i]).type;
  }
  return WrittenForm{std::move(made), std::move(notes_)};
}

void FormWriter::pass_annotations() {
  for (std::size_t i = 0; i < program_.values.size(); ++i) {
    const Written& made = values_[i];
    const ValueId real = made.real >= 0 ? made.real : made.dequantized;
    const ValueId id = real >= 0 ? real : made.codes;
    if (id >= 0) out_.value(id).quantize_info = program_.values[i].quantize_info;
    if (!request_.annotates || !plan_.types[i]) continue;
    const AttributeMap info = quantize_info_of(*plan_.types[i], plan_.from[i]);
    if (made.codes >= 0) out_.value(made.codes).quantize_info = info;
    const bool is_accumulator = plan_.types[i]->storage.bits() > 16;  // its number in real space has the parameters of the codes that are made from it
    if (real >= 0 && !is_accumulator) out_.value(real).quantize_info = info;
  }
}

std::string FormWriter::name(ValueId id) const { return bare_name(program_, id); }

Result<ValueId> FormWriter::real(ValueId id) {
  if (id < 0) return id;
  if (written(id).real >= 0) return written(id).real;
  if (source(id).constant) {
    written(id).real = out_.constant(name(id), *source(id).constant);
    return written(id).real;
  }
  TIEBREAK_TRY(value, dequantized(id));
  return value;
}

Result<ValueId> FormWriter::dequantized(ValueId id) {
  if (written(id).dequantized >= 0) return written(id).dequantized;
  TIEBREAK_TRY(from, codes(id));
  const ValueId made = dequantize_value(coded(id) ? name(id) : name(id) + ".dq", id, from);
  written(id).dequantized = made;
  return made;
}

Result<Operation> FormWriter::on_real_values(const Operation& operation) {
  Operation copy = operation;
  for (ValueId& id : copy.operands) {
    TIEBREAK_TRY(value, real(id));
    id = value;
  }
  for (Region& region : copy.regions) {
    for (ValueId& id : region.captured) {
      TIEBREAK_TRY(value, real(id));
      id = value;
    }
  }
  return copy;
}

}  // namespace tiebreak
