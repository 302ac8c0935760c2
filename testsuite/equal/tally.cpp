// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/tally.hpp"

#include <bit>
#include <cmath>

#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// A place in the order of the type: two's complement for integers, sign and magnitude for floats.
Wide place_of(const ElementType& type, std::uint64_t code) {
  const int bits = type.bits();
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  if (type.is_integer()) {
    if (!type.integer().is_signed || (code & sign) == 0) return Wide{code};
    return Wide{code} - (Wide{1} << bits);
  }
  if (type.is_boolean() || !type.floating().is_signed() || (code & sign) == 0) return Wide{code};
  return -Wide{code & (sign - 1)} - (type.floating().has_negative_zero() ? 1 : 0);
}

double magnitude(const Columns& columns, std::int64_t input) {
  double sum = 0;
  for (const auto& [leaf, column] : columns) sum += magnitude_of(column.value(input));
  return sum;
}

}  // namespace

bool at_end(const Tensor& tensor, std::int64_t element) {
  const TensorType& type = tensor.type();
  const Real value = tensor.value(element);
  return value == (type.quantized ? type.quantized->storage_min : type.element.min()) ||
         value == (type.quantized ? type.quantized->storage_max : type.element.max());
}

bool same_result(const ElementType& type, std::uint64_t a, std::uint64_t b) {
  if (a == b) return true;
  return type.is_float() && type.decode(a).is_nan() && type.decode(b).is_nan();
}

double magnitude_of(const Real& value) { return value.is_nan() ? HUGE_VAL : std::fabs(value.to_double()); }

Wide code_distance(const ElementType& type, std::uint64_t from, std::uint64_t to) { return place_of(type, to) - place_of(type, from); }

std::string result_text(const ResultTensor& result, std::int64_t element) {
  return result.is_undefined(element) ? "undefined" : value_text(result.tensor.value(element));
}

ElementWitness witness_at(const std::vector<Tensor>& tensors, const std::vector<InputRole>& roles, std::int64_t element) {
  ElementWitness witness;
  witness.element = element;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    for (std::int64_t e = 0; e < tensors[i].size() && roles[i] != InputRole::fixed; ++e) {
      if (e > 0 && roles[i] == InputRole::shared) break;
      witness.inputs.emplace_back(Leaf{i, e}, tensors[i].value(e));
      witness.magnitude += magnitude_of(tensors[i].value(e));
    }
  return witness;
}

ElementWitness witness_of(const std::vector<Tensor>& tensors, const std::vector<InputRole>& roles, const ResultTensor& first, const ResultTensor& second,
                          std::int64_t element) {
  ElementWitness witness = witness_at(tensors, roles, element);
  witness.first = result_text(first, element);
  witness.second = result_text(second, element);
  return witness;
}

void count_difference(const Tensor& first, const Tensor& second, std::int64_t element, ElementVerdict& verdict) {
  const Wide distance = code_distance(first.element(), first.code(element), second.code(element));
  ++verdict.differing;
  verdict.saturated += at_end(first, element) || at_end(second, element) ? 1 : 0;
  verdict.minus_one += distance == -1 ? 1 : 0;
  verdict.plus_one += distance == 1 ? 1 : 0;
  verdict.largest = std::max(verdict.largest, distance < 0 ? -distance : distance);
}

void Tally::differs(const ResultTensor& first, const ResultTensor& second, const Columns& columns, std::int64_t input) {
  count_difference(first.tensor, second.tensor, input, into_);
  const double size = magnitude(columns, input);
  const bool is_smaller = !into_.witness || size < into_.witness->magnitude;
  // Of the first ones all, later ones spread over what is left.
  const auto number = static_cast<std::uint64_t>(into_.differing);
  const bool is_kept = into_.some.size() < most_kept || (number & (number - 1)) == 0;
  if (!is_smaller && !is_kept) return;
  ElementWitness witness;
  witness.magnitude = size;
  for (const auto& [leaf, column] : columns) witness.inputs.emplace_back(leaf, column.value(input));
  witness.first = result_text(first, input);
  witness.second = result_text(second, input);
  if (into_.some.size() < most_kept) into_.some.push_back(witness);
  else if (is_kept) into_.some[number % most_kept == 0 ? static_cast<std::size_t>(std::countr_zero(number)) % most_kept : 0] = witness;
  if (is_smaller) into_.witness = std::move(witness);
}

Status Tally::add(const ElementFormula& first, const ElementFormula& second, const Columns& columns, std::int64_t count) {
  TIEBREAK_CHECK(first.formula.stop.check());
  TIEBREAK_TRY(a, evaluate_columns(first, columns, count));
  TIEBREAK_TRY(b, evaluate_columns(second, columns, count));
  const ElementType& type = a.tensor.element();
  into_.inputs += count;
  for (std::int64_t i = 0; i < count; ++i) {
    if (a.is_undefined(i) || b.is_undefined(i)) ++into_.undefined;
    else if (!same_result(type, a.tensor.code(i), b.tensor.code(i))) differs(a, b, columns, i);
  }
  return {};
}

}  // namespace tiebreak
