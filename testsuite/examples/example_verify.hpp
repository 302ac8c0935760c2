// SPDX-License-Identifier: Apache-2.0
// Executes the examples of any Markdown text whose comments follow the StableHLO specification or Tiebreak's pages.
#pragma once
#include <functional>

#include "testsuite/examples/example_answer.hpp"
#include "testsuite/examples/markdown_examples.hpp"

namespace tiebreak {

/// Statements without a condition are compared under `profile`, others under their own. With `strict` an op that has no page is ill-formed where its
/// dialect has pages, else it is not checkable. Errc::internal only.
Result<ExampleAnswer> verify_example(const Library& library, const std::string& profile, const std::string& file, const MarkdownExample& example,
                                     bool strict = false);

/// Every example of a text, in order; after an interrupt those that were verified until then. Ids are the file's name, the heading and a number:
/// spec/add/example-1.
Result<std::vector<ExampleAnswer>> verify_markdown(const Library& library, const std::string& profile, const std::string& file, const std::string& text,
                                                   const std::function<bool()>& interrupted = {}, bool strict = false);

}  // namespace tiebreak
