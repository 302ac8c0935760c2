// SPDX-License-Identifier: Apache-2.0
// Lists of numbers beside a page, which formulas name by `data "file.json"`.
#pragma once
#include <filesystem>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// Most numbers of a list.
constexpr std::size_t longest_data_file = std::size_t{1} << 20;

/// Every data file that the page's formulas name, by that name. An error stands at the formula where the file is missing, else in the file: it must hold one
/// list of numbers.
Result<std::map<std::string, DataFile>> read_data_files(const Page& page, const std::filesystem::path& folder);

}  // namespace tiebreak
