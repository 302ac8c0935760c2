// SPDX-License-Identifier: Apache-2.0
// Two's complement and unsigned integers of any width 1..64, with wrap and saturation.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

struct IntegerFormat {
  bool is_signed = true;
  int bits = 32;  ///< 1..64
  bool operator==(const IntegerFormat&) const = default;
  std::string name() const;  ///< i8, u4 ...
  Real min() const;
  Real max() const;
};

/// Reads iN, uN, siN, uiN with N in 1..64.
std::optional<IntegerFormat> parse_integer_format(std::string_view word);

/// Nearest end of [lo, hi], whole numbers; infinities saturate; -0 becomes 0 (integers have one zero); nan is the caller's to refuse.
Real saturate(const Real& v, const Real& lo, const Real& hi);
/// v modulo 2^bits into the format's range; v whole.
Real wrap(const Real& v, const IntegerFormat& format);
bool fits(const Real& v, const IntegerFormat& format);
/// Code of a value that fits, as the low `bits` bits.
std::uint64_t encode(const Real& v, const IntegerFormat& format);
Real decode(std::uint64_t code, const IntegerFormat& format);

}  // namespace tiebreak
