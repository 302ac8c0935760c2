// SPDX-License-Identifier: Apache-2.0
// Accumulators (an i32 bias, with the other operands at their zero points) at the stairs of the requantization that follows:
// acc = (k + 1/2) * y_scale / (x_scale * w_scale), the whole numbers on both sides and one further; then accumulators that f32
// cannot hold (beyond 2^24) and the ends of i32.
#include <algorithm>

#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
namespace {

Real parameter(const InputRequest& request, const std::string& key, std::int64_t element) {
  const Tensor* tensor = operand(request, key);
  if (tensor == nullptr || tensor->size() == 0) return 1;
  // The bias runs along the channels: element c has channel c.
  return tensor->value(std::min(element, tensor->size() - 1));
}

std::vector<Real> values_for(const InputRequest& request, std::int64_t element) {
  const ElementType& type = request.type.element;
  Real multiplier =
      parameter(request, "x_scale", element) * parameter(request, "w_scale", element) / parameter(request, "y_scale", element);
  std::vector<Real> values;
  OutputRange range = output_range(request, element);
  if (multiplier.is_finite() && !multiplier.is_zero()) {
    std::int64_t step = std::max<std::int64_t>((range.greatest - range.least) / 600, 1);
    for (std::int64_t k = range.least - 2; k <= range.greatest + 1; k += step) {
      Real tie = Real::dyadic(2 * k + 1, -1) / multiplier;
      for (const Real& v : values_around(tie, type)) values.push_back(v);
      values.push_back(next_below(value_below(tie, type), type));
      values.push_back(next_above(value_above(tie, type), type));
    }
  }
  for (int exponent : {24, 25, 28, 30, 31}) {
    for (std::int64_t offset : {-3, -1, 0, 1, 3}) {
      Real v = Real::power_of_two(exponent) + Real(offset);
      for (const Real& signed_value : {v, -v}) {
        if (type.min() <= signed_value && signed_value <= type.max()) values.push_back(signed_value);
      }
    }
  }
  values.push_back(type.min());
  values.push_back(type.max());
  return values;
}

}  // namespace

Result<Tensor> accumulator_ties(const InputRequest& request) {
  if (!request.type.element.is_integer()) return fail(Errc::type, "rule 'accumulator_ties' makes integers", request.where);
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  const Tensor* weights = operand(request, "w_scale");
  bool per_channel = weights != nullptr && weights->size() > 1;
  if (!per_channel) return fill(request, values_for(request, 0));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    std::vector<Real> values = values_for(request, i);
    // Channels take different stairs; a prime stride visits near ties, far ends and both sides alike.
    auto position = static_cast<std::size_t>((static_cast<std::uint64_t>(i) + request.seed) * 104729u) % values.size();
    TIEBREAK_CHECK(store(tensor, i, values[position], request.where));
  }
  return tensor;
}

}  // namespace tiebreak::generate
