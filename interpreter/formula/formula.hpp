// SPDX-License-Identifier: Apache-2.0
// A page's formulas bound to one call: choices taken, definitions expanded, types and facts known. A graph of exact operations; every
// equal subexpression stands once, and each node knows over which coordinates it varies (its rate).
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/geometry/geometry.hpp"
#include "interpreter/operations/operation_traits.hpp"
#include "interpreter/stop.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

struct OpCall;
/// Where element nodes read: a tensor's codes, or a vector of facts (scales, zero points).
struct Source {
  std::string name;
  Access access{};
  const Tensor* tensor = nullptr;
  std::vector<Real> values{};  ///< when tensor is null
  bool integer = false;
  bool positive = false;                                 ///< scales of a quantized type, every one of them
  bool settled = false;                                  ///< computed by a stage: no other values will be asked for
  const std::vector<std::uint8_t>* undefined = nullptr;  ///< per element of the tensor: what an earlier op left undefined
  std::int64_t size() const { return tensor != nullptr ? tensor->size() : static_cast<std::int64_t>(values.size()); }
  Real value(std::int64_t offset) const { return tensor != nullptr ? tensor->value(offset) : values[static_cast<std::size_t>(offset)]; }
};

/// A result of a stage: an op that the page applies before its formulas.
struct StageValue {
  Tensor tensor;
  std::vector<std::uint8_t> undefined{};
};

struct FormulaResult {
  std::string name;
  NodeId node = -1;
  TensorType type{};
  bool per_item = false;  ///< an element for each item of each row
  bool single = false;    ///< declared []: one value
};

struct FormulaRequire {
  std::string label;
  NodeId node;
};

struct Formula {
  std::string op;
  std::vector<Node> nodes{};
  std::vector<Source> sources{};
  Geometry geometry{};
  std::vector<FormulaResult> results{};
  std::vector<FormulaRequire> requires_{};
  std::vector<std::string> clauses{};                       ///< choice=alternative taken, sorted
  std::map<std::string, std::string> readings{};            ///< the same by profile key: op/choice, op/alias.choice
  std::vector<std::shared_ptr<const StageValue>> stages{};  ///< what earlier stages of the op have computed; sources point into them
  Stop stop{};                                              ///< of the library

  /// Adds a node, or finds the equal one. Constants fold.
  NodeId add(Node node);
  NodeId constant(Value value, bool integer = false);
  const Node& operator[](NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
  bool is_constant(NodeId id) const { return (*this)[id].op == NodeOp::constant; }
};

}  // namespace tiebreak
