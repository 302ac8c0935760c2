// SPDX-License-Identifier: Apache-2.0
// `each.F(e)` rounds what is written in e, not what a name in e stands for: within it only names are put in place of names.
#include "interpreter/resolve/write_in_place.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

using notation::Expr;
using notation::ExprKind;
using notation::ExprPtr;

/// A `where` name with a longer value keeps its own row: its page gave it a name to be read.
constexpr std::size_t longest_part = 40;

bool is_atom(const Expr& tree) {
  return tree.kind == ExprKind::name || tree.kind == ExprKind::number || tree.kind == ExprKind::constant || tree.kind == ExprKind::string;
}

/// One operation or one call on names and numbers: as short as a call of its name.
bool is_shallow(const Expr& tree) {
  const bool one = tree.kind == ExprKind::call || tree.kind == ExprKind::unary || tree.kind == ExprKind::binary;
  return one && !tree.text.starts_with("each.") && std::ranges::all_of(tree.args, [](const ExprPtr& part) { return is_atom(*part); });
}

bool has_aggregate(const Expr& tree) {
  bool found = false;
  notation::walk(tree, [&](const Expr& one) { found = found || one.kind == ExprKind::aggregate; });
  return found;
}

struct LocalUse {
  int count = 0;
  bool within_each = false, as_word = false;  ///< `sat.$7`, `$7.scale`
};

void look_for(const Expr& tree, int symbol, bool within_each, LocalUse& use) {
  const auto word = [&](const std::string& text, bool whole_is_value) {
    const auto token = find_token(text);
    if (!token || token->symbol != symbol) return;
    ++use.count;
    use.within_each = use.within_each || within_each;
    use.as_word = use.as_word || !whole_is_value || token->begin != 0 || token->end != text.size();
  };
  if (tree.kind == ExprKind::name || tree.kind == ExprKind::call) word(tree.text, tree.kind == ExprKind::name);
  const bool inside = within_each || tree.text.starts_with("each.");
  for (const ExprPtr& part : tree.args) look_for(*part, symbol, inside, use);
  for (const notation::Modifier& modifier : tree.modifiers) {
    word(modifier.name, false);
    for (const ExprPtr& part : modifier.args) look_for(*part, symbol, inside, use);
  }
}

LocalUse use_in(const GraphBody& body, int symbol) {
  LocalUse use;
  for (const GraphBinding& binding : body.where) look_for(*binding.value, symbol, false, use);
  look_for(*body.value, symbol, false, use);
  return use;
}

void add_clauses(std::vector<Clause>& clauses, const std::vector<Clause>& more) {
  for (const Clause& clause : more)
    if (std::ranges::find(clauses, clause) == clauses.end()) clauses.push_back(clause);
}

class InPlace {
 public:
  explicit InPlace(FormulaGraph& graph) : graph_(graph), uses_(count_uses(graph)) {}

  void run() {
    // What a formula names stands before it, and is done first.
    const std::size_t own = graph_.formulas.size();
    for (std::size_t i = 0; i < own; ++i) formula(static_cast<int>(i));
    refused_.clear();
    for_trees(graph_.op, [&](ExprPtr& tree) { tree = names_only(tree); });
  }

 private:
  void formula(int index) {
    if (!graph_.formulas[static_cast<std::size_t>(index)].open.empty()) return;
    refused_.clear();
    uses_ = count_uses(graph_);
    while (expand_one(index)) uses_ = count_uses(graph_);
    while (shorten_where(index)) {
    }
    GraphFormula& one = graph_.formulas[static_cast<std::size_t>(index)];
    if (one.parameters.empty()) own_lines(index);
    split_pair(index);
  }

  /// The first name that can be replaced by its formula, in the value or else in a `where` name.
  bool expand_one(int index) {
    GraphFormula& one = graph_.formulas[static_cast<std::size_t>(index)];
    for (std::size_t slot = one.body.where.size() + 1; slot-- > 0;) {
      const bool value = slot == one.body.where.size();
      const ExprPtr tree = value ? one.body.value : one.body.where[slot].value;
      Expansion made;
      const ExprPtr changed = expand(tree, made);
      if (!made.done) continue;
      std::vector<Clause>& clauses = value ? one.clauses : one.body.where[slot].clauses;
      add_clauses(clauses, made.clauses);
      (value ? one.body.value : one.body.where[slot].value) = changed;
      one.body.where.insert(one.body.where.begin() + static_cast<std::ptrdiff_t>(slot), made.where.begin(), made.where.end());
      return true;
    }
    return false;
  }

  struct Expansion {
    bool done = false;
    std::vector<GraphBinding> where;
    std::vector<Clause> clauses;
  };

  ExprPtr expand(const ExprPtr& tree, Expansion& made) {
    const ExprPtr whole = expand_below(tree, {}, made);
    if (!made.done) return tree;
    const auto fits = [&](const GraphBinding& binding) { return length(binding.value) <= longest_row; };
    if (length(whole) <= std::max(longest_row, length(tree)) && std::ranges::all_of(made.where, fits)) return whole;
    // Too long a row: this name stays, another one may do.
    refused_.insert(last_);
    made = {};
    return expand(tree, made);
  }

  /// What stands around a name.
  struct Around {
    bool each = false, aggregate = false;
  };

  ExprPtr expand_below(const ExprPtr& tree, const Around& around, Expansion& made) {
    if (const ExprPtr here = expand_here(tree, around, made)) return here;
    const Around inside{around.each || tree->text.starts_with("each."), around.aggregate || tree->kind == ExprKind::aggregate};
    auto copy = std::make_shared<Expr>(*tree);
    for (ExprPtr& part : copy->args) {
      part = expand_below(part, inside, made);
      if (made.done) return copy;
    }
    for (notation::Modifier& modifier : copy->modifiers)
      for (ExprPtr& part : modifier.args) {
        part = expand_below(part, inside, made);
        if (made.done) return copy;
      }
    return tree;
  }

  ExprPtr expand_here(const ExprPtr& tree, const Around& around, Expansion& made) {
    if (tree->kind != ExprKind::name && tree->kind != ExprKind::call) return nullptr;
    const auto token = find_token(tree->text);
    if (!token || token->begin != 0 || token->end != tree->text.size() || refused_.contains(token->symbol)) return nullptr;
    const Symbol& symbol = graph_.symbols[static_cast<std::size_t>(token->symbol)];
    if (symbol.formula < 0 || symbol.fixed) return nullptr;
    const GraphFormula& callee = graph_.formulas[static_cast<std::size_t>(symbol.formula)];
    if (!callee.open.empty() || callee.targets.size() != 1 || callee.parameters.size() != tree->args.size()) return nullptr;
    const bool plain = callee.body.where.empty();
    const bool trivial = plain && is_atom(*callee.body.value);
    const bool small = plain && !callee.parameters.empty() && is_shallow(*callee.body.value);
    if (!trivial && (around.each || (!small && uses_[token->symbol] != 1))) return nullptr;
    if (around.aggregate && has_aggregate(*callee.body.value)) return nullptr;  // computed once, not once an item
    last_ = token->symbol;
    const ExprPtr value = with_arguments(callee, *tree, {around.each, uses_[token->symbol] == 1 && !around.each}, made);
    if (!value) {
      refused_.insert(token->symbol);
      made = {};
      return nullptr;
    }
    made.done = true;
    add_clauses(made.clauses, callee.clauses);
    return value;
  }

  struct Site {
    bool within_each, may_name;
  };

  /// The callee's value with the call's arguments. An argument that would be written twice, or within `each`, becomes a `where` name, if the site may
  /// have one.
  ExprPtr with_arguments(const GraphFormula& callee, const Expr& call, const Site& site, Expansion& made) {
    std::map<int, ExprPtr> values;
    for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
      const int parameter = callee.parameters[i];
      const ExprPtr& argument = call.args[i];
      const LocalUse use = use_in(callee.body, parameter);
      const bool once = use.count == 1 && !use.within_each && !use.as_word && !site.within_each;
      if (is_atom(*argument) || use.count == 0 || once) values[parameter] = argument;
      else if (site.may_name && !use.as_word) made.where.push_back({{parameter}, argument, callee.clauses});
      else return nullptr;
    }
    for (const GraphBinding& binding : callee.body.where) {
      GraphBinding one = binding;
      if (!(one.value = substitute(binding.value, values))) return nullptr;
      made.where.push_back(std::move(one));
    }
    return substitute(callee.body.value, values);
  }

  /// A `where` name that is named once, has a short value and does not stand within `each`, or one that is another name.
  bool shorten_where(int index) {
    GraphFormula& one = graph_.formulas[static_cast<std::size_t>(index)];
    std::vector<GraphBinding>& where = one.body.where;
    split_pairs(where);
    for (std::size_t i = where.size(); i-- > 0;) {
      if (where[i].targets.size() != 1) continue;
      const LocalUse use = use_in(one.body, where[i].targets.front());
      if (use.count == 0) return where.erase(where.begin() + static_cast<std::ptrdiff_t>(i)), true;
      const bool short_once = use.count == 1 && !use.within_each && !use.as_word && length(where[i].value) <= longest_part;
      if ((is_atom(*where[i].value) || short_once) && put_in_place(one, i)) return true;
    }
    return false;
  }

  bool put_in_place(GraphFormula& one, std::size_t place) {
    const GraphBinding binding = one.body.where[place];
    const std::map<int, ExprPtr> values{{binding.targets.front(), binding.value}};
    GraphBody changed = one.body;
    changed.where.erase(changed.where.begin() + static_cast<std::ptrdiff_t>(place));
    for (GraphBinding& other : changed.where)
      if (!(other.value = substitute(other.value, values)) || length(other.value) > longest_row) return false;
    if (!(changed.value = substitute(changed.value, values)) || length(changed.value) > longest_row) return false;
    one.body = std::move(changed);
    add_clauses(one.clauses, binding.clauses);
    return true;
  }

  /// (m, e) = (a, b): two names.
  static void split_pairs(std::vector<GraphBinding>& where) {
    for (std::size_t i = 0; i < where.size(); ++i) {
      const GraphBinding pair = where[i];
      if (pair.targets.size() < 2 || pair.value->kind != ExprKind::tuple || pair.value->args.size() != pair.targets.size()) continue;
      where.erase(where.begin() + static_cast<std::ptrdiff_t>(i));
      for (std::size_t part = pair.targets.size(); part-- > 0;)
        where.insert(where.begin() + static_cast<std::ptrdiff_t>(i), {{pair.targets[part]}, pair.value->args[part], pair.clauses});
    }
  }

  void split_pair(int index) {
    GraphFormula pair = graph_.formulas[static_cast<std::size_t>(index)];
    const ExprPtr value = pair.body.value;
    if (pair.targets.size() < 2 || value->kind != ExprKind::tuple || value->args.size() != pair.targets.size()) return;
    for (std::size_t part = 0; part < pair.targets.size(); ++part) {
      GraphFormula one;
      one.targets = {pair.targets[part]};
      one.body.value = value->args[part];
      one.clauses = pair.clauses;
      add(std::move(one));
    }
  }

  /// `where` names of a formula without parameters have lines of their own.
  void own_lines(int index) {
    std::vector<GraphBinding> where = std::move(graph_.formulas[static_cast<std::size_t>(index)].body.where);
    graph_.formulas[static_cast<std::size_t>(index)].body.where.clear();
    for (GraphBinding& binding : where) {
      GraphFormula one;
      one.targets = binding.targets;
      one.body.value = binding.value;
      one.clauses = binding.clauses;
      add(std::move(one));
    }
  }

  void add(GraphFormula formula) {
    for (const int target : formula.targets) graph_.symbols[static_cast<std::size_t>(target)].formula = static_cast<int>(graph_.formulas.size());
    graph_.formulas.push_back(std::move(formula));
  }

  /// In the structure, in constraints and stages only names and numbers are put in place of names.
  ExprPtr names_only(const ExprPtr& tree) {
    Expansion made;
    const ExprPtr changed = expand_below(tree, {true, false}, made);
    return made.done ? names_only(changed) : tree;
  }

  std::size_t length(const ExprPtr& tree) const {
    return notation::print(*rename_tokens(tree, [&](int symbol) { return graph_.symbols[static_cast<std::size_t>(symbol)].name; })).size();
  }

  FormulaGraph& graph_;
  std::map<int, int> uses_;
  std::set<int> refused_{};
  int last_ = -1;
};

}  // namespace

void write_in_place(FormulaGraph& graph) { InPlace(graph).run(); }

}  // namespace tiebreak
