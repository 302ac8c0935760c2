// SPDX-License-Identifier: Apache-2.0
// Every step of one result element, in the order in which it is needed.
#include <fmt/format.h>

#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {
namespace {

class Tracer {
 public:
  Tracer(const Formula& formula, ExactEvaluator& evaluator) : formula_(formula), evaluator_(evaluator) {}

  Status visit(NodeId id, int depth) {
    if (formula_.is_constant(id) || !seen_.insert(id).second) return {};
    const Node& node = formula_[id];
    if (node.op == NodeOp::conditional || node.op == NodeOp::conjunction || node.op == NodeOp::disjunction) {
      // Only what is needed: the branch not taken is not shown.
      TIEBREAK_CHECK(visit(node.args[0], depth + 1));
      TIEBREAK_TRY(condition, evaluator_.at(node.args[0]));
      if (!condition.is_undefined()) {
        if (node.op == NodeOp::conditional) return visit(node.args[condition.truth() ? 1 : 2], depth);
        if (condition.truth() != (node.op == NodeOp::disjunction)) TIEBREAK_CHECK(visit(node.args[1], depth + 1));
      }
    } else if (node.op != NodeOp::aggregate) {
      for (NodeId arg : node.args)
        if (node.op != NodeOp::element) TIEBREAK_CHECK(visit(arg, depth + 1));
    }
    return show(id, depth);
  }

  std::vector<TraceStep> steps{};

 private:
  Status show(NodeId id, int depth) {
    const Node& node = formula_[id];
    TIEBREAK_TRY(value, evaluator_.at(id));
    TraceStep step;
    step.text = node.text;
    if (node.place.line > 0) step.place = fmt::format("{}:{}", node.file, node.place.line);  // scales, counts and the like stand on no line
    step.choice = node.choice;
    step.depth = depth;
    if (node.op == NodeOp::element) step.text = node.text + element_place(node);
    if (node.op == NodeOp::aggregate) step.text += fmt::format("  over {} items", formula_.geometry.items());
    if (value.is_undefined()) {
      step.value = "undefined";
    } else if (value.is_truth()) {
      step.value = value.truth() ? "true" : "false";
    } else if (value.is_number()) {
      step.value = value.number().is_dyadic() && !value.number().is_whole() ? value.number().to_hex_float() : value.number().to_string();
      step.decimal = value.number().to_decimal(17);
    } else {
      TIEBREAK_TRY(approximate, value.computable().approximate());
      step.value = "irrational";
      step.decimal = approximate.to_decimal(30) + "...";
    }
    steps.push_back(std::move(step));
    return {};
  }

  std::string element_place(const Node& node) const {
    const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
    const std::vector<std::int64_t> no_item(formula_.geometry.item_extents.size(), 0);
    const std::int64_t offset = source.access.offset(evaluator_.cell(), no_item);
    return offset < 0 ? "[outside]" : source.size() == 1 ? "" : fmt::format("[{}]", offset);
  }

  const Formula& formula_;
  ExactEvaluator& evaluator_;
  std::set<NodeId> seen_{};
};

/// The cell and the item of a result that has an element for each item.
void set_place(ExactEvaluator& evaluator, const Geometry& geometry, std::int64_t element) {
  std::vector<std::int64_t> place(geometry.cell_extents.size()), item_place(geometry.item_extents.size());
  for (std::int64_t cell = 0; cell < geometry.cells(); ++cell)
    for (std::int64_t item = 0; item < geometry.items(); ++item) {
      unravel(cell, geometry.cell_extents, place);
      unravel(item, geometry.item_extents, item_place);
      if (geometry.item_result.offset(place, item_place) != element) continue;
      evaluator.set_cell(cell);
      evaluator.set_item(item);
    }
}

Result<std::vector<TraceStep>> trace(const Formula& formula, const FormulaResult& result, std::int64_t element, const std::string& where) {
  TIEBREAK_TRY(count, element_count(result.type.shape));
  if (element < 0 || element >= count) return fail(Errc::usage, fmt::format("result {} has {} elements, there is no [{}]", result.name, count, element), where);
  ExactEvaluator evaluator(formula);
  if (result.per_item) set_place(evaluator, formula.geometry, element);
  else evaluator.set_cell(element);
  Tracer tracer(formula, evaluator);
  TIEBREAK_CHECK(tracer.visit(result.node, 0));
  return std::move(tracer.steps);
}

tl::unexpected<Error> no_such_result(const OpCall& call, std::size_t count) {
  return fail(Errc::usage, fmt::format("{} has {} results", call.op, count), call.where);
}

}  // namespace

Result<std::vector<TraceStep>> explain(const Semantics& semantics, const OpCall& call, std::size_t result, std::int64_t element) {
  TIEBREAK_TRY(page, semantics.library.find_op(call.op));
  if (const std::size_t parts = call.result_types.size(); parts > 1 && gives_parts(*page.op)) {
    if (result >= parts) return no_such_result(call, parts);
    const ResultPart part{result, parts};
    const OpCall one = call_of_part(call, part);  // the formula refers to its tensors
    TIEBREAK_TRY(formula, bind(semantics, one, part));
    return trace(formula, formula.results.front(), element, call.where);
  }
  TIEBREAK_TRY(formula, bind(semantics, call));
  if (result >= formula.results.size()) return no_such_result(call, formula.results.size());
  return trace(formula, formula.results[result], element, call.where);
}

}  // namespace tiebreak
