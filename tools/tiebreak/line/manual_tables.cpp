// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/manual_tables.hpp"

namespace tiebreak::command {

const std::vector<ManualEntry>& exit_codes() {
  static const std::vector<ManualEntry> entries{
      {"0", "Everything selected conforms, or is an expected failure; for other verbs: done, nothing found."},
      {"1", "At least one unexpected mismatch; for other verbs: a finding."},
      {"2", "Usage or data: the command line, a page, profile, case, baseline or golden file is wrong, or a result cannot be written."},
      {"3", "Internal error: a defect of tiebreak."},
      {"4", "Nothing is selected."},
      {"5", "Inconclusive: the backend crashed, hung, answered garbage or does not support what was selected; never a success, never a failure."},
      {"6", "Stale baseline: an expected failure passes."},
      {"130, 143", "Interrupted by SIGINT, SIGTERM; reports are still written and marked incomplete."},
  };
  return entries;
}

const std::vector<ManualEntry>& environment_variables() {
  static const std::vector<ManualEntry> entries{
      {"TIEBREAK_SPEC", "Folders of pages and profiles, separated by colons; an empty element is the installed folder."},
      {"TIEBREAK_CASES", "Folder of cases."},
      {"TIEBREAK_GOLDEN", "Folder of golden files."},
      {"TIEBREAK_ADAPTERS", "Folders of adapters, separated by colons."},
      {"TIEBREAK_STATE", "File that remembers failures for --last-failed."},
      {"XDG_STATE_HOME", "Where that file is, if TIEBREAK_STATE is not set and the folder tiebreak was made there."},
      {"TIEBREAK_SHARD", "Which part of a run this is, I/N as --shard takes it; counts before what test runners say."},
      {"TIEBREAK_SHARDS", "Number of parts of a run, where the environment only says which part this is."},
      {"GTEST_SHARD_INDEX, TEST_SHARD_INDEX, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX",
       "Which part of a run this is, as test runners say it, each with its total; --shard 1/1 runs everything whatever they say."},
      {"NO_COLOR, CLICOLOR_FORCE, TERM", "Colour, as usual."},
  };
  return entries;
}

const std::vector<ManualEntry>& files() {
  static const std::vector<ManualEntry> entries{
      {"../share/tiebreak/spec", "Beside the command: pages and profiles."},
      {"../share/tiebreak/cases, mutants, stairs, deep", "The cases of this installation."},
      {"../share/tiebreak/golden", "Golden files and their manifest."},
      {"../libexec/tiebreak/tiebreak-adapter-NAME", "The adapter of the backend NAME."},
      {"~/.local/state/tiebreak/last-failed.json", "What --last-failed selects; written only if its folder exists."},
  };
  return entries;
}

}  // namespace tiebreak::command
