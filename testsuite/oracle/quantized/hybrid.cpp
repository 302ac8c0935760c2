// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/quantized/hybrid.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::oracle {
namespace {

struct RowRange {
  float least = 0, greatest = 0;
};
RowRange range_with_zero(const std::vector<float>& row) {
  RowRange range;
  for (float x : row) range = {std::min(range.least, x), std::max(range.greatest, x)};
  return range;
}

int clamped_to_int(double v, int lo, int hi) { return static_cast<int>(std::clamp(v, static_cast<double>(lo), static_cast<double>(hi))); }

DynamicRow symmetric_row(const std::vector<float>& row) {
  float range = 0;
  for (float x : row) range = std::max(range, std::fabs(x));
  DynamicRow made;
  if (range == 0) return made.codes.assign(row.size(), 0), made;
  made.scale = range / 127;
  const float factor = 127 / range;
  for (float x : row) made.codes.push_back(clamped_to_int(std::round(x * factor), -127, 127));
  return made;
}

DynamicRow asymmetric_row(const std::vector<float>& row) {
  const RowRange range = range_with_zero(row);
  DynamicRow made;
  if (range.least == range.greatest) return made.codes.assign(row.size(), 0), made;
  const double least = range.least, greatest = range.greatest;
  const double scale = (greatest - least) / 255;
  const double from_least = -128 - least / scale, from_greatest = 127 - greatest / scale;
  const bool take_least = 128 + std::fabs(least / scale) < 127 + std::fabs(greatest / scale);
  made.zero_point = clamped_to_int(std::round(take_least ? from_least : from_greatest), -128, 127);
  made.scale = static_cast<float>(scale);
  const float inverse = 1 / static_cast<float>(made.scale);
  for (float x : row) {
    const float scaled = x * inverse;
    const float moved = static_cast<float>(made.zero_point) + scaled;
    made.codes.push_back(clamped_to_int(std::round(moved), -128, 127));
  }
  return made;
}

DynamicRow onnxruntime_row(const std::vector<float>& row) {
  const RowRange range = range_with_zero(row);
  const float width = range.greatest - range.least;
  const float scale = width == 0 ? 1.0f : width / 255;
  DynamicRow made;
  made.scale = scale;
  const float quotient = range.least / scale;
  made.zero_point = clamped_to_int(std::nearbyint(std::clamp(0 - quotient, 0.0f, 255.0f)), 0, 255);
  for (float x : row) made.codes.push_back(clamped_to_int(std::nearbyint(double{x / scale}) + made.zero_point, 0, 255));
  return made;
}

/// The delegate in LiteRT multiplies by the steps a unit that the scale was made of, XNNPACK by the inverse of the scale.
DynamicRow xnnpack_row(const std::vector<float>& row, bool by_steps) {
  const RowRange range = range_with_zero(row);
  DynamicRow made;
  const float width = range.greatest - range.least;
  const float inverse = width == 0 ? 1.0f : 255 / width;
  made.scale = 1 / inverse;
  const float least = range.least * inverse, greatest = range.greatest * inverse;
  const float low_error = -128 + least, high_error = 127 + greatest;
  const float zero_point = low_error + high_error > 0 ? -128 - least : 127 - greatest;
  made.zero_point = clamped_to_int(std::nearbyint(std::clamp(zero_point, -128.0f, 127.0f)), -128, 127);
  const float reciprocal = by_steps ? inverse : 1 / static_cast<float>(made.scale);
  for (float x : row) made.codes.push_back(clamped_to_int(std::nearbyint(double{x * reciprocal}) + made.zero_point, -128, 127));
  return made;
}

/// FBGEMM takes the scale as a float, oneDNN's path keeps it in double.
DynamicRow pytorch_row(const std::vector<float>& row, int hi, bool keeps_scale) {
  const RowRange range = range_with_zero(row);
  double least = range.least, greatest = range.greatest;
  double scale = (greatest - least) / hi;
  if (static_cast<float>(scale) == 0 || std::isinf(1 / static_cast<float>(scale))) scale = 0.1;
  constexpr float small = 6.1e-5f;
  if (scale < small) {
    const float before = static_cast<float>(scale);
    scale = small;
    if (least == 0) {
      greatest = small * static_cast<float>(hi);
    } else if (greatest == 0) {
      least = -small * static_cast<float>(hi);
    } else {
      const float amplifier = small / before;
      least = static_cast<float>(least) * amplifier;
      greatest = static_cast<float>(greatest) * amplifier;
    }
  }
  const double from_least = 0 - least / scale, from_greatest = hi - greatest / scale;
  const bool take_least = 0 - std::fabs(least / scale) < hi - std::fabs(greatest / scale);
  DynamicRow made;
  made.zero_point = clamped_to_int(std::nearbyint(take_least ? from_least : from_greatest), 0, hi);
  made.scale = keeps_scale ? scale : static_cast<double>(static_cast<float>(scale));
  const float inverse = 1 / static_cast<float>(made.scale);
  for (float x : row) made.codes.push_back(clamped_to_int(std::nearbyint(double{x * inverse}) + made.zero_point, 0, hi));
  return made;
}

}  // namespace

DynamicRow dynamic_row(std::string_view system, const std::vector<float>& row) {
  if (system == "tflite-hybrid-sym") return symmetric_row(row);
  if (system == "tflite-hybrid-asym-portable") return asymmetric_row(row);
  if (system == "onnxruntime-x64") return onnxruntime_row(row);
  if (system == "xnnpack-quantize" || system == "litert-xnnpack") return xnnpack_row(row, system == "litert-xnnpack");
  return system == "pytorch-reduce-range" ? pytorch_row(row, 127, true) : pytorch_row(row, 255, false);
}

float hybrid_output(std::string_view system, const DynamicRow& row, const std::vector<int>& weight, float weight_scale) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) sum += std::int64_t{row.codes[i] - row.zero_point} * weight[i];
  const float accumulated = static_cast<float>(sum), scale = static_cast<float>(row.scale);
  if (system == "xnnpack-quantize") {
    const float once = accumulated * scale;
    return once * weight_scale;
  }
  if (system == "pytorch-reduce-range") {
    const float inverse = static_cast<float>(1 / row.scale), weight_inverse = 1 / weight_scale;
    const float both = inverse * weight_inverse;
    const float factor = 1 / both;
    return accumulated * factor;
  }
  const float factor = scale * weight_scale;
  return accumulated * factor;
}

float scaled_sum(ScaleOrder order, std::int64_t sum, float activation_scale, float weight_scale) {
  const float accumulated = static_cast<float>(sum);
  const float first = order == ScaleOrder::weight_first ? accumulated * weight_scale : accumulated * activation_scale;
  if (order == ScaleOrder::weight_first) return first * activation_scale;
  if (order == ScaleOrder::activation_first) return first * weight_scale;
  const float factor = activation_scale * weight_scale;
  return accumulated * factor;
}

}  // namespace tiebreak::oracle
