// SPDX-License-Identifier: Apache-2.0
// Checks a page among others, for the tests of the checker.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "interpreter/notation/check.hpp"

namespace tiebreak::notation {

/// Module name -> text. The last argument of `findings` is the page that is checked.
class TestPages {
 public:
  explicit TestPages(const std::map<std::string, std::string>& texts) {
    for (const auto& [name, text] : texts) {
      Result<Module> module = parse_module(text, name, name + ".md");
      EXPECT_TRUE(module.has_value()) << to_text(module.error());
      if (module) modules_.emplace(name, *std::move(module));
    }
  }

  /// `what @ line:column`, and ` ; hint` where there is one.
  std::vector<std::string> findings(const std::string& name) const {
    CheckContext context;
    context.module = [&](const std::string& one) { return find(one); };
    context.op = [&](const std::string& path) -> const Op* {
      for (const auto& entry : modules_)
        for (const Op& op : entry.second.ops)
          if (op.path == path) return &op;
      return nullptr;
    };
    for (const auto& entry : modules_) context.module_names.push_back(entry.first);
    std::vector<std::string> texts;
    for (const Error& finding : check(modules_.at(name), context).findings) {
      EXPECT_TRUE(finding.where.starts_with(name + ".md:")) << finding.where;
      texts.push_back(finding.what + " @ " + finding.where.substr(name.size() + 4) + (finding.hint.empty() ? "" : " ; " + finding.hint));
    }
    return texts;
  }

  const Module* find(const std::string& name) const {
    const auto found = modules_.find(name);
    return found == modules_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Module> modules_{};
};

using Findings = std::vector<std::string>;

inline Findings findings_of(const std::string& text) { return TestPages({{"page", text}}).findings("page"); }

/// A clean op around some statements; their first line is line 4. x varies over the bag, s does not, f and p are attributes.
inline Findings findings_in_op(const std::string& statements) {
  return findings_of(
      "op a.b(x: i8, s: f32[], q: quant(S:f32), t: i8[*]) {f = true, axis = 1, p = none} -> y: i8\ntypes S: i8 u8\nstructure rows(x, "
      "axis)\n" +
      statements);
}

}  // namespace tiebreak::notation
