// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/data_files.hpp"

#include <fmt/format.h>

#include "interpreter/geometry/geometry.hpp"
#include "testsuite/export/words.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_parameters_shown = 8;  // of a type per axis; the manifest has all

std::string parameters_text(const QuantizedType& type) {
  std::string text = "scale";
  for (std::size_t i = 0; i < type.scales.size() && i < most_parameters_shown; ++i) text += (i == 0 ? " " : ", ") + scale_text(type.scales[i].value);
  text += type.scales.size() > most_parameters_shown ? ", ...; zero point" : "; zero point";
  for (std::size_t i = 0; i < type.zero_points.size() && i < most_parameters_shown; ++i) text += (i == 0 ? " " : ", ") + type.zero_points[i].value.to_string();
  return text + (type.zero_points.size() > most_parameters_shown ? ", ..." : "");
}

}  // namespace

std::vector<std::string> tensor_lines(const ExportedCase& exported, const ExportedTensor& tensor) {
  std::vector<std::string> lines{std::string(to_word(tensor.role)) + " " + tensor.of + " of " + exported.id + ", profile " + exported.profile,
                                 storage_text(tensor.tensor.element()) + " " + to_text(tensor.tensor.shape()) + ", row-major"};
  if (tensor.tensor.type().quantized) lines.push_back(parameters_text(*tensor.tensor.type().quantized));
  lines.insert(lines.end(), tensor.notes.begin(), tensor.notes.end());
  for (std::string& line : lines) line = comment_text(line);
  return lines;
}

std::string memh_text(const Tensor& tensor) {
  std::string text;
  for (std::int64_t i = 0; i < tensor.size(); ++i) text += hex_word(tensor, i) + "\n";
  return text;
}

std::string mif_text(const ExportedCase& exported, const ExportedTensor& tensor) {
  std::string text;
  for (const std::string& line : tensor_lines(exported, tensor)) text += "-- " + line + "\n";
  const std::int64_t size = tensor.tensor.size();
  text += fmt::format("WIDTH = {};\nDEPTH = {};\nADDRESS_RADIX = UNS;\nDATA_RADIX = HEX;\nCONTENT BEGIN\n", tensor.tensor.element().bits(), size);
  for (std::int64_t i = 0; i < size;) {
    std::int64_t last = i;
    while (last + 1 < size && tensor.tensor.code(last + 1) == tensor.tensor.code(i)) ++last;
    const std::string address = last == i ? fmt::format("{}", i) : fmt::format("[{}..{}]", i, last);
    text += fmt::format("  {} : {};\n", address, in_capitals(hex_word(tensor.tensor, i)));
    i = last + 1;
  }
  return text + "END;\n";
}

std::string csv_text(const ExportedTensor& tensor) {
  const Shape& shape = tensor.tensor.shape();
  std::string text;
  for (std::size_t d = 0; d < shape.size(); ++d) text += fmt::format("index{},", d);
  text += "value,code\n";
  std::vector<std::int64_t> place(shape.size());
  for (std::int64_t i = 0; i < tensor.tensor.size(); ++i) {
    unravel(i, shape, place);
    for (const std::int64_t index : place) text += fmt::format("{},", index);
    const bool is_undefined = !tensor.undefined.empty() && tensor.undefined[static_cast<std::size_t>(i)] != 0;
    text += (is_undefined ? "undefined" : value_text(tensor.tensor.value(i))) + "," + bits_text(tensor.tensor, i) + "\n";
  }
  return text;
}

}  // namespace tiebreak
