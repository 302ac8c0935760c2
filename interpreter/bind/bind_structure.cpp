// SPDX-License-Identifier: Apache-2.0
// The structure line with its arguments, the sources that element nodes read, facts of tensors, and constraints.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/structure/padded_extent.hpp"
#include "interpreter/structure/tap_weight.hpp"

namespace tiebreak {

namespace {

/// How many of the window's places lie in the operand or its padding: a constant for each dimension over whose end no window hangs, else read by place.
NodeId padded_count(Formula& formula, const std::vector<structure::PaddedExtent>& padded) {
  NodeId product = formula.constant(Real(1), true);
  for (const structure::PaddedExtent& extent : padded) {
    if (extent.counts.empty()) continue;  // no window, so no cell that would ask
    Node factor;
    factor.integer = true;
    if (std::ranges::all_of(extent.counts, [&](std::int64_t count) { return count == extent.counts.front(); })) {
      factor.constant = Real(extent.counts.front());
    } else {
      Source counts{.name = fmt::format("padded_count along {}", extent.coordinate), .integer = true};
      counts.access = make_access({static_cast<std::int64_t>(extent.counts.size())}, {Affine{.cell = {{extent.coordinate, 1}}}});
      for (std::int64_t count : extent.counts) counts.values.emplace_back(count);
      factor.op = NodeOp::element;
      factor.source = static_cast<int>(formula.sources.size());
      factor.rate = counts.access.cell_rate();
      factor.text = counts.name;
      formula.sources.push_back(std::move(counts));
    }
    Node both;
    both.op = NodeOp::multiply;
    both.integer = true;
    both.args = {product, formula.add(std::move(factor))};
    both.text = "padded_count";
    product = formula.add(std::move(both));
  }
  return product;
}

}  // namespace

using notation::Expr;

StructureRequest Binder::structure_request() const {
  StructureRequest request;
  request.attributes = &attributes_;
  request.op = call_.op;
  request.where = call_.where;
  request.results = call_.result_types;
  request.part = part_.number;
  request.parts = part_.count;
  for (const TensorName& operand : operands_)
    if (operand.present) request.operands.push_back({operand.name, *operand.type, operand.tensor});
  return request;
}

Result<Shape> Binder::integers_of(const Expr& expression) {
  TIEBREAK_TRY(term, bind(expression, {op_scope_}));
  if (term.kind == Term::Kind::none) return Shape{};
  Shape values;
  auto add_integer = [&](const Term& item) -> Status {
    TIEBREAK_TRY(id, as_node(item, expression));
    auto value = formula_.is_constant(id) && formula_[id].constant.is_number() ? formula_[id].constant.number().to_int64() : std::nullopt;
    if (!value) return error("an argument of the structure must be a known integer", expression);
    values.push_back(*value);
    return {};
  };
  if (term.kind == Term::Kind::list) {
    for (const Term& item : term.items) TIEBREAK_CHECK(add_integer(item));
  } else {
    TIEBREAK_CHECK(add_integer(term));
  }
  return values;
}

/// `none`, or a choice that takes it.
Result<bool> Binder::adds_nothing(const Expr& padding) {
  const auto is_none = [](const Expr& value) { return value.kind == notation::ExprKind::constant && value.text == "none"; };
  if (padding.kind != notation::ExprKind::name && padding.kind != notation::ExprKind::call) return is_none(padding);
  TIEBREAK_TRY(found, look_up(padding.text, *op_scope_));
  const auto* choice = found.entry == nullptr ? nullptr : std::get_if<const notation::Choice*>(found.entry);
  if (choice == nullptr) return false;
  TIEBREAK_TRY(alternative, take(**choice, *found.owner));
  return is_none(*alternative->body.value);
}

Result<std::vector<StructureArgument>> Binder::structure_arguments(const notation::Structure& line) {
  std::vector<StructureArgument> arguments;
  for (const notation::Argument& argument : line.arguments) {
    if (argument.value) {
      if (notation::is_place_key(argument.name)) continue;  // asked for by the structure, see structure_number
      TIEBREAK_TRY(nothing, adds_nothing(*argument.value));
      if (argument.name == "pad" && nothing) continue;
      // pad = e, fill = e: what a tap outside the first operand reads.
      if (argument.name != "pad" && argument.name != "fill") return error_at(fmt::format("N01 unknown structure argument '{}'", argument.name), line.at);
      const std::string owner = line.arguments.front().name;
      add_lazy(*op_scope_, {"pad of " + owner}, Lazy{.expression = argument.value.get(), .scope = op_scope_});
      op_scope_->names["padded"] = Term{};
      continue;
    }
    StructureArgument bound;
    Expr name;
    name.kind = notation::ExprKind::name;
    name.text = argument.name;
    name.at = line.at;
    // A name of the header (a variadic one may have no members), or the result of a stage.
    const bool operand = std::ranges::any_of(op_->operands, [&](const notation::Operand& candidate) { return candidate.name == argument.name; }) ||
                         std::ranges::any_of(operands_, [&](const TensorName& candidate) { return candidate.name == argument.name; });
    if (operand) {
      bound.name = argument.name;
    } else {
      TIEBREAK_TRY(values, integers_of(name));
      bound.values = values;
    }
    if (argument.by) {
      TIEBREAK_TRY(block, integers_of(*argument.by));
      bound.block = block.empty() ? 0 : block[0];
    }
    arguments.push_back(std::move(bound));
  }
  return arguments;
}

Result<ParameterIndex> Binder::parameter_index(const notation::Index& index) {
  ParameterIndex bound{.name = index.name};
  if (index.by) {
    TIEBREAK_TRY(block, integers_of(*index.by));
    bound.block = block.empty() ? 0 : block[0];
    if (bound.block < 0) return fail(Errc::type, fmt::format("{}: block size {} is negative", call_.op, bound.block), call_.where);
  }
  const bool attribute = std::ranges::any_of(op_->attributes, [&](const notation::Operand& one) { return one.name == index.name; });
  if (index.name == "axis" || attribute) {
    bound.name = "axis";
    Expr name;
    name.kind = notation::ExprKind::name;
    name.text = index.name;
    TIEBREAK_TRY(axis, integers_of(name));
    const std::int64_t rank = static_cast<std::int64_t>(operands_.front().type->shape.size());
    bound.axis = axis.empty() ? 0 : axis[0] < 0 ? axis[0] + rank : axis[0];
  }
  return bound;
}

Status Binder::add_source(TensorName& operand) {
  Source source;
  source.name = operand.name;
  source.access = formula_.geometry.operands.at(source.name);
  source.tensor = operand.tensor;
  source.integer = operand.type->element.is_integer();
  source.undefined = operand.undefined;
  source.settled = operand.of_stage;
  operand.source = static_cast<int>(formula_.sources.size());
  formula_.sources.push_back(std::move(source));
  return {};
}

Status Binder::build_structure() {
  const notation::Structure* line = notation::structure_of(*op_);
  if (line == nullptr) return error_at(fmt::format("op {} has no structure line", call_.op), op_->at);
  StructureRequest request = structure_request();
  request.path = line->path;
  request.formula = [&](const std::string& key, const std::map<std::string, Real>& names) { return structure_number(*line, key, names); };
  request.has_weight = std::ranges::any_of(line->arguments, [](const notation::Argument& argument) { return argument.value && argument.name == "weight"; });
  TIEBREAK_TRY(arguments, structure_arguments(*line));
  request.arguments = arguments;
  TIEBREAK_TRY(geometry, build_geometry(request));
  formula_.geometry = std::move(geometry);
  TIEBREAK_TRY(padded, structure::padded_extents(request));
  if (!padded.empty()) op_scope_->names["padded_count"] = Term::of(padded_count(formula_, padded));
  TIEBREAK_TRY(taps, structure::tap_facts(request));
  if (taps) name_tap_facts(*taps);
  if (formula_.geometry.taps > 0) op_scope_->names["taps"] = Term::of(formula_.constant(Real(formula_.geometry.taps), true));
  for (const StructureOperand& operand : request.operands) {
    const TensorName& name = *std::ranges::find(operands_, operand.name, &TensorName::name);
    if (formula_.geometry.operands.contains(operand.name)) {  // by the structure, which does not ask how many values it has
      const bool is_one_value = name.declaration->indexed && name.declaration->indices.empty();
      if (is_one_value && name.tensor != nullptr && name.tensor->size() != 1)
        return fail(Errc::type, fmt::format("{}: {} has shape {}, expected one value", call_.op, operand.name, to_text(operand.type.shape)), call_.where);
      continue;
    }
    if (name.for_stages) continue;
    if (!name.rows_of.empty()) {
      formula_.geometry.operands[name.name] = row_access(name);
      continue;
    }
    std::vector<ParameterIndex> indices;
    for (const notation::Index& index : name.declaration->indices) {
      TIEBREAK_TRY(bound, parameter_index(index));
      indices.push_back(bound);
    }
    TIEBREAK_CHECK(add_parameter(formula_.geometry, request, operand, indices));
  }
  for (TensorName& operand : operands_) {
    if (!operand.present || (operand.for_stages && !formula_.geometry.operands.contains(operand.name))) continue;
    if (operand.of_stage && operand.tensor->size() != 1 && formula_.geometry.operands.at(operand.name).dimensions.empty())
      return error_at(fmt::format("N01 nothing says where the {} elements of the stage's result '{}' lie: it is no argument of the structure",
                                  operand.tensor->size(), operand.name),
                      line->at);
    TIEBREAK_CHECK(add_source(operand));
  }
  structure_built_ = true;
  return {};
}

/// Scale or zero point of a quantized tensor as a node: a constant per tensor, else read along the quantized axes. Of any tensor, where in it the element
/// lies that the cell and the item see, in row-major order, and which of an entry's elements it is where an entry holds several.
Result<NodeId> Binder::fact_source(TensorName& tensor, const std::string& fact) {
  if (auto found = tensor.facts.find(fact); found != tensor.facts.end()) return found->second;
  Source source;
  source.name = tensor.name + "." + fact;
  if (fact == "place") {
    source.access = formula_.geometry.operands.at(tensor.name);
    source.integer = true;
    for (std::int64_t i = 0; i < tensor.tensor->size(); ++i) source.values.emplace_back(i);
  } else if (fact == "piece") {
    for (const AccessDimension& dimension : formula_.geometry.operands.at(tensor.name).dimensions) {
      if (dimension.divisor == 1) continue;
      source.access.dimensions = {{.position = dimension.position, .size = dimension.size * dimension.divisor, .stride = 1}};
      for (std::int64_t i = 0; i < dimension.size * dimension.divisor; ++i) source.values.emplace_back(i % dimension.divisor);
    }
    source.integer = true;
    if (source.values.empty()) return tensor.facts[fact] = formula_.constant(Real(0), true);  // one element an entry
  } else {
    const QuantizedType& type = *tensor.type->quantized;
    const bool scale = fact == "scale";
    std::vector<Real> values;
    for (std::size_t i = 0; i < type.scales.size(); ++i) values.push_back(scale ? type.scales[i].value : type.zero_points[i].value);
    // Equal zero points are one number; scales that are equal stay a parameter of their axis, which formulas may ask for by place.
    const bool same = !scale && !values.empty() && std::ranges::all_of(values, [&](const Real& value) { return value.identical(values.front()); });
    if (values.size() == 1 || same) return tensor.facts[fact] = formula_.constant(values[0], !scale);
    const Access& elements = tensor.tensor != nullptr ? formula_.geometry.operands.at(tensor.name) : formula_.geometry.result;
    if (elements.dimensions.size() != tensor.type->shape.size())  // the stated rank is compared with the operands' only later
      return fail(
          Errc::type,
          fmt::format("{}: {} has shape {}, the operands give {} dimensions", call_.op, tensor.name, to_text(tensor.type->shape), elements.dimensions.size()),
          call_.where);
    source.access = quantized_parameter_access(elements, type);
    source.values = std::move(values);
    source.integer = !scale;
    source.positive = scale;
  }
  Node node;
  node.op = NodeOp::element;
  node.source = static_cast<int>(formula_.sources.size());
  node.integer = source.integer;
  node.rate = source.access.cell_rate() | (source.access.varies_over_items() ? rate_item : 0);
  node.text = source.name;
  node.file = file_;
  formula_.sources.push_back(std::move(source));
  return tensor.facts[fact] = formula_.add(std::move(node));
}

Result<Term> Binder::bind_fact(int position, bool result, const std::string& fact, const Expr& at) {
  TensorName& tensor = result ? results_[static_cast<std::size_t>(position)] : operands_[static_cast<std::size_t>(position)];
  const std::string& name = tensor.name;
  if (fact == "present") return Term::of(formula_.constant(Value(tensor.present)));
  if (!tensor.type) return error(fmt::format("operand {} is absent: it has no '{}'", name, fact), at);
  const TensorType& type = *tensor.type;
  if (fact == "scale" || fact == "zero_point" || fact == "expressed") {
    if (!type.quantized) return error(fmt::format("{} is not quantized: it has no '{}'", name, fact), at);
    if (fact == "expressed") return Term::of(type.quantized->expressed);
    if (type.quantized->scales.empty()) return error(fmt::format("{} has the type {}, which states no {}", name, element_text(type), fact), at);
    if (!structure_built_ && type.quantized->scales.size() > 1) return error(fmt::format("the {} of {} is not known without a structure", fact, name), at);
    TIEBREAK_TRY(parameter, fact_source(tensor, fact));
    return Term::of(parameter);
  }
  if (fact == "min") return Term::of(formula_.constant(type.quantized ? type.quantized->storage_min : type.element.min(), type.element.is_integer()));
  if (fact == "max") return Term::of(formula_.constant(type.quantized ? type.quantized->storage_max : type.element.max(), type.element.is_integer()));
  if (fact == "type") return Term::of(type.element);
  if (fact == "bits") return Term::of(formula_.constant(Real(type.element.bits()), true));
  if (fact == "rank") return Term::of(formula_.constant(Real(static_cast<std::int64_t>(type.shape.size())), true));
  if (fact == "size") {
    TIEBREAK_TRY(count, element_count(type.shape));
    return Term::of(formula_.constant(Real(count), true));
  }
  if (fact == "place" || fact == "piece") {
    if (tensor.tensor == nullptr || !structure_built_) return error(fmt::format("N06 no element of {} is read here: it has no place", name), at);
    TIEBREAK_TRY(place, fact_source(tensor, fact));
    return Term::of(place);
  }
  if (fact == "axis") {  // the quantized dimension, none where there is one parameter
    if (!type.quantized || type.quantized->dimensions.empty()) return Term{};
    return Term::of(formula_.constant(Real(type.quantized->dimensions.front().axis), true));
  }
  if (fact == "blocked") {  // sub-channel: parameters by blocks, or along several dimensions
    const bool blocked =
        type.quantized && (type.quantized->dimensions.size() > 1 || (type.quantized->dimensions.size() == 1 && type.quantized->dimensions.front().block > 1));
    return Term::of(formula_.constant(Value(blocked)));
  }
  if (fact == "shape") {
    Term list{.kind = Term::Kind::list};
    for (std::int64_t extent : type.shape) list.items.push_back(Term::of(formula_.constant(Real(extent), true)));
    return list;
  }
  if (fact == "members" || fact == "alike") {  // of a variadic operand: how many there are, and whether they have one shape
    const auto& all = result ? results_ : operands_;
    std::int64_t members = 0;
    bool alike = true;
    for (const TensorName& other : all)
      if (other.declaration == tensor.declaration) ++members, alike = alike && other.type && other.type->shape == type.shape;
    return Term::of(fact == "members" ? formula_.constant(Real(members), true) : formula_.constant(Value(alike)));
  }
  return error(fmt::format("N01 {} has no fact '{}'", name, fact), at,
               "one of scale zero_point expressed min max type bits rank size shape axis place blocked present members alike");
}

Status Binder::check_constraint(const notation::Constraint& constraint, NodeId node) {
  ExactEvaluator evaluator(formula_);
  TIEBREAK_TRY(held, evaluator.holds_everywhere(node));
  if (held.empty()) return {};
  return fail(Errc::constraint, fmt::format("{} {}: {} {}", call_.op, constraint.label, notation::print(*constraint.condition), held), call_.where,
              fmt::format("the constraint stands at {}:{}", page_->file, constraint.at.line));
}

Status Binder::bind_constraints() {
  for (const notation::Statement& statement : op_->statements) {
    const auto* constraint = std::get_if<notation::Constraint>(&statement);
    if (constraint == nullptr) continue;
    TIEBREAK_TRY(node, truth(*constraint->condition, {op_scope_}));
    if (constraint->require) formula_.requires_.push_back({constraint->label, node});
    else TIEBREAK_CHECK(check_constraint(*constraint, node));
  }
  return {};
}

/// What a structure refuses is often what a constraint of the source forbids: then that is reported, with its number. Constraints on shapes, types and
/// attributes can be looked at without a structure; the others are passed over.
Status Binder::check_without_structure() {
  for (std::size_t i = 0; i < results_.size() && i < call_.result_types.size(); ++i) results_[i].type = call_.result_types[i];
  for (const notation::Statement& statement : op_->statements) {
    const auto* constraint = std::get_if<notation::Constraint>(&statement);
    if (constraint == nullptr || constraint->require) continue;
    const auto node = truth(*constraint->condition, {op_scope_});
    if (node && formula_[*node].rate == 0) TIEBREAK_CHECK(check_constraint(*constraint, *node));
  }
  return {};
}

}  // namespace tiebreak
