// SPDX-License-Identifier: Apache-2.0
// Exact ties, and the values that come closest to a tie without being one. Cases about a tie rule need the first; both sides of a tie in a
// format that cannot hold the distance need the second.
#include <algorithm>

#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
namespace {

Real absolute(const Real& v) { return v.sign() < 0 ? -v : v; }

struct Near {
  Real distance;
  Real value;
};

/// By distance from the tie: of integers as it is, of floats relative to the quotient, since theirs is held to as many digits.
std::vector<Real> nearest_to_ties(const InputRequest& request, const CodeWidth& width, const OutputRange& range) {
  std::vector<Near> found;
  for (std::int64_t k : tie_numbers(range)) {
    const Real tie = Real::dyadic(2 * k + 1, -1);
    for (const Real& v : values_around(tie * width.value, request.type.element)) {
      const Real distance = absolute(v / width.value - tie);
      if (distance.is_zero() || distance >= Real::dyadic(1, -1)) continue;
      found.push_back({request.type.element.is_float() ? distance / absolute(tie) : distance, v});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Near& a, const Near& b) { return a.distance < b.distance; });
  std::vector<Real> values;
  for (Near& near : found) values.push_back(std::move(near.value));
  return values;
}

template <class ValuesOf>
Result<Tensor> by_width(const InputRequest& request, Handing handing, ValuesOf values_of) {
  if (!request.operands.contains("of") && !request.operands.contains("y_scale"))
    return fail(Errc::syntax, "rule '" + request.rule + "' needs 'of', or 'x_scale' and 'y_scale'", request.where);
  return fill_groups(
      request,
      [&](std::int64_t i) -> Result<std::int64_t> {
        TIEBREAK_TRY(width, code_width(request, i));
        return width.which;
      },
      [&](std::int64_t i) -> Result<std::vector<Real>> {
        TIEBREAK_TRY(width, code_width(request, i));
        return values_of(width, output_range(request, i));
      },
      handing);
}

}  // namespace

Result<Tensor> exact_ties(const InputRequest& request) {
  return by_width(request, Handing::spread, [&](const CodeWidth& width, const OutputRange& range) -> Result<std::vector<Real>> {
    std::vector<Real> values;
    for (std::int64_t k : tie_numbers(range)) {
      Real tie = Real::dyadic(2 * k + 1, -1) * width.value;
      const bool inside = request.type.element.min() <= tie && tie <= request.type.element.max();
      if (inside && request.type.element.encode(tie)) values.push_back(std::move(tie));
    }
    if (values.empty())
      return fail(Errc::type, "these scales have no exact tie in " + request.type.element.name(), request.where,
                  "take powers of two, or small odd multiples of them");
    return values;
  });
}

Result<Tensor> near_ties(const InputRequest& request) {
  return by_width(request, Handing::first,
                  [&](const CodeWidth& width, const OutputRange& range) -> Result<std::vector<Real>> { return nearest_to_ties(request, width, range); });
}

/// The last codes before the range ends, and where the next would begin: on both ends, at half a code and at whole ones, and far beyond.
Result<Tensor> saturation(const InputRequest& request) {
  return by_width(request, Handing::first, [&](const CodeWidth& width, const OutputRange& range) -> Result<std::vector<Real>> {
    const ElementType& type = request.type.element;
    std::vector<Real> values;
    for (const std::int64_t end : {range.least, range.greatest})
      for (const std::int64_t halves : {-3, -2, -1, 0, 1, 2, 3}) {
        const Real at = Real::dyadic(2 * end + halves, -1) * width.value;
        for (const Real& v : values_around(at, type)) values.push_back(v);
      }
    for (int power : {8, 10, 16, 24, 31})
      for (const Real& far : {Real::power_of_two(power) * width.value, -Real::power_of_two(power) * width.value}) values.push_back(value_below(far, type));
    values.push_back(type.min());
    values.push_back(type.max());
    std::stable_sort(values.begin(), values.end(), [](const Real& a, const Real& b) { return a < b; });
    values.erase(std::unique(values.begin(), values.end(), [](const Real& a, const Real& b) { return a.identical(b); }), values.end());
    return values;
  });
}

}  // namespace tiebreak::generate
