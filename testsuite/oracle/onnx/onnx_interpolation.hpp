// SPDX-License-Identifier: Apache-2.0
// ONNX's Resize in the modes linear and cubic by whole numbers: an axis after the other, each place a mean of elements with whole weights.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tiebreak::oracle::onnx {

/// An axis that becomes `resized` long; `layout` is a coordinate_transformation_mode that needs no roi.
struct ResizedLine {
  std::int64_t length, resized;
  std::string layout;
};

/// Elements that a place sees and what each counts, of `whole` in all.
struct LinePlace {
  std::vector<std::int64_t> elements{}, weights{};
  std::int64_t whole = 1;
};

/// Two elements, or four with the coefficient -3/4; `inner`: what lies outside counts nothing.
LinePlace place_of_line(const ResizedLine& line, std::int64_t place, bool cubic, bool inner);

/// A result: `sum` / `whole`.
struct WholeMean {
  std::int64_t sum = 0, whole = 1;
};
/// In row-major order; `values` has the lengths of the lines.
std::vector<WholeMean> interpolate(const std::vector<std::int64_t>& values, const std::vector<ResizedLine>& lines, bool cubic, bool inner);

}  // namespace tiebreak::oracle::onnx
