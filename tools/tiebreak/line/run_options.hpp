// SPDX-License-Identifier: Apache-2.0
// How a run is divided, repeated and taken up again: shards, isolation, repetitions, the cases of an earlier run.
#pragma once
#include "testsuite/check/check.hpp"
#include "testsuite/sources/shard.hpp"
#include "tools/tiebreak/line/command.hpp"

namespace tiebreak::command {

struct RunText {
  std::string shard, shard_total, shard_by, repeat, from, status, state, resume;
  bool isolate = false, last_failed = false;
};
void add_run_options(Verb& app, RunText& text);

struct RunPlan {
  Shard shard;
  int repeat = 1;
  bool isolate = false;
  std::string state{};          ///< file that remembers failures, "" if none is kept
  bool state_is_named = false;  ///< by the user: then it must be writable
  std::string nothing{};        ///< why a selection may well be empty
};
/// Reads the options and restricts the selection by them, but for the shard, which divide() does when the cases are known. `seed_is_given`: on the command
/// line.
Result<RunPlan> plan_run(const RunText& text, const std::string& backend, bool seed_is_given, Selection& selection);

/// The ids of everything that is selected, and the selection restricted to the shard; nothing where no shard is named.
Result<std::vector<std::string>> divide(const Library& library, const Shard& shard, Selection& selection);

/// ` --isolate --repeat 3`: what a command that reproduces a verdict needs.
std::string run_arguments(const RunText& text);
/// Puts what the plan says into the report's context, and tells the file of failures and the test runner about the run.
Status after_run(const RunPlan& plan, const std::string& backend, std::uint64_t seed, CheckReport& report);

}  // namespace tiebreak::command
