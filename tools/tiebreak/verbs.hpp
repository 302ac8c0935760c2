// SPDX-License-Identifier: Apache-2.0
// The subcommands. Each has a file of its own with one function that adds it to the command line; running it comes after parsing, so
// nothing is loaded for --help.
#pragma once
#include "tools/tiebreak/line/command.hpp"

namespace tiebreak::command {

void add_check(Verb& app);
void add_eval(Verb& app);
void add_explain(Verb& app);
void add_export(Verb& app);
void add_diff(Verb& app);
void add_equal(Verb& app);
void add_quantize(Verb& app);
void add_parameters(Verb& app);
void add_region(Verb& app);
void add_rule(Verb& app);
void add_rewrite(Verb& app);
void add_statistics(Verb& app);
void add_accuracy(Verb& app);
void add_spec(Verb& app);
void add_profile(Verb& app);
void add_backend(Verb& app);
void add_case(Verb& app);
void add_golden(Verb& app);
void add_bits(Verb& app);
void add_calibrate(Verb& app);
void add_identify(Verb& app);
void add_score(Verb& app);
void add_report(Verb& app);
void add_man(Verb& app);
void add_completions(Verb& app);

}  // namespace tiebreak::command
