// SPDX-License-Identifier: Apache-2.0
// What the terminal and the comment say alike: numbers as words, rows of the table, sentences about inputs.
#pragma once
#include "testsuite/accuracy/accuracy.hpp"

namespace tiebreak {

const std::vector<std::string>& accuracy_headings();
std::vector<std::string> accuracy_row(const OutputDifference& output, std::size_t longest_name);
/// Of an output of a column: where the greatest difference is, which inputs' arg max changes, what was left out.
std::vector<std::string> accuracy_details(const AccuracyReport& report, const OutputDifference& output);
/// Of the run: a backend's silence, an interrupt, the labels, notes.
std::vector<std::string> accuracy_remarks(const AccuracyReport& report);

/// `0.31`, `2e-05`: per hundred, three digits.
std::string share_text(std::int64_t part, std::int64_t whole);

}  // namespace tiebreak
