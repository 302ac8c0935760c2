// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/conversions.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "testsuite/oracle/float_oracle.hpp"

namespace tiebreak::oracle {
namespace {

const FloatTable& table_of_format(const std::string& format) {
  static std::map<std::string, FloatTable> tables;
  auto found = tables.find(format);
  return found != tables.end() ? found->second : tables.emplace(format, FloatTable(format)).first->second;
}

double rounded(float v, const std::string& format, const char* rounding, const char* overflow) {
  const auto code = table_of_format(format).round(static_cast<double>(v), rounding, overflow);
  return code ? table_of_format(format).value(*code) : std::nan("");
}

double largest(const std::string& format) { return table_of_format(format).grid()[table_of_format(format).grid().size() - 2]; }

/// The digits of an f32 in 128 bits, shifted by the difference of exponents modulo 64, then rounded to `fraction` digits of the least
/// exponent.
double shifted_modulo_64(float v, int fraction, int bias) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &v, 4);
  const int field = static_cast<int>((bits >> 23) & 0xFF);
  const std::uint32_t digits = (bits & 0x7FFFFF) | (field != 0 ? 0x800000u : 0u);
  const int exponent = field != 0 ? field - 127 : -126, least = 1 - bias;
  __extension__ using Digits = unsigned __int128;
  const int distance = std::max(0, least - exponent) % 64, at = std::max(least, exponent);
  const Digits wide = (Digits{digits} << 64) >> distance;
  const int dropped = 64 + 23 - fraction;
  Digits whole = wide >> dropped;
  const Digits rest = wide - (whole << dropped), half = Digits{1} << (dropped - 1);
  if (rest > half || (rest == half && (whole & 1) != 0)) ++whole;
  return std::copysign(std::ldexp(static_cast<double>(static_cast<std::uint64_t>(whole)), at - fraction), v);
}

std::function<double(float)> hip(const std::string& format, int fraction, int bias, bool has_infinity, bool has_negative_zero) {
  return [=](float v) {
    if (std::isnan(v) || (std::isinf(v) && !has_infinity)) return std::nan("");
    if (std::isinf(v)) return static_cast<double>(v);
    const double y = shifted_modulo_64(v, fraction, bias), most = largest(format);
    if (y == 0) return has_negative_zero ? y : 0.0;
    return std::abs(y) > most ? std::copysign(most, y) : y;
  };
}

/// The least magnitude is half of the least normal number; ties away from zero; -0 is 0 only where it comes in.
double ocannl(float v) {
  if (std::isnan(v)) return std::nan("");
  if (v == 0) return 0;
  if (std::abs(v) < 0x1p-15f) return std::copysign(0.0, v);
  return rounded(v, "f8e5m2", "rna", "format");
}

/// The nearest value, but codes of the greatest binade are not carried beyond the end as they should be.
double onnxruntime_float8(float v, const std::string& format, bool saturate) {
  const float size = std::abs(v);
  if (!saturate && format == "f8e4m3fn" && size >= 480 && size < 496) return std::copysign(448.0, v);
  if (!saturate && format == "f8e5m2" && size >= 61440 && size < 65536) return std::nan("");
  return rounded(v, format, "rne", saturate ? "saturate" : "format");
}

double through_f16(float v, const std::string& format) { return rounded(static_cast<float>(rounded(v, "f16", "rne", "format")), format, "rne", "saturate"); }

/// The exponent field, and one more where a fraction is left, up to the greatest; neither the sign nor digits below the normal numbers are
/// looked at.
double next_power_by_fields(float v) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &v, 4);
  std::uint32_t field = (bits >> 23) & 0xFF;
  if (field == 0xFF) return std::nan("");
  if ((bits & 0x7FFFFF) != 0 && field < 0xFE) ++field;
  return std::ldexp(1.0, static_cast<int>(field) - 127);
}

template <class Integer>
std::int64_t saturated_integer(float v, float whole) {
  if (std::isnan(v)) return 0;
  const double limit = std::ldexp(1.0, std::numeric_limits<Integer>::digits);
  if (static_cast<double>(whole) >= limit) return std::numeric_limits<Integer>::max();
  if (static_cast<double>(whole) < static_cast<double>(std::numeric_limits<Integer>::min())) return std::numeric_limits<Integer>::min();
  return static_cast<std::int64_t>(whole);
}

std::int64_t one_constant(float v) {
  if (!(std::abs(v) < 0x1p31f)) return INT32_MIN;
  return static_cast<std::int32_t>(v);
}

#if defined(__x86_64__)
std::int64_t x86_32(float v) {
  std::int32_t result = 0;
  asm("cvttss2si %1, %0" : "=r"(result) : "x"(v));
  return result;
}
std::int64_t x86_64(float v) {
  std::int64_t result = 0;
  asm("cvttss2si %1, %0" : "=r"(result) : "x"(v));
  return result;
}
#endif

}  // namespace

const std::vector<FloatConversion>& float_conversions() {
  static const std::vector<FloatConversion> all = [] {
    std::vector<FloatConversion> list{
        {"hip-fp8", "f8e5m2", true, hip("f8e5m2", 2, 15, true, true)},
        {"hip-fp8", "f8e4m3fn", true, hip("f8e4m3fn", 3, 7, false, true)},
        {"hip-fp8", "f8e4m3fnuz", true, hip("f8e4m3fnuz", 3, 8, false, false)},
        {"hip-fp8", "f8e5m2fnuz", true, hip("f8e5m2fnuz", 2, 16, false, false)},
        {"ocannl-2026-08", "f8e5m2", true, ocannl},
        {"pytorch-float8", "f8e5m2", true, [](float v) { return rounded(v, "f8e5m2", "rne", "format"); }},
        {"pytorch-float8", "f8e4m3fn", true, [](float v) { return rounded(v, "f8e4m3fn", "rne", "format"); }},
        {"spike-rtz", "f8e4m3fn", true, [](float v) { return rounded(v, "f8e4m3fn", "rtz", "format"); }},
        {"triton-ada", "f8e4m3fn", true, [](float v) { return through_f16(v, "f8e4m3fn"); }},
        {"migraphx-ref", "f8e4m3fnuz", false, [](float v) { return std::isinf(v) ? std::nan("") : rounded(v, "f8e4m3fnuz", "rne", "saturate"); }},
        {"onnx-reference-evaluator", "f8e8m0", true, next_power_by_fields},
        {"onnx", "f4e2m1", true, [](float v) { return std::isnan(v) ? 6.0 : rounded(v, "f4e2m1", "rne", "saturate"); }},
    };
    for (const char* format : {"f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz"})
      for (const bool saturate : {false, true})
        list.push_back({"onnxruntime-x64", format, saturate, [=](float v) { return onnxruntime_float8(v, format, saturate); }});
    return list;
  }();
  return all;
}

const std::vector<IntegerConversion>& integer_conversions() {
  static const std::vector<IntegerConversion> all {
    {"stablehlo-interpreter", "i32", [](float v) { return saturated_integer<std::int32_t>(v, std::trunc(v)); }},
        {"stablehlo-interpreter", "u8", [](float v) { return saturated_integer<std::uint8_t>(v, std::trunc(v)); }},
        {"tosa-1.0", "i16", [](float v) { return std::isnan(v) ? std::optional<std::int64_t>() : saturated_integer<std::int16_t>(v, std::nearbyint(v)); }},
        {"tt-metal-2026-09", "i32", one_constant},
#if defined(__x86_64__)
        {"onnxruntime-x64", "i32", x86_32}, {"onnxruntime-x64", "i8", [](float v) { return static_cast<std::int8_t>(x86_32(v)); }},
        {"onnxruntime-x64", "u16", [](float v) { return static_cast<std::uint16_t>(x86_32(v)); }},
        {"onnxruntime-x64", "i64", [](float v) { return x86_64(v); }},
        {"iree-llvm-cpu", "i8", [](float v) { return std::clamp<std::int64_t>(x86_32(v), -128, 127); }},
        {"iree-vmvx", "i8", [](float v) { return static_cast<std::int8_t>(x86_32(v)); }},
#endif
  };
  return all;
}

}  // namespace tiebreak::oracle
