// SPDX-License-Identifier: Apache-2.0
#include "interpreter/semantics/data_files.hpp"

#include <fmt/format.h>

#include "interpreter/json/json_value.hpp"
#include "interpreter/notation/lexer.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/sha256.hpp"

namespace tiebreak {
namespace {

Result<DataFile> read_data_file(const std::string& text, const std::string& shown) {
  TIEBREAK_TRY(list, parse_json(text, shown));
  TIEBREAK_CHECK(check_array(list));
  if (list.items.size() > longest_data_file)
    return fail(Errc::limit, fmt::format("{} numbers, at most {} are read", list.items.size(), longest_data_file), shown);
  auto values = std::make_shared<std::vector<Real>>();
  values->reserve(list.items.size());
  for (const JsonValue& item : list.items) {
    if (!item.is(JsonValue::Kind::number)) return fail(Errc::type, "N12 a data file is a list of numbers", item.where);
    TIEBREAK_TRY(number, Real::parse(item.text));
    values->push_back(number);
  }
  return DataFile{sha256_hex(text), std::move(values)};
}

}  // namespace

Result<std::map<std::string, DataFile>> read_data_files(const Page& page, const std::filesystem::path& folder) {
  std::map<std::string, notation::Position> named;
  notation::walk(page.module, [&](const notation::Expr& one) {
    if (one.kind == notation::ExprKind::data) named.emplace(one.text, one.at);
  });
  std::map<std::string, DataFile> files;
  for (const auto& [name, at] : named) {
    const std::string shown = (std::filesystem::path(page.file).parent_path() / name).string();
    const auto text = read_text_file((folder / name).string());
    if (!text) return fail(Errc::io, fmt::format("N01 there is no data file {}", shown), notation::place(page.file, at), "it stands beside the page");
    TIEBREAK_TRY(file, read_data_file(*text, shown));
    files.emplace(name, std::move(file));
  }
  return files;
}

}  // namespace tiebreak
