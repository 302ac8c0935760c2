// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/qnn/qnn_contraction.hpp"

#include <algorithm>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle::qnn {
namespace {

/// In 64 bits, so that the sum of two fits.
std::int64_t wrapped(std::int64_t value) { return wrap32(value); }

Box box_of(std::array<std::int64_t, 4> extents) {
  for (std::int64_t& extent : extents) extent = std::max<std::int64_t>(extent, 0);
  return {extents, std::vector<std::int64_t>(static_cast<std::size_t>(extents[0] * extents[1] * extents[2] * extents[3]), 0)};
}

std::int64_t& cell(Box& box, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  return box.values[static_cast<std::size_t>(((a * box.extents[1] + b) * box.extents[2] + c) * box.extents[3] + d)];
}

std::int64_t reach(std::int64_t kernel, std::int64_t dilation) { return (kernel - 1) * dilation + 1; }

/// Sum over the window of one result place: kernel slice (o, i) against input channel c.
std::int64_t window_sum(const Box& x, const Box& w, const Window& window, std::int64_t x_zero, std::int64_t w_zero, const std::array<std::int64_t, 6>& place) {
  const auto [n, c, o, i, row, column] = place;
  std::int64_t total = 0;
  for (std::int64_t kh = 0; kh < w.extents[2]; ++kh)
    for (std::int64_t kw = 0; kw < w.extents[3]; ++kw) {
      const std::int64_t h = row * window.strides[0] - window.low[0] + kh * window.dilation[0],
                         v = column * window.strides[1] - window.low[1] + kw * window.dilation[1];
      if (h < 0 || h >= x.extents[2] || v < 0 || v >= x.extents[3]) continue;
      total += (x.at(n, c, h, v) - x_zero) * (w.at(o, i, kh, kw) - w_zero);
    }
  return total;
}

}  // namespace

Box convolution(const Box& x, const Box& w, const Window& window, const ZeroPoints& zero_points) {
  const std::int64_t inputs = x.extents[1] / window.groups;
  const bool depthwise = window.groups > 1 && window.groups == x.extents[1] && w.extents[0] == window.groups;
  const std::int64_t channels = depthwise ? w.extents[0] * w.extents[1] : w.extents[0], within = channels / window.groups;
  std::array<std::int64_t, 2> places{};
  for (std::size_t s = 0; s < 2; ++s) {
    const std::int64_t room = x.extents[2 + s] + window.low[s] + window.high[s] - reach(w.extents[2 + s], window.dilation[s]);
    places[s] = room < 0 ? 0 : room / window.strides[s] + 1;
  }
  Box y = box_of({x.extents[0], channels, places[0], places[1]});
  for (std::int64_t n = 0; n < y.extents[0]; ++n)
    for (std::int64_t channel = 0; channel < channels; ++channel)
      for (std::int64_t row = 0; row < y.extents[2]; ++row)
        for (std::int64_t column = 0; column < y.extents[3]; ++column) {
          std::int64_t total = 0;
          for (std::int64_t i = 0; i < inputs; ++i) {
            const std::int64_t c = channel / within * inputs + i, o = depthwise ? c : channel;
            total += window_sum(x, w, window, zero_points.x, zero_points.of(o), {n, c, o, depthwise ? channel % within : i, row, column});
          }
          cell(y, n, channel, row, column) = wrapped(total);
        }
  return y;
}

Box convolution_in_terms(const Box& x, const Box& w, const Window& window, const ZeroPoints& zero_points) {
  const std::int64_t channels = x.extents[1], places = w.extents[2] * w.extents[3];
  // Padded explicitly, with the input's zero point.
  Box padded = box_of({x.extents[0], channels, x.extents[2] + window.low[0] + window.high[0], x.extents[3] + window.low[1] + window.high[1]});
  std::ranges::fill(padded.values, zero_points.x);
  Box scaled = box_of({x.extents[0], 1, padded.extents[2], padded.extents[3]});
  for (std::int64_t n = 0; n < x.extents[0]; ++n)
    for (std::int64_t h = 0; h < padded.extents[2]; ++h)
      for (std::int64_t v = 0; v < padded.extents[3]; ++v) {
        const std::int64_t row = h - window.low[0], column = v - window.low[1];
        std::int64_t sum = 0;
        for (std::int64_t c = 0; c < channels; ++c) {
          if (row >= 0 && row < x.extents[2] && column >= 0 && column < x.extents[3]) cell(padded, n, c, h, v) = x.at(n, c, row, column);
          sum = wrapped(sum + padded.at(n, c, h, v));
        }
        cell(scaled, n, 0, h, v) = wrapped(sum * places);
      }
  const Window inside{.strides = window.strides};
  const Box raw = convolution(padded, w, inside, {}),
            pooled = convolution(scaled, {{1, 1, w.extents[2], w.extents[3]}, std::vector<std::int64_t>(static_cast<std::size_t>(places), 1)}, inside, {});
  Box y = raw;
  for (std::int64_t n = 0; n < y.extents[0]; ++n)
    for (std::int64_t o = 0; o < y.extents[1]; ++o) {
      std::int64_t weights = 0;
      for (std::int64_t i = 0; i < channels * places; ++i) weights = wrapped(weights + w.values[static_cast<std::size_t>(o * channels * places + i)]);
      const std::int64_t third = wrapped(zero_points.x * weights), fourth = wrapped(zero_points.x * zero_points.of(o) * channels * places);
      for (std::int64_t h = 0; h < y.extents[2]; ++h)
        for (std::int64_t v = 0; v < y.extents[3]; ++v) {
          const std::int64_t second = wrapped(zero_points.of(o) * (pooled.at(n, 0, h, v) / places));
          cell(y, n, o, h, v) = wrapped(wrapped(raw.at(n, o, h, v) - second) + wrapped(fourth - third));
        }
    }
  return y;
}

Box transposed_convolution(const Box& x, const Box& w, const Window& window, const ZeroPoints& zero_points) {
  const std::int64_t within = w.extents[0], inputs = x.extents[1] / window.groups;
  std::array<std::int64_t, 2> places{};
  for (std::size_t s = 0; s < 2; ++s)
    places[s] =
        (x.extents[2 + s] - 1) * window.strides[s] + reach(w.extents[2 + s], window.dilation[s]) - window.low[s] - window.high[s] + window.output_padding[s];
  Box y = box_of({x.extents[0], within * window.groups, places[0], places[1]});
  for (std::int64_t n = 0; n < x.extents[0]; ++n)
    for (std::int64_t c = 0; c < x.extents[1]; ++c)
      for (std::int64_t h = 0; h < x.extents[2]; ++h)
        for (std::int64_t v = 0; v < x.extents[3]; ++v)
          for (std::int64_t o = 0; o < within; ++o)
            for (std::int64_t kh = 0; kh < w.extents[2]; ++kh)
              for (std::int64_t kw = 0; kw < w.extents[3]; ++kw) {
                const std::int64_t row = h * window.strides[0] + kh * window.dilation[0] - window.low[0],
                                   column = v * window.strides[1] + kw * window.dilation[1] - window.low[1];
                if (row < 0 || row >= y.extents[2] || column < 0 || column >= y.extents[3]) continue;
                std::int64_t& sum = cell(y, n, c / inputs * within + o, row, column);
                sum = wrapped(sum + (x.at(n, c, h, v) - zero_points.x) * (w.at(o, c, kh, kw) - zero_points.of(o)));
              }
  return y;
}

Box batch_matmul(const Box& x, const Box& y, const ZeroPoints& zero_points) {
  const std::int64_t batches = std::max(x.extents[1], y.extents[1]);
  Box z = box_of({1, batches, x.extents[2], y.extents[2]});
  for (std::int64_t b = 0; b < batches; ++b)
    for (std::int64_t row = 0; row < x.extents[2]; ++row)
      for (std::int64_t column = 0; column < y.extents[2]; ++column) {
        std::int64_t total = 0;
        for (std::int64_t k = 0; k < x.extents[3]; ++k)
          total += (x.at(0, x.extents[1] == 1 ? 0 : b, row, k) - zero_points.x) * (y.at(0, y.extents[1] == 1 ? 0 : b, column, k) - zero_points.of(column));
        cell(z, 0, b, row, column) = wrapped(total);
      }
  return z;
}

Pooled pool(const Box& x, const std::array<std::int64_t, 2>& kernel, const Window& window, bool ceil_mode) {
  std::array<std::int64_t, 2> places{};
  for (std::size_t s = 0; s < 2; ++s) {
    const std::int64_t room =
        x.extents[2 + s] + window.low[s] + window.high[s] - reach(kernel[s], window.dilation[s]) + (ceil_mode ? window.strides[s] - 1 : 0);
    places[s] = room < 0 ? 0 : room / window.strides[s] + 1;
  }
  const Box empty = box_of({x.extents[0], x.extents[1], places[0], places[1]});
  Pooled pooled{empty, empty, empty};
  const Box ones = box_of({1, 1, kernel[0], kernel[1]});
  for (std::int64_t n = 0; n < x.extents[0]; ++n)
    for (std::int64_t c = 0; c < x.extents[1]; ++c)
      for (std::int64_t row = 0; row < places[0]; ++row)
        for (std::int64_t column = 0; column < places[1]; ++column) {
          cell(pooled.sums, n, c, row, column) = window_sum(x, ones, window, 0, -1, {n, c, 0, 0, row, column});
          Box present = x;
          for (std::int64_t& value : present.values) value = 1;
          cell(pooled.counts, n, c, row, column) = window_sum(present, ones, window, 0, -1, {n, c, 0, 0, row, column});
          std::int64_t& padded = cell(pooled.padded, n, c, row, column) = 0;
          for (std::int64_t h = 0; h < kernel[0]; ++h)
            for (std::int64_t v = 0; v < kernel[1]; ++v)
              padded += row * window.strides[0] + h * window.dilation[0] < window.low[0] + x.extents[2] + window.high[0] &&
                                column * window.strides[1] + v * window.dilation[1] < window.low[1] + x.extents[3] + window.high[1]
                            ? 1
                            : 0;
        }
  return pooled;
}

}  // namespace tiebreak::oracle::qnn
