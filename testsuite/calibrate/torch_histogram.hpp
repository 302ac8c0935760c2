// SPDX-License-Identifier: Apache-2.0
// The histogram observer of PyTorch 1.13 (torch/ao/quantization/observer.py, HistogramObserver): a histogram that grows from batch to batch, and a search
// that cuts off ends as long as the estimated squared error falls. A search with an early end is no formula of the notation.
#pragma once
#include <utility>
#include <vector>

#include "testsuite/calibrate/samples.hpp"

namespace tiebreak {

struct TorchHistogram {
  std::vector<float> counts{};
  float low = 0, high = 0;
  bool is_empty = true;
};
/// The observer's `forward`. Ends of a first histogram are cut to whole numbers there, so that values beyond them are not counted.
void observe(TorchHistogram& histogram, const std::vector<double>& batch, std::size_t bins);
/// The search: low and high. `codes`: how many there are, 256.
std::pair<float, float> search_range(const TorchHistogram& histogram, double codes);

}  // namespace tiebreak
