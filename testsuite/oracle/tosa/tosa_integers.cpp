// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tosa/tosa_integers.hpp"

#include <bit>

namespace tiebreak::oracle::tosa {
namespace {

std::uint64_t low_bits(std::int64_t value, int bits) {
  const auto code = static_cast<std::uint64_t>(value);
  return bits == 64 ? code : code & ((std::uint64_t{1} << bits) - 1);
}

/// The low bits as a number with a sign.
std::int64_t with_sign(std::uint64_t code, int bits) { return static_cast<std::int64_t>(code << (64 - bits)) >> (64 - bits); }

bool fits(std::int64_t value, int bits) { return with_sign(low_bits(value, bits), bits) == value; }

Integer added(std::int64_t a, std::int64_t b, int bits) {
  std::int64_t result = 0;
  const bool overflow = __builtin_add_overflow(a, b, &result);
  return overflow || !fits(result, bits) ? Integer() : Integer(result);
}

Integer subtracted(std::int64_t a, std::int64_t b, int bits) {
  std::int64_t result = 0;
  const bool overflow = __builtin_sub_overflow(a, b, &result);
  return overflow || !fits(result, bits) ? Integer() : Integer(result);
}

/// The least number by -1 is one beyond the greatest.
Integer divided(std::int64_t a, std::int64_t b, int bits) {
  if (b == 0) return {};
  return b == -1 ? subtracted(0, a, bits) : Integer(a / b);
}

bool is_distance(std::int64_t places, int bits) { return places >= 0 && places < bits; }

}  // namespace

Integer of_integers(const std::string& op, std::int64_t a, std::int64_t b, int bits) {
  if (op == "ADD") return added(a, b, bits);
  if (op == "SUB") return subtracted(a, b, bits);
  if (op == "INTDIV") return divided(a, b, bits);
  if (op == "LOGICAL_LEFT_SHIFT") return is_distance(b, bits) ? Integer(with_sign(low_bits(a, bits) << b, bits)) : Integer();
  if (op == "LOGICAL_RIGHT_SHIFT") return is_distance(b, bits) ? Integer(with_sign(low_bits(a, bits) >> b, bits)) : Integer();
  if (op == "BITWISE_AND") return a & b;
  if (op == "BITWISE_OR") return a | b;
  if (op == "BITWISE_XOR") return a ^ b;
  if (op == "MAXIMUM") return a >= b ? a : b;
  if (op == "MINIMUM") return a < b ? a : b;
  if (op == "EQUAL") return a == b ? 1 : 0;
  if (op == "GREATER") return a > b ? 1 : 0;
  return a >= b ? 1 : 0;
}

/// The last bit that leaves is added.
Integer right_shift(std::int64_t value, std::int64_t places, int bits, bool round) {
  if (!is_distance(places, bits)) return {};
  const std::int64_t shifted = value >> places;
  return round && places > 0 ? shifted + ((value >> (places - 1)) & 1) : shifted;
}

/// One place less first, so that the half unit that is added then has room in 64 bits.
Integer product(std::int64_t a, std::int64_t b, std::int64_t shift, int bits) {
  if (shift < 0 || shift > 63 || (bits != 32 && shift != 0)) return {};
  if (shift == 0) return with_sign(low_bits(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)), 32), 32);
  const std::int64_t rounded = (((a * b) >> (shift - 1)) + 1) >> 1;
  return fits(rounded, 32) ? Integer(rounded) : Integer();
}

Integer unary(const std::string& op, std::int64_t value, int bits) {
  if (op == "BITWISE_NOT") return ~value;
  if (op == "CLZ") return std::countl_zero(low_bits(value, bits)) - (64 - bits);
  if (value >= 0) return value;
  return value == INT64_MIN || !fits(-value, bits) ? Integer() : Integer(-value);
}

/// 8 and 16 bits saturate, as the accumulator has 32; 32 bits have to fit.
Integer negated(std::int64_t value, std::int64_t input_zero_point, std::int64_t output_zero_point, int bits) {
  const std::int64_t opposite = -(value - input_zero_point) + output_zero_point;
  if (fits(opposite, bits)) return opposite;
  if (bits == 32) return {};
  const std::int64_t greatest = (std::int64_t{1} << (bits - 1)) - 1;
  return opposite > 0 ? greatest : -greatest - 1;
}

Integer sum(const std::vector<std::int64_t>& line, int bits) {
  std::int64_t total = 0;
  for (const std::int64_t value : line)
    if (__builtin_add_overflow(total, value, &total) || !fits(total, bits)) return {};
  return total;
}

std::int64_t place_of_greatest(const std::vector<std::int64_t>& line) {
  std::size_t place = 0;
  for (std::size_t i = 1; i < line.size(); ++i)
    if (line[i] > line[place]) place = i;
  return static_cast<std::int64_t>(place);
}

std::int64_t cast(std::int64_t value, int from_bits, int to_bits, bool read_unsigned) {
  const std::int64_t read = read_unsigned ? static_cast<std::int64_t>(low_bits(value, from_bits)) : value;
  return with_sign(low_bits(read, to_bits), to_bits);
}

}  // namespace tiebreak::oracle::tosa
