// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/microsoft_windows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tiebreak::oracle {
namespace {

std::int64_t global_code(std::int64_t sum, std::int64_t count, const UnaryParameters& p, CodeRange range) {
  const float divisor = p.y_scale * static_cast<float>(count);
  const float factor = p.x_scale / divisor;
  return to_code(static_cast<float>(sum) * factor, p.y_zero_point, range);
}

/// Places of the window inside the image: [first, last).
struct Run {
  std::int64_t first, last;
};
Run run_inside(std::int64_t place, std::int64_t stride, std::int64_t pad, std::int64_t kernel, std::int64_t size) {
  const std::int64_t start = place * stride - pad;
  return {std::max<std::int64_t>(0, start), std::min(size, start + kernel)};
}

/// Real values, each operation in f32.
std::int64_t float_mean(std::span<const std::int64_t> codes, std::int64_t places, const UnaryParameters& p, CodeRange range, bool fused) {
  float total = 0;
  for (std::int64_t code : codes) total += dequantize(code, p.x_zero_point, p.x_scale);
  const float mean = total / static_cast<float>(places);
  const float quotient = mean / p.y_scale;
  if (!fused) return to_code(quotient, p.y_zero_point, range);
  return to_code(quotient + static_cast<float>(p.y_zero_point), 0, range);
}

std::int64_t centred_sum(std::span<const std::int64_t> codes, const UnaryParameters& p) {
  std::int64_t sum = 0;
  for (std::int64_t code : codes) sum += code - p.x_zero_point;
  return sum;
}

std::int64_t reciprocal_mean(std::span<const std::int64_t> codes, std::int64_t places, const UnaryParameters& p, CodeRange range) {
  const int bits = places == 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(places - 1)));
  const std::int64_t multiplier = (((std::int64_t{1} << 30) + 1) << bits) / places;
  const std::int64_t scaled = (centred_sum(codes, p) * multiplier + (std::int64_t{1} << (29 + bits))) >> (30 + bits);
  return std::clamp(scaled + p.y_zero_point, range.min, range.max);
}

std::int64_t mantissa_mean(std::span<const std::int64_t> codes, std::int64_t places, const UnaryParameters& p, CodeRange range) {
  const float divisor = p.y_scale * static_cast<float>(places);
  const std::uint32_t pattern = std::bit_cast<std::uint32_t>(p.x_scale / divisor);
  const std::int64_t mantissa = (pattern & 0x7FFFFF) | 0x800000;
  const int shift = 127 + 23 - static_cast<int>(pattern >> 23);
  const std::int64_t sum = centred_sum(codes, p);
  const std::int64_t magnitude = ((sum < 0 ? -sum : sum) * mantissa + (std::int64_t{1} << (shift - 1))) >> shift;
  return std::clamp((sum < 0 ? -magnitude : magnitude) + p.y_zero_point, range.min, range.max);
}

std::int64_t one_window(std::span<const std::int64_t> image, const PoolShape& shape, Run rows, Run columns, const UnaryParameters& p, CodeRange range,
                        PoolForm form) {
  std::vector<std::int64_t> codes;
  for (std::int64_t i = rows.first; i < rows.last; ++i)
    for (std::int64_t j = columns.first; j < columns.last; ++j) codes.push_back(image[static_cast<std::size_t>(i * shape.width + j)]);
  const std::int64_t places = shape.count_padding ? shape.kernel_height * shape.kernel_width : static_cast<std::int64_t>(codes.size());
  switch (form) {
    case PoolForm::fused: return float_mean(codes, places, p, range, true);
    case PoolForm::unfused: return float_mean(codes, places, p, range, false);
    case PoolForm::reciprocal: return reciprocal_mean(codes, places, p, range);
    case PoolForm::mantissa: return mantissa_mean(codes, places, p, range);
  }
  return 0;
}

}  // namespace

std::vector<std::int64_t> average_pool(std::span<const std::int64_t> x, const PoolShape& shape, const UnaryParameters& p, CodeRange range, PoolForm form) {
  const std::int64_t area = shape.height * shape.width;
  const bool of_images = form == PoolForm::fused || form == PoolForm::mantissa;
  const bool whole = of_images && shape.kernel_height == shape.height && shape.kernel_width == shape.width && shape.rows() == 1 && shape.columns() == 1 &&
                     shape.top + shape.bottom + shape.left + shape.right == 0;
  std::vector<std::int64_t> y;
  for (std::int64_t image = 0; image < shape.batch * shape.channels; ++image) {
    const auto codes = x.subspan(static_cast<std::size_t>(image * area), static_cast<std::size_t>(area));
    if (whole) {
      y.push_back(global_average(codes, p, range));
      continue;
    }
    for (std::int64_t i = 0; i < shape.rows(); ++i)
      for (std::int64_t j = 0; j < shape.columns(); ++j)
        y.push_back(one_window(codes, shape, run_inside(i, shape.stride_height, shape.top, shape.kernel_height, shape.height),
                               run_inside(j, shape.stride_width, shape.left, shape.kernel_width, shape.width), p, range, form));
  }
  return y;
}

std::int64_t global_average(std::span<const std::int64_t> x, const UnaryParameters& p, CodeRange range) {
  std::int64_t sum = 0;
  for (std::int64_t code : x) sum += code - p.x_zero_point;
  return global_code(sum, static_cast<std::int64_t>(x.size()), p, range);
}

std::vector<std::int64_t> softmax_row(std::span<const std::int64_t> x, const UnaryParameters& p, CodeRange range, bool held_at_255) {
  const double scale = static_cast<double>(p.x_scale);
  const double room = std::log(static_cast<double>(std::numeric_limits<float>::max()) / static_cast<double>(x.size())) - 5;
  const double reserve = std::max(0.0, room) / scale;
  std::vector<float> table(256);
  for (int i = 0; i < 256; ++i) table[static_cast<std::size_t>(i)] = static_cast<float>(std::exp((static_cast<double>(i) - 255 + reserve) * scale));
  const std::int64_t shift = 255 - *std::max_element(x.begin(), x.end());
  float sum = 0;
  for (std::int64_t code : x) sum += table[static_cast<std::size_t>(code + shift)];
  const float steps = std::floor(1.0f / p.y_scale);
  const std::int64_t top = held_at_255 ? 255 : range.max;
  const auto stored = [&](std::int64_t v) { return range.min < 0 ? std::int64_t{static_cast<std::int8_t>(v)} : std::int64_t{static_cast<std::uint8_t>(v)}; };
  std::vector<std::int64_t> y;
  for (std::int64_t code : x) {
    const float ratio = table[static_cast<std::size_t>(code + shift)] * steps / sum;
    if (ratio >= 0x1p31f) {  // the conversion gives -2^31: with a negative zero point the sum wraps and is large
      y.push_back(p.y_zero_point >= 0 ? p.y_zero_point : stored(top));
      continue;
    }
    y.push_back(stored(std::min(static_cast<std::int64_t>(std::nearbyint(ratio)) + p.y_zero_point, top)));
  }
  return y;
}

std::vector<std::int32_t> gemm_accumulators(std::span<const std::int64_t> a, std::int64_t a_zero_point, std::span<const std::int64_t> b,
                                            std::span<const std::int64_t> b_zero_points, std::span<const std::int64_t> c, const GemmShape& shape) {
  auto a_at = [&](std::int64_t i, std::int64_t k) { return a[static_cast<std::size_t>(shape.turned_a ? k * shape.rows + i : i * shape.depth + k)]; };
  auto b_at = [&](std::int64_t k, std::int64_t j) { return b[static_cast<std::size_t>(shape.turned_b ? j * shape.depth + k : k * shape.columns + j)]; };
  std::vector<std::int32_t> sums;
  for (std::int64_t i = 0; i < shape.rows; ++i)
    for (std::int64_t j = 0; j < shape.columns; ++j) {
      const std::int64_t zero = b_zero_points[b_zero_points.size() == 1 ? 0 : static_cast<std::size_t>(j)];
      std::int64_t sum = c.empty() ? 0 : c[static_cast<std::size_t>(i * shape.columns + j)];
      for (std::int64_t k = 0; k < shape.depth; ++k)
        if (!shape.saturating_pairs) sum += (a_at(i, k) - a_zero_point) * (b_at(k, j) - zero);
      for (std::int64_t k = 0; shape.saturating_pairs && k < shape.depth; k += 2) {
        const bool two = k + 1 < shape.depth;
        const std::int64_t pair = a_at(i, k) * b_at(k, j) + (two ? a_at(i, k + 1) * b_at(k + 1, j) : 0);
        sum += std::clamp<std::int64_t>(pair, -32768, 32767);
        for (std::int64_t l = k; l < k + (two ? 2 : 1); ++l) sum += a_zero_point * zero - a_at(i, l) * zero - a_zero_point * b_at(l, j);
      }
      sums.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum))));
    }
  return sums;
}

}  // namespace tiebreak::oracle
