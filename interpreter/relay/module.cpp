// SPDX-License-Identifier: Apache-2.0
// A whole text: its version, its functions, or an expression behind free variables.
#include "interpreter/relay/reader.hpp"

namespace tiebreak::relay {
namespace {

using Kind = Token::Kind;

}  // namespace

const Token& Reader::peek() {
  while (tokens_.list[at_].kind == Kind::type) at_ = tokens_.list[at_].after;
  return tokens_.list[at_];
}

/// The last token is taken again and again.
Token Reader::take() {
  const Token token = peek();
  if (token.kind != Kind::end) ++at_;
  return token;
}

bool Reader::accept(std::string_view symbol) {
  if (!peek().is(symbol)) return false;
  ++at_;
  return true;
}

bool Reader::accept_word(std::string_view word) {
  if (!peek().is_word(word)) return false;
  ++at_;
  return true;
}

Status Reader::expect(std::string_view symbol, std::string_view after) {
  if (accept(symbol)) return {};
  return error(Errc::syntax, "expected '" + std::string(symbol) + "' after " + std::string(after.substr(0, 80)) + ", found " + found());
}

std::string Reader::found() {
  const Token& token = peek();
  if (token.kind == Kind::end || token.kind == Kind::metadata) return "the end of the text";
  if (token.kind == Kind::type_end) return "the end of a comment";
  const std::string_view sign = token.kind == Kind::variable ? "%" : token.kind == Kind::global ? "@" : "";
  return "'" + std::string(sign) + std::string(token.text.substr(0, 40)) + "'";
}

Status Reader::charge(std::size_t offset) {
  if (++steps_ <= step_limit) return {};
  return error_at(offset, Errc::limit, "this text makes more than " + std::to_string(step_limit) + " operations and literals");
}

Result<std::vector<MlirFunction>> Reader::run(bool strict) {
  if (accept("#")) {
    TIEBREAK_CHECK(expect("[", "'#'"));
    if (!accept_word("version")) return error(Errc::syntax, "expected 'version' after '#[', found " + found());
    TIEBREAK_CHECK(expect("=", "'version'"));
    if (peek().kind != Kind::string) return error(Errc::syntax, "expected a version in quotes, found " + found());
    take();
    TIEBREAK_CHECK(expect("]", "a version"));
  }
  std::vector<MlirFunction> functions;
  if (peek().is_word("def")) {
    TIEBREAK_CHECK(globals());
  } else if (peek().is_word("fn")) {
    at_ += 1;
    globals_.emplace("", at_);
    TIEBREAK_CHECK(skip_function());
  } else {
    functions.push_back(whole_function("", tokens_.list[at_], true));
    if (!functions[0].program) return tl::unexpected<Error>(functions[0].program.error());
  }
  if (peek().kind != Kind::end && peek().kind != Kind::metadata) return error(Errc::syntax, "unexpected " + found() + " at the end of a program");
  std::map<std::size_t, std::string> in_order;
  for (const auto& [name, token] : globals_) in_order.emplace(token, name);
  for (const auto& [token, name] : in_order) {
    at_ = token;
    functions.push_back(whole_function(name, tokens_.list[token - 1], false));
    if (strict && !functions.back().program) return tl::unexpected<Error>(functions.back().program.error());
  }
  std::erase_if(functions, [this](const MlirFunction& function) { return !function.name.empty() && called_.contains(function.name); });
  return functions;
}

/// `def @name(...) -> T {...}`, one after the other.
Status Reader::globals() {
  while (accept_word("def")) {
    const Token name = take();
    if (name.kind != Kind::global) return error_at(name.offset, Errc::syntax, "expected the name of a function, @main, after 'def'");
    if (!globals_.emplace(std::string(name.text), at_).second) {
      return error_at(name.offset, Errc::syntax, "@" + std::string(name.text) + " is defined twice");
    }
    TIEBREAK_CHECK(skip_function());
  }
  for (const std::string_view form : {"type", "extern", "import"}) {
    if (peek().is_word(form)) return error(Errc::unsupported, "'" + std::string(form) + "' is not supported");
  }
  return {};
}

/// A function, or an expression, as a program of its own. Reading goes on where it stands.
MlirFunction Reader::whole_function(const std::string& name, const Token& start, bool is_bare) {
  program_ = Program{};
  program_.file = places_.file();
  program_.name = name;
  constants_.clear();
  active_.clear();
  depth_ = 0;
  const auto read = [&]() -> Status {
    Scope free;
    Value result;
    if (is_bare) {
      TIEBREAK_TRY(value, bare(free));
      result = std::move(value);
    } else {
      TIEBREAK_TRY(value, invoke(Value{.kind = Value::Kind::function, .function = at_}, nullptr, start.offset));
      result = std::move(value);
    }
    return outputs(result, "result", start.offset);
  };
  const Status status = read();
  MlirFunction function{.name = name, .where = where(start.offset), .program = Program{}};
  if (status) function.program = std::move(program_);
  else function.program = tl::unexpected<Error>(status.error());
  return function;
}

/// `free_var %x: T;` and what is computed from them.
Result<Value> Reader::bare(Scope& scope) {
  while (accept_word("free_var")) {
    const Token name = take();
    if (name.kind != Kind::variable) return error_at(name.offset, Errc::syntax, "expected a variable after 'free_var'");
    TIEBREAK_TRY(value, parameter(name, nullptr));
    TIEBREAK_CHECK(expect(";", "a free variable"));
    TIEBREAK_CHECK(bind(scope, name, std::move(value)));
  }
  return statements(scope);
}

}  // namespace tiebreak::relay
