// SPDX-License-Identifier: Apache-2.0
// Every real function against MPFR's correctly rounded results, to f32 and f64, in four directions, on edges and on 10^5
// random arguments. MPFR has no logistic; that one is compared with a long evaluation.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "interpreter/exact/computable.hpp"
#include "testsuite/unit/exact/mpfr_format.hpp"

namespace tiebreak {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

struct FunctionRow {
  const char* word;
  Unary unary;
  Binary binary;
};

// 1 / (1 + exp(-x)) with 4000 bits, which decides all arguments here; the last step is the rounding.
int logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t direction) {
  mpfr_t wide;
  mpfr_init2(wide, 4000);
  mpfr_neg(wide, x, MPFR_RNDN);
  mpfr_exp(wide, wide, MPFR_RNDN);
  mpfr_add_ui(wide, wide, 1, MPFR_RNDN);
  mpfr_ui_div(wide, 1, wide, MPFR_RNDN);
  // The value is neither 0 nor 1, which overflow of exp and 4000 bits of ones would hide.
  if (mpfr_zero_p(wide) && mpfr_number_p(x)) mpfr_nextabove(wide);
  if (mpfr_cmp_ui(wide, 1) == 0 && mpfr_number_p(x)) mpfr_nextbelow(wide);
  const int inexact = mpfr_set(result, wide, direction);
  mpfr_clear(wide);
  return inexact;
}

constexpr FunctionRow function_rows[] = {
    {"sqrt", mpfr_sqrt, nullptr}, {"cbrt", mpfr_cbrt, nullptr},   {"rsqrt", mpfr_rec_sqrt, nullptr}, {"exp", mpfr_exp, nullptr}, {"expm1", mpfr_expm1, nullptr},
    {"log", mpfr_log, nullptr},   {"log1p", mpfr_log1p, nullptr}, {"sin", mpfr_sin, nullptr},        {"cos", mpfr_cos, nullptr}, {"tan", mpfr_tan, nullptr},
    {"tanh", mpfr_tanh, nullptr}, {"erf", mpfr_erf, nullptr},     {"logistic", logistic, nullptr},   {"pow", nullptr, mpfr_pow}, {"atan2", nullptr, mpfr_atan2},
};

class Value {
 public:
  explicit Value(mpfr_prec_t precision, double v = 0) {
    mpfr_init2(value_, precision);
    mpfr_set_d(value_, v, MPFR_RNDN);
  }
  ~Value() { mpfr_clear(value_); }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

// MPFR's correctly rounded result with the number of digits that the format has at the result's size.
double expected(const FunctionRow& row, const FloatFormat& format, double a, double b, mpfr_rnd_t direction) {
  Value x(53, a);
  Value y(53, b);
  const auto evaluate = [&](Value& out, mpfr_rnd_t way) {
    if (row.unary) row.unary(out.get(), x.get(), way);
    else row.binary(out.get(), x.get(), y.get(), way);
  };
  Value first(format.precision());
  evaluate(first, MPFR_RNDZ);
  if (mpfr_nan_p(first.get()) || mpfr_inf_p(first.get())) return mpfr_get_d(first.get(), MPFR_RNDN);
  const int quantum = 1 - format.bias - format.fraction_bits;  // of subnormals, as an exponent
  const mpfr_exp_t size = mpfr_zero_p(first.get()) ? -100000000 : mpfr_get_exp(first.get());
  Value down(200);
  Value up(200);
  evaluate(down, MPFR_RNDD);
  evaluate(up, MPFR_RNDU);
  if (mpfr_zero_p(down.get()) && mpfr_zero_p(up.get())) return mpfr_get_d(down.get(), MPFR_RNDN);
  const bool negative = mpfr_sgn(down.get()) < 0;
  const bool away = direction == (negative ? MPFR_RNDD : MPFR_RNDU);
  if (size <= quantum) {  // below the smallest value; what is near one half of it is told by 200 bits
    Value half(53, 1);
    mpfr_mul_2si(half.get(), half.get(), quantum - 1, MPFR_RNDN);
    const bool above_half = mpfr_cmpabs(negative ? up.get() : down.get(), half.get()) > 0;
    const double magnitude = away || (direction == MPFR_RNDN && above_half) ? std::ldexp(1.0, quantum) : 0.0;
    return negative ? -magnitude : magnitude;
  }
  Value result(std::min<mpfr_prec_t>(format.precision(), size - quantum));
  evaluate(result, direction);
  const double largest = format.largest().to_double();
  Value limit(53, largest);
  if (mpfr_cmpabs(result.get(), limit.get()) > 0) {
    const bool inward = direction == MPFR_RNDZ || (direction != MPFR_RNDN && !away);
    return (negative ? -1.0 : 1.0) * (inward ? largest : std::numeric_limits<double>::infinity());
  }
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

void check_function(const FunctionRow& row, const FloatFormat& format, double a, double b, const Direction& way) {
  const RealFunction function = *find_real_function(row.word);
  const Computable arguments[] = {Real::from_double(a), Real::from_double(b)};
  const Computable value = Computable::apply(function, std::span<const Computable>(arguments, static_cast<std::size_t>(arity(function))));
  const auto rounded = value.round_to(format, way.rounding, Overflow::format);
  const auto text = [&] {
    return std::string(row.word) + " " + Real::from_double(a).to_hex_float() + " " + Real::from_double(b).to_hex_float() + " " + std::string(format.name) +
           " " + std::string(to_word(way.rounding));
  };
  ASSERT_TRUE(rounded.has_value()) << text();
  const double judge = expected(row, format, a, b, way.direction);
  ASSERT_TRUE((*rounded)->identical(Real::from_double(judge)))
      << text() << ": " << (*rounded)->to_hex_float() << ", not " << Real::from_double(judge).to_hex_float();
}

const std::vector<double>& edges() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  static const std::vector<double> values{0.0,       0x1p-1074,
                                          0x1p-1022, 0x1p-149,
                                          0x1p-60,   0x1p-25,
                                          0.1,       0.25,
                                          1.0 / 3,   0.5,
                                          0.9999999, 0x1.fffffffffffffp-1,
                                          1.0,       0x1.0000000000001p0,
                                          1.5,       2.0,
                                          3.0,       4.0,
                                          8.0,       9.0,
                                          10.0,      16.0,
                                          27.0,      88.7,
                                          88.8,      100.0,
                                          103.9,     104.1,
                                          709.7,     709.8,
                                          745.1,     745.2,
                                          1000.0,    1e6,
                                          1e9,       1e22,
                                          0x1p53,    1e100,
                                          1e300,     0x1.fffffffffffffp1023,
                                          infinity};
  return values;
}

TEST(ComputableMpfr, EdgesOfEveryFunction) {
  for (const FunctionRow& row : function_rows)
    for (const double size : edges())
      for (const double a : {size, -size}) {
        if (std::string_view(row.word) == "rsqrt" && a == 0) continue;  // rsqrt(-0): IEEE 754 says -inf, MPFR +inf
        for (const char* name : {"f32", "f64", "f16"})
          for (const Direction& way : directions) {
            if (row.unary) {
              ASSERT_NO_FATAL_FAILURE(check_function(row, *find_float_format(name), a, 0, way));
            }
          }
      }
}

TEST(ComputableMpfr, EdgesOfPairs) {
  for (const FunctionRow& row : function_rows) {
    if (!row.binary) continue;
    for (const double left : edges())
      for (const double right : edges())
        for (const double a : {left, -left})
          for (const double b : {right, -right})
            ASSERT_NO_FATAL_FAILURE(check_function(row, *find_float_format("f32"), a, b, directions[std::bit_cast<std::uint64_t>(a * 3 + b) % 4]));
  }
}

TEST(ComputableMpfr, RandomArguments) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 100000; ++i) {
    const FunctionRow& row = function_rows[static_cast<std::size_t>(i) % std::size(function_rows)];
    const bool single = random() % 2 == 0;
    const auto pick = [&] {
      const double size = std::ldexp(1.0 + std::ldexp(static_cast<double>(random() >> 12), -52), static_cast<int>(random() % 40) - 30);
      const double v = random() % 2 == 0 ? size : -size;
      return single ? static_cast<double>(static_cast<float>(v)) : v;
    };
    double a = pick();
    const double b = pick();
    const std::string_view word = row.word;
    if (word == "sqrt" || word == "rsqrt" || word == "log" || word == "pow") a = std::fabs(a);
    ASSERT_NO_FATAL_FAILURE(check_function(row, *find_float_format(single ? "f32" : "f64"), a, b, directions[random() % 4]));
  }
}

}  // namespace
}  // namespace tiebreak
