// SPDX-License-Identifier: Apache-2.0
// Three stages with a graph between them: what the op needs (instantiate_op), what stands in place (write_in_place), and here names and lines.
#include <algorithm>
#include <set>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/resolve/instantiate_op.hpp"
#include "interpreter/resolve/resolved_op.hpp"
#include "interpreter/resolve/write_in_place.hpp"

namespace tiebreak {
namespace {

/// Names for the symbols of a graph: those of the pages, with the module in front only where two formulas would have one name.
class LineNames {
 public:
  LineNames(FormulaGraph& graph, const std::vector<int>& formulas) : graph_(graph) {
    take_header();
    std::map<std::string, int> wanted;
    for (const int formula : formulas)
      for (const int target : graph_.formulas[index(formula)].targets) ++wanted[symbol(target).name];
    // The op's own formulas come first, so that they keep their names.
    for (const bool own : {true, false})
      for (const int formula : formulas)
        for (const int target : graph_.formulas[index(formula)].targets)
          if (symbol(target).prefix.empty() == own) name_global(target, own || wanted[symbol(target).name] == 1);
  }

  std::string operator()(int target) const { return names_.at(target); }

  /// Parameters and `where` names of one formula: unlike each other, and unlike what is named there besides.
  void name_locals(GraphFormula& formula) {
    std::set<std::string> used;
    for_trees(formula, [&](notation::ExprPtr& tree) { words_of(*tree, used); });
    const auto local = [&](int target) {
      std::string name = free_name(symbol(target).name, used);
      used.insert(name);
      names_[target] = name;
    };
    for (const int parameter : formula.parameters) local(parameter);
    for (const GraphBinding& binding : formula.body.where) std::ranges::for_each(binding.targets, local);
    for (const OpenAlternative& one : formula.open)
      for (const GraphBinding& binding : one.body.where) std::ranges::for_each(binding.targets, local);
  }

 private:
  static std::size_t index(int place) { return static_cast<std::size_t>(place); }
  const Symbol& symbol(int target) const { return graph_.symbols[index(target)]; }

  void take_header() {
    for (const auto* list : {&graph_.op.operands, &graph_.op.attributes, &graph_.op.results})
      for (const notation::Operand& one : *list) {
        taken_.insert(one.name);
        taken_.insert(one.types.begin(), one.types.end());
      }
    taken_.insert(graph_.op.regions.begin(), graph_.op.regions.end());
    for (const notation::Statement& statement : graph_.op.statements) {
      if (const auto* types = std::get_if<notation::TypeVariables>(&statement))
        for (const auto& variable : types->variables) taken_.insert(variable.first);
      if (const auto* alias = std::get_if<notation::TypeAlias>(&statement)) taken_.insert(alias->name);
      if (const auto* stage = std::get_if<notation::Stage>(&statement)) taken_.insert(stage->targets.begin(), stage->targets.end());
    }
  }

  void name_global(int target, bool short_name) {
    const Symbol& one = symbol(target);
    std::string name = one.name;
    if (!one.fixed) {
      std::string with_module = one.prefix + "_" + one.name;
      std::ranges::replace(with_module, '.', '_');
      if (one.prefix.empty()) with_module = one.name;
      name = free_name(short_name && !taken_.contains(one.name) ? one.name : with_module, taken_);
    }
    taken_.insert(name);
    names_[target] = name;
  }

  static std::string free_name(const std::string& wish, const std::set<std::string>& taken) {
    const auto free = [&](const std::string& name) { return !taken.contains(name) && !notation::is_reserved(name); };
    if (free(wish)) return wish;
    for (int number = 2;; ++number)
      if (const std::string name = wish + "_" + std::to_string(number); free(name)) return name;
  }

  /// Every word in the tree as far as it is named already, and what a path or a conversion is made of.
  void words_of(const notation::Expr& tree, std::set<std::string>& words) const {
    const auto word = [&](std::string text) {
      if (const auto token = find_token(text)) {
        const auto named = names_.find(token->symbol);
        text = named == names_.end() ? "" : named->second;
      }
      for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find('.', begin);
        words.insert(text.substr(begin, end - begin));
      }
    };
    if (tree.kind == notation::ExprKind::name || tree.kind == notation::ExprKind::call || tree.kind == notation::ExprKind::is) word(tree.text);
    for (const notation::Modifier& modifier : tree.modifiers) {
      word(modifier.name);
      for (const notation::ExprPtr& part : modifier.args) words_of(*part, words);
    }
    for (const notation::ExprPtr& part : tree.args) words_of(*part, words);
  }

  FormulaGraph& graph_;
  std::set<std::string> taken_{};
  std::map<int, std::string> names_{};
};

class LineWriter {
 public:
  explicit LineWriter(FormulaGraph& graph, std::string file) : graph_(graph), file_(std::move(file)), order_(in_order()), names_(graph, order_) {}

  std::vector<ResolvedLine> run() {
    for (const int formula : order_) names_.name_locals(graph_.formulas[static_cast<std::size_t>(formula)]);
    header();
    for (const bool definitions : {false, true})
      for (const int formula : order_) {
        GraphFormula& one = graph_.formulas[static_cast<std::size_t>(formula)];
        if ((!one.parameters.empty() || !one.open.empty()) == definitions) lines_.push_back(line_of(one));
      }
    return std::move(lines_);
  }

 private:
  /// What is needed, each behind those that it names.
  std::vector<int> in_order() {
    std::vector<int> order;
    std::set<int> seen;
    const std::function<void(int)> visit = [&](int symbol) {
      const int formula = graph_.symbols[static_cast<std::size_t>(symbol)].formula;
      if (formula < 0 || !seen.insert(formula).second) return;
      for_trees(graph_.formulas[static_cast<std::size_t>(formula)], [&](notation::ExprPtr& tree) { for_tokens(*tree, visit); });
      order.push_back(formula);
    };
    for_trees(graph_.op, [&](notation::ExprPtr& tree) { for_tokens(*tree, visit); });
    for (const int result : graph_.results) visit(result);
    return order;
  }

  std::string text_of_tree(const notation::ExprPtr& tree) const { return notation::print(*rename_tokens(tree, names_)); }

  std::string text_of_names(const std::vector<int>& targets) const {
    std::string text;
    for (const int target : targets) text += (text.empty() ? "" : ", ") + names_(target);
    return targets.size() == 1 ? text : "(" + text + ")";
  }

  /// On one row where it is short, else a row for each `where` name.
  std::string text_of_body(const std::string& head, const GraphBody& body) const {
    std::string text = head + text_of_tree(body.value);
    if (body.where.empty()) return text;
    std::vector<std::string> names;
    std::size_t length = text.size() + 7;
    for (const GraphBinding& binding : body.where) {
      names.push_back(text_of_names(binding.targets) + " = " + text_of_tree(binding.value));
      length += names.back().size() + 2;
    }
    const bool one_row = length <= longest_row;
    text += one_row ? " where " : "\n    where ";
    for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : one_row ? "; " : ";\n          ") + names[i];
    return text;
  }

  ResolvedLine line_of(GraphFormula& formula) const {
    std::string parameters;
    for (const int parameter : formula.parameters) parameters += (parameters.empty() ? "(" : ", ") + names_(parameter);
    if (!parameters.empty()) parameters += ")";
    const std::string name = text_of_names(formula.targets);
    if (formula.open.empty()) {
      const bool definition = !formula.parameters.empty();
      std::string text = text_of_body((definition ? "def " : "") + name + parameters + " = ", formula.body);
      return {definition ? LineKind::definition : LineKind::formula, name, std::move(text), formula.clauses};
    }
    std::string text = "choice " + name + parameters + ":";
    for (std::size_t i = 0; i < formula.open.size(); ++i)
      text += (i == 0 ? "\n    " : "\n  | ") + text_of_body(formula.open[i].name + " = ", formula.open[i].body);
    return {LineKind::open_choice, name, std::move(text), formula.clauses};
  }

  void header() {
    for_trees(graph_.op, [&](notation::ExprPtr& tree) { tree = rename_tokens(tree, names_); });
    notation::Op op = graph_.op;
    op.statements.clear();
    lines_.push_back({LineKind::header, "op", text_of_op(op), {{file_, op.at.line, {}, false}}});
    const std::string head = notation::print(op);
    for (const notation::Statement& statement : graph_.op.statements) {
      op.statements = {statement};
      std::string text = notation::print(op).substr(head.size());
      text.pop_back();
      const auto [kind, name, at] = std::visit([](const auto& one) { return about(one); }, statement);
      lines_.push_back({kind, name, std::move(text), {{file_, at.line, {}, false}}});
    }
  }

  static std::string text_of_op(const notation::Op& op) {
    std::string text = notation::print(op);
    text.pop_back();
    return text;
  }

  struct About {
    LineKind kind;
    std::string name;
    notation::Position at;
  };
  static About about(const notation::TypeVariables& one) { return {LineKind::types, "types", one.at}; }
  static About about(const notation::TypeAlias& one) { return {LineKind::types, one.name, one.at}; }
  static About about(const notation::Structure& one) { return {LineKind::structure, "structure", one.at}; }
  static About about(const notation::Constraint& one) { return {LineKind::constraint, one.label, one.at}; }
  static About about(const notation::Stage& one) { return {LineKind::stage, one.targets.front(), one.at}; }
  template <class Other>
  static About about(const Other& one) {  // formulas are in the graph
    return {LineKind::formula, {}, one.at};
  }

  FormulaGraph& graph_;
  std::string file_;
  std::vector<int> order_;
  LineNames names_;
  std::vector<ResolvedLine> lines_{};
};

}  // namespace

std::string to_text(LineKind kind) {
  switch (kind) {
    using enum LineKind;
    case header: return "header";
    case types: return "types";
    case stage: return "stage";
    case structure: return "structure";
    case constraint: return "constraint";
    case formula: return "formula";
    case definition: return "definition";
    case open_choice: return "open choice";
  }
  return "formula";
}

Result<ResolvedOp> resolve_op(const Library& library, const Profile& profile, const std::string& op) {
  TIEBREAK_TRY(place, library.find_op(op));
  FormulaGraph graph = instantiate_op(library, profile, place);
  write_in_place(graph);
  ResolvedOp resolved;
  resolved.op = op;
  resolved.profile = profile.name;
  resolved.has_choices = graph.has_choices;
  resolved.declared = graph.declared;
  resolved.lines = LineWriter(graph, place.page->module.file).run();
  return resolved;
}

}  // namespace tiebreak
