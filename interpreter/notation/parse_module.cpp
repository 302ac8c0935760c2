// SPDX-License-Identifier: Apache-2.0
// A page's text: what stands before the first op belongs to the module, what follows an op line to that op.
#include <vector>

#include "interpreter/notation/parser.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {

Result<Module> Parser::module(std::string name) {
  Module read;
  read.name = std::move(name);
  read.file = file_;
  while (peek().kind != TokenKind::end_of_text) {
    if (peek().kind == TokenKind::end_of_statement) {
      ++position_;
      continue;
    }
    if (is("op")) {
      TIEBREAK_TRY(next, op());
      read.ops.push_back(std::move(next));
    } else if (read.ops.empty()) {
      TIEBREAK_CHECK(module_statement(read));
    } else {
      TIEBREAK_CHECK(op_statement(read.ops.back()));
    }
    TIEBREAK_CHECK(end_statement());
  }
  return read;
}

Status Parser::module_statement(Module& module) {
  if (is("use")) {
    do {
      TIEBREAK_TRY(read, use());
      module.uses.push_back(std::move(read));
    } while (accept(","));
    return {};
  }
  if (is("def")) {
    TIEBREAK_TRY(read, definition());
    module.definitions.push_back(std::move(read));
    return {};
  }
  if (is("choice")) {
    TIEBREAK_TRY(read, choice());
    module.choices.push_back(std::move(read));
    return {};
  }
  if (is("alternative")) {
    TIEBREAK_TRY(read, addition());
    module.additions.push_back(std::move(read));
    return {};
  }
  if (is("claim")) {
    TIEBREAK_TRY(read, claim());
    module.claims.push_back(std::move(read));
    return {};
  }
  const bool of_op = is("types") || is("type") || is("structure") || is("constraint") || is("require") || begins_let() || begins_stage();
  if (of_op)
    return unexpected("'op' or a definition of the page", "a module has use, def, choice, alternative and claim; a formula belongs below an 'op' line");
  return unknown_statement();
}

Status Parser::op_statement(Op& op) {
  const auto keep = [&](auto read) -> Status {
    if (!read) return tl::unexpected<Error>(std::move(read).error());
    op.statements.emplace_back(*std::move(read));
    return {};
  };
  if (is("def")) return keep(definition());
  if (is("choice")) return keep(choice());
  if (is("claim")) return keep(claim());
  if (is("types")) return keep(type_variables());
  if (is("type")) return keep(type_alias());
  if (is("structure")) return keep(structure());
  if (is("constraint") || is("require")) return keep(constraint());
  if (is("use") || (is("alternative") && !begins_let()))
    return unexpected("a statement of an op", "'" + std::string(peek().text) + "' belongs above the first op of the page");
  if (begins_stage()) return keep(stage());
  if (begins_let()) return keep(let());
  return unknown_statement();
}

bool Parser::begins_stage() const {
  for (std::size_t ahead = 0; peek(ahead).kind == TokenKind::path; ahead += 2) {
    if (is("<", ahead + 1) && is("-", ahead + 2)) return peek(ahead + 2).at.column == peek(ahead + 1).at.column + 1;
    if (!is(",", ahead + 1)) return false;
  }
  return false;
}

bool Parser::begins_let() const { return is("(") || (peek().kind == TokenKind::path && is("=", 1)); }

tl::unexpected<Error> Parser::unknown_statement() const {
  if (is("format")) return unexpected("a statement", "formats are built in; a page does not define them");
  const std::string near =
      peek().kind == TokenKind::path ? nearest(std::string(peek().text), std::vector<std::string>(statement_words().begin(), statement_words().end())) : "";
  if (peek().kind == TokenKind::path && !near.empty()) return unexpected("a statement", "did you mean '" + near + "'?");
  return unexpected("a statement: name = ..., or one of use def choice alternative claim op types type structure constraint require");
}

Result<Use> Parser::use() {
  accept("use");
  Use read;
  read.at = peek().at;
  TIEBREAK_TRY(used, path("the name of a module"));
  read.module = used;
  read.alias = std::string(split_last(read.module).second);
  if (accept("as")) {
    TIEBREAK_TRY(alias, name("an alias"));
    read.alias = alias;
  }
  if (!accept("(")) return read;
  do {
    TIEBREAK_TRY(chosen, any_word("a choice"));
    TIEBREAK_CHECK(expect("="));
    TIEBREAK_TRY(alternative, any_word("an alternative"));
    read.readings.emplace_back(chosen, alternative);
  } while (accept(","));
  if (!accept(")")) return unexpected("',' or ')'");
  return read;
}

Result<Op> Parser::op() {
  take();
  Op read;
  read.at = peek().at;
  TIEBREAK_TRY(word, path("the path of an op"));
  read.path = word;
  TIEBREAK_CHECK(expect("("));
  TIEBREAK_TRY(inputs, operands(")"));
  read.operands = std::move(inputs);
  if (accept("{")) {
    TIEBREAK_TRY(attributes, operands("}"));
    read.attributes = std::move(attributes);
  }
  if (accept("region")) do {
      TIEBREAK_TRY(region, name("the name of a region"));
      read.regions.push_back(region);
    } while (accept(","));
  TIEBREAK_CHECK(expect("->"));
  do {
    TIEBREAK_TRY(result, operand());
    read.results.push_back(std::move(result));
  } while (accept(","));
  return read;
}

Result<std::vector<Operand>> Parser::operands(std::string_view closing) {
  std::vector<Operand> read;
  if (accept(closing)) return read;
  do {
    TIEBREAK_TRY(next, operand());
    read.push_back(std::move(next));
  } while (accept(","));
  if (!accept(closing)) return unexpected("',' or '" + std::string(closing) + "'");
  return read;
}

Result<Operand> Parser::operand() {
  Operand read;
  read.at = peek().at;
  TIEBREAK_TRY(word, name("the name of an operand, attribute or result"));
  read.name = word;
  if (accept(":")) TIEBREAK_CHECK(operand_types(read));
  read.optional = accept("?");
  read.variadic = accept("...");
  if (accept("[")) {
    read.indexed = true;
    TIEBREAK_TRY(read_indices, indices());
    read.indices = std::move(read_indices);
  }
  if (accept("=")) {
    TIEBREAK_TRY(value, tree());
    read.default_value = value;
  }
  return read;
}

Status Parser::operand_types(Operand& operand) {
  do {
    const Token& at = peek();
    TIEBREAK_TRY(type, any_word("a type"));
    if (type != "quant" || !accept("(")) {
      operand.types.push_back(type);
      continue;
    }
    if (operand.quantized) return error(at, "a second 'quant(...)' for '" + operand.name + "'", "declare a type variable: types S: i8 u8");
    TIEBREAK_TRY(storage, any_word("a storage type"));
    TIEBREAK_CHECK(expect(":"));
    TIEBREAK_TRY(expressed, any_word("an expressed type"));
    TIEBREAK_CHECK(expect(")"));
    operand.quantized = {storage, expressed};
  } while (accept("|"));
  return {};
}

Result<std::vector<Index>> Parser::indices() {
  std::vector<Index> read;
  if (accept("]")) return read;
  do {
    Index index;
    if (accept("*")) {
      index.name = "*";
    } else {
      TIEBREAK_TRY(word, any_word("an index or '*'"));
      index.name = word;
      if (accept("by")) {
        TIEBREAK_TRY(by, tree());
        index.by = by;
      }
    }
    read.push_back(std::move(index));
  } while (accept(","));
  if (!accept("]")) return unexpected("',' or ']'");
  return read;
}

}  // namespace tiebreak::notation
