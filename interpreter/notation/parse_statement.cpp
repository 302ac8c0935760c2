// SPDX-License-Identifier: Apache-2.0
// The statements of an op, and def, choice and claim, which a module has too.
#include "interpreter/notation/parser.hpp"

namespace tiebreak::notation {

Result<std::vector<std::string>> Parser::parameters() {
  std::vector<std::string> names;
  if (!accept("(")) return names;
  do {
    TIEBREAK_TRY(parameter, name("a parameter"));
    names.push_back(parameter);
  } while (accept(","));
  if (!accept(")")) return unexpected("',' or ')'");
  return names;
}

Result<std::vector<std::string>> Parser::target() {
  std::vector<std::string> names;
  const bool several = accept("(");
  do {
    TIEBREAK_TRY(word, name("a name"));
    names.push_back(word);
  } while (several && accept(","));
  if (several && !accept(")")) return unexpected("',' or ')'");
  return names;
}

Result<Body> Parser::body() {
  Body read;
  TIEBREAK_TRY(value, tree());
  read.value = value;
  if (!accept("where")) return read;
  do {
    Binding binding;
    binding.at = peek().at;
    TIEBREAK_TRY(names, target());
    binding.targets = names;
    TIEBREAK_CHECK(expect("="));
    TIEBREAK_TRY(bound, tree());
    binding.value = bound;
    read.where.push_back(std::move(binding));
  } while (accept(";"));
  return read;
}

Result<Definition> Parser::definition() {
  take();
  Definition read;
  read.at = peek().at;
  TIEBREAK_TRY(word, name("the name of a definition"));
  read.name = word;
  TIEBREAK_TRY(names, parameters());
  read.parameters = names;
  TIEBREAK_CHECK(expect("="));
  TIEBREAK_TRY(value, body());
  read.body = std::move(value);
  return read;
}

Result<Choice> Parser::choice() {
  take();
  Choice read;
  read.at = peek().at;
  TIEBREAK_TRY(word, name("the name of a choice"));
  read.name = word;
  TIEBREAK_TRY(names, parameters());
  read.parameters = names;
  TIEBREAK_CHECK(expect(":"));
  TIEBREAK_TRY(several, alternatives());
  read.alternatives = std::move(several);
  return read;
}

Result<std::vector<Alternative>> Parser::alternatives() {
  std::vector<Alternative> read;
  do {
    Alternative alternative;
    alternative.at = peek().at;
    TIEBREAK_TRY(alternative_word, any_word("the name of an alternative"));
    alternative.name = alternative_word;
    TIEBREAK_CHECK(expect("="));
    TIEBREAK_TRY(value, body());
    alternative.body = std::move(value);
    read.push_back(std::move(alternative));
  } while (accept("|"));
  return read;
}

Result<Addition> Parser::addition() {
  take();
  Addition read;
  read.at = peek().at;
  TIEBREAK_TRY(owner, path("the module or op that has the choice"));
  TIEBREAK_CHECK(expect("/"));
  TIEBREAK_TRY(word, any_word("the name of a choice"));
  read.key = owner + "/" + word;
  TIEBREAK_CHECK(expect(":"));
  TIEBREAK_TRY(several, alternatives());
  read.alternatives = std::move(several);
  return read;
}

Result<Claim> Parser::claim() {
  take();
  Claim read;
  read.at = peek().at;
  TIEBREAK_TRY(word, name("the name of a claim"));
  read.name = word;
  TIEBREAK_CHECK(expect("("));
  do {
    TIEBREAK_TRY(parameter, name("a name"));
    TIEBREAK_CHECK(expect(":"));
    TIEBREAK_TRY(type, any_word("a type"));
    read.parameters.emplace_back(parameter, type);
  } while (accept(","));
  TIEBREAK_CHECK(expect(")"));
  TIEBREAK_CHECK(expect(":"));
  TIEBREAK_TRY(condition, tree());
  read.condition = condition;
  return read;
}

Result<TypeVariables> Parser::type_variables() {
  TypeVariables read;
  read.at = take().at;
  do {
    TIEBREAK_TRY(variable, name("a type variable"));
    TIEBREAK_CHECK(expect(":"));
    std::vector<std::string> types;
    do {
      TIEBREAK_TRY(type, any_word("a type"));
      types.push_back(type);
    } while (peek().kind == TokenKind::path);
    read.variables.emplace_back(variable, std::move(types));
  } while (accept(";"));
  return read;
}

Result<TypeAlias> Parser::type_alias() {
  take();
  TypeAlias read;
  read.at = peek().at;
  TIEBREAK_TRY(word, name("the name of a type"));
  read.name = word;
  TIEBREAK_CHECK(expect("="));
  TIEBREAK_TRY(value, tree());
  read.value = value;
  return read;
}

Result<Structure> Parser::structure() {
  take();
  Structure read;
  read.at = peek().at;
  TIEBREAK_TRY(word, path("the name of a structure"));
  read.path = word;
  if (!accept("(")) return read;
  do {
    Argument argument;
    TIEBREAK_TRY(argument_name, any_word("an operand, a region or an attribute"));
    argument.name = argument_name;
    if (accept("by")) {
      TIEBREAK_TRY(by, tree());
      argument.by = by;
    } else if (accept("=")) {
      TIEBREAK_TRY(value, tree());
      argument.value = value;
    }
    read.arguments.push_back(std::move(argument));
  } while (accept(","));
  if (!accept(")")) return unexpected("',' or ')'");
  return read;
}

Result<Constraint> Parser::constraint() {
  Constraint read;
  read.require = take().text == "require";
  read.at = peek().at;
  TIEBREAK_TRY(word, any_word("a label"));
  read.label = word;
  TIEBREAK_CHECK(expect(":"));
  TIEBREAK_TRY(condition, tree());
  read.condition = condition;
  return read;
}

Result<Stage> Parser::stage() {
  Stage read;
  read.at = peek().at;
  do {
    TIEBREAK_TRY(word, name("a name"));
    read.targets.push_back(word);
  } while (accept(","));
  TIEBREAK_CHECK(expect("<"));
  TIEBREAK_CHECK(expect("-"));
  TIEBREAK_TRY(word, path("the path of an op"));
  read.op = word;
  TIEBREAK_CHECK(expect("("));
  TIEBREAK_TRY(nodes, arguments(")"));
  for (Node& node : nodes) read.args.push_back(std::move(node.tree));
  if (!accept("{")) return read;
  do {
    TIEBREAK_TRY(attribute, any_word("an attribute"));
    TIEBREAK_CHECK(expect("="));
    TIEBREAK_TRY(value, tree());
    read.attributes.emplace_back(attribute, value);
  } while (accept(","));
  if (!accept("}")) return unexpected("',' or '}'");
  return read;
}

Result<Let> Parser::let() {
  Let read;
  read.at = peek().at;
  TIEBREAK_TRY(names, target());
  read.targets = names;
  TIEBREAK_CHECK(expect("="));
  TIEBREAK_TRY(value, body());
  read.body = std::move(value);
  return read;
}

}  // namespace tiebreak::notation
