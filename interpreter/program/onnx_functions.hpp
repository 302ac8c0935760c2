// SPDX-License-Identifier: Apache-2.0
// Functions of an ONNX model: graphs that its nodes name as they name operators. Where a node calls one, the reader puts the function's nodes in its place.
#pragma once
#include <google/protobuf/message.h>

#include <set>

#include "interpreter/program/onnx_proto.hpp"

namespace tiebreak::onnx_format {

struct ModelFunction {
  onnx::GraphProto body{};             ///< its nodes, and its inputs and outputs by their names alone
  std::vector<int> order{};            ///< in which the nodes run
  std::set<std::string> inputs{};      ///< formal ones
  std::set<std::string> attributes{};  ///< that a call may give
  std::vector<onnx::AttributeProto> defaults{};
  std::map<std::string, std::optional<TensorType>> types{};  ///< stated ones, the same at every call
  Opsets opsets{};
};

class ModelFunctions {
 public:
  /// Takes the functions out of the model. Errors: a name twice, a body that is no graph, functions that call themselves, by whatever way.
  static Result<ModelFunctions> read(onnx::ModelProto& model, const std::string& file);

  bool empty() const { return functions_.empty(); }
  /// The function that a node calls, nullptr where it is an operator. A domain of functions, other than those of operators, has no others than these.
  Result<const ModelFunction*> called_by(const onnx::NodeProto& node, const std::string& where) const;

 private:
  std::map<std::string, ModelFunction> functions_{};  ///< by domain, name and overload in one word
  std::set<std::string> domains_{};
};

/// What calls may take altogether: a small file of functions that call each other twice would otherwise take any memory.
class CallBudget {
 public:
  /// A node in `depth` calls and graphs around it.
  Status take(const onnx::NodeProto& node, int depth, const std::string& where);
  Status take(const onnx::AttributeProto& attribute, const std::string& where);
  /// A graph inside a node, without its nodes.
  Status take(const onnx::GraphProto& graph, int depth, const std::string& where);

 private:
  Status take_names(std::int64_t count, int depth, const std::string& where);
  Status take_bytes(std::uint64_t count, const std::string& where);

  std::int64_t names_ = 0;
  std::uint64_t bytes_ = 0;
};

inline constexpr int nesting_limit = 200;  ///< of graphs in nodes, and of calls

/// What a call gives to the attributes of its function, defaults included; one that is left out is not there.
using CallAttributes = std::map<std::string, const onnx::AttributeProto*>;

/// The attribute itself, or what the call of the function gave to the one that it names; nullptr where that was left out. `given` is nullptr outside functions.
Result<const onnx::AttributeProto*> referred(const onnx::AttributeProto& attribute, const CallAttributes* given, const std::string& where);
/// `outer`: what was given to the function in which the call stands, nullptr outside functions.
Result<CallAttributes> given_attributes(const onnx::NodeProto& call, const ModelFunction& function, const CallAttributes* outer, const std::string& where);

}  // namespace tiebreak::onnx_format
