// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/type_of_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "testsuite/candidates/semantics_word.hpp"

namespace tiebreak {
namespace {

Result<Tensor> ends_of_ranges(const std::vector<Provided>& provided, const ElementType& element, bool upper, const std::string& where) {
  TIEBREAK_TRY(tensor, Tensor::zeros({.element = element, .shape = {static_cast<std::int64_t>(provided.size())}}));
  for (std::size_t i = 0; i < provided.size(); ++i) {
    const Real& end = upper ? provided[i].range->second : provided[i].range->first;
    // A user's program may answer what the tensor's format does not hold.
    const double near = end.to_double();
    const auto code = element.encode(Real::from_double(element.bits() == 32 ? static_cast<double>(static_cast<float>(near)) : near));
    if (!code) return fail(Errc::type, "the range's end " + end.to_decimal() + " is no value of " + element.name(), where);
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  return std::move(tensor);
}

Status derive(const Semantics& semantics, const std::vector<Provided>& provided, const ElementType& expressed, const CodeFormat& format,
              const std::string& where, QuantizedType& type) {
  const ElementType element = *ElementType::parse(expressed.bits() > 32 ? "f64" : "f32");
  TIEBREAK_TRY(low, ends_of_ranges(provided, element, false, where));
  TIEBREAK_TRY(high, ends_of_ranges(provided, element, true, where));
  OpCall call{.op = "quant.parameters", .operands = {std::move(low), std::move(high)}, .where = where};
  call.attributes["storage"] = Attribute{format.storage};
  call.attributes["narrow"] = Attribute{Real(format.narrow ? 1 : 0)};
  TIEBREAK_TRY(results, evaluate(semantics, call));
  for (std::int64_t i = 0; i < results[0].tensor.size(); ++i) {
    const Real scale = results[0].tensor.value(i);
    if (results[0].is_undefined(i) || results[1].is_undefined(i) || scale.sign() <= 0)
      return fail(Errc::type,
                  fmt::format("the range [{}, {}] has no scale under profile {}", call.operands[0]->value(i).to_decimal(),
                              call.operands[1]->value(i).to_decimal(), semantics.profile.name),
                  where, "a profile that says what an empty range gives: --profile onnxruntime-tool");
    type.scales.push_back({scale});
    type.zero_points.push_back({results[1].tensor.value(i)});
  }
  return {};
}

}  // namespace

bool same_parameters(const QuantizedType& a, const QuantizedType& b) {
  const auto same = [](const auto& x, const auto& y) { return x.value == y.value; };
  return a.storage == b.storage && a.storage_min == b.storage_min && a.storage_max == b.storage_max && a.dimensions == b.dimensions &&
         std::ranges::equal(a.scales, b.scales, same) && std::ranges::equal(a.zero_points, b.zero_points, same);
}

ParameterPlaces places_along(int axis, std::size_t count) {
  if (axis < 0) return {};
  return {{{axis, 1}}, {static_cast<std::int64_t>(count)}};
}

Result<QuantizedType> type_of_ranges(const Semantics& parameters, const std::vector<Provided>& provided, const ElementType& expressed, const CodeFormat& format,
                                     const ParameterPlaces& places, const std::string& where) {
  QuantizedType type{format.storage, format.storage.min(), format.storage.max(), expressed, places.dimensions, places.shape, {}, {}};
  if (format.narrow) type.storage_min = type.storage_min + Real(1);
  if (!provided.empty() && provided.front().range) {
    const Profile used = format.symmetric ? with_choice(parameters.profile, "quant.parameters/widening", "symmetric") : parameters.profile;
    TIEBREAK_CHECK(derive({parameters.library, used}, provided, expressed, format, where, type));
  } else {
    for (const Provided& one : provided) {
      type.scales.push_back({one.parameters->first});
      type.zero_points.push_back({one.parameters->second});
    }
  }
  for (const ZeroPoint& zero : type.zero_points)
    if (zero.value < type.storage_min || zero.value > type.storage_max)
      return fail(Errc::type, "the zero point " + zero.value.to_decimal() + " is no code of " + format.storage.name(), where);
  return type;
}

}  // namespace tiebreak
