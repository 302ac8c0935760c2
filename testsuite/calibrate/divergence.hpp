// SPDX-License-Identifier: Apache-2.0
// The threshold of TVM's relay.quantize (src/relay/quantize/calibrate.cc, after MXNet): the histogram cut off at each threshold is divided among the codes,
// and the threshold of the least Kullback-Leibler divergence is taken. A search over candidates is no formula of the notation.
#pragma once
#include "testsuite/calibrate/samples.hpp"

namespace tiebreak {

/// `histogram` lies about zero, with an odd number of bins, at least as many as codes.
float threshold_of_least_divergence(const Histogram& histogram, std::size_t codes);

}  // namespace tiebreak
