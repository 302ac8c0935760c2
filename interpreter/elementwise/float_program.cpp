// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/float_program.hpp"

#include <algorithm>
#include <map>

#include "interpreter/exact/machine_formats.hpp"

namespace tiebreak {
namespace {

using Argument = FloatProgram::Argument;

/// Puts the operations of a formula into their order, from its result down.
class Writer {
 public:
  Writer(const Formula& formula, const CellInputs& inputs, const ParameterSets& sets) : formula_(formula), inputs_(inputs), sets_(sets) {}
  std::optional<Argument> number(NodeId id);
  FloatProgram program{};

 private:
  std::optional<Argument> rounded(const Node& node);
  std::optional<Argument> rounded_integers(const Node& element);
  std::optional<Argument> element(const Node& node);
  std::optional<Argument> truth(NodeId id);
  std::optional<Argument> operation(const Node& node, std::size_t arguments);
  Argument added(NodeOp op, const std::array<Argument, 3>& arguments);
  template <class Value>
  std::optional<Argument> parameter(Value value, std::int64_t different);

  const Formula& formula_;
  const CellInputs& inputs_;
  const ParameterSets& sets_;
  std::map<NodeId, Argument> known_{};
};

Argument Writer::added(NodeOp op, const std::array<Argument, 3>& arguments) {
  program.operations.push_back({op, arguments});
  return {.kind = Argument::Kind::lanes, .number = program.operations.size() - 1};
}

/// The operation of a node on its first arguments, all of them numbers.
std::optional<Argument> Writer::operation(const Node& node, std::size_t arguments) {
  std::array<Argument, 3> read{};
  for (std::size_t i = 0; i < arguments; ++i) {
    const auto argument = number(node.args[i]);
    if (!argument) return std::nullopt;
    read[i] = *argument;
  }
  for (std::size_t i = arguments; i < read.size(); ++i) read[i] = read[0];
  return added(node.op, read);
}

/// A node whose value is a number of binary32 in every cell.
std::optional<Argument> Writer::number(NodeId id) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  const Node& node = formula_[id];
  std::optional<Argument> argument;
  switch (node.op) {
    case NodeOp::constant:
      if (node.constant.is_number()) argument = parameter([&](std::int64_t) { return node.constant.number(); }, 1);
      break;
    case NodeOp::element: argument = element(node); break;
    case NodeOp::round_float: argument = rounded(node); break;
    case NodeOp::minimum:
    case NodeOp::maximum: argument = node.integer ? std::nullopt : operation(node, 2); break;
    case NodeOp::absolute:
    case NodeOp::negate: argument = node.integer ? std::nullopt : operation(node, 1); break;
    case NodeOp::conditional: {
      const auto condition = truth(node.args[0]);
      const auto then = condition ? number(node.args[1]) : std::nullopt, otherwise = then ? number(node.args[2]) : std::nullopt;
      if (otherwise) argument = added(node.op, {*then, *otherwise, *condition});
      break;
    }
    default: break;
  }
  if (argument) known_.emplace(id, *argument);
  return argument;
}

/// To nearest, ties to even: of one operation, or of what is a number of binary32 already.
std::optional<Argument> Writer::rounded(const Node& node) {
  if (!is_binary32(*node.format) || node.rounding != Rounding::nearest_even || node.overflow != Overflow::format) return std::nullopt;
  const Node& inner = formula_[node.args[0]];
  if (inner.op == NodeOp::real_function && inner.function == RealFunction::sqrt) return operation(inner, 1);
  const bool operates = inner.op == NodeOp::add || inner.op == NodeOp::subtract || inner.op == NodeOp::multiply || inner.op == NodeOp::divide;
  if (!operates) {
    const auto integers = inner.op == NodeOp::element ? rounded_integers(inner) : std::nullopt;
    return integers ? integers : number(node.args[0]);
  }
  return inner.integer ? std::nullopt : operation(inner, 2);
}

/// Elements of an operand of i32: the processor rounds them as it converts them.
std::optional<Argument> Writer::rounded_integers(const Node& element) {
  const Source& source = formula_.sources[static_cast<std::size_t>(element.source)];
  if (std::ranges::find(inputs_.cellwise, static_cast<std::size_t>(element.source)) == inputs_.cellwise.end()) return std::nullopt;
  const ElementType& type = source.tensor->element();
  if (!type.is_integer() || type.bits() != 32 || !type.integer().is_signed) return std::nullopt;
  const Argument elements{.kind = Argument::Kind::elements, .integers = reinterpret_cast<const std::int32_t*>(source.tensor->bytes().data())};
  return added(NodeOp::round_float, {elements, elements, elements});
}

std::optional<Argument> Writer::truth(NodeId id) {
  const Node& node = formula_[id];
  switch (node.op) {
    case NodeOp::equal:
    case NodeOp::not_equal:
    case NodeOp::less:
    case NodeOp::less_equal: return operation(node, 2);
    case NodeOp::is_nan: return operation(node, 1);
    default: return std::nullopt;
  }
}

std::optional<Argument> Writer::element(const Node& node) {
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  if (std::ranges::find(inputs_.cellwise, static_cast<std::size_t>(node.source)) == inputs_.cellwise.end())
    return parameter([&](std::int64_t set) { return source.value(source.access.offset(sets_.cell_of(set), {})); },
                     source.access.cell_rate() == 0 ? 1 : sets_.count());
  if (!source.tensor->element().is_float() || !is_binary32(source.tensor->element().floating())) return std::nullopt;
  return Argument{.kind = Argument::Kind::elements, .elements = reinterpret_cast<const float*>(source.tensor->bytes().data())};
}

template <class Value>
std::optional<Argument> Writer::parameter(Value value, std::int64_t different) {
  std::vector<float> numbers;
  for (std::int64_t set = 0; set < different; ++set) {
    const Real number = value(set);
    numbers.push_back(static_cast<float>(number.to_double()));
    if (!number.is_nan() && !Real::from_double(double{numbers.back()}).identical(number)) return std::nullopt;
  }
  numbers.resize(static_cast<std::size_t>(sets_.count()), numbers.front());
  program.parameters.push_back(std::move(numbers));
  return Argument{.kind = Argument::Kind::parameter, .number = program.parameters.size() - 1};
}

}  // namespace

std::optional<FloatProgram> float_program(const Formula& formula, NodeId result, const CellInputs& inputs, const ParameterSets& sets) {
  Writer writer(formula, inputs, sets);
  const auto last = writer.number(result);
  if (!last || last->kind != Argument::Kind::lanes || last->number + 1 != writer.program.operations.size()) return std::nullopt;
  return std::move(writer.program);
}

}  // namespace tiebreak
