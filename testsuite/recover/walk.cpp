// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testsuite/recover/recovery.hpp"

namespace tiebreak {
namespace recover {

CodeFacts& Recovery::facts(ValueId id) { return facts_[id]; }

std::optional<ElementType> Recovery::element_of(ValueId id) const {
  if (const auto& type = graph_.value(id).type) return type->element;
  if (const Tensor* tensor = constants_.find(id)) return tensor->element();
  const auto known = elements_.find(id);
  return known == elements_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::size_t> Recovery::rank_of(ValueId id) const {
  if (const auto& type = graph_.value(id).type) return type->shape.size();
  if (const Tensor* tensor = constants_.find(id)) return tensor->shape().size();
  return std::nullopt;
}

void Recovery::state_types() {
  for (std::size_t i = 0; i < program_.values.size(); ++i) {
    const auto& type = program_.values[i].type;
    if (!type || !type->quantized) continue;
    const auto id = static_cast<ValueId>(i);
    CodeFacts& known = facts(id);
    known.stated = type->quantized;
    known.from = "the type of " + graph_.name(id);
    known.place = graph_.place(id);
    if (!type->quantized->scales.empty()) continue;
    known.why_no_scale = known.why_no_zero_point = "its type has none";
  }
}

/// A quantized value and a float of the same shape, on two sides of an operation of one operand: the float is what the codes stand for.
void Recovery::name_real_sides(const Operation& operation) {
  if (operation.operands.size() != 1 || operation.results.size() != 1 || operation.operands[0] < 0) return;
  const ValueId from = operation.operands[0], to = operation.results[0];
  const auto &a = graph_.value(from).type, &b = graph_.value(to).type;
  if (!a || !b || a->shape != b->shape || a->quantized.has_value() == b->quantized.has_value()) return;
  const ValueId codes = a->quantized ? from : to, real = a->quantized ? to : from;
  if (!graph_.value(real).type->element.is_float()) return;
  CodeFacts& known = facts(codes);
  (codes == to ? quantized_as_ : dequantized_from_)[real].insert(codes);
  if (known.real < 0 || codes == to) known.real = real;
  known.op = operation.op;
}

/// What shares a type variable in the page's header has one element type: codes, their zero point, a result.
void Recovery::share_elements(const notation::Op& op, const Operation& operation) {
  std::map<std::string, ElementType> bound;
  const auto values = operand_values(op, operation);
  const auto each = [&](const auto& visit) {
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      for (const ValueId id : values[i])
        if (id >= 0 && op.operands[i].types.size() == 1) visit(op.operands[i].types[0], id);
    for (std::size_t i = 0; i < op.results.size() && i < operation.results.size(); ++i)
      if (op.results[i].types.size() == 1) visit(op.results[i].types[0], operation.results[i]);
  };
  each([&](const std::string& word, ValueId id) {
    if (const auto element = element_of(id)) bound.emplace(word, *element);
  });
  each([&](const std::string& word, ValueId id) {
    if (const auto element = bound.find(word); element != bound.end()) elements_.emplace(id, element->second);
  });
}

Status Recovery::visit(const Operation& operation) {
  TIEBREAK_CHECK(semantics_.library.stop().check());
  name_real_sides(operation);
  const auto place = semantics_.library.op_place(operation.op);
  if (!place) return {};
  const notation::Op& op = *place->op;
  for (std::size_t i = 0; i < op.results.size() && i < operation.results.size(); ++i)
    if (op.results[i].types.size() == 1)
      if (const auto element = ElementType::parse(op.results[i].types[0])) elements_.emplace(operation.results[i], *element);
  take_parameters(op, operation);
  share_elements(op, operation);
  std::optional<ElementType> element;
  for (const ValueId id : operation.operands)
    if (id >= 0 && (constants_.find(id) == nullptr || !element)) element = element_of(id);
  if (program_.operations.size() == 1) return {};  // an operation alone is nothing that parameters were folded into
  if (const auto step = step_of(semantics_, graph_, constants_, operation, element)) {
    elements_.emplace(operation.results[0], step->element);
    steps_.emplace(operation.results[0], *step);
  }
  return {};
}

/// Once all operations have been looked at alone: what their neighbours say of their values.
Status Recovery::follow(const Operation& operation) {
  TIEBREAK_CHECK(semantics_.library.stop().check());
  const auto place = semantics_.library.op_place(operation.op);
  if (!place || operation.results.empty()) return {};
  take_annotation(operation);
  if (const auto step = steps_.find(operation.results[0]); step != steps_.end()) {
    take_step(operation, step->second);
  } else if (!contract(*place->op, operation)) {
    add_bias(operation);
    pass_on(*place->op, operation);
  }
  return {};
}

Result<RecoveredParameters> Recovery::run() {
  state_types();
  for (const Operation& operation : program_.operations) TIEBREAK_CHECK(visit(operation));
  for (const Operation& operation : program_.operations) TIEBREAK_CHECK(follow(operation));
  TIEBREAK_CHECK(take_annotations());
  solve_all();
  find_grids();
  TIEBREAK_CHECK(semantics_.library.stop().check());
  return results();
}

}  // namespace recover

Result<RecoveredParameters> recover_parameters(const Library& library, const Program& program, const RecoverQuestion& question) {
  TIEBREAK_TRY(profile, library.find_profile("reference"));
  const Semantics semantics{library, *profile};
  TIEBREAK_TRY(constants, recover::Constants::of(semantics, program));
  return recover::Recovery(semantics, program, question, std::move(constants)).run();
}

}  // namespace tiebreak
