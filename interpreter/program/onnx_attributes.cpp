// SPDX-License-Identifier: Apache-2.0
// AttributeProto and Attribute.
#include <algorithm>
#include <array>

#include "interpreter/program/onnx_proto.hpp"

namespace tiebreak::onnx_format {
namespace {

bool holds_element_type(const std::string& name) { return name == "output_dtype" || name == "precision" || name == "to" || name == "dtype"; }

/// Attributes that ONNX types as floats, in every operator and opset that has them: a whole value such as 1 must still be written as one.
bool holds_floats(const std::string& op, const std::string& name) {
  constexpr std::array<std::string_view, 31> names{"activation_alpha",
                                                   "activation_beta",
                                                   "alpha",
                                                   "beta",
                                                   "bias",
                                                   "clip",
                                                   "cubic_coeff_a",
                                                   "epsilon",
                                                   "extrapolation_value",
                                                   "gamma",
                                                   "height_scale",
                                                   "high",
                                                   "lambd",
                                                   "low",
                                                   "max",
                                                   "mean",
                                                   "min",
                                                   "momentum",
                                                   "norm_coefficient",
                                                   "ratio",
                                                   "scale",
                                                   "scales",
                                                   "seed",
                                                   "softcap",
                                                   "spatial_scale",
                                                   "value",
                                                   "value_float",
                                                   "value_floats",
                                                   "weights",
                                                   "width_scale",
                                                   "mask_filter_value"};
  if (name == "seed" && op == "onnx.Dropout") return false;  // the one name that is a float in some operators and a whole number in another
  return std::find(names.begin(), names.end(), name) != names.end();
}

Real exact(float v) { return Real::from_double(static_cast<double>(v)); }

/// The type field, or what is filled where an old file has none.
int type_of(const onnx::AttributeProto& proto) {
  using Proto = onnx::AttributeProto;
  if (proto.type() != Proto::UNDEFINED) return proto.type();
  if (proto.has_f()) return Proto::FLOAT;
  if (proto.has_i()) return Proto::INT;
  if (proto.has_s()) return Proto::STRING;
  if (proto.has_t()) return Proto::TENSOR;
  if (proto.has_g()) return Proto::GRAPH;
  if (proto.floats_size() > 0) return Proto::FLOATS;
  if (proto.ints_size() > 0) return Proto::INTS;
  if (proto.strings_size() > 0) return Proto::STRINGS;
  return Proto::UNDEFINED;
}

Result<Attribute> read_integer(const onnx::AttributeProto& proto, const std::string& name, const std::string& where) {
  if (!holds_element_type(name)) return Attribute{Real(static_cast<std::int64_t>(proto.i()))};
  if (proto.i() == 0) return Attribute{};
  if (const auto element = element_of(proto.i())) return Attribute{*element};
  return fail(Errc::unsupported, "the data type " + std::to_string(proto.i()) + " is not supported", where);
}

bool exact_float(const Real& number) {
  if (!number.is_finite()) return true;
  const Real kept = exact(static_cast<float>(std::clamp(number.to_double(), -3.4028234663852886e38, 3.4028234663852886e38)));
  return kept == number;
}

Status write_number(const Real& number, bool is_float, onnx::AttributeProto& proto, const std::string& where) {
  if (number.to_int64() && !is_float) {
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(*number.to_int64());
    return {};
  }
  if (!exact_float(number)) return fail(Errc::type, number.to_decimal() + " is not a value of f32", where);
  proto.set_type(onnx::AttributeProto::FLOAT);
  proto.set_f(static_cast<float>(number.to_double()));
  return {};
}

Status write_numbers(const AttributeList& list, bool are_floats, onnx::AttributeProto& proto, const std::string& where) {
  const bool whole = !are_floats && std::all_of(list.begin(), list.end(), [](const Attribute& item) { return item.as_integer().has_value(); });
  proto.set_type(whole ? onnx::AttributeProto::INTS : onnx::AttributeProto::FLOATS);
  for (const Attribute& item : list) {
    const Real* number = std::get_if<Real>(&item.value);
    if (whole) {
      proto.add_ints(*item.as_integer());
    } else if (number && exact_float(*number)) {
      proto.add_floats(static_cast<float>(number->to_double()));
    } else {
      return fail(Errc::type, "a list holds " + to_text(item) + ", which is not a value of f32", where);
    }
  }
  return {};
}

Status write_list(const AttributeList& list, bool are_floats, onnx::AttributeProto& proto, const std::string& where) {
  if (list.empty() || std::holds_alternative<Real>(list.front().value) || std::holds_alternative<bool>(list.front().value)) {
    return write_numbers(list, are_floats, proto, where);
  }
  const bool texts = std::holds_alternative<std::string>(list.front().value);
  proto.set_type(texts ? onnx::AttributeProto::STRINGS : onnx::AttributeProto::TENSORS);
  for (const Attribute& item : list) {
    const Tensor* tensor = std::get_if<Tensor>(&item.value);
    if (const auto text = item.as_string(); texts && text) {
      proto.add_strings(*text);
    } else if (tensor && !texts) {
      TIEBREAK_CHECK(write_tensor(*tensor, "", *proto.add_tensors(), where));
    } else {
      return fail(Errc::unsupported, "a list of numbers, strings or tensors is expected", where);
    }
  }
  return {};
}

}  // namespace

/// If is the only operator of ONNX with two.
std::vector<std::string> graph_attributes(const std::string& op) {
  if (op == "onnx.If") return {"then_branch", "else_branch"};
  return {"body"};
}

Result<Attribute> read_attribute(const onnx::AttributeProto& proto, const std::string& name, const std::string& where) {
  using Proto = onnx::AttributeProto;
  const std::string place = where + ": attribute '" + shown(name) + "'";
  if (name.empty()) return fail(Errc::corrupt, "an attribute without a name", place);
  AttributeList list;
  switch (type_of(proto)) {
    case Proto::FLOAT: return Attribute{exact(proto.f())};
    case Proto::INT: return read_integer(proto, name, place);
    case Proto::STRING: return Attribute{proto.s()};
    case Proto::TENSOR: {
      TIEBREAK_TRY(tensor, read_tensor(proto.t(), place));
      return Attribute{std::move(tensor)};
    }
    case Proto::FLOATS:
      for (float v : proto.floats()) list.push_back(Attribute{exact(v)});
      return Attribute{std::move(list)};
    case Proto::INTS:
      for (std::int64_t v : proto.ints()) list.push_back(Attribute{Real(v)});
      return Attribute{std::move(list)};
    case Proto::STRINGS:
      for (const std::string& v : proto.strings()) list.push_back(Attribute{v});
      return Attribute{std::move(list)};
    case Proto::TENSORS:
      for (const onnx::TensorProto& v : proto.tensors()) {
        TIEBREAK_TRY(tensor, read_tensor(v, place));
        list.push_back(Attribute{std::move(tensor)});
      }
      return Attribute{std::move(list)};
    case Proto::GRAPHS: return fail(Errc::unsupported, "lists of graphs are not supported", place);
    case Proto::GRAPH:  // one that has none: those that have are regions
    case Proto::UNDEFINED: return fail(Errc::corrupt, "an attribute without a type", place);
    default: return fail(Errc::unsupported, "sparse tensors and types are not supported as attributes", place);
  }
}

Status write_attribute(const std::string& op, const std::string& name, const Attribute& attribute, onnx::AttributeProto& proto, const std::string& where) {
  const std::string place = where + ": attribute '" + name + "'";
  const bool is_float = holds_floats(op, name);
  proto.set_name(name);
  if (const Real* number = std::get_if<Real>(&attribute.value)) return write_number(*number, is_float, proto, place);
  if (const bool* truth = std::get_if<bool>(&attribute.value)) return write_number(Real(*truth ? 1 : 0), is_float, proto, place);
  if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value)) return write_list(*list, is_float, proto, place);
  if (const std::string* text = std::get_if<std::string>(&attribute.value)) {
    proto.set_type(onnx::AttributeProto::STRING);
    proto.set_s(*text);
    return {};
  }
  if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value)) {
    proto.set_type(onnx::AttributeProto::TENSOR);
    return write_tensor(*tensor, name, *proto.mutable_t(), place);
  }
  if (const ElementType* element = std::get_if<ElementType>(&attribute.value)) {
    const int number = data_type_of(*element);
    if (number == 0) return fail(Errc::unsupported, "ONNX has no type for " + element->name(), place);
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(number);
    return {};
  }
  return fail(Errc::unsupported, "ONNX has no attribute for " + to_text(attribute), place);
}

}  // namespace tiebreak::onnx_format
