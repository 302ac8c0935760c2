// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/onnx_interpolation.hpp"

#include <algorithm>

namespace tiebreak::oracle::onnx {
namespace {

/// A place in the line before: `numerator` / `denominator`.
struct PlaceBefore {
  std::int64_t numerator, denominator;
};

PlaceBefore place_before(const ResizedLine& line, std::int64_t i) {
  const std::int64_t n = line.length, m = line.resized;
  if (line.layout == "align_corners") return m == 1 ? PlaceBefore{0, 1} : PlaceBefore{i * (n - 1), m - 1};
  if (line.layout == "asymmetric") return {i * n, m};
  if (line.layout == "tf_half_pixel_for_nn") return {(2 * i + 1) * n, 2 * m};
  if (line.layout == "pytorch_half_pixel" && m == 1) return {0, 1};
  return {(2 * i + 1) * n - m, 2 * m};
}

}  // namespace

LinePlace place_of_line(const ResizedLine& line, std::int64_t place, bool cubic, bool inner) {
  const PlaceBefore before = place_before(line, place);
  const std::int64_t d = before.denominator;
  std::int64_t low = before.numerator / d, r = before.numerator % d;
  if (r < 0) --low, r += d;
  LinePlace seen;
  if (cubic) {
    // -3/4 of the text's polynomials, times 4 d^3.
    const auto near = [d](std::int64_t x) { return 5 * x * x * x - 9 * x * x * d + 4 * d * d * d; };
    const auto far = [d](std::int64_t x) { return -3 * x * x * x + 15 * x * x * d - 24 * x * d * d + 12 * d * d * d; };
    seen.weights = {far(d + r), near(r), near(d - r), far(2 * d - r)};
    --low;
  } else {
    seen.weights = {d - r, r};
  }
  seen.whole = 0;
  for (std::size_t t = 0; t < seen.weights.size(); ++t) {
    const std::int64_t element = low + static_cast<std::int64_t>(t);
    if (inner && (element < 0 || element >= line.length)) seen.weights[t] = 0;
    seen.whole += seen.weights[t];
    seen.elements.push_back(std::clamp<std::int64_t>(element, 0, line.length - 1));
  }
  return seen;
}

std::vector<WholeMean> interpolate(const std::vector<std::int64_t>& values, const std::vector<ResizedLine>& lines, bool cubic, bool inner) {
  std::vector<WholeMean> now;
  for (const std::int64_t value : values) now.push_back({value, 1});
  std::int64_t behind = 1;  // elements of the dimensions behind the line
  for (std::size_t d = lines.size(); d-- > 0;) {
    const ResizedLine& line = lines[d];
    const std::int64_t before = static_cast<std::int64_t>(now.size()) / (line.length * behind);
    std::vector<WholeMean> next;
    for (std::int64_t b = 0; b < before; ++b)
      for (std::int64_t place = 0; place < line.resized; ++place) {
        const LinePlace seen = place_of_line(line, place, cubic, inner);
        for (std::int64_t k = 0; k < behind; ++k) {
          WholeMean mean;
          for (std::size_t t = 0; t < seen.elements.size(); ++t) {
            const WholeMean& one = now[static_cast<std::size_t>((b * line.length + seen.elements[t]) * behind + k)];
            mean.sum += one.sum * seen.weights[t];
            mean.whole = one.whole * seen.whole;  // places of one column have the same weights
          }
          next.push_back(mean);
        }
      }
    behind *= line.resized;
    now = std::move(next);
  }
  return now;
}

}  // namespace tiebreak::oracle::onnx
