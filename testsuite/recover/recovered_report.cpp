// SPDX-License-Identifier: Apache-2.0
// Recovered parameters for people and programs.
#include "interpreter/json/json_writer.hpp"
#include "testsuite/recover/recover.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

template <class Entries, class Text>
std::string listed(const Entries& entries, const Text& text) {
  if (entries.size() == 1) return text(entries[0]);
  std::string all;
  for (std::size_t i = 0; i < entries.size() && i < 4; ++i) all += (i ? " " : "") + text(entries[i]);
  return all + (entries.size() > 4 ? " ... (" + std::to_string(entries.size()) + ")" : "");
}

std::string scales_of(const QuantizedType& type) {
  return listed(type.scales, [](const Scale& scale) { return scale.value.to_decimal(7); });
}

std::string zero_points_of(const QuantizedType& type) {
  bool are_alike = true;
  for (const ZeroPoint& each : type.zero_points) are_alike &= each.value == type.zero_points[0].value;
  if (are_alike) return type.zero_points[0].value.to_string();
  return listed(type.zero_points, [](const ZeroPoint& zero_point) { return zero_point.value.to_string(); });
}

std::string axes_of(const QuantizedType& type) {
  std::string text;
  for (const QuantizedDimension& dimension : type.dimensions)
    text += (text.empty() ? "" : " ") + std::to_string(dimension.axis) + (dimension.block == 1 ? "" : " by " + std::to_string(dimension.block));
  return text;
}

std::string clip_of(const QuantizedType& type) { return type.storage.name() + " " + type.storage_min.to_string() + " .. " + type.storage_max.to_string(); }

std::string range_of(const TensorParameters& parameters) {
  return parameters.range ? parameters.range->low.to_decimal(7) + " .. " + parameters.range->high.to_decimal(7) : "";
}

std::vector<std::string> row_of(const RecoveredTensor& tensor) {
  const QuantizedType& type = tensor.parameters.type;
  return {tensor.parameters.tensor,    tensor.codes,           scales_of(type), zero_points_of(type), clip_of(type), axes_of(type),
          range_of(tensor.parameters), tensor.parameters.from, tensor.place};
}

const std::vector<std::string> headings{"tensor", "codes", "scale", "zero point", "clip range", "axis", "range", "from", "at"};

std::string verdict(const RecoveredParameters& found) {
  return counted(found.tensors.size(), "tensor") + " recovered, " + counted(found.lost.size(), "parameter") + " lost\n";
}

}  // namespace

std::string recovered_text(const RecoveredParameters& found) {
  std::string text;
  if (!found.tensors.empty()) {
    TextTable table(headings);
    for (const RecoveredTensor& tensor : found.tensors) table.add(row_of(tensor));
    text += table.text("");
  }
  if (!found.lost.empty()) {
    TextTable table({"lost: tensor", "what", "why", "op", "at"});
    for (const LostParameter& lost : found.lost) table.add({lost.tensor, lost.what, lost.why, lost.op, lost.place});
    text += table.text("");
  }
  return text + verdict(found);
}

std::string recovered_markdown(const RecoveredParameters& found) {
  std::string text = "# Parameters of " + markdown_cell(found.model) + "\n\n" + verdict(found);
  const auto row = [&](const std::vector<std::string>& cells) {
    for (const std::string& cell : cells) text += "| " + (cell.empty() ? std::string() : markdown_cell(cell)) + " ";
    text += "|\n";
  };
  const auto head = [&](const std::vector<std::string>& cells) {
    text += "\n";
    row(cells);
    for (std::size_t i = 0; i < cells.size(); ++i) text += "|---";
    text += "|\n";
  };
  if (!found.tensors.empty()) head(headings);
  for (const RecoveredTensor& tensor : found.tensors) row(row_of(tensor));
  if (!found.lost.empty()) head({"lost", "what", "why", "op", "at"});
  for (const LostParameter& lost : found.lost) row({lost.tensor, lost.what, lost.why, lost.op, lost.place});
  return text;
}

std::string recovered_json(const RecoveredParameters& found) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.recovered/1").member("model", found.model).key("tensors").begin_array();
  for (const RecoveredTensor& tensor : found.tensors) {
    const TensorParameters& parameters = tensor.parameters;
    json.begin_object().member("tensor", parameters.tensor).member("type", to_text(parameters.type)).member("from", parameters.from);
    if (parameters.range) json.member("low", exact_text(parameters.range->low)).member("high", exact_text(parameters.range->high));
    if (!tensor.codes.empty()) json.member("codes", tensor.codes);
    json.member("place", tensor.place).end_object();
  }
  json.end_array().key("lost").begin_array();
  for (const LostParameter& lost : found.lost)
    json.begin_object()
        .member("tensor", lost.tensor)
        .member("what", lost.what)
        .member("why", lost.why)
        .member("op", lost.op)
        .member("place", lost.place)
        .end_object();
  json.end_array().end_object();
  return json.text();
}

}  // namespace tiebreak
