// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/shard.hpp"

#include <charconv>
#include <optional>
#include <vector>

#include "interpreter/sha256.hpp"

namespace tiebreak {
namespace {

Result<std::uint64_t> whole_number(const std::string& text, const std::string& name) {
  std::uint64_t value = 0;
  auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || stop != text.data() + text.size())
    return fail(Errc::usage, "'" + text + "' is not a whole number", name, "--shard 1/1 runs everything");
  return value;
}

/// `index` counts from 0 here, as all the variables do.
Result<Shard> checked(std::uint64_t index, std::uint64_t total, const std::string& named_by) {
  constexpr std::uint64_t most = 1'000'000;
  if (total == 0 || total > most) return fail(Errc::usage, "there cannot be " + std::to_string(total) + " shards", named_by, "--shard 1/4");
  if (index >= total) {
    return fail(Errc::usage, "there is no shard " + std::to_string(index + 1) + " of " + std::to_string(total) + " (the first is 1)", named_by,
                "--shard 1/1 runs everything");
  }
  Shard shard;
  shard.index = index + 1;
  shard.total = total;
  shard.named_by = named_by;
  return shard;
}

/// `name`: the option or the variable.
Result<Shard> from_text(const std::string& written, const std::string& name) {
  std::size_t slash = written.find('/');
  if (slash == std::string::npos) return fail(Errc::usage, "'" + written + "' is not i/n", name, "--shard 1/4 is the first of four");
  TIEBREAK_TRY(index, whole_number(written.substr(0, slash), name));
  TIEBREAK_TRY(total, whole_number(written.substr(slash + 1), name));
  if (index == 0) return fail(Errc::usage, "shards are counted from 1", name, "--shard 1/" + std::to_string(total));
  return checked(index - 1, total, name);
}

using FoundShard = Result<std::optional<Shard>>;

/// A place and a total that must both be set, or neither.
FoundShard from_pair(const Environment& environment, const char* index_name, const char* total_name) {
  std::string index_text = environment(index_name), total_text = environment(total_name);
  if (index_text.empty() && total_text.empty()) return std::optional<Shard>();
  if (index_text.empty() || total_text.empty()) {
    const char* missing = index_text.empty() ? index_name : total_name;
    return fail(Errc::usage, std::string(index_text.empty() ? total_name : index_name) + " is set, but " + missing + " is not", "",
                "set both, or name the part with --shard");
  }
  TIEBREAK_TRY(index, whole_number(index_text, index_name));
  TIEBREAK_TRY(total, whole_number(total_text, total_name));
  TIEBREAK_TRY(shard, checked(index, total, index_name));
  return std::optional<Shard>(std::move(shard));
}

/// Task ids of an array are MIN, MIN + STEP ...; a list with gaps has no places.
FoundShard from_slurm(const Environment& environment) {
  const char* name = "SLURM_ARRAY_TASK_ID";
  if (environment(name).empty()) return std::optional<Shard>();
  if (environment("SLURM_ARRAY_TASK_COUNT").empty()) {
    return fail(Errc::usage, std::string(name) + " is set, but SLURM_ARRAY_TASK_COUNT is not", "", "name the part with --shard");
  }
  TIEBREAK_TRY(id, whole_number(environment(name), name));
  TIEBREAK_TRY(count, whole_number(environment("SLURM_ARRAY_TASK_COUNT"), "SLURM_ARRAY_TASK_COUNT"));
  std::uint64_t first = 0, step = 1;
  for (auto [variable, target] : {std::pair{"SLURM_ARRAY_TASK_MIN", &first}, std::pair{"SLURM_ARRAY_TASK_STEP", &step}}) {
    if (environment(variable).empty()) continue;
    TIEBREAK_TRY(value, whole_number(environment(variable), variable));
    *target = value;
  }
  if (step == 0 || id < first || (id - first) % step != 0 || (id - first) / step >= count) {
    return fail(Errc::usage, "the task ids of this Slurm array are not MIN, MIN + STEP ...: the place of " + std::to_string(id) + " is not known", name,
                "name the part with --shard");
  }
  TIEBREAK_TRY(shard, checked((id - first) / step, count, name));
  return std::optional<Shard>(std::move(shard));
}

/// Kubernetes says which, never of how many.
FoundShard from_kubernetes(const Environment& environment, const std::string& total_text, const std::string& total_name, std::string& note) {
  const char* name = "JOB_COMPLETION_INDEX";
  std::string index_text = environment(name);
  if (index_text.empty()) return std::optional<Shard>();
  if (total_text.empty()) {
    note = std::string(name) + " is set, but nothing says how many parts there are: everything runs (--shard-total N or TIEBREAK_SHARDS=N)";
    return std::optional<Shard>();
  }
  TIEBREAK_TRY(index, whole_number(index_text, name));
  TIEBREAK_TRY(total, whole_number(total_text, total_name));
  TIEBREAK_TRY(shard, checked(index, total, name));
  return std::optional<Shard>(std::move(shard));
}

Status add_found(FoundShard found, std::optional<Shard>& shard) {
  if (!found) return tl::unexpected<Error>(found.error());
  if (!*found) return {};
  if (!shard) {
    shard = std::move(*found);
    return {};
  }
  if (shard->index != (*found)->index || shard->total != (*found)->total) {
    return fail(Errc::usage, shard->named_by + " says shard " + shard->text() + ", " + (*found)->named_by + " says " + (*found)->text(), "",
                "name the part with --shard, or unset one of them");
  }
  shard->named_by += ", " + (*found)->named_by;
  return {};
}

}  // namespace

bool Shard::has(const std::string& id) const { return total == 1 || hash_number(id) % total == index - 1; }

Result<Shard> shard_of(const std::string& written, const std::string& total_written, const Environment& environment) {
  std::optional<Shard> shard;
  std::string note;
  if (!written.empty()) {
    TIEBREAK_CHECK(add_found(from_text(written, "--shard"), shard));
  } else if (const std::string own = environment("TIEBREAK_SHARD"); !own.empty()) {
    TIEBREAK_CHECK(add_found(from_text(own, "TIEBREAK_SHARD"), shard));
  } else {
    TIEBREAK_CHECK(add_found(from_pair(environment, "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS"), shard));
    TIEBREAK_TRY(bazel, from_pair(environment, "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS"));
    if (bazel) bazel->status_file = environment("TEST_SHARD_STATUS_FILE");
    std::string status_file = bazel ? bazel->status_file : "";
    TIEBREAK_CHECK(add_found(bazel, shard));
    TIEBREAK_CHECK(add_found(from_slurm(environment), shard));
    bool option = !total_written.empty();
    TIEBREAK_CHECK(add_found(
        from_kubernetes(environment, option ? total_written : environment("TIEBREAK_SHARDS"), option ? "--shard-total" : "TIEBREAK_SHARDS", note), shard));
    if (shard) shard->status_file = status_file;
  }
  if (!total_written.empty()) {
    TIEBREAK_TRY(total, whole_number(total_written, "--shard-total"));
    if (!shard) return fail(Errc::usage, "nothing says which of the " + total_written + " shards this is", "--shard-total", "--shard 1/" + total_written);
    if (shard->total != total) {
      return fail(Errc::usage, shard->named_by + " says that there are " + std::to_string(shard->total) + " shards, not " + total_written, "--shard-total",
                  "leave --shard-total out");
    }
  }
  if (!shard) shard.emplace();
  shard->note = note;
  return *std::move(shard);
}

}  // namespace tiebreak
