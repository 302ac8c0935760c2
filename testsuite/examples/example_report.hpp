// SPDX-License-Identifier: Apache-2.0
// Answers to a text's examples for people, for programs, and as a list of defects.
#pragma once
#include "testsuite/examples/example_answer.hpp"
#include "testsuite/text/json_writer.hpp"

namespace tiebreak {

/// `FILE:LINE heading op answer reason`, one line an example; only those that need a look with `quiet`.
std::string answers_text(const std::vector<ExampleAnswer>& answers, bool colour, bool quiet);
/// A table by answer: how many, how many as printed or known, and the reasons of what is not checkable.
std::string answers_summary(const std::vector<ExampleAnswer>& answers);
/// An element of tiebreak.spec-verify/1: `examples` of a file, `answers` of a page.
void write_answer(JsonWriter& json, const ExampleAnswer& answer);
/// What differs or is ill-formed as a Markdown table, with the baseline's reasons.
std::string defects_markdown(const std::vector<ExampleAnswer>& answers);

}  // namespace tiebreak
