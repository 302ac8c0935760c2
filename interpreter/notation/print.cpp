// SPDX-License-Identifier: Apache-2.0
// Expression tree -> text with as few parentheses as the grammar needs.
#include <algorithm>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

/// How tightly a production binds, as the grammar nests them.
enum Level : int { level_if, level_or, level_and, level_not, level_relation, level_sum, level_term, level_sign, level_power, level_item };

int level_of_operator(const std::string& text) {
  if (text == "or") return level_or;
  if (text == "and") return level_and;
  if (text == "+" || text == "-") return level_sum;
  if (text == "*" || text == "/") return level_term;
  if (text == "^") return level_power;
  return level_relation;
}

bool is_negative_number(const Expr& expression) { return expression.text.empty() && expression.value.is_negative(); }

int level_of(const Expr& expression) {
  switch (expression.kind) {
    using enum ExprKind;
    case conditional: return level_if;
    case unary: return expression.text == "not" ? level_not : level_sign;
    case binary: return level_of_operator(expression.text);
    case is: return level_relation;
    case number: return is_negative_number(expression) ? level_sign : level_item;
    case string:
    case constant:
    case name:
    case call:
    case item:
    case tuple:
    case list:
    case data:
    case aggregate: return level_item;
  }
  return level_item;
}

class Printer {
 public:
  std::string text{};

  void print(const Expr& expression, int least) {
    const bool enclosed = level_of(expression) < least;
    if (enclosed) text += '(';
    bare(expression);
    if (enclosed) text += ')';
  }

 private:
  void print_all(const std::vector<ExprPtr>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) text += ", ";
      print(*parts[i], level_if);
    }
  }

  void bare(const Expr& expression) {
    const std::vector<ExprPtr>& args = expression.args;
    switch (expression.kind) {
      using enum ExprKind;
      case number: number_text(expression); break;
      case string: text += '"' + expression.text + '"'; break;
      case constant:
      case name: text += expression.text; break;
      case call:
        text += expression.text + "(";
        print_all(args);
        text += ')';
        break;
      case unary:
        text += expression.text == "not" ? "not " : "-";
        print(*args[0], level_of(expression));
        break;
      case binary: operation(expression); break;
      case is:
        print(*args[0], level_sum);
        text += " is " + expression.text;
        break;
      case conditional:
        text += "if ";
        print(*args[0], level_if);
        text += " then ";
        print(*args[1], level_if);
        text += " else ";
        print(*args[2], level_if);
        break;
      case item:
        print(*args[0], level_item);
        text += '[';
        print(*args[1], level_if);
        text += ']';
        break;
      case tuple:
        text += '(';
        print_all(args);
        text += ')';
        break;
      case list:
        text += '[';
        print_all(args);
        text += ']';
        break;
      case data: text += "data \"" + expression.text + '"'; break;
      case aggregate: aggregate_text(expression); break;
    }
  }

  void operation(const Expr& expression) {
    const int level = level_of(expression);
    const bool power = level == level_power;
    const int left = power ? level_item : level == level_relation ? level_sum : level;
    const int right = power ? level_sign : level == level_relation ? level_sum : level + 1;
    print(*expression.args[0], left);
    text += power ? expression.text : " " + expression.text + " ";
    print(*expression.args[1], right);
  }

  void aggregate_text(const Expr& expression) {
    text += expression.text;
    for (std::size_t i = 0; i < expression.modifiers.size(); ++i) {
      const Modifier& modifier = expression.modifiers[i];
      text += (i == 0 ? "[" : ", ") + modifier.name;
      if (modifier.args.empty()) continue;
      text += '(';
      print_all(modifier.args);
      text += ')';
    }
    if (!expression.modifiers.empty()) text += ']';
    text += '(';
    print_all(expression.args);
    text += ')';
  }

  /// As written; numbers that rules made have no text: whole ones are printed in full, fractions as a quotient.
  void number_text(const Expr& expression) {
    if (!expression.text.empty()) {
      text += expression.text;
      return;
    }
    const std::string exact = expression.value.to_string();
    text += exact.find('/') == std::string::npos ? exact : "(" + exact + ")";
  }
};

}  // namespace

std::string print(const Expr& expression) {
  Printer printer;
  printer.print(expression, level_if);
  return std::move(printer.text);
}

}  // namespace tiebreak::notation
