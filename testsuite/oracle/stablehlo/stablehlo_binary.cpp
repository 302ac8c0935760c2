// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_binary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "testsuite/oracle/fixed_point.hpp"
#include "testsuite/oracle/float_oracle.hpp"

namespace tiebreak::oracle::stablehlo {
namespace {

const FloatTable& table_of_expressed(Expressed expressed) {
  static const FloatTable half("f16"), brain("bf16");
  return expressed == Expressed::f16 ? half : brain;
}

bool same(const Uniform& a, const Uniform& b) {
  return a.scale == b.scale && a.zero_point == b.zero_point && a.range.min == b.range.min && a.range.max == b.range.max;
}

/// The bits of the code as a signed integer: how the interpreter sees unsigned storage.
std::int64_t as_signed(std::int64_t code, const Uniform& type) {
  return !type.is_signed && code >= std::int64_t{1} << (type.bits - 1) ? code - (std::int64_t{1} << type.bits) : code;
}

/// The code whose bits are those of a signed integer.
std::int64_t as_code(std::int64_t v, const Uniform& type) {
  const std::int64_t span = std::int64_t{1} << type.bits, bits = v & (span - 1);
  return type.is_signed && bits >= span / 2 ? bits - span : bits;
}

std::int32_t saturated_int32(float v) {
  if (v >= 0x1p31f) return std::numeric_limits<std::int32_t>::max();
  if (v < -0x1p31f) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(v);
}

/// An operand of add in the parameters of the result.
std::int32_t rescaled_operand(std::int64_t code, const Uniform& from, const Uniform& to) {
  const std::int64_t q = as_signed(code, from);
  if (same(from, to)) return static_cast<std::int32_t>(q);
  const double ratio = from.scale / to.scale;
  const double shift = static_cast<double>(to.zero_point) - static_cast<double>(from.zero_point) * ratio;
  float v = static_cast<float>(q) * static_cast<float>(ratio);
  if (shift != 0) v += static_cast<float>(shift);
  return saturated_int32(std::nearbyint(v));
}

std::int64_t integer_sum(std::int64_t lhs, std::int64_t rhs, const Uniform& lhs_type, const Uniform& rhs_type, const Uniform& type) {
  const std::int32_t sum = wrap32(std::int64_t{rescaled_operand(lhs, lhs_type, type)} + rescaled_operand(rhs, rhs_type, type));
  const std::int32_t total = wrap32(std::int64_t{sum} - type.zero_point);
  return as_code(type.bits == 32 ? total : std::clamp<std::int64_t>(total, type.range.min, type.range.max), type);
}

/// IEEE 754 maximum: what is not a number wins, and +0 is greater than -0.
double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double operate_in_f64(Operation operation, double l, double r) {
  switch (operation) {
    case Operation::add: return l + r;
    case Operation::subtract: return l - r;
    case Operation::multiply: return l * r;
    case Operation::divide: return l / r;
    default: return 0;
  }
}

float operate_in_f32(Operation operation, float l, float r) {
  switch (operation) {
    case Operation::add: return l + r;
    case Operation::subtract: return l - r;
    case Operation::multiply: return l * r;
    case Operation::divide: return l / r;
    default: return 0;
  }
}

}  // namespace

double in_expressed(double v, Expressed expressed) {
  if (expressed == Expressed::f32) return static_cast<double>(static_cast<float>(v));
  return table_of_expressed(expressed).value(*table_of_expressed(expressed).round(v, "rne", "format"));
}

double dequantize(std::int64_t code, const Uniform& type, const Arithmetic& arithmetic) {
  const std::int64_t seen = arithmetic.reading == Reading::interpreter ? as_signed(code, type) : code;
  const auto difference = static_cast<double>(seen - type.zero_point);
  return operate(Operation::multiply, in_expressed(difference, arithmetic.expressed), in_expressed(type.scale, arithmetic.expressed), arithmetic.expressed);
}

std::optional<std::int64_t> quantize(double v, const Uniform& type, const Arithmetic& arithmetic) {
  const Expressed e = arithmetic.expressed;
  double x = operate(Operation::divide, v, in_expressed(type.scale, e), e);
  x = operate(Operation::add, x, in_expressed(static_cast<double>(type.zero_point), e), e);
  const bool interpreter = arithmetic.reading == Reading::interpreter;
  if (std::isnan(x)) return interpreter ? std::optional<std::int64_t>(0) : std::nullopt;
  const double low = in_expressed(static_cast<double>(type.range.min), e), high = in_expressed(static_cast<double>(type.range.max), e);
  const double code = std::nearbyint(std::min(std::max(x, low), high));
  const auto least = static_cast<double>(type.range.min), greatest = static_cast<double>(type.range.max);
  if (!interpreter) return code < least || code > greatest ? std::nullopt : std::optional(static_cast<std::int64_t>(code));
  const double end = std::min(greatest, std::ldexp(1.0, type.bits - 1) - 1);
  return static_cast<std::int64_t>(std::clamp(code, least, end));
}

double operate(Operation operation, double lhs, double rhs, Expressed expressed) {
  if (operation == Operation::remainder) return std::fmod(lhs, rhs);  // exact in every format
  if (operation == Operation::maximum) return greater(lhs, rhs);
  if (operation == Operation::minimum) return -greater(-lhs, -rhs);
  if (expressed == Expressed::f32) return static_cast<double>(operate_in_f32(operation, static_cast<float>(lhs), static_cast<float>(rhs)));
  return in_expressed(operate_in_f64(operation, lhs, rhs), expressed);  // 53 bits are more than twice 11: rounding twice is rounding once
}

std::optional<std::int64_t> codes(Operation operation, std::int64_t lhs, std::int64_t rhs, const Uniform& lhs_type, const Uniform& rhs_type,
                                  const Uniform& type, const Arithmetic& arithmetic) {
  if (arithmetic.reading == Reading::interpreter) {
    if (operation == Operation::add) return integer_sum(lhs, rhs, lhs_type, rhs_type, type);
    const bool ordering = operation == Operation::maximum || operation == Operation::minimum;
    if (ordering && same(lhs_type, rhs_type) && same(rhs_type, type)) {
      const std::int64_t l = as_signed(lhs, lhs_type), r = as_signed(rhs, rhs_type);
      return as_code(operation == Operation::maximum ? std::max(l, r) : std::min(l, r), type);
    }
  }
  return quantize(operate(operation, dequantize(lhs, lhs_type, arithmetic), dequantize(rhs, rhs_type, arithmetic), arithmetic.expressed), type, arithmetic);
}

std::optional<std::int64_t> clamp(std::int64_t low, std::int64_t operand, std::int64_t high, const Uniform& low_type, const Uniform& operand_type,
                                  const Uniform& high_type, const Uniform& type, const Arithmetic& arithmetic) {
  const double raised = greater(dequantize(operand, operand_type, arithmetic), dequantize(low, low_type, arithmetic));
  return quantize(-greater(-raised, -dequantize(high, high_type, arithmetic)), type, arithmetic);
}

std::optional<std::int64_t> select(bool pred, std::int64_t on_true, std::int64_t on_false, const Uniform& true_type, const Uniform& false_type,
                                   const Uniform& type, const Arithmetic& arithmetic) {
  if (arithmetic.reading == Reading::interpreter) {
    if (true_type.scale != false_type.scale || true_type.zero_point != false_type.zero_point) return std::nullopt;
    return pred ? on_true : on_false;
  }
  return quantize(pred ? dequantize(on_true, true_type, arithmetic) : dequantize(on_false, false_type, arithmetic), type, arithmetic);
}

}  // namespace tiebreak::oracle::stablehlo
