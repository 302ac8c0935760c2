// SPDX-License-Identifier: Apache-2.0
// Where a quantizer's stairs are: x = (k + 1/2) * scale, with the values of x's type on both sides. If the product is itself a
// value of the type (power-of-two scales), it is the exact tie; if not, the two values around it are taken.
#include <algorithm>

#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
Result<Tensor> ties(const InputRequest& request) {
  const Tensor& scales = *operand(request, "of");
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  if (tensor.size() == 0) return tensor;
  if (scales.size() == 0) return fail(Errc::type, "rule 'ties' needs a scale that is not empty", request.where);
  // Elements of one scale walk its stairs on their own: a counter for each scale.
  std::vector<std::int64_t> visited(static_cast<std::size_t>(scales.size()), 0);
  std::vector<std::vector<Real>> values(static_cast<std::size_t>(scales.size()));
  std::int64_t share = std::max<std::int64_t>(tensor.size() / scales.size(), 1);
  auto seed = static_cast<std::int64_t>(PseudoRandom(request.seed).below(std::uint64_t{1} << 40));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    auto scale_index = static_cast<std::size_t>(parameter_index(request.type.shape, i, scales, request.axis, request.block_size));
    std::vector<Real>& around = values[scale_index];
    if (around.empty()) {
      Real scale = scales.value(static_cast<std::int64_t>(scale_index));
      if (!scale.is_finite() || scale.is_zero()) return fail(Errc::type, "rule 'ties' needs finite scales other than 0", request.where);
      for (std::int64_t k : tie_numbers(output_range(request, i))) {
        for (const Real& v : values_around(Real::dyadic(2 * k + 1, -1) * scale, request.type.element)) around.push_back(v);
      }
    }
    // Fewer elements than values: spread evenly over the whole range, from a place the seed chooses.
    auto length = static_cast<std::int64_t>(around.size());
    std::int64_t step = visited[scale_index]++;
    std::int64_t position = length > share ? (seed + step * length / share) % length : step % length;
    const Real& value = around[static_cast<std::size_t>(position)];
    TIEBREAK_CHECK(store(tensor, i, value, request));
  }
  return tensor;
}

}  // namespace tiebreak::generate
