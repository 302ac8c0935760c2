// SPDX-License-Identifier: Apache-2.0
// Stages: ops that a page applies to its operands before its formulas, as dynamic quantization does to the activation. What a stage gives is read
// like an operand: element by element, or row by row where it has one element for each row of its operand.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/fast/run_formula.hpp"

namespace tiebreak {
namespace {

/// Whether the items of each cell lie in one run of `run` elements, whichever cell it is: then what belongs to the run is the same for all of them.
bool in_one_run(const Affine& position, const Geometry& geometry, std::int64_t run) {
  if (position.item.size() != 1 || position.cell.size() != 1 || position.item[0].coefficient != 1) return false;
  const std::int64_t step = position.cell[0].coefficient, items = geometry.item_extents[static_cast<std::size_t>(position.item[0].coordinate)];
  return step > 0 && items <= step && run % step == 0 && position.base % step == 0;
}

}  // namespace

using notation::Expr;

/// An attribute from what a page's expression is; lists inside lists lie flat.
Result<Attribute> Binder::stage_attribute(const Term& term, const Expr& at) {
  switch (term.kind) {
    case Term::Kind::none: return Attribute{};
    case Term::Kind::format: return Attribute{term.format};
    case Term::Kind::text: return Attribute{term.text};
    case Term::Kind::node: {
      if (!formula_.is_constant(term.node)) return error("an attribute of a stage must be known before any element is looked at", at);
      const Value& value = formula_[term.node].constant;
      if (value.is_truth()) return Attribute{value.truth()};
      if (value.is_number()) return Attribute{value.number()};
      return error("an attribute of a stage must be a number, a truth, a format, a text or a list", at);
    }
    case Term::Kind::list: {
      AttributeList flat;
      for (const Term& item : term.items) {
        TIEBREAK_TRY(one, stage_attribute(item, at));
        if (const AttributeList* inner = std::get_if<AttributeList>(&one.value)) flat.insert(flat.end(), inner->begin(), inner->end());
        else if (!one.is_none()) flat.push_back(one);
      }
      return Attribute{std::move(flat)};
    }
    default: return error("an attribute of a stage must be a number, a truth, a format, a text or a list", at);
  }
}

Status Binder::add_stage_result(const notation::Stage& stage, std::size_t result, const notation::Operand& declaration, std::shared_ptr<const StageValue> value,
                                const Formula& applied) {
  TensorName name;
  name.declaration = &declaration;
  name.name = stage.targets[result];
  name.tensor = &value->tensor;
  name.type = value->tensor.type();
  name.present = true;
  name.of_stage = true;
  if (!value->undefined.empty()) name.undefined = &value->undefined;
  if (!applied.results[result].per_item && value->tensor.size() != 1) {
    // One element a row: it lies where the row does in the tensor whose rows they are.
    name.rows_of = stage.args.front()->text;
    for (std::size_t other = 0; other < stage.targets.size(); ++other)
      if (applied.results[other].per_item) name.rows_of = stage.targets[other];
    const Access& elements = applied.geometry.operands.begin()->second;
    for (std::size_t c = 0; c < applied.geometry.cell_extents.size(); ++c)
      for (std::size_t d = 0; d < elements.dimensions.size(); ++d)
        if (const auto& parts = elements.dimensions[d].position.cell; parts.size() == 1 && parts[0].coordinate == static_cast<int>(c))
          name.row_dimensions.push_back({d, elements.dimensions[d].position.item.empty() ? 1 : parts[0].coefficient});
  }
  op_scope_->names[name.name] = Term{.kind = Term::Kind::tensor, .tensor = static_cast<int>(operands_.size())};
  operands_.push_back(std::move(name));
  formula_.stages.push_back(std::move(value));
  return {};
}

Status Binder::bind_stage(const notation::Stage& stage) {
  TIEBREAK_TRY(place, library_.find_op(stage.op));
  OpCall call{.op = stage.op, .operands = {}, .version = call_.version, .where = call_.where};
  for (const notation::ExprPtr& argument : stage.args) {
    const auto operand = std::ranges::find(operands_, argument->text, &TensorName::name);
    if (argument->kind != notation::ExprKind::name || operand == operands_.end())
      return error("a stage takes operands and results of earlier stages", *argument);
    operand->for_stages = true;
    call.operands.push_back(operand->present ? std::optional<Tensor>(*operand->tensor) : std::nullopt);
    call.undefined.push_back(operand->undefined != nullptr ? *operand->undefined : std::vector<std::uint8_t>());
  }
  for (const auto& [name, expression] : stage.attributes) {
    TIEBREAK_TRY(term, bind(*expression, {op_scope_}));
    TIEBREAK_TRY(attribute, stage_attribute(term, *expression));
    call.attributes[name] = std::move(attribute);
  }
  if (stage.targets.size() > place.op->results.size()) return error_at(fmt::format("{} has {} results", stage.op, place.op->results.size()), stage.at);
  TIEBREAK_TRY(applied, tiebreak::bind({library_, profile_}, call));
  TIEBREAK_TRY(results, run_formula(applied, call));
  for (std::size_t i = 0; i < stage.targets.size(); ++i)
    TIEBREAK_CHECK(add_stage_result(stage, i, place.op->results[i],
                                    std::make_shared<const StageValue>(StageValue{std::move(results[i].tensor), std::move(results[i].undefined)}), applied));
  // The stage's choices are choices of this op too.
  formula_.clauses.insert(formula_.clauses.end(), applied.clauses.begin(), applied.clauses.end());
  std::ranges::sort(formula_.clauses);
  formula_.clauses.erase(std::unique(formula_.clauses.begin(), formula_.clauses.end()), formula_.clauses.end());
  formula_.readings.insert(applied.readings.begin(), applied.readings.end());
  return {};
}

/// The rows' places: those of the tensor that has them, without the dimensions that were reduced. Rows that are runs of n lie where the element's place
/// divided by n is.
Access Binder::row_access(const TensorName& rows) const {
  Access access;
  const auto found = formula_.geometry.operands.find(rows.rows_of);
  if (found == formula_.geometry.operands.end()) return access;
  const std::vector<std::int64_t> strides = row_major_strides(rows.type->shape);
  for (std::size_t i = 0; i < rows.row_dimensions.size(); ++i) {
    const auto& [d, run] = rows.row_dimensions[i];
    AccessDimension dimension = found->second.dimensions[d];
    dimension.divisor *= run;
    if (run > 1 && in_one_run(dimension.position, formula_.geometry, run)) dimension.position.item.clear();
    dimension.size = rows.type->shape[i];
    dimension.stride = strides[i];
    access.dimensions.push_back(std::move(dimension));
  }
  return access;
}

}  // namespace tiebreak
