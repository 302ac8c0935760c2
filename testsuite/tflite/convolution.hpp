// SPDX-License-Identifier: Apache-2.0
// What CONV_2D and DEPTHWISE_CONV_2D share: two spatial dimensions, the padding that they have a word for, and their options.
#pragma once
#include "testsuite/tflite/graph.hpp"

namespace tiebreak::tflite {

/// Along height and width; the padding before and after each.
struct Geometry {
  std::vector<std::int64_t> strides{}, dilations{}, before{}, after{};
};

/// The padding that the operators call SAME. x is NHWC, w has its places in the dimensions 1 and 2.
bool is_same(const Geometry& geometry, const Shape& x, const Shape& w);
/// NHWC with the padding in it, as the code `filler`.
Result<Tensor> padded(const Tensor& x, const Geometry& geometry, std::uint64_t filler);
/// `multiplier`: of the channels, of a depthwise convolution; 0 is none.
Options convolution_options(const Geometry& geometry, bool same, std::int64_t multiplier);

}  // namespace tiebreak::tflite
