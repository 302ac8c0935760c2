// SPDX-License-Identifier: Apache-2.0
// Drawn values. With bounds: evenly spread over the real interval and rounded to the type. Without: evenly over the finite codes,
// which for floats means over all exponents.
#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
namespace {

struct Bounds {
  Real least;
  Real greatest;
};

Result<Bounds> bounds_of(const InputRequest& request) {
  const ElementType& type = request.type.element;
  Bounds bounds{number(request, "min", type.min()), number(request, "max", type.max())};
  if (!(type.min() <= bounds.least && bounds.least <= bounds.greatest && bounds.greatest <= type.max())) {
    return fail(Errc::syntax, "'min' and 'max' must be ascending values in the range of " + type.name(), request.where);
  }
  return bounds;
}

Real draw_code(PseudoRandom& random, const ElementType& type) {
  std::uint64_t bound = type.bits() == 64 ? 0 : std::uint64_t{1} << type.bits();
  for (;;) {
    Real v = type.decode(random.below(bound));
    if (v.is_finite()) return v;
  }
}

Real draw_between(PseudoRandom& random, const Bounds& bounds, const ElementType& type) {
  if (type.is_float()) {
    Real share = Real::from_unsigned(random.next() >> 11) * Real::power_of_two(-53);
    Real v = bounds.least + (bounds.greatest - bounds.least) * share;
    std::optional<Real> rounded = round_to(v, type.floating(), Rounding::nearest_even, Overflow::saturate);
    return rounded && bounds.least <= *rounded && *rounded <= bounds.greatest ? *rounded : value_above(bounds.least, type);
  }
  Real least = round_whole(bounds.least, Rounding::up);
  Real count = round_whole(bounds.greatest, Rounding::down) - least + Real(1);
  return least + Real::from_unsigned(random.below(count.to_uint64().value_or(0)));
}

}  // namespace

Result<Tensor> random(const InputRequest& request) {
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  TIEBREAK_TRY(bounds, bounds_of(request));
  const ElementType& type = request.type.element;
  bool bounded = request.numbers.contains("min") || request.numbers.contains("max");
  PseudoRandom generator(request.seed);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    Real v = type.is_boolean() ? Real::from_unsigned(generator.below(2)) : bounded ? draw_between(generator, bounds, type) : draw_code(generator, type);
    TIEBREAK_CHECK(store(tensor, i, v, request));
  }
  return tensor;
}

Result<Tensor> extremes(const InputRequest& request) {
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  TIEBREAK_TRY(bounds, bounds_of(request));
  PseudoRandom generator(request.seed);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    TIEBREAK_CHECK(store(tensor, i, generator.below(2) == 0 ? bounds.least : bounds.greatest, request));
  }
  return tensor;
}

}  // namespace tiebreak::generate
