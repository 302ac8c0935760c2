// SPDX-License-Identifier: Apache-2.0
// Values counted up, and one value everywhere.
#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {

Result<Tensor> sequence(const InputRequest& request) {
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  const ElementType& type = request.type.element;
  Real start = number(request, "start", type.is_integer() ? type.min() : Real(0));
  Real step = number(request, "step", 1);
  if (!(type.min() <= start && start <= type.max()) || !step.is_finite()) {
    return fail(Errc::syntax, "'start' must be a value of " + type.name() + " and 'step' a number", request.where);
  }
  Real v = start;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    // Counted exactly; a float type gets the nearest of its values.
    std::optional<Real> value = type.is_float() ? round_to(v, type.floating()) : v;
    TIEBREAK_CHECK(store(tensor, i, value.value_or(v), request));
    v = v + step;
    // Beyond the range the sequence comes in again at the far end, so that a full turn visits every code.
    if (v > type.max()) v = type.is_integer() ? v - (type.max() - type.min() + Real(1)) : start;
    if (v < type.min()) v = type.is_integer() ? v + (type.max() - type.min() + Real(1)) : start;
  }
  return tensor;
}

Result<Tensor> constant(const InputRequest& request) {
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  for (std::int64_t i = 0; i < tensor.size(); ++i) TIEBREAK_CHECK(store(tensor, i, number(request, "value", 0), request));
  return tensor;
}

}  // namespace tiebreak::generate
