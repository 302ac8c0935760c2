// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score_parameters.hpp"

#include <algorithm>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

/// One value of a quantized type's parameters in place of all.
TensorType with_one_parameter(TensorType type, std::size_t index) {
  if (!type.quantized) return type;
  QuantizedType& quantized = *type.quantized;
  quantized.scales = {quantized.scales[std::min(index, quantized.scales.size() - 1)]};
  quantized.zero_points = {quantized.zero_points[std::min(index, quantized.zero_points.size() - 1)]};
  quantized.dimensions.clear();
  quantized.parameter_shape.clear();
  return type;
}

std::size_t parameter_count(const TensorType& type) { return type.quantized ? type.quantized->scales.size() : 1; }

/// Element `index` alone; a shape of as many ones.
std::optional<Tensor> parameter_element(const Tensor& tensor, std::size_t index, std::size_t parameter) {
  if (tensor.size() == 0) return std::nullopt;
  TensorType type = with_one_parameter(tensor.type(), parameter);
  type.shape.assign(type.shape.size(), 1);
  Result<Tensor> one = Tensor::zeros(std::move(type));
  if (!one) return std::nullopt;
  one->set_code(0, tensor.code(static_cast<std::int64_t>(std::min(index, static_cast<std::size_t>(tensor.size() - 1)))));
  return std::move(*one);
}

/// Types and attributes. A quantized type counts without its scales, which are parameters.
std::string call_kind(const OpCall& call) {
  std::string text;
  const auto add = [&](const TensorType& type) {
    text += type.element.name();
    if (type.quantized)
      text +=
          ":" + type.quantized->storage_min.to_decimal() + ":" + type.quantized->storage_max.to_decimal() + ":" + std::string(type.quantized->expressed.name());
  };
  for (const std::optional<Tensor>& operand : call.operands) {
    text += "|";
    if (operand) add(operand->type());
  }
  for (const std::optional<TensorType>& type : call.result_types) {
    text += "|";
    if (type) add(*type);
  }
  for (const auto& [name, attribute] : call.attributes) text += "|" + name + "=" + to_text(attribute);
  return text;
}

std::string parameters_key(const OpCall& call, const std::vector<bool>& is_parameter) {
  std::string text;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    text += "|";
    if (!call.operands[i]) continue;
    if (is_parameter[i]) text += std::to_string(call.operands[i]->code(0));
    else if (call.operands[i]->type().quantized) text += element_text(call.operands[i]->type());
  }
  for (const std::optional<TensorType>& type : call.result_types) text += "|" + (type && type->quantized ? element_text(*type) : "");
  return text;
}

/// A small generator: the sequence is the same everywhere.
struct Mixer {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
};

constexpr std::size_t sweep_size = 72;

Real scale_at(std::size_t set, std::size_t parameter, const FloatFormat& format) {
  static const std::vector<std::string> decimals{"0.1", "0.05", "0.02", "0.0235", "0.003921569", "0.007874016", "0.3", "0.7", "1.5", "0.00073", "3", "12"};
  Mixer mixer{set * 64 + parameter};
  switch (set % 6) {
    case 0: return parameter == 0 ? Real::power_of_two(static_cast<std::int64_t>(set / 6) - 10) : Real(1);
    case 1: return *Real::parse(decimals[(set / 6 + parameter * 5) % decimals.size()]);
    case 2: return Real::power_of_two(static_cast<std::int64_t>(mixer.next() % 13) - 9);
    case 3:
      if (set == 3) return format.largest();
      if (set == 9) return format.smallest();
      if (set == 15) return format.largest() / Real::power_of_two(10);
      [[fallthrough]];
    default: {
      const Real mantissa(static_cast<std::int64_t>(mixer.next() >> 12 | std::uint64_t{1} << 51));
      return mantissa * Real::power_of_two(static_cast<std::int64_t>(mixer.next() % 12) - 60);
    }
  }
}

Real zero_point_at(std::size_t set, const ElementType& type) {
  // A zero point that is wider than any result's code takes the codes of i8.
  const bool wide = type.bits() > 16;
  const std::int64_t low = wide ? -128 : type.min().to_int64().value_or(0), high = wide ? 127 : type.max().to_int64().value_or(0);
  const std::vector<std::int64_t> values{0, 1, low, high, 3, -1, 2, -7, high / 2, low + 1, high - 1, 5};
  return Real(std::clamp(values[set % values.size()], low, high));
}

}  // namespace

std::string varied_operand(const Library& library, const std::string& op) {
  const Result<Library::OpPlace> place = library.find_op(op);
  if (!place) return "";
  const notation::Structure* structure = notation::structure_of(*place->op);
  return structure != nullptr && structure->path == "elementwise" && structure->arguments.size() == 1 ? structure->arguments[0].name : "";
}

std::vector<SingleCall> single_calls(const Library& library, const OpCall& call, const std::string& varied, const std::set<std::string>& read) {
  const Result<Library::OpPlace> place = library.find_op(call.op);
  std::vector<SingleCall> calls;
  std::set<std::string> known;
  std::vector<bool> is_parameter(call.operands.size(), false);
  std::size_t count = 1;
  for (std::size_t i = 0; i < call.operands.size() && i < place->op->operands.size(); ++i) {
    if (!call.operands[i]) continue;
    const std::string& name = place->op->operands[i].name;
    is_parameter[i] = place->op->operands[i].indexed && name != varied && (read.empty() || read.contains(name));
    if (is_parameter[i]) count = std::max(count, static_cast<std::size_t>(call.operands[i]->size()));
    count = std::max(count, parameter_count(call.operands[i]->type()));
  }
  for (const std::optional<TensorType>& type : call.result_types)
    if (type) count = std::max(count, parameter_count(*type));
  const std::string kind = call_kind(call);
  for (std::size_t k = 0; k < count; ++k) {
    OpCall one{call.op, {}, call.attributes, {}, call.version, call.where};
    bool whole = true;
    for (const std::optional<Tensor>& operand : call.operands) {
      one.operands.push_back(operand ? parameter_element(*operand, is_parameter[one.operands.size()] ? k : 0, k) : std::nullopt);
      whole &= !operand || one.operands.back().has_value();
    }
    for (const std::optional<TensorType>& type : call.result_types) {
      one.result_types.push_back(type);
      if (!type) continue;
      one.result_types.back() = with_one_parameter(*type, k);
      one.result_types.back()->shape.assign(type->shape.size(), 1);
    }
    std::string key = kind + parameters_key(one, is_parameter);
    if (whole && known.insert(key).second) calls.push_back({std::move(one), kind, std::move(key)});
  }
  return calls;
}

std::vector<Real> parameter_values(const Library& library, const OpCall& call, const std::vector<ScalarParameter>& parameters) {
  const Result<Library::OpPlace> place = library.find_op(call.op);
  std::vector<Real> values;
  const auto fact = [](const TensorType& type, const std::string& name) {
    return name == "scale" ? type.quantized->scales.front().value : type.quantized->zero_points.front().value;
  };
  for (const ScalarParameter& one : parameters) {
    const std::size_t dot = one.name.find('.');
    const std::string owner = one.name.substr(0, dot);
    std::optional<Real> found;
    for (std::size_t i = 0; i < call.operands.size() && i < place->op->operands.size(); ++i)
      if (place->op->operands[i].name == owner && call.operands[i])
        found = dot == std::string::npos ? call.operands[i]->value(0) : fact(call.operands[i]->type(), one.name.substr(dot + 1));
    for (std::size_t i = 0; i < call.result_types.size() && i < place->op->results.size(); ++i)
      if (place->op->results[i].name == owner && call.result_types[i] && dot != std::string::npos)
        found = fact(*call.result_types[i], one.name.substr(dot + 1));
    values.push_back(found.value_or(one.value));
  }
  return values;
}

std::vector<std::vector<Real>> parameter_sweep(const std::vector<ScalarParameter>& parameters) {
  std::vector<std::vector<Real>> sets;
  if (parameters.empty()) return sets;
  for (std::size_t set = 0; set < sweep_size; ++set) {
    std::vector<Real> values;
    std::size_t floats = 0;
    for (const ScalarParameter& one : parameters) {
      if (!one.type.is_float()) {
        values.push_back(zero_point_at(set + set / 12, one.type));
        continue;
      }
      // To the nearest value of the format; what the format cannot hold keeps the call's own value.
      const Real wanted = scale_at(set, floats++, one.type.floating());
      const std::optional<Real> rounded = round_to(wanted, one.type.floating(), Rounding::nearest_even, Overflow::saturate);
      values.push_back(rounded ? *rounded : one.value);
    }
    sets.push_back(std::move(values));
  }
  return sets;
}

}  // namespace tiebreak
