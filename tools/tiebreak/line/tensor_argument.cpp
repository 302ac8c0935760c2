// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/tensor_argument.hpp"

#include "testsuite/case/literal_text.hpp"

namespace tiebreak::command {
namespace {

struct Assignment {
  std::string name;
  std::string value;
};

Result<Assignment> parse_assignment(const std::string& text, const std::string& option) {
  std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return fail(Errc::usage, "'" + text + "' has no NAME=", option);
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

/// Where the type begins: the first colon outside brackets.
std::size_t type_colon(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '<') ++depth;
    if (text[i] == ']' || text[i] == '>') --depth;
    if (text[i] == ':' && depth == 0) return i;
  }
  return std::string::npos;
}

/// `0.001:f32` and `[1, 2] : f32`: what stands before the type, and the type. A colon behind anything else is text.
Result<std::optional<std::pair<std::string, ElementType>>> typed(const std::string& text, const std::string& where) {
  const std::size_t colon = type_colon(text);
  if (colon == std::string::npos) return std::nullopt;
  std::string value = text.substr(0, colon), word = text.substr(colon + 1);
  value.erase(value.find_last_not_of(' ') + 1);
  word.erase(0, word.find_first_not_of(' '));
  if (!value.starts_with("[") && !Real::parse(value)) return std::nullopt;
  TIEBREAK_TRY(type, parse_element_text(word, {}, where));
  if (type.quantized) return fail(Errc::usage, "an attribute has no quantized type", where);
  return std::pair{value, type.element};
}

/// `type`: of the numbers, where the text behind them names one.
Result<Attribute> parse_value(const std::string& text, const std::string& where, int depth, const std::optional<ElementType>& type = std::nullopt) {
  TIEBREAK_TRY(inner, typed(text, where));
  if (inner && depth < 8) return parse_value(inner->first, where, depth + 1, inner->second);
  Attribute attribute;
  if (text.starts_with("[") && text.ends_with("]") && depth < 8) {
    AttributeList list;
    std::string inside = text.substr(1, text.size() - 2);
    std::size_t start = 0;
    int open = 0;
    for (std::size_t i = 0; i <= inside.size(); ++i) {
      if (i < inside.size() && inside[i] == '[') ++open;
      if (i < inside.size() && inside[i] == ']') --open;
      if (i < inside.size() && (inside[i] != ',' || open != 0)) continue;
      std::string part = inside.substr(start, i - start);
      part.erase(0, part.find_first_not_of(' '));
      if (!part.empty()) {
        TIEBREAK_TRY(item, parse_value(part, where, depth + 1, type));
        list.push_back(item);
      }
      start = i + 1;
    }
    attribute.value = std::move(list);
  } else if (text == "true" || text == "false") {
    attribute.value = text == "true";
  } else if (text == "none") {
    attribute.value = std::monostate{};
  } else if (Result<Real> number = Real::parse(text)) {
    attribute.value = *number;
    if (type) {
      TIEBREAK_TRY(nearest, element_value(text, *type, where));
      attribute.value = nearest;
    }
  } else if (std::optional<ElementType> word = ElementType::parse(text)) {
    attribute.value = *word;
  } else {
    attribute.value = text;
  }
  return attribute;
}

}  // namespace

Result<NamedTensor> parse_tensor_argument(const std::string& text) {
  const std::string where = "--input " + text;
  TIEBREAK_TRY(assignment, parse_assignment(text, "--input"));
  std::size_t colon = type_colon(assignment.value);
  if (colon == std::string::npos) return fail(Errc::usage, "the value has no type", where, "for example --input " + assignment.name + "=[0.5, 1.5]:f32");
  std::string value = assignment.value.substr(0, colon);
  TIEBREAK_TRY(shape, shape_of_literal(value, where));
  TIEBREAK_TRY(type, parse_element_text(assignment.value.substr(colon + 1), shape, where));
  StatedOutput elements = stated_output(assignment.name, value, where);
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  auto count = static_cast<std::int64_t>(elements.elements.size());
  bool splat = count == 1 && shape.empty();
  if (count != tensor.size() && !splat) {
    return fail(Errc::type, "the value has " + std::to_string(count) + " elements, the type " + std::to_string(tensor.size()), where);
  }
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const std::string& element = elements.elements[splat ? 0 : static_cast<std::size_t>(i)];
    Result<Real> v = element_value(element, type.element, where);
    if (!v) return fail(v.error().code, v.error().what, where, v.error().hint);
    tensor.set_code(i, *type.element.encode(*v));
  }
  return NamedTensor{assignment.name, std::move(tensor)};
}

Result<std::pair<std::string, Attribute>> parse_attribute_argument(const std::string& text) {
  TIEBREAK_TRY(assignment, parse_assignment(text, "--attribute"));
  TIEBREAK_TRY(value, parse_value(assignment.value, "--attribute " + text, 0));
  return std::pair{assignment.name, value};
}

}  // namespace tiebreak::command
