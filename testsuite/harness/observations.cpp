// SPDX-License-Identifier: Apache-2.0
// tiebreak.observations/1: what somebody logged, as evidence. Strict: a key that is not known is an error with its place.
#include <algorithm>
#include <memory>

#include "testsuite/harness/case_input.hpp"
#include "testsuite/harness/identify.hpp"
#include "testsuite/harness/judge.hpp"
#include "testsuite/harness/literal_text.hpp"
#include "testsuite/harness/value_text.hpp"

namespace tiebreak {
namespace {

/// Extents of a nested list, by its first members; read_tensor's own check finds uneven ones.
Shape shape_of(const JsonValue& value) {
  Shape shape;
  for (const JsonValue* at = &value; at->is(JsonValue::Kind::array); at = &at->items.front()) {
    shape.push_back(static_cast<std::int64_t>(at->items.size()));
    if (at->items.empty()) break;
  }
  return shape;
}

Status flatten(const JsonValue& value, const Shape& shape, std::size_t depth, std::vector<const JsonValue*>& numbers) {
  if (depth == shape.size()) {
    if (!value.is(JsonValue::Kind::number) && !value.is(JsonValue::Kind::string) && !value.is(JsonValue::Kind::boolean))
      return fail(Errc::syntax, "a number, or a number in quotes, is expected here", value.where);
    numbers.push_back(&value);
    return {};
  }
  if (!value.is(JsonValue::Kind::array) || static_cast<std::int64_t>(value.items.size()) != shape[depth])
    return fail(Errc::syntax, "the lists are uneven: " + std::to_string(shape[depth]) + " items are expected here", value.where);
  for (const JsonValue& item : value.items) TIEBREAK_CHECK(flatten(item, shape, depth + 1, numbers));
  return {};
}

/// A number, a nested list, or {"type", "shape", "data"}. Numbers and lists take the type that `types` states.
Result<Tensor> read_value(const JsonValue& value, const std::string& name, const std::map<std::string, std::string>& types) {
  if (value.is(JsonValue::Kind::object)) return read_tensor(value);
  auto stated = types.find(name);
  if (stated == types.end()) return fail(Errc::syntax, "the type of '" + name + "' is not stated", value.where, "\"types\": {\"" + name + "\": \"f32\"}");
  Shape shape = shape_of(value);
  TIEBREAK_TRY(type, parse_element_text(stated->second, shape, value.where));
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  std::vector<const JsonValue*> numbers;
  TIEBREAK_CHECK(flatten(value, shape, 0, numbers));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::string text = numbers[i]->is(JsonValue::Kind::boolean) ? (numbers[i]->truth ? "true" : "false") : numbers[i]->text;
    TIEBREAK_TRY(number, element_value(text, type.element, numbers[i]->where));
    auto code = type.element.encode(number);
    if (!code) return fail(Errc::type, type.element.name() + " cannot hold " + text, numbers[i]->where);
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  return std::move(tensor);
}

Result<std::map<std::string, std::string>> read_types(const JsonValue& object, std::map<std::string, std::string> types) {
  if (!object.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", object.where);
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    TIEBREAK_TRY(word, string_of(object.items[i]));
    types[object.keys[i]] = word;
  }
  return types;
}

class Reader {
 public:
  Reader(const Library& library, const std::string& op) : library_(library), op_(op) {}

  Result<Evidence> read(const JsonValue& root) {
    TIEBREAK_CHECK(check_object(root, {"schema", "op", "version", "types", "attributes", "parameters", "observations"}));
    TIEBREAK_TRY(schema, member(root, "schema"));
    TIEBREAK_TRY(word, string_of(*schema));
    if (word != "tiebreak.observations/1") return fail(Errc::syntax, "schema '" + word + "' is not known", schema->where, "tiebreak.observations/1");
    TIEBREAK_CHECK(read_op(root));
    TIEBREAK_TRY(defaults, merged(root, {}));
    TIEBREAK_TRY(list, array_at(root, "observations"));
    Evidence evidence(library_);
    for (const JsonValue& item : list->items) {
      TIEBREAK_TRY(observation, read_observation(item, defaults));
      evidence.add(std::move(observation));
    }
    if (list->items.empty()) return fail(Errc::syntax, "there are no observations", list->where);
    return evidence;
  }

 private:
  /// What stands at the top holds for every observation that does not state it itself.
  struct Shared {
    std::map<std::string, std::string> types{};
    AttributeMap attributes{};
    const JsonValue* parameters = nullptr;
    int version = 0;
  };

  Status read_op(const JsonValue& root) {
    const JsonValue* written = root.find("op");
    if (written == nullptr) return {};
    TIEBREAK_TRY(name, string_of(*written));
    if (!op_.empty() && name != op_) return fail(Errc::usage, "the file observes " + name + ", not " + op_, written->where);
    op_ = name;
    return {};
  }

  Result<Shared> merged(const JsonValue& object, Shared shared) {
    if (const JsonValue* types = object.find("types")) {
      TIEBREAK_TRY(all, read_types(*types, std::move(shared.types)));
      shared.types = all;
    }
    if (const JsonValue* attributes = object.find("attributes")) {
      TIEBREAK_TRY(read, read_attributes(*attributes));
      for (auto& [name, value] : read) shared.attributes[name] = value;
    }
    if (const JsonValue* version = object.find("version")) {
      TIEBREAK_TRY(number, integer_of(*version));
      shared.version = static_cast<int>(number);
    }
    if (const JsonValue* parameters = object.find("parameters")) {
      if (!parameters->is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", parameters->where);
      shared.parameters = parameters;
    }
    return shared;
  }

  Status add_inputs(const JsonValue& object, const Shared& shared, OpInputs& call) {
    if (!object.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", object.where);
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      bool is_given = std::ranges::any_of(call.inputs, [&](const NamedTensor& input) { return input.name == object.keys[i]; });
      if (is_given) continue;
      TIEBREAK_TRY(tensor, read_value(object.items[i], object.keys[i], shared.types));
      call.inputs.push_back({object.keys[i], tensor});
    }
    return {};
  }

  Result<Observation> read_observation(const JsonValue& item, const Shared& defaults) {
    TIEBREAK_CHECK(check_object(item, {"inputs", "parameters", "attributes", "types", "version", "outputs"}));
    TIEBREAK_TRY(shared, merged(item, defaults));
    OpInputs call;
    call.op = op_;
    call.attributes = shared.attributes;
    call.version = shared.version;
    call.where = item.where;
    TIEBREAK_TRY(inputs, member(item, "inputs"));
    TIEBREAK_CHECK(add_inputs(*inputs, shared, call));
    if (shared.parameters != nullptr) TIEBREAK_CHECK(add_inputs(*shared.parameters, shared, call));
    if (defaults.parameters != nullptr) TIEBREAK_CHECK(add_inputs(*defaults.parameters, shared, call));
    Observation observation;
    observation.test.id = item.where;
    TIEBREAK_CHECK(state_results(shared, item, call));
    Result<void> built = build_op_case(library_, std::move(call), observation.test);
    if (!built) return fail(built.error().code, built.error().what, item.where, built.error().hint);
    TIEBREAK_CHECK(add_outputs(item, shared, observation));
    auto test = std::make_shared<const Case>(observation.test);
    std::vector<Shape> shapes;
    for (const ResultTensor& answer : observation.answers) shapes.push_back(answer.tensor.shape());
    observation.inputs = [this_library = &library_, test, shapes](std::size_t output, std::int64_t element) {
      return inputs_at(*this_library, *test, shapes[output], element);
    };
    return observation;
  }

  /// Quantized results are part of the call.
  Status state_results(const Shared& shared, const JsonValue& item, OpInputs& call) {
    TIEBREAK_TRY(place, library_.find_op(op_));
    TIEBREAK_TRY(outputs, member(item, "outputs"));
    for (const notation::Operand& result : place.op->results) {
      auto type = shared.types.find(result.name);
      const JsonValue* value = outputs->find(result.name);
      if (type == shared.types.end() || value == nullptr || !type->second.starts_with("!quant")) continue;
      TIEBREAK_TRY(stated, parse_element_text(type->second, shape_of(*value), value->where));
      call.result_types.push_back(stated);
    }
    return {};
  }

  Status add_outputs(const JsonValue& item, const Shared& shared, Observation& observation) {
    TIEBREAK_TRY(reference, library_.find_profile("reference"));
    Result<std::vector<ResultTensor>> results = evaluate(library_, *reference, observation.test.program, observation.test.inputs);
    if (!results) return fail(results.error().code, results.error().what, item.where, results.error().hint);
    const JsonValue& outputs = *item.find("outputs");
    std::vector<std::string> names;
    for (const ResultTensor& result : *results) names.push_back(result.name);
    TIEBREAK_CHECK(check_object(outputs, names));
    for (const ResultTensor& result : *results) {
      TIEBREAK_TRY(value, member(outputs, result.name));
      std::map<std::string, std::string> types = shared.types;
      types.try_emplace(result.name, result.tensor.element().name());
      TIEBREAK_TRY(tensor, read_value(*value, result.name, types));
      if (tensor.shape() != result.tensor.shape() || !(tensor.element() == result.tensor.element()))
        return fail(Errc::type, "output " + result.name + " is " + to_text(tensor.type()) + ", the op gives " + to_text(result.tensor.type()), value->where);
      ResultTensor answer;
      answer.name = result.name;
      answer.tensor = tensor;
      observation.answers.push_back(std::move(answer));
    }
    return {};
  }

  const Library& library_;
  std::string op_;
};

}  // namespace

Result<Evidence> read_observations(const Library& library, const std::string& op, const std::string& path) {
  TIEBREAK_TRY(root, read_json_file(path));
  return Reader(library, op).read(root);
}

}  // namespace tiebreak
