// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/relay/relay_images.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::oracle::relay {
namespace {

/// Counts through all places of a box, the last coordinate fastest; false at the end.
bool next(std::vector<std::int64_t>& at, const std::vector<std::int64_t>& extents) {
  for (std::size_t d = at.size(); d-- > 0;) {
    if (++at[d] < extents[d]) return true;
    at[d] = 0;
  }
  return false;
}

Pooled window(const std::vector<std::int64_t>& image, const std::vector<PoolAxis>& axes, const std::vector<std::int64_t>& place) {
  std::vector<std::int64_t> tap(axes.size(), 0), extents;
  for (const PoolAxis& axis : axes) extents.push_back(axis.window);
  Pooled found;
  do {
    std::int64_t index = 0;
    bool inside = true, padded = true;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      const PoolAxis& axis = axes[d];
      const std::int64_t at = place[d] * axis.stride + tap[d] * axis.dilation - axis.low;
      inside = inside && at >= 0 && at < axis.extent;
      padded = padded && at < axis.extent + axis.high;
      index = index * axis.extent + at;
    }
    found.padded += padded ? 1 : 0;
    if (!inside) continue;
    const std::int64_t value = image[static_cast<std::size_t>(index)];
    found.greatest = found.inside == 0 ? value : std::max(found.greatest, value);
    found.sum += value;
    ++found.inside;
  } while (next(tap, extents));
  return found;
}

float coordinate(std::int64_t place, std::int64_t before, std::int64_t after, const std::string& mode) {
  const float at = static_cast<float>(place), ratio = static_cast<float>(before) / static_cast<float>(after);
  if (mode == "align_corners") return static_cast<float>(before - 1) / static_cast<float>(after - 1) * at;
  if (mode == "asymmetric") return ratio * at;
  if (mode == "pytorch_half_pixel" && after == 1) return 0;
  const float middle = (at + 0.5F) * ratio;
  return mode == "tf_half_pixel_for_nn" ? middle : middle - 0.5F;
}

std::int64_t inside(std::int64_t place, std::int64_t extent) { return std::clamp<std::int64_t>(place, 0, extent - 1); }

std::int64_t nearest(std::int64_t place, std::int64_t before, std::int64_t after, const Resize& resize) {
  if (resize.mode == "asymmetric" && after % before == 0) return inside(place / (after / before), before);
  const float at = coordinate(place, before, after, resize.mode);
  std::string word = resize.rounding;
  if (word.empty()) word = resize.mode == "align_corners" ? "round" : "floor";
  const float found = word == "round"                ? std::round(at)
                      : word == "round_prefer_floor" ? std::ceil(at - 0.5F)
                      : word == "round_prefer_ceil"  ? std::floor(at + 0.5F)
                      : word == "floor"              ? std::floor(at + 1e-5F)
                                                     : std::ceil(at - 1e-5F);
  return inside(static_cast<std::int64_t>(found), before);
}

float between(float a, float b, float share) {
  const float left = a * (1.0F - share), right = b * share;
  return left + right;
}

}  // namespace

Pool pool(const std::vector<std::int64_t>& image, const std::vector<PoolAxis>& axes, bool ceil_mode) {
  Pool pooled;
  bool any = true;
  for (const PoolAxis& axis : axes) {
    const std::int64_t room = axis.extent + axis.low + axis.high - (axis.window - 1) * axis.dilation - 1;
    std::int64_t places = 0;
    while (places * axis.stride <= room + (ceil_mode ? axis.stride - 1 : 0)) ++places;
    pooled.places.push_back(places);
    any = any && places > 0;
  }
  std::vector<std::int64_t> place(axes.size(), 0);
  while (any) {
    pooled.windows.push_back(window(image, axes, place));
    any = next(place, pooled.places);
  }
  return pooled;
}

std::vector<float> resize(const std::vector<float>& image, const Resize& resize) {
  std::vector<float> result;
  const auto element = [&](std::int64_t row, std::int64_t column) {
    return image[static_cast<std::size_t>(inside(row, resize.rows) * resize.columns + inside(column, resize.columns))];
  };
  for (std::int64_t row = 0; row < resize.new_rows; ++row)
    for (std::int64_t column = 0; column < resize.new_columns; ++column) {
      if (!resize.linear) {
        result.push_back(element(nearest(row, resize.rows, resize.new_rows, resize), nearest(column, resize.columns, resize.new_columns, resize)));
        continue;
      }
      const float y = coordinate(row, resize.rows, resize.new_rows, resize.mode), x = coordinate(column, resize.columns, resize.new_columns, resize.mode);
      const std::int64_t above = static_cast<std::int64_t>(std::floor(y)), left = static_cast<std::int64_t>(std::floor(x));
      const float down = y - static_cast<float>(above), across = x - static_cast<float>(left);
      const float top = between(element(above, left), element(above, left + 1), across);
      const float bottom = between(element(above + 1, left), element(above + 1, left + 1), across);
      result.push_back(between(top, bottom, down));
    }
  return result;
}

std::vector<float> softmax(const std::vector<float>& line) {
  const float greatest = *std::ranges::max_element(line);
  std::vector<float> result;
  float sum = 0;
  for (float value : line) {
    result.push_back(static_cast<float>(std::exp(static_cast<long double>(value - greatest))));
    sum += result.back();
  }
  for (float& value : result) value /= sum;
  return result;
}

}  // namespace tiebreak::oracle::relay
