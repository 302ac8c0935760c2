// SPDX-License-Identifier: Apache-2.0
// A page's formulas bound to one call: choices taken, definitions expanded, types and facts known. A graph of exact operations; every
// equal subexpression stands once, and each node knows over which coordinates it varies (its rate).
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/exact/integer_format.hpp"
#include "interpreter/formula/value.hpp"
#include "interpreter/geometry/geometry.hpp"
#include "interpreter/notation/syntax.hpp"
#include "interpreter/stop.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

struct OpCall;
using NodeId = std::int32_t;

enum class NodeOp : std::uint8_t {
  constant,
  element,
  index,
  count,
  carried,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  equal,
  not_equal,
  less,
  less_equal,
  conjunction,
  disjunction,
  negation,
  conditional,
  minimum,
  maximum,
  absolute,
  sign,
  exponent,
  is_nan,
  bit_and,
  bit_or,
  bit_xor,
  round_whole,
  round_float,
  saturate,
  wrap,
  trap,
  real_function,
  aggregate,
};

enum class AggregateKind : std::uint8_t { sum, product, minimum, maximum, fold };
enum class AggregateOrder : std::uint8_t {
  sequential,       ///< in the order of the bag: `feature` last, so that it is the fastest
  feature_slowest,  ///< order(feature, spatial)
  pairwise,
};

struct Aggregate {
  AggregateKind kind = AggregateKind::sum;
  AggregateOrder order = AggregateOrder::sequential;
  NodeId step = -1;              ///< graph over carried(0) applied to each partial result; -1: exact
  NodeId combine = -1;           ///< of fold: graph over carried(0), carried(1)
  std::int64_t blocks = 0;       ///< runs of n items; the value is one a block
  bool blocks_restart = false;   ///< blocks(n, feature): runs start anew where another item coordinate changes
  std::int64_t over_blocks = 0;  ///< this aggregate runs over the blocks of an inner one
  bool over_restart = false;
};

/// Rate bits beyond the cell coordinates.
constexpr std::uint64_t rate_item = std::uint64_t{1} << 63;
constexpr std::uint64_t rate_block = std::uint64_t{1} << 62;
constexpr std::uint64_t rate_carried = std::uint64_t{1} << 61;

struct Node {
  NodeOp op = NodeOp::constant;
  bool integer = false;  ///< an integer has one zero; a real zero has a sign
  bool truth = false;
  std::vector<NodeId> args{};
  Value constant{};
  int source = -1;  ///< element: which source; carried: 0 or 1; index, count: unused
  Rounding rounding = Rounding::nearest_even;
  Overflow overflow = Overflow::format;
  const FloatFormat* format = nullptr;
  IntegerFormat integer_format{};
  Real low{}, high{};  ///< of saturate and trap
  RealFunction function = RealFunction::exp;
  Aggregate aggregate{};
  NodeId set_end = -1;  ///< the first end of a set any.F(a, b), which stands for the set: the other end
  std::uint64_t rate = 0;
  notation::Position place{};
  std::string file{};    ///< page of `place`
  std::string text{};    ///< formula as written, for traces and messages
  std::string choice{};  ///< choice=alternative that led here
};

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
  std::shared_ptr<const OpCall> misread{};                  ///< the call that was bound in place of the one given (misread_call.hpp); sources point into it

  /// Adds a node, or finds the equal one. Constants fold.
  NodeId add(Node node);
  NodeId constant(Value value, bool integer = false);
  const Node& operator[](NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
  bool is_constant(NodeId id) const { return (*this)[id].op == NodeOp::constant; }
};

/// The one meaning of every operation but element, index, count, carried, aggregate and conditional. Undefined in, undefined out.
Result<Value> apply_node(const Node& node, const std::vector<Value>& args);

}  // namespace tiebreak
