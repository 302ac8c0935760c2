// SPDX-License-Identifier: Apache-2.0
// Programs: operations in order, each an op of a page.
#include <fmt/format.h>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

Result<std::vector<ResultTensor>> evaluate(const Library& library, const Profile& profile, const Program& program, const std::vector<Tensor>& inputs,
                                           const EvaluateOptions& options) {
  if (inputs.size() != program.inputs.size())
    return fail(Errc::type, fmt::format("the program has {} inputs, {} were given", program.inputs.size(), inputs.size()), program.file);
  std::vector<std::optional<ResultTensor>> values(program.values.size());
  auto known = [](const Tensor& tensor, const std::string& name) {
    ResultTensor value;
    value.name = name;
    value.tensor = tensor;
    return value;
  };
  for (std::size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].constant) values[i] = known(*program.values[i].constant, program.values[i].name);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t id = static_cast<std::size_t>(program.inputs[i]);
    values[id] = known(inputs[i], program.values[id].name);
  }
  for (const Operation& operation : program.operations) {
    OpCall call{.op = operation.op, .operands = {}, .attributes = operation.attributes, .version = operation.version, .where = operation.where};
    for (ValueId id : operation.operands) {
      if (id < 0) {
        call.operands.emplace_back();
        continue;
      }
      const auto& value = values[static_cast<std::size_t>(id)];
      if (!value) return fail(Errc::type, fmt::format("value {} is used before it is computed", program.values[static_cast<std::size_t>(id)].name), operation.where);
      call.operands.emplace_back(value->tensor);
    }
    for (ValueId id : operation.results) call.result_types.push_back(id < 0 ? std::nullopt : program.values[static_cast<std::size_t>(id)].type);
    TIEBREAK_TRY(results, evaluate(library, profile, call, options));
    for (std::size_t r = 0; r < operation.results.size() && r < results.size(); ++r)
      if (operation.results[r] >= 0) values[static_cast<std::size_t>(operation.results[r])] = std::move(results[r]);
  }
  std::vector<ResultTensor> outputs;
  for (ValueId id : program.outputs) {
    auto& value = values[static_cast<std::size_t>(id)];
    if (!value) return fail(Errc::type, fmt::format("output {} is never computed", program.values[static_cast<std::size_t>(id)].name), program.file);
    value->name = program.values[static_cast<std::size_t>(id)].name;
    outputs.push_back(*value);
  }
  return outputs;
}

}  // namespace tiebreak
