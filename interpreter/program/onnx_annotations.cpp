// SPDX-License-Identifier: Apache-2.0
// quantization_annotation of a graph: the tensors that hold the scale and the zero point of a tensor. ONNX has no place there for a clip range, an axis
// or where they come from: those stay behind when a program is written.
#include <algorithm>
#include <set>

#include "interpreter/program/onnx_proto.hpp"

namespace tiebreak::onnx_format {
namespace {

constexpr const char* scale_key = "SCALE_TENSOR";
constexpr const char* zero_point_key = "ZERO_POINT_TENSOR";

/// A number, or a list of them; the name of a tensor whose values only a run knows.
Attribute numbers_of(const ProgramValue& value) {
  if (!value.constant) return Attribute{value.name};
  AttributeList numbers;
  for (std::int64_t i = 0; i < value.constant->size(); ++i) numbers.push_back({value.constant->value(i)});
  return value.constant->shape().empty() && numbers.size() == 1 ? numbers[0] : Attribute{numbers};
}

std::optional<std::vector<Real>> reals_of(const Attribute& attribute) {
  if (const Real* number = std::get_if<Real>(&attribute.value)) return std::vector{*number};
  const AttributeList* list = std::get_if<AttributeList>(&attribute.value);
  if (list == nullptr) return std::nullopt;
  std::vector<Real> numbers;
  for (const Attribute& item : *list) {
    const Real* number = std::get_if<Real>(&item.value);
    if (number == nullptr) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// The numbers in the first of these types that has all of them.
std::optional<Tensor> tensor_of(const Attribute& attribute, const std::vector<ElementType>& types) {
  const auto numbers = reals_of(attribute);
  if (!numbers) return std::nullopt;
  const Shape shape = std::holds_alternative<Real>(attribute.value) ? Shape{} : Shape{static_cast<std::int64_t>(numbers->size())};
  for (const ElementType& type : types) {
    if (!std::ranges::all_of(*numbers, [&](const Real& number) { return type.encode(number).has_value(); })) continue;
    auto tensor = Tensor::zeros(TensorType{type, shape});
    if (!tensor) return std::nullopt;
    for (std::size_t i = 0; i < numbers->size(); ++i) tensor->set_code(static_cast<std::int64_t>(i), *type.encode((*numbers)[i]));
    return std::move(*tensor);
  }
  return std::nullopt;
}

/// Writes the tensors that an annotation names as initializers. A constant of the program that is the same tensor under the same name serves as well.
class AnnotationWriter {
 public:
  AnnotationWriter(const Program& program, const std::vector<std::string>& names, onnx::GraphProto& graph)
      : program_(program), names_(names), graph_(graph), taken_(names.begin(), names.end()) {}

  Status run() {
    for (std::size_t id = 0; id < program_.values.size(); ++id) {
      if (!program_.values[id].quantize_info.empty()) TIEBREAK_CHECK(write(id));
    }
    return {};
  }

 private:
  Status write(std::size_t id) {
    const ProgramValue& value = program_.values[id];
    TIEBREAK_TRY(scale, named(id, "scale", {*ElementType::parse("f32"), *ElementType::parse("f64")}));
    if (scale.empty()) return {};
    std::vector<ElementType> codes;
    if (const auto storage = value.quantize_info.find("storage"); storage != value.quantize_info.end()) {
      if (const ElementType* type = std::get_if<ElementType>(&storage->second.value)) codes.push_back(*type);
    }
    if (value.type && value.type->element.is_integer()) codes.push_back(value.type->element);
    for (const char* word : {"i8", "u8", "i32"}) codes.push_back(*ElementType::parse(word));
    TIEBREAK_TRY(zero_point, named(id, "zero_point", codes));
    onnx::TensorAnnotation& annotation = *graph_.add_quantization_annotation();
    annotation.set_tensor_name(names_[id]);
    const auto add = [&](const char* key, const std::string& name) {
      if (name.empty()) return;
      auto& entry = *annotation.add_quant_parameter_tensor_names();
      entry.set_key(key);
      entry.set_value(name);
    };
    add(scale_key, scale);
    add(zero_point_key, zero_point);
    return {};
  }

  /// The name of the tensor that holds one part of an annotation, "" where it is not stated.
  Result<std::string> named(std::size_t id, const std::string& part, const std::vector<ElementType>& types) {
    const auto found = program_.values[id].quantize_info.find(part);
    if (found == program_.values[id].quantize_info.end()) return std::string();
    if (const auto tensor_name = found->second.as_string()) return name_of(*tensor_name);
    const auto tensor = tensor_of(found->second, types);
    if (!tensor) return std::string();
    const std::string stem = names_[id] + "." + part;
    std::string name = stem;
    for (int next = 1; taken_.contains(name); name = stem + "_" + std::to_string(next++)) {
      if (is_same(name, *tensor)) return name;
    }
    taken_.insert(name);
    TIEBREAK_CHECK(write_tensor(*tensor, name, *graph_.add_initializer(), program_.file));
    return name;
  }

  /// Of a value by the name that it has in the program.
  std::string name_of(const std::string& wanted) const {
    for (std::size_t id = 0; id < program_.values.size(); ++id) {
      if (program_.values[id].name == wanted) return names_[id];
    }
    return "";
  }

  bool is_same(const std::string& name, const Tensor& tensor) const {
    const auto place = std::ranges::find(names_, name);
    if (place == names_.end()) return false;
    const auto& constant = program_.values[static_cast<std::size_t>(place - names_.begin())].constant;
    return constant && same_type(constant->type(), tensor.type()) && std::ranges::equal(constant->bytes(), tensor.bytes());
  }

  const Program& program_;
  const std::vector<std::string>& names_;
  onnx::GraphProto& graph_;
  std::set<std::string> taken_;
};

}  // namespace

Status read_annotations(const onnx::GraphProto& graph, const std::map<std::string, ValueId>& names, Program& program) {
  const auto value_of = [&](const std::string& name, const std::string& where) -> Result<ProgramValue*> {
    const auto found = names.find(name);
    if (found == names.end()) return fail(Errc::corrupt, "a quantization annotation names '" + shown(name) + "', which is not defined", where);
    return &program.values[static_cast<std::size_t>(found->second)];
  };
  for (const onnx::TensorAnnotation& annotation : graph.quantization_annotation()) {
    const std::string where = program.file + ": annotation of '" + shown(annotation.tensor_name()) + "'";
    TIEBREAK_TRY(value, value_of(annotation.tensor_name(), where));
    if (!value->quantize_info.empty()) return fail(Errc::corrupt, "'" + shown(annotation.tensor_name()) + "' has two quantization annotations", where);
    for (const auto& entry : annotation.quant_parameter_tensor_names()) {
      const bool is_scale = entry.key() == scale_key;
      if (!is_scale && entry.key() != zero_point_key) continue;  // ONNX defines these two
      TIEBREAK_TRY(parameter, value_of(entry.value(), where));
      value->quantize_info[is_scale ? "scale" : "zero_point"] = numbers_of(*parameter);
      if (!is_scale && parameter->type && parameter->type->element.is_integer()) value->quantize_info["storage"] = Attribute{parameter->type->element};
    }
  }
  return {};
}

Status write_annotations(const Program& program, const std::vector<std::string>& names, onnx::GraphProto& graph) {
  return AnnotationWriter(program, names, graph).run();
}

}  // namespace tiebreak::onnx_format
