// SPDX-License-Identifier: Apache-2.0
// A table of small programs, whose nodes take parameters as tensor attributes: on a page these are operands of the same names.
#include <algorithm>

#include "testsuite/sources/case_input.hpp"
#include "testsuite/sources/case_table_row.hpp"

namespace tiebreak {
namespace {

bool is_tensor(const JsonValue& value) { return value.find("dtype") != nullptr && value.find("shape") != nullptr; }

/// What a profile says, not a call: the mode of the enclosing context.
bool is_mode(const std::string& name) { return name == "rounding" || name == "compute_dtype"; }

Status add_attribute(const notation::Op& op, const std::string& name, const JsonValue& value, OpInputs& call) {
  const auto named = [&](const notation::Operand& one) { return one.name == name; };
  if (std::ranges::any_of(op.operands, named) && is_tensor(value)) {
    TIEBREAK_TRY(tensor, table_tensor(value));
    call.inputs.push_back({name, std::move(tensor)});
    return {};
  }
  if (std::ranges::none_of(op.attributes, named)) {
    if (is_mode(name)) return {};
    return fail(Errc::unsupported, "the page of " + op.path + " has no '" + name + "'", value.where);
  }
  if (value.text == "None") {  // as the context has it
    call.attributes[name] = Attribute{};
    return {};
  }
  if (name == "out_dtype" || name == "output_dtype" || name == "compute_dtype") {
    TIEBREAK_TRY(type, table_type(value.text, value.where));
    call.attributes[name] = Attribute{type};
    return {};
  }
  JsonValue one = value;
  one.kind = JsonValue::Kind::object;
  one.keys = {name};
  one.items = {value};
  TIEBREAK_TRY(read, read_attributes(one));
  call.attributes.insert(read.begin(), read.end());
  return {};
}

Status read_program_row(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(program, member(row, "program"));
  TIEBREAK_TRY(tensors, member(row, "inputs"));
  if (program->items.size() != 1) return fail(Errc::unsupported, "a program of several nodes");
  const JsonValue& node = program->items.front();
  TIEBREAK_TRY(op_name, member(node, "op"));
  OpInputs call{op_name->text.find('.') == std::string::npos ? "qnn." + op_name->text : op_name->text, {}, {}, {}, 0, row.where};
  TIEBREAK_TRY(place, library.find_op(call.op));
  TIEBREAK_TRY(arguments, member(node, "inputs"));
  for (std::size_t i = 0; i < arguments->keys.size(); ++i) {
    const JsonValue* tensor = tensors->find(arguments->items[i].text);
    if (tensor == nullptr) return fail(Errc::unsupported, "an argument that is a list of tensors");
    TIEBREAK_TRY(read, table_tensor(*tensor));
    call.inputs.push_back({arguments->keys[i], std::move(read)});
  }
  if (const JsonValue* attributes = node.find("attrs"))
    for (std::size_t i = 0; i < attributes->keys.size(); ++i) TIEBREAK_CHECK(add_attribute(*place.op, attributes->keys[i], attributes->items[i], call));
  TIEBREAK_CHECK(build_op_case(library, std::move(call), test));
  if (const JsonValue* expected = row.find("expected")) {
    TIEBREAK_TRY(tensor, table_tensor(*expected));
    test.literals[""] = {std::move(tensor)};
  }
  return {};
}

}  // namespace

bool is_program_table(const JsonValue& root) {
  const JsonValue* schema = root.find("schema");
  return schema != nullptr && schema->text == "qnn-cases/1" && root.find("cases") != nullptr;
}

Result<CaseList> read_program_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted) {
  return cases_of_rows(library, root, path, wanted, read_program_row);
}

}  // namespace tiebreak
