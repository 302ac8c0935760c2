// SPDX-License-Identifier: Apache-2.0
// From the header of an op and a call: operands, attributes, type variables, the geometry, results.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/hint.hpp"
#include "interpreter/notation/attribute_names.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak {

using notation::Expr;

namespace {

template <class Kind>
std::vector<const Kind*> statements_of(const notation::Op& op) {
  std::vector<const Kind*> found;
  for (const notation::Statement& statement : op.statements)
    if (const Kind* kind = std::get_if<Kind>(&statement)) found.push_back(kind);
  return found;
}

bool belongs(const ElementType& type, const std::string& word) {
  if (word == "int") return type.is_integer();
  if (word == "uint") return type.is_integer() && !type.integer().is_signed;
  if (word == "float") return type.is_float();
  auto format = ElementType::parse(word);
  return format && *format == type;
}

}  // namespace

Shape completed(const Shape& stated, const Shape& shape) {
  Shape known = stated;
  for (std::size_t d = 0; d < known.size() && known.size() == shape.size(); ++d)
    if (known[d] < 0) known[d] = shape[d];
  return known;
}

Status Binder::bind_type_variable(const notation::Operand& declaration, const std::string& variable, const ElementType& type) {
  auto [bound, fresh] = type_variables_.emplace(variable, type);
  if (fresh) op_scope_->names[variable] = Term::of(type);
  if (!fresh && !(bound->second == type))
    return fail(Errc::type, fmt::format("{}: {} has type {}, but {} is {}", call_.op, declaration.name, type.name(), variable, bound->second.name()),
                call_.where);
  return {};
}

Status Binder::match_type(const notation::Operand& declaration, const TensorType& type) {
  if (type.quantized) {
    TIEBREAK_CHECK(check_quantized_type(*type.quantized, type.shape, call_.where));
    if (!declaration.quantized)
      return fail(Errc::type, fmt::format("{}: {} cannot be quantized, got {}", call_.op, declaration.name, to_text(type)), call_.where);
    TIEBREAK_CHECK(bind_type_variable(declaration, declaration.quantized->first, type.quantized->storage));
    return bind_type_variable(declaration, declaration.quantized->second, type.quantized->expressed);
  }
  if (declaration.types.empty()) {
    if (!declaration.quantized) return {};
    return fail(Errc::type, fmt::format("{}: {} must be quantized, got {}", call_.op, declaration.name, to_text(type)), call_.where);
  }
  std::string expected;
  for (const std::string& word : declaration.types) {
    if (auto format = ElementType::parse(word)) {
      if (*format == type.element) return {};
      expected += (expected.empty() ? "" : " or ") + word;
      continue;
    }
    if (auto variable = type_variables_.find(word); variable == type_variables_.end() || variable->second == type.element || declaration.types.size() == 1)
      return bind_type_variable(declaration, word, type.element);
  }
  return fail(Errc::type, fmt::format("{}: {} has type {}, expected {}", call_.op, declaration.name, type.element.name(), expected), call_.where);
}

Status Binder::check_type_variables() {
  for (const notation::TypeVariables* line : statements_of<notation::TypeVariables>(*op_))
    for (const auto& [name, words] : line->variables) {
      auto bound = type_variables_.find(name);
      if (bound == type_variables_.end()) continue;
      if (std::ranges::any_of(words, [&](const std::string& word) { return belongs(bound->second, word); })) continue;
      return fail(Errc::type, fmt::format("{}: {} is {}, expected one of {}", call_.op, name, bound->second.name(), fmt::join(words, " ")), call_.where);
    }
  return {};
}

/// Members after the first of what is only moved: the structure compares their types with the first's, by the source's own number.
bool Binder::is_moved_member(const notation::Operand& declaration, const std::string& name) const {
  const notation::Structure* line = notation::structure_of(*op_);
  return declaration.variadic && line != nullptr && line->path == "move.concatenate" && name != member_name(declaration.name, 0);
}

Status Binder::bind_operand(const notation::Operand& declaration, std::size_t position, const std::string& name) {
  TensorName operand;
  operand.declaration = &declaration;
  operand.name = name;
  if (position < call_.operands.size() && call_.operands[position]) {
    operand.tensor = &*call_.operands[position];
    operand.present = true;
    operand.type = operand.tensor->type();
    if (position < call_.undefined.size() && !call_.undefined[position].empty()) operand.undefined = &call_.undefined[position];
    if (!is_moved_member(declaration, name)) TIEBREAK_CHECK(match_type(declaration, *operand.type));
    else if (operand.type->quantized) TIEBREAK_CHECK(check_quantized_type(*operand.type->quantized, operand.type->shape, call_.where));
  } else if (!declaration.optional && !declaration.default_value) {
    return fail(Errc::type, fmt::format("{}: operand {} is missing", call_.op, name), call_.where);
  }
  operands_.push_back(std::move(operand));
  return {};
}

/// The variadic operands stand at the end and repeat together: (x..., x_scale...) takes pairs.
Status Binder::bind_variadic(std::size_t first) {
  const std::size_t group = op_->operands.size() - first;
  const std::size_t given = call_.operands.size() < first ? 0 : call_.operands.size() - first;
  if (given % group != 0)
    return fail(Errc::type, fmt::format("{}: {} operands from {} on do not make groups of {}", call_.op, given, op_->operands[first].name, group), call_.where);
  for (std::size_t g = 0; g < group; ++g) op_scope_->names[op_->operands[first + g].name] = Term{.kind = Term::Kind::members};
  for (std::size_t i = 0; i < given; ++i) {
    const notation::Operand& declaration = op_->operands[first + i % group];
    if (!declaration.variadic) return error_at(fmt::format("{} stands among variadic operands", declaration.name), declaration.at);
    std::get<Term>(op_scope_->names[declaration.name]).items.push_back(Term{.kind = Term::Kind::tensor, .tensor = static_cast<int>(operands_.size())});
    TIEBREAK_CHECK(bind_operand(declaration, first + i, member_name(declaration.name, i / group)));
  }
  return {};
}

Status Binder::bind_operands() {
  std::size_t fixed = 0;
  while (fixed < op_->operands.size() && !op_->operands[fixed].variadic) ++fixed;
  if (fixed == op_->operands.size() && call_.operands.size() > fixed)
    return fail(Errc::type, fmt::format("{}: {} operands, at most {} expected", call_.op, call_.operands.size(), op_->operands.size()), call_.where);
  for (std::size_t i = 0; i < fixed; ++i) {
    op_scope_->names[op_->operands[i].name] = Term{.kind = Term::Kind::tensor, .tensor = static_cast<int>(i)};
    TIEBREAK_CHECK(bind_operand(op_->operands[i], i, op_->operands[i].name));
  }
  if (fixed < op_->operands.size()) TIEBREAK_CHECK(bind_variadic(fixed));
  TIEBREAK_CHECK(check_type_variables());
  for (TensorName& operand : operands_)
    if (!operand.present && operand.declaration->default_value) {
      TIEBREAK_TRY(fallback, bind(*operand.declaration->default_value, {op_scope_}));
      operand.fallback = fallback;
    }
  return {};
}

Result<Term> Binder::attribute_term(const Attribute& attribute, const notation::Operand& declaration) {
  if (const bool* truth = std::get_if<bool>(&attribute.value)) return Term::of(formula_.constant(Value(*truth)));
  if (const Real* number = std::get_if<Real>(&attribute.value)) {
    // Sources that write flags as 0 and 1 meet pages that say true and false.
    const bool flag = declaration.default_value && declaration.default_value->kind == notation::ExprKind::constant &&
                      (declaration.default_value->text == "true" || declaration.default_value->text == "false");
    if (flag) return Term::of(formula_.constant(Value(!number->is_zero())));
    return Term::of(formula_.constant(*number, number->is_whole()));
  }
  if (const std::string* text = std::get_if<std::string>(&attribute.value)) return Term::of(*text);
  if (const ElementType* type = std::get_if<ElementType>(&attribute.value)) return Term::of(*type);
  if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value); tensor != nullptr && tensor->size() == 1) {
    if (tensor->element().name() == "bool") return Term::of(formula_.constant(Value(tensor->code(0) != 0)));
    return Term::of(formula_.constant(tensor->value(0), tensor->element().is_integer()));
  }
  if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value)) {
    Term term{.kind = Term::Kind::list};
    for (const Attribute& item : *list) {
      TIEBREAK_TRY(bound, attribute_term(item, declaration));
      term.items.push_back(bound);
    }
    return term;
  }
  return Term{};
}

Status Binder::bind_attributes() {
  attributes_ = call_.attributes;
  std::vector<std::string> known;
  for (const notation::Operand& declaration : op_->attributes) known.push_back(notation::program_name(declaration.name));
  for (const auto& [name, attribute] : call_.attributes)
    if (std::ranges::find(known, name) == known.end())
      return fail(Errc::unknown_name, fmt::format("{} has no attribute '{}'", call_.op, name), call_.where, did_you_mean(name, known));
  for (const notation::Operand& declaration : op_->attributes) {
    auto given = call_.attributes.find(notation::program_name(declaration.name));
    if (given != call_.attributes.end() && !given->second.is_none()) {
      TIEBREAK_TRY(term, attribute_term(given->second, declaration));
      op_scope_->names[declaration.name] = term;
      continue;
    }
    if (!declaration.default_value) {
      op_scope_->names[declaration.name] = Term{};
      continue;
    }
    TIEBREAK_TRY(term, bind(*declaration.default_value, {op_scope_}));
    op_scope_->names[declaration.name] = term;
    if (term.kind == Term::Kind::node && formula_.is_constant(term.node) && formula_[term.node].constant.is_number())
      attributes_[declaration.name] = Attribute{formula_[term.node].constant.number()};
    if (term.kind == Term::Kind::text) attributes_[declaration.name] = Attribute{term.text};
  }
  op_scope_->names["version"] = Term::of(formula_.constant(Real(call_.version), true));
  return {};
}

Status Binder::bind_statements() {
  for (const notation::Operand& result : op_->results) {
    if (result.optional && results_.size() >= call_.result_types.size()) break;  // the call does not ask for it
    op_scope_->names[result.name] = Term{.kind = Term::Kind::tensor, .tensor = static_cast<int>(results_.size()), .result = true};
    TensorName name;
    name.declaration = &result;
    name.name = result.name;
    name.present = true;
    results_.push_back(std::move(name));
  }
  auto result_named = [&](const std::string& target) {
    auto found = std::ranges::find(op_->results, target, &notation::Operand::name);
    const auto position = static_cast<std::size_t>(found - op_->results.begin());
    return position < results_.size() ? &results_[position] : nullptr;
  };
  for (const notation::Statement& statement : op_->statements) {
    if (const auto* alias = std::get_if<notation::TypeAlias>(&statement))
      add_lazy(*op_scope_, {alias->name}, Lazy{.expression = alias->value.get(), .scope = op_scope_});
    if (const auto* definition = std::get_if<notation::Definition>(&statement)) op_scope_->names[definition->name] = definition;
    if (const auto* choice = std::get_if<notation::Choice>(&statement)) op_scope_->names[choice->name] = choice;
    const auto* let = std::get_if<notation::Let>(&statement);
    if (let == nullptr) continue;
    Scope formulas;  // add_lazy's map, so that result names keep their facts
    add_lazy(formulas, let->targets, Lazy{.body = &let->body, .scope = op_scope_});
    for (const std::string& target : let->targets) {
      if (TensorName* result = result_named(target)) result->formula = std::get<std::shared_ptr<Lazy>>(formulas.names[target]);
      else op_scope_->names[target] = formulas.names[target];
    }
  }
  for (const notation::Stage* stage : statements_of<notation::Stage>(*op_)) TIEBREAK_CHECK(bind_stage(*stage));
  return {};
}

Result<ElementType> Binder::result_element(const notation::Operand& declaration, const std::optional<TensorType>& stated) {
  if (declaration.types.empty()) {
    if (stated) return stated->element;
    return fail(Errc::type, fmt::format("{}: the type of result {} must be stated", call_.op, declaration.name), call_.where);
  }
  std::vector<std::string> expected;
  for (const std::string& word : declaration.types) {
    std::optional<ElementType> type;
    if (auto variable = type_variables_.find(word); variable != type_variables_.end()) {
      type = variable->second;
    } else if (op_scope_->names.contains(word)) {
      Expr at;
      TIEBREAK_TRY(term, bind_entry(op_scope_->names.at(word), *op_scope_, word, at));
      if (term.kind == Term::Kind::format) type = term.format;
    } else {
      type = ElementType::parse(word);
    }
    if (!type && stated) {
      TIEBREAK_CHECK(bind_type_variable(declaration, word, stated->element));
      type = stated->element;
    }
    if (type && (!stated || stated->element == *type)) return *type;
    expected.push_back(type ? type->name() : word);
  }
  if (!stated) return fail(Errc::type, fmt::format("{}: the type of result {} must be stated", call_.op, declaration.name), call_.where);
  return fail(Errc::type,
              fmt::format("{}: result {} has type {}, expected {}", call_.op, declaration.name, stated->element.name(), fmt::join(expected, " or ")),
              call_.where);
}

Status Binder::bind_results() {
  const Geometry& geometry = formula_.geometry;
  if (call_.result_types.size() > results_.size())
    return fail(Errc::type, fmt::format("{}: {} results, at most {} expected", call_.op, call_.result_types.size(), results_.size()), call_.where);
  // Types first: formulas name them (sat.y, y.scale).
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const notation::Operand& declaration = *results_[i].declaration;
    const std::optional<TensorType> stated = i < call_.result_types.size() ? call_.result_types[i] : std::nullopt;
    TensorType type;
    if (stated && stated->quantized) {
      TIEBREAK_CHECK(match_type(declaration, *stated));
      type = *stated;
    } else {
      TIEBREAK_TRY(element, result_element(declaration, stated));
      type.element = element;
    }
    type.shape = declaration.indexed && declaration.indices.empty() ? Shape{} : geometry.result_shape;
    if (stated)
      type.shape = completed(stated->shape, geometry.result_shape);  // compared below, once it is known whether the result has an element for each item
    results_[i].type = type;
  }
  TIEBREAK_CHECK(check_type_variables());
  TIEBREAK_CHECK(bind_constraints());
  for (std::size_t i = 0; i < results_.size(); ++i) {
    TensorName& result = results_[i];
    const std::string& name = result.name;
    if (!result.formula) return fail(Errc::type, fmt::format("{}: result {} has no formula", call_.op, name), page_->file);
    TIEBREAK_TRY(term, force(*result.formula, name));
    Expr at;
    TIEBREAK_TRY(node, as_node(term, at));
    FormulaResult bound{.name = name, .node = node, .type = *result.type};
    bound.single = result.declaration->indexed && result.declaration->indices.empty();
    bound.per_item = (formula_[node].rate & rate_item) != 0;
    // Which items there are is known only here: parameters vary over the bag or not by their shapes. A row of rank 0 has one item, and no place is needed.
    if (const Node& made = formula_[node]; bound.per_item && geometry.item_result.dimensions.empty() && !geometry.item_extents.empty())
      return fail(Errc::type, fmt::format("N06 result {} varies over the bag, and the structure has no element for each item", name),
                  fmt::format("{}:{}:{}", made.file, made.place.line, made.place.column));
    const Shape shape = bound.single ? Shape{} : bound.per_item ? geometry.item_result_shape : geometry.result_shape;
    if (i < call_.result_types.size() && call_.result_types[i] && completed(call_.result_types[i]->shape, shape) != shape)
      return fail(Errc::type,
                  fmt::format("{}: result {} has shape {}, the operands give {}", call_.op, name, to_text(call_.result_types[i]->shape), to_text(shape)),
                  call_.where);
    bound.type.shape = shape;
    formula_.results.push_back(std::move(bound));
  }
  return {};
}

/// The page's scope and the op's inside it.
Status Binder::open_scopes() {
  TIEBREAK_TRY(place, library_.find_op(call_.op));
  page_ = place.page;
  op_ = place.op;
  file_ = page_->file;
  formula_.op = call_.op;
  Scope& module = new_scope(nullptr);
  module.module = &page_->module;
  module.file = page_->file;
  for (const notation::Definition& definition : page_->module.definitions) module.names[definition.name] = &definition;
  for (const notation::Choice& choice : page_->module.choices) module.names[choice.name] = &choice;
  op_scope_ = &new_scope(&module);
  op_scope_->op_scope = true;
  return {};
}

Result<Formula> Binder::run() {
  TIEBREAK_CHECK(library_.stop().check());
  formula_.stop = library_.stop();
  TIEBREAK_CHECK(open_scopes());
  if (notation::is_run(*op_))
    return fail(Errc::unsupported, fmt::format("{} is run and has no formula of its own", call_.op), call_.where, "look at the operations of its regions");
  TIEBREAK_CHECK(bind_attributes());
  TIEBREAK_CHECK(bind_operands());
  TIEBREAK_CHECK(bind_statements());
  if (Status built = build_structure(); !built) {
    TIEBREAK_CHECK(check_without_structure());
    return tl::unexpected<Error>(built.error());
  }
  TIEBREAK_CHECK(bind_results());
  return std::move(formula_);
}

bool gives_parts(const notation::Op& op) {
  return op.regions.empty() && op.results.size() == 1 && op.results.front().variadic && std::ranges::none_of(op.operands, &notation::Operand::variadic);
}

OpCall call_of_part(const OpCall& call, ResultPart part) {
  OpCall one = call;
  one.result_types = {call.result_types[part.number]};
  return one;
}

Result<Formula> bind(const Semantics& semantics, const OpCall& call, ResultPart part) { return Binder(semantics, call, part).run(); }

}  // namespace tiebreak
