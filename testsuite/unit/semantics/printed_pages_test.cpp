// SPDX-License-Identifier: Apache-2.0
// Every page of the tree, printed and read again, is the same tree.
#include <gtest/gtest.h>

#include "interpreter/notation/same_tree.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

TEST(PrintedPages, RoundTrip) {
  int read = 0;
  for (const auto& [name, page] : pages().pages()) {
    if (page.module.ops.empty() && page.module.definitions.empty()) continue;
    const std::string text = notation::print(page.module);
    const Result<notation::Module> again = notation::parse_module(text, name, name);
    ASSERT_TRUE(again) << name << ": " << to_text(again.error()) << "\n" << text;
    EXPECT_EQ(notation::print(*again), text);
    EXPECT_TRUE(notation::same_tree(page.module, *again)) << text;
    ++read;
  }
  EXPECT_GT(read, 300);
}

}  // namespace
}  // namespace tiebreak
