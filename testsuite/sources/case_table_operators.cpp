// SPDX-License-Identifier: Apache-2.0
// A table of single operator calls: inputs in the order of the op, attributes by name, the recorded outputs.
#include <algorithm>
#include <array>

#include "testsuite/sources/case_input.hpp"
#include "testsuite/sources/case_table_row.hpp"

namespace tiebreak {
namespace {

/// ONNX's numbers of data types.
Result<Attribute> numbered_type(const JsonValue& value) {
  static constexpr std::array<std::string_view, 27> words{"",           "f32",    "u8",         "i8",  "u16", "i16",    "i32",    "i64",  "",
                                                          "bool",       "f16",    "f64",        "u32", "u64", "",       "",       "bf16", "f8e4m3fn",
                                                          "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "u4",  "i4",  "f4e2m1", "f8e8m0", "u2",   "i2"};
  TIEBREAK_TRY(number, integer_of(value));
  if (number == 0) return Attribute{};
  if (number > 0 && number < static_cast<std::int64_t>(words.size()))
    if (const auto type = ElementType::parse(std::string(words[static_cast<std::size_t>(number)]))) return Attribute{*type};
  return fail(Errc::unsupported, "the data type " + value.text + " is not supported", value.where);
}

Status read_operator_row(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(op_name, member(row, "op"));
  const JsonValue* domain = row.find("domain");
  const JsonValue* expect = row.find("expect");
  if (expect != nullptr && expect->text == "failure") return fail(Errc::unsupported, "its source expects a refusal");
  const std::string family = domain == nullptr || domain->text.empty() ? "onnx" : domain->text.substr(domain->text.rfind('.') + 1);
  OpInputs call{family + "." + op_name->text, {}, {}, {}, 0, row.where};
  TIEBREAK_TRY(place, library.find_op(call.op));
  if (const JsonValue* opset = row.find("opset")) {
    TIEBREAK_TRY(number, version_of(*opset));
    call.version = number;
  }
  TIEBREAK_TRY(attributes, table_attributes(row.find("attrs")));
  call.attributes = std::move(attributes);
  TIEBREAK_TRY(inputs, member(row, "inputs"));
  const std::vector<notation::Operand>& operands = place.op->operands;
  const auto variadic =
      static_cast<std::size_t>(std::ranges::count_if(operands, [](const auto& one) { return one.variadic; }));  // at the end, repeating together
  for (std::size_t i = 0; i < inputs->items.size(); ++i) {
    if (inputs->items[i].is(JsonValue::Kind::null)) continue;
    if (i >= operands.size() && variadic == 0) return fail(Errc::unsupported, "more inputs than the page has operands", row.where);
    const std::size_t place_of = i < operands.size() ? i : operands.size() - variadic + (i - operands.size()) % variadic;
    TIEBREAK_TRY(tensor, table_tensor(inputs->items[i]));
    call.inputs.push_back({operands[place_of].name, std::move(tensor)});
  }
  TIEBREAK_CHECK(build_op_case(library, std::move(call), test));
  std::vector<Tensor> outputs;
  if (const JsonValue* written = row.find("outputs"))
    for (const JsonValue& output : written->items) {
      TIEBREAK_TRY(tensor, table_tensor(output));
      outputs.push_back(std::move(tensor));
    }
  if (outputs.size() == test.program.outputs.size()) test.literals[""] = std::move(outputs);
  return {};
}

}  // namespace

Result<AttributeMap> table_attributes(const JsonValue* object) {
  AttributeMap attributes;
  if (object == nullptr) return attributes;
  JsonValue others = *object;
  others.keys.clear();
  others.items.clear();
  for (std::size_t i = 0; i < object->keys.size(); ++i) {
    const std::string& name = object->keys[i];
    if (name == "output_dtype" || name == "precision" || name == "to" || name == "dtype") {
      TIEBREAK_TRY(type, numbered_type(object->items[i]));
      attributes[name] = type;
      continue;
    }
    others.keys.push_back(name);
    others.items.push_back(object->items[i]);
  }
  TIEBREAK_TRY(read, read_attributes(others));
  attributes.insert(read.begin(), read.end());
  return attributes;
}

bool is_operator_table(const JsonValue& root) {
  const JsonValue* cases = root.find("cases");
  return root.find("schema") == nullptr && root.find("meta") != nullptr && cases != nullptr && !cases->items.empty() &&
         cases->items.front().find("op") != nullptr && cases->items.front().find("inputs") != nullptr;
}

Result<CaseList> read_operator_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted) {
  return cases_of_rows(library, root, path, wanted, read_operator_row);
}

}  // namespace tiebreak
