// SPDX-License-Identifier: Apache-2.0
// Integer formats of any width: ranges, saturation, wrapping, codes.
#include "interpreter/exact/integer_format.hpp"

#include "interpreter/exact/big_rational.hpp"

namespace tiebreak {
namespace {

std::uint64_t mask(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

// v modulo 2^64 for a whole v.
std::uint64_t low_word(const Real& v) {
  if (!v.is_finite() || v.is_zero()) return 0;
  const std::int64_t shift = RealAccess::scale(v);
  if (shift >= 64 || shift < 0) return 0;
  if (RealAccess::is_small(v)) return static_cast<std::uint64_t>(RealAccess::mantissa(v)) << shift;
  BigInteger low;
  mpz_fdiv_r_2exp(low.backend().data(), v.big()->numerator.backend().data(), 64);
  return std::uint64_t{mpz_get_ui(low.backend().data())} << shift;
}

}  // namespace

std::string IntegerFormat::name() const { return (is_signed ? "i" : "u") + std::to_string(bits); }

Real IntegerFormat::min() const { return is_signed ? Real::dyadic(-1, bits - 1) : Real(); }

Real IntegerFormat::max() const { return Real::from_unsigned(is_signed ? mask(bits) >> 1 : mask(bits)); }

std::optional<IntegerFormat> parse_integer_format(std::string_view word) {
  IntegerFormat format;
  if (word.starts_with("ui") || word.starts_with("u")) {
    format.is_signed = false;
    word.remove_prefix(word.starts_with("ui") ? 2 : 1);
  } else if (word.starts_with("si") || word.starts_with("i")) {
    word.remove_prefix(word.starts_with("si") ? 2 : 1);
  } else {
    return std::nullopt;
  }
  if (word.empty() || word.size() > 2 || word.front() == '0') return std::nullopt;
  format.bits = 0;
  for (const char digit : word) {
    if (digit < '0' || digit > '9') return std::nullopt;
    format.bits = format.bits * 10 + (digit - '0');
  }
  if (format.bits > 64) return std::nullopt;
  return format;
}

Real saturate(const Real& v, const Real& lo, const Real& hi) {
  if (v < lo) return lo;
  if (hi < v) return hi;
  return v.is_zero() ? Real() : v;
}

Real wrap(const Real& v, const IntegerFormat& format) {
  if (!v.is_finite()) return v;
  return decode(low_word(v), format);
}

bool fits(const Real& v, const IntegerFormat& format) { return v.is_whole() && format.min() <= v && v <= format.max(); }

std::uint64_t encode(const Real& v, const IntegerFormat& format) { return low_word(v) & mask(format.bits); }

Real decode(std::uint64_t code, const IntegerFormat& format) {
  code &= mask(format.bits);
  if (!format.is_signed) return Real::from_unsigned(code);
  const std::uint64_t sign = std::uint64_t{1} << (format.bits - 1);
  return Real(static_cast<std::int64_t>((code ^ sign) - sign));
}

}  // namespace tiebreak
