// SPDX-License-Identifier: Apache-2.0
// The CRC table says whether something is damaged, and which bytes; the checksums of the cases, where they can still be read, say whose.
#include "testsuite/exchange/golden.hpp"

#include <algorithm>
#include <optional>

#include "testsuite/exchange/crc_table.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/exchange/read_in_child.hpp"
#include "testsuite/exchange/whole_file.hpp"

namespace tiebreak {
namespace {

constexpr double locate_seconds = 10;

/// Ids of the cases whose contents are not what was written; nothing if an earlier format cannot tell, an error if the structure cannot be read.
Result<std::optional<std::vector<std::string>>> changed_cases(std::span<const std::byte> image, const std::string& path) {
  TIEBREAK_TRY(tree, read_hdf5_isolated(image, path, locate_seconds));
  TIEBREAK_TRY(cases, find_cases(tree, path));
  const auto format = tree.attributes.find("format");
  if (format != tree.attributes.end() && format->second.as_text() == earlier_exchange_format) return std::nullopt;
  std::vector<std::string> changed;
  for (const FoundCase& one : cases) {
    const auto stored = one.group->attributes.find("checksum");
    const bool is_whole = stored != one.group->attributes.end() && stored->second.as_text() == case_checksum(*one.group);
    if (!is_whole) changed.push_back(one.id);
  }
  return std::optional(std::move(changed));
}

Error located(Error error, std::span<const std::byte> image, const std::string& path) {
  const auto changed = changed_cases(image, path);
  if (!changed) {
    error.hint = "HDF5's own structures are damaged: " + changed.error().what;
  } else if (!*changed) {
    error.hint = "which case is damaged cannot be told in a file of format " + std::string(earlier_exchange_format);
  } else if ((*changed)->empty()) {
    error.hint = "no case's contents are touched";
  } else {
    error.where = path + ":/cases/" + (*changed)->front();
    if ((*changed)->size() > 1) error.hint = std::to_string((*changed)->size()) + " cases are damaged";
  }
  return error;
}

Result<std::vector<std::byte>> read_verified(const std::string& path) {
  TIEBREAK_TRY(image, read_whole_file(path));
  if (file_form(image) == FileForm::with_crcs) {
    TIEBREAK_TRY(ranges, damaged_ranges(image, path));
    if (!ranges.empty()) return tl::unexpected(located(check_crcs(image, path).error(), image, path));
  }
  return std::move(image);
}

Result<ExchangeFile> parse_golden(std::span<const std::byte> image, const std::string& path) {
  TIEBREAK_TRY(file, parse_exchange_image(image, path, Trust::crcs));
  if (file.kind != "golden") return fail(Errc::corrupt, "not a golden file but a " + file.kind, path);
  return std::move(file);
}

Result<ExchangeFile> read_golden(const std::string& path) {
  TIEBREAK_TRY(image, read_verified(path));
  return parse_golden(image, path);
}

}  // namespace

Status verify_golden(const std::string& path) {
  const Result<ExchangeFile> file = read_golden(path);
  if (!file) return tl::unexpected(file.error());
  return {};
}

Result<GoldenSummary> summarize_golden(const std::string& path) {
  TIEBREAK_TRY(image, read_verified(path));
  TIEBREAK_TRY(file, parse_golden(image, path));
  GoldenSummary summary;
  summary.bytes = image.size();
  summary.context = file.context;
  summary.cases = file.cases.size();
  TIEBREAK_TRY(tree, encode_file(file));
  summary.checksum = tree.attributes.at("checksum").as_text().value_or("");
  for (const ExchangeCase& one : file.cases) {
    ++summary.ops[one.op];
    ++summary.profiles[one.profile];
    for (const ExchangeTensor& output : one.outputs) {
      summary.elements += output.tensor.size();
      summary.undefined += std::count_if(output.undefined.begin(), output.undefined.end(), [](std::uint8_t flag) { return flag != 0; });
    }
  }
  return summary;
}

Result<std::vector<StoredDifference>> diff_golden(const std::string& first_path, const std::string& second_path) {
  TIEBREAK_TRY(first, read_golden(first_path));
  TIEBREAK_TRY(second, read_golden(second_path));
  return diff_exchange_files(first, second);
}

}  // namespace tiebreak
