// SPDX-License-Identifier: Apache-2.0
// A program that grows operation by operation, its names unique.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak {

class GraphBuilder {
 public:
  explicit GraphBuilder(int opset) : opset_(opset) {}

  ValueId input(const std::string& name, const std::optional<TensorType>& type);
  /// The value of that name, if it is the same constant; else a new one.
  ValueId constant(const std::string& name, const Tensor& tensor);
  /// An operation with one result called `name`, or near it where the name is taken.
  ValueId add(const std::string& op, const std::string& name, std::vector<ValueId> operands, AttributeMap attributes = {});
  /// An operation as it is, with its operands and the names of its results.
  std::vector<ValueId> add_operation(Operation operation, const std::vector<std::string>& names);
  /// Where the operations that follow come from.
  void set_place(std::string where) { where_ = std::move(where); }
  const std::string& name(ValueId id) const { return program_.values[static_cast<std::size_t>(id)].name; }
  ProgramValue& value(ValueId id) { return program_.values[static_cast<std::size_t>(id)]; }
  std::size_t operations() const { return program_.operations.size(); }
  Program finish(std::vector<ValueId> outputs, const std::string& name, const std::string& file);

 private:
  ValueId define(const std::string& name, ProgramValue value);
  std::string free_name(const std::string& name);

  int opset_;
  std::string where_{};
  Program program_{};
  std::map<std::string, ValueId> names_{};
};

}  // namespace tiebreak
