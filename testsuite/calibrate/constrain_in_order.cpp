// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/constrain_in_order.hpp"

#include <algorithm>

#include "testsuite/calibrate/constrained_types.hpp"
#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

bool is_accumulator(const QuantizedType& type) { return type.storage.bits() == 32; }

}  // namespace

const QuantizedType* ConstrainedInOrder::type_of(ValueId id) const {
  const CalibratedTensor* tensor = id < 0 ? nullptr : found_.find(id);
  return tensor == nullptr ? nullptr : &tensor->parameters.type;
}

Result<std::optional<TensorParameters>> ConstrainedInOrder::parameters_of(const ReachedValue& value, const CodeFormat& codes) {
  if (value.operation == nullptr) return Chosen{};
  return value.is_constant ? of_constant(value) : of_result(value, codes);
}

Result<ConstrainedInOrder::Chosen> ConstrainedInOrder::of_constant(const ReachedValue& value) {
  if (const BiasRule* rule = constraints_.bias_rule(*value.operation, value.operand); rule != nullptr && !rule->of_result) return bias(value, *rule);
  TIEBREAK_TRY(of_accumulator, bias_of_accumulator(value));
  if (of_accumulator) return of_accumulator;
  const AlikeRule* alike = constraints_.alike_rule(*value.operation);
  if (alike != nullptr && !alike->takes_result && value.operand > 0) return same_as(value.id, value.operation->operands[0]);
  return Chosen{};
}

Result<ConstrainedInOrder::Chosen> ConstrainedInOrder::of_result(const ReachedValue& value, const CodeFormat& codes) {
  const Operation& operation = *value.operation;
  if (constraints_.accumulator_rule(program_, operation, value.id) != nullptr) return accumulator(operation, value.id);
  if (const FixedRule* rule = constraints_.fixed_rule(operation)) {
    TIEBREAK_TRY(type, fixed_type(parameters_, rule->function, codes.storage, value.batches.front().element(), bare_name(program_, value.id)));
    return Chosen({bare_name(program_, value.id), std::move(type), "fixed: " + rule->function, {}});
  }
  const AlikeRule* alike = constraints_.alike_rule(operation);
  if (alike != nullptr && !alike->takes_result && !operation.operands.empty()) return same_as(value.id, operation.operands[0]);
  return Chosen{};
}

Result<ConstrainedInOrder::Chosen> ConstrainedInOrder::same_as(ValueId id, ValueId source) const {
  const CalibratedTensor* from = source < 0 ? nullptr : found_.find(source);
  if (from == nullptr || !from->parameters.type.is_per_tensor()) return Chosen{};
  return Chosen({bare_name(program_, id), from->parameters.type, "same as: " + from->parameters.tensor, from->parameters.range});
}

/// Codes of a product in one scale: with a scale for each channel its axis in the result would have to be known.
Result<ConstrainedInOrder::Chosen> ConstrainedInOrder::accumulator(const Operation& product, ValueId id) const {
  if (product.operands.size() < 2) return Chosen{};
  const QuantizedType *x = type_of(product.operands[0]), *w = type_of(product.operands[1]);
  if (x == nullptr || w == nullptr || !x->is_per_tensor() || !w->is_per_tensor()) return Chosen{};
  TIEBREAK_TRY(type, product_type(parameters_, *x, *w, bare_name(program_, id)));
  return Chosen({bare_name(program_, id),
                 std::move(type),
                 "accumulator: " + bare_name(program_, product.operands[0]) + " * " + bare_name(program_, product.operands[1]),
                 {}});
}

Result<ConstrainedInOrder::Chosen> ConstrainedInOrder::bias(const ReachedValue& value, const BiasRule& rule) {
  const Operation& product = *value.operation;
  const QuantizedType *x = product.operands.size() < 2 ? nullptr : type_of(product.operands[0]), *w = x == nullptr ? nullptr : type_of(product.operands[1]);
  if (x == nullptr || w == nullptr || !x->is_per_tensor()) return Chosen{};
  TIEBREAK_TRY(type, product_type(parameters_, *x, *w, bare_name(program_, value.id)));
  TIEBREAK_CHECK(take_limited(value, rule, product, type));
  return Chosen({bare_name(program_, value.id),
                 std::move(type),
                 "bias: " + bare_name(program_, product.operands[0]) + " * " + bare_name(program_, product.operands[1]),
                 {}});
}

/// A constant that is added to an accumulator has its codes.
Result<ConstrainedInOrder::Chosen> ConstrainedInOrder::bias_of_accumulator(const ReachedValue& value) {
  const Operation& add = *value.operation;
  if (add.operands.size() != 2) return Chosen{};
  const ValueId sum = add.operands[1 - value.operand];
  const auto product =
      std::ranges::find_if(program_.operations, [&](const Operation& one) { return std::ranges::find(one.results, sum) != one.results.end(); });
  const BiasRule* rule = product == program_.operations.end() ? nullptr : constraints_.accumulator_rule(program_, *product, sum);
  CalibratedTensor* accumulator = found_.find(sum);
  if (rule == nullptr || accumulator == nullptr || !is_accumulator(accumulator->parameters.type)) return Chosen{};
  QuantizedType type = accumulator->parameters.type;
  TIEBREAK_CHECK(take_limited(value, *rule, *product, type));
  accumulator->parameters.type = type;
  return Chosen({bare_name(program_, value.id), type, "bias" + accumulator->parameters.from.substr(std::string("accumulator").size()), {}});
}

/// Where the bias comes near to the ends of i32 its scale grows, and that of the weights.
Status ConstrainedInOrder::take_limited(const ReachedValue& value, const BiasRule& rule, const Operation& product, QuantizedType& type) {
  if (!rule.limit || !(value.batches.front().element() == *ElementType::parse("f32"))) return {};
  CalibratedTensor* weights = found_.find(product.operands[1]);
  const std::string name = bare_name(program_, value.id);
  TIEBREAK_TRY(limited, limited_bias(parameters_, value.batches.front(), *type_of(product.operands[0]), weights->parameters.type, *rule.limit, name));
  if (!limited.grew) return {};
  if (propagate_)
    return fail(Errc::unsupported, "the bias makes the scale of '" + weights->parameters.tensor + "' larger, which was read with the smaller one", name,
                "--errors none");
  type = limited.bias;
  weights->parameters.type = limited.weights;
  found_.notes.push_back(name + " has codes from " + std::to_string(*rule.limit) + " on: its scale and that of " + weights->parameters.tensor + " are larger");
  return {};
}

void ConstrainedInOrder::settle(const ReachedValue& value) {
  if (value.operation == nullptr || value.is_constant) return;
  const AlikeRule* alike = constraints_.alike_rule(*value.operation);
  const CalibratedTensor* result = found_.find(value.id);
  if (alike == nullptr || !alike->takes_result || result == nullptr) return;
  const TensorParameters taken = result->parameters;
  for (const ValueId id : value.operation->operands) {
    CalibratedTensor* operand = id < 0 ? nullptr : found_.find(id);
    if (operand == nullptr || same_parameters(operand->parameters.type, taken.type)) continue;
    if (operand->is_constant && !propagate_) operand->parameters = {operand->parameters.tensor, taken.type, "same as: " + taken.tensor, taken.range};
    else found_.notes.push_back(operand->parameters.tensor + " is requantized to the parameters of " + taken.tensor);
  }
}

}  // namespace tiebreak
