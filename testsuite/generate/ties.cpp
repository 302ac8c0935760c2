// SPDX-License-Identifier: Apache-2.0
// Where a quantizer's stairs are: x = (k + 1/2) * scale, with the values of x's type on both sides. If the product is itself a
// value of the type (power-of-two scales), it is the exact tie; if not, the two values around it are taken.
#include <algorithm>

#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
namespace {

constexpr std::int64_t margin = 3;         // stairs beyond each end of the range: saturation must hold there
constexpr std::int64_t most_stairs = 600;  // a wider range is sampled: both ends, around zero, and in between

/// The k to visit, ascending.
std::vector<std::int64_t> stairs(const OutputRange& range) {
  std::int64_t low = range.least - margin;
  std::int64_t high = range.greatest + margin - 1;
  std::vector<std::int64_t> chosen;
  if (high - low < most_stairs) {
    for (std::int64_t k = low; k <= high; ++k) chosen.push_back(k);
    return chosen;
  }
  std::int64_t dense = most_stairs / 6;
  auto add = [&](std::int64_t from, std::int64_t to, std::int64_t step) {
    for (std::int64_t k = std::max(from, low); k <= std::min(to, high); k += step) chosen.push_back(k);
  };
  add(low, low + dense, 1);
  add(-dense, dense, 1);
  add(high - dense, high, 1);
  add(low, high, std::max<std::int64_t>((high - low) / (2 * dense) | 1, 1));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace

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
      for (std::int64_t k : stairs(output_range(request, i))) {
        for (const Real& v : values_around(Real::dyadic(2 * k + 1, -1) * scale, request.type.element)) around.push_back(v);
      }
    }
    // Fewer elements than values: spread evenly over the whole range, from a place the seed chooses.
    auto length = static_cast<std::int64_t>(around.size());
    std::int64_t step = visited[scale_index]++;
    std::int64_t position = length > share ? (seed + step * length / share) % length : step % length;
    const Real& value = around[static_cast<std::size_t>(position)];
    TIEBREAK_CHECK(store(tensor, i, value, request.where));
  }
  return tensor;
}

}  // namespace tiebreak::generate
