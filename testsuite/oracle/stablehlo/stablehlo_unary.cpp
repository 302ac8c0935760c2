// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_unary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tiebreak::oracle {
namespace {

using Number = long double;
constexpr Number infinity = std::numeric_limits<Number>::infinity();

Number half_to_even(Number v) { return std::nearbyint(v); }

/// The C library's root may miss a rational one by its last bit.
Number cube_root(Number x) {
  const Number root = std::cbrt(x), short_root = std::ldexp(std::nearbyint(std::ldexp(root, 16)), -16);
  return short_root * short_root * short_root == x ? short_root : root;
}

/// Functions that approach a limit never reach it, though a long double may: the value beside it stands for what lies between.
Number short_of(Number v, Number limit) { return v == limit ? std::nextafter(v, Number{0}) : v; }
Number power_minus_one(Number x) { return std::isinf(x) ? std::expm1(x) : short_of(std::expm1(x), -1); }
Number hyperbolic_tangent(Number x) { return std::isinf(x) ? std::tanh(x) : short_of(short_of(std::tanh(x), 1), -1); }

Number sign(Number x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// reduce_precision without the last conversion. A value between the formats goes to the nearest even, then the exponent is cut.
Number reduced_precision(Number x, const StablehloUnaryParameters& p) {
  if (std::isnan(x) || std::isinf(x) || x == 0) return x;
  Number v = x;
  if (p.mantissa_bits < p.expressed.precision - 1) {
    const int place = std::max(std::ilogb(x), p.expressed.least) - p.mantissa_bits;
    v = std::ldexp(half_to_even(std::ldexp(x, -place)), place);
  }
  const Number bias = std::ldexp(Number{1}, p.exponent_bits - 1) - 1;
  if (bias >= static_cast<Number>(p.expressed.greatest)) return v;
  if (std::abs(v) >= std::ldexp(Number{1}, static_cast<int>(bias) + 1)) return std::copysign(infinity, v);
  if (std::abs(v) < std::ldexp(Number{1}, 1 - static_cast<int>(bias))) return std::copysign(Number{0}, v);
  return v;
}

using Function = Number (*)(Number);
struct Named {
  std::string_view op;
  Function function;
  bool from_library;  ///< the interpreter asks for a double
};
constexpr std::array functions{
    Named{"abs", [](Number x) { return std::abs(x); }, false},
    Named{"cbrt", cube_root, true},
    Named{"ceil", [](Number x) { return std::ceil(x); }, false},
    Named{"cosine", [](Number x) { return std::cos(x); }, true},
    Named{"exponential", [](Number x) { return std::exp(x); }, true},
    Named{"exponential_minus_one", power_minus_one, true},
    Named{"floor", [](Number x) { return std::floor(x); }, false},
    Named{"log", [](Number x) { return std::log(x); }, true},
    Named{"log_plus_one", [](Number x) { return std::log1p(x); }, true},
    Named{"negate", [](Number x) { return -x; }, false},
    Named{"round_nearest_afz", [](Number x) { return std::round(x); }, false},
    Named{"round_nearest_even", half_to_even, false},
    Named{"sign", sign, false},
    Named{"sine", [](Number x) { return std::sin(x); }, true},
    Named{"sqrt", [](Number x) { return std::sqrt(x); }, true},
    Named{"tan", [](Number x) { return std::tan(x); }, true},
    Named{"tanh", hyperbolic_tangent, true},
};
constexpr std::array<std::string_view, 3> with_steps{"logistic", "rsqrt", "reduce_precision"};
constexpr auto unary_op_names = [] {
  std::array<std::string_view, functions.size() + with_steps.size()> all{};
  for (std::size_t i = 0; i < functions.size(); ++i) all[i] = functions[i].op;
  for (std::size_t i = 0; i < with_steps.size(); ++i) all[functions.size() + i] = with_steps[i];
  return all;
}();

/// The nearest whole number of v + zero_point, without forming the sum, which could lose what tells v from a tie.
Number half_to_even_sum(Number v, int zero_point) {
  if (std::isinf(v)) return v;
  const Number toward_zero = std::trunc(v), rest = std::abs(v - toward_zero);
  const bool odd = std::fmod(std::abs(toward_zero + zero_point), Number{2}) == 1;
  const bool away = rest > Number{0.5} || (rest == Number{0.5} && odd);
  return toward_zero + zero_point + (away ? std::copysign(Number{1}, v) : 0);
}

Number as_double(Number v) { return static_cast<Number>(static_cast<double>(v)); }

/// One divided by the root: of two long double operations the first could move a tie, but a rational root is exact.
Number reciprocal_root(Number x, StablehloReading reading) {
  if (reading == StablehloReading::interpreter) return as_double(1 / as_double(std::sqrt(x)));
  return 1 / std::sqrt(x);
}

Number logistic(Number x, const WideFloat& format, StablehloReading reading) {
  if (reading == StablehloReading::exact) return x >= 0 ? short_of(1 / (1 + std::exp(-x)), 1) : std::exp(x) / (1 + std::exp(x));
  const Number power = std::exp(-x);
  const Number rounded = nearest(reading == StablehloReading::interpreter ? as_double(power) : power, format);
  return nearest(1 / nearest(1 + rounded, format), format);
}

/// The op's value before it is rounded to the format.
Number value_of(std::string_view op, Number x, const StablehloUnaryParameters& p, StablehloReading reading) {
  if (op == "reduce_precision") return reduced_precision(x, p);
  if (op == "logistic") return logistic(x, p.expressed, reading);
  if (op == "rsqrt") return reciprocal_root(x, reading);
  const Named& one = *std::find_if(functions.begin(), functions.end(), [&](const Named& named) { return named.op == op; });
  const Number v = one.function(x);
  return one.from_library && reading == StablehloReading::interpreter ? as_double(v) : v;
}

}  // namespace

long double nearest(long double v, const WideFloat& format) {
  if (std::isnan(v) || std::isinf(v) || v == 0) return v;
  const int place = std::max(std::ilogb(v), format.least) - (format.precision - 1);
  const Number rounded = std::ldexp(half_to_even(std::ldexp(v, -place)), place);
  return std::abs(rounded) >= std::ldexp(Number{1}, format.greatest + 1) ? std::copysign(infinity, v) : rounded;
}

std::span<const std::string_view> unary_ops() { return unary_op_names; }

long double unary_float(std::string_view op, long double x, const StablehloUnaryParameters& parameters, StablehloReading reading) {
  return nearest(value_of(op, x, parameters, reading), parameters.expressed);
}

std::optional<std::int64_t> unary_code(std::string_view op, std::int64_t code, const StablehloUnaryParameters& p, StablehloReading reading) {
  const CodeRange range = integer_range(p.is_signed, p.bits);
  const Number least = static_cast<Number>(range.min), greatest = static_cast<Number>(range.max);
  if (reading == StablehloReading::exact) {
    const Number v = value_of(op, static_cast<Number>(code - p.operand_zero_point) * p.operand_scale, p, reading);
    const Number scaled = v / p.result_scale;
    if (std::isnan(scaled)) return std::nullopt;
    return static_cast<std::int64_t>(std::clamp(half_to_even_sum(scaled, p.result_zero_point), least, greatest));
  }
  const auto E = [&](Number v) { return nearest(v, p.expressed); };
  const bool interpreted = reading == StablehloReading::interpreter;
  const std::int64_t half = std::int64_t{1} << (p.bits - 1);
  const std::int64_t read = interpreted && !p.is_signed && code >= half ? code - 2 * half : code;
  const Number x = E(E(static_cast<Number>(read - p.operand_zero_point)) * E(p.operand_scale));
  const Number v = unary_float(op, x, p, reading);
  const Number sum = E(E(v / E(p.result_scale)) + E(p.result_zero_point));
  if (std::isnan(sum)) return interpreted ? std::optional<std::int64_t>(0) : std::nullopt;
  const Number whole = half_to_even(std::clamp(sum, E(least), E(greatest)));
  if (!interpreted && (whole < least || whole > greatest)) return std::nullopt;
  return static_cast<std::int64_t>(interpreted ? std::min(whole, static_cast<Number>(half - 1)) : whole);
}

}  // namespace tiebreak::oracle
