// SPDX-License-Identifier: Apache-2.0
// The fenced `mlir` blocks of any Markdown text, with the headings that they stand under, cut into examples: one operation, or
// operations that read each other's results, with the comments that belong to them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tiebreak {

struct MarkdownExample {
  std::string text;                     ///< lines of the block; those of other examples of the block are empty
  int block = 0;                        ///< number of the block in the text, from 1
  int first_line = 0;                   ///< of the text above
  int line = 0;                         ///< of the first operation, or of the block where there is none
  std::vector<std::string> headings{};  ///< from the title down
};

/// A block whose text goes on to the end of the file is taken as it is: a fence that is not closed is Markdown, too.
std::vector<MarkdownExample> markdown_examples(std::string_view markdown);

/// The examples of one block. A new one begins with an operation that defines a name again, and with one after a blank line
/// that reads nothing of what stands before it. Functions stay together.
std::vector<MarkdownExample> split_block(const MarkdownExample& block);

}  // namespace tiebreak
