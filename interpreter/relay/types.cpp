// SPDX-License-Identifier: Apache-2.0
// Relay's types, and what comments say of the types of values.
#include <charconv>

#include "interpreter/relay/reader.hpp"

namespace tiebreak::relay {
namespace {

using TypeKind = Type::Kind;

/// int8, uint16, float32, bfloat16, bool.
std::optional<ElementType> element_called(std::string_view word) {
  const std::size_t digits = word.find_first_of("0123456789");
  const std::string_view family = word.substr(0, digits);
  const bool known = family == "int" || family == "uint" || family == "float" || family == "bfloat";
  if (word != "bool" && !(known && digits != std::string_view::npos)) return std::nullopt;
  return ElementType::parse(word);
}

bool fits(const TensorType& known, const TensorType& stated) {
  if (!(known.element == stated.element) || known.shape.size() != stated.shape.size()) return false;
  for (std::size_t i = 0; i < known.shape.size(); ++i) {
    if (known.shape[i] != stated.shape[i] && known.shape[i] != open_dimension && stated.shape[i] != open_dimension) return false;
  }
  return true;
}

}  // namespace

Result<Type> Reader::type() {
  const mlir::Nesting nesting(depth_);
  if (nesting.too_deep()) return error(Errc::limit, "types nested deeper than 200");
  if (peek().is("(")) return tuple_type();
  if (accept("?") || accept_word("_")) return Type{};
  if (accept_word("fn")) return function_type();
  if (accept_word("Tensor")) return tensor_type();
  if (peek().kind != Token::Kind::word) return error(Errc::syntax, "expected a type, found " + found());
  TIEBREAK_TRY(element, element_type());
  return Type{.kind = TypeKind::tensor, .tensor = TensorType{element, {}}};
}

Result<ElementType> Reader::element_type() {
  const Token token = take();
  if (token.kind == Token::Kind::word) {
    if (const auto element = element_called(token.text)) return *element;
  }
  return error_at(token.offset, Errc::unsupported, "'" + std::string(token.text.substr(0, 40)) + "' is no type of Relay that is supported here",
                  "int8, uint8, float32, bool, Tensor[(1, 8), float32], (float32, int8)");
}

/// `[(1, ?), float32]`
Result<Type> Reader::tensor_type() {
  const std::size_t offset = peek().offset;
  Type result{.kind = TypeKind::tensor};
  TIEBREAK_CHECK(expect("[", "'Tensor'"));
  TIEBREAK_CHECK(expect("(", "'Tensor['"));
  while (!accept(")")) {
    TIEBREAK_TRY(length, extent());
    result.tensor.shape.push_back(length);
    if (peek().is(")")) continue;
    TIEBREAK_CHECK(expect(",", "an extent"));
  }
  TIEBREAK_CHECK(expect(",", "a shape"));
  TIEBREAK_TRY(element, element_type());
  result.tensor.element = element;
  TIEBREAK_CHECK(expect("]", "an element type"));
  Shape fixed = result.tensor.shape;
  for (std::int64_t& length : fixed) length = length == open_dimension ? 1 : length;
  if (const auto count = element_count(fixed); !count) return error_at(offset, count.error().code, count.error().what);
  return result;
}

Result<std::int64_t> Reader::extent() {
  const Token token = take();
  if (token.is("?")) return open_dimension;
  std::int64_t length = 0;
  const std::string_view text = token.text;
  const bool is_number = token.kind == Token::Kind::number && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number) return error_at(token.offset, Errc::syntax, "expected an extent, a whole number or '?', found '" + std::string(text.substr(0, 40)) + "'");
  if (std::from_chars(text.data(), text.data() + text.size(), length).ec != std::errc{}) {
    return error_at(token.offset, Errc::limit, "the extent " + std::string(text.substr(0, 40)) + " is too large");
  }
  return length;
}

Result<Type> Reader::tuple_type() {
  Type result{.kind = TypeKind::tuple};
  TIEBREAK_CHECK(expect("(", "a type"));
  while (!accept(")")) {
    TIEBREAK_CHECK(charge(peek().offset));
    TIEBREAK_TRY(field, type());
    result.fields.push_back(std::move(field));
    if (!peek().is(")")) TIEBREAK_CHECK(expect(",", "a type of a tuple"));
  }
  return result;
}

/// `(T, ...) -> T`: known as a function, and no more.
Result<Type> Reader::function_type() {
  TIEBREAK_TRY(parameters, tuple_type());
  static_cast<void>(parameters);
  TIEBREAK_CHECK(expect("->", "a function type's parameters"));
  TIEBREAK_TRY(result, type());
  static_cast<void>(result);
  return Type{.kind = TypeKind::function};
}

/// Every `/* ty=T */` that stands here.
Status Reader::stated_types(Value& value, std::size_t offset) {
  while (tokens_.list[at_].kind == Token::Kind::type) {
    const std::size_t after = tokens_.list[at_].after;
    ++at_;
    TIEBREAK_TRY(stated, type());
    if (peek().kind != Token::Kind::type_end) return error(Errc::syntax, "unexpected " + found() + " behind a type");
    at_ = after;
    TIEBREAK_CHECK(agree(value, stated, offset));
  }
  return {};
}

/// A type that was not known is what is stated; one that was known must not be another.
Status Reader::agree(Value& value, const Type& stated, std::size_t offset) {
  if (stated.kind == TypeKind::unknown) return {};
  if (value.kind == Value::Kind::tensor && stated.kind == TypeKind::tuple && value.operation >= 0) {
    for (std::size_t i = 0; i < stated.fields.size(); ++i) {
      TIEBREAK_TRY(field, project(value, i, offset));
      TIEBREAK_CHECK(agree(field, stated.fields[i], offset));
    }
    return {};
  }
  if (value.kind == Value::Kind::tuple && stated.kind == TypeKind::tuple && value.fields.size() == stated.fields.size()) {
    for (std::size_t i = 0; i < value.fields.size(); ++i) TIEBREAK_CHECK(agree(value.fields[i], stated.fields[i], offset));
    return {};
  }
  if (value.kind != Value::Kind::tensor || stated.kind != TypeKind::tensor) return agree_function(value, stated, offset);
  auto& known = program_.values[static_cast<std::size_t>(value.id)].type;
  if (known && !fits(*known, stated.tensor)) {
    return error_at(offset, Errc::type, "this is " + to_text(*known) + " where its type is stated as " + to_text(stated.tensor));
  }
  if (!known || is_open(known->shape)) known = stated.tensor;
  return {};
}

Status Reader::agree_function(const Value& value, const Type& stated, std::size_t offset) {
  const bool functions = value.kind == Value::Kind::function && stated.kind == TypeKind::function;
  if (functions || value.kind == Value::Kind::attributes) return {};
  static constexpr std::string_view words[] = {"a tensor", "a tuple", "a function", "attributes"};
  static constexpr std::string_view stated_words[] = {"a tensor", "a tuple", "a function", "unknown"};
  return error_at(offset, Errc::type,
                  "this is " + std::string(words[static_cast<std::size_t>(value.kind)]) + " where its type is stated as that of " +
                      std::string(stated_words[static_cast<std::size_t>(stated.kind)]) +
                      (value.kind == Value::Kind::tuple && stated.kind == TypeKind::tuple ? " of another length" : ""));
}

}  // namespace tiebreak::relay
