// SPDX-License-Identifier: Apache-2.0
// The worked pages of the notation's draft: every one is read, printed, read again, and found clean (or with the faults listed here).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "interpreter/notation/check.hpp"
#include "interpreter/notation/same_tree.hpp"

namespace tiebreak::notation {
namespace {

using Pages = std::map<std::string, Module>;

std::string read_pages() {
  const std::ifstream stream(TIEBREAK_SOURCE_DIR "/../shared/notation_pages.txt");
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  return text.str();
}

/// Splits at `=== name` lines; each page keeps the line numbers of the whole file.
std::map<std::string, std::string> split_pages(const std::string& text) {
  std::map<std::string, std::string> pages;
  std::istringstream lines(text);
  std::string name;
  int line = 0;
  for (std::string content; std::getline(lines, content); ++line) {
    if (content.starts_with("=== ")) {
      name = content.substr(4);
      pages[name] = std::string(static_cast<std::size_t>(line) + 1, '\n');
    } else if (!name.empty()) {
      pages[name] += content + "\n";
    }
  }
  return pages;
}

Pages parse_pages() {
  Pages modules;
  for (const auto& [name, text] : split_pages(read_pages())) {
    Result<Module> module = parse_module(text, name, name);
    EXPECT_TRUE(module.has_value()) << to_text(module.error());
    if (module) modules.emplace(name, *std::move(module));
  }
  return modules;
}

TEST(WorkedPages, AreRead) {
  const auto pages = split_pages(read_pages());
  if (pages.empty()) GTEST_SKIP() << "the worked pages are not beside this checkout";
  EXPECT_EQ(parse_pages().size(), pages.size());
  EXPECT_GE(pages.size(), 30u);
}

TEST(WorkedPages, RoundTrip) {
  const Pages modules = parse_pages();
  if (modules.empty()) GTEST_SKIP() << "the worked pages are not beside this checkout";
  for (const auto& [name, module] : modules) {
    const std::string text = print(module);
    const Result<Module> again = parse_module(text, name, name);
    ASSERT_TRUE(again.has_value()) << name << ": " << to_text(again.error()) << "\n" << text;
    EXPECT_EQ(print(*again), text);
    EXPECT_TRUE(same_tree(module, *again)) << text;
  }
}

TEST(WorkedPages, AreCleanButForTheFaultsKnown) {
  const Pages modules = parse_pages();
  if (modules.empty()) GTEST_SKIP() << "the worked pages are not beside this checkout";
  CheckContext context;
  context.module = [&](const std::string& name) { return modules.contains(name) ? &modules.at(name) : nullptr; };
  context.op = [&](const std::string& path) -> const Op* {
    for (const auto& [name, module] : modules)
      for (const Op& op : module.ops)
        if (op.path == path) return &op;
    return nullptr;
  };
  std::vector<std::string> found;
  for (const auto& [name, module] : modules)
    for (const Error& finding : check(module, context).findings) found.push_back(name + ": " + finding.what);
  const std::vector<std::string> expected{
      "ggml.q4_0: N01 unknown operand, attribute or region 'axis'",                             // rows(x, axis by 32) without an attribute `axis`
      "stablehlo.convolution: N03 'E' is defined twice, first as a type variable in line 145",  // `types E` and `type E`
  };
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace tiebreak::notation
