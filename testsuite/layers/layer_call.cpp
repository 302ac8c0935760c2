// SPDX-License-Identifier: Apache-2.0
#include "testsuite/layers/layer_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "testsuite/layers/model_values.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {

std::string first_result(const Program& program, const Operation& operation) {
  for (ValueId id : operation.results)
    if (id >= 0 && !program.values[value_place(id)].name.empty()) return program.values[value_place(id)].name;
  return operation.op;
}

std::string layer_word(const Program& program, std::size_t layer) {
  const std::size_t width = std::to_string(program.operations.size()).size();
  std::string name = id_part(first_result(program, program.operations[layer]));
  name.erase(0, std::min(name.find_first_not_of('-'), name.size() - 1));  // names of exporters begin with a slash
  return fmt::format("{:0{}}.{}", layer, width, name);
}

const Tensor* read_value(const Program& program, const std::vector<std::optional<Tensor>>& known, ValueId id) {
  if (program.values[value_place(id)].constant) return &*program.values[value_place(id)].constant;
  return known[value_place(id)] ? &*known[value_place(id)] : nullptr;
}

std::optional<Case> call_case(const Library& library, const Program& program, std::size_t layer, const std::vector<std::optional<Tensor>>& known) {
  Operation operation = program.operations[layer];
  const auto place = library.op_place(operation.op);
  if (!place || !operation.regions.empty()) return std::nullopt;
  const auto& declared = (*place).op->operands;
  Case call;
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    ValueId& id = operation.operands[i];
    if (id < 0) continue;
    const Tensor* tensor = read_value(program, known, id);
    if (tensor == nullptr || declared.empty()) return std::nullopt;
    const auto& own = declared[std::min(i, declared.size() - 1)];
    id = static_cast<ValueId>(call.program.values.size());
    call.program.values.push_back({own.variadic ? own.name + "_" + std::to_string(i) : own.name, tensor->type(), {}});
    call.program.inputs.push_back(id);
    call.inputs.push_back(*tensor);
  }
  const auto& results = (*place).op->results;
  for (std::size_t r = 0; r < operation.results.size(); ++r) {
    if (operation.results[r] < 0) continue;
    const ProgramValue& value = program.values[value_place(operation.results[r])];
    call.program.values.push_back({r < results.size() ? results[r].name : value.name, value.type, {}});
    operation.results[r] = static_cast<ValueId>(call.program.values.size()) - 1;
  }
  call.program.outputs = named_results(operation);
  call.program.file = program.file;
  call.program.operations.push_back(std::move(operation));
  return call;
}

}  // namespace tiebreak
