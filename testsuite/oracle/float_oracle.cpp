// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/float_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tiebreak::oracle {
namespace {

struct Row {
  std::string_view name;
  int exponent_bits;
  int fraction_bits;
  int bias;
  char kind;
};

constexpr Row format_rows[] = {
    {"f16", 5, 10, 15, 'i'},    {"bf16", 8, 7, 127, 'i'},     {"f8e5m2", 5, 2, 15, 'i'},     {"f8e4m3", 4, 3, 7, 'i'},         {"f8e3m4", 3, 4, 3, 'i'},
    {"f8e4m3fn", 4, 3, 7, 'n'}, {"f8e4m3fnuz", 4, 3, 8, 'z'}, {"f8e5m2fnuz", 5, 2, 16, 'z'}, {"f8e4m3b11fnuz", 4, 3, 11, 'z'}, {"f6e3m2", 3, 2, 3, 'f'},
    {"f6e2m3", 2, 3, 1, 'f'},   {"f4e2m1", 2, 1, 1, 'f'},     {"f8e8m0", 8, 0, 127, 's'},
};

// Which of two neighbours, given the side of the midpoint that v lies on (-1, 0, 1). All about magnitudes.
bool takes_upper(std::string_view rounding, bool negative, int side, bool lower_is_odd, bool one_digit) {
  if (rounding == "rtz") return false;
  if (rounding == "floor") return negative;
  if (rounding == "ceil") return !negative;
  if (rounding == "odd") return !lower_is_odd && !one_digit;
  if (side != 0) return side > 0;
  if (rounding == "rne") return lower_is_odd || one_digit;
  if (rounding == "rna") return true;
  if (rounding == "rhu") return !negative;
  if (rounding == "rhd") return negative;
  return false;  // rnz
}

}  // namespace

FloatTable::FloatTable(std::string_view name) {
  for (const Row& row : format_rows) {
    if (row.name != name) continue;
    kind_ = row.kind;
    exponent_bits_ = row.exponent_bits;
    fraction_bits_ = row.fraction_bits;
    bias_ = row.bias;
    bits_ = exponent_bits_ + fraction_bits_ + (kind_ == 's' ? 0 : 1);
    const std::uint64_t codes = std::uint64_t{1} << (exponent_bits_ + fraction_bits_);
    for (std::uint64_t code = 0; code < codes && std::isfinite(value(code)); ++code) values_.push_back(value(code));
    const std::size_t count = values_.size();  // a step grows only after the point where a binade begins
    const double step = kind_ == 's' ? values_.back() : values_[count - 1] - values_[count - 2];
    values_.push_back(values_.back() + step);
    for (std::uint64_t code = 0; code < std::uint64_t{1} << bits_ && !nan_code_; ++code)
      if (std::isnan(value(code))) nan_code_ = code;
  }
}

double FloatTable::value(std::uint64_t code) const {
  const std::uint64_t fraction = code % (std::uint64_t{1} << fraction_bits_);
  const int field = static_cast<int>((code >> fraction_bits_) % (std::uint64_t{1} << exponent_bits_));
  const int top = (1 << exponent_bits_) - 1;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (kind_ == 's') return field == top ? nan : std::ldexp(1.0, field - bias_);
  const double sign = (code >> (bits_ - 1)) % 2 != 0 ? -1.0 : 1.0;
  if (kind_ == 'i' && field == top) return fraction != 0 ? nan : sign * std::numeric_limits<double>::infinity();
  if (kind_ == 'n' && field == top && fraction + 1 == std::uint64_t{1} << fraction_bits_) return nan;
  if (kind_ == 'z' && sign < 0 && field == 0 && fraction == 0) return nan;
  const double part = std::ldexp(static_cast<double>(fraction), -fraction_bits_);
  return sign * (field == 0 ? std::ldexp(part, 1 - bias_) : std::ldexp(1.0 + part, field - bias_));
}

std::uint64_t FloatTable::code_of(std::size_t place, bool negative) const {
  if (negative && place == 0 && kind_ == 'z') return 0;
  return place | (negative ? std::uint64_t{1} << (bits_ - 1) : 0);
}

std::optional<std::uint64_t> FloatTable::beyond(bool negative, std::string_view overflow) const {
  if (overflow == "saturate") return code_of(values_.size() - 2, negative);
  if (overflow == "format" && kind_ == 'i') return code_of(values_.size() - 1, negative);  // infinity follows the largest value
  return nan_code_;
}

std::optional<std::uint64_t> FloatTable::round(double v, std::string_view rounding, std::string_view overflow) const {
  if (std::isnan(v)) return nan_code_;
  const bool negative = std::signbit(v);
  if (kind_ == 's') {
    if (v < 0) return nan_code_;
    if (v <= values_.front()) return 0;
  }
  const double size = std::fabs(v);
  if (std::isinf(v)) return beyond(negative, overflow);
  const std::size_t largest = values_.size() - 2;
  const bool inward = rounding == "rtz" || rounding == "odd" || (rounding == "floor" && !negative) || (rounding == "ceil" && negative);
  if (size > values_[largest] && inward) return code_of(largest, negative);
  if (size >= values_.back()) return beyond(negative, overflow);
  const auto place = static_cast<std::size_t>(std::upper_bound(values_.begin(), values_.end(), size) - values_.begin()) - 1;
  if (values_[place] == size) return code_of(place, negative);
  const double middle = (values_[place] + values_[place + 1]) / 2;
  const int side = size < middle ? -1 : size > middle ? 1 : 0;
  const bool upper = takes_upper(rounding, negative, side, place % 2 != 0, kind_ == 's');
  if (upper && place == largest) return beyond(negative, overflow);
  return code_of(place + (upper ? 1 : 0), negative);
}

}  // namespace tiebreak::oracle
