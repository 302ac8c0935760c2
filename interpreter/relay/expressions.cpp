// SPDX-License-Identifier: Apache-2.0
// Expressions: variables, literals, tuples and their members, calls of operators.
#include <algorithm>
#include <charconv>

#include "interpreter/relay/reader.hpp"

namespace tiebreak::relay {
namespace {

using Kind = Token::Kind;

constexpr std::size_t member_limit = 4096;

const Value* found_in(const Scope& scope, const std::string& name) {
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    if (const auto found = at->names.find(name); found != at->names.end()) return &found->second;
  }
  return nullptr;
}

std::vector<std::string> names_in(const Scope& scope) {
  std::vector<std::string> names;
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    for (const auto& [name, value] : at->names) names.push_back(name);
  }
  return names;
}

std::optional<std::size_t> index_of(std::string_view text) {
  std::size_t index = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || code != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return index;
}

bool is_infix(const Token& token) {
  for (const std::string_view sign : {"+", "-", "*", "/", "<", ">"}) {
    if (token.is(sign)) return true;
  }
  return false;
}

/// nn.dense becomes relay.nn.dense. The dialect qnn has pages of its own, and a few operators are registered as relay.*.
std::string page_path(std::string_view name) {
  const bool is_path = name.starts_with("qnn.") || name.starts_with("relay.");
  return (is_path ? "" : "relay.") + std::string(name);
}

}  // namespace

Result<Value> Reader::expression(Scope& scope) {
  const mlir::Nesting nesting(depth_);
  if (nesting.too_deep()) return error(Errc::limit, "expressions nested deeper than 200");
  const std::size_t offset = peek().offset;
  TIEBREAK_CHECK(charge(offset));
  TIEBREAK_TRY(value, atom(scope));
  while (true) {
    TIEBREAK_CHECK(stated_types(value, offset));
    if (peek().is("(")) {
      TIEBREAK_TRY(result, function_call(scope, value, offset));
      value = std::move(result);
    } else if (peek().is(".")) {
      take();
      const Token index = take();
      const auto number = index.kind == Kind::number ? index_of(index.text) : std::nullopt;
      if (!number) return error_at(index.offset, Errc::syntax, "expected the index of a member after '.'");
      TIEBREAK_TRY(member, project(value, *number, offset));
      value = std::move(member);
    } else {
      break;
    }
  }
  if (is_infix(peek())) return error(Errc::unsupported, "operators between operands are not supported: write the call, add(%a, %b)");
  return std::move(value);
}

Result<Value> Reader::atom(Scope& scope) {
  const Token& next = peek();
  if (next.kind == Kind::variable) return variable(scope);
  if (next.kind == Kind::word) return word_atom(scope);
  if (next.is("(")) return parenthesis(scope);
  if (next.kind == Kind::number) {
    TIEBREAK_TRY(number, scalar(take()));
    return constant(std::move(number));
  }
  if (next.kind != Kind::global) return error(Errc::syntax, "expected an expression, found " + found());
  const Token name = take();
  const auto global = globals_.find(std::string(name.text));
  if (global == globals_.end()) return error_at(name.offset, Errc::unknown_name, "the text has no function @" + std::string(name.text));
  called_.insert(std::string(name.text));
  return Value{.kind = Value::Kind::function, .function = global->second};
}

Result<Value> Reader::word_atom(Scope& scope) {
  if (peek().is_word("meta")) return meta();
  if (accept_word("fn")) return function_value(scope);
  for (const bool truth : {true, false}) {
    if (!accept_word(truth ? "True" : "False")) continue;
    TIEBREAK_TRY(tensor, Tensor::zeros(TensorType{ElementType::boolean(), {}}));
    tensor.set_code(0, truth ? 1 : 0);
    return constant(std::move(tensor));
  }
  static constexpr std::string_view forms[] = {"if", "match", "ref", "ref_read", "ref_write", "let"};
  for (const std::string_view form : forms) {
    if (peek().is_word(form)) return error(Errc::unsupported, "'" + std::string(form) + "' in an expression is not supported");
  }
  return operator_call(scope);
}

/// `()`, `(e)`, `(e,)`, `(e, e)`
Result<Value> Reader::parenthesis(Scope& scope) {
  TIEBREAK_CHECK(expect("(", "an expression"));
  Value tuple{.kind = Value::Kind::tuple};
  bool has_comma = false;
  while (!accept(")")) {
    TIEBREAK_TRY(field, expression(scope));
    tuple.fields.push_back(std::move(field));
    if (peek().is(")")) continue;
    TIEBREAK_CHECK(expect(",", "a member of a tuple"));
    has_comma = true;
  }
  if (tuple.fields.size() == 1 && !has_comma) {
    Value only = std::move(tuple.fields[0]);
    return only;
  }
  return tuple;
}

/// `%x`, and `%x.1` where %x.1 is no name: a member of %x.
Result<Value> Reader::variable(const Scope& scope) {
  const Token token = take();
  const std::string text(token.text);
  std::size_t cut = text.size();
  const Value* named = found_in(scope, text);
  while (named == nullptr) {
    cut = cut == 0 ? std::string::npos : text.rfind('.', cut - 1);
    if (cut == std::string::npos) {
      const std::string near = nearest(text, names_in(scope));
      return error_at(token.offset, Errc::unknown_name, "%" + text + " is not defined here", near.empty() ? "" : "did you mean %" + near + "?");
    }
    named = found_in(scope, text.substr(0, cut));
  }
  Value value = *named;
  while (cut < text.size()) {
    const std::size_t stop = std::min(text.find('.', cut + 1), text.size());
    const auto index = index_of(std::string_view(text).substr(cut + 1, stop - cut - 1));
    if (!index) return error_at(token.offset, Errc::unknown_name, "%" + text + " is not defined here");
    TIEBREAK_TRY(member, project(std::move(value), *index, token.offset));
    value = std::move(member);
    cut = stop;
  }
  return value;
}

/// A constant of the metadata is an input, as its value does not stand in the text. Attributes there stay a name.
Result<Value> Reader::meta() {
  const std::size_t offset = peek().offset;
  TIEBREAK_TRY(name, meta_name());
  const std::string constants = "relay.Constant.";
  if (!name.starts_with(constants)) return Value{.kind = Value::Kind::attributes, .text = name};
  const auto known = constants_.find(name);
  if (known != constants_.end()) return Value{.id = known->second};
  TIEBREAK_CHECK(charge(offset));
  const ValueId id = static_cast<ValueId>(program_.values.size());
  program_.values.push_back(ProgramValue{"meta." + name});
  program_.inputs.push_back(id);
  constants_.emplace(name, id);
  return Value{.id = id};
}

/// A member of a tuple. A tensor that an operator gives turns out to be the first of several where a member of it is named: at least two, so that a page can
/// tell a tuple whose first member alone is used from one that nobody takes apart.
Result<Value> Reader::project(Value value, std::size_t index, std::size_t offset) {
  if (value.kind == Value::Kind::tuple) {
    if (index < value.fields.size()) return Value(value.fields[index]);
    return error_at(offset, Errc::type, "a tuple of " + std::to_string(value.fields.size()) + " has no member " + std::to_string(index));
  }
  if (value.kind != Value::Kind::tensor || value.operation < 0) return error_at(offset, Errc::type, "this is no tuple and has no members");
  if (index >= member_limit) return error_at(offset, Errc::limit, "an operator has at most 4096 results");
  const std::size_t operation = static_cast<std::size_t>(value.operation);
  while (program_.operations[operation].results.size() <= std::max<std::size_t>(index, 1)) {
    TIEBREAK_CHECK(charge(offset));
    const std::string& first = program_.values[static_cast<std::size_t>(value.id)].name;
    const std::string name = first.empty() ? "" : first + "." + std::to_string(program_.operations[operation].results.size());
    program_.operations[operation].results.push_back(static_cast<ValueId>(program_.values.size()));
    program_.values.push_back(ProgramValue{name});
  }
  return Value{.id = program_.operations[operation].results[index]};
}

/// `(e, e, name=value)`
Result<Reader::Attributes> Reader::arguments(Scope& scope) {
  Attributes read;
  TIEBREAK_CHECK(expect("(", "what is called"));
  while (!accept(")")) {
    const Token name = peek();
    if (name.kind == Kind::word && tokens_.list[at_ + 1].is("=")) {
      take();
      TIEBREAK_CHECK(expect("=", "the name of an attribute"));
      TIEBREAK_TRY(value, attribute(std::string(name.text)));
      if (!read.map.emplace(std::string(name.text), std::move(value)).second) {
        return error_at(name.offset, Errc::syntax, "the attribute '" + std::string(name.text) + "' stands twice");
      }
    } else {
      TIEBREAK_TRY(operand, expression(scope));
      if (operand.kind == Value::Kind::attributes) read.map["attrs"] = Attribute{operand.text};
      else read.operands.push_back(std::move(operand));
    }
    if (!peek().is(")")) TIEBREAK_CHECK(expect(",", "an argument"));
  }
  std::erase_if(read.map, [](const auto& entry) { return entry.second.is_none(); });
  return read;
}

/// Tensors in their order, then the members of tuples in turns: one of each, then the next of each, as variadic operands of a page stand.
Result<std::vector<ValueId>> Reader::operands(const std::vector<Value>& values, std::size_t offset) const {
  std::vector<ValueId> ids;
  std::vector<const Value*> tuples;
  for (const Value& value : values) {
    if (value.kind == Value::Kind::tensor) ids.push_back(value.id);
    else if (value.kind == Value::Kind::tuple) tuples.push_back(&value);
    else return error_at(offset, Errc::unsupported, "a function as an operand is not supported");
  }
  for (std::size_t i = 0; !tuples.empty() && i < tuples[0]->fields.size(); ++i) {
    for (const Value* tuple : tuples) {
      if (tuple->fields.size() != tuples[0]->fields.size()) return error_at(offset, Errc::type, "the tuples of this call are not of one length");
      if (tuple->fields[i].kind != Value::Kind::tensor) return error_at(offset, Errc::unsupported, "a tuple within a tuple as an operand is not supported");
      ids.push_back(tuple->fields[i].id);
    }
  }
  return ids;
}

Result<Value> Reader::operator_call(Scope& scope) {
  const Token name = take();
  if (!peek().is("(")) return error(Errc::syntax, "expected '(' after '" + std::string(name.text.substr(0, 80)) + "', found " + found());
  TIEBREAK_TRY(read, arguments(scope));
  Operation operation;
  operation.op = page_path(name.text);
  operation.where = where(name.offset);
  operation.attributes = std::move(read.map);
  TIEBREAK_TRY(ids, operands(read.operands, name.offset));
  TIEBREAK_CHECK(charge(name.offset));
  operation.operands = std::move(ids);
  const Value result{.id = static_cast<ValueId>(program_.values.size()), .operation = static_cast<int>(program_.operations.size())};
  operation.results.push_back(result.id);
  program_.values.push_back(ProgramValue{""});
  program_.operations.push_back(std::move(operation));
  return result;
}

Result<Value> Reader::function_call(Scope& scope, const Value& callee, std::size_t offset) {
  if (callee.kind != Value::Kind::function) return error(Errc::type, "only operators and functions can be called");
  TIEBREAK_TRY(read, arguments(scope));
  if (!read.map.empty()) return error_at(offset, Errc::syntax, "a call of a function has no attributes");
  return invoke(callee, &read.operands, offset);
}

Value Reader::constant(Tensor tensor) {
  const Value value{.id = static_cast<ValueId>(program_.values.size())};
  program_.values.push_back(ProgramValue{"", tensor.type(), std::move(tensor)});
  return value;
}

/// The name by which a result is bound, unless it has one already. Further results, and members of a tuple, are numbered.
void Reader::give_name(const Value& value, const std::string& name) {
  if (value.kind == Value::Kind::tuple) {
    for (std::size_t i = 0; i < value.fields.size(); ++i) give_name(value.fields[i], name + "." + std::to_string(i));
  }
  if (value.kind != Value::Kind::tensor) return;
  std::string& own = program_.values[static_cast<std::size_t>(value.id)].name;
  if (own.empty()) own = name;
  if (value.operation < 0) return;
  const std::vector<ValueId>& results = program_.operations[static_cast<std::size_t>(value.operation)].results;
  for (std::size_t i = 1; i < results.size(); ++i) {
    std::string& further = program_.values[static_cast<std::size_t>(results[i])].name;
    if (further.empty()) further = name + "." + std::to_string(i);
  }
}

}  // namespace tiebreak::relay
