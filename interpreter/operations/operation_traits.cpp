// SPDX-License-Identifier: Apache-2.0
#include "interpreter/operations/operation_traits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/operations/operation_records.hpp"

namespace tiebreak {
namespace operations_inside {

std::string place_of(const Node& node) { return fmt::format("{}:{}", node.file, node.place.line); }

Value as_kind(const Node& node, Real number) {
  if (node.integer && number.is_zero()) return Real(0);
  return number;
}

Result<Real> exact(const Node& node, const Value& value) {
  if (value.is_number()) return value.number();
  return fail(Errc::type, fmt::format("N10 an irrational value meets no rounding before '{}'", node.text), place_of(node),
              "round it first: f32(...), rne(...)");
}

}  // namespace operations_inside

namespace {

using namespace operations_inside;

std::array<std::span<const OperationTraits>, 10> families() {
  return {arithmetic_operations(), power_operations(),    order_operations(),        comparison_operations(), truth_operations(),
          bit_operations(),        rounding_operations(), whole_format_operations(), function_operations(),   look_up_operations()};
}

using Table = std::array<const OperationTraits*, static_cast<std::size_t>(NodeOp::aggregate) + 1>;

const Table& table() {
  static const Table all = [] {
    Table by_op{};
    for (const std::span<const OperationTraits> family : families())
      for (const OperationTraits& operation : family) by_op[static_cast<std::size_t>(operation.op)] = &operation;
    return by_op;
  }();
  return all;
}

}  // namespace

const OperationTraits* find_traits(NodeOp op) { return table()[static_cast<std::size_t>(op)]; }

const OperationTraits* find_traits(std::string_view word) {
  const auto found =
      std::ranges::find_if(table(), [&](const OperationTraits* operation) { return operation != nullptr && !word.empty() && operation->word == word; });
  return found == table().end() ? nullptr : *found;
}

Result<Value> apply_node(const Node& node, std::span<const Value> args) {
  if (node.op == NodeOp::constant) return node.constant;
  const OperationTraits* operation = find_traits(node.op);
  if (operation == nullptr) return fail(Errc::internal, "apply_node: node has no value of its own", place_of(node));
  if (std::ranges::any_of(args, [](const Value& arg) { return arg.is_undefined(); })) return Value();
  return operation->value(node, args);
}

}  // namespace tiebreak
