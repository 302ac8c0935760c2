// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_integers.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace tiebreak::oracle {
namespace {

constexpr std::array<std::string_view, 6> integer_op_names{"abs", "negate", "sign", "not", "popcnt", "count_leading_zeros"};

std::uint64_t ones(int bits) { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// The value of the lowest bits as the type reads them. u64 is beyond this oracle.
std::int64_t value_of_bits(std::uint64_t bits, const IntegerType& type) {
  const std::uint64_t low = bits & ones(type.bits);
  const bool negative = type.is_signed && (low >> (type.bits - 1)) != 0;
  return static_cast<std::int64_t>(negative ? low | ~ones(type.bits) : low);
}

}  // namespace

std::span<const std::string_view> integer_ops() { return integer_op_names; }

std::int64_t unary_integer(std::string_view op, std::int64_t value, const IntegerType& type) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t low = bits & ones(type.bits);
  if (op == "abs") return value_of_bits(value < 0 ? ~bits + 1 : bits, type);
  if (op == "negate") return value_of_bits(~bits + 1, type);
  if (op == "sign") return value > 0 ? 1 : value < 0 ? -1 : 0;
  if (op == "not") return value_of_bits(~bits, type);
  if (op == "popcnt") return value_of_bits(static_cast<std::uint64_t>(std::popcount(low)), type);
  return value_of_bits(static_cast<std::uint64_t>(std::countl_zero(low) - (64 - type.bits)), type);
}

std::optional<std::int64_t> float_to_integer(double value, const IntegerType& type, bool saturates) {
  const double least = type.is_signed ? -std::ldexp(1.0, type.bits - 1) : 0, beyond = std::ldexp(1.0, type.is_signed ? type.bits - 1 : type.bits);
  const double whole = std::trunc(value);
  if (whole >= least && whole < beyond) return static_cast<std::int64_t>(whole);
  if (!saturates) return std::nullopt;
  if (std::isnan(value)) return 0;
  if (whole < least) return static_cast<std::int64_t>(least);
  return static_cast<std::int64_t>(ones(type.is_signed ? type.bits - 1 : type.bits));
}

std::optional<std::int64_t> integer_to_integer(std::int64_t value, const IntegerType& type, bool wraps) {
  const std::int64_t low = value_of_bits(static_cast<std::uint64_t>(value), type);
  if (low == value || wraps) return low;
  return std::nullopt;
}

std::vector<std::uint64_t> regrouped(std::span<const std::uint64_t> codes, int from, int to) {
  std::vector<bool> bits;
  for (const std::uint64_t code : codes)
    for (int b = 0; b < from; ++b) bits.push_back(((code >> b) & 1) != 0);
  std::vector<std::uint64_t> result(bits.size() / static_cast<std::size_t>(to));
  for (std::size_t b = 0; b < bits.size(); ++b)
    if (bits[b]) result[b / static_cast<std::size_t>(to)] |= std::uint64_t{1} << (b % static_cast<std::size_t>(to));
  return result;
}

}  // namespace tiebreak::oracle
