// SPDX-License-Identifier: Apache-2.0
// Calibrators of NVIDIA's toolkit for TensorRT (pytorch_quantization/calib/histogram.py, with torch_hist=False): the greatest magnitude that codes stand
// for, from a histogram of magnitudes as NumPy 1.24 makes it.
#pragma once
#include <cstddef>
#include <vector>

#include "testsuite/calibrate/numpy_histogram.hpp"

namespace tiebreak {

/// `entropy`: the edge of the least Kullback-Leibler divergence, the last of equal ones. `codes`: on one side of zero. The histogram has at least `start` bins.
double tensorrt_divergence_reach(const MagnitudeHistogram& histogram, std::size_t codes, std::size_t start);
/// `mse`: the middle of a bin of which codes 0 to `greatest_code` give the middles of all bins with the least squared error, the first of equal ones.
/// Numbers are f32, the sum of errors is taken in f64.
double tensorrt_squared_error_reach(const MagnitudeHistogram& histogram, double greatest_code, std::size_t start);

}  // namespace tiebreak
