// SPDX-License-Identifier: Apache-2.0
// One Markdown page to its module and examples.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The blocks of a page, by the word after the fence.
struct PageBlocks {
  std::string title;  ///< first heading
  bool has_semantics = false;
  std::string semantics;          ///< every other line blank: line numbers are the page's
  std::vector<Example> examples;  ///< `mlir` blocks
};
/// A fence that is never closed is an error.
Result<PageBlocks> read_blocks(std::string_view markdown, const std::string& file);

/// nullopt for a text without formulas (a README), unless it is a system's and has examples.
Result<std::optional<Page>> read_page(std::string markdown, std::string name, std::string file);

/// A whole file, up to `limit` bytes. `shown` names it in messages.
Result<std::string> read_text(const std::string& path, const std::string& shown, std::size_t limit = 1u << 20);

}  // namespace tiebreak
