// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's movement as lists: which places of each dimension are taken, in which order. Written from the operators' text; no structure is used.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "testsuite/oracle/stablehlo/stablehlo_moves.hpp"

namespace tiebreak::oracle::tflite {

using Places = std::vector<std::int64_t>;

/// x[begin:end:step] of a line: nothing stands for the end that the step leaves from or goes to. `step` is not 0.
Places sliced(std::int64_t extent, std::optional<std::int64_t> begin, std::optional<std::int64_t> end, std::int64_t step);
/// A line with what lies inside mirrored at both ends, with the element at the end once more or not.
Places mirrored(std::int64_t extent, std::int64_t before, std::int64_t behind, bool twice);
/// These places of each dimension, under the shape that is left: as many as there are, in the same order.
Move picked(const Index& shape, const std::vector<Places>& places, const Index& wanted);

}  // namespace tiebreak::oracle::tflite
