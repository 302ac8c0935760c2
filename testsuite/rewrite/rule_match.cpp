// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rewrite/rule_match.hpp"

#include <algorithm>

#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

using Kind = ParameterPlace::Kind;

class Matcher {
 public:
  Matcher(const MatchQuestion& question, const Program& program)
      : question_(question), before_(question.before), program_(program), producers_(producers_of(program)), own_producers_(producers_of(question.before)) {
    match_.values.assign(before_.values.size(), -1);
    match_.operations.assign(before_.operations.size(), no_operation);
    has_ranks_ = std::ranges::any_of(before_.values, [&](const ProgramValue& value) {
      return value.constant ? !value.constant->shape().empty() : value.type && !value.type->shape.empty();
    });
  }

  std::optional<RuleMatch> at(std::size_t operation) {
    const ValueId wanted = before_.outputs[0];
    const Operation& root = before_.operations[own_producers_[static_cast<std::size_t>(wanted)]];
    const Operation& candidate = program_.operations[operation];
    if (candidate.op != root.op || candidate.results.size() != root.results.size()) return std::nullopt;
    const auto position = std::ranges::find(root.results, wanted) - root.results.begin();
    if (!value(wanted, candidate.results[static_cast<std::size_t>(position)])) return std::nullopt;
    return match_;
  }

 private:
  bool is_open(Kind kind, std::size_t at, const std::string& attribute = {}) const {
    return std::ranges::any_of(question_.open, [&](const auto& parameter) {
      return std::ranges::any_of(parameter.second,
                                 [&](const ParameterPlace& place) { return place.kind == kind && place.at == at && place.attribute == attribute; });
    });
  }

  bool value(ValueId wanted, ValueId found) {
    if (wanted < 0 || found < 0) return wanted == found;
    ValueId& known = match_.values[static_cast<std::size_t>(wanted)];
    if (known >= 0) return known == found || same_constant(known, found);
    if (!type(wanted, found)) return false;
    const std::size_t producer = own_producers_[static_cast<std::size_t>(wanted)];
    if (before_.values[static_cast<std::size_t>(wanted)].constant) {
      if (!constant(wanted, found)) return false;
    } else if (producer != no_operation && !operation(producer, wanted, found)) {
      return false;
    }
    known = found;
    return true;
  }

  /// A program may write one constant several times.
  bool same_constant(ValueId one, ValueId other) const {
    const auto &a = program_.values[static_cast<std::size_t>(one)].constant, &b = program_.values[static_cast<std::size_t>(other)].constant;
    return a && b && same_tensor(*a, *b);
  }

  bool type(ValueId wanted, ValueId found) {
    const auto pattern = type_of_value(before_, wanted), there = type_of_value(program_, found);
    if (!pattern) return true;  // a result whose type its operands give
    if (!there || !(pattern->element == there->element)) return false;
    if (!quantized(wanted, pattern->quantized, there->quantized)) return false;
    if (is_any_value(question_.page, before_.values[static_cast<std::size_t>(wanted)])) return true;
    const bool keeps_shape = question_.page.fixed_shapes || (pattern->shape.empty() && has_ranks_);
    if (keeps_shape && pattern->shape != there->shape) return false;
    match_.shapes[pattern->shape].insert(there->shape);
    return true;
  }

  bool quantized(ValueId wanted, const std::optional<QuantizedType>& pattern, const std::optional<QuantizedType>& there) const {
    if (!pattern || !there) return pattern.has_value() == there.has_value();
    if (!(pattern->storage == there->storage) || !(pattern->expressed == there->expressed) || !pattern->storage_min.identical(there->storage_min) ||
        !pattern->storage_max.identical(there->storage_max) || pattern->dimensions != there->dimensions)
      return false;
    const auto same_scale = [](const Scale& a, const Scale& b) { return a.value.identical(b.value); };
    const auto same_zero_point = [](const ZeroPoint& a, const ZeroPoint& b) { return a.value == b.value; };
    const auto id = static_cast<std::size_t>(wanted);
    return (is_open(Kind::scale, id) || std::ranges::equal(pattern->scales, there->scales, same_scale)) &&
           (is_open(Kind::zero_point, id) || std::ranges::equal(pattern->zero_points, there->zero_points, same_zero_point));
  }

  bool constant(ValueId wanted, ValueId found) const {
    const auto& there = program_.values[static_cast<std::size_t>(found)].constant;
    if (!there) return false;
    if (is_any_value(question_.page, before_.values[static_cast<std::size_t>(wanted)])) return true;
    const Tensor& pattern = *before_.values[static_cast<std::size_t>(wanted)].constant;
    const bool is_compared = !is_open(Kind::constant, static_cast<std::size_t>(wanted));
    if (is_one_number(pattern)) return is_one_number(*there) && (!is_compared || pattern.code(0) == there->code(0));
    if (pattern.shape() != there->shape()) return false;
    for (std::int64_t i = 0; is_compared && i < pattern.size(); ++i)
      if (pattern.code(i) != there->code(i)) return false;
    return true;
  }

  bool operation(std::size_t wanted, ValueId result, ValueId found) {
    const std::size_t producer = producers_[static_cast<std::size_t>(found)];
    if (producer == no_operation) return false;
    const Operation &pattern = before_.operations[wanted], &there = program_.operations[producer];
    if (there.op != pattern.op || there.operands.size() != pattern.operands.size() || there.results.size() != pattern.results.size()) return false;
    if (!there.regions.empty() || !attributes(wanted, there)) return false;
    const auto position = static_cast<std::size_t>(std::ranges::find(pattern.results, result) - pattern.results.begin());
    if (there.results[position] != found) return false;
    match_.operations[wanted] = producer;
    for (std::size_t i = 0; i < pattern.operands.size(); ++i)
      if (!value(pattern.operands[i], there.operands[i])) return false;
    return true;
  }

  bool attributes(std::size_t wanted, const Operation& there) const {
    const AttributeMap& pattern = before_.operations[wanted].attributes;
    const auto is_any = [&](const std::string& name) {
      return std::ranges::find(question_.page.any_attributes, name) != question_.page.any_attributes.end() || is_open(Kind::attribute, wanted, name);
    };
    for (const auto& [name, attribute] : pattern) {
      const auto found = there.attributes.find(name);
      if (is_any(name)) continue;
      if (found == there.attributes.end() || to_text(found->second) != to_text(attribute)) return false;
    }
    return std::ranges::all_of(there.attributes, [&](const auto& one) { return pattern.contains(one.first); });
  }

  const MatchQuestion& question_;
  const Program &before_, &program_;
  std::vector<std::size_t> producers_, own_producers_;
  bool has_ranks_ = false;
  RuleMatch match_{};
};

}  // namespace

std::vector<std::size_t> producers_of(const Program& program) {
  std::vector<std::size_t> producers(program.values.size(), no_operation);
  for (std::size_t o = 0; o < program.operations.size(); ++o)
    for (const ValueId id : program.operations[o].results) producers[static_cast<std::size_t>(id)] = o;
  return producers;
}

bool is_any_value(const RulePage& page, const ProgramValue& value) {
  return value.constant && std::ranges::find(page.any_values, bare_name(value.name)) != page.any_values.end();
}

bool same_tensor(const Tensor& a, const Tensor& b) { return same_type(a.type(), b.type()) && std::ranges::equal(a.bytes(), b.bytes()); }

bool is_one_number(const Tensor& tensor) {
  for (std::int64_t i = 1; i < tensor.size(); ++i)
    if (tensor.code(i) != tensor.code(0)) return false;
  return tensor.size() > 0;
}

Tensor repeated(const Tensor& number, const Shape& shape) {
  TensorType type = number.type();
  type.shape = shape;
  Tensor made = Tensor::zeros(std::move(type)).value_or(number);
  for (std::int64_t i = 0; i < made.size(); ++i) made.set_code(i, number.code(0));
  return made;
}

std::optional<TensorType> type_of_value(const Program& program, ValueId id) {
  const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
  return value.constant ? std::optional(value.constant->type()) : value.type;
}

std::optional<RuleMatch> match_rule(const MatchQuestion& question, const Program& program, std::size_t operation) {
  const std::vector<ValueId>& outputs = question.before.outputs;
  const auto root = std::ranges::find_if(question.before.operations, [&](const Operation& one) { return std::ranges::count(one.results, outputs[0]) > 0; });
  if (root == question.before.operations.end() || root->op != program.operations[operation].op) return std::nullopt;
  return Matcher(question, program).at(operation);
}

}  // namespace tiebreak
