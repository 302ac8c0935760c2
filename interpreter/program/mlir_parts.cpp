// SPDX-License-Identifier: Apache-2.0
// Whole texts: their parts between `// -----`, read one after the other from one budget.
#include <iterator>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

/// `// -----` alone on its line, as the tools that split texts look for it.
bool is_split(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line.substr(start, 3) != "// ") return false;
  line.remove_prefix(start + 3);
  const std::size_t end = line.find_last_not_of(" \t\r");
  return end != std::string_view::npos && end >= 4 && line.substr(0, end + 1).find_first_not_of('-') == std::string_view::npos;
}

bool has_content(const TextPart& part, const std::string& file) { return !Cursor(part.text, file, part.first_line).at_end(); }

std::vector<TextPart> parts_with_content(std::string_view text, const std::string& file, int first_line) {
  std::vector<TextPart> parts = split_parts(text, first_line);
  if (parts.size() > 1) std::erase_if(parts, [&](const TextPart& part) { return !has_content(part, file); });
  if (parts.empty()) parts.push_back(TextPart{text, first_line});
  return parts;
}

}  // namespace

std::vector<TextPart> split_parts(std::string_view text, int first_line) {
  std::vector<TextPart> parts{TextPart{text, first_line}};
  int line = first_line;
  std::size_t part_begin = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (is_split(text.substr(begin, end - begin))) {
      parts.back().text = text.substr(part_begin, begin - part_begin);
      part_begin = std::min(end + 1, text.size());
      parts.push_back(TextPart{text.substr(part_begin), line + 1});
    }
    begin = end + 1;
  }
  return parts;
}

}  // namespace tiebreak::mlir

namespace tiebreak {
namespace {

Error too_large(const std::string& file) { return Error{Errc::limit, "a text of more than 16 MiB", file, {}}; }

}  // namespace

Result<ParsedMlir> parse_mlir(std::string_view text, const std::string& file, int first_line, const MlirResources* resources) {
  if (text.size() > mlir::text_limit) return tl::unexpected<Error>(too_large(file));
  ParsedMlir parsed;
  std::int64_t budget = mlir::literal_limit;
  for (const mlir::TextPart& part : mlir::parts_with_content(text, file, first_line)) {
    mlir::Parser parser(part.text, file, part.first_line, budget, resources);
    TIEBREAK_TRY(functions, parser.run(true));
    if (functions.empty()) return fail(Errc::syntax, "the text has no function and no operation", parser.end());
    budget = parser.budget();
    for (MlirFunction& function : functions) {
      parsed.functions.push_back(*std::move(function.program));
      parsed.example = std::move(function.example);
    }
  }
  if (parsed.functions.size() > 1) parsed.example = {};
  return parsed;
}

std::vector<MlirFunction> parse_mlir_functions(std::string_view text, const std::string& file, int first_line) {
  std::vector<MlirFunction> functions;
  const auto refuse = [&](Error error, const std::string& where) {
    functions.push_back(MlirFunction{.name = "", .where = where, .program = tl::unexpected<Error>(std::move(error))});
  };
  if (text.size() > mlir::text_limit) {
    refuse(too_large(file), file);
    return functions;
  }
  std::int64_t budget = mlir::literal_limit;
  for (const mlir::TextPart& part : mlir::parts_with_content(text, file, first_line)) {
    mlir::Parser parser(part.text, file, part.first_line, budget);
    auto read = parser.run(false);
    budget = parser.budget();
    const std::string where = file + ":" + std::to_string(part.first_line);
    if (!read) {
      refuse(read.error(), where);
    } else if (read->empty()) {
      refuse(Error{Errc::syntax, "the text has no function and no operation", parser.end(), {}}, where);
    } else {
      std::move(read->begin(), read->end(), std::back_inserter(functions));
    }
  }
  return functions;
}

}  // namespace tiebreak
