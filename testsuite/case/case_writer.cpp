// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/case_writer.hpp"

#include <algorithm>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// Code by code: what is nan has one spelling.
std::vector<std::string> element_texts(const Tensor& tensor, const std::vector<std::uint8_t>& undefined = {}) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    bool open = static_cast<std::size_t>(i) < undefined.size() && undefined[static_cast<std::size_t>(i)] != 0;
    bool truth = tensor.element().is_boolean();
    texts.push_back(open ? "undefined" : truth ? (tensor.code(i) != 0 ? "true" : "false") : value_text(tensor.value(i)));
  }
  return texts;
}

JsonWriter& begin_tensor(JsonWriter& json, const Tensor& tensor) {
  json.begin_object().member("type", element_text(tensor.type())).key("shape").begin_array();
  for (std::int64_t extent : tensor.shape()) json.value(extent);
  return json.end_array();
}

void write_json_tensor(JsonWriter& json, const Tensor& tensor) { begin_tensor(json, tensor).member("data", element_texts(tensor)).end_object(); }

/// One number many times, as a reduced case has it, is written once.
void write_input(JsonWriter& json, const Tensor& tensor) {
  constexpr std::size_t many = 8;
  const std::vector<std::string> texts = element_texts(tensor);
  const bool is_constant = texts.size() > many && !tensor.element().is_boolean() && tensor.value(0).is_finite() && texts[0] != "-0" &&
                           std::ranges::all_of(texts, [&](const std::string& text) { return text == texts[0]; });
  if (is_constant) begin_tensor(json, tensor).member("rule", "constant").member("value", texts[0]).end_object();
  else write_json_tensor(json, tensor);
}

/// Whether a case file has a way to write the attribute.
bool can_write(const Attribute& attribute) {
  if (const auto* list = std::get_if<AttributeList>(&attribute.value)) return std::ranges::all_of(*list, can_write);
  return !attribute.is_none() && !std::holds_alternative<AttributeMap>(attribute.value);
}

struct AttributeWriter {
  JsonWriter& json;
  void operator()(std::monostate) const { json.null(); }
  void operator()(bool truth) const { json.value(truth); }
  void operator()(const std::string& text) const { json.value(text); }
  void operator()(const ElementType& type) const { json.begin_object().member("type", type.name()).end_object(); }
  void operator()(const Tensor& tensor) const { write_json_tensor(json, tensor); }
  void operator()(const AttributeMap&) const { json.null(); }
  void operator()(const Real& number) const {
    std::optional<std::int64_t> whole = number.to_int64();
    bool negative_zero = number.is_zero() && number.is_negative();
    if (whole && !negative_zero) json.value(*whole);
    else json.begin_object().member("number", number.to_hex_float()).end_object();
  }
  void operator()(const AttributeList& list) const {
    json.begin_array();
    for (const Attribute& item : list) std::visit(*this, item.value);
    json.end_array();
  }
};

/// One op whose operands are the program's inputs under the names of the page, in its order.
bool has_op_form(const Library& library, const Program& program) {
  if (program.operations.size() != 1 || !program.operations[0].regions.empty()) return false;
  const Operation& operation = program.operations[0];
  Result<Library::OpPlace> place = library.find_op(operation.op);
  if (!place || operation.results != program.outputs) return false;
  for (const auto& [name, attribute] : operation.attributes)
    if (!can_write(attribute)) return false;
  const auto& operands = place->op->operands;
  std::vector<ValueId> used;
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    ValueId id = operation.operands[i];
    if (id < 0) continue;
    if (i >= operands.size() || operands[i].variadic || bare_name(program, id) != operands[i].name) return false;
    used.push_back(id);
  }
  return used == program.inputs;
}

void write_call(JsonWriter& json, const Case& test) {
  const Operation& operation = test.program.operations[0];
  if (operation.version > 0) json.member("version", operation.version);
  if (!operation.attributes.empty()) {
    json.key("attributes").begin_object();
    for (const auto& [name, attribute] : operation.attributes) std::visit(AttributeWriter{json}, (json.key(name), attribute.value));
    json.end_object();
  }
  std::vector<std::string> results;
  for (ValueId id : operation.results)
    if (const auto& type = test.program.values[static_cast<std::size_t>(id)].type) results.push_back(to_text(*type));
  if (results.size() == operation.results.size()) json.member("results", results);
}

void write_expectation(JsonWriter& json, const Case& test, const std::string& profile, const std::vector<ResultTensor>& expected) {
  json.key("expect").begin_object().key(profile).begin_object();
  for (std::size_t i = 0; i < expected.size() && i < test.program.outputs.size(); ++i)
    json.member(output_name(test, i), element_texts(expected[i].tensor, expected[i].undefined));
  json.end_object().end_object();
}

}  // namespace

std::string case_file_text(const Library& library, const Case& test, const std::string& name, const std::string& profile,
                           const std::vector<ResultTensor>& expected) {
  bool op_form = has_op_form(library, test.program);
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.case/1");
  if (op_form) json.member("op", test.program.operations[0].op);
  json.key("cases").begin_array().begin_object().member("name", name);
  if (!test.description.empty()) json.member("description", test.description);
  if (op_form) write_call(json, test);
  else json.member("program", print_mlir(test.program));
  json.key("inputs").begin_object();
  for (std::size_t i = 0; i < test.inputs.size(); ++i) write_input(json.key(input_name(test, i)), test.inputs[i]);
  json.end_object();
  if (library.find_profile(profile)) write_expectation(json, test, profile, expected);
  json.end_object().end_array().end_object();
  return json.text();
}

}  // namespace tiebreak
