// SPDX-License-Identifier: Apache-2.0
// Functions: their parameters, bindings and results, and calls of them.
#include <algorithm>

#include "interpreter/relay/reader.hpp"

namespace tiebreak::relay {
namespace {

using Kind = Token::Kind;

bool holds_function(const Value& value) { return value.kind == Value::Kind::function || std::any_of(value.fields.begin(), value.fields.end(), holds_function); }

}  // namespace

/// After `fn`: read where it is called.
Result<Value> Reader::function_value(const Scope& scope) {
  Value value{.kind = Value::Kind::function, .function = at_, .home = &scope};
  TIEBREAK_CHECK(skip_function());
  return value;
}

/// `(parameters) -> T {body}`
Status Reader::skip_function() {
  if (peek().is("[")) return error(Errc::unsupported, "functions with type parameters are not supported");
  TIEBREAK_CHECK(closed("(", ")"));
  if (accept("->")) {
    TIEBREAK_TRY(result, type());
    static_cast<void>(result);
  }
  return closed("{", "}");
}

/// From an opening bracket to behind the one that closes it.
Status Reader::closed(std::string_view open, std::string_view close) {
  const std::size_t begin = peek().offset;
  TIEBREAK_CHECK(expect(open, "this"));
  for (int depth = 1; depth > 0;) {
    const Token token = take();
    if (token.is(open)) ++depth;
    if (token.is(close)) --depth;
    if (token.kind == Kind::end || token.kind == Kind::metadata) {
      return error_at(begin, Errc::syntax, "no closing '" + std::string(close) + "' for this '" + std::string(open) + "'");
    }
  }
  return {};
}

/// Binds the parameters to what is given, or, of a whole program, to inputs.
Status Reader::parameters(Scope& scope, const std::vector<Value>* given, std::size_t offset) {
  std::size_t count = 0;
  TIEBREAK_CHECK(expect("(", "a function"));
  while (!accept(")")) {
    const Token name = peek();
    if (name.kind == Kind::word) {
      TIEBREAK_CHECK(skip_attribute());
    } else if (name.kind == Kind::variable) {
      take();
      const bool is_given = given != nullptr && count < given->size();
      if (given != nullptr && !is_given) return error_at(offset, Errc::type, "too few arguments: %" + std::string(name.text) + " is not given");
      ++count;
      TIEBREAK_TRY(value, parameter(name, is_given ? &(*given)[count - 1] : nullptr));
      TIEBREAK_CHECK(bind(scope, name, std::move(value)));
    } else {
      return error(Errc::syntax, "expected a parameter, found " + found());
    }
    if (!peek().is(")")) TIEBREAK_CHECK(expect(",", "a parameter"));
  }
  if (given == nullptr || count == given->size()) return {};
  return error_at(offset, Errc::type, "the function takes " + std::to_string(count) + " arguments and is given " + std::to_string(given->size()));
}

/// After `%x`: its type, which what is given must have.
Result<Value> Reader::parameter(const Token& name, const Value* given) {
  Type stated;
  if (accept(":")) {
    TIEBREAK_TRY(read, type());
    stated = std::move(read);
  }
  if (given == nullptr) return input(std::string(name.text), stated, name.offset);
  Value value = *given;
  TIEBREAK_CHECK(agree(value, stated, name.offset));
  return value;
}

Result<Value> Reader::input(const std::string& name, const Type& type, std::size_t offset) {
  if (type.kind == Type::Kind::function) return error_at(offset, Errc::unsupported, "a parameter that is a function is not supported");
  if (type.kind == Type::Kind::tuple) {
    Value tuple{.kind = Value::Kind::tuple};
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      TIEBREAK_TRY(field, input(name + "." + std::to_string(i), type.fields[i], offset));
      tuple.fields.push_back(std::move(field));
    }
    return tuple;
  }
  TIEBREAK_CHECK(charge(offset));
  const ValueId id = static_cast<ValueId>(program_.values.size());
  program_.values.push_back(ProgramValue{name, type.kind == Type::Kind::tensor ? std::optional(type.tensor) : std::nullopt});
  program_.inputs.push_back(id);
  return Value{.id = id};
}

Status Reader::bind(Scope& scope, const Token& name, Value value) {
  if (scope.names.emplace(std::string(name.text), std::move(value)).second) return {};
  return error_at(name.offset, Errc::syntax, "%" + std::string(name.text) + " is defined twice");
}

/// `let %a = e; %0 = e; e`
Result<Value> Reader::statements(Scope& scope) {
  while (true) {
    if (accept_word("let")) {
      TIEBREAK_CHECK(binding(scope, true));
    } else if (peek().kind == Kind::variable && tokens_.list[at_ + 1].is("=")) {
      TIEBREAK_CHECK(binding(scope, false));
    } else {
      return expression(scope);
    }
  }
}

/// `%0 = e;`, or behind `let` also `%a: T = e;`
Status Reader::binding(Scope& scope, bool is_let) {
  const Token name = take();
  if (name.kind != Kind::variable) return error_at(name.offset, Errc::syntax, "expected a variable after 'let'");
  Type stated;
  if (is_let && accept(":")) {
    TIEBREAK_TRY(read, type());
    stated = std::move(read);
  }
  TIEBREAK_CHECK(expect("=", "%" + std::string(name.text)));
  TIEBREAK_TRY(value, expression(scope));
  TIEBREAK_CHECK(agree(value, stated, name.offset));
  TIEBREAK_CHECK(expect(";", "the value of %" + std::string(name.text)));
  give_name(value, std::string(name.text));
  return bind(scope, name, std::move(value));
}

/// Reads a function with its parameters bound to `given`; without, to inputs of the program.
Result<Value> Reader::invoke(const Value& callee, const std::vector<Value>* given, std::size_t offset) {
  const mlir::Nesting nesting(depth_);
  if (nesting.too_deep()) return error_at(offset, Errc::limit, "calls nested deeper than 200");
  if (!active_.insert(callee.function).second) return error_at(offset, Errc::unsupported, "a function that calls itself is not supported");
  const std::size_t back = at_;
  at_ = callee.function;
  Scope inner{.outer = callee.home};
  TIEBREAK_CHECK(parameters(inner, given, offset));
  Type stated;
  const std::size_t place = peek().offset;
  if (accept("->")) {
    TIEBREAK_TRY(read, type());
    stated = std::move(read);
  }
  TIEBREAK_CHECK(expect("{", "a function's parameters"));
  TIEBREAK_TRY(result, statements(inner));
  TIEBREAK_CHECK(expect("}", "a function's result"));
  if (holds_function(result)) return error_at(place, Errc::unsupported, "a function that gives a function is not supported");
  TIEBREAK_CHECK(agree(result, stated, place));
  active_.erase(callee.function);
  at_ = back;
  return std::move(result);
}

/// The results of a program. One without a name is called `result`, members of a tuple `result.0` and so on.
Status Reader::outputs(const Value& value, const std::string& name, std::size_t offset) {
  if (value.kind == Value::Kind::tuple) {
    for (std::size_t i = 0; i < value.fields.size(); ++i) TIEBREAK_CHECK(outputs(value.fields[i], name + "." + std::to_string(i), offset));
    return {};
  }
  if (value.kind != Value::Kind::tensor) return error_at(offset, Errc::unsupported, "a result that is no tensor is not supported");
  const auto taken = [this](const std::string& wanted) {
    return std::any_of(program_.values.begin(), program_.values.end(), [&](const ProgramValue& other) { return other.name == wanted; });
  };
  std::string own = name;
  while (taken(own)) own += "_";
  give_name(value, own);
  program_.outputs.push_back(value.id);
  return {};
}

}  // namespace tiebreak::relay
