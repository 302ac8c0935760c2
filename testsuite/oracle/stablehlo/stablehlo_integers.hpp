// SPDX-License-Identifier: Apache-2.0
// StableHLO's ops on integers and between types, in machine integers and doubles: the second implementation.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "testsuite/oracle/stablehlo/stablehlo_unary.hpp"

namespace tiebreak::oracle {

/// An integer type of 64 bits and fewer.
struct IntegerType {
  int bits;
  bool is_signed;
};

/// abs, negate, sign, not, popcnt and count_leading_zeros of a value of the type, wrapped to the type.
std::span<const std::string_view> integer_ops();
std::int64_t unary_integer(std::string_view op, std::int64_t value, const IntegerType& type);

/// convert of a float to an integer; nothing where the text gives no value, or the value at the end of the range if `saturates`.
std::optional<std::int64_t> float_to_integer(double value, const IntegerType& type, bool saturates);
/// convert of an integer to an integer.
std::optional<std::int64_t> integer_to_integer(std::int64_t value, const IntegerType& type, bool wraps);

/// bitcast_convert: the codes of elements of `from` bits as codes of elements of `to` bits, lowest bits first.
std::vector<std::uint64_t> regrouped(std::span<const std::uint64_t> codes, int from, int to);

}  // namespace tiebreak::oracle
