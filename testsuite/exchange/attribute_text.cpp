// SPDX-License-Identifier: Apache-2.0
// value = none | true | false | number | "text" | type(word) | [values] | {names = values} | tensor(word, [shape], hex) | stored
#include "testsuite/exchange/attribute_text.hpp"

#include <algorithm>
#include <charconv>

#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::size_t nesting_limit = 64;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '+' || c == '/';
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += hex_digits[byte >> 4];
    text += hex_digits[byte & 15];
  }
  return text;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += "\\x" + hex({&c, 1});
    } else {
      result += c;
    }
  }
  return result + "\"";
}

struct Printer {
  Result<std::string> operator()(std::monostate) const { return "none"; }
  Result<std::string> operator()(bool truth) const { return truth ? "true" : "false"; }
  Result<std::string> operator()(const Real& number) const { return number.to_string(); }
  Result<std::string> operator()(const std::string& text) const { return quoted(text); }
  Result<std::string> operator()(const ElementType& element) const { return "type(" + element.name() + ")"; }
  Result<std::string> operator()(const AttributeList& list) const {
    std::string text = "[";
    for (const Attribute& attribute : list) {
      TIEBREAK_TRY(item, std::visit(*this, attribute.value));
      text += (text.size() > 1 ? ", " : "") + item;
    }
    return text + "]";
  }
  Result<std::string> operator()(const AttributeMap& map) const {
    std::string text = "{";
    for (const auto& [name, attribute] : map) {
      TIEBREAK_TRY(item, std::visit(*this, attribute.value));
      text += (text.size() > 1 ? ", " : "") + quoted(name) + " = " + item;
    }
    return text + "}";
  }
  Result<std::string> operator()(const Tensor& tensor) const {
    if (tensor.type().quantized) return fail(Errc::unsupported, "a quantized tensor inside a list or dictionary attribute");
    const auto bytes = tensor.bytes();
    return "tensor(" + tensor.element().name() + ", " + to_text(tensor.shape()) + ", " + hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) + ")";
  }
};

class Parser {
 public:
  Parser(std::string_view text, const StoredTensors& stored, const std::string& where) : text_(text), stored_(stored), where_(where) {}

  Result<AttributeMap> whole() {
    TIEBREAK_CHECK(expect('{'));
    TIEBREAK_TRY(map, dictionary(0));
    if (at_ != text_.size()) return wrong("the end");
    return std::move(map);
  }

 private:
  tl::unexpected<Error> wrong(const std::string& wanted) const {
    return fail(Errc::corrupt, "attribute text: expected " + wanted + " at character " + std::to_string(at_ + 1), where_);
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Status expect(char c) {
    if (!accept(c)) return wrong(std::string("'") + c + "'");
    return {};
  }
  std::string_view word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Result<unsigned char> hex_byte() {
    if (at_ + 2 > text_.size()) return wrong("two hex digits");
    const std::size_t high = hex_digits.find(text_[at_]);
    const std::size_t low = hex_digits.find(text_[at_ + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return wrong("two hex digits");
    at_ += 2;
    return static_cast<unsigned char>(high * 16 + low);
  }

  Result<std::string> string() {
    TIEBREAK_CHECK(expect('"'));
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\') {
        if (at_ >= text_.size()) break;
        c = text_[at_++];
        if (c == 'x') {
          TIEBREAK_TRY(byte, hex_byte());
          c = static_cast<char>(byte);
        }
      }
      result += c;
    }
    TIEBREAK_CHECK(expect('"'));
    return result;
  }

  Result<AttributeMap> dictionary(std::size_t depth) {
    AttributeMap map;
    if (accept('}')) return map;
    do {
      TIEBREAK_TRY(name, string());
      TIEBREAK_CHECK(expect('='));
      name_ = depth == 0 ? name : std::string();
      TIEBREAK_TRY(item, value(depth + 1));
      if (!map.emplace(std::move(name), std::move(item)).second) return wrong("a name that does not repeat");
    } while (accept(','));
    TIEBREAK_CHECK(expect('}'));
    return map;
  }

  Result<Attribute> list(std::size_t depth) {
    AttributeList items;
    if (accept(']')) return Attribute{std::move(items)};
    do {
      TIEBREAK_TRY(item, value(depth + 1));
      items.push_back(std::move(item));
    } while (accept(','));
    TIEBREAK_CHECK(expect(']'));
    return Attribute{std::move(items)};
  }

  Result<ElementType> element() {
    const std::string_view name = word();
    const auto type = ElementType::parse(name);
    if (!type) return wrong("an element type");
    return *type;
  }

  Result<Attribute> tensor() {
    TensorType type;
    TIEBREAK_TRY(parsed, element());
    type.element = parsed;
    TIEBREAK_CHECK(expect(','));
    TIEBREAK_CHECK(expect('['));
    TIEBREAK_TRY(extents, list(nesting_limit - 1));
    const auto shape = extents.as_integers();
    if (!shape) return wrong("whole extents");
    type.shape = *shape;
    TIEBREAK_CHECK(expect(','));
    skip();
    std::vector<std::byte> bytes;
    while (at_ < text_.size() && text_[at_] != ')') {
      TIEBREAK_TRY(byte, hex_byte());
      bytes.push_back(static_cast<std::byte>(byte));
    }
    TIEBREAK_CHECK(expect(')'));
    TIEBREAK_TRY(result, Tensor::from_bytes(std::move(type), std::move(bytes), where_));
    return Attribute{std::move(result)};
  }

  Result<Attribute> stored_tensor() {
    const auto found = stored_.find(name_);
    if (name_.empty() || found == stored_.end()) return wrong("a dataset in the group of attributes");
    return Attribute{found->second};
  }

  Result<Attribute> value(std::size_t depth) {
    if (depth > nesting_limit) return fail(Errc::limit, "attribute text: nested too deeply", where_);
    skip();
    if (at_ < text_.size() && text_[at_] == '"') {
      TIEBREAK_TRY(text, string());
      return Attribute{std::move(text)};
    }
    if (accept('[')) return list(depth);
    if (accept('{')) {
      TIEBREAK_TRY(map, dictionary(depth));
      return Attribute{std::move(map)};
    }
    const std::string_view name = word();
    if (name == "none") return Attribute{};
    if (name == "true" || name == "false") return Attribute{name == "true"};
    if (name == "stored") return stored_tensor();
    if (accept('(')) {
      if (name == "tensor") return tensor();
      if (name != "type") return wrong("type or tensor before '('");
      TIEBREAK_TRY(type, element());
      TIEBREAK_CHECK(expect(')'));
      return Attribute{type};
    }
    TIEBREAK_TRY(number, Real::parse(name));
    return Attribute{number};
  }

  std::string_view text_;
  const StoredTensors& stored_;
  const std::string& where_;
  std::size_t at_ = 0;
  std::string name_{};  ///< of the attribute at the top that is being read
};

}  // namespace

Result<std::string> attribute_map_text(const AttributeMap& attributes, StoredTensors& stored) {
  std::string text = "{";
  for (const auto& [name, attribute] : attributes) {
    std::string item = "stored";
    if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value)) {
      stored.emplace(name, *tensor);
    } else {
      TIEBREAK_TRY(printed, std::visit(Printer{}, attribute.value));
      item = std::move(printed);
    }
    text += (text.size() > 1 ? ", " : "") + quoted(name) + " = " + item;
  }
  text += "}";
  if (text.size() > exchange_limit::text_bytes) return fail(Errc::limit, "attributes longer than 16 MiB of text");
  return text;
}

Result<AttributeMap> parse_attribute_map(std::string_view text, const StoredTensors& stored, const std::string& where) {
  return Parser(text, stored, where).whole();
}

}  // namespace tiebreak
