// SPDX-License-Identifier: Apache-2.0
// A second implementation of the float formats of 16 bits and fewer: a sorted table of all their values, and the nearest
// entry by comparison with the midpoint. Doubles hold all of it exactly. Uses nothing of interpreter/exact.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tiebreak::oracle {

class FloatTable {
 public:
  /// A format by its notation word (f16, bf16, f8e4m3fn ...); empty() if unknown.
  explicit FloatTable(std::string_view name);
  bool empty() const { return values_.empty(); }
  int bits() const { return bits_; }

  double value(std::uint64_t code) const;
  /// The code that a finite, infinite or nan double rounds to; nothing where the format has no answer.
  /// rounding: rne rna rhu rhd rnz rtz floor ceil odd. overflow: format saturate nan.
  std::optional<std::uint64_t> round(double v, std::string_view rounding, std::string_view overflow) const;

  /// Non-negative finite values in order; the last is the next point of the grid beyond the largest value.
  const std::vector<double>& grid() const { return values_; }

 private:
  std::optional<std::uint64_t> beyond(bool negative, std::string_view overflow) const;
  std::uint64_t code_of(std::size_t place, bool negative) const;

  char kind_ = 'i';  // i: ieee, n: fn, z: fnuz, f: finite, s: scale
  int bits_ = 0;
  int exponent_bits_ = 0;
  int fraction_bits_ = 0;
  int bias_ = 0;
  std::optional<std::uint64_t> nan_code_{};  // the first one; which nan it is is not this oracle's business
  std::vector<double> values_;
};

}  // namespace tiebreak::oracle
