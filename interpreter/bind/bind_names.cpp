// SPDX-License-Identifier: Apache-2.0
// What a name stands for: lets bound where they are first needed, definitions expanded, choices taken as the profile says, modules by `use` or by their full
// path.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/hint.hpp"
#include "interpreter/semantics/profile_condition.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {

using notation::Expr;

namespace {

/// Of a call among expressions: an argument is bound where the definition first needs it, so that functions built of functions go deep.
constexpr int deepest_call = 1200;

}  // namespace

Scope& Binder::new_scope(const Scope* parent) {
  Scope scope;
  scope.parent = parent;
  if (parent != nullptr) {
    scope.module = parent->module;
    scope.file = parent->file;
    scope.alias = parent->alias;
  }
  scopes_.push_back(std::move(scope));
  return scopes_.back();
}

void Binder::add_lazy(Scope& scope, const std::vector<std::string>& targets, Lazy lazy) {
  auto whole = std::make_shared<Lazy>(std::move(lazy));
  if (targets.size() == 1) {
    scope.names[targets[0]] = whole;
    return;
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Lazy part;
    part.tuple_index = static_cast<int>(i);
    part.whole = whole;
    scope.names[targets[i]] = std::make_shared<Lazy>(std::move(part));
  }
}

void Binder::add_bindings(Scope& scope, const std::vector<notation::Binding>& bindings) {
  for (const notation::Binding& binding : bindings) add_lazy(scope, binding.targets, Lazy{.expression = binding.value.get(), .scope = &scope});
}

Result<Term> Binder::bind_body(const notation::Body& body, Scope& scope, const FloatFormat* each) {
  if (body.where.empty()) return bind(*body.value, {&scope, each});
  Scope& inner = new_scope(&scope);
  add_bindings(inner, body.where);
  return bind(*body.value, {&inner, each});
}

Result<Term> Binder::force(Lazy& lazy, const std::string& name) {
  if (lazy.term) return *lazy.term;
  if (lazy.busy) return fail(Errc::syntax, fmt::format("N03 '{}' is defined by itself", name), file_);
  lazy.busy = true;
  const std::string file = file_;
  auto bound = [&]() -> Result<Term> {
    if (lazy.whole) {
      TIEBREAK_TRY(tuple, force(*lazy.whole, name));
      // What is undefined is of no kind: taken apart, each part is undefined.
      if (tuple.kind == Term::Kind::node && formula_.is_constant(tuple.node) && formula_[tuple.node].constant.is_undefined()) return tuple;
      if (tuple.kind != Term::Kind::list || static_cast<std::size_t>(lazy.tuple_index) >= tuple.items.size())
        return fail(Errc::type, fmt::format("N12 '{}' takes a pair apart that is none", name), file_);
      return tuple.items[static_cast<std::size_t>(lazy.tuple_index)];
    }
    if (!lazy.scope->file.empty()) file_ = lazy.scope->file;
    return lazy.body != nullptr ? bind_body(*lazy.body, *lazy.scope, nullptr) : bind(*lazy.expression, {lazy.scope, nullptr});
  }();
  file_ = file;
  lazy.busy = false;
  if (!bound) return bound;
  lazy.term = std::make_shared<Term>(*bound);
  return bound;
}

Result<const Scope*> Binder::module_scope(const std::string& name, const Scope& user, const std::string& alias) {
  const std::string key = fmt::format("{} as {} in {}|{}", name, alias, user.module != nullptr ? user.module->name : "", user.alias);
  if (auto found = modules_.find(key); found != modules_.end()) return found->second;
  const notation::Module* module = library_.find_module(name);
  if (module == nullptr) return fail(Errc::unknown_name, fmt::format("N01 unknown module '{}'", name), file_);
  Scope& scope = new_scope(nullptr);
  scope.module = module;
  scope.file = module->file;
  scope.alias = alias;
  for (const notation::Definition& definition : module->definitions) scope.names[definition.name] = &definition;
  for (const notation::Choice& choice : module->choices) scope.names[choice.name] = &choice;
  modules_[key] = &scope;
  return &scope;
}

Result<Binder::Found> Binder::look_up(const std::string& path, const Scope& scope) {
  Found found;
  if ((found.entry = scope.find(path, &found.owner)) != nullptr) return found;
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return found;
  const std::string head = path.substr(0, dot);
  if (const Entry* entry = scope.find(head, &found.owner)) {
    found.entry = entry;
    found.rest = path.substr(dot + 1);
    return found;
  }
  const std::size_t last = path.rfind('.');
  const std::string module = path.substr(0, last);
  const std::string name = path.substr(last + 1);
  const Scope& user = scope.module_scope();
  if (user.module != nullptr)
    for (const notation::Use& use : user.module->uses) {
      if (use.alias != module && use.module != module) continue;
      TIEBREAK_TRY(used, module_scope(use.module, user, use.alias));
      for (const auto& [choice, alternative] : use.readings) const_cast<Scope*>(used)->readings[choice] = alternative;
      found.entry = used->find(name, &found.owner);
      return found;
    }
  if (library_.find_module(module) == nullptr) return found;
  TIEBREAK_TRY(used, module_scope(module, user, module.substr(module.rfind('.') + 1)));
  found.entry = used->find(name, &found.owner);
  return found;
}

/// A result that the call does not ask for: its name is that of a formula alone.
bool Binder::is_left_out(const std::string& name) const {
  const auto found = std::ranges::find(op_->results, name, &notation::Operand::name);
  return found != op_->results.end() && static_cast<std::size_t>(found - op_->results.begin()) >= results_.size();
}

/// f32.max and the like.
std::optional<Term> Binder::fact_of_format(const ElementType& type, const std::string& fact) {
  if (fact == "max") return Term::of(formula_.constant(type.max(), type.is_integer()));
  if (fact == "min") return Term::of(formula_.constant(type.min(), type.is_integer()));
  if (fact == "bits") return Term::of(formula_.constant(Real(type.bits()), true));
  if (type.is_float() && fact == "fraction") return Term::of(formula_.constant(Real(type.floating().fraction_bits), true));
  if (type.is_float() && fact == "bias") return Term::of(formula_.constant(Real(type.floating().bias), true));
  return std::nullopt;
}

Result<Term> Binder::bind_name(const Expr& expression, const Context& context) {
  TIEBREAK_TRY(found, look_up(expression.text, *context.scope));
  if (found.entry == nullptr) {
    if (auto type = ElementType::parse(expression.text)) return Term::of(*type);
    const std::size_t dot = expression.text.rfind('.');
    if (dot != std::string::npos)
      if (auto type = ElementType::parse(expression.text.substr(0, dot)))
        if (auto fact = fact_of_format(*type, expression.text.substr(dot + 1))) return *std::move(fact);
    return error(fmt::format("N01 unknown name '{}'", expression.text), expression);
  }
  if (found.rest.empty()) return bind_entry(*found.entry, *found.owner, expression.text, expression);
  if (found.rest == "present" && is_left_out(expression.text.substr(0, expression.text.find('.')))) return Term::of(formula_.constant(Value(false)));
  TIEBREAK_TRY(term, bind_entry(*found.entry, *found.owner, expression.text.substr(0, expression.text.find('.')), expression));
  if (term.kind == Term::Kind::members && !term.items.empty() && structure_built_ && !formula_.geometry.members.empty())
    if (found.rest == "scale" || found.rest == "zero_point") return member_parameter(term, found.rest, expression);
  // What else members of a variadic operand have in common is asked of the first.
  if (term.kind == Term::Kind::members && term.items.empty() && found.rest == "members") return Term::of(formula_.constant(Real(0), true));
  if (term.kind == Term::Kind::members && !term.items.empty()) term = term.items.front();
  if (term.kind == Term::Kind::region) return region_fact(static_cast<std::size_t>(term.tensor), found.rest, expression);
  if (term.kind == Term::Kind::tensor) return bind_fact(term.tensor, term.result, found.rest, expression);
  if (found.rest == "type")  // of an attribute that is a tensor
    if (const auto given = call_.attributes.find(expression.text.substr(0, expression.text.rfind('.'))); given != call_.attributes.end())
      if (const Tensor* tensor = std::get_if<Tensor>(&given->second.value)) return Term::of(tensor->element());
  if (term.kind == Term::Kind::format)
    if (auto fact = fact_of_format(term.format, found.rest)) return *std::move(fact);
  return error(fmt::format("N01 '{}' has no facts", expression.text), expression);
}

Result<Term> Binder::bind_entry(const Entry& entry, const Scope& owner, const std::string& name, const Expr& at) {
  if (const Term* term = std::get_if<Term>(&entry)) return *term;
  if (const auto* lazy = std::get_if<std::shared_ptr<Lazy>>(&entry)) return force(**lazy, name);
  Expr call = at;
  call.args.clear();
  if (const auto* definition = std::get_if<const notation::Definition*>(&entry))
    return call_definition({(*definition)->parameters, (*definition)->body, owner}, call, {&owner});
  const notation::Choice& choice = *std::get<const notation::Choice*>(entry);
  TIEBREAK_TRY(alternative, take(choice, owner));
  return call_definition({choice.parameters, alternative->body, owner, choice.name + "=" + alternative->name, alternative->file}, call, {&owner});
}

Result<Term> Binder::call_definition(const Callee& callee, const Expr& call, const Context& context) {
  const std::vector<std::string>& parameters = callee.parameters;
  if (parameters.size() != call.args.size())
    return error(fmt::format("N12 '{}' takes {} argument(s), got {}", call.text, parameters.size(), call.args.size()), call);
  if (depth_ > deepest_call) return error("N03 definitions are nested too deeply", call);
  Scope& scope = new_scope(&callee.owner);
  if (!callee.file.empty()) scope.file = callee.file;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto lazy = std::make_shared<Lazy>();
    lazy->expression = call.args[i].get();
    lazy->scope = const_cast<Scope*>(context.scope);
    scope.names[parameters[i]] = lazy;
  }
  if (!callee.label.empty()) choice_stack_.push_back(callee.label);
  const std::string file = file_;
  if (!scope.file.empty()) file_ = scope.file;
  ++depth_;
  Result<Term> term = bind_body(callee.body, scope, nullptr);
  --depth_;
  file_ = file;
  if (!callee.label.empty()) choice_stack_.pop_back();
  return term;
}

/// Which alternative: the profile's, else the reading of `use`, else the page's own (the first).
Result<std::string> Binder::alternative_name(const notation::Choice& choice, const Scope& owner) {
  const Scope& root = owner.op_scope ? owner : owner.module_scope();
  const std::string module = owner.op_scope ? "" : (root.module != nullptr ? root.module->name : "");
  const ProfileValue* bound = resolve_choice(profile_, module, call_.op, owner.op_scope ? "" : root.alias, choice.name);
  if (bound == nullptr) return unbound_alternative(choice, owner.op_scope ? std::map<std::string, std::string>() : root.readings);
  if (bound->condition) {
    if (!speaks_of(*bound->condition, *op_)) return bound->otherwise;
    TIEBREAK_TRY(condition, truth(*bound->condition, {op_scope_}));
    if (!formula_.is_constant(condition)) return fail(Errc::type, fmt::format("N11 the condition of choice '{}' is not static", choice.name), profile_.file);
    if (!formula_[condition].constant.is_truth())
      return fail(Errc::type, fmt::format("N12 the condition of choice '{}' has no value here", choice.name), profile_.file);
    return formula_[condition].constant.truth() ? bound->then : bound->otherwise;
  }
  // Left open: the canonical member is the first alternative named.
  return bound->any.empty() ? bound->alternative : open_alternatives(*bound, alternative_names(choice)).front();
}

Result<const notation::Alternative*> Binder::take(const notation::Choice& choice, const Scope& owner) {
  TIEBREAK_TRY(name, alternative_name(choice, owner));
  auto found = std::ranges::find(choice.alternatives, name, &notation::Alternative::name);
  if (found == choice.alternatives.end())
    return fail(Errc::unknown_name, fmt::format("N11 choice '{}' has no alternative '{}'", choice.name, name), profile_.file,
                did_you_mean(name, alternative_names(choice)));
  std::string clause = choice.name + "=" + name;
  if (!std::ranges::binary_search(formula_.clauses, clause)) formula_.clauses.insert(std::ranges::lower_bound(formula_.clauses, clause), clause);
  const std::string alias = owner.op_scope ? "" : owner.module_scope().alias;
  formula_.readings[call_.op + "/" + (alias.empty() ? "" : alias + ".") + choice.name] = name;
  return &*found;
}

}  // namespace tiebreak
