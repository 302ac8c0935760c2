// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/number_text.hpp"

#include <fmt/format.h>

#include <array>

#include "interpreter/exact/computable.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t ten_thousand = 10000;

/// A whole number of ten thousandths.
std::string four_digits(std::int64_t number) {
  const std::int64_t size = number < 0 ? -number : number;
  return fmt::format("{}{}.{:04}", number < 0 ? "-" : "", size / ten_thousand, size % ten_thousand);
}

Computable logarithm(const Real& value) {
  const std::array<Computable, 1> argument{Computable(value)};
  return Computable::apply(RealFunction::log, argument);
}

}  // namespace

std::string decibel_text(const Real& signal, const Real& noise) {
  if (noise.is_zero()) return signal.is_zero() ? "nan" : "inf";
  if (signal.is_zero()) return "-inf";
  if (signal == noise) return "0.0000";
  // No tie: 10^(k + 1/2) / 10^5 is irrational, so the enclosures decide.
  const auto digits = (Computable(Real(10 * ten_thousand)) * (logarithm(signal / noise) / logarithm(Real(10)))).round_whole(Rounding::nearest_even);
  const auto number = digits ? digits->to_int64() : std::nullopt;
  return number ? four_digits(*number) : "nan";
}

std::string short_text(const Real& value) { return value.to_decimal(6); }

std::string percent_text(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "";
  return four_digits(round_whole(Real(part) * Real(100 * ten_thousand) / Real(whole), Rounding::nearest_even).to_int64().value_or(0));
}

}  // namespace tiebreak
