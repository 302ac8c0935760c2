// SPDX-License-Identifier: Apache-2.0
// Parts of a selection: each id in exactly one, whatever the order of the ids, with the cases of an op together where that is asked for.
#include "testsuite/sources/division.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

/// 24 ops, of which the n-th has 3 + 7 n cases.
std::vector<std::string> many_ids() {
  std::vector<std::string> ids;
  for (int op = 0; op < 24; ++op)
    for (int i = 0; i < 3 + 7 * op; ++i) ids.push_back("onnx.Op" + std::to_string(op) + "/plain/" + std::to_string(i));
  return ids;
}

/// Of each id the shards that have it.
std::map<std::string, std::set<std::uint64_t>> shards_of(const std::vector<std::string>& ids, std::uint64_t total, ShardBy by) {
  std::map<std::string, std::set<std::uint64_t>> shards;
  for (std::uint64_t index = 1; index <= total; ++index) {
    const CaseFilter part = part_of(ids, {index, total, by});
    for (const std::string& id : ids)
      if (!part || part(id)) shards[id].insert(index);
  }
  return shards;
}

TEST(Division, EachCaseIsInExactlyOnePartWhateverTheirOrder) {
  const std::vector<std::string> ids = many_ids();
  std::vector<std::string> reversed(ids.rbegin(), ids.rend());
  for (const ShardBy by : {ShardBy::cases, ShardBy::ops})
    for (const std::uint64_t total : {1U, 2U, 7U, 30U}) {
      const auto shards = shards_of(ids, total, by);
      EXPECT_EQ(shards.size(), ids.size()) << total;
      for (const auto& [id, having] : shards) EXPECT_EQ(having.size(), 1U) << id;
      EXPECT_EQ(shards_of(reversed, total, by), shards) << total;
    }
}

TEST(Division, ByOpsKeepsAnOpTogetherAndSharesTheCasesEvenly) {
  const std::vector<std::string> ids = many_ids();
  std::map<std::string, std::uint64_t> of_op;
  std::map<std::uint64_t, std::size_t> sizes;
  for (const auto& [id, having] : shards_of(ids, 6, ShardBy::ops)) {
    EXPECT_EQ(of_op.emplace(op_of_id(id), *having.begin()).first->second, *having.begin()) << id;
    ++sizes[*having.begin()];
  }
  ASSERT_EQ(sizes.size(), 6U);
  for (const auto& [index, size] : sizes) EXPECT_NEAR(static_cast<double>(size), static_cast<double>(ids.size()) / 6, 10) << index;
  EXPECT_EQ(of_op.at("onnx.Op23"), 1U) << "the largest first";
}

TEST(Division, PlacesSayWhereACaseStandsInTheWhole) {
  const std::vector<std::string> ids{"b/1", "a/1", "c/1"};
  const Result<PlacesOfPart> part = places_of_part(ids, {"b/1", "c/1"});
  ASSERT_TRUE(part) << to_text(part.error());
  EXPECT_EQ(part->selected, 3U);
  EXPECT_EQ(part->places, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(part->digest.size(), 16U);
  EXPECT_NE(places_of_part({"a/1", "b/1", "c/1"}, {})->digest, part->digest) << "another order is another selection";
  EXPECT_FALSE(places_of_part(ids, {"d/1"}));
}

}  // namespace
}  // namespace tiebreak
