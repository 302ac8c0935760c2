// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/case_input.hpp"

#include "testsuite/case/literal_text.hpp"
#include "testsuite/generate/generate.hpp"

namespace tiebreak {
namespace {

Result<Shape> read_shape(const JsonValue& value) {
  TIEBREAK_CHECK(check_array(value));
  Shape shape;
  for (const JsonValue& extent : value.items) {
    TIEBREAK_TRY(number, integer_of(extent));
    shape.push_back(number);
  }
  if (Result<std::int64_t> count = element_count(shape); !count) return fail(count.error().code, count.error().what, value.where);
  return shape;
}

Result<TensorType> read_type(const JsonValue& object) {
  TIEBREAK_TRY(type_value, member(object, "type"));
  TIEBREAK_TRY(text, string_of(*type_value));
  Shape shape;
  if (const JsonValue* written = object.find("shape")) {
    TIEBREAK_TRY(read, read_shape(*written));
    shape = read;
  } else if (!text.starts_with("tensor<")) {
    return fail(Errc::syntax, "key 'shape' is missing", object.where, "[] for one value");
  }
  return parse_element_text(text, shape, type_value->where);
}

Result<Real> read_number(const JsonValue& value, const ElementType& type) {
  using enum JsonValue::Kind;
  if (value.is(boolean) && type.is_boolean()) return Real(value.truth ? 1 : 0);
  if (!value.is(number) && !value.is(string)) return fail(Errc::syntax, "a number, or a number in quotes, is expected here", value.where);
  Result<Real> read = element_value(value.text, type, value.where);
  if (!read) return fail(read.error().code, read.error().what, value.where, read.error().hint);
  return read;
}

/// Nested lists are read row-major, whatever their nesting.
Status read_numbers(const JsonValue& value, const ElementType& type, std::vector<Real>& numbers) {
  if (!value.is(JsonValue::Kind::array)) {
    TIEBREAK_TRY(v, read_number(value, type));
    numbers.push_back(v);
    return {};
  }
  for (const JsonValue& item : value.items) TIEBREAK_CHECK(read_numbers(item, type, numbers));
  return {};
}

Result<Tensor> read_data(const JsonValue& object, const TensorType& type) {
  const JsonValue& data = *object.find("data");
  TIEBREAK_CHECK(check_array(data));
  std::vector<Real> numbers;
  TIEBREAK_CHECK(read_numbers(data, type.element, numbers));
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  if (static_cast<std::int64_t>(numbers.size()) != tensor.size()) {
    return fail(Errc::type, "data has " + std::to_string(numbers.size()) + " numbers, the shape asks for " + std::to_string(tensor.size()), data.where);
  }
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, *type.element.encode(numbers[static_cast<std::size_t>(i)]));
  return tensor;
}

std::vector<std::string> rule_keys(const InputRule& rule) {
  std::vector<std::string> keys{"type", "shape", "rule", "seed"};
  keys.insert(keys.end(), rule.numbers.begin(), rule.numbers.end());
  keys.insert(keys.end(), rule.operands.begin(), rule.operands.end());
  if (rule.takes_output) keys.emplace_back("output");
  if (rule.takes_stairs) keys.insert(keys.end(), stairs_keys().begin(), stairs_keys().end());
  return keys;
}

using MadeTensors = std::vector<std::pair<const JsonValue*, NamedTensor>>;

class InputReader {
 public:
  InputReader(const JsonValue& object, const AttributeMap& attributes, std::uint64_t seed, const InputContext& context)
      : object_(object), attributes_(attributes), seed_(seed), context_(context) {}

  Result<Tensor> read(const std::string& name, const JsonValue& value, int depth) {
    if (depth > 8) return fail(Errc::syntax, "inputs refer to each other in a circle", value.where);
    for (const auto& [made, tensor] : made_) {
      if (made == &value) return tensor.tensor;
    }
    Result<Tensor> tensor = value.find("rule") != nullptr ? run_rule(name, value, depth) : read_tensor(value);
    if (!tensor && tensor.error().where.empty()) return fail(tensor.error().code, tensor.error().what, value.where, tensor.error().hint);
    if (tensor) made_.emplace_back(&value, NamedTensor{name, *tensor});
    return tensor;
  }

 private:
  Result<Tensor> run_rule(const std::string& name, const JsonValue& value, int depth) {
    TIEBREAK_TRY(word, string_of(*value.find("rule")));
    TIEBREAK_TRY(rule, find_rule(word, value.find("rule")->where));
    TIEBREAK_CHECK(check_object(value, rule_keys(*rule)));
    TIEBREAK_TRY(type, read_type(value));
    InputRequest request{rule->name, type, 1 + seed_, {}, {}, std::nullopt, 1, 0, value.where, std::nullopt};
    if (context_.library != nullptr) request.stop = context_.library->stop();
    if (const JsonValue* seed = value.find("seed")) {
      TIEBREAK_TRY(number, integer_of(*seed));
      request.seed = static_cast<std::uint64_t>(number) + seed_;
    }
    for (const std::string& key : rule->numbers) {
      if (const JsonValue* written = value.find(key)) {
        TIEBREAK_TRY(number, read_number(*written, type.element));
        request.numbers.emplace(key, number);
      }
    }
    if (const JsonValue* written = value.find("output"); written != nullptr) {
      TIEBREAK_TRY(output, string_of(*written));
      request.output = ElementType::parse(output);
      if (!request.output) return fail(Errc::unknown_name, "unknown element type '" + output + "'", written->where);
    }
    if (auto found = attributes_.find("axis"); found != attributes_.end()) request.axis = found->second.as_integer().value_or(request.axis);
    if (auto found = attributes_.find("block_size"); found != attributes_.end()) request.block_size = found->second.as_integer().value_or(0);
    std::map<std::string, Tensor> others;
    for (const std::string& key : rule->operands) {
      if (const JsonValue* written = value.find(key)) TIEBREAK_CHECK(refer(key, *written, depth, others));
    }
    for (const auto& [key, tensor] : others) request.operands.emplace(key, &tensor);
    if (rule->takes_stairs) {
      TIEBREAK_TRY(stairs, read_stairs(value, name, type, context_, attributes_, [&](const std::string& other) { return other_input(other, depth); }));
      request.stairs = std::move(stairs);
    }
    return generate_input(request);
  }

  /// Another input of the case; nothing where the case leaves it out.
  Result<std::optional<Tensor>> other_input(const std::string& name, int depth) {
    const JsonValue* target = object_.find(name);
    if (target == nullptr || !target->is(JsonValue::Kind::object)) return std::optional<Tensor>{};
    TIEBREAK_TRY(tensor, read(name, *target, depth + 1));
    return std::optional<Tensor>(std::move(tensor));
  }

  /// The input that a rule names: {"of": "y_scale"}.
  Status refer(const std::string& key, const JsonValue& written, int depth, std::map<std::string, Tensor>& others) {
    TIEBREAK_TRY(name, string_of(written));
    const JsonValue* target = object_.find(name);
    if (target == nullptr) {
      std::string near = nearest(name, object_.keys);
      return fail(Errc::unknown_name, "there is no input '" + name + "'", written.where, near.empty() ? "" : "did you mean '" + near + "'?");
    }
    TIEBREAK_TRY(tensor, read(name, *target, depth + 1));
    others.emplace(key, tensor);
    return {};
  }

  const JsonValue& object_;
  const AttributeMap& attributes_;
  std::uint64_t seed_;
  const InputContext& context_;
  MadeTensors made_;
};

Result<Real> read_number(const JsonValue& value) {
  auto number = Real::parse(value.text);
  if (!number) number.error().where = value.where;
  return number;
}

Result<Attribute> read_attribute(const JsonValue& value) {
  using enum JsonValue::Kind;
  Attribute attribute;
  if (value.is(boolean)) attribute.value = value.truth;
  if (value.is(string)) attribute.value = value.text;
  if (value.is(number)) {
    TIEBREAK_TRY(number_value, read_number(value));
    attribute.value = number_value;
  }
  if (value.is(array)) {
    AttributeList list;
    for (const JsonValue& item : value.items) {
      TIEBREAK_TRY(read, read_attribute(item));
      list.push_back(read);
    }
    attribute.value = std::move(list);
  }
  if (value.is(object) && value.keys == std::vector<std::string>{"type"}) {
    TIEBREAK_TRY(word, string_of(value.items[0]));
    std::optional<ElementType> type = ElementType::parse(word);
    if (!type) return fail(Errc::unknown_name, "unknown element type '" + word + "'", value.items[0].where);
    attribute.value = *type;
  } else if (value.is(object) && value.keys == std::vector<std::string>{"number"}) {
    // A number that must not pass through JSON's decimals: {"number": "0x1.8p-3"}.
    TIEBREAK_TRY(number_value, read_number(value.items[0]));
    attribute.value = number_value;
  } else if (value.is(object) && value.find("data") != nullptr) {
    TIEBREAK_TRY(tensor, read_tensor(value));
    attribute.value = std::move(tensor);
  } else if (value.is(object)) {
    TIEBREAK_TRY(map, read_attributes(value));
    attribute.value = std::move(map);
  }
  return attribute;
}

}  // namespace

Result<AttributeMap> read_attributes(const JsonValue& object) {
  if (!object.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", object.where);
  AttributeMap attributes;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    TIEBREAK_TRY(attribute, read_attribute(object.items[i]));
    attributes.emplace(object.keys[i], std::move(attribute));
  }
  return attributes;
}

Result<Tensor> read_tensor(const JsonValue& object) {
  TIEBREAK_CHECK(check_object(object, {"type", "shape", "data"}));
  if (object.find("data") == nullptr) return fail(Errc::syntax, "either 'data' or 'rule' is needed", object.where);
  TIEBREAK_TRY(type, read_type(object));
  return read_data(object, type);
}

Result<std::vector<NamedTensor>> read_inputs(const JsonValue& object, const AttributeMap& attributes, std::uint64_t seed, const InputContext& context) {
  if (!object.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", object.where);
  InputReader reader(object, attributes, seed, context);
  std::vector<NamedTensor> inputs;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const JsonValue& value = object.items[i];
    if (value.is(JsonValue::Kind::null)) continue;
    std::vector<const JsonValue*> parts{&value};
    if (value.is(JsonValue::Kind::array)) {  // of a variadic operand
      parts.clear();
      for (const JsonValue& part : value.items) parts.push_back(&part);
    }
    for (const JsonValue* part : parts) {
      TIEBREAK_TRY(tensor, reader.read(object.keys[i], *part, 0));
      inputs.push_back({object.keys[i], std::move(tensor)});
    }
  }
  return inputs;
}

}  // namespace tiebreak
