// SPDX-License-Identifier: Apache-2.0
// TVM's convolutions and matrix products by plain loops over one layout: x[n][c][h][w], w[o][i][h][w].
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace tiebreak::oracle::qnn {

/// Four dimensions, row-major.
struct Box {
  std::array<std::int64_t, 4> extents{};
  std::vector<std::int64_t> values{};
  std::int64_t at(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const {
    return values[static_cast<std::size_t>(((a * extents[1] + b) * extents[2] + c) * extents[3] + d)];
  }
};

struct Window {
  std::array<std::int64_t, 2> strides{1, 1}, dilation{1, 1}, low{0, 0}, high{0, 0}, output_padding{0, 0};
  std::int64_t groups = 1;
};
/// One zero point, or one for each index of the kernel's first dimension.
struct ZeroPoints {
  std::int64_t x = 0;
  std::vector<std::int64_t> w{0};
  std::int64_t of(std::int64_t o) const { return w.size() == 1 ? w[0] : w[static_cast<std::size_t>(o)]; }
};

/// Sums modulo 2^32. A depthwise kernel (o = groups = channels of x) has i results for each channel.
Box convolution(const Box& x, const Box& w, const Window& window, const ZeroPoints& zero_points);
/// TVM's canonical form of a convolution without groups and dilation, step by step in int32: raw products, and three terms for the zero
/// points. The inputs' term is a pool of sums that were multiplied by the window's size before.
Box convolution_in_terms(const Box& x, const Box& w, const Window& window, const ZeroPoints& zero_points);
/// The kernel's second dimension counts input channels, its first the results of a group: every input element scatters into the result.
Box transposed_convolution(const Box& x, const Box& w, const Window& window, const ZeroPoints& zero_points);

/// x is [batch or 1][rows][depth], y is [batch or 1][columns][depth]; the first dimension of the boxes is 1.
Box batch_matmul(const Box& x, const Box& y, const ZeroPoints& zero_points);

/// Sums over windows and how many elements they have; padding has none, in `padded` it counts. `kernel` is the window's size.
struct Pooled {
  Box sums, counts, padded;
};
Pooled pool(const Box& x, const std::array<std::int64_t, 2>& kernel, const Window& window, bool ceil_mode);

}  // namespace tiebreak::oracle::qnn
