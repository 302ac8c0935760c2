// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/graph_builder.hpp"

#include <algorithm>

namespace tiebreak {

std::string GraphBuilder::free_name(const std::string& name) {
  if (names_.count(name) == 0) return name;
  int next = 2;
  while (names_.count(name + "_" + std::to_string(next)) > 0) ++next;
  return name + "_" + std::to_string(next);
}

ValueId GraphBuilder::define(const std::string& name, ProgramValue value) {
  value.name = name;
  const auto id = static_cast<ValueId>(program_.values.size());
  if (!name.empty()) names_.emplace(name, id);
  program_.values.push_back(std::move(value));
  return id;
}

ValueId GraphBuilder::input(const std::string& name, const std::optional<TensorType>& type) {
  program_.inputs.push_back(define(name, {name, type, std::nullopt}));
  return program_.inputs.back();
}

ValueId GraphBuilder::constant(const std::string& name, const Tensor& tensor) {
  std::string wanted = name;
  for (int next = 2;; ++next) {
    const auto found = names_.find(wanted);
    if (found == names_.end()) break;
    const auto& old = value(found->second).constant;
    if (old && same_type(old->type(), tensor.type()) && std::ranges::equal(old->bytes(), tensor.bytes())) return found->second;
    wanted = name + "_" + std::to_string(next);
  }
  return define(wanted, {wanted, tensor.type(), tensor});
}

ValueId GraphBuilder::add(const std::string& op, const std::string& name, std::vector<ValueId> operands, AttributeMap attributes) {
  const bool is_onnx = op.starts_with("onnx.");
  Operation operation{op, std::move(operands), {}, std::move(attributes), is_onnx ? opset_ : op.starts_with("microsoft.") ? 1 : 0, where_, {}};
  return add_operation(std::move(operation), {name}).front();
}

std::vector<ValueId> GraphBuilder::add_operation(Operation operation, const std::vector<std::string>& names) {
  if (operation.op.starts_with("onnx.")) operation.version = opset_;
  operation.results.clear();
  for (const std::string& name : names) operation.results.push_back(define(name.empty() ? name : free_name(name), {}));
  program_.operations.push_back(operation);
  return operation.results;
}

Program GraphBuilder::finish(std::vector<ValueId> outputs, const std::string& name, const std::string& file) {
  program_.outputs = std::move(outputs);
  program_.name = name;
  program_.file = file;
  return std::move(program_);
}

}  // namespace tiebreak
