// SPDX-License-Identifier: Apache-2.0
// All in double.
#include "testsuite/calibrate/bisection.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak {
namespace {

struct Cover {
  double low, high;  ///< of the range that is to be covered
  double steps;

  double begin(double step) const { return step * std::floor(low / step); }
  /// By how much codes of this step reach beyond the range, at the end where they do so most; below zero where they leave an end out.
  double excess(double step) const {
    const double above = begin(step) + steps * step - high, below = low - begin(step);
    if (above < 0) return above;
    return below < 0 ? below : std::max(above, below);
  }
};

}  // namespace

std::optional<std::pair<double, double>> bisected_parameters(double low, double high, double least_code, double steps) {
  const Cover cover{std::min(low, 0.0), std::max(high, 0.0), steps};
  if (!(cover.low < cover.high)) return std::nullopt;
  constexpr int most_halvings = 60;
  constexpr double close = 1e-15;
  double narrow = (cover.high - cover.low) / steps, wide = (steps * narrow + 2 * narrow) / steps, step = narrow, before = 0;
  for (int halving = 0; halving < most_halvings; ++halving, before = step) {
    step = (narrow + wide) / 2;
    const double excess = cover.excess(step);
    if (excess == 0 || (excess > 0 && std::fabs(step - before) < close)) break;
    ((excess > 0) == (cover.excess(narrow) > 0) ? narrow : wide) = step;
  }
  return std::pair(step, std::round(least_code - cover.begin(step) / step));
}

}  // namespace tiebreak
