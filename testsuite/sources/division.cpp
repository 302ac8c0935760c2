// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/division.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <unordered_map>

#include "interpreter/sha256.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

/// Of each op the shard that has it, from 1. How many cases an op has stands for the time that it takes.
std::map<std::string, std::uint64_t> shards_of_ops(const std::vector<std::string>& ids, std::uint64_t total) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& id : ids) ++counts[op_of_id(id)];
  std::vector<std::pair<std::string, std::size_t>> ops(counts.begin(), counts.end());
  std::ranges::stable_sort(ops, std::ranges::greater{}, [](const auto& op) { return op.second; });  // of as many cases by name
  using Load = std::pair<std::size_t, std::uint64_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::uint64_t index = 1; index <= std::min<std::uint64_t>(total, ops.size()); ++index) loads.emplace(0, index);  // the others have nothing
  std::map<std::string, std::uint64_t> shards;
  for (const auto& [op, count] : ops) {
    const auto [load, index] = loads.top();
    loads.pop();
    shards[op] = index;
    loads.emplace(load + count, index);
  }
  return shards;
}

}  // namespace

CaseFilter part_of(const std::vector<std::string>& ids, const Shard& shard) {
  if (shard.is_whole()) return {};
  if (shard.by == ShardBy::cases) return [shard](const std::string& id) { return shard.has(id); };
  return [shards = shards_of_ops(ids, shard.total), index = shard.index](const std::string& id) {
    const auto found = shards.find(op_of_id(id));
    return found != shards.end() && found->second == index;
  };
}

Result<PlacesOfPart> places_of_part(const std::vector<std::string>& ids, const std::vector<std::string>& part) {
  PlacesOfPart found;
  found.selected = ids.size();
  Sha256 digest;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const std::string& id : ids) {
    digest.add(id);
    digest.add("\n");
    places.emplace(id, places.size());
  }
  constexpr std::size_t short_digits = 16;
  found.digest = digest.hex().substr(0, short_digits);
  for (const std::string& id : part) {
    const auto place = places.find(id);
    if (place == places.end()) return fail(Errc::internal, "the case is not among those that are selected", id);
    found.places.push_back(place->second);
  }
  return found;
}

}  // namespace tiebreak
