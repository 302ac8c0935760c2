// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/intermediates.hpp"

#include <bit>
#include <cmath>

#include "interpreter/exact/float_format.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t count_of_gates = 4, place_of_coefficients = 21;  // those of the forget gate

bool is_normalized(const ModelOperator& entry) { return entry.inputs.size() > place_of_coefficients && entry.inputs[place_of_coefficients] >= 0; }

Result<float> scale_of(const Attribute& attribute, const char* name) {
  const Real* number = std::get_if<Real>(&attribute.value);
  const auto rounded = number == nullptr ? std::nullopt : round_to(*number, *find_float_format("f32"));
  const float scale = rounded ? std::bit_cast<float>(static_cast<std::uint32_t>(*encode(*rounded, *find_float_format("f32")))) : 0.0f;
  if (!std::isfinite(scale) || scale <= 0) return fail(Errc::unsupported, std::string(name) + " that is no positive f32");
  return scale;
}

Quantization parameters_with(float scale, std::int64_t zero_point) { return {{scale}, {zero_point}, 0}; }

}  // namespace

Status add_intermediates(const Model& graph, const ModelOperator& entry, const std::string& where, AttributeMap& attributes) {
  if (entry.inputs.empty() || entry.inputs[0] < 0 || graph.tensors[static_cast<std::size_t>(entry.inputs[0])].type.element.is_float()) return {};
  if (entry.intermediates.size() != count_of_gates + 1)
    return fail(Errc::corrupt, "it has " + std::to_string(entry.intermediates.size()) + " intermediates, five are needed", where);
  AttributeList scales;
  for (std::size_t i = 0; i <= count_of_gates; ++i) {
    if (i < count_of_gates && !is_normalized(entry)) continue;
    const auto& parameters = graph.tensors[static_cast<std::size_t>(entry.intermediates[i])].quantization;
    if (!parameters || parameters->scales.size() != 1 || parameters->zero_points.size() != 1)
      return fail(Errc::corrupt, "intermediate " + std::to_string(i) + " has no scale and zero point", where);
    const Attribute scale{Real::from_double(parameters->scales[0])};
    if (i < count_of_gates) scales.push_back(scale);
    else attributes.insert({{"hidden_scale", scale}, {"hidden_zero_point", Attribute{Real(parameters->zero_points[0])}}});
  }
  if (!scales.empty()) attributes.emplace("gate_scales", Attribute{std::move(scales)});
  return {};
}

Result<std::vector<std::optional<Quantization>>> parameters_of_intermediates(const AttributeMap& attributes) {
  std::vector<std::optional<Quantization>> all(count_of_gates + 1);
  const auto gates = attributes.find("gate_scales"), hidden = attributes.find("hidden_scale"), zero = attributes.find("hidden_zero_point");
  if (gates != attributes.end() && !gates->second.is_none()) {
    const auto* list = std::get_if<AttributeList>(&gates->second.value);
    if (list == nullptr || list->size() != count_of_gates) return fail(Errc::unsupported, "gate_scales that are not four numbers");
    for (std::size_t i = 0; i < count_of_gates; ++i) {
      TIEBREAK_TRY(scale, scale_of((*list)[i], "gate_scales"));
      all[i] = parameters_with(scale, 0);
    }
  }
  if (hidden == attributes.end()) return fail(Errc::unsupported, "hidden_scale is not stated");
  TIEBREAK_TRY(scale, scale_of(hidden->second, "hidden_scale"));
  const auto zero_point = zero == attributes.end() ? std::optional<std::int64_t>(0) : zero->second.as_integer();
  if (!zero_point) return fail(Errc::unsupported, "hidden_zero_point that is no whole number");
  all.back() = parameters_with(scale, *zero_point);
  return all;
}

}  // namespace tiebreak::tflite
