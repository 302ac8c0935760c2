// SPDX-License-Identifier: Apache-2.0
// Files of labels.
#include <charconv>

#include "interpreter/json/json_value.hpp"
#include "testsuite/accuracy/accuracy.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

Result<std::vector<std::int64_t>> labels_of_array(const std::string& path) {
  TIEBREAK_TRY(arrays, read_array_file(path));
  TIEBREAK_TRY(tensor, tensor_of(arrays.front()));
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const auto label = tensor.value(i).to_int64();
    if (!label || *label < 0) return fail(Errc::type, "element " + std::to_string(i) + " is " + tensor.value(i).to_decimal() + ", which is no index", path);
    labels.push_back(*label);
  }
  return labels;
}

}  // namespace

Result<std::vector<std::int64_t>> read_labels(const std::string& path) {
  if (path.ends_with(".npy")) return labels_of_array(path);
  TIEBREAK_TRY(text, read_text_file(path));
  std::vector<std::int64_t> labels;
  std::size_t line = 0;
  for (const std::string& each : lines_of(text)) {
    const std::string_view word = trimmed_line(each);
    ++line;
    if (word.empty() || word.front() == '#') continue;
    std::int64_t label = -1;
    const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), label);
    if (code != std::errc{} || stop != word.data() + word.size() || label < 0)
      return fail(Errc::syntax, "'" + std::string(word.substr(0, 40)) + "' is no index", path + ":" + std::to_string(line),
                  "one whole number a line: 0, 1, 2 ...");
    labels.push_back(label);
  }
  if (labels.empty()) return fail(Errc::usage, "no label in this file", path, "one whole number a line, or a .npy file");
  return labels;
}

}  // namespace tiebreak
