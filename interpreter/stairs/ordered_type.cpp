// SPDX-License-Identifier: Apache-2.0
// Values of a type by their order.
#include <fmt/format.h>

#include <limits>

#include "interpreter/stairs/scalar_function.hpp"

namespace tiebreak {
namespace {

/// Codes of a float format without the sign bit, up to the greatest that is a number.
std::int64_t greatest_code(const FloatFormat& format) {
  auto code = encode(format.has_infinity() ? Real::infinity() : format.largest(), format);
  return static_cast<std::int64_t>(*code);
}

std::int64_t sign_bit(const FloatFormat& format) { return format.bits() == 64 ? INT64_MIN : std::int64_t{1} << (format.bits() - 1); }

/// Formats without -0 have the first negative number at -1.
std::int64_t negative_offset(const FloatFormat& format) { return format.has_negative_zero() ? 1 : 0; }

}  // namespace

Result<OrderedType> ordered(const TensorType& type) {
  OrderedType result{.type = type.element};
  if (type.element.is_boolean()) return fail(Errc::unsupported, "a function of a truth value has no stairs", "bool");
  if (type.element.is_integer()) {
    const auto low = type.quantized ? type.quantized->storage_min.to_int64() : type.element.min().to_int64();
    const auto high = type.quantized ? type.quantized->storage_max.to_int64() : type.element.max().to_int64();
    result.first = low.value_or(INT64_MIN + 2);
    result.last = high.value_or(INT64_MAX);
    if (result.first < INT64_MIN + 2) result.first = INT64_MIN + 2;  // two ordinals stand for undefined and nan
    return result;
  }
  const FloatFormat& format = type.element.floating();
  result.last = greatest_code(format);
  result.first = format.is_signed() ? -result.last - negative_offset(format) : 0;
  return result;
}

Real OrderedType::value(std::int64_t ordinal) const {
  if (type.is_integer()) return Real(ordinal);
  const FloatFormat& format = type.floating();
  if (ordinal >= 0) return decode(static_cast<std::uint64_t>(ordinal), format);
  const std::int64_t magnitude = -(ordinal + negative_offset(format));
  return decode(static_cast<std::uint64_t>(magnitude | sign_bit(format)), format);
}

std::string OrderedType::text(std::int64_t ordinal) const {
  if (ordinal == outcome_undefined) return "undefined";
  if (ordinal == outcome_nan) return "nan";
  const Real v = value(ordinal);
  return v.is_whole() || !v.is_finite() ? v.to_string() : v.to_hex_float();
}

std::int64_t OrderedType::ordinal_below(const Real& v) const {
  std::int64_t low = first, high = last;  // the answer lies between, or is `first` if every value lies above
  while (low < high) {
    const std::int64_t middle = low + static_cast<std::int64_t>((static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1) / 2);
    if ((value(middle) <=> v) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

}  // namespace tiebreak
