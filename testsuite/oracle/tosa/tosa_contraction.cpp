// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tosa/tosa_contraction.hpp"

namespace tiebreak::oracle::tosa {
namespace {

/// A running sum. Whole numbers of up to 48 bits, and their products, are exact in 64 bits; what leaves the accumulator once stays lost.
class Sum {
 public:
  explicit Sum(const Accumulator& accumulator) : accumulator_(accumulator) {}
  void add_product(double input, double weight) {
    if (accumulator_.bits == 0) {
      const float product = static_cast<float>(input) * static_cast<float>(weight);
      real_ = real_ + product;
      return;
    }
    add((static_cast<std::int64_t>(input) - accumulator_.input_zero_point) * (static_cast<std::int64_t>(weight) - accumulator_.weight_zero_point));
  }
  std::optional<double> with_bias(double bias) {
    if (accumulator_.bits == 0) return static_cast<double>(real_ + static_cast<float>(bias));
    add(static_cast<std::int64_t>(bias));
    return lost_ ? std::nullopt : std::optional(static_cast<double>(whole_));
  }

 private:
  void add(std::int64_t value) {
    whole_ += value;
    const std::int64_t end = std::int64_t{1} << (accumulator_.bits - 1);
    lost_ = lost_ || whole_ < -end || whole_ >= end;
  }
  Accumulator accumulator_;
  std::int64_t whole_ = 0;
  float real_ = 0;
  bool lost_ = false;
};

double bias_of(const std::vector<double>& bias, std::int64_t channel) { return bias.size() == 1 ? bias[0] : bias[static_cast<std::size_t>(channel)]; }

std::int64_t places(std::int64_t extent, std::int64_t kernel, const Windows& windows, std::size_t s) {
  return (extent - 1 + windows.before[s] + windows.behind[s] - (kernel - 1) * windows.dilation[s]) / windows.stride[s] + 1;
}

}  // namespace

Answer convolution(const Block& input, const Block& weight, const std::vector<double>& bias, const Windows& windows, const Accumulator& accumulator) {
  const auto& [batch, depth, height, width, channels] = input.extents;
  Answer answer{{batch, places(depth, weight.extents[1], windows, 0), places(height, weight.extents[2], windows, 1),
                 places(width, weight.extents[3], windows, 2), weight.extents[0]}};
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t oz = 0; oz < answer.extents[1]; ++oz)
      for (std::int64_t oy = 0; oy < answer.extents[2]; ++oy)
        for (std::int64_t ox = 0; ox < answer.extents[3]; ++ox)
          for (std::int64_t oc = 0; oc < weight.extents[0]; ++oc) {
            Sum sum(accumulator);
            for (std::int64_t kz = 0; kz < weight.extents[1]; ++kz)
              for (std::int64_t ky = 0; ky < weight.extents[2]; ++ky)
                for (std::int64_t kx = 0; kx < weight.extents[3]; ++kx) {
                  const std::int64_t z = oz * windows.stride[0] - windows.before[0] + kz * windows.dilation[0];
                  const std::int64_t y = oy * windows.stride[1] - windows.before[1] + ky * windows.dilation[1];
                  const std::int64_t x = ox * windows.stride[2] - windows.before[2] + kx * windows.dilation[2];
                  if (z < 0 || z >= depth || y < 0 || y >= height || x < 0 || x >= width) continue;
                  for (std::int64_t ic = 0; ic < channels; ++ic) sum.add_product(input.at(n, z, y, x, ic), weight.at(oc, kz, ky, kx, ic));
                }
            answer.values.push_back(sum.with_bias(bias_of(bias, oc)));
          }
  return answer;
}

Answer depthwise(const Block& input, const Block& weight, const std::vector<double>& bias, const Windows& windows, const Accumulator& accumulator) {
  const std::int64_t height = input.extents[2], width = input.extents[3], channels = input.extents[4], results = weight.extents[4];
  Answer answer{{input.extents[0], 1, places(height, weight.extents[1], windows, 1), places(width, weight.extents[2], windows, 2), channels * results}};
  for (std::int64_t n = 0; n < input.extents[0]; ++n)
    for (std::int64_t oy = 0; oy < answer.extents[2]; ++oy)
      for (std::int64_t ox = 0; ox < answer.extents[3]; ++ox)
        for (std::int64_t c = 0; c < channels; ++c)
          for (std::int64_t m = 0; m < results; ++m) {
            Sum sum(accumulator);
            for (std::int64_t ky = 0; ky < weight.extents[1]; ++ky)
              for (std::int64_t kx = 0; kx < weight.extents[2]; ++kx) {
                const std::int64_t y = oy * windows.stride[1] - windows.before[1] + ky * windows.dilation[1];
                const std::int64_t x = ox * windows.stride[2] - windows.before[2] + kx * windows.dilation[2];
                if (y >= 0 && y < height && x >= 0 && x < width) sum.add_product(input.at(n, 0, y, x, c), weight.at(0, ky, kx, c, m));
              }
            answer.values.push_back(sum.with_bias(bias_of(bias, c * results + m)));
          }
  return answer;
}

Answer transposed(const Block& input, const Block& weight, const std::vector<double>& bias, const Windows& windows, const Accumulator& accumulator) {
  const std::int64_t rows = weight.extents[2], columns = weight.extents[3], outputs = weight.extents[0];
  const std::int64_t height = (input.extents[2] - 1) * windows.stride[1] + windows.before[1] + windows.behind[1] + rows;
  const std::int64_t width = (input.extents[3] - 1) * windows.stride[2] + windows.before[2] + windows.behind[2] + columns;
  Answer answer{{input.extents[0], 1, height, width, outputs}};
  std::vector<Sum> sums(static_cast<std::size_t>(input.extents[0] * height * width * outputs), Sum(accumulator));
  for (std::int64_t ky = 0; ky < rows; ++ky)
    for (std::int64_t kx = 0; kx < columns; ++kx)
      for (std::int64_t n = 0; n < input.extents[0]; ++n)
        for (std::int64_t iy = 0; iy < input.extents[2]; ++iy)
          for (std::int64_t ix = 0; ix < input.extents[3]; ++ix) {
            const std::int64_t oy = iy * windows.stride[1] + windows.before[1] + ky, ox = ix * windows.stride[2] + windows.before[2] + kx;
            if (oy < 0 || oy >= height || ox < 0 || ox >= width) continue;
            for (std::int64_t oc = 0; oc < outputs; ++oc)
              for (std::int64_t ic = 0; ic < input.extents[4]; ++ic)
                sums[static_cast<std::size_t>(((n * height + oy) * width + ox) * outputs + oc)].add_product(input.at(n, 0, iy, ix, ic),
                                                                                                            weight.at(oc, 0, ky, kx, ic));
          }
  for (std::size_t i = 0; i < sums.size(); ++i) answer.values.push_back(sums[i].with_bias(bias_of(bias, static_cast<std::int64_t>(i) % outputs)));
  return answer;
}

Answer product(const Block& a, const Block& b, const Accumulator& accumulator) {
  Answer answer{{1, 1, a.extents[2], a.extents[3], b.extents[4]}};
  for (std::int64_t n = 0; n < a.extents[2]; ++n)
    for (std::int64_t h = 0; h < a.extents[3]; ++h)
      for (std::int64_t w = 0; w < b.extents[4]; ++w) {
        Sum sum(accumulator);
        for (std::int64_t c = 0; c < a.extents[4]; ++c) sum.add_product(a.at(0, 0, n, h, c), b.at(0, 0, n, c, w));
        answer.values.push_back(sum.with_bias(0));
      }
  return answer;
}

}  // namespace tiebreak::oracle::tosa
