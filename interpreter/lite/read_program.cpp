// SPDX-License-Identifier: Apache-2.0
// Graphs of a model as programs. Tensor n is value n; operators stand in the order in which they run, so that each tensor is defined before it is read.
#include <algorithm>
#include <set>

#include "interpreter/lite/intermediates.hpp"
#include "interpreter/lite/lite.hpp"
#include "interpreter/lite/places.hpp"
#include "interpreter/lite/read_attributes.hpp"
#include "interpreter/lite/tensor_values.hpp"
#include "interpreter/program/file_bytes.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::string_view family = "tflite.";
constexpr std::size_t most_nested = 16;  // graphs that run graphs

std::size_t nth(int index) { return static_cast<std::size_t>(index); }

/// `custom.NAME`, which is no page's, whatever the name: one that is called ADD is not ADD. What no name of an op has becomes `_`.
std::string custom_word(const std::string& name) {
  std::string word = "custom.";
  for (const char c : name) word += ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ? c : '_';
  return name.empty() ? "custom" : word;
}

class ProgramReader {
 public:
  ProgramReader(const Model& model, const std::string& file, std::vector<std::size_t> running)
      : model_(model), graph_(running.back() == 0 ? model : model.further[running.back() - 1]), file_(file), running_(std::move(running)) {}

  Result<Program> run() {
    program_.file = file_;
    program_.name = graph_.name;
    TIEBREAK_CHECK(values());
    for (int id : graph_.inputs) {
      if (graph_.tensors[nth(id)].constant) return fail(Errc::corrupt, "it is an input and has constant data", place_of(id));
      if (!define(id)) return fail(Errc::corrupt, "it is an input twice", place_of(id));
      program_.inputs.push_back(id);
    }
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) TIEBREAK_CHECK(operation(graph_.operators[i], operator_place(where(), i, graph_.operators[i])));
    for (int id : graph_.outputs) {
      TIEBREAK_CHECK(read(id, where() + ", outputs"));
      program_.outputs.push_back(id);
    }
    drop_unused_values(program_);
    return std::move(program_);
  }

 private:
  std::string where() const { return subgraph_place(file_, running_.back()); }
  std::string place_of(int id, const std::string& before = {}) const {
    return tensor_place(before.empty() ? where() : before, nth(id), graph_.tensors[nth(id)].name);
  }

  /// Names as the file has them; those that are empty or come again are told apart by the tensor's number.
  Status values() {
    std::set<std::string> taken;
    for (const ModelTensor& tensor : graph_.tensors) taken.insert(tensor.name);
    std::set<std::string> used;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      const ModelTensor& tensor = graph_.tensors[i];
      std::string name = tensor.name;
      if (name.empty() || !used.insert(name).second) {
        name += (name.empty() ? "tensor." : ".") + std::to_string(i);
        while (taken.contains(name) || !used.insert(name).second) name += "_";
      }
      TIEBREAK_TRY(value, value_of(tensor, std::move(name), place_of(static_cast<int>(i))));
      program_.values.push_back(std::move(value));
    }
    defined_.resize(graph_.tensors.size());
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) defined_[i] = graph_.tensors[i].constant.has_value();
    return {};
  }

  bool define(int id) {
    if (defined_[nth(id)]) return false;
    defined_[nth(id)] = true;
    return true;
  }

  /// A tensor that is read must be there by now. A variable is what a runtime begins with; a tensor without elements needs no data.
  Status read(int id, const std::string& where) {
    if (defined_[nth(id)]) return {};
    ProgramValue& value = program_.values[nth(id)];
    const bool empty = !is_open(value.type->shape) && element_count(value.type->shape).value_or(1) == 0;
    if (!graph_.tensors[nth(id)].variable && !empty)
      return fail(Errc::corrupt, "it is read before anything defines it: it is no input, no constant and no result of an operator before", place_of(id, where));
    if (is_open(value.type->shape)) return fail(Errc::unsupported, "a variable with an open shape", place_of(id, where));
    TIEBREAK_TRY(state, first_state(*value.type, place_of(id, where)));
    value.constant = std::move(state);
    defined_[nth(id)] = true;
    return {};
  }

  Status operation(const ModelOperator& entry, const std::string& where) {
    Operation operation;
    operation.op = std::string(family) + (entry.builtin == Builtin::custom ? custom_word(entry.custom) : to_word(entry.builtin));
    operation.where = where;
    for (int id : entry.inputs) {
      if (id >= 0) TIEBREAK_CHECK(read(id, where));
      operation.operands.push_back(id);
    }
    while (!operation.operands.empty() && operation.operands.back() < 0) operation.operands.pop_back();
    if (builtin_word(static_cast<int>(entry.builtin)).empty()) return fail(Errc::unsupported, "no operator of this number is known", where);
    if (entry.builtin == Builtin::loop || entry.builtin == Builtin::choose) TIEBREAK_CHECK(control(entry, operation));
    else if (entry.builtin == Builtin::call_once) return fail(Errc::unsupported, "what is done once, before the first call, is not read", where);
    else TIEBREAK_CHECK(attributes(entry, operation));
    for (int id : entry.outputs) {
      if (graph_.tensors[nth(id)].constant) return fail(Errc::corrupt, "it is a result and has constant data", place_of(id, where));
      if (!define(id)) return fail(Errc::corrupt, "it is defined twice", place_of(id, where));
      operation.results.push_back(id);
    }
    program_.operations.push_back(std::move(operation));
    return {};
  }

  Status attributes(const ModelOperator& entry, Operation& operation) {
    const OperatorSchema* schema = find_schema(entry.builtin);
    if (schema == nullptr) return {};
    const auto type_at = [&](std::size_t i) { return entry.inputs[i] < 0 ? nullptr : &graph_.tensors[nth(entry.inputs[i])].type.element; };
    const bool reads_floats = !entry.inputs.empty() && type_at(0) != nullptr && type_at(0)->is_float();
    bool has_codes = false;
    for (std::size_t i = 1; i < entry.inputs.size(); ++i) has_codes |= type_at(i) != nullptr && type_at(i)->is_integer() && type_at(i)->bits() < 32;
    TIEBREAK_TRY(attributes, attributes_of(*schema, entry.options, reads_floats && has_codes, operation.where));
    if (schema->has_intermediates) TIEBREAK_CHECK(add_intermediates(graph_, entry, operation.where, attributes));
    operation.attributes = std::move(attributes);
    TIEBREAK_CHECK(list_axes(*schema, operation));
    const std::vector<std::int32_t> shape = shape_in_options(*schema, entry.options);
    if (shape.empty() || operation.operands.size() != 1) return {};
    TIEBREAK_TRY(numbers, Tensor::zeros({*ElementType::parse("i32"), {static_cast<std::int64_t>(shape.size())}, {}}));
    for (std::size_t i = 0; i < shape.size(); ++i) numbers.set_code(static_cast<std::int64_t>(i), static_cast<std::uint32_t>(shape[i]));
    operation.operands.push_back(add_constant("shape", std::move(numbers)));
    return {};
  }

  ValueId add_constant(const std::string& word, Tensor tensor) {
    const auto id = static_cast<ValueId>(program_.values.size());
    const TensorType type = tensor.type();
    program_.values.push_back({word + "." + std::to_string(id), type, std::move(tensor)});
    return id;
  }

  /// One axis is a list of one axis, as pages have it.
  Status list_axes(const OperatorSchema& schema, Operation& operation) {
    if (schema.axes < 0 || nth(schema.axes) >= operation.operands.size() || operation.operands[nth(schema.axes)] < 0) return {};
    ValueId& id = operation.operands[nth(schema.axes)];
    const std::optional<Tensor>& axis = program_.values[nth(id)].constant;
    if (!axis || !axis->shape().empty()) return {};
    TIEBREAK_TRY(list, Tensor::from_bytes({axis->element(), {1}, {}}, {axis->bytes().begin(), axis->bytes().end()}, operation.where));
    id = add_constant("axes", std::move(list));
    return {};
  }

  /// What a graph takes or gives is what its caller has there.
  Status same_types(const Program& program, const std::vector<ValueId>& own, const std::vector<int>& callers, const std::string& text,
                    const std::string& where) const {
    if (own.size() != callers.size())
      return fail(Errc::corrupt, text + " " + std::to_string(own.size()) + " tensors, there are " + std::to_string(callers.size()), where);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (callers[i] < 0) return fail(Errc::corrupt, text + " a tensor that is absent", where);
      const TensorType &one = *program.values[nth(own[i])].type, &other = *program_.values[nth(callers[i])].type;
      if (!same_type(one, other)) return fail(Errc::corrupt, text + " " + to_text(one) + " where it has " + to_text(other), where);
    }
    return {};
  }

  /// IF has a condition and what its graphs take, WHILE what its graphs take: operations with regions, as StableHLO has them.
  Status control(const ModelOperator& entry, Operation& operation) {
    const bool loop = entry.builtin == Builtin::loop;
    operation.op = loop ? "stablehlo.while" : "stablehlo.if";
    if (!loop && (operation.operands.empty() || operation.operands[0] < 0)) return fail(Errc::corrupt, "it has no condition", operation.where);
    for (int number : {0, 1}) {
      const auto field = std::ranges::find(entry.options.fields, number, &OptionField::number);
      const std::int32_t index = field == entry.options.fields.end() ? 0 : std::get<std::int32_t>(field->value);
      if (index < 1 || nth(index) > model_.further.size())
        return fail(Errc::corrupt, "it runs subgraph " + std::to_string(index) + " of " + std::to_string(model_.further.size() + 1), operation.where);
      if (std::ranges::find(running_, nth(index)) != running_.end() || running_.size() >= most_nested)
        return fail(Errc::corrupt, "subgraph " + std::to_string(index) + " runs itself, or graphs are nested more than 16 deep", operation.where);
      std::vector<std::size_t> running = running_;
      running.push_back(nth(index));
      TIEBREAK_TRY(program, ProgramReader(model_, file_, std::move(running)).run());
      const std::vector<int> given(entry.inputs.begin() + (loop ? 0 : 1), entry.inputs.end());
      TIEBREAK_CHECK(same_types(program, program.inputs, given, "subgraph " + std::to_string(index) + " takes", operation.where));
      if (!loop || number == 1)
        TIEBREAK_CHECK(same_types(program, program.outputs, entry.outputs, "subgraph " + std::to_string(index) + " gives", operation.where));
      Region region{std::move(program)};
      if (!loop) region.captured.assign(operation.operands.begin() + 1, operation.operands.end());
      operation.regions.push_back(std::move(region));
    }
    if (!loop) operation.operands.resize(1);
    return {};
  }

  const Model& model_;
  const Model& graph_;
  const std::string& file_;
  std::vector<std::size_t> running_;  ///< the subgraph that is read, behind those that run it
  Program program_{};
  std::vector<bool> defined_{};
};

}  // namespace
}  // namespace tiebreak::tflite

namespace tiebreak {

Result<Program> read_tflite(std::span<const std::byte> bytes, const std::string& file) {
  TIEBREAK_TRY(model, tflite::read_model(bytes, file));
  return tflite::ProgramReader(model, file, {0}).run();
}

Result<Program> read_tflite_file(const std::string& path) {
  TIEBREAK_TRY(bytes, file_bytes(path));
  return read_tflite(bytes, path);
}

bool is_tflite_path(const std::string& path) { return path.ends_with(".tflite"); }

}  // namespace tiebreak
