// SPDX-License-Identifier: Apache-2.0
// See the header. Sums are kept in 64 bits or unsigned 32 bits, so that nothing overflows but what is said to wrap.
#include "testsuite/oracle/contraction_oracle.hpp"

#include <algorithm>

#include "testsuite/oracle/extents.hpp"
#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle {
namespace {

std::int32_t pick(std::span<const std::int32_t> values, std::int64_t index) {
  if (values.empty()) return 0;
  return values.size() == 1 ? values[0] : values[static_cast<std::size_t>(index)];
}

/// Sum over the depth of raw codes in saturating pairs; a last code without a neighbour pairs with zero.
std::int64_t sum_of_pairs(const std::int32_t* a, const std::int32_t* b, std::int64_t depth, std::int64_t b_stride) {
  std::int64_t total = 0;
  for (std::int64_t k = 0; k < depth; k += 2) {
    std::int64_t pair = std::int64_t{a[k]} * b[k * b_stride];
    if (k + 1 < depth) pair += std::int64_t{a[k + 1]} * b[(k + 1) * b_stride];
    total += std::clamp<std::int64_t>(pair, -32768, 32767);
  }
  return total;
}

/// Offset into the input plane under a kernel tap, or -1 in the padding.
std::int64_t input_offset(const ConvolutionShape& shape, const std::vector<std::int64_t>& output, const std::vector<std::int64_t>& tap) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < shape.input.size(); ++axis) {
    const std::int64_t place = output[axis] * shape.strides[axis] + tap[axis] * shape.dilations[axis] - shape.pads_begin[axis];
    if (place < 0 || place >= shape.input[axis]) return -1;
    offset = offset * shape.input[axis] + place;
  }
  return offset;
}

struct Planes {
  std::span<const std::int32_t> x, w;
  std::int32_t x_zero_point, w_zero_point;
};

/// One accumulator: image n, feature f, one output position.
std::int32_t accumulate(const Planes& planes, const ConvolutionShape& shape, std::int64_t n, std::int64_t f, const std::vector<std::int64_t>& output) {
  const std::int64_t depth = shape.channels / shape.groups;
  const std::int64_t first = f / (shape.features / shape.groups) * depth;
  const std::int64_t plane = volume(shape.input), taps = volume(shape.kernel);
  std::int64_t total = 0, tap_number = 0;
  std::vector<std::int64_t> tap(shape.kernel.size(), 0);
  do {
    if (const std::int64_t offset = input_offset(shape, output, tap); offset >= 0) {
      for (std::int64_t channel = 0; channel < depth; ++channel) {
        const std::int64_t x = planes.x[static_cast<std::size_t>((n * shape.channels + first + channel) * plane + offset)];
        const std::int64_t w = planes.w[static_cast<std::size_t>((f * depth + channel) * taps + tap_number)];
        total += (x - planes.x_zero_point) * (w - planes.w_zero_point);
      }
    }
    ++tap_number;
  } while (advance(tap, shape.kernel));
  return wrap32(total);
}

}  // namespace

std::int32_t wrapping_add(std::int32_t a, std::int32_t b) { return wrap32(std::int64_t{a} + b); }

std::vector<std::int32_t> matmul(std::span<const std::int32_t> a, std::span<const std::int32_t> b, const MatmulShape& shape,
                                 std::span<const std::int32_t> a_zero_points, std::span<const std::int32_t> b_zero_points, Accumulator accumulator) {
  std::vector<std::int32_t> result;
  result.reserve(static_cast<std::size_t>(shape.rows * shape.columns));
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    for (std::int64_t column = 0; column < shape.columns; ++column) {
      const std::int32_t* left = a.data() + row * shape.depth;
      const std::int32_t* right = b.data() + column;
      const std::int64_t za = pick(a_zero_points, row), zb = pick(b_zero_points, column);
      std::int64_t total = accumulator == Accumulator::pairs ? sum_of_pairs(left, right, shape.depth, shape.columns) : 0;
      for (std::int64_t k = 0; k < shape.depth; ++k) {
        const std::int64_t x = left[k], w = right[k * shape.columns];
        total += accumulator == Accumulator::pairs ? za * zb - za * w - zb * x : (x - za) * (w - zb);
      }
      result.push_back(wrap32(total));
    }
  }
  return result;
}

std::vector<std::int64_t> output_extents(const ConvolutionShape& shape) {
  std::vector<std::int64_t> extents;
  for (std::size_t axis = 0; axis < shape.input.size(); ++axis) {
    const std::int64_t reach = (shape.kernel[axis] - 1) * shape.dilations[axis] + 1;
    const std::int64_t room = shape.input[axis] + shape.pads_begin[axis] + shape.pads_end[axis] - reach;
    extents.push_back(room < 0 ? 0 : room / shape.strides[axis] + 1);
  }
  return extents;
}

std::vector<std::int32_t> convolution(std::span<const std::int32_t> x, std::span<const std::int32_t> w, const ConvolutionShape& shape,
                                      std::int32_t x_zero_point, std::span<const std::int32_t> w_zero_points) {
  const std::vector<std::int64_t> extents = output_extents(shape);
  std::vector<std::int32_t> result;
  if (volume(extents) == 0) return result;
  for (std::int64_t n = 0; n < shape.batch; ++n) {
    for (std::int64_t f = 0; f < shape.features; ++f) {
      const Planes planes{x, w, x_zero_point, pick(w_zero_points, f)};
      std::vector<std::int64_t> output(extents.size(), 0);
      do {
        result.push_back(accumulate(planes, shape, n, f, output));
      } while (advance(output, extents));
    }
  }
  return result;
}

}  // namespace tiebreak::oracle
