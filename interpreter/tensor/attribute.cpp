// SPDX-License-Identifier: Apache-2.0
// Attributes read as whole numbers, lists and texts.
#include "interpreter/tensor/attribute.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t listed_elements = 4096;  // a longer tensor is data, not a list of parameters

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string tensor_text(const Tensor& tensor) {
  constexpr std::int64_t shown = 8;
  std::string text = "dense<[";
  for (std::int64_t i = 0; i < tensor.size() && i < shown; ++i) text += (i ? ", " : "") + tensor.value(i).to_string();
  if (tensor.size() > shown) text += ", ...";
  return text + "]> : " + to_text(tensor.type());
}

struct TextOf {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(bool truth) const { return truth ? "true" : "false"; }
  std::string operator()(const Real& number) const { return number.to_string(); }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(const ElementType& element) const { return element.name(); }
  std::string operator()(const AttributeList& list) const {
    std::string text = "[";
    for (std::size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + to_text(list[i]);
    return text + "]";
  }
  std::string operator()(const AttributeMap& map) const {
    std::string text = "{";
    for (const auto& [name, attribute] : map) text += (text.size() > 1 ? ", " : "") + name + " = " + to_text(attribute);
    return text + "}";
  }
  std::string operator()(const Tensor& tensor) const { return tensor_text(tensor); }
};

}  // namespace

Attribute Attribute::integers(const std::vector<std::int64_t>& values) {
  AttributeList list;
  list.reserve(values.size());
  for (std::int64_t number : values) list.push_back(Attribute{Real(number)});
  return Attribute{std::move(list)};
}

std::optional<std::int64_t> Attribute::as_integer() const {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const Real* number = std::get_if<Real>(&value)) return number->to_int64();
  if (const Tensor* tensor = std::get_if<Tensor>(&value); tensor && tensor->size() == 1) return tensor->value(0).to_int64();
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> Attribute::as_integers() const {
  std::vector<std::int64_t> result;
  if (const AttributeList* list = std::get_if<AttributeList>(&value)) {
    for (const Attribute& attribute : *list) {
      const auto number = attribute.as_integer();
      if (!number) return std::nullopt;
      result.push_back(*number);
    }
    return result;
  }
  const Tensor* tensor = std::get_if<Tensor>(&value);
  if (!tensor || tensor->shape().size() != 1 || tensor->size() > listed_elements) return std::nullopt;
  for (std::int64_t i = 0; i < tensor->size(); ++i) {
    const auto number = tensor->value(i).to_int64();
    if (!number) return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

std::optional<std::string> Attribute::as_string() const {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return std::nullopt;
}

std::string to_text(const Attribute& attribute) { return std::visit(TextOf{}, attribute.value); }

}  // namespace tiebreak
