// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/literal_text.hpp"

#include <algorithm>

#include "testsuite/case/stated_gap.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// A literal without the `dense<...>` around it; hex strings of raw data are left as they are.
std::string without_dense(const std::string& text, bool& dense) {
  dense = text.starts_with("dense<") && text.ends_with(">");
  return dense ? std::string(trimmed(text.substr(6, text.size() - 7))) : text;
}

}  // namespace

std::string literal_part(const std::string& text) {
  std::string all(trimmed(text));
  int depth = 0;
  bool bracketed = all.starts_with("[") || all.starts_with("dense<");
  for (std::size_t i = 0; i < all.size(); ++i) {
    char c = all[i];
    if (c == '[' || c == '<') ++depth;
    if (c == ']' || c == '>') --depth;
    if (bracketed && depth == 0 && (c == ']' || c == '>')) return all.substr(0, i + 1);
    if (!bracketed && i > 0 && all.compare(i, 2, "  ") == 0) return all.substr(0, i);
  }
  return all;
}

StatedOutput stated_output(const std::string& name, const std::string& text, const std::string& where) {
  StatedOutput output{name, {}, false, where};
  bool dense = false;
  std::string content = without_dense(literal_part(text), dense);
  output.splat = dense && !content.starts_with("[");
  std::string element;
  auto finish = [&] {
    if (std::string word(trimmed(element)); !word.empty()) output.elements.push_back(word);
    element.clear();
  };
  bool in_set = false;
  for (char c : content) {
    if (c == '{' || c == '}') in_set = c == '{';
    if (!in_set && (c == '[' || c == ']' || c == ',')) {
      finish();
    } else {
      element += c;
    }
  }
  finish();
  return output;
}

Result<Shape> shape_of_literal(const std::string& text, const std::string& where) {
  Shape shape;
  std::vector<std::int64_t> counts;        // finished items of each open list
  std::vector<bool> known;                 // whether the extent at a depth has been seen
  std::optional<std::size_t> value_depth;  // all numbers stand equally deep
  bool item = false;
  auto uneven = [&] { return fail(Errc::syntax, "the lists of the value are not even", where); };
  for (char c : text) {
    if (c == '[') {
      counts.push_back(0);
      if (value_depth && counts.size() > *value_depth) return uneven();
      if (shape.size() < counts.size()) {
        shape.push_back(0);
        known.push_back(false);
      }
      item = false;
    } else if (c == ',' || c == ']') {
      if (counts.empty()) return fail(Errc::syntax, std::string("unexpected '") + c + "' in a value", where);
      if (item) ++counts.back();
      item = false;
      if (c == ']') {
        std::size_t depth = counts.size() - 1;
        if (known[depth] && shape[depth] != counts.back()) return uneven();
        shape[depth] = counts.back();
        known[depth] = true;
        counts.pop_back();
        item = true;
      }
    } else if (c != ' ' && c != '\t') {
      if (value_depth && *value_depth != counts.size()) return uneven();
      value_depth = counts.size();
      item = true;
    }
  }
  if (!counts.empty()) return fail(Errc::syntax, "a list of the value is not closed", where, "add ']'");
  return shape;
}

Result<TensorType> parse_tensor_type(const std::string& text, const std::string& where) {
  // The MLIR reader knows every type there is: it is asked with the smallest function that has one.
  std::string program = "func.func @type(%x: " + text + ") -> " + text + " {\n  func.return %x : " + text + "\n}\n";
  Result<ParsedMlir> parsed = parse_mlir(program, where);
  if (!parsed) return fail(parsed.error().code, "'" + text + "' is not a tensor type: " + parsed.error().what, where, parsed.error().hint);
  if (parsed->functions.size() != 1 || parsed->functions[0].inputs.size() != 1) return fail(Errc::syntax, "'" + text + "' is not a tensor type", where);
  const Program& function = parsed->functions[0];
  const std::optional<TensorType>& type = function.values[static_cast<std::size_t>(function.inputs[0])].type;
  if (!type) return fail(Errc::syntax, "'" + text + "' is not a tensor type", where);
  return *type;
}

Result<TensorType> parse_element_text(const std::string& element, const Shape& shape, const std::string& where) {
  if (element.starts_with("tensor<")) return parse_tensor_type(element, where);
  if (element.starts_with("!")) {
    std::string text = "tensor<";
    for (std::int64_t extent : shape) text += std::to_string(extent) + "x";
    return parse_tensor_type(text + element + ">", where);
  }
  std::optional<ElementType> type = ElementType::parse(element);
  if (!type) return fail(Errc::unknown_name, "unknown element type '" + element + "'", where, "for example i8 u8 i32 f32 bf16 f8e4m3fn bool");
  TIEBREAK_CHECK(element_count(shape));
  return TensorType{*type, shape, std::nullopt};
}

namespace {

Result<Real> parsed_number(const std::string& text, const std::string& where) {
  auto number = Real::parse(text);
  if (!number && number.error().where.empty()) number.error().where = where;
  return number;
}

}  // namespace

Result<Real> element_value(const std::string& text, const ElementType& type, const std::string& where) {
  if (type.is_boolean() && (text == "true" || text == "false")) return Real(text == "true" ? 1 : 0);
  TIEBREAK_TRY(v, parsed_number(text, where));
  if (type.encode(v)) return v;
  bool exact_text = text.find("0x") != std::string::npos || text.find("0X") != std::string::npos;
  if (type.is_float() && v.is_finite() && !exact_text) {
    std::optional<Real> rounded = round_to(v, type.floating());
    if (rounded && rounded->is_finite()) return *rounded;
  }
  return fail(Errc::type, text + " is not a value of " + type.name(), where, "range " + value_text(type.min()) + " .. " + value_text(type.max()));
}

Result<std::optional<StatedDifference>> compare_stated(const StatedOutput& stated, const ResultTensor& result) {
  const Tensor& tensor = result.tensor;
  auto count = static_cast<std::int64_t>(stated.elements.size());
  if (count != tensor.size() && !(stated.splat && count == 1)) {
    return fail(Errc::type, "output '" + stated.name + "' has " + std::to_string(tensor.size()) + " elements, the source states " + std::to_string(count),
                stated.where);
  }
  std::optional<StatedDifference> first;
  LargestGap largest;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const std::string& text = stated.elements[stated.splat ? 0 : static_cast<std::size_t>(i)];
    bool undefined = result.is_undefined(i);
    Real v = tensor.value(i);
    bool same = false;
    std::string gap;
    if (undefined || text == "undefined") {
      same = undefined && text == "undefined";
    } else if (text.starts_with('{')) {  // what is computed is one of them; whether these are all is asked elsewhere
      for (const std::string& member : stated_output("", text.substr(1, text.size() - 2), stated.where).elements) {
        TIEBREAK_TRY(expected, element_value(member, tensor.element(), stated.where));
        same |= expected.identical(v);
      }
    } else if (std::size_t dots = text.find(" .. "); dots != std::string::npos) {
      TIEBREAK_TRY(least, parsed_number(text.substr(0, dots), stated.where));
      TIEBREAK_TRY(greatest, parsed_number(text.substr(dots + 4), stated.where));
      same = least <= v && v <= greatest;
    } else {
      TIEBREAK_TRY(expected, element_value(text, tensor.element(), stated.where));
      same = expected.identical(v);
      if (!same) {
        gap = gap_text(expected, v, tensor.element());
        largest.add(i, expected, v, tensor.element());
      }
    }
    if (same) continue;
    if (!first) first = StatedDifference{i, 0, text, undefined ? "undefined" : value_text(v), gap};
    ++first->count;
  }
  if (first) first->farthest = largest.text(first->index, tensor.shape());
  return first;
}

}  // namespace tiebreak
