// SPDX-License-Identifier: Apache-2.0
// Dynamic-range products of a row with a weight, system by system, in the machine's floats: parameters from the row, codes, an integer sum, scales.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace tiebreak::oracle {

struct DynamicRow {
  std::vector<int> codes{};
  double scale = 1;
  int zero_point = 0;
};

/// Systems: tflite-hybrid-sym, tflite-hybrid-asym-portable, onnxruntime-x64, xnnpack-quantize, litert-xnnpack, pytorch-cpu-quantize, pytorch-reduce-range.
DynamicRow dynamic_row(std::string_view system, const std::vector<float>& row);
/// One output: the sum of (code - zero point) * weight code, scaled.
float hybrid_output(std::string_view system, const DynamicRow& row, const std::vector<int>& weight, float weight_scale);

enum class ScaleOrder { together, weight_first, activation_first };
/// One output from its integer sum.
float scaled_sum(ScaleOrder order, std::int64_t sum, float activation_scale, float weight_scale);

}  // namespace tiebreak::oracle
