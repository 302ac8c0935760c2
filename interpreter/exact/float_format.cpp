// SPDX-License-Identifier: Apache-2.0
// The table of float formats, and what follows from a format's widths and class.
#include "interpreter/exact/float_format.hpp"

#include <array>
#include <utility>

namespace tiebreak {
namespace {

constexpr std::array<FloatFormat, 16> formats{{
    {"f64", 11, 52, 1023, FloatClass::ieee},
    {"f32", 8, 23, 127, FloatClass::ieee},
    {"tf32", 8, 10, 127, FloatClass::ieee},
    {"f16", 5, 10, 15, FloatClass::ieee},
    {"bf16", 8, 7, 127, FloatClass::ieee},
    {"f8e5m2", 5, 2, 15, FloatClass::ieee},
    {"f8e4m3", 4, 3, 7, FloatClass::ieee},
    {"f8e3m4", 3, 4, 3, FloatClass::ieee},
    {"f8e4m3fn", 4, 3, 7, FloatClass::fn},
    {"f8e4m3fnuz", 4, 3, 8, FloatClass::fnuz},
    {"f8e5m2fnuz", 5, 2, 16, FloatClass::fnuz},
    {"f8e4m3b11fnuz", 4, 3, 11, FloatClass::fnuz},
    {"f6e3m2", 3, 2, 3, FloatClass::finite},
    {"f6e2m3", 2, 3, 1, FloatClass::finite},
    {"f4e2m1", 2, 1, 1, FloatClass::finite},
    {"f8e8m0", 8, 0, 127, FloatClass::scale},
}};

constexpr std::array<std::pair<std::string_view, Rounding>, 9> rounding_words{{
    {"rne", Rounding::nearest_even},
    {"rna", Rounding::nearest_away},
    {"rhu", Rounding::nearest_up},
    {"rhd", Rounding::nearest_down},
    {"rnz", Rounding::nearest_zero},
    {"rtz", Rounding::toward_zero},
    {"floor", Rounding::down},
    {"ceil", Rounding::up},
    {"odd", Rounding::to_odd},
}};

}  // namespace

int FloatFormat::bits() const { return (is_signed() ? 1 : 0) + exponent_bits + fraction_bits; }

Real FloatFormat::largest() const {
  const std::int64_t top_field = (std::int64_t{1} << exponent_bits) - 1;
  const std::int64_t full = (std::int64_t{2} << fraction_bits) - 1;  // significand of ones
  switch (kind) {
    case FloatClass::ieee: return Real::dyadic(full, top_field - 1 - bias - fraction_bits);
    case FloatClass::fn: return Real::dyadic(full - 1, top_field - bias - fraction_bits);
    case FloatClass::fnuz:
    case FloatClass::finite: return Real::dyadic(full, top_field - bias - fraction_bits);
    case FloatClass::scale: break;
  }
  return Real::power_of_two(top_field - 1 - bias);
}

Real FloatFormat::smallest() const { return Real::power_of_two(kind == FloatClass::scale ? -bias : 1 - bias - fraction_bits); }

Real FloatFormat::lowest() const { return kind == FloatClass::scale ? smallest() : -largest(); }

std::span<const FloatFormat> float_formats() { return formats; }

const FloatFormat* find_float_format(std::string_view name) {
  for (const FloatFormat& format : formats)
    if (format.name == name) return &format;
  return nullptr;
}

std::string_view to_word(Rounding rounding) {
  for (const auto& [word, value] : rounding_words)
    if (value == rounding) return word;
  return {};
}

const Rounding* find_rounding(std::string_view word) {
  for (const auto& entry : rounding_words)
    if (entry.first == word) return &entry.second;
  return nullptr;
}

}  // namespace tiebreak
