// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/convolution.hpp"

#include <algorithm>

namespace tiebreak::tflite {
namespace {

constexpr int table_of_convolution = 1;
constexpr int table_of_depthwise = 2;
constexpr int padding_valid = 1;  // SAME is 0

}  // namespace

bool is_same(const Geometry& geometry, const Shape& x, const Shape& w) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t extent = x[axis + 1], stride = geometry.strides[axis], reach = (w[axis + 1] - 1) * geometry.dilations[axis] + 1;
    const std::int64_t total = std::max<std::int64_t>(0, ((extent + stride - 1) / stride - 1) * stride + reach - extent);
    if (geometry.before[axis] != total / 2 || geometry.after[axis] != total - total / 2) return false;
  }
  return true;
}

Result<Tensor> padded(const Tensor& x, const Geometry& geometry, std::uint64_t filler) {
  const Shape& from = x.shape();
  TIEBREAK_TRY(
      result,
      Tensor::zeros({x.element(), {from[0], from[1] + geometry.before[0] + geometry.after[0], from[2] + geometry.before[1] + geometry.after[1], from[3]}, {}}));
  const Shape& to = result.shape();
  for (std::int64_t at = 0; at < result.size(); ++at) {
    const std::int64_t channel = at % to[3], column = at / to[3] % to[2] - geometry.before[1], row = at / to[3] / to[2] % to[1] - geometry.before[0];
    const std::int64_t image = at / to[3] / to[2] / to[1];
    const bool inside = row >= 0 && row < from[1] && column >= 0 && column < from[2];
    result.set_code(at, inside ? x.code(((image * from[1] + row) * from[2] + column) * from[3] + channel) : filler);
  }
  return result;
}

Options convolution_options(const Geometry& geometry, bool same, std::int64_t multiplier) {
  const auto wide = [](int number, std::int64_t value) { return OptionField{number, static_cast<std::int32_t>(value)}; };
  Options options{multiplier > 0 ? table_of_depthwise : table_of_convolution,
                  {{0, static_cast<std::int8_t>(same ? 0 : padding_valid)}, wide(1, geometry.strides[1]), wide(2, geometry.strides[0])}};
  if (multiplier > 0) options.fields.push_back(wide(3, multiplier));
  const int first = multiplier > 0 ? 5 : 4;
  options.fields.push_back(wide(first, geometry.dilations[1]));
  options.fields.push_back(wide(first + 1, geometry.dilations[0]));
  return options;
}

}  // namespace tiebreak::tflite
