// SPDX-License-Identifier: Apache-2.0
// Real numbers as text: exact, decimal to a number of digits, and as hexadecimal floats.
#include <algorithm>
#include <string>

#include "interpreter/exact/big_rational.hpp"
#include "interpreter/exact/real.hpp"

namespace tiebreak {
namespace {

// Beyond this many bits beside the significand a number is written as a power of two: nobody reads 200,000 digits.
constexpr std::int64_t print_limit = std::int64_t{1} << 20;

std::string digits_of(const BigInteger& v, int base = 10) {
  std::string text(mpz_sizeinbase(v.backend().data(), base) + 2, '\0');
  mpz_get_str(text.data(), base, v.backend().data());
  text.resize(text.find('\0'));
  return text;
}

std::optional<std::string> special_text(const Real& v) {
  if (v.is_nan()) return "nan";
  if (v.is_infinite()) return v.is_negative() ? "-inf" : "inf";
  if (v.is_zero()) return v.is_negative() ? "-0" : "0";
  return std::nullopt;
}

struct LowestTerms {
  BigInteger numerator;
  BigInteger denominator;
};

// The value in lowest terms, with the power of two multiplied in.
LowestTerms lowest_terms(const Real& v) {
  LowestTerms result{RealAccess::big_numerator(v), RealAccess::big_denominator(v)};
  BigInteger divisor;
  mpz_gcd(divisor.backend().data(), result.numerator.backend().data(), result.denominator.backend().data());
  result.numerator /= divisor;
  result.denominator /= divisor;
  const std::int64_t scale = RealAccess::scale(v);
  BigInteger& scaled = scale > 0 ? result.numerator : result.denominator;
  scaled = shifted(scaled, scale > 0 ? scale : -scale);
  return result;
}

BigInteger power_of_ten(std::int64_t n) {
  BigInteger result;
  mpz_ui_pow_ui(result.backend().data(), 10, static_cast<unsigned long>(n));
  return result;
}

// abs(v) / 10^ten to a whole number, ties to even.
BigInteger scaled_digits(const LowestTerms& v, std::int64_t ten) {
  BigInteger upper = abs(v.numerator);
  BigInteger lower = v.denominator;
  if (ten < 0) upper *= power_of_ten(-ten);
  else lower *= power_of_ten(ten);
  const BigInteger doubled = upper * 2 + lower;
  BigInteger result = doubled / (lower * 2);
  const bool tie = (doubled % (lower * 2)).is_zero();
  if (tie && mpz_odd_p(result.backend().data()) != 0) result -= 1;
  return result;
}

std::string place_point(std::string digits, std::int64_t ten) {  // digits * 10^ten
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++ten;
  }
  const std::int64_t leading = ten + static_cast<std::int64_t>(digits.size()) - 1;
  if (leading < -5 || leading > 20) {
    std::string text = digits.substr(0, 1);
    if (digits.size() > 1) text += "." + digits.substr(1);
    return text + "e" + (leading < 0 ? "-" : "+") + (std::abs(leading) < 10 ? "0" : "") + std::to_string(std::abs(leading));
  }
  if (ten >= 0) return digits + std::string(static_cast<std::size_t>(ten), '0');
  if (leading < 0) return "0." + std::string(static_cast<std::size_t>(-leading - 1), '0') + digits;
  return digits.substr(0, static_cast<std::size_t>(leading + 1)) + "." + digits.substr(static_cast<std::size_t>(leading + 1));
}

}  // namespace

std::string Real::to_string() const {
  if (const auto text = special_text(*this)) return *text;
  if (is_dyadic() && exponent_ >= 0 && exponent_ < 62)
    if (const auto whole = to_int64()) return std::to_string(*whole);
  if (exponent_ > print_limit || exponent_ < -print_limit) {
    const LowestTerms odd = lowest_terms(*this * power_of_two(-std::int64_t{exponent_}));
    return digits_of(odd.numerator) + (odd.denominator == 1 ? "" : "/" + digits_of(odd.denominator)) + "*2^" + std::to_string(exponent_);
  }
  const LowestTerms value = lowest_terms(*this);
  return digits_of(value.numerator) + (value.denominator == 1 ? "" : "/" + digits_of(value.denominator));
}

std::string Real::to_decimal(int digits) const {
  if (const auto text = special_text(*this)) return *text;
  const std::int64_t size = exponent();
  if (size > print_limit || size < -print_limit) return to_string();
  digits = std::max(digits, 1);
  const LowestTerms value = lowest_terms(*this);
  const std::int64_t leading = size < 0 ? (size * 30103 - 99999) / 100000 : size * 30102 / 100000;  // floor(log10) or a little less
  std::int64_t ten = leading - digits + 1;
  BigInteger whole = scaled_digits(value, ten);
  for (const BigInteger end = power_of_ten(digits); whole >= end; ++ten) whole = scaled_digits(value, ten + 1);
  return (sign() < 0 ? "-" : "") + place_point(digits_of(whole), ten);
}

std::string Real::to_hex_float() const {
  if (!is_finite() || !is_dyadic()) return to_string();
  if (is_zero()) return is_negative() ? "-0x0p+0" : "0x0p+0";
  BigInteger significand = abs(RealAccess::big_numerator(*this));
  const std::int64_t fraction_bits = bit_length(significand) - 1;
  significand = shifted(significand, (4 - fraction_bits % 4) % 4);
  std::string text = digits_of(significand, 16);
  const std::int64_t power = exponent();
  return std::string(sign() < 0 ? "-" : "") + "0x" + text.substr(0, 1) + (text.size() > 1 ? "." + text.substr(1) : "") + "p" + (power < 0 ? "-" : "+") +
         std::to_string(std::abs(power));
}

}  // namespace tiebreak
