// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/mutate.hpp"

#include <algorithm>
#include <tuple>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/rewrite.hpp"
#include "interpreter/notation/walk.hpp"
#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {

ExprPtr make_call(std::string text, std::vector<ExprPtr> args, Position at) {
  return std::make_shared<const Expr>(Expr{.kind = ExprKind::call, .at = at, .text = std::move(text), .args = std::move(args)});
}
ExprPtr make_binary(const char* text, ExprPtr left, ExprPtr right) {
  const Position at = left->at;
  return std::make_shared<const Expr>(Expr{.kind = ExprKind::binary, .at = at, .text = text, .args = {std::move(left), std::move(right)}});
}
ExprPtr make_number(std::int64_t value, Position at) { return std::make_shared<const Expr>(Expr{.kind = ExprKind::number, .at = at, .value = Real(value)}); }
ExprPtr make_name(std::string text, Position at) { return std::make_shared<const Expr>(Expr{.kind = ExprKind::name, .at = at, .text = std::move(text)}); }

std::optional<Conversion> conversion_of(const Expr& expression, const RuleNames& names) {
  if (expression.kind != ExprKind::call || expression.args.size() != 1) return std::nullopt;
  if (names.functions.contains(expression.text) || find_function(expression.text) != nullptr) return std::nullopt;
  return split_conversion(expression.text);
}

bool rounds_to_float(const Expr& expression, const RuleNames& names) {
  const std::optional<Conversion> conversion = conversion_of(expression, names);
  return conversion && conversion->verb == ConversionVerb::none && conversion->rounding == nullptr;
}

bool rounds_to_whole(const Expr& expression, const RuleNames& names) {
  if (expression.kind != ExprKind::call || expression.args.size() != 1) return false;
  return contains(rounding_words(), expression.text) || names.one_argument.contains(expression.text);
}

bool is_operation(const Expr& expression, std::string_view operators) {
  return expression.kind == ExprKind::binary && expression.text.size() == 1 && operators.find(expression.text[0]) != std::string_view::npos;
}

namespace {

void add_function(const std::string& name, std::size_t parameters, RuleNames& names) {
  names.functions.insert(name);
  if (parameters == 1) names.one_argument.insert(name);
}

RuleNames names_in(const Module& module, const Op* op) {
  RuleNames names;
  for (const Definition& one : module.definitions) add_function(one.name, one.parameters.size(), names);
  for (const Choice& one : module.choices) add_function(one.name, one.parameters.size(), names);
  if (op == nullptr) return names;
  for (const Statement& statement : op->statements) {
    if (const auto* one = std::get_if<Definition>(&statement)) add_function(one->name, one->parameters.size(), names);
    if (const auto* one = std::get_if<Choice>(&statement)) add_function(one->name, one->parameters.size(), names);
  }
  for (const Operand& operand : op->operands) {
    if (!operand.indexed) names.elements.insert(operand.name);
    if (!operand.indices.empty() && operand.indices.front().name != "*") names.indexed.insert(operand.name);
  }
  return names;
}

class Collector {
 public:
  Collector(RuleNames names, std::vector<Mutant>& out) : names_(std::move(names)), out_(out) {}

  void visit(const ExprPtr& e, const Expr* parent) {
    if (!e) return;
    const Site site{e, parent, names_};
    const Emit emit = [&](const char* rule, ExprPtr replacement) { add(rule, e, std::move(replacement)); };
    mutate_conversion(site, emit);
    mutate_quotient(site, emit);
    mutate_operation(site, emit);
    mutate_name(site, emit);
    mutate_aggregate(site, emit);
    for (const ExprPtr& part : e->args) visit(part, e.get());
    for (const Modifier& modifier : e->modifiers)
      for (const ExprPtr& argument : modifier.args) visit(argument, e.get());
  }

  void visit_result(const ExprPtr& root) {
    mutate_truth(root, [&](const char* rule, ExprPtr replacement) { add(rule, root, std::move(replacement)); });
  }

  /// What is added from here on stands in this page.
  void enter(const std::string& file) { file_ = file; }

  void add(const char* rule, const ExprPtr& target, ExprPtr replacement) {
    Mutant mutant{.rule = rule, .at = target->at, .file = file_, .before = print(*target), .after = print(*replacement), .target = target.get()};
    mutant.replacement = std::move(replacement);
    if (mutant.before != mutant.after) out_.push_back(std::move(mutant));
  }

 private:
  RuleNames names_;
  std::vector<Mutant>& out_;
  std::string file_{};
};

std::string body_text(const Body& body) {
  std::string text = print(*body.value);
  for (std::size_t i = 0; i < body.where.size(); ++i) {
    text += i == 0 ? " where " : "; ";
    for (std::size_t k = 0; k < body.where[i].targets.size(); ++k) text += (k == 0 ? "" : ", ") + body.where[i].targets[k];
    text += " = " + print(*body.where[i].value);
  }
  return text;
}

/// It gives what one of its members gives, and says no other thing than that others are right, too.
bool stands_for_a_set(const Alternative& alternative) {
  const auto is_set = [](const Modifier& modifier) { return modifier.name == "any" || modifier.name == "permuted"; };
  return std::ranges::any_of(alternative.body.value->modifiers, is_set);
}

void add_alternatives(const MutableFormulas::Taken& taken, std::vector<Mutant>& out) {
  for (const Alternative& other : taken.choice->alternatives) {
    if (&other == taken.alternative || taken.allowed.contains(other.name) || stands_for_a_set(other)) continue;
    Mutant mutant;
    mutant.rule = "another alternative of " + taken.choice->name;
    mutant.at = taken.alternative->at;
    mutant.file = taken.alternative->file;
    mutant.before = body_text(taken.alternative->body);
    mutant.after = body_text(other.body);
    mutant.alternative = taken.alternative;
    mutant.other = &other;
    out.push_back(std::move(mutant));
  }
}

void add_misreadings(const Op& op, std::vector<Mutant>& out) {
  const Structure* structure = structure_of(op);
  if (structure == nullptr) return;
  for (Misreading& one : misreadings_of(op, *structure)) {
    const std::string line = print(*structure);
    Mutant mutant{.rule = rule_misreading, .at = structure->at, .before = line, .after = line + " with " + to_text(one)};
    mutant.misreading = std::move(one);
    out.push_back(std::move(mutant));
  }
}

/// The formula of one result, or another.
bool is_of_result(const Op& op, const Body* body) {
  return std::ranges::any_of(op.statements, [&](const Statement& statement) {
    const auto* let = std::get_if<Let>(&statement);
    return let != nullptr && &let->body == body && let->targets.size() == 1 &&
           std::ranges::find(op.results, let->targets.front(), &Operand::name) != op.results.end();
  });
}

/// Of an alternative that stands elsewhere than its choice.
std::string file_of(const Body* body, const MutableFormulas& formulas) {
  const auto own = [&](const MutableFormulas::Taken& taken) { return &taken.alternative->body == body; };
  const auto found = std::ranges::find_if(formulas.taken, own);
  return found == formulas.taken.end() ? std::string{} : found->alternative->file;
}

bool swap_alternative(Choice& choice, const Choice& original, const Mutant& mutant) {
  for (std::size_t i = 0; i < original.alternatives.size(); ++i) {
    if (&original.alternatives[i] != mutant.alternative) continue;
    choice.alternatives[i].body = mutant.other->body;
    return true;
  }
  return false;
}

}  // namespace

std::vector<Mutant> mutants(const Module& module, const MutableFormulas& formulas) {
  std::vector<Mutant> out;
  Collector collector(names_in(module, formulas.op), out);
  for (const Body* body : formulas.bodies) {
    collector.enter(file_of(body, formulas));
    collector.visit(body->value, nullptr);
    if (formulas.op != nullptr && is_of_result(*formulas.op, body)) collector.visit_result(body->value);
    for (const Binding& binding : body->where) collector.visit(binding.value, nullptr);
  }
  collector.enter({});
  for (const ExprPtr& pad : formulas.pads) collector.add("pad", pad, make_number(0, pad->at));
  for (const ExprPtr& value : formulas.defaults) collector.visit(value, nullptr);
  for (const MutableFormulas::Taken& taken : formulas.taken) add_alternatives(taken, out);
  if (formulas.op != nullptr) add_misreadings(*formulas.op, out);
  std::ranges::stable_sort(
      out, [](const Mutant& a, const Mutant& b) { return std::tuple(a.file, a.at.line, a.at.column) < std::tuple(b.file, b.at.line, b.at.column); });
  return out;
}

Module changed(const Module& module, const Mutant& mutant) {
  if (mutant.target != nullptr) return rewrite(module, [&](const ExprPtr& e) -> ExprPtr { return e.get() == mutant.target ? mutant.replacement : nullptr; });
  Module copy = module;
  for (std::size_t i = 0; i < module.choices.size(); ++i)
    if (swap_alternative(copy.choices[i], module.choices[i], mutant)) return copy;
  for (std::size_t o = 0; o < module.ops.size(); ++o)
    for (std::size_t i = 0; i < module.ops[o].statements.size(); ++i)
      if (const auto* choice = std::get_if<Choice>(&module.ops[o].statements[i]))
        if (swap_alternative(std::get<Choice>(copy.ops[o].statements[i]), *choice, mutant)) return copy;
  return copy;
}

}  // namespace tiebreak::notation
