// SPDX-License-Identifier: Apache-2.0
#include "testsuite/recover/facts.hpp"

namespace tiebreak::recover {

ValueGraph::ValueGraph(const Program& program) : program_(program), producers_(program.values.size(), -1), users_(program.values.size()) {
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    for (const ValueId id : program.operations[i].results)
      if (id >= 0) producers_[static_cast<std::size_t>(id)] = static_cast<int>(i);
    for (const ValueId id : program.operations[i].operands)
      if (id >= 0 && (users(id).empty() || users(id).back() != i)) users_[static_cast<std::size_t>(id)].push_back(i);
  }
}

std::string ValueGraph::name(ValueId id) const {
  std::string name = value(id).name;
  if (name.starts_with("%")) name.erase(0, 1);
  if (!name.empty()) return name;
  const bool is_made = producer(id) >= 0;
  if (!is_made && users(id).empty()) return "value " + std::to_string(id);
  const Operation& operation = program_.operations[is_made ? static_cast<std::size_t>(producer(id)) : users(id).front()];
  return (is_made ? "result of " : "constant of ") + operation.op + " at " + operation.where;
}

std::string ValueGraph::place(ValueId id) const {
  if (producer(id) >= 0) return program_.operations[static_cast<std::size_t>(producer(id))].where;
  return users(id).empty() ? program_.file : program_.operations[users(id).front()].where;
}

}  // namespace tiebreak::recover
