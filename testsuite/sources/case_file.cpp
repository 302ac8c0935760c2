// SPDX-License-Identifier: Apache-2.0
// Case files, schema tiebreak.case/1 (docs/cases.md). Everything that is not known is an error with its JSON pointer.
#include <set>

#include "interpreter/relay/relay.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/exchange/compressed_text.hpp"
#include "testsuite/sources/case_combinations.hpp"
#include "testsuite/sources/case_input.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {
namespace {

constexpr const char* case_schema = "tiebreak.case/1";

struct CaseFile {
  const Library& library;
  const std::string& path;
  std::string op;
  std::uint64_t seed;
};

/// {"onnx": {"y": [1, 2, 3]}} as text, nested lists flattened.
Status read_stated_elements(const JsonValue& value, StatedOutput& out) {
  using enum JsonValue::Kind;
  if (value.is(array)) {
    for (const JsonValue& item : value.items) TIEBREAK_CHECK(read_stated_elements(item, out));
  } else if (value.is(boolean)) {
    out.elements.emplace_back(value.truth ? "true" : "false");
  } else if (value.is(number) || value.is(string)) {
    out.elements.push_back(value.text);
  } else {
    return fail(Errc::syntax, "a number, or text in quotes, is expected here", value.where);
  }
  return {};
}

Status read_expectations(const CaseFile& file, const JsonValue& expect, Case& out) {
  std::vector<std::string> profiles{"", "reference"};
  for (const auto& [name, profile] : file.library.profiles()) profiles.push_back(name);
  TIEBREAK_CHECK(check_object(expect, profiles));
  std::vector<std::string> outputs;
  for (ValueId id : out.program.outputs) outputs.push_back(out.program.values[static_cast<std::size_t>(id)].name);
  for (std::size_t i = 0; i < expect.keys.size(); ++i) {
    TIEBREAK_CHECK(check_object(expect.items[i], outputs));
    std::vector<StatedOutput>& stated = out.stated[expect.keys[i]];
    for (std::size_t k = 0; k < expect.items[i].keys.size(); ++k) {
      StatedOutput output{expect.items[i].keys[k], {}, false, expect.items[i].items[k].where};
      TIEBREAK_CHECK(read_stated_elements(expect.items[i].items[k], output));
      stated.push_back(std::move(output));
    }
  }
  return {};
}

Status read_program(const CaseFile& file, const JsonValue& entry, Case& out) {
  const JsonValue& written = *entry.find("program");
  for (const char* key : {"attributes", "results", "version"}) {
    if (const JsonValue* other = entry.find(key)) return fail(Errc::syntax, std::string("'") + key + "' stands in the program of this case", other->where);
  }
  TIEBREAK_TRY(text, string_of(written));
  TIEBREAK_TRY(parsed, parse_program(text, written.where));
  if (parsed.functions.size() != 1) return fail(Errc::syntax, "the program must be one function", written.where);
  out.program = parsed.functions[0];
  TIEBREAK_TRY(inputs_value, member(entry, "inputs"));
  TIEBREAK_TRY(inputs, read_inputs(*inputs_value, {}, file.seed, {&file.library}));
  for (ValueId id : out.program.inputs) {
    const std::string& name = out.program.values[static_cast<std::size_t>(id)].name;
    bool found = false;
    for (const NamedTensor& input : inputs) {
      if (input.name != name && "%" + input.name != name) continue;
      out.inputs.push_back(input.tensor);
      found = true;
    }
    if (!found) return fail(Errc::syntax, "program input '" + name + "' has no value", inputs_value->where);
  }
  if (inputs.size() != out.program.inputs.size()) return fail(Errc::syntax, "an input that the program does not have", inputs_value->where);
  return {};
}

Status read_call(const CaseFile& file, const JsonValue& entry, Case& out) {
  if (file.op.empty()) return fail(Errc::syntax, "the case has neither 'program' nor an 'op' at the top of the file", entry.where);
  OpInputs call{file.op, {}, {}, {}, 0, entry.where};
  if (const JsonValue* attributes = entry.find("attributes")) {
    TIEBREAK_TRY(read, read_attributes(*attributes));
    call.attributes = std::move(read);
  }
  if (const JsonValue* version = entry.find("version")) {
    TIEBREAK_TRY(number, version_of(*version));
    call.version = number;
  }
  if (const JsonValue* results = entry.find("results")) {
    TIEBREAK_CHECK(check_array(*results));
    for (const JsonValue& result : results->items) {
      TIEBREAK_TRY(text, string_of(result));
      TIEBREAK_TRY(type, parse_tensor_type(text, result.where));
      call.result_types.push_back(type);
    }
  }
  TIEBREAK_TRY(inputs_value, member(entry, "inputs"));
  TIEBREAK_TRY(inputs, read_inputs(*inputs_value, call.attributes, file.seed, {&file.library, file.op, call.version, call.result_types}));
  call.inputs = std::move(inputs);
  return build_op_case(file.library, std::move(call), out);
}

/// One case of an entry that may stand for many. Nothing is made of it if it is not wanted.
Status read_copy(const CaseFile& file, const EntryCopies& copies, std::size_t copy, const CaseFilter& wanted, CaseList& cases, std::set<std::string>& ids) {
  const JsonValue name_value = *copies.member(copy, "name");
  TIEBREAK_TRY(name, string_of(name_value));
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/") != std::string::npos) {
    return fail(Errc::syntax, "a case's name has letters, digits and _.+-/ only", name_value.where);
  }
  Case test;
  test.source = file.path;
  test.id = (file.op.empty() ? "program" : file.op) + "/" + name;
  if (!ids.insert(test.id).second) return fail(Errc::syntax, "case '" + name + "' appears twice", name_value.where);
  if (!is_wanted(wanted, test.id)) return {};
  const JsonValue entry = copies.copy(copy);
  for (const char* key : {"description", "derivation"}) {
    const JsonValue* written = entry.find(key);
    if (written == nullptr) continue;
    TIEBREAK_TRY(text, string_of(*written));
    test.description += (test.description.empty() || text.empty() ? "" : " - ") + text;
  }
  if (const JsonValue* error = entry.find("error")) {
    TIEBREAK_TRY(label, string_of(*error));
    test.expected_error = label;
  }
  TIEBREAK_CHECK(entry.find("program") != nullptr ? read_program(file, entry, test) : read_call(file, entry, test));
  if (const JsonValue* expect = entry.find("expect")) TIEBREAK_CHECK(read_expectations(file, *expect, test));
  cases.push_back(std::move(test));
  return {};
}

Status read_case_entry(const CaseFile& file, const JsonValue& entry, const CaseFilter& wanted, CaseList& cases, std::set<std::string>& ids) {
  TIEBREAK_CHECK(check_object(entry, {"for", "name", "description", "version", "attributes", "inputs", "results", "expect", "derivation", "error", "program"}));
  TIEBREAK_CHECK(member(entry, "name"));
  TIEBREAK_TRY(copies, EntryCopies::of(entry));
  for (std::size_t copy = 0; copy < copies.size(); ++copy) TIEBREAK_CHECK(read_copy(file, copies, copy, wanted, cases, ids));
  return {};
}

}  // namespace

Result<CaseList> read_case_file(const Library& library, const std::string& path, const CaseFilter& wanted, std::uint64_t seed, const OpFilter& wanted_ops) {
  TIEBREAK_TRY(content, path.ends_with(".gz") ? read_compressed_text(path) : read_text_file(path));
  if (const std::string op = early_text(content, "op"); !op.empty() && !is_wanted(wanted_ops, op)) return CaseList();
  TIEBREAK_TRY(root, parse_json(content, path));
  TIEBREAK_CHECK(check_object(root, {"schema", "op", "notes", "cases"}));
  TIEBREAK_TRY(written_schema, member(root, "schema"));
  if (written_schema->text != case_schema) {
    return fail(Errc::syntax, "schema '" + written_schema->text + "' is not known", written_schema->where, std::string("this version reads ") + case_schema);
  }
  CaseFile file{library, path, "", seed};
  if (const JsonValue* op = root.find("op")) {
    TIEBREAK_TRY(text, string_of(*op));
    file.op = text;
    if (Result<Library::OpPlace> place = library.find_op(text); !place) {
      return fail(place.error().code, place.error().what, op->where, place.error().hint);
    }
  }
  TIEBREAK_TRY(entries, array_at(root, "cases"));
  CaseList cases;
  std::set<std::string> ids;
  for (const JsonValue& entry : entries->items) TIEBREAK_CHECK(read_case_entry(file, entry, wanted, cases, ids));
  return cases;
}

}  // namespace tiebreak
