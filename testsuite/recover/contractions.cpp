// SPDX-License-Identifier: Apache-2.0
// Sums of products of codes: the scale of the sum is the product of the scales of both operands, so that any two of the three give the third.
#include <algorithm>

#include "interpreter/notation/walk.hpp"
#include "testsuite/recover/recovery.hpp"

namespace tiebreak::recover {
namespace {

bool is_sum_of_products(const notation::Op& op) {
  const notation::Structure* structure = notation::structure_of(op);
  if (structure == nullptr) return false;
  const std::string kind = structure->path.substr(0, structure->path.find('.'));
  return kind == "dot" || kind.ends_with("convolution");
}

}  // namespace

/// The scale that a system had: a power of two where the constants leave one open, else the nearest f32.
Real Recovery::nearest_scale(const Real& number, const Real& error, std::string& how) const {
  const FloatFormat& format = *find_float_format("f32");
  if (!error.is_zero() && Real(0) < number) {
    const Real half = Real(1) / Real(2);
    for (const Real& power : {Real::power_of_two(number.exponent()), Real::power_of_two(number.exponent() + 1)}) {
      const Real off = abs(number / power - Real(1));
      if (half < off || error < off) continue;
      how += ", 2^" + std::to_string(power.exponent());
      return power;
    }
  }
  return round_to(number, format).value_or(number);
}

bool Recovery::contract(const notation::Op& op, const Operation& operation) {
  if (!is_sum_of_products(op) || operation.results.empty()) return false;
  std::vector<ValueId> data;
  const auto values = operand_values(op, operation);
  for (std::size_t i = 0; i < op.operands.size() && data.size() < 2; ++i)
    if (!op.operands[i].optional && !op.operands[i].name.ends_with("scale") && !op.operands[i].name.ends_with("zero_point") && values[i].size() == 1)
      data.push_back(values[i][0]);
  if (data.size() < 2) return false;
  std::set<ValueId> with_zero_point;
  for (const ParameterOperand& parameter : parameter_operands(op, operation, program_))
    if (!parameter.is_scale) with_zero_point.insert(parameter.owner);
  for (const ValueId id : data) {
    const auto element = id < 0 ? std::nullopt : element_of(id);
    const auto& type = id < 0 ? std::nullopt : graph_.value(id).type;
    if (!element || !element->is_integer() || element->bits() > 16 || (type && type->quantized)) return false;
  }
  const ValueId result = operation.results[0];
  if (facts_.contains(result) && !facts_.at(result).scales.empty()) return true;  // it has a scale of its own
  if (const auto element = element_of(result); element && !element->is_integer()) return true;
  for (const ValueId id : data) {
    if (const auto chain = chains_.find(id); chain != chains_.end()) continue;
    CodeFacts& known = facts(id);
    if (known.place.empty()) {
      known.op = operation.op;
      known.place = operation.where;
    }
    if (known.zero_points.empty() && !with_zero_point.contains(id)) known.zero_points = {Real(0)};
  }
  contractions_.push_back({.a = data[0], .b = data[1], .result = result, .operation = &operation});
  elements_.emplace(result, IntegerFormat{true, 32});
  Chain chain{.codes = result, .contraction = static_cast<int>(contractions_.size()) - 1, .is_unit = true};
  Contraction& sum = contractions_.back();
  Real error = 0;
  const auto a = scale_of(sum.a, error), b = scale_of(sum.b, error);
  if (a && b && a->values.size() == 1 && b->values.size() == 1) {
    sum.scale = one_number(a->values[0] * b->values[0]);
    sum.how = name_of(sum.a) + " * " + name_of(sum.b);
    sum.op = operation.op;
    sum.place = operation.where;
    chain.scale = sum.scale;
    chain.is_unit = false;
  }
  chains_[result] = chain;
  return true;
}

/// Of the number that codes stand for.
std::string Recovery::name_of(ValueId id) const {
  const auto chain = chains_.find(id);
  const ValueId codes = chain != chains_.end() && chain->second.codes >= 0 ? chain->second.codes : id;
  const auto known = facts_.find(codes);
  return known == facts_.end() ? graph_.name(codes) : tensor_name(codes, known->second);
}

/// Of codes, and with it how far off it may be.
std::optional<Along> Recovery::scale_of(ValueId id, Real& error) const {
  ValueId codes = id;
  if (const auto chain = chains_.find(id); chain != chains_.end()) {
    if (chain->second.is_unit && !chain->second.scale.is_known()) return std::nullopt;
    if (!chain->second.is_unit) {
      error = error + chain->second.error;
      return chain->second.scale;
    }
    codes = chain->second.codes;
  }
  const auto known = facts_.find(codes);
  if (known == facts_.end() || known->second.scales.empty()) return std::nullopt;
  error = error + Real::power_of_two(-23);
  return Along{known->second.scales, known->second.scales.size() == 1 ? 0 : 1};
}

/// A bias that is no constant, or whose shape is its own: `nn.bias_add(%acc, %bias)`.
void Recovery::add_bias(const Operation& operation) {
  if (operation.operands.size() != 2 || operation.results.size() != 1) return;
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
    const ValueId sum = operation.operands[first], bias = operation.operands[1 - first];
    const auto chain = chains_.find(sum);
    const auto element = sum < 0 ? std::nullopt : element_of(sum);
    if (chain == chains_.end() || chain->second.contraction < 0 || bias < 0 || !element || !element->is_integer() || chains_.contains(bias)) continue;
    if (!is_sum(semantics_, operation, *element)) continue;
    contractions_[static_cast<std::size_t>(chain->second.contraction)].biases.push_back(bias);
    elements_.emplace(operation.results[0], *element);
    chains_[operation.results[0]] = chain->second;
    return;
  }
}

void Recovery::solve_all() {
  for (const Contraction& sum : contractions_) solve(sum);
}

void Recovery::solve(const Contraction& sum) {
  CodeFacts& known = facts(sum.result);
  const bool is_new = known.scales.empty();
  known.real = sum.real;
  if (is_new) {
    known.op = sum.op.empty() ? sum.operation->op : sum.op;
    known.place = sum.place.empty() ? sum.operation->where : sum.place;
  }
  known.zero_points = {Real(0)};
  Real error = 0;
  const auto a = scale_of(sum.a, error), b = scale_of(sum.b, error);
  if (sum.scale.is_known() && is_new) {
    known.scales = sum.scale.values;
    known.from = sum.how;
    if (known.scales.size() > 1) known.parameter_shape = {static_cast<std::int64_t>(known.scales.size())};
    if (known.scales.size() > 1 && rank_of(sum.result)) known.dimensions = {{static_cast<int>(*rank_of(sum.result)) - sum.scale.from_right, 1}};
    else if (known.scales.size() > 1) known.why_no_axis = "the rank of the tensor is not stated";
  } else if (is_new && a && b) {
    known.scales.clear();
    known.why_no_scale = "the product of the scales of its operands, one for each channel; no constant of the program has it";
  } else if (is_new) {
    known.why_no_scale = sum.is_requantized ? "it goes to codes again, and only the quotient of both scales is in the program"
                                            : "no constant multiplies what " + sum.operation->op + " gives";
  }
  if (a && !b) solve_other(sum, sum.a, sum.b);
  if (b && !a) solve_other(sum, sum.b, sum.a);
  for (const ValueId id : {sum.a, sum.b}) {
    const auto chain = chains_.find(id);
    CodeFacts& operand = facts(chain == chains_.end() ? id : chain->second.codes >= 0 ? chain->second.codes : id);
    if (!operand.scales.empty() || !operand.why_no_scale.empty() || operand.stated) continue;
    operand.why_no_scale = sum.scale.is_known()
                               ? "only its product with the scale of " + name_of(id == sum.a ? sum.b : sum.a) + " is in the program, " + sum.how
                               : known.why_no_scale;
  }
  for (const ValueId bias : sum.biases) {
    CodeFacts& added = facts(bias);
    if (!added.scales.empty()) continue;
    added.op = sum.operation->op;
    added.place = graph_.place(bias);
    added.zero_points = {Real(0)};
    added.scales = known.scales;
    added.from = "bias: " + name_of(sum.a) + " * " + name_of(sum.b);
    if (added.scales.empty()) added.why_no_scale = "its scale is that of the sum, which is lost";
    if (added.scales.size() <= 1) continue;
    added.parameter_shape = known.parameter_shape;
    const auto rank = rank_of(bias);
    if (rank && *rank == 1) added.dimensions = {{0, 1}};
    else added.why_no_axis = "the rank of the tensor is not stated";
  }
}

void Recovery::solve_other(const Contraction& sum, ValueId known, ValueId unknown) {
  if (!sum.scale.is_known()) return;
  Real error = sum.error;
  const auto given = scale_of(known, error);
  if (!given || given->values.size() != 1) return;
  const auto chain = chains_.find(unknown);
  const ValueId codes = chain == chains_.end() ? unknown : chain->second.codes;
  if (codes < 0) return;
  CodeFacts& found = facts(codes);
  if (!found.scales.empty() || found.stated) return;
  error = error + Real::power_of_two(-23);
  std::string how;
  for (const Real& scale : sum.scale.values) found.scales.push_back(nearest_scale(scale / given->values[0], error, how));
  found.from = sum.how + " / scale of " + name_of(known) + (sum.scale.values.size() == 1 ? how : "");
  found.op = sum.op;
  found.place = sum.place;
  if (sum.scale.values.size() == 1) return;
  found.parameter_shape = {static_cast<std::int64_t>(sum.scale.values.size())};
  const auto place = semantics_.library.op_place(sum.operation->op);
  const std::vector<notation::Index> channel{{"channel", nullptr}};
  notation::Operand indexed;
  indexed.indices = channel;
  const ParameterOperand parameter{.declaration = &indexed, .owner = codes};
  const auto axis = unknown == sum.b && place ? parameter_axis(*place->op, *sum.operation, parameter, rank_of(codes)) : std::nullopt;
  if (axis) found.dimensions = {{*axis, 1}};
  else found.why_no_axis = "which axis of it makes the channels of the result is not known here";
}

}  // namespace tiebreak::recover
