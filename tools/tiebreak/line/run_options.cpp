// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/run_options.hpp"

#include <cstdlib>
#include <filesystem>

#include "testsuite/check/earlier_run.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/text/output_file.hpp"
#include "tools/tiebreak/line/console.hpp"

namespace tiebreak::command {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// --state, else TIEBREAK_STATE, else a file in the user's own folder for state, if that folder was made for us. Nothing is written unasked.
std::string state_file(const RunText& text) {
  if (!text.state.empty()) return text.state;
  if (std::string named = variable("TIEBREAK_STATE"); !named.empty()) return named;
  std::string base = variable("XDG_STATE_HOME");
  if (base.empty() || base[0] != '/') base = variable("HOME").empty() ? "" : variable("HOME") + "/.local/state";
  std::error_code error;
  std::string folder = base + "/tiebreak";
  return !base.empty() && std::filesystem::is_directory(folder, error) ? folder + "/last-failed.json" : "";
}

Result<ShardBy> parse_shard_by(const std::string& text) {
  if (text.empty() || text == "case") return ShardBy::cases;
  if (text == "op") return ShardBy::ops;
  return fail(Errc::usage, "cannot divide by '" + text + "'", "--shard-by", "case, or op: all cases of an op in one part");
}

Status select_earlier(const RunText& text, const std::string& backend, bool seed_is_given, const std::string& state, Selection& selection, RunPlan& plan) {
  if (!text.status.empty() && text.from.empty()) return fail(Errc::usage, "--status chooses among the cases of --from", "--status", "--from REPORT.json");
  if (text.last_failed && !text.from.empty()) return fail(Errc::usage, "--last-failed and --from are two selections", "", "use one of them");
  if (!text.from.empty()) {
    TIEBREAK_TRY(statuses, parse_statuses(text.status.empty() ? "all" : text.status));
    TIEBREAK_TRY(earlier, cases_of_report(text.from, statuses));
    select_again(earlier, seed_is_given, selection);
    if (earlier.ids.empty()) plan.nothing = "no case of " + text.from + " is " + (text.status.empty() ? "there" : text.status);
  } else if (text.last_failed) {
    if (state.empty()) {
      return fail(Errc::usage, "no file of failures is kept", "--last-failed",
                  "--state FILE or TIEBREAK_STATE=FILE on every run, or mkdir -p ~/.local/state/tiebreak once; or --from REPORT.json --status fail");
    }
    if (backend.empty()) return fail(Errc::usage, "no backend is named", "--backend", "failures are kept backend by backend");
    TIEBREAK_TRY(earlier, last_failures(state, backend, seed_is_given ? std::optional(selection.seed) : std::nullopt));
    select_again(earlier, seed_is_given, selection);
    if (earlier.ids.empty()) plan.nothing = "no failure of " + backend + " is remembered in " + state;
  }
  return {};
}

}  // namespace

void add_run_options(Verb& app, RunText& text) {
  app.add_option("--shard", text.shard, "the i-th of n parts of what is selected, by a hash of the ids; 1/1 is all (default: CI variables, docs/runs.md)")
      ->type_name("I/N");
  app.add_option("--shard-total", text.shard_total, "number of parts where the environment only says which this is (or TIEBREAK_SHARDS)")->type_name("N");
  app.add_option("--shard-by", text.shard_by, "case (default), or op: all cases of an op in one part, so that causes are those of the whole run")
      ->type_name("WHAT");
  app.add_flag("--isolate", text.isolate, "every case in a process of its own; --timeout and --memory hold for each");
  app.add_option("--repeat", text.repeat, "ask every case N times; a backend that contradicts itself fails (default 1)")->type_name("N");
  app.add_flag("--last-failed", text.last_failed, "what failed or did not answer when it last ran with this backend; needs --state");
  app.add_option("--from", text.from, "the cases of an earlier report, from its own sources unless others are given")->type_name("REPORT.json");
  app.add_option("--status", text.status, "of --from: only these statuses, separated by commas (default all)")->type_name("WORDS");
  app.add_option("--resume", text.resume,
                 "report of a run that was stopped: what it judged of the same question, under the same profile, backend and version, is\n"
                 "taken over, and the report is that of a single run (docs/runs.md)")
      ->type_name("REPORT.json");
  app.add_option("--state", text.state, "file that remembers failures for --last-failed (or TIEBREAK_STATE; none is written unasked)")->type_name("FILE");
}

Result<RunPlan> plan_run(const RunText& text, const std::string& backend, bool seed_is_given, Selection& selection) {
  RunPlan plan;
  TIEBREAK_TRY(shard, shard_of(text.shard, text.shard_total, variable));
  TIEBREAK_TRY(by, parse_shard_by(text.shard_by));
  plan.shard = shard;
  plan.shard.by = by;
  plan.isolate = text.isolate;
  if (!text.resume.empty() && !text.repeat.empty())
    return fail(Errc::usage, "a report does not say of every case how often it was asked", "--resume " + text.resume, "without --repeat");
  if (!text.repeat.empty()) {
    constexpr std::uint64_t most = 1000;
    TIEBREAK_TRY(repeat, parse_count(text.repeat, "--repeat"));
    if (repeat == 0 || repeat > most) return fail(Errc::usage, "--repeat takes 1 to 1000", "--repeat " + text.repeat);
    plan.repeat = static_cast<int>(repeat);
  }
  plan.state = state_file(text);
  plan.state_is_named = !text.state.empty() || !variable("TIEBREAK_STATE").empty();
  TIEBREAK_CHECK(select_earlier(text, backend, seed_is_given, plan.state, selection, plan));
  if (!shard.status_file.empty()) TIEBREAK_CHECK(write_file(shard.status_file, ""));
  return plan;
}

Result<std::vector<std::string>> divide(const Library& library, const Shard& shard, Selection& selection) {
  if (shard.named_by.empty()) return std::vector<std::string>{};
  TIEBREAK_TRY(ids, list_cases(library, selection));
  selection.part = part_of(ids, shard);
  return ids;
}

std::string run_arguments(const RunText& text) {
  return std::string(text.isolate ? " --isolate" : "") + (text.repeat.empty() ? "" : " --repeat " + shell_quoted(text.repeat));
}

Status after_run(const RunPlan& plan, const std::string& backend, std::uint64_t seed, CheckReport& report) {
  if (!plan.shard.named_by.empty()) {
    report.context["shard"] = plan.shard.text();
    report.context["shard_named_by"] = plan.shard.named_by;
    if (plan.shard.by == ShardBy::ops) report.context["shard_by"] = "op";
  }
  if (plan.isolate) report.context["isolate"] = "true";
  if (plan.repeat > 1) report.context["repeat"] = std::to_string(plan.repeat);
  if (plan.state.empty()) return {};
  Status remembered = remember_failures(plan.state, backend, seed, report);
  if (remembered || plan.state_is_named) return remembered;
  print_note("tiebreak: warning: failures are not remembered: " + to_text(remembered.error()));
  return {};
}

}  // namespace tiebreak::command
