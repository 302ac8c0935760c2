// SPDX-License-Identifier: Apache-2.0
// Real numbers from text: decimal, hexadecimal, fractions. Every literal means exactly what it says.
#include <charconv>

#include "interpreter/exact/big_rational.hpp"
#include "interpreter/exact/real.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t digit_limit = 100000;
constexpr std::int64_t literal_exponent_limit = 100000;

bool is_digit(char c, int base) {
  if (c >= '0' && c <= '9') return true;
  return base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

// The whole text in quotes where it is short enough for a message.
std::string quoted(std::string_view text) { return "'" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "...'" : "'"); }

struct Reader {
  std::string_view whole;
  std::string_view rest;

  tl::unexpected<Error> wrong(const std::string& reason) const {
    return fail(Errc::syntax, quoted(whole) + " is not a number: " + reason, {}, "numbers look like 12, -0.1, 1e-6, 0x7FFF, 0x1.8p-3, 3/7, inf, nan");
  }
  bool take(char c) {
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  std::string digits(int base) {
    std::size_t count = 0;
    while (count < rest.size() && is_digit(rest[count], base)) ++count;
    std::string found(rest.substr(0, count));
    rest.remove_prefix(count);
    return found;
  }
  Result<std::int64_t> exponent();
  Result<Real> unsigned_number();
};

Result<std::int64_t> Reader::exponent() {
  const bool negative = take('-');
  if (!negative) take('+');
  const std::string text = digits(10);
  if (text.empty()) return wrong("digits are missing after the exponent mark");
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value > literal_exponent_limit) return fail(Errc::limit, "exponent of " + quoted(whole) + " is beyond 100000");
  return negative ? -value : value;
}

Result<Real> Reader::unsigned_number() {
  int base = 10;
  if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X')) {
    base = 16;
    rest.remove_prefix(2);
  }
  std::string text = digits(base);
  std::int64_t places = 0;
  if (take('.')) {
    const std::string fraction = digits(base);
    places = static_cast<std::int64_t>(fraction.size());
    text += fraction;
  }
  if (text.empty()) return wrong("digits are missing");
  if (text.size() > digit_limit) return fail(Errc::limit, "a number has more than 100000 digits");
  std::int64_t exponent_value = 0;
  if (base == 10 ? take('e') || take('E') : take('p') || take('P')) {
    TIEBREAK_TRY(value, exponent());
    exponent_value = value;
  }
  BigInteger numerator;
  mpz_set_str(numerator.backend().data(), text.c_str(), base);
  if (base == 16) return RealAccess::make(std::move(numerator), BigInteger(1), exponent_value - 4 * places);
  const std::int64_t ten = exponent_value - places;  // 10^ten = 5^ten * 2^ten
  BigInteger five;
  mpz_ui_pow_ui(five.backend().data(), 5, static_cast<unsigned long>(ten < 0 ? -ten : ten));
  if (ten < 0) return RealAccess::make(std::move(numerator), std::move(five), ten);
  return RealAccess::make(BigInteger(numerator * five), BigInteger(1), ten);
}

}  // namespace

Result<Real> Real::parse(std::string_view text) {
  Reader reader{text, text};
  const bool negative = reader.take('-');
  if (!negative) reader.take('+');
  const auto finish = [&](const Real& v) { return negative ? -v : v; };
  if (reader.rest == "inf") return infinity(negative);
  if (reader.rest == "nan") return nan();
  TIEBREAK_TRY(numerator, reader.unsigned_number());
  if (reader.rest.empty()) return finish(numerator);
  if (!reader.take('/')) return reader.wrong("unexpected '" + std::string(reader.rest.substr(0, 1)) + "'");
  TIEBREAK_TRY(denominator, reader.unsigned_number());
  if (!reader.rest.empty()) return reader.wrong("unexpected '" + std::string(reader.rest.substr(0, 1)) + "'");
  if (denominator.is_zero()) return reader.wrong("the denominator is zero");
  return finish(numerator / denominator);
}

}  // namespace tiebreak
