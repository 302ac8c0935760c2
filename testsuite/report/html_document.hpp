// SPDX-License-Identifier: Apache-2.0
// The page around what a report says: one style, light and dark; nothing is loaded and nothing runs, and the page's own policy says so.
#pragma once
#include <string>

namespace tiebreak {

/// `title` is text, `body` is HTML.
std::string html_document(const std::string& title, const std::string& body);

}  // namespace tiebreak
