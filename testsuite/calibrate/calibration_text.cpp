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

std::string head_text(const Calibration& calibration) {
  return fmt::format("{} of {}, by {}{}", counted(calibration.tensors.size(), "tensor"), counted(calibration.batches, "batch"), calibration.provider,
                     calibration.constraints.empty() ? "" : ", constraints of " + calibration.constraints);
}

/// What a constraint decided; "" of what the provider did.
std::string reason_text(const Calibration& calibration, const CalibratedTensor& tensor) {
  return tensor.parameters.from == calibration.provider ? "" : tensor.parameters.from;
}

}  // namespace

std::string calibration_text(const Calibration& calibration) {
  TextTable table({"tensor", "", "values", "range", "type, scale : zero point", "constraint"}, {false, false, true, true, false, false});
  for (const CalibratedTensor& tensor : calibration.tensors)
    table.add({tensor.parameters.tensor, tensor.is_constant ? "constant" : "", ends_text(tensor), range_text(tensor.parameters),
               type_text(tensor.parameters.type), reason_text(calibration, tensor)});
  std::string text = fmt::format("{}: {}\n", calibration.model, head_text(calibration)) + table.text("  ");
  for (const std::string& note : calibration.notes) text += "  " + note + "\n";
  return text;
}

std::string accumulators_text(const Calibration& calibration, int bits) {
  TextTable table({"accumulator", "", "terms", "least", "greatest", "bits", ""}, {false, false, true, true, true, true, false});
  for (const AccumulatorNeed& need : calibration.accumulators) {
    const int beyond = need.bits() - bits;
    table.add({need.tensor, need.op, std::to_string(need.terms), std::to_string(need.sums.low), std::to_string(need.sums.high), std::to_string(need.bits()),
               beyond > 0 ? fmt::format("may overflow i{} by {}", bits, counted(static_cast<std::size_t>(beyond), "bit")) : ""});
  }
  return calibration.accumulators.empty() ? "  no operation sums products of codes\n" : table.text("  ");
}

std::string difference_text(const Calibration& first, const Calibration& second) {
  TextTable table({"tensor", first.constraints, "", second.constraints, ""});
  std::size_t alike = 0;
  for (const CalibratedTensor& tensor : first.tensors) {
    const auto other = std::ranges::find(second.tensors, tensor.id, &CalibratedTensor::id);
    if (other == second.tensors.end()) continue;
    if (same_parameters(tensor.parameters.type, other->parameters.type)) ++alike;
    else
      table.add({tensor.parameters.tensor, type_text(tensor.parameters.type), reason_text(first, tensor), type_text(other->parameters.type),
                 reason_text(second, *other)});
  }
  std::string text = fmt::format("{}: {} and {} give {} of {} the same parameters\n", first.model, first.constraints, second.constraints, alike,
                                 counted(first.tensors.size(), "tensor"));
  if (!table.empty()) text += table.text("  ");
  for (const Calibration* one : {&first, &second})
    for (const std::string& note : one->notes) text += "  " + one->constraints + ": " + note + "\n";
  return text;
}

std::string calibration_markdown(const Calibration& calibration) {
  std::string text = fmt::format("**{}**: {}\n\n| Tensor | Values | Range | Type, scale : zero point |{}\n|---|---|---|---|{}\n",
                                 markup_escaped(calibration.model), markup_escaped(head_text(calibration)),
                                 calibration.constraints.empty() ? "" : " Constraint |", calibration.constraints.empty() ? "" : "---|");
  for (const CalibratedTensor& tensor : calibration.tensors) {
    text += fmt::format("| {} | {} | {} | {} |", code_cell(tensor.parameters.tensor), ends_text(tensor), range_text(tensor.parameters),
                        type_text(tensor.parameters.type));
    text += calibration.constraints.empty() ? "\n" : fmt::format(" {} |\n", code_cell(reason_text(calibration, tensor)));
  }
  for (const std::string& note : calibration.notes) text += "\n" + markup_escaped(note) + "\n";
  return text;
}

}  // namespace tiebreak
