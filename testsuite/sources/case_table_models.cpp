// SPDX-License-Identifier: Apache-2.0
// A table of small ONNX models, written out, with what they are fed and one expected output. Initializers become inputs, as in other tables.
#include <algorithm>

#include "testsuite/sources/case_table_row.hpp"

namespace tiebreak {
namespace {

/// Whole numbers are compared exactly where the table comes from; floats under a tolerance of its own, so that they hold for no profile.
constexpr const char* exact_profile = "migraphx-ref";

/// The row's models name ops of ONNX's domain and of com.microsoft without always telling them apart: ONNX's page comes first.
std::string page_of(const Library& library, const std::string& name) {
  const std::string standard = "onnx." + name;
  return library.find_op(standard) ? standard : "microsoft." + name;
}

/// Values by name while a model is read.
class ModelReader {
 public:
  ModelReader(const Library& library, const JsonValue& row, Case& test) : library_(library), row_(row), test_(test) {}

  Status read() {
    TIEBREAK_TRY(model, member(row_, "model"));
    test_.program.file = test_.source;
    TIEBREAK_CHECK(read_tensors(*model));
    TIEBREAK_TRY(nodes, array_at(*model, "nodes"));
    for (const JsonValue& node : nodes->items) TIEBREAK_CHECK(read_node(node, version_of(*model)));
    TIEBREAK_TRY(outputs, array_at(*model, "outputs"));
    for (const JsonValue& output : outputs->items) {
      TIEBREAK_TRY(name, text_at(output, "name"));
      const auto id = find(name);
      if (!id) return fail(Errc::syntax, "no node gives the output '" + name + "'", output.where);
      test_.program.outputs.push_back(*id);
    }
    test_.program.name = test_.program.operations.size() == 1 ? test_.program.operations.front().op : "";
    drop_unread_inputs();
    return state_gold();
  }

 private:
  static int version_of(const JsonValue& model) {
    const JsonValue* sets = model.find("opset");
    if (sets == nullptr || sets->items.empty() || sets->items.front().items.size() != 2) return 0;
    return static_cast<int>(integer_of(sets->items.front().items[1]).value_or(0));
  }

  std::optional<ValueId> find(const std::string& name) const {
    const auto found = std::ranges::find(test_.program.values, name, &ProgramValue::name);
    if (found == test_.program.values.end()) return std::nullopt;
    return static_cast<ValueId>(found - test_.program.values.begin());
  }

  ValueId add_value(const std::string& name) {
    test_.program.values.push_back(ProgramValue{name, {}, {}});
    return static_cast<ValueId>(test_.program.values.size() - 1);
  }

  Status add_input(const JsonValue& described, const JsonValue* data) {
    TIEBREAK_TRY(name, text_at(described, "name"));
    if (data == nullptr || !data->is(JsonValue::Kind::array)) return fail(Errc::unsupported, "numbers that the table leaves out");
    JsonValue whole = described;
    if (whole.find("data") == nullptr) {
      whole.keys.emplace_back("data");
      whole.items.push_back(*data);
    }
    TIEBREAK_TRY(tensor, table_tensor(whole));
    const ValueId id = add_value(name);
    test_.program.values.back().type = tensor.type();
    test_.program.inputs.push_back(id);
    test_.inputs.push_back(std::move(tensor));
    return {};
  }

  Status read_tensors(const JsonValue& model) {
    TIEBREAK_TRY(initializers, array_at(model, "initializers"));
    for (const JsonValue& one : initializers->items) TIEBREAK_CHECK(add_input(one, one.find("data")));
    TIEBREAK_TRY(feeds, member(row_, "feeds"));
    TIEBREAK_TRY(inputs, array_at(model, "inputs"));
    for (const JsonValue& one : inputs->items) {
      TIEBREAK_TRY(name, text_at(one, "name"));
      const JsonValue* fed = feeds->items.empty() ? nullptr : feeds->items.front().find(name);
      TIEBREAK_CHECK(add_input(one, fed == nullptr ? nullptr : fed->find("data")));
    }
    return {};
  }

  Status read_node(const JsonValue& node, int version) {
    TIEBREAK_TRY(name, text_at(node, "op"));
    Operation operation{page_of(library_, name), {}, {}, {}, version, node.where};
    TIEBREAK_CHECK(library_.find_op(operation.op));
    TIEBREAK_TRY(attributes, table_attributes(node.find("attrs")));
    operation.attributes = std::move(attributes);
    TIEBREAK_TRY(inputs, array_at(node, "inputs"));
    for (const JsonValue& input : inputs->items) {
      const auto id = input.text.empty() ? std::optional<ValueId>(-1) : find(input.text);
      if (!id) return fail(Errc::unsupported, "numbers that the table leaves out");
      operation.operands.push_back(*id);
    }
    TIEBREAK_TRY(outputs, array_at(node, "outputs"));
    for (const JsonValue& output : outputs->items) operation.results.push_back(add_value(output.text));
    test_.program.operations.push_back(std::move(operation));
    return {};
  }

  /// Initializers that no node reads are no part of the call.
  void drop_unread_inputs() {
    Program& program = test_.program;
    for (std::size_t i = program.inputs.size(); i-- > 0;) {
      const auto reads = [&](const Operation& one) { return std::ranges::find(one.operands, program.inputs[i]) != one.operands.end(); };
      if (std::ranges::any_of(program.operations, reads)) continue;
      program.inputs.erase(program.inputs.begin() + static_cast<std::ptrdiff_t>(i));
      test_.inputs.erase(test_.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// Of the first output.
  Status state_gold() {
    const JsonValue* gold = row_.find("gold");
    if (gold == nullptr || !gold->is(JsonValue::Kind::array) || test_.program.outputs.empty()) return {};
    const bool whole = text_or_empty(row_, "gold_ctype").find("int") != std::string::npos;
    TIEBREAK_TRY(numbers, numbers_at(row_, "gold"));
    StatedOutput stated{test_.program.values[static_cast<std::size_t>(test_.program.outputs.front())].name, {}, false, gold->where};
    for (const Real& number : numbers) stated.elements.push_back(number.to_string());
    test_.stated[whole ? exact_profile : ""] = {std::move(stated)};
    return {};
  }

  const Library& library_;
  const JsonValue& row_;
  Case& test_;
};

Status read_model_row(const Library& library, const JsonValue& row, Case& test) { return ModelReader(library, row, test).read(); }

}  // namespace

bool is_model_table(const JsonValue& root) {
  const JsonValue* cases = root.find("cases");
  return root.find("schema") == nullptr && cases != nullptr && !cases->items.empty() && cases->items.front().find("model") != nullptr &&
         cases->items.front().find("feeds") != nullptr;
}

Result<CaseList> read_model_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted) {
  return cases_of_rows(library, root, path, wanted, read_model_row);
}

}  // namespace tiebreak
