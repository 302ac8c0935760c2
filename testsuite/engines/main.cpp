// SPDX-License-Identifier: Apache-2.0
// The fast engine against the exact one on random calls: docs/fuzzing.md.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "testsuite/engines/compare_engines.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/parallel.hpp"

namespace tiebreak {
namespace {

constexpr const char* help =
    "tiebreak_random_calls [OP...]: both engines on random calls of ops whose elements see more than their own place: those that match OP, without any all of "
    "them\n"
    "  --calls N   of each op that the page describes (50)\n"
    "  --seed N    of what is drawn (1)\n"
    "  --first N   the first draw (0): with --calls 1 the call of that number alone\n"
    "  --seconds N of the processor for one op at most (no limit)\n"
    "  --jobs N    ops at the same time (1)\n"
    "  --seeds N   calls of cases that an op's are made of (40)\n"
    "  --keep F    folder for the calls that differ, as case files\n"
    "  --table     a line for each op\n"
    "Exit status: 0 the engines agree, 1 they differ, 2 usage or data.\n";

struct Options {
  std::vector<std::string> globs{};
  DrawRange range{};
  std::uint64_t jobs = 1, seeds = 40;
  std::string keep{};
  bool table = false;
};

Result<Options> parsed(const std::vector<std::string_view>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word(words[i]);
    std::uint64_t* number = word == "--calls"     ? &options.range.calls
                            : word == "--seed"    ? &options.range.seed
                            : word == "--first"   ? &options.range.first
                            : word == "--seconds" ? &options.range.seconds
                            : word == "--jobs"    ? &options.jobs
                            : word == "--seeds"   ? &options.seeds
                                                  : nullptr;
    if (word == "--table") options.table = true;
    else if (!word.starts_with("--")) options.globs.push_back(word);
    else if (number == nullptr && word != "--keep") return fail(Errc::usage, "unknown option", word, "--help");
    else if (++i == words.size()) return fail(Errc::usage, "a value is missing", word);
    else if (number == nullptr) options.keep = words[i];
    else if (const auto [end, code] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), *number);
             code != std::errc() || end != words[i].data() + words[i].size())
      return fail(Errc::usage, "'" + std::string(words[i]) + "' is no number", word);
  }
  options.jobs = std::clamp<std::uint64_t>(options.jobs, 1, 256);
  if (options.seeds == 0) return fail(Errc::usage, "no seeds, no calls", "--seeds 0");
  return options;
}

std::vector<ComparedOp> compare_all(const Library& library, const SeedCalls& seeds, const Options& options) {
  std::vector<const std::pair<const std::string, generate::CallSeeds>*> ops;
  for (const auto& entry : seeds.by_op) ops.push_back(&entry);
  std::vector<ComparedOp> compared(ops.size());
  const ModulesInReach reach(library);
  for_each_index(
      static_cast<int>(options.jobs), ops.size(), [] { return false; },
      [&](std::size_t i) { compared[i] = compare_engines(library, reach, ops[i]->first, ops[i]->second, options.range); });
  return compared;
}

Status keep(const std::string& folder, const ComparedOp& op) {
  if (folder.empty()) return {};
  TIEBREAK_CHECK(make_output_folder(folder));
  for (const DifferingCall& one : op.different)
    if (!one.file.empty()) TIEBREAK_CHECK(write_file(folder + "/" + op.op + "-" + std::to_string(one.number) + ".json", one.file));
  return {};
}

Result<int> run(const Options& options) {
  TIEBREAK_TRY(library, Library::load(Library::default_directory()));
  TIEBREAK_TRY(seeds, seed_calls(*library, options.globs, options.seeds));
  std::uint64_t calls = 0, different = 0, few = 0;
  const std::vector<ComparedOp> all = compare_all(*library, *seeds, options);
  for (const ComparedOp& op : all) {
    calls += op.agreeing;
    different += op.different.size();
    const bool is_few = op.different.empty() && op.agreeing < options.range.calls;
    few += is_few ? 1 : 0;
    if (options.table || is_few)
      fmt::print("{:<44} {:>7} agree, {} refused{}\n", op.op, op.agreeing, op.refused, op.stopped ? ": no time for more" : is_few ? ": fewer than wanted" : "");
    if (op.agreeing == 0 && op.different.empty()) fmt::print("  the last of them: {}\n", op.refusal);
    for (const DifferingCall& one : op.different)
      fmt::print("{} draw {} under {}: {}\n  again: tiebreak_random_calls {} --seed {} --seeds {} --first {} --calls 1\n", op.op, one.number, one.profile,
                 one.what, op.op, options.range.seed, options.seeds, one.number);
    TIEBREAK_CHECK(keep(options.keep, op));
  }
  fmt::print("{} ops, {} calls alike, {} not; {} ops with fewer than {} calls; seed {}\n", all.size(), calls, different, few, options.range.calls,
             options.range.seed);
  if (calls + different == 0) return fail(Errc::unsupported, "every call was refused");
  return different > 0 ? 1 : 0;
}

}  // namespace
}  // namespace tiebreak

int main(int count, char** words) {
  const std::vector<std::string_view> all(words + 1, words + count);
  if (std::ranges::find(all, "--help") != all.end()) return std::fputs(tiebreak::help, stdout) < 0 ? 2 : 0;
  const auto options = tiebreak::parsed(all);
  const auto code = options ? tiebreak::run(*options) : tiebreak::Result<int>(tl::unexpected<tiebreak::Error>(options.error()));
  if (!code) fmt::print(stderr, "tiebreak_random_calls: {}\n", tiebreak::to_text(code.error()));
  return code ? *code : 2;
}
