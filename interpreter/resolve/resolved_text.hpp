// SPDX-License-Identifier: Apache-2.0
// Resolved ops as text for a reader.
#pragma once
#include <string>
#include <vector>

#include "interpreter/resolve/resolved_op.hpp"

namespace tiebreak {

/// Whose reading it is; where the profile says nothing of the op, that.
std::string title_of(const ResolvedOp& op);
/// onnx.QLinearConv/accumulator=wrap, or file:line.
std::string text_of(const Clause& clause);

/// The lines alone, rows of at most `width` columns where the words allow it.
std::string resolved_text(const ResolvedOp& op, std::size_t width);
/// The title, and the lines with their places in a column on the right.
std::string resolved_text_with_places(const ResolvedOp& op, std::size_t width);

/// For each line of `op` whether `other` has not the same.
std::vector<bool> differing_lines(const ResolvedOp& op, const ResolvedOp& other);
/// Both with their places, lines that differ marked with `|`, `<` (only the first has it) and `>`: side by side, or one above the other where the
/// width is small.
std::string resolved_comparison(const ResolvedOp& first, const ResolvedOp& second, std::size_t width);

}  // namespace tiebreak
