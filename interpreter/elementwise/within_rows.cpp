// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/within_rows.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "interpreter/elementwise/fill_result.hpp"
#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/geometry/access_order.hpp"

namespace tiebreak {
namespace {

/// What a result is made of: nodes that are the same for all items of a row, and sources that are read item by item.
struct RowParts {
  std::set<NodeId> of_rows{};
  std::set<int> by_item{};
};

/// False where a node sees the bag item by item in another way than by elements.
bool find_parts(const Formula& formula, NodeId id, RowParts& parts) {
  const Node& node = formula[id];
  if (node.op == NodeOp::constant) return true;
  if ((node.rate & (rate_item | rate_block | rate_carried)) == 0) return parts.of_rows.insert(id), true;
  switch (node.op) {
    case NodeOp::index:
    case NodeOp::count:
    case NodeOp::carried:
    case NodeOp::aggregate: return false;
    case NodeOp::element: parts.by_item.insert(node.source); break;
    default: break;
  }
  return std::ranges::all_of(node.args, [&](NodeId arg) { return find_parts(formula, arg, parts); });
}

/// Row after row, in each item after item.
bool lies_in_rows(const Access& access, const Geometry& geometry) {
  if (!is_line_of_items(access, geometry.item_extents)) return false;
  std::vector<std::int64_t> place(geometry.cell_extents.size());
  const std::vector<std::int64_t> first(geometry.item_extents.size());
  for (std::int64_t cell = 0; cell < geometry.cells(); ++cell) {
    unravel(cell, geometry.cell_extents, place);
    if (access.offset(place, first) != cell * geometry.items()) return false;
  }
  return true;
}

/// The numbers of a node, one a row; nothing where one is none.
Result<std::optional<std::vector<Real>>> numbers_of_rows(FastEvaluator& evaluator, NodeId id, std::int64_t rows) {
  const std::optional<std::vector<Real>> none;
  TIEBREAK_TRY(column, evaluator.at(id));
  std::vector<Real> numbers;
  for (std::int64_t row = 0; row < rows; ++row) {
    const Value value = column->value(static_cast<std::size_t>(row));
    if (!value.is_number()) return none;
    numbers.push_back(value.number());
  }
  return std::optional(std::move(numbers));
}

/// The node becomes the element of a source of numbers.
void put_numbers(Formula& formula, NodeId id, std::vector<Real> numbers) {
  Source source{.name = "of the row", .access = along_coordinate(0, static_cast<std::int64_t>(numbers.size()))};
  source.integer = formula[id].integer;
  source.settled = true;
  source.values = std::move(numbers);
  formula.sources.push_back(std::move(source));
  Node element;
  element.op = NodeOp::element;
  element.source = static_cast<int>(formula.sources.size()) - 1;
  element.integer = formula[id].integer;
  element.text = formula[id].text;
  formula.nodes[static_cast<std::size_t>(id)] = std::move(element);
}

}  // namespace

Result<FillPlan> plan_within_rows(const Formula& formula, const FormulaResult& declared) {
  const FillPlan none;
  const Geometry& geometry = formula.geometry;
  RowParts parts;
  const bool fits = declared.type.element.storage_bytes() == 1 && formula.requires_.empty() && lies_in_rows(geometry.item_result, geometry);
  if (!fits || !find_parts(formula, declared.node, parts)) return none;
  for (const int source : parts.by_item)
    if (!lies_in_rows(formula.sources[static_cast<std::size_t>(source)].access, geometry)) return none;
  const auto items = std::make_shared<Formula>(formula);
  FastEvaluator evaluator(formula);
  evaluator.set_cells(0, static_cast<std::size_t>(geometry.cells()));
  for (const NodeId id : parts.of_rows) {
    const auto numbers = numbers_of_rows(evaluator, id, geometry.cells());
    TIEBREAK_CHECK(formula.stop.check());
    if (!numbers || !*numbers) return none;
    put_numbers(*items, id, **numbers);
  }
  items->geometry = {};
  items->geometry.cell_extents = {geometry.cells(), geometry.items()};
  items->geometry.result_shape = items->geometry.cell_extents;
  for (const int source : parts.by_item) items->sources[static_cast<std::size_t>(source)].access = elements_in_order(items->geometry.cell_extents);
  FormulaResult of_items = declared;
  of_items.per_item = false;
  TIEBREAK_TRY(plan, plan_elementwise(*items, of_items));
  if (!plan) return none;
  return FillPlan([items, plan = std::move(plan)](ResultTensor& result) { return plan(result); });
}

}  // namespace tiebreak
