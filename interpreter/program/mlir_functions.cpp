// SPDX-License-Identifier: Apache-2.0
// Modules, functions, aliases and bare snippets.
#include <set>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {

Result<std::vector<MlirFunction>> Parser::run(bool strict) {
  std::vector<MlirFunction> functions;
  Function bare;
  bare.bare = true;
  bare.program.file = cursor_.file();
  TIEBREAK_CHECK(top_level(functions, bare, strict));
  const bool snippet = !bare.program.operations.empty() || !bare.program.values.empty();
  if (snippet) {
    TIEBREAK_TRY(program, close_bare(bare));
    MlirFunction only{.name = "", .where = cursor_.where(0), .program = std::move(program)};
    functions.push_back(std::move(only));
  }
  inline_calls(functions, budget_);
  for (const MlirFunction& function : functions) {
    if (strict && !function.program) return tl::unexpected<Error>(function.program.error());
  }
  if (functions.size() == 1 && functions[0].program) {
    TIEBREAK_TRY(found, example(*functions[0].program, snippet));
    functions[0].example = std::move(found);
  }
  return functions;
}

Status Parser::top_level(std::vector<MlirFunction>& functions, Function& bare, bool strict) {
  int modules = 0;
  while (!cursor_.at_end()) {
    const std::size_t at = cursor_.offset();
    if (cursor_.peek() == '#' || cursor_.peek() == '!') {
      TIEBREAK_CHECK(alias());
    } else if (cursor_.accept_word("module") || cursor_.accept_word("builtin.module")) {
      if (++modules > nesting_limit) return cursor_.error_at(at, Errc::limit, "modules nested deeper than 200");
      TIEBREAK_CHECK(module_header());
    } else if (modules > 0 && cursor_.accept("}")) {
      --modules;
      TIEBREAK_CHECK(location());
    } else if (cursor_.accept_word("func.func") || cursor_.accept_word("func")) {
      TIEBREAK_TRY(read, function(strict));
      functions.push_back(std::move(read));
    } else {
      TIEBREAK_CHECK(operation(bare));
    }
    if (!functions.empty() && (!bare.program.operations.empty() || !bare.program.values.empty())) {
      return cursor_.error_at(at, Errc::syntax, "functions and operations outside of functions in one text");
    }
  }
  if (modules > 0) return cursor_.error("expected '}' at the end of a module");
  return {};
}

/// `#name = attribute` or `!name = type`
Status Parser::alias() {
  const std::size_t at = cursor_.offset();
  const bool is_type = cursor_.accept("!");
  if (!is_type) cursor_.accept("#");
  const std::string name(cursor_.suffix());
  if (name.empty()) return cursor_.error_at(at, Errc::syntax, "expected the name of an alias");
  TIEBREAK_CHECK(cursor_.expect("=", "the name of an alias"));
  bool fresh = false;
  if (is_type) {
    TIEBREAK_TRY(aliased, type());
    fresh = types_.emplace(name, std::move(aliased)).second;
  } else {
    TIEBREAK_TRY(aliased, attribute());
    fresh = attributes_.emplace(name, std::move(aliased)).second;
  }
  if (!fresh) return cursor_.error_at(at, Errc::syntax, "the alias '" + name + "' is defined twice");
  return {};
}

Status Parser::module_header() {
  if (cursor_.accept("@")) cursor_.suffix();
  if (cursor_.accept_word("attributes")) {
    TIEBREAK_CHECK(cursor_.expect("{", "'attributes'"));
    TIEBREAK_TRY(ignored, dictionary("}"));
    static_cast<void>(ignored);
  }
  return cursor_.expect("{", "'module'");
}

/// After `func.func`. Where the rest of the text is wanted all the same, what cannot be read is skipped up to its end.
Result<MlirFunction> Parser::function(bool strict) {
  Function function;
  function.program.file = cursor_.file();
  if (!cursor_.accept_word("public") && !cursor_.accept_word("nested")) function.is_private = cursor_.accept_word("private");
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("@", "'func.func'"));
  TIEBREAK_TRY(name, cursor_.next_raw() == '"' ? cursor_.string() : Result<std::string>(std::string(cursor_.suffix())));
  function.program.name = name;
  const std::size_t signature = cursor_.offset();
  const Status read = read_function(function, at);
  MlirFunction result{.name = name, .where = cursor_.where(at), .is_private = function.is_private, .program = Program{}};
  if (read) {
    result.program = std::move(function.program);
    return result;
  }
  if (strict) return tl::unexpected<Error>(read.error());
  result.program = tl::unexpected<Error>(read.error());
  cursor_.rewind(signature);
  if (!skip_function()) return tl::unexpected<Error>(read.error());
  return result;
}

Status Parser::read_function(Function& function, std::size_t at) {
  std::vector<MlirType> results;
  TIEBREAK_CHECK(function_inputs(function, results));
  if (cursor_.accept_word("attributes")) {
    TIEBREAK_CHECK(cursor_.expect("{", "'attributes'"));
    TIEBREAK_TRY(ignored, dictionary("}"));
    static_cast<void>(ignored);
  }
  if (cursor_.peek() != '{') return cursor_.error_at(at, Errc::unsupported, "a function without a body");
  TIEBREAK_CHECK(body(function));
  const auto& outputs = function.program.outputs;
  if (outputs.size() != results.size()) {
    return cursor_.error_at(at, Errc::type,
                            "@" + function.program.name + " has " + std::to_string(results.size()) + " results and returns " + std::to_string(outputs.size()));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& known = function.program.values[static_cast<std::size_t>(outputs[i])].type;
    if (known && results[i].kind == MlirType::Kind::tensor && !same_type(*known, results[i].tensor)) {
      return cursor_.error_at(at, Errc::type,
                              "@" + function.program.name + " returns " + to_text(*known) + " where its type says " + to_text(results[i].tensor));
    }
  }
  return {};
}

/// From a signature to the end of the body: arguments, result types, attributes, braces.
Status Parser::skip_function() {
  depth_ = 0;
  const auto bracketed = [this](char open, char close) -> Status {
    cursor_.accept(std::string(1, open));
    TIEBREAK_TRY(end, cursor_.closing(open, close));
    cursor_.rewind(end + 1);
    return {};
  };
  while (!cursor_.at_end()) {
    const char next = cursor_.peek();
    if (next == '(') {
      TIEBREAK_CHECK(bracketed('(', ')'));
    } else if (next == '<') {
      TIEBREAK_CHECK(bracketed('<', '>'));
    } else if (next == '{') {
      TIEBREAK_CHECK(bracketed('{', '}'));
      return location();
    } else if (cursor_.accept_word("attributes")) {
      TIEBREAK_CHECK(bracketed('{', '}'));
    } else if (cursor_.word().empty()) {
      cursor_.rewind(cursor_.offset() + 1);
    }
  }
  return cursor_.error("expected '}' at the end of a function");
}

Status Parser::function_inputs(Function& function, std::vector<MlirType>& results) {
  const auto skip_attributes = [this]() -> Status {
    if (cursor_.accept("{")) {
      TIEBREAK_TRY(ignored, dictionary("}"));
      static_cast<void>(ignored);
    }
    return location();
  };
  TIEBREAK_CHECK(cursor_.expect("(", "a function's name"));
  for (bool first = true; !cursor_.accept(")"); first = false) {
    if (!first) TIEBREAK_CHECK(cursor_.expect(",", "a function's argument"));
    TIEBREAK_TRY(place, value_name());
    TIEBREAK_CHECK(cursor_.expect(":", "a function's argument"));
    TIEBREAK_TRY(argument, type());
    AttributeMap attributes;
    if (cursor_.accept("{")) {
      TIEBREAK_TRY(read, dictionary("}"));
      attributes = std::move(read);
    }
    TIEBREAK_CHECK(location());
    TIEBREAK_TRY(annotations, take_annotations(attributes, place.offset, 1));
    TIEBREAK_TRY(id, define(function, place, argument));
    if (!annotations.empty()) function.program.values[static_cast<std::size_t>(id)].quantize_info = std::move(annotations[0]);
    function.program.inputs.push_back(id);
  }
  if (!cursor_.accept("->")) return {};
  if (!cursor_.accept("(")) {
    TIEBREAK_TRY(result, type());
    results.push_back(std::move(result));
    return {};
  }
  for (bool first = true; !cursor_.accept(")"); first = false) {
    if (!first) TIEBREAK_CHECK(cursor_.expect(",", "a function's result type"));
    TIEBREAK_TRY(result, type());
    TIEBREAK_CHECK(skip_attributes());
    results.push_back(std::move(result));
  }
  return {};
}

Status Parser::body(Function& function) {
  TIEBREAK_CHECK(cursor_.expect("{", "a function's type"));
  while (!cursor_.accept("}")) {
    if (cursor_.at_end()) return cursor_.error("expected '}' at the end of a function");
    TIEBREAK_CHECK(operation(function));
  }
  return location();
}

/// Without a return, a snippet's outputs are the results that no operation uses, and those that comments give values for.
Result<Program> Parser::close_bare(Function& bare) const {
  Program& program = bare.program;
  if (!bare.returned) {
    const std::set<ValueId> inputs(program.inputs.begin(), program.inputs.end());
    std::set<ValueId> hidden = inputs;
    for (const Operation& operation : program.operations) {
      hidden.insert(operation.operands.begin(), operation.operands.end());
      for (const Region& region : operation.regions) hidden.insert(region.captured.begin(), region.captured.end());
    }
    TIEBREAK_TRY(literals, read_example(cursor_, cursor_.comments()));
    for (const auto& literal : literals.before) {
      const auto found = bare.scope.find(literal.name);
      if (found != bare.scope.end() && inputs.count(found->second) == 0) hidden.erase(found->second);
    }
    for (ValueId id = 0; id < static_cast<ValueId>(program.values.size()); ++id) {
      if (hidden.count(id) == 0) program.outputs.push_back(id);
    }
  }
  return std::move(program);
}

Result<ProgramExample> Parser::example(const Program& program, bool strict) const {
  TIEBREAK_TRY(found, read_example(cursor_, cursor_.comments()));
  ProgramExample sorted;
  sorted.errors = std::move(found.errors);
  const std::set<ValueId> inputs(program.inputs.begin(), program.inputs.end());
  std::map<std::string, ValueId> names;
  for (std::size_t id = 0; id < program.values.size(); ++id) names.emplace(program.values[id].name, static_cast<ValueId>(id));
  for (auto& literal : found.before) {
    const auto named = names.find(literal.name);
    if (named == names.end()) {
      if (!strict) continue;
      return fail(Errc::syntax, "a comment gives a value for %" + literal.name + ", which is neither an input nor a result",
                  cursor_.file() + ":" + std::to_string(literal.line));
    }
    (inputs.count(named->second) > 0 ? sorted.before : sorted.after).push_back(std::move(literal));
  }
  return sorted;
}

}  // namespace tiebreak::mlir
