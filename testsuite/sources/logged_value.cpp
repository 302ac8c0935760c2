// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/logged_value.hpp"

#include "testsuite/case/literal_text.hpp"
#include "testsuite/sources/case_input.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_logged_elements = std::int64_t{1} << 24;

Status flatten(const JsonValue& value, const Shape& shape, std::size_t depth, bool may_be_unseen, std::vector<const JsonValue*>& numbers) {
  using enum JsonValue::Kind;
  if (depth == shape.size()) {
    const bool is_value = value.is(number) || value.is(string) || value.is(boolean) || (may_be_unseen && value.is(null));
    if (!is_value) return fail(Errc::syntax, "a number, or a number in quotes, is expected here", value.where);
    numbers.push_back(&value);
    return {};
  }
  if (!value.is(array) || static_cast<std::int64_t>(value.items.size()) != shape[depth])
    return fail(Errc::syntax, "the lists are uneven: " + std::to_string(shape[depth]) + " items are expected here", value.where);
  for (const JsonValue& item : value.items) TIEBREAK_CHECK(flatten(item, shape, depth + 1, may_be_unseen, numbers));
  return {};
}

}  // namespace

Shape shape_of_value(const JsonValue& value) {
  Shape shape;
  for (const JsonValue* at = &value; at->is(JsonValue::Kind::array); at = &at->items.front()) {
    shape.push_back(static_cast<std::int64_t>(at->items.size()));
    if (at->items.empty()) break;
  }
  return shape;
}

Result<LoggedValue> read_logged_value(const JsonValue& value, const std::string& type, bool may_be_unseen) {
  LoggedValue read;
  if (value.is(JsonValue::Kind::object)) {
    TIEBREAK_TRY(whole_tensor, read_tensor(value));
    read.tensor = std::move(whole_tensor);
    return read;
  }
  const Shape shape = shape_of_value(value);
  TIEBREAK_TRY(stated, parse_element_text(type, shape, value.where));
  TIEBREAK_TRY(tensor, Tensor::zeros(stated));
  std::vector<const JsonValue*> numbers;
  TIEBREAK_CHECK(flatten(value, shape, 0, may_be_unseen, numbers));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i]->is(JsonValue::Kind::null)) {
      read.unseen.resize(numbers.size(), 0);
      read.unseen[i] = 1;
      continue;
    }
    const std::string text = numbers[i]->is(JsonValue::Kind::boolean) ? (numbers[i]->truth ? "true" : "false") : numbers[i]->text;
    const Result<Real> number = element_value(text, stated.element, numbers[i]->where);
    if (!number) return fail(number.error().code, number.error().what, numbers[i]->where,
                             number.error().hint);  // not every reader of numbers knows the place
    const auto code = stated.element.encode(*number);
    if (!code) return fail(Errc::type, stated.element.name() + " cannot hold " + text, numbers[i]->where);
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  read.tensor = std::move(tensor);
  return read;
}

Result<std::vector<std::int64_t>> read_elements(const JsonValue& value) {
  std::vector<std::int64_t> elements;
  if (value.is(JsonValue::Kind::array)) {
    for (const JsonValue& item : value.items) {
      TIEBREAK_TRY(some, read_elements(item));
      elements.insert(elements.end(), some.begin(), some.end());
    }
    return elements;
  }
  const std::size_t dots = value.is(JsonValue::Kind::string) ? value.text.find("..") : std::string::npos;
  TIEBREAK_TRY(first, dots == std::string::npos ? integer_of(value) : integer_of_text(value.text.substr(0, dots), value.where));
  TIEBREAK_TRY(last, dots == std::string::npos ? Result<std::int64_t>(first) : integer_of_text(value.text.substr(dots + 2), value.where));
  if (last < first || last - first >= most_logged_elements) return fail(Errc::syntax, "the range is empty or too long", value.where, "\"0 .. 63\"");
  for (std::int64_t element = first; element <= last; ++element) elements.push_back(element);
  return elements;
}

}  // namespace tiebreak
