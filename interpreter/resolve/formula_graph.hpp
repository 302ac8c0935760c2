// SPDX-License-Identifier: Apache-2.0
// The formulas of one op under one profile as a graph: the data between the stages of resolve_op. Inside resolve/ only.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/notation/syntax.hpp"
#include "interpreter/resolve/resolved_op.hpp"

namespace tiebreak {

/// What a name in a graph stands for. Trees name a symbol by its token, `$7`, so that no two formulas can take each other's names.
struct Symbol {
  std::string name;    ///< as its page has it
  std::string prefix;  ///< as the op's page or its module is called where it came from, "" for the op's own
  int formula = -1;    ///< -1: a parameter or a `where` name
  bool fixed = false;  ///< a result or a type of the op: keeps its name and its line
};

struct GraphBinding {
  std::vector<int> targets;
  notation::ExprPtr value;
  std::vector<Clause> clauses;
};

struct GraphBody {
  notation::ExprPtr value;
  std::vector<GraphBinding> where;
};

struct OpenAlternative {
  std::string name;
  GraphBody body;
};

struct GraphFormula {
  std::vector<int> targets;
  std::vector<int> parameters;
  GraphBody body;
  std::vector<OpenAlternative> open;  ///< instead of a body, where the profile leaves a choice open
  std::vector<Clause> clauses;
};

struct FormulaGraph {
  std::vector<Symbol> symbols;
  std::vector<GraphFormula> formulas;  ///< each behind those it names
  notation::Op op;                     ///< header, types, structure, stages and constraints; no formulas
  std::vector<int> results;            ///< the symbols of results that have a formula
  bool has_choices = false, declared = false;
};

std::string token_of(int symbol);
struct TokenPlace {
  std::size_t begin, end;
  int symbol;
};
/// The token in a name or word such as `$7.scale`, `sat.$7`; there is at most one.
std::optional<TokenPlace> find_token(const std::string& text);

using OnExpression = std::function<void(notation::ExprPtr&)>;
/// Every tree of the formula, of the op's header and its statements.
void for_trees(GraphFormula& formula, const OnExpression& on);
void for_trees(notation::Op& op, const OnExpression& on);
/// Every token in the tree.
void for_tokens(const notation::Expr& tree, const std::function<void(int)>& on);

/// How often each symbol is named in what the results, the structure and the constraints need. What is not in it is not needed.
std::map<int, int> count_uses(FormulaGraph& graph);

/// The tree with other words in place of tokens.
notation::ExprPtr rename_tokens(const notation::ExprPtr& tree, const std::function<std::string(int)>& name);
/// The tree with values in place of symbols; nullptr where a value is no name and a name is needed (`$7.scale`, `sat.$7`).
notation::ExprPtr substitute(const notation::ExprPtr& tree, const std::map<int, notation::ExprPtr>& values);

}  // namespace tiebreak
