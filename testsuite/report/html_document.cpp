// SPDX-License-Identifier: Apache-2.0
#include "testsuite/report/html_document.hpp"

#include "testsuite/text/markup.hpp"

namespace tiebreak {
namespace embedded {
extern const char* const html_page;   // page.html
extern const char* const html_style;  // style.css
}  // namespace embedded

std::string html_document(const std::string& title, const std::string& body) {
  return filled(embedded::html_page, {{"title", markup_escaped(title)}, {"style", embedded::html_style}, {"body", body}});
}

}  // namespace tiebreak
