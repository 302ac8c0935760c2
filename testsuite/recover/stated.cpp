// SPDX-License-Identifier: Apache-2.0
// Parameters that stand beside the codes: operands of quantized operations, attributes of annotations.
#include <algorithm>

#include "testsuite/recover/recovery.hpp"

namespace tiebreak::recover {
namespace {

std::string numbers_of(const std::vector<Real>& values) { return values.size() == 1 ? exact_text(values[0]) : std::to_string(values.size()) + " values"; }

}  // namespace

/// A constant, or an input of the call that is looked at.
const Tensor* Recovery::parameter_value(ValueId id) const {
  if (const Tensor* constant = constants_.find(id)) return constant;
  const auto place = std::ranges::find(program_.inputs, id);
  const auto index = static_cast<std::size_t>(place - program_.inputs.begin());
  return question_.inputs == nullptr || index >= question_.inputs->size() ? nullptr : &(*question_.inputs)[index];
}

void Recovery::take_parameters(const notation::Op& op, const Operation& operation) {
  for (const ParameterOperand& parameter : parameter_operands(op, operation, program_)) take_parameter(op, operation, parameter);
}

void Recovery::take_parameter(const notation::Op& op, const Operation& operation, const ParameterOperand& parameter) {
  CodeFacts& known = facts(parameter.owner);
  if (known.place.empty()) {
    known.op = operation.op;
    known.place = operation.where;
  }
  if (parameter.real >= 0) (parameter.owner_is_result ? quantized_as_ : dequantized_from_)[parameter.real].insert(parameter.owner);
  if (parameter.real >= 0 && (known.real < 0 || parameter.owner_is_result)) known.real = parameter.real;
  const std::string name = parameter.declaration->name;
  const Tensor* tensor = parameter_value(parameter.parameter);
  if (tensor != nullptr) {
    if (parameter.owner_is_result && !parameter.is_scale && tensor->element().bits() <= 16) elements_.emplace(parameter.owner, tensor->element());
    return take_values(op, operation, parameter, *tensor);
  }
  std::vector<Real>& values = parameter.is_scale ? known.scales : known.zero_points;
  if (parameter.parameter < 0 && parameter.is_scale) return;  // a scale that is left out is 1 in the formula, and nobody says that the codes have it
  if (parameter.parameter < 0 && values.empty()) {
    const auto& stated = parameter.declaration->default_value;
    values = {stated && stated->kind == notation::ExprKind::number ? stated->value : Real(0)};
    return;
  }
  std::string& why = parameter.is_scale ? known.why_no_scale : known.why_no_zero_point;
  if (values.empty() && why.empty()) why = name + " of " + operation.op + (parameter.is_computed ? " is computed while the program runs" : " is no constant");
}

void Recovery::take_values(const notation::Op& op, const Operation& operation, const ParameterOperand& parameter, const Tensor& tensor) {
  CodeFacts& known = facts(parameter.owner);
  std::vector<Real> values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.value(i));
  std::vector<Real>& kept = parameter.is_scale ? known.scales : known.zero_points;
  if (!kept.empty()) {
    if (std::ranges::equal(kept, values, [](const Real& a, const Real& b) { return a == b; })) return;
    lost_.push_back({tensor_name(parameter.owner, known), parameter.is_scale ? "scale" : "zero point",
                     numbers_of(kept) + " for " + known.op + " at " + known.place + ", " + numbers_of(values) + " here", operation.op, operation.where});
    return;
  }
  kept = values;
  known.is_operand = true;
  if (known.from.empty() || parameter.is_scale) known.from = parameter.declaration->name + " of " + operation.op;
  if (values.size() == 1) return;
  const auto rank = rank_of(parameter.owner) ? rank_of(parameter.owner) : known.real >= 0 ? rank_of(known.real) : std::nullopt;
  if (rank && tensor.shape().size() == *rank && *rank > 1) {  // one parameter a block: the tensor of parameters has the owner's rank
    const auto& type = graph_.value(parameter.owner).type;
    known.dimensions.clear();
    known.parameter_shape = tensor.shape();
    for (std::size_t axis = 0; axis < *rank; ++axis)
      known.dimensions.push_back({static_cast<int>(axis), type && tensor.shape()[axis] > 0 ? type->shape[axis] / tensor.shape()[axis] : 1});
    if (!type) known.why_no_axis = "the extents of the tensor are not known, so that nobody can say how large a block is";
    return;
  }
  const auto axis = parameter_axis(op, operation, parameter, rank);
  known.parameter_shape = {tensor.size()};
  if (axis) known.dimensions = {{*axis, 1}};
  else
    known.why_no_axis = parameter.declaration->name + " has " + std::to_string(values.size()) +
                        " values, and the axis is counted from the end of a tensor whose rank is not stated";
}

/// An operation that only carries them: `ndom_scale`, `nclip_min` and `nclip_max` as attributes.
void Recovery::take_annotation(const Operation& operation) {
  const auto number = [&](const char* name) -> std::optional<Real> {
    const auto found = operation.attributes.find(name);
    const auto* value = found == operation.attributes.end() ? nullptr : std::get_if<Real>(&found->second.value);
    return value == nullptr ? std::nullopt : std::optional(*value);
  };
  const auto scale = number("ndom_scale"), low = number("nclip_min"), high = number("nclip_max");
  if (!scale || operation.operands.empty() || operation.operands[0] < 0) return;
  ValueId codes = operation.operands[0];
  int contraction = -1;
  if (const auto chain = chain_of(codes)) {
    contraction = chain->contraction;
    if (chain->codes >= 0 && !chain->is_scaled && !chain->is_rounded) codes = chain->codes;
  }
  CodeFacts& known = facts(codes);
  if (known.scales.empty()) known.scales = {*scale};
  if (known.zero_points.empty()) known.zero_points = {Real(0)};
  if (low && high) known.clip = Range{*low, *high};
  known.from = "ndom_scale of " + operation.op;
  known.op = operation.op;
  known.place = operation.where;
  if (contraction < 0 || contractions_[static_cast<std::size_t>(contraction)].scale.is_known()) return;
  Contraction& sum = contractions_[static_cast<std::size_t>(contraction)];
  sum.scale = one_number(*scale);
  sum.error = error_of(*scale);
  sum.how = exact_text(*scale);
  sum.op = operation.op;
  sum.place = operation.where;
}

}  // namespace tiebreak::recover
