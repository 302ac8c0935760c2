// SPDX-License-Identifier: Apache-2.0
#include "interpreter/resolve/instantiate_op.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/semantics/profile_condition.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

using notation::Expr;
using notation::ExprKind;
using notation::ExprPtr;

class OpInstance {
 public:
  OpInstance(const Semantics& semantics, const Library::OpPlace& place)
      : library_(semantics.library), profile_(semantics.profile), op_(*place.op), page_{&place.page->module, &op_, {}, {}, {}} {}

  FormulaGraph run() {
    declare_names();
    graph_.op = op_;
    graph_.op.statements.clear();
    for (const notation::Statement& statement : op_.statements) keep(statement);
    for_trees(graph_.op, [&](ExprPtr& tree) { tree = expression(tree, page_); });
    for (const notation::Operand& result : op_.results)
      if (const int symbol = symbol_of(names_.at(result.name)); symbol >= 0) graph_.results.push_back(symbol);
    for (const notation::Statement& statement : op_.statements)
      if (const auto* structure = std::get_if<notation::Structure>(&statement))
        for (const notation::Argument& argument : structure->arguments)
          if (!argument.value) keep_formula(argument.name);
    for (const auto* list : {&op_.operands, &op_.results})
      for (const notation::Operand& one : *list)
        for (const notation::Index& index : one.indices) keep_formula(index.name);
    drop_unused_types();
    return std::move(graph_);
  }

 private:
  /// Where names are looked up: in a module, or in the op in front of its module; as which the op knows the module; parameters and `where` names.
  struct Frame {
    const notation::Module* module;
    const notation::Op* op;
    std::string alias;
    std::map<std::string, std::string> readings;
    std::map<std::string, int> locals;
  };
  struct Found {
    bool known = false;
    int symbol = -1;     ///< -1: keeps the name it has
    std::string rest{};  ///< a fact
  };
  /// A formula of the op by name; all nullptr: an operand, an attribute, a type ...
  struct OpName {
    const notation::Let* let = nullptr;
    std::size_t target = 0;
    const notation::Definition* definition = nullptr;
    const notation::Choice* choice = nullptr;
  };

  void declare_names() {
    for (const auto* list : {&op_.operands, &op_.attributes, &op_.results})
      for (const notation::Operand& one : *list) names_[one.name] = {};
    for (const std::string& region : op_.regions) names_[region] = {};
    for (const notation::Statement& statement : op_.statements) {
      if (const auto* types = std::get_if<notation::TypeVariables>(&statement))
        for (const auto& variable : types->variables) names_[variable.first] = {};
      if (const auto* alias = std::get_if<notation::TypeAlias>(&statement)) names_[alias->name] = {};
      if (const auto* stage = std::get_if<notation::Stage>(&statement))
        for (const std::string& target : stage->targets) names_[target] = {};
      if (const auto* let = std::get_if<notation::Let>(&statement))
        for (std::size_t i = 0; i < let->targets.size(); ++i) names_[let->targets[i]] = {let, i, nullptr, nullptr};
      if (const auto* one = std::get_if<notation::Definition>(&statement)) names_[one->name] = {nullptr, 0, one, nullptr};
      if (const auto* one = std::get_if<notation::Choice>(&statement)) names_[one->name] = {nullptr, 0, nullptr, one};
    }
  }

  void keep(const notation::Statement& statement) {
    const bool formula = std::holds_alternative<notation::Let>(statement) || std::holds_alternative<notation::Definition>(statement) ||
                         std::holds_alternative<notation::Choice>(statement) || std::holds_alternative<notation::Claim>(statement);
    if (!formula) graph_.op.statements.push_back(statement);
  }

  /// A formula that the structure names, `rows(x, first, last)`, or the header, `s: S[axis by 32]`: it keeps its name and its line.
  void keep_formula(const std::string& name) {
    const auto found = names_.find(name);
    if (found == names_.end() || found->second.let == nullptr || is_result(name)) return;
    const int symbol = symbol_of(found->second);
    if (std::ranges::find(graph_.results, symbol) == graph_.results.end()) graph_.results.push_back(symbol);
    graph_.symbols[static_cast<std::size_t>(symbol)].fixed = true;
  }

  /// `type P = ...` that only an alternative names which is not taken.
  void drop_unused_types() {
    std::string words = " ";
    const auto take = [&](const Expr& tree) { words += notation::print(tree) + " "; };
    for (GraphFormula& formula : graph_.formulas) for_trees(formula, [&](ExprPtr& tree) { take(*tree); });
    for (const auto* list : {&graph_.op.operands, &graph_.op.results})
      for (const notation::Operand& one : *list)
        for (const std::string& type : one.types) words += type + " ";
    for_trees(graph_.op, [&](ExprPtr& tree) { take(*tree); });
    const auto named = [&](const std::string& name) {
      for (std::size_t at = words.find(name); at != std::string::npos; at = words.find(name, at + 1)) {
        const auto part_of_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
        if (!part_of_name(words[at - 1]) && !part_of_name(words[at + name.size()])) return true;
      }
      return false;
    };
    std::erase_if(graph_.op.statements, [&](const notation::Statement& statement) {
      const auto* alias = std::get_if<notation::TypeAlias>(&statement);
      return alias != nullptr && !named(alias->name);
    });
  }

  // What a path stands for.

  /// A result is named for its type, even in its own formula; it keeps its name.
  bool is_result(const std::string& name) const { return std::ranges::find(op_.results, name, &notation::Operand::name) != op_.results.end(); }

  Found look_up(const std::string& path, const Frame& frame) {
    const auto [head, fact] = notation::split_first(path);
    const std::string name(head), rest(fact);
    if (const auto local = frame.locals.find(name); local != frame.locals.end()) return {true, local->second, rest};
    if (frame.op != nullptr)
      if (const auto found = names_.find(name); found != names_.end()) return {true, is_result(name) ? -1 : symbol_of(found->second), rest};
    const Frame outside{frame.module, nullptr, frame.alias, frame.readings, {}};
    if (const Found found = in_module(name, outside); found.known) return {true, found.symbol, rest};
    return rest.empty() ? Found{} : member(path, *frame.module);
  }

  Found member(const std::string& path, const notation::Module& module) {
    const auto [before, last] = notation::split_last(path);
    const std::string prefix(before), name(last);
    for (const notation::Use& use : module.uses)
      if (use.alias == prefix || use.module == prefix)
        if (const notation::Module* used = library_.find_module(use.module))
          return in_module(name, {used, nullptr, use.alias, {use.readings.begin(), use.readings.end()}, {}});
    const notation::Module* used = library_.find_module(prefix);
    return used == nullptr ? Found{} : in_module(name, {used, nullptr, std::string(notation::split_last(prefix).second), {}, {}});
  }

  Found in_module(const std::string& name, const Frame& frame) {
    const auto definition = std::ranges::find(frame.module->definitions, name, &notation::Definition::name);
    if (definition != frame.module->definitions.end()) return {true, of_definition(*definition, frame), {}};
    const auto choice = std::ranges::find(frame.module->choices, name, &notation::Choice::name);
    if (choice != frame.module->choices.end()) return {true, of_choice(*choice, frame), {}};
    return {};
  }

  // Formulas. Each is made once for each way in which its module is used.

  int symbol_of(const OpName& name) {
    if (name.let != nullptr) return of_let(*name.let, name.target);
    if (name.definition != nullptr) return of_definition(*name.definition, page_);
    return name.choice != nullptr ? of_choice(*name.choice, page_) : -1;
  }

  int of_let(const notation::Let& let, std::size_t target) {
    if (const auto made = lets_.find(&let); made != lets_.end()) return made->second[target];
    GraphFormula formula;
    formula.body = body_of(let.body, page_, page_.module->file);
    formula.clauses = {{page_.module->file, let.at.line, {}, false}};
    for (const std::string& one : let.targets) {
      formula.targets.push_back(new_symbol(one, {}));
      graph_.symbols.back().fixed = is_result(one);
    }
    lets_[&let] = formula.targets;
    return add(std::move(formula)), lets_[&let][target];
  }

  using Key = std::tuple<const void*, std::string, std::map<std::string, std::string>>;

  int of_definition(const notation::Definition& one, const Frame& frame) {
    const Key key{&one, frame.alias, frame.readings};
    if (const auto made = made_.find(key); made != made_.end()) return made->second;
    GraphFormula formula;
    const Frame inside = with_parameters(one.parameters, frame, formula);
    formula.body = body_of(one.body, inside, frame.module->file);
    formula.clauses = {{frame.module->file, one.at.line, {}, false}};
    return made_[key] = add_once(std::move(formula), one.name, &one, frame);
  }

  int of_choice(const notation::Choice& one, const Frame& frame) {
    const Key key{&one, frame.alias, frame.readings};
    if (const auto made = made_.find(key); made != made_.end()) return made->second;
    GraphFormula formula;
    const Frame inside = with_parameters(one.parameters, frame, formula);
    take(one, inside, formula);
    return made_[key] = add_once(std::move(formula), one.name, &one, frame);
  }

  /// What the profile says of the choice, else the reading of `use`, else the page's own.
  void take(const notation::Choice& choice, const Frame& frame, GraphFormula& formula) {
    graph_.has_choices = true;
    const bool of_op = frame.op != nullptr;
    const ProfileValue* bound = resolve_choice(profile_, of_op ? "" : frame.module->name, op_.path, of_op ? "" : frame.alias, choice.name);
    if (bound == nullptr) {
      formula.body = alternative(choice, unbound_alternative(choice, frame.readings), frame, formula);
      return;
    }
    graph_.declared = true;
    if (!bound->any.empty()) return leave_open(choice, open_alternatives(*bound, alternative_names(choice)), frame, formula);
    if (!bound->condition) formula.body = alternative(choice, bound->alternative, frame, formula);
    else if (!speaks_of(*bound->condition, op_)) formula.body = alternative(choice, bound->otherwise, frame, formula);
    else formula.body = either(choice, *bound, frame, formula);
  }

  GraphBody either(const notation::Choice& choice, const ProfileValue& bound, const Frame& frame, GraphFormula& formula) {
    GraphBody then = alternative(choice, bound.then, frame, formula);
    GraphBody otherwise = alternative(choice, bound.otherwise, frame, formula);
    Expr conditional;
    conditional.kind = ExprKind::conditional;
    conditional.args = {expression(bound.condition, page_), then.value, otherwise.value};
    then.where.insert(then.where.end(), otherwise.where.begin(), otherwise.where.end());
    then.value = std::make_shared<const Expr>(std::move(conditional));
    return then;
  }

  void leave_open(const notation::Choice& choice, const std::vector<std::string>& open, const Frame& frame, GraphFormula& formula) {
    for (const notation::Alternative& one : choice.alternatives)
      if (std::ranges::find(open, one.name) != open.end()) {
        GraphBody body = alternative(choice, one.name, frame, formula);
        formula.open.push_back({one.name, std::move(body)});
      }
    // The first one named is what a single value is computed with.
    const auto first = std::ranges::find(formula.open, open.front(), &OpenAlternative::name);
    if (first != formula.open.end()) std::rotate(formula.open.begin(), first, first + 1);
  }

  GraphBody alternative(const notation::Choice& choice, const std::string& name, const Frame& frame, GraphFormula& formula) {
    auto found = std::ranges::find(choice.alternatives, name, &notation::Alternative::name);
    if (found == choice.alternatives.end()) found = choice.alternatives.begin();
    const std::string& file = found->file.empty() ? frame.module->file : found->file;
    const std::string key = (frame.op != nullptr ? op_.path : frame.module->name) + "/" + choice.name + "=" + found->name;
    formula.clauses.push_back({file, found->at.line, key, !found->file.empty()});
    return body_of(found->body, frame, file);
  }

  Frame with_parameters(const std::vector<std::string>& parameters, const Frame& frame, GraphFormula& formula) {
    Frame inside = frame;
    inside.locals.clear();
    for (const std::string& parameter : parameters) {
      formula.parameters.push_back(new_symbol(parameter, {}));
      inside.locals[parameter] = formula.parameters.back();
    }
    return inside;
  }

  GraphBody body_of(const notation::Body& body, const Frame& frame, const std::string& file) {
    Frame inside = frame;
    GraphBody made;
    for (const notation::Binding& binding : body.where) {
      GraphBinding one{{}, expression(binding.value, inside), {{file, binding.at.line, {}, false}}};
      for (const std::string& target : binding.targets) {
        one.targets.push_back(new_symbol(target, {}));
        inside.locals[target] = one.targets.back();
      }
      made.where.push_back(std::move(one));
    }
    made.value = expression(body.value, inside);
    return made;
  }

  // Trees with tokens in place of names that have a formula.

  ExprPtr expression(const ExprPtr& tree, const Frame& frame) {
    if (!tree) return tree;
    auto copy = std::make_shared<Expr>(*tree);
    if (copy->kind == ExprKind::name) copy->text = named(copy->text, frame);
    if (copy->kind == ExprKind::call) copy->text = called(copy->text, frame);
    for (ExprPtr& part : copy->args) part = expression(part, frame);
    for (notation::Modifier& modifier : copy->modifiers) {
      if (modifier.name == "order") continue;  // of indices
      if (!notation::contains(notation::modifier_words(), modifier.name)) modifier.name = called(modifier.name, frame);
      for (ExprPtr& part : modifier.args) part = expression(part, frame);
    }
    return copy;
  }

  std::string named(const std::string& text, const Frame& frame) {
    const Found found = look_up(text, frame);
    if (found.symbol < 0) return text;
    return token_of(found.symbol) + (found.rest.empty() ? "" : "." + found.rest);
  }

  std::string called(const std::string& text, const Frame& frame) {
    if (const Found found = look_up(text, frame); found.known && found.rest.empty()) return found.symbol < 0 ? text : token_of(found.symbol);
    const auto conversion = notation::split_conversion(text);
    if (!conversion || conversion->target.empty()) return text;
    const Found target = look_up(std::string(conversion->target), frame);
    return target.symbol < 0 ? text : text.substr(0, text.size() - conversion->target.size()) + token_of(target.symbol);
  }

  int new_symbol(const std::string& name, const std::string& prefix) {
    graph_.symbols.push_back({name, prefix, -1, false});
    return static_cast<int>(graph_.symbols.size()) - 1;
  }

  void add(GraphFormula formula) {
    for (const int target : formula.targets) graph_.symbols[static_cast<std::size_t>(target)].formula = static_cast<int>(graph_.formulas.size());
    graph_.formulas.push_back(std::move(formula));
  }

  /// A module that is used under two names gives the same formula twice where no choice in it differs: one is enough.
  int add_once(GraphFormula formula, const std::string& name, const void* origin, const Frame& frame) {
    std::string same = std::to_string(reinterpret_cast<std::uintptr_t>(origin));
    for (const Clause& clause : formula.clauses) same += "|" + clause.taken;
    const auto local_name = [&](int symbol) {
      const Symbol& one = graph_.symbols[static_cast<std::size_t>(symbol)];
      return one.formula < 0 ? one.name : token_of(symbol);
    };
    for_trees(formula, [&](ExprPtr& tree) { same += "|" + notation::print(*rename_tokens(tree, local_name)); });
    if (const auto made = same_.find(same); made != same_.end()) return made->second;
    formula.targets = {new_symbol(name, frame.op != nullptr ? "" : frame.alias.empty() ? frame.module->name : frame.alias)};
    const int symbol = formula.targets.front();
    add(std::move(formula));
    return same_[same] = symbol;
  }

  const Library& library_;
  const Profile& profile_;
  const notation::Op& op_;
  const Frame page_;
  FormulaGraph graph_{};
  std::map<std::string, OpName> names_{};
  std::map<const notation::Let*, std::vector<int>> lets_{};
  std::map<Key, int> made_{};
  std::map<std::string, int> same_{};
};

}  // namespace

FormulaGraph instantiate_op(const Semantics& semantics, const Library::OpPlace& place) { return OpInstance(semantics, place).run(); }

}  // namespace tiebreak
