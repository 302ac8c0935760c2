// SPDX-License-Identifier: Apache-2.0
// Ops that run regions: their headers and constraints are bound here; what the regions do is evaluated by running them (evaluate_regions).
// Constraints over variadic operands are checked for each member in turn: a variadic name then means that member.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/program/program.hpp"

namespace tiebreak {

using notation::Expr;

namespace {

bool same_element(const TensorType& a, const TensorType& b) {
  TensorType left = a, right = b;
  left.shape = right.shape = {};
  return same_type(left, right);
}

/// is_promotable of the specification: same expressed type and not narrower; other types must be of one kind and not narrower.
bool is_promotable(const TensorType& from, const TensorType& to) {
  if (from.quantized.has_value() != to.quantized.has_value()) return false;
  if (from.quantized) return from.quantized->expressed == to.quantized->expressed && from.element.bits() <= to.element.bits();
  if (from.element.is_float() != to.element.is_float()) return false;
  return from.element.bits() <= to.element.bits();
}

const std::optional<TensorType>& type_of(const Program& program, ValueId id) { return program.values[static_cast<std::size_t>(id)].type; }

/// A region's own parameters and results; nullopt where one has no type.
struct Signature {
  std::vector<TensorType> parameters{}, results{};
};
std::optional<Signature> signature_of(const BoundRegion& region) {
  Signature signature;
  const std::size_t own = region.program->inputs.size() - region.captured.size();
  for (std::size_t i = 0; i < own; ++i) {
    const auto& type = type_of(*region.program, region.program->inputs[i]);
    if (!type) return std::nullopt;
    signature.parameters.push_back(*type);
  }
  for (ValueId id : region.program->outputs) {
    const auto& type = type_of(*region.program, id);
    if (!type) return std::nullopt;
    signature.results.push_back(*type);
  }
  return signature;
}

/// (E0, ..., EN-1, E0, ..., EN-1) -> (E0, ..., EN-1), elements, to which the operands are promotable.
bool reduces(const Signature& signature, const std::vector<TensorType>& operands) {
  const std::size_t n = signature.results.size();
  if (n == 0 || signature.parameters.size() != 2 * n || operands.size() < n) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const TensorType& result = signature.results[i];
    if (!result.shape.empty() || !same_type(result, signature.parameters[i]) || !same_type(result, signature.parameters[n + i])) return false;
    if (!is_promotable(operands[i], result)) return false;
  }
  return true;
}

bool one_truth(const Signature& signature) {
  return signature.results.size() == 1 && signature.results[0].shape.empty() && !signature.results[0].quantized &&
         signature.results[0].element.name() == "bool";
}

/// (E0, E0, E1, E1, ...) -> a truth.
bool compares(const Signature& signature, const std::vector<TensorType>& operands) {
  if (!one_truth(signature) || signature.parameters.size() % 2 != 0 || operands.size() < signature.parameters.size() / 2) return false;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i)
    if (!signature.parameters[i].shape.empty() || !same_element(signature.parameters[i], operands[i / 2])) return false;
  return true;
}

/// (E0, ..., EN-1) -> E, elements of the operands and of the result.
bool maps(const Signature& signature, const std::vector<TensorType>& operands, const std::vector<TensorType>& results) {
  if (signature.results.size() != 1 || results.size() != 1 || signature.parameters.size() != operands.size()) return false;
  if (!signature.results[0].shape.empty() || !same_element(signature.results[0], results[0])) return false;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!signature.parameters[i].shape.empty() || !same_element(signature.parameters[i], operands[i])) return false;
  return true;
}

bool same_types(const std::vector<TensorType>& a, const std::vector<TensorType>& b) { return std::ranges::equal(a, b, same_type); }

}  // namespace

/// What a region's type makes it fit for, as the constraints of the pages ask. A fact of a name that stands for several regions holds for all of them.
Result<Term> Binder::region_fact(std::size_t region, const std::string& fact, const Expr& at) {
  const std::size_t last = region + 1 == op_->regions.size() ? call_.regions.size() : region + 1;
  if (fact == "bodies") return Term::of(formula_.constant(Real(static_cast<std::int64_t>(last) - static_cast<std::int64_t>(region)), true));
  std::vector<TensorType> operands, results;
  for (const TensorName& operand : operands_)
    if (operand.type) operands.push_back(*operand.type);
  for (const TensorName& result : results_) {
    if (result.type) results.push_back(*result.type);
    else if (fact == "maps" || fact == "gives") return error(fmt::format("{}: the type of {} must be stated", call_.op, result.name), at);
  }
  bool holds = region < last;
  for (std::size_t i = region; i < last; ++i) {
    const auto signature = signature_of(call_.regions[i]);
    if (!signature) return error(fmt::format("{}: a value of its region {} has no type", call_.op, op_->regions[region]), at);
    if (fact == "reduces") holds &= reduces(*signature, operands);
    else if (fact == "compares") holds &= compares(*signature, operands);
    else if (fact == "maps") holds &= maps(*signature, operands, results);
    else if (fact == "decides") holds &= one_truth(*signature);
    else if (fact == "takes") holds &= same_types(signature->parameters, operands);
    else if (fact == "gives") holds &= same_types(signature->results, results);
    else return error(fmt::format("N01 the region {} has no fact '{}'", op_->regions[region], fact), at);
  }
  return Term::of(formula_.constant(Value(holds)));
}

/// In ops that run regions each variadic operand stands for itself: all members of the first, then all of the second.
Status Binder::bind_grouped_operands() {
  std::size_t variadic = 0;
  for (const notation::Operand& declaration : op_->operands) variadic += declaration.variadic ? 1 : 0;
  const std::size_t fixed = op_->operands.size() - variadic;
  const std::size_t given = call_.operands.size();
  std::size_t required = op_->operands.size();  // the last ones may be left out
  while (variadic == 0 && required > 0 && op_->operands[required - 1].optional) --required;
  if (given < (variadic == 0 ? required : fixed) || (variadic == 0 ? given > fixed : (given - fixed) % variadic != 0))
    return fail(Errc::type, fmt::format("{}: {} operands do not fit its {} names", call_.op, given, op_->operands.size()), call_.where);
  const std::size_t members = variadic == 0 ? 0 : (given - fixed) / variadic;
  std::size_t position = 0;
  for (const notation::Operand& declaration : op_->operands) {
    Term term{.kind = declaration.variadic ? Term::Kind::members : Term::Kind::tensor, .tensor = static_cast<int>(position)};
    for (std::size_t m = 0; m < (declaration.variadic ? members : 1); ++m, ++position) {
      if (declaration.variadic) term.items.push_back(Term{.kind = Term::Kind::tensor, .tensor = static_cast<int>(position)});
      // Members may differ in type: each binds the type variables anew.
      if (declaration.variadic) type_variables_.clear();
      TIEBREAK_CHECK(bind_operand(declaration, position, declaration.variadic ? member_name(declaration.name, m) : declaration.name));
      TIEBREAK_CHECK(check_type_variables());
    }
    op_scope_->names[declaration.name] = term;
  }
  return {};
}

Status Binder::bind_header_results() {
  if (op_->results.size() != 1) return error_at("an op with regions has one name for its results", op_->at);
  const notation::Operand& declaration = op_->results.front();
  Term term{.kind = declaration.variadic ? Term::Kind::members : Term::Kind::tensor, .tensor = 0, .result = true};
  if (!declaration.variadic && call_.result_types.size() != 1)
    return fail(Errc::type, fmt::format("{}: {} results, 1 expected", call_.op, call_.result_types.size()), call_.where);
  for (std::size_t i = 0; i < call_.result_types.size(); ++i) {
    TensorName result;
    result.declaration = &declaration;
    result.name = declaration.variadic ? member_name(declaration.name, i) : declaration.name;
    result.type = call_.result_types[i];
    if (result.type && result.type->quantized) TIEBREAK_CHECK(check_quantized_type(*result.type->quantized, result.type->shape, call_.where));
    term.items.push_back(Term{.kind = Term::Kind::tensor, .tensor = static_cast<int>(i), .result = true});
    results_.push_back(std::move(result));
  }
  op_scope_->names[declaration.name] = term;
  return {};
}

Status Binder::bind_member_constraints() {
  std::vector<std::pair<std::string, Term>> variadic;
  std::size_t rounds = 1;
  for (const auto* list : {&op_->operands, &op_->results})
    for (const notation::Operand& declaration : *list)
      if (declaration.variadic) {
        variadic.emplace_back(declaration.name, std::get<Term>(op_scope_->names.at(declaration.name)));
        rounds = std::max(rounds, variadic.back().second.items.size());
      }
  for (std::size_t round = 0; round < rounds; ++round) {
    // Where the counts differ the last member stands in: a constraint on the counts says what is wrong.
    for (const auto& [name, term] : variadic)
      if (!term.items.empty()) op_scope_->names[name] = term.items[std::min(round, term.items.size() - 1)];
    TIEBREAK_CHECK(bind_constraints());
  }
  return {};
}

Result<BoundHeader> Binder::run_header() {
  TIEBREAK_CHECK(open_scopes());
  if (call_.regions.size() < op_->regions.size())
    return fail(Errc::type, fmt::format("{}: {} regions, {} expected ({})", call_.op, call_.regions.size(), op_->regions.size(), fmt::join(op_->regions, ", ")),
                call_.where);
  TIEBREAK_CHECK(bind_attributes());
  TIEBREAK_CHECK(bind_grouped_operands());
  TIEBREAK_CHECK(bind_header_results());
  for (std::size_t i = 0; i < op_->regions.size(); ++i) op_scope_->names[op_->regions[i]] = Term{.kind = Term::Kind::region, .tensor = static_cast<int>(i)};
  for (const notation::Statement& statement : op_->statements)
    if (const auto* definition = std::get_if<notation::Definition>(&statement)) op_scope_->names[definition->name] = definition;
  BoundHeader header;
  header.op = op_;
  for (const notation::Operand& declaration : op_->operands)
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (operands_[i].declaration == &declaration) header.operands[declaration.name].push_back(i);
  TIEBREAK_CHECK(bind_member_constraints());
  for (const notation::Statement& statement : op_->statements)
    if (const auto* choice = std::get_if<notation::Choice>(&statement)) {
      TIEBREAK_TRY(alternative, take(*choice, *op_scope_));
      header.choices[choice->name] = alternative;
    }
  for (const TensorName& result : results_) header.results.push_back(result.type);
  return header;
}

Result<BoundHeader> bind_header(const Semantics& semantics, const OpCall& call) { return Binder(semantics, call).run_header(); }

}  // namespace tiebreak
