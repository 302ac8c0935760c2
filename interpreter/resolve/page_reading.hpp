// SPDX-License-Identifier: Apache-2.0
// The text's own reading of a page's ops, with every choice taken, as it stands at the head of the page in a `resolved` block.
#pragma once
#include <optional>
#include <string>

#include "interpreter/error.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// More rows than these nobody reads aloud within a minute: such a page has no block.
inline constexpr std::size_t most_reading_rows = 15;

/// The block's text for a page; "" for a page whose ops reach no choices, or whose reading is long.
Result<std::string> page_reading(const Library& library, const Page& page);
/// What stands in the page's block; nullopt where it has none.
std::optional<std::string> written_reading(const std::string& markdown);
/// The page with the block, before its first section; an empty reading removes it.
std::string with_reading(const std::string& markdown, const std::string& reading);

}  // namespace tiebreak
