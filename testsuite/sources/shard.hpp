// SPDX-License-Identifier: Apache-2.0
// One part of a run that is divided among machines. Which part a case belongs to depends on the digest of its id alone, so that a case
// stays where it is when others are added.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "interpreter/error.hpp"

namespace tiebreak {

/// What stays together: nothing, or all cases of an op, so that the causes of its failures are those of the whole run.
enum class ShardBy : std::uint8_t { cases, ops };

struct Shard {
  std::uint64_t index = 1;  ///< from 1
  std::uint64_t total = 1;
  ShardBy by = ShardBy::cases;
  std::string named_by{};     ///< --shard, or the variables that say so; "" where nothing does
  std::string status_file{};  ///< Bazel's sign that the test program knows of shards: to be touched
  std::string note{};         ///< what a person should know, "" if nothing
  bool is_whole() const { return total == 1; }
  bool has(const std::string& id) const;  ///< by cases
  std::string text() const { return std::to_string(index) + "/" + std::to_string(total); }
};

/// The value of a variable, "" if it is not set.
using Environment = std::function<std::string(const char* name)>;

/// `written` is `2/4` (the second of four), `total_written` the number of parts where only a place is known; "" where they are not given.
/// Without `written` TIEBREAK_SHARD counts, and says the same; without that, too, the variables of GoogleTest, Bazel, Slurm and Kubernetes, and those that
/// contradict each other are an error.
Result<Shard> shard_of(const std::string& written, const std::string& total_written, const Environment& environment);

}  // namespace tiebreak
