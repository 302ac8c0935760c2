// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testsuite/recover/recovery.hpp"

namespace tiebreak {
namespace recover {

/// The name of the number that the codes stand for: `x` of `x.q`, what is quantized, what is dequantized.
std::string Recovery::tensor_name(ValueId id, const CodeFacts& known) const {
  const std::string codes = graph_.name(id);
  if (codes.ends_with(".q") && codes.size() > 2) return codes.substr(0, codes.size() - 2);
  return known.real >= 0 ? graph_.name(known.real) : codes;
}

std::optional<QuantizedType> Recovery::type_of(ValueId id, const CodeFacts& known, std::string& why) const {
  if (!known.why_no_storage.empty()) {
    why = known.why_no_storage;
    return std::nullopt;
  }
  if (known.stated) return known.stated;
  const auto element = known.storage ? known.storage : element_of(id);
  if (!element) {
    why = "the element type of the codes is not stated";
    return std::nullopt;
  }
  if (!element->is_integer()) {
    why =
        "its codes are " + element->name() + ", which a quantized type cannot store; scale " + (known.scales.empty() ? "unknown" : exact_text(known.scales[0]));
    return std::nullopt;
  }
  QuantizedType type;
  type.storage = *element;
  type.storage_min = known.clip ? std::max(known.clip->low, element->min(), [](const Real& a, const Real& b) { return a < b; }) : element->min();
  type.storage_max = known.clip ? std::min(known.clip->high, element->max(), [](const Real& a, const Real& b) { return a < b; }) : element->max();
  const auto expressed = known.real >= 0 ? element_of(known.real) : std::nullopt;
  type.expressed = expressed && expressed->is_float() ? *expressed : *ElementType::parse("f32");
  const std::size_t count = std::max(known.scales.size(), known.zero_points.size());
  for (std::size_t i = 0; i < count; ++i) {
    type.scales.push_back({known.scales.size() == 1 ? known.scales[0] : known.scales[std::min(i, known.scales.size() - 1)]});
    type.zero_points.push_back({known.zero_points.size() == 1 ? known.zero_points[0] : known.zero_points[std::min(i, known.zero_points.size() - 1)]});
  }
  if (count > 1) {
    type.dimensions = known.dimensions;
    type.parameter_shape = known.parameter_shape;
  }
  Shape open(16, open_dimension);
  if (const auto status = check_quantized_type(type, open, ""); !status) {
    why = status.error().what;
    return std::nullopt;
  }
  return type;
}

void Recovery::add_result(RecoveredParameters& found, std::set<std::string>& names, ValueId id, const CodeFacts& known) const {
  std::string name = tensor_name(id, known);
  const auto lose = [&](const char* what, const std::string& why) { found.lost.push_back({name, what, why, known.op, known.place}); };
  const bool has_none = known.stated && known.stated->scales.empty();
  const bool no_scale = has_none || (!known.stated && known.scales.empty()), no_zero = has_none || (!known.stated && known.zero_points.empty());
  if (no_scale) lose("scale", known.why_no_scale.empty() ? "no operation of the program has it" : known.why_no_scale);
  if (no_zero) lose("zero point", known.why_no_zero_point.empty() ? "no operation of the program has it" : known.why_no_zero_point);
  if (!known.why_no_axis.empty() && !no_scale) lose("axis", known.why_no_axis);
  if (no_scale || no_zero || !known.why_no_axis.empty()) return;
  std::string why;
  const auto type = type_of(id, known, why);
  if (!type) return lose("storage", why);
  const std::string word = to_text(*type);
  const bool is_derived = known.is_annotated || known.from.starts_with("same as:") || known.from.starts_with("bias:");
  TensorParameters parameters{name, *type, is_derived ? known.from : "recovered: " + known.from, known.calibrated};
  found.values.emplace(id, parameters);
  // One number may have several codes, and the codes several names: the first is kept where they agree.
  for (const RecoveredTensor& earlier : found.tensors)
    if (earlier.parameters.tensor == name && to_text(earlier.parameters.type) == word) return;
  if (names.contains(name)) name = graph_.name(id);
  for (int copy = 2; names.contains(name); ++copy) name = graph_.name(id) + "." + std::to_string(copy);
  names.insert(name);
  parameters.tensor = name;
  found.tensors.push_back({parameters, known.real == id ? "" : graph_.name(id), known.place});
}

RecoveredParameters Recovery::results() const {
  RecoveredParameters found{program_.file};
  std::set<std::string> names;
  for (const auto& [id, known] : facts_) {
    const bool is_nothing = !known.stated && known.scales.empty() && known.zero_points.empty() && known.why_no_scale.empty() && known.why_no_zero_point.empty();
    if (!is_nothing) add_result(found, names, id, known);
  }
  for (const RecoveredTensor& grid : grids_)
    if (names.insert(grid.parameters.tensor).second) found.tensors.push_back(grid);
  found.lost.insert(found.lost.end(), lost_.begin(), lost_.end());
  return found;
}

}  // namespace recover

ParameterSet RecoveredParameters::set() const {
  ParameterSet made{model, {}};
  for (const RecoveredTensor& tensor : tensors) made.tensors.push_back(tensor.parameters);
  return made;
}

}  // namespace tiebreak
