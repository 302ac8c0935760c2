// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/case_table_row.hpp"

#include "testsuite/case/literal_text.hpp"
#include "testsuite/sources/logged_value.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

Status gather_numbers(const JsonValue& value, std::vector<Real>& numbers) {
  using enum JsonValue::Kind;
  if (value.is(array)) {
    for (const JsonValue& item : value.items) TIEBREAK_CHECK(gather_numbers(item, numbers));
    return {};
  }
  if (value.is(boolean)) return numbers.emplace_back(value.truth ? 1 : 0), Status{};
  if (!value.is(number) && !value.is(string)) return fail(Errc::unsupported, "numbers that the table has not", value.where);
  TIEBREAK_TRY(read, Real::parse(value.text));
  numbers.push_back(read);
  return {};
}

Result<ElementType> named_type(const std::string& name, const std::string& where) {
  const std::optional<ElementType> element = ElementType::parse(name);
  if (!element) return fail(Errc::unknown_name, "unknown element type '" + name + "'", where);
  return *element;
}

}  // namespace

void TableCases::add(const std::string& id, const std::string& source, const std::function<Status(Case&)>& read) {
  if (!is_wanted(wanted_, id)) return;
  Case test;
  test.id = id;
  test.source = path_;
  test.description = source;
  if (Status status = read(test); !status) {
    test.program = {};
    test.inputs.clear();
    test.stated.clear();
    test.unusable = status.error();
  }
  cases_.push_back(std::move(test));
}

Result<CaseList> cases_of_rows(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted,
                               Status (*read_row)(const Library& library, const JsonValue& row, Case& test)) {
  TIEBREAK_TRY(rows, array_at(root, "cases"));
  TableCases cases(path, wanted);
  for (const JsonValue& row : rows->items) {
    TIEBREAK_TRY(id, text_at(row, "id"));
    cases.add(id, text_or_empty(row, "source"), [&](Case& test) { return read_row(library, row, test); });
  }
  return cases.take();
}

Result<const JsonValue*> value_at(const JsonValue& row, const std::string& place) {
  const std::size_t slash = place.find('/');
  TIEBREAK_TRY(value, member(row, place.substr(0, slash)));
  return slash == std::string::npos ? Result<const JsonValue*>(value) : value_at(*value, place.substr(slash + 1));
}

Result<std::string> word_at(const JsonValue& row, const std::string& place) {
  TIEBREAK_TRY(value, value_at(row, place));
  return string_of(*value);
}

Result<std::vector<Real>> numbers_at(const JsonValue& row, const std::string& place) {
  TIEBREAK_TRY(value, value_at(row, place));
  std::vector<Real> numbers;
  TIEBREAK_CHECK(gather_numbers(*value, numbers));
  return numbers;
}

Result<Real> number_at(const JsonValue& row, const std::string& place) {
  TIEBREAK_TRY(numbers, numbers_at(row, place));
  if (numbers.size() != 1) return fail(Errc::type, "one number is expected at " + place, row.where);
  return numbers.front();
}

Result<Real> nearest_of(const Real& value, const std::string& type, const std::string& where) {
  TIEBREAK_TRY(element, named_type(type, where));
  if (!element.is_float()) return value;
  const std::optional<Real> rounded = round_to(value, element.floating());
  if (!rounded) return fail(Errc::type, value_text(value) + " is no value of " + type, where);
  return *rounded;
}

Result<Tensor> tensor_of(const std::vector<Real>& values, const std::string& type, Shape shape, const std::string& where) {
  TIEBREAK_TRY(element, named_type(type, where));
  TIEBREAK_TRY(tensor, Tensor::zeros({element, std::move(shape), {}}));
  if (tensor.size() != static_cast<std::int64_t>(values.size())) return fail(Errc::type, "the shape and the number of elements differ", where);
  for (std::size_t i = 0; i < values.size(); ++i) {
    TIEBREAK_TRY(value, nearest_of(values[i], type, where));
    const auto code = element.encode(value);
    if (!code) return fail(Errc::type, value_text(value) + " is no value of " + type, where);
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  return std::move(tensor);
}

Result<Tensor> tensor_of_codes(const std::vector<Real>& codes, const std::string& type, const std::string& where) {
  TIEBREAK_TRY(element, named_type(type, where));
  TIEBREAK_TRY(tensor, Tensor::zeros({element, {static_cast<std::int64_t>(codes.size())}, {}}));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto code = codes[i].to_uint64();
    if (!code || (element.bits() < 64 && *code >> element.bits() != 0)) return fail(Errc::type, value_text(codes[i]) + " is no code of " + type, where);
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  return std::move(tensor);
}

StatedOutput stated_values(const std::string& name, const Tensor& values, const std::string& where) {
  StatedOutput output{name, {}, false, where};
  for (std::int64_t i = 0; i < values.size(); ++i) output.elements.push_back(value_text(values.value(i)));
  return output;
}

template <class Value>
bool RowCall::is_good(const Result<Value>& value) {
  if (!value && status_) status_ = tl::unexpected<Error>(value.error());
  return value.has_value();
}

RowCall& RowCall::operand(const std::string& name, const std::string& type, const std::string& place) {
  const auto value = value_at(row_, place);
  const auto numbers = numbers_at(row_, place);
  if (is_good(value) && is_good(numbers)) operand(name, tensor_of(*numbers, type, shape_of_value(**value), (*value)->where));
  return *this;
}

RowCall& RowCall::operand(const std::string& name, const std::string& type, const Result<Real>& number) {
  if (is_good(number)) operand(name, tensor_of({*number}, type, {}, row_.where));
  return *this;
}

RowCall& RowCall::operand(const std::string& name, Result<Tensor> tensor) {
  if (is_good(tensor)) call_.inputs.push_back({name, *std::move(tensor)});
  return *this;
}

RowCall& RowCall::attribute(const std::string& name, Attribute value) {
  call_.attributes[name] = std::move(value);
  return *this;
}

RowCall& RowCall::attribute(const std::string& name, const std::string& place) {
  const auto number = number_at(row_, place);
  return is_good(number) ? attribute(name, Attribute{*number}) : *this;
}

RowCall& RowCall::type(const std::string& name, const Result<std::string>& word) {
  if (!is_good(word)) return *this;
  const auto type = table_type(*word, row_.where);
  return is_good(type) ? attribute(name, Attribute{*type}) : *this;
}

RowCall& RowCall::result(const std::string& type, Shape shape) {
  const auto element = table_type(type, row_.where);
  if (is_good(element)) call_.result_types.push_back({*element, std::move(shape), {}});
  return *this;
}

RowCall& RowCall::expect(const std::string& profile, const std::string& output, const std::string& place) {
  const auto numbers = numbers_at(row_, place);
  if (!is_good(numbers)) return *this;
  StatedOutput stated{output, {}, false, row_.where};
  for (const Real& number : *numbers) stated.elements.push_back(number.to_string());
  stated_[profile].push_back(std::move(stated));
  return *this;
}

RowCall& RowCall::expect(const std::string& profile, const std::string& output, const Result<Tensor>& values) {
  if (is_good(values)) stated_[profile].push_back(stated_values(output, *values, row_.where));
  return *this;
}

RowCall& RowCall::expect(const std::string& profile, Result<StatedOutput> output) {
  if (is_good(output)) stated_[profile].push_back(*std::move(output));
  return *this;
}

Status RowCall::build(const Library& library, Case& test) {
  TIEBREAK_CHECK(status_);
  TIEBREAK_CHECK(build_op_case(library, std::move(call_), test));
  test.stated = std::move(stated_);
  return {};
}

}  // namespace tiebreak
