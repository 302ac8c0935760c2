// SPDX-License-Identifier: Apache-2.0
// A calibration for people: one line a tensor.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/calibrate/calibrate.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string ends_text(const CalibratedTensor& tensor) {
  double low = tensor.batches.front().first, high = tensor.batches.front().second;
  for (const auto& [least, greatest] : tensor.batches) low = std::min(low, least), high = std::max(high, greatest);
  return fmt::format("{} .. {}", decimal_text(low, 6), decimal_text(high, 6));
}

std::string range_text(const TensorParameters& parameters) {
  if (!parameters.range) return "-";
  return fmt::format("{} .. {}", decimal_text(parameters.range->low.to_double(), 6), decimal_text(parameters.range->high.to_double(), 6));
}

std::string type_text(const QuantizedType& type) {
  const std::string storage = type.storage.mlir_name();
  if (type.is_per_tensor()) return fmt::format("{} {} : {}", storage, decimal_text(type.scales[0].value.to_double(), 6), type.zero_points[0].value.to_string());
  return fmt::format("{} {} scales along dimension {}", storage, type.scales.size(), type.dimensions[0].axis);
}

}  // namespace

std::string calibration_text(const Calibration& calibration) {
  TextTable table({"tensor", "", "values", "range", "type, scale : zero point"}, {false, false, true, true, false});
  for (const CalibratedTensor& tensor : calibration.tensors)
    table.add(
        {tensor.parameters.tensor, tensor.is_constant ? "constant" : "", ends_text(tensor), range_text(tensor.parameters), type_text(tensor.parameters.type)});
  return fmt::format("{}: {} of {}, by {}\n", calibration.model, counted(calibration.tensors.size(), "tensor"), counted(calibration.batches, "batch"),
                     calibration.provider) +
         table.text("  ");
}

std::string calibration_markdown(const Calibration& calibration) {
  std::string text =
      fmt::format("**{}**: {} of {}, by {}\n\n| Tensor | Values | Range | Type, scale : zero point |\n|---|---|---|---|\n", markup_escaped(calibration.model),
                  counted(calibration.tensors.size(), "tensor"), counted(calibration.batches, "batch"), code_cell(calibration.provider));
  for (const CalibratedTensor& tensor : calibration.tensors)
    text += fmt::format("| {} | {} | {} | {} |\n", code_cell(tensor.parameters.tensor), ends_text(tensor), range_text(tensor.parameters),
                        type_text(tensor.parameters.type));
  return text;
}

}  // namespace tiebreak
