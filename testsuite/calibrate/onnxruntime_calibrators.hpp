// SPDX-License-Identifier: Apache-2.0
// Calibrators of ONNX Runtime's quantization tool (onnxruntime/python/tools/quantization/calibrate.py) that look at a histogram which grows from batch to
// batch: as arithmetic of NumPy 1.24 on f32 values.
#pragma once
#include <utility>
#include <vector>

#include "testsuite/calibrate/numpy_histogram.hpp"

namespace tiebreak {

using Batches = std::vector<std::vector<double>>;
using FoundRange = std::pair<double, double>;

/// A histogram about zero: where a batch goes beyond it, whole bins of the same width are added on both sides.
struct GrowingHistogram {
  BinCounts counts{};
  std::vector<double> edges{};
  double reach = 0;
};
GrowingHistogram growing_histogram(const Batches& batches, std::size_t bins);

/// `entropy`: the ends of the least Kullback-Leibler divergence, no further out than the values.
FoundRange onnxruntime_divergence_range(const Batches& batches, std::size_t bins, std::size_t codes);
/// `percentile`, symmetric: plus and minus the edge at this share of the magnitudes; no further out than the values.
FoundRange onnxruntime_percentile_of_magnitudes(const Batches& batches, std::size_t bins, double percentile);
/// `percentile`, not symmetric: the edges between which this share lies.
FoundRange onnxruntime_percentile_of_values(const Batches& batches, std::size_t bins, double percentile);

}  // namespace tiebreak
