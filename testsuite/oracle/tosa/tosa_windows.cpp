// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tosa/tosa_windows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tiebreak::oracle::tosa {
namespace {

std::int64_t places(std::int64_t extent, const Pool& pool, std::size_t s) {
  return (extent + pool.before[s] + pool.behind[s] - pool.kernel[s]) / pool.stride[s] + 1;
}

/// Calls visit(elements of the window, in the text's order) for each place and channel of the result.
template <class Visit>
Image each_window(const Image& input, const Pool& pool, const Visit& visit) {
  const auto [batch, height, width, channels] = input.extents;
  Image output{{batch, places(height, pool, 0), places(width, pool, 1), channels}};
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t oy = 0; oy < output.extents[1]; ++oy)
      for (std::int64_t ox = 0; ox < output.extents[2]; ++ox)
        for (std::int64_t c = 0; c < channels; ++c) {
          std::vector<double> elements;
          for (std::int64_t ky = 0; ky < pool.kernel[0]; ++ky)
            for (std::int64_t kx = 0; kx < pool.kernel[1]; ++kx) {
              const std::int64_t y = oy * pool.stride[0] - pool.before[0] + ky, x = ox * pool.stride[1] - pool.before[1] + kx;
              if (y >= 0 && y < height && x >= 0 && x < width) elements.push_back(input.at(n, y, x, c));
            }
          output.values.push_back(visit(elements));
        }
  return output;
}

/// value * m / 2^s, halves up, by the reciprocal of a count as the text makes it.
std::int64_t by_reciprocal(std::int64_t value, std::int64_t count) {
  int bits = 0;
  while ((std::int64_t{1} << bits) < count) ++bits;
  const std::int64_t multiplier = ((((std::int64_t{1} << 30) + 1) << bits)) / count;
  const int shift = 30 + bits;
  return (value * multiplier + (std::int64_t{1} << (shift - 1))) >> shift;
}

/// Place of the result to position in the input: the element before it, and what is left, in units of the numerator.
struct Position {
  std::int64_t before = 0, left = 0;
};
Position position(std::int64_t place, const Scaling& scaling, std::size_t s) {
  const std::int64_t n = scaling.numerator[s], at = place * scaling.denominator[s] + scaling.offset[s];
  std::int64_t before = at / n;
  if (before * n > at) --before;
  return {before, at - before * n};
}

template <class Visit>
Image each_place(const Image& input, const Scaling& scaling, const Visit& visit) {
  Image output{{input.extents[0], resized(input.extents[1], scaling, 0).value_or(0), resized(input.extents[2], scaling, 1).value_or(0), input.extents[3]}};
  for (std::int64_t n = 0; n < input.extents[0]; ++n)
    for (std::int64_t oy = 0; oy < output.extents[1]; ++oy)
      for (std::int64_t ox = 0; ox < output.extents[2]; ++ox)
        for (std::int64_t c = 0; c < input.extents[3]; ++c) output.values.push_back(visit(n, position(oy, scaling, 0), position(ox, scaling, 1), c));
  return output;
}

}  // namespace

Image average(const Image& input, const Pool& pool, const AverageOf& rule) {
  return each_window(input, pool, [&](const std::vector<double>& elements) {
    std::int64_t sum = 0;
    for (double element : elements) sum += static_cast<std::int64_t>(element) - rule.input_zero_point;
    const std::int64_t mean = by_reciprocal(sum, static_cast<std::int64_t>(elements.size())) + rule.output_zero_point;
    return static_cast<double>(std::clamp(mean, rule.low, rule.high));
  });
}

Image maximum(const Image& input, const Pool& pool, Nan nan, double least) {
  return each_window(input, pool, [&](const std::vector<double>& elements) {
    double greatest = nan == Nan::ignore ? std::numeric_limits<double>::quiet_NaN() : least;
    for (double element : elements) {
      if (std::isnan(greatest) || std::isnan(element)) {
        if (nan == Nan::propagate) greatest = std::numeric_limits<double>::quiet_NaN();
        else if (std::isnan(greatest)) greatest = element;
      } else if (!(greatest >= element)) {
        greatest = element;
      }
    }
    return greatest;
  });
}

std::optional<std::int64_t> resized(std::int64_t extent, const Scaling& scaling, std::size_t s) {
  const std::int64_t room = (extent - 1) * scaling.numerator[s] - scaling.offset[s] + scaling.border[s];
  if (room < 0 || room % scaling.denominator[s] != 0) return std::nullopt;
  return room / scaling.denominator[s] + 1;
}

Image nearest(const Image& input, const Scaling& scaling) {
  return each_place(input, scaling, [&](std::int64_t n, Position y, Position x, std::int64_t c) {
    const std::int64_t row = 2 * y.left >= scaling.numerator[0] ? std::min(y.before + 1, input.extents[1] - 1) : std::max<std::int64_t>(y.before, 0);
    const std::int64_t column = 2 * x.left >= scaling.numerator[1] ? std::min(x.before + 1, input.extents[2] - 1) : std::max<std::int64_t>(x.before, 0);
    return input.at(n, row, column, c);
  });
}

Image bilinear(const Image& input, const Scaling& scaling) {
  return each_place(input, scaling, [&](std::int64_t n, Position y, Position x, std::int64_t c) {
    const std::int64_t y0 = std::max<std::int64_t>(y.before, 0), y1 = std::min(y.before + 1, input.extents[1] - 1);
    const std::int64_t x0 = std::max<std::int64_t>(x.before, 0), x1 = std::min(x.before + 1, input.extents[2] - 1);
    const double upper = static_cast<double>(scaling.numerator[0] - y.left), lower = static_cast<double>(y.left);
    const double first = static_cast<double>(scaling.numerator[1] - x.left), second = static_cast<double>(x.left);
    return input.at(n, y0, x0, c) * upper * first + input.at(n, y0, x1, c) * upper * second + input.at(n, y1, x0, c) * lower * first +
           input.at(n, y1, x1, c) * lower * second;
  });
}

}  // namespace tiebreak::oracle::tosa
