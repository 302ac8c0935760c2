// SPDX-License-Identifier: Apache-2.0
// Zero points, scales and accumulators that show what plain ones hide.
#include <algorithm>

#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {

/// Odd and even, both ends and beside them: the parity decides ties where the zero point goes in before the rounding, the ends saturate.
Result<Tensor> zero_points(const InputRequest& request) {
  const ElementType& type = request.type.element;
  if (!type.is_integer()) return fail(Errc::type, "rule 'zero_points' makes integers", request.where);
  const Real middle = round_whole((type.min() + type.max()) / Real(2), Rounding::up);
  std::vector<Real> values;
  for (const Real& v :
       {Real(0), Real(1), type.min(), type.max(), middle, middle + Real(1), Real(-1), Real(3), type.min() + Real(1), type.max() - Real(1), Real(2), Real(-2)}) {
    const bool inside = type.min() <= v && v <= type.max();
    if (inside && std::ranges::none_of(values, [&](const Real& known) { return known == v; })) values.push_back(v);
  }
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    TIEBREAK_CHECK(store(tensor, i, values[(static_cast<std::size_t>(i) + request.seed - 1) % values.size()], request));
  return tensor;
}

/// Finite and positive: the ends of the format, its subnormals, powers of two and their neighbours, and what no binary number is.
Result<Tensor> extreme_scales(const InputRequest& request) {
  const ElementType& type = request.type.element;
  if (!type.is_float()) return fail(Errc::type, "rule 'extreme_scales' makes floats", request.where);
  const Real least = type.floating().smallest(), normal = least * Real::power_of_two(type.floating().fraction_bits);
  std::vector<Real> values;
  auto add = [&](const Real& v) {
    const bool usable = v.is_finite() && v.sign() > 0 && v <= type.max();
    if (usable && std::ranges::none_of(values, [&](const Real& known) { return known == v; })) values.push_back(v);
  };
  for (const Real& v :
       {normal, type.max(), Real(1), least, next_below(Real(1), type), next_above(Real(1), type), next_below(normal, type), next_below(type.max(), type)})
    add(v);
  for (int power : {-24, -16, -8, 8, 16, 24}) {
    if (Real::power_of_two(power) < least || Real::power_of_two(power) > type.max()) continue;
    const Real exact = value_below(Real::power_of_two(power), type);
    for (const Real& v : {exact, next_below(exact, type), next_above(exact, type)}) add(v);
  }
  for (int divisor : {3, 10, 127, 255}) add(round_to(Real(1) / Real(divisor), type.floating()).value_or(Real(1)));
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    TIEBREAK_CHECK(store(tensor, i, values[(static_cast<std::size_t>(i) + request.seed - 1) % values.size()], request));
  return tensor;
}

/// Whole numbers that f32 cannot hold: at and beside the ties of their conversion, from 2^24 to the ends of the type.
Result<Tensor> large_accumulators(const InputRequest& request) {
  const ElementType& type = request.type.element;
  if (!type.is_integer() || type.bits() < 26) return fail(Errc::type, "rule 'large_accumulators' makes integers of 26 bits and more", request.where);
  std::vector<Real> values;
  for (int power = 24; power < type.bits() - (type.integer().is_signed ? 1 : 0); ++power) {
    const Real spacing = Real::power_of_two(power - 23);  // of f32 from 2^power on
    for (int steps : {0, 1, 2, 3, 0x400001, 0x7FFFFF})
      for (int offset : {-1, 0, 1}) {
        const Real tie = Real::power_of_two(power) + Real(steps) * spacing + spacing / Real(2) + Real(offset);
        for (const Real& v : {tie, -tie})
          if (type.min() <= v && v <= type.max()) values.push_back(v);
      }
  }
  values.push_back(type.min());
  values.push_back(type.max());
  std::stable_sort(values.begin(), values.end(), [](const Real& a, const Real& b) { return a < b; });
  values.erase(std::unique(values.begin(), values.end(), [](const Real& a, const Real& b) { return a.identical(b); }), values.end());
  return fill(request, values);
}

}  // namespace tiebreak::generate
