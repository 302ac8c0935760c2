// SPDX-License-Identifier: Apache-2.0
// Literals and the attributes of calls.
#include "interpreter/relay/reader.hpp"

namespace tiebreak::relay {
namespace {

using Kind = Token::Kind;

/// Relay prints an absent choice as the word None, also within quotes, and an absent data type as void or nothing.
bool is_absent(std::string_view text) { return text == "None"; }
bool is_absent_type(std::string_view text) { return text.empty() || text == "void" || is_absent(text); }

/// out_dtype, compute_dtype, dtype: what holds the name of a data type.
bool holds_type(const std::string& name) { return name.ends_with("dtype"); }

struct Suffixed {
  std::string_view digits;
  std::string element;
};

/// `1f` is a float32, `1f16` a float16, `1i64` an int64, `1` an int32.
std::optional<Suffixed> split_suffix(std::string_view text) {
  const std::size_t start = text.starts_with('-') ? 1 : 0;
  const std::string_view unsigned_text = text.substr(start);
  const bool is_word = unsigned_text.starts_with("inf") || unsigned_text.starts_with("nan");
  std::size_t at = is_word ? start + 3 : start;
  while (at < text.size() && (mlir::is_digit(text[at]) || text[at] == '.' || text[at] == '+' || text[at] == '-' || text[at] == 'e' || text[at] == 'E')) ++at;
  const std::string_view digits = text.substr(0, at), suffix = text.substr(at);
  const bool is_whole = !is_word && digits.find_first_of(".eE") == std::string_view::npos;
  if (suffix.empty()) return is_whole ? std::optional(Suffixed{digits, "int32"}) : std::nullopt;
  const std::string_view width = suffix.substr(1);
  if (suffix[0] == 'f') return Suffixed{digits, "float" + (width.empty() ? std::string("32") : std::string(width))};
  if (suffix[0] == 'i' && is_whole) return Suffixed{digits, "int" + (width.empty() ? std::string("32") : std::string(width))};
  return std::nullopt;
}

}  // namespace

/// A number as a tensor of rank 0. TVM keeps a float attribute as a double, whatever its suffix: `alpha=0.1f` is the double next to 0.1.
Result<Tensor> Reader::scalar(const Token& number, bool is_attribute) const {
  auto parts = split_suffix(number.text);
  if (is_attribute && parts && parts->element.starts_with("float")) parts->element = "float64";
  const auto element = parts ? ElementType::parse(parts->element) : std::nullopt;
  if (!element) {
    return error_at(number.offset, Errc::syntax, "the number '" + std::string(number.text.substr(0, 40)) + "' has no suffix that Relay knows",
                    "1.5f is a float32, 1f16 a float16, 1i64 an int64, 1 an int32");
  }
  TIEBREAK_TRY(code, mlir::number_code(places_, mlir::NumberText{parts->digits, number.offset}, *element, ""));
  TIEBREAK_TRY(tensor, Tensor::zeros(TensorType{*element, {}}));
  tensor.set_code(0, code);
  return tensor;
}

Result<Attribute> Reader::attribute(const std::string& name) {
  const mlir::Nesting nesting(depth_);
  if (nesting.too_deep()) return error(Errc::limit, "attributes nested deeper than 200");
  TIEBREAK_CHECK(charge(peek().offset));
  if (accept("[")) return attribute_list(name, "]");
  if (accept("(")) return attribute_list(name, ")");
  if (peek().kind == Kind::word) return attribute_word(name);
  const Token token = take();
  if (token.kind == Kind::number) {
    TIEBREAK_TRY(number, scalar(token, true));
    return Attribute{number.value(0)};
  }
  if (token.kind != Kind::string) return error_at(token.offset, Errc::syntax, "expected the value of the attribute '" + name + "'");
  mlir::Cursor quoted = places_.part(token.offset, token.offset + token.text.size());
  TIEBREAK_TRY(text, quoted.string());
  if (holds_type(name)) {
    if (is_absent_type(text)) return Attribute{};
    if (const auto element = ElementType::parse(text)) return Attribute{*element};
    return error_at(token.offset, Errc::unsupported, "the data type \"" + text.substr(0, 40) + "\" is not supported");
  }
  return is_absent(text) ? Attribute{} : Attribute{std::move(text)};
}

Result<Attribute> Reader::attribute_list(const std::string& name, std::string_view close) {
  AttributeList list;
  while (!accept(close)) {
    TIEBREAK_TRY(item, attribute(name));
    list.push_back(std::move(item));
    if (!peek().is(close)) TIEBREAK_CHECK(expect(",", "an item of the attribute '" + name + "'"));
  }
  return Attribute{std::move(list)};
}

Result<Attribute> Reader::attribute_word(const std::string& name) {
  if (accept_word("True")) return Attribute{true};
  if (accept_word("False")) return Attribute{false};
  if (accept_word("None")) return Attribute{};
  if (peek().is_word("meta")) {
    TIEBREAK_TRY(text, meta_name());
    return Attribute{text};
  }
  return error(Errc::unsupported, "the value " + found() + " of the attribute '" + name + "' is not supported");
}

/// `meta[relay.Constant][0]`, as relay.Constant.0.
Result<std::string> Reader::meta_name() {
  take();
  TIEBREAK_CHECK(expect("[", "'meta'"));
  const Token key = take();
  if (key.kind != Kind::word) return error_at(key.offset, Errc::syntax, "expected a kind of metadata, as relay.Constant");
  TIEBREAK_CHECK(expect("]", "a kind of metadata"));
  TIEBREAK_CHECK(expect("[", "'meta[" + std::string(key.text) + "]'"));
  const Token index = take();
  if (index.kind != Kind::number || index.text.find_first_not_of("0123456789") != std::string_view::npos) {
    return error_at(index.offset, Errc::syntax, "expected the index of an entry of the metadata");
  }
  TIEBREAK_CHECK(expect("]", "an index"));
  return std::string(key.text) + "." + std::string(index.text);
}

/// What stands at a function and says nothing of its values: `Primitive=1`.
Status Reader::skip_attribute() {
  const Token name = take();
  TIEBREAK_CHECK(expect("=", "a function's attribute"));
  if (peek().kind == Kind::word && !peek().is_word("meta") && !peek().is_word("True") && !peek().is_word("False") && !peek().is_word("None")) {
    take();
    if (peek().is("(")) return closed("(", ")");
    return {};
  }
  TIEBREAK_TRY(ignored, attribute(std::string(name.text)));
  static_cast<void>(ignored);
  return {};
}

}  // namespace tiebreak::relay
