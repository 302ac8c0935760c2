// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/float_sums.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

/// step(sum, i) takes the i-th product in, add(sum, other) another sum.
template <class Number, class Step, class Add>
Number run(std::size_t first, std::size_t last, Step step) {
  Number sum = 0;
  for (std::size_t i = first; i < last; ++i) sum = step(sum, i);
  return sum;
}

template <class Number, class Step, class Add>
Number halves(std::size_t first, std::size_t count, Step step, Add add) {
  if (count <= 1) return run<Number, Step, Add>(first, first + count, step);
  const std::size_t half = count - count / 2;
  const Number left = halves<Number>(first, half, step, add);
  return add(left, halves<Number>(first + half, count - half, step, add));
}

template <class Number, class Step, class Add>
Number sum_of(std::size_t count, const DeclaredSum& how, Step step, Add add) {
  switch (how.order) {
    case SumOrder::sequential: return run<Number, Step, Add>(0, count, step);
    case SumOrder::pairwise: return halves<Number>(0, count, step, add);
    case SumOrder::blocked: break;
  }
  Number sum = 0;
  for (std::size_t first = 0; first < count; first += static_cast<std::size_t>(how.block))
    sum = add(sum, run<Number, Step, Add>(first, std::min(first + static_cast<std::size_t>(how.block), count), step));
  return sum;
}

template <class Number>
Number sum_native(std::span<const Number> a, std::span<const Number> b, const DeclaredSum& how) {
  auto add = [](Number x, Number y) { return x + y; };
  if (how.fused)
    return sum_of<Number>(
        a.size(), how, [&](Number sum, std::size_t i) { return std::fma(a[i], b[i], sum); }, add);
  return sum_of<Number>(
      a.size(), how,
      [&](Number sum, std::size_t i) {
        const Number product = a[i] * b[i];
        return sum + product;
      },
      add);
}

struct Dyadic {
  Wide mantissa;
  int exponent;
};

Dyadic dyadic(double v) {
  int exponent = 0;
  const double fraction = std::frexp(v, &exponent);
  Dyadic d{static_cast<Wide>(std::ldexp(fraction, 53)), exponent - 53};
  while (d.mantissa != 0 && d.mantissa % 2 == 0) d.mantissa /= 2, ++d.exponent;
  return d;
}

int width(Wide v) {
  int bits = 0;
  for (Wide rest = v < 0 ? -v : v; rest != 0; rest /= 2) ++bits;
  return bits;
}

float to_f32(Wide mantissa, int exponent) {
  const bool negative = mantissa < 0;
  Wide size = negative ? -mantissa : mantissa;
  const int place = std::max(exponent + width(size) - 24, -149);  // of the last bit kept
  if (place > exponent) {
    if (place - exponent > 126) return negative ? -0.0f : 0.0f;
    const Wide unit = Wide{1} << (place - exponent), rest = size % unit;
    size /= unit;
    if (rest * 2 > unit || (rest * 2 == unit && size % 2 == 1)) ++size;
    exponent = place;
  }
  const float v = std::ldexp(static_cast<float>(size), exponent);
  return negative ? -v : v;
}

}  // namespace

float sum_f32(std::span<const float> a, std::span<const float> b, const DeclaredSum& how) { return sum_native<float>(a, b, how); }
double sum_f64(std::span<const double> a, std::span<const double> b, const DeclaredSum& how) { return sum_native<double>(a, b, how); }

double sum_narrow(std::span<const float> a, std::span<const float> b, const DeclaredSum& how, const WideFloat& accumulator) {
  using Number = long double;
  auto product = [&](std::size_t i) {
    const Number exact = static_cast<Number>(a[i]) * static_cast<Number>(b[i]);
    return how.fused ? exact : nearest(exact, accumulator);
  };
  return static_cast<double>(sum_of<Number>(
      a.size(), how, [&](Number sum, std::size_t i) { return nearest(sum + product(i), accumulator); },
      [&](Number x, Number y) { return nearest(x + y, accumulator); }));
}

std::optional<float> exact_sum(std::span<const float> a, std::span<const float> b, double scale) {
  int least = 0;
  bool first = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Dyadic x = dyadic(static_cast<double>(a[i])), y = dyadic(static_cast<double>(b[i]));
    if (x.mantissa == 0 || y.mantissa == 0) continue;
    least = first ? x.exponent + y.exponent : std::min(least, x.exponent + y.exponent);
    first = false;
  }
  Wide sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Dyadic x = dyadic(static_cast<double>(a[i])), y = dyadic(static_cast<double>(b[i]));
    const Wide product = x.mantissa * y.mantissa;
    if (product == 0) continue;
    const int shift = x.exponent + y.exponent - least;
    if (width(product) + shift > 115) return std::nullopt;
    sum += product * (Wide{1} << shift);
  }
  const Dyadic factor = dyadic(scale);
  if (width(sum) + width(factor.mantissa) > 126) return std::nullopt;
  return to_f32(sum * factor.mantissa, least + factor.exponent);
}

std::optional<std::int64_t> exact_code(std::int64_t sum, double s, double other_s, double t, std::int64_t zero_point) {
  const Dyadic a = dyadic(s), b = dyadic(other_s), c = dyadic(t);
  Wide above = static_cast<Wide>(sum) * a.mantissa * b.mantissa, below = c.mantissa;
  const int shift = a.exponent + b.exponent - c.exponent;
  if (width(above) + std::max(shift, 0) > 120 || width(below) + std::max(-shift, 0) > 120) return std::nullopt;
  (shift >= 0 ? above : below) *= Wide{1} << std::abs(shift);
  above += below * zero_point;
  Wide whole = above / below, rest = above % below;
  if (rest < 0) rest += below, --whole;
  if (rest * 2 > below || (rest * 2 == below && whole % 2 != 0)) ++whole;
  return static_cast<std::int64_t>(whole);
}

}  // namespace tiebreak::oracle
