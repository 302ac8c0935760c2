// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/constraints.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

bool names(const Operators& operators, const std::string& op) { return std::ranges::find(operators, op) != operators.end(); }

const ProgramValue* constant_of(const Program& program, ValueId id) {
  const ProgramValue* value = id < 0 ? nullptr : &program.values[static_cast<std::size_t>(id)];
  return value != nullptr && value->constant && value->constant->element().is_float() ? value : nullptr;
}

bool has_body(const Operation& operation, const std::string& body) {
  return operation.regions.size() == 1 && operation.regions[0].program.operations.size() == 1 && operation.regions[0].program.operations[0].op == body;
}

}  // namespace

const AlikeRule* Constraints::alike_rule(const Operation& operation) const {
  for (const AlikeRule& rule : alike)
    if (names(rule.operators, operation.op) && (rule.body.empty() || has_body(operation, rule.body))) return &rule;
  return nullptr;
}

const FixedRule* Constraints::fixed_rule(const Operation& operation) const {
  for (const FixedRule& rule : fixed)
    if (names(rule.operators, operation.op)) return &rule;
  return nullptr;
}

const BiasRule* Constraints::bias_rule(const Operation& operation, std::size_t operand) const {
  for (const BiasRule& rule : biases)
    if (names(rule.operators, operation.op) && rule.operand == operand) return &rule;
  return nullptr;
}

const BiasRule* Constraints::accumulator_rule(const Program& program, const Operation& product, ValueId result) const {
  const Operation* reader = nullptr;
  if (std::ranges::find(program.outputs, result) != program.outputs.end()) return nullptr;
  for (const Operation& one : program.operations) {
    auto count = std::ranges::count(one.operands, result);
    for (const Region& region : one.regions) count += 2 * std::ranges::count(region.captured, result);
    if (count == 0) continue;
    if (count > 1 || reader != nullptr) return nullptr;
    reader = &one;
  }
  if (reader == nullptr || reader->operands.size() != 2) return nullptr;
  const ValueId added = reader->operands[reader->operands[0] == result ? 1 : 0];
  for (const BiasRule& rule : biases)
    if (names(rule.added_to, product.op) && names(rule.operators, reader->op) && constant_of(program, added) != nullptr) return &rule;
  return nullptr;
}

}  // namespace tiebreak
