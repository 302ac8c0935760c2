// SPDX-License-Identifier: Apache-2.0
// Gather and scatter against the index arithmetic of the specification, over random dimension numbers: every place of the index vector,
// collapsed and batching dimensions, starts inside and outside.
#include <gtest/gtest.h>

#include <algorithm>

#include "interpreter/movement/scatter.hpp"
#include "testsuite/unit/structure/move_request.hpp"

namespace tiebreak::moves {
namespace {

/// A legal choice of everything.
struct Setting {
  Shape operand, indices_shape, sizes, outer;
  std::vector<std::int64_t> indices;
  oracle::IndexNumbers numbers;
};

Setting draw(Random& random) {
  Setting setting;
  oracle::IndexNumbers& numbers = setting.numbers;
  setting.operand = random.shape(1, 1);
  const std::size_t rank = setting.operand.size();
  Shape batches(static_cast<std::size_t>(random.between(0, 2)));
  for (std::int64_t& extent : batches) extent = random.between(1, 3);
  // What becomes of each dimension of the operand.
  Shape offsets;
  std::vector<std::size_t> batching;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t kind = random.between(0, 3);
    setting.sizes.push_back(kind <= 1 ? 1 : random.between(0, setting.operand[d]));
    if (kind == 0 && batching.size() < batches.size()) {
      batching.push_back(d);
      setting.sizes.back() = random.between(0, 9) == 0 ? 0 : 1;
    } else if (kind == 1) {
      numbers.collapsed_slice_dims.push_back(static_cast<std::int64_t>(d));
    } else {
      offsets.push_back(setting.sizes[d]);
    }
  }
  // Starts for some of the others, in any order.
  for (std::int64_t d : random.permutation(rank))
    if (std::ranges::find(batching, static_cast<std::size_t>(d)) == batching.end() && random.between(0, 2) > 0) numbers.start_index_map.push_back(d);
  numbers.index_vector_dim = random.between(0, static_cast<std::int64_t>(batches.size()));
  const bool explicit_vector = numbers.start_index_map.size() != 1 || random.between(0, 1) == 0;
  if (!explicit_vector) numbers.index_vector_dim = static_cast<std::int64_t>(batches.size());
  const Shape which = random.permutation(batches.size());
  for (std::size_t i = 0; i < batching.size(); ++i) {
    const std::int64_t batch = which[i];
    batches[static_cast<std::size_t>(batch)] = setting.operand[batching[i]];
    numbers.operand_batching_dims.push_back(static_cast<std::int64_t>(batching[i]));
    numbers.start_indices_batching_dims.push_back(batch + (explicit_vector && batch >= numbers.index_vector_dim ? 1 : 0));
  }
  setting.indices_shape = batches;
  if (explicit_vector)
    setting.indices_shape.insert(setting.indices_shape.begin() + numbers.index_vector_dim, static_cast<std::int64_t>(numbers.start_index_map.size()));
  for (std::size_t i = 0; i < oracle::index_space(setting.indices_shape).size(); ++i) setting.indices.push_back(random.between(-2, 5));
  // Where the offset dimensions stand among those of the result.
  Shape places = random.permutation(batches.size() + offsets.size());
  places.resize(offsets.size());
  std::ranges::sort(places);
  numbers.offset_dims = places;
  for (std::size_t d = 0, b = 0, o = 0; d < batches.size() + offsets.size(); ++d)
    setting.outer.push_back(std::ranges::find(places, static_cast<std::int64_t>(d)) != places.end() ? offsets[o++] : batches[b++]);
  return setting;
}

AttributeMap attributes_of(const oracle::IndexNumbers& numbers, const std::vector<const char*>& names) {
  AttributeMap attributes;
  const std::vector<const Shape*> values{&numbers.offset_dims, &numbers.collapsed_slice_dims, &numbers.operand_batching_dims,
                                         &numbers.start_indices_batching_dims, &numbers.start_index_map};
  for (std::size_t i = 0; i < names.size(); ++i) attributes[names[i]] = Attribute::integers(*values[i]);
  attributes["index_vector_dim"] = Attribute{Real(numbers.index_vector_dim)};
  return attributes;
}

const std::vector<const char*> gather_names{"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims", "start_index_map"};
const std::vector<const char*> scatter_names{"update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
                                             "scatter_dims_to_operand_dims"};

TEST(IndexVectors, GatherReadsWhatTheSpecificationSays) {
  for (int round = 0; round < 5 * rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed + static_cast<std::uint64_t>(round)));
    Random random(seed + static_cast<std::uint64_t>(round));
    const Setting setting = draw(random);
    const Tensor indices = index_tensor("i32", setting.indices_shape, setting.indices);
    const oracle::Move expected = oracle::gather(setting.operand, setting.indices_shape, setting.indices, setting.numbers, setting.sizes);
    Call call{.path = "move.gather",
              .operands = {{"operand", i8(setting.operand)}, {"start_indices", indices.type(), &indices}},
              .attributes = attributes_of(setting.numbers, gather_names),
              .arguments = 2};
    const Tensor sizes = index_tensor("i64", {static_cast<std::int64_t>(setting.sizes.size())}, setting.sizes);
    Call dynamic = call;
    dynamic.operands.push_back({"slice_sizes", sizes.type(), &sizes});
    call.attributes["slice_sizes"] = Attribute::integers(setting.sizes);
    expect_move(call.build(), "operand", expected);
    expect_move(dynamic.build(), "operand", expected);
  }
}

TEST(IndexVectors, ScatterLandsWhereTheSpecificationSays) {
  for (int round = 0; round < 5 * rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed + static_cast<std::uint64_t>(round)));
    Random random(seed + static_cast<std::uint64_t>(round));
    const Setting setting = draw(random);
    const Tensor indices = index_tensor("i64", setting.indices_shape, setting.indices);
    const auto targets = scatter_targets(setting.operand, indices, setting.outer, attributes_of(setting.numbers, scatter_names), "here");
    ASSERT_TRUE(targets) << to_text(targets.error());
    EXPECT_EQ(*targets, oracle::scatter(setting.operand, setting.indices_shape, setting.indices, setting.numbers, setting.outer));
  }
}

TEST(IndexVectors, ScatterNamesItsConstraints) {
  const Tensor indices = index_tensor("i64", {2, 1}, {0, 1});
  auto error_of = [&](const oracle::IndexNumbers& numbers, const Shape& operand, const Shape& updates) {
    auto targets = scatter_targets(operand, indices, updates, attributes_of(numbers, scatter_names), "here");
    return targets ? std::string() : targets.error().what;
  };
  const oracle::IndexNumbers good{{1}, {0}, {}, {}, {0}, 1};
  EXPECT_EQ(error_of(good, {3, 4}, {2, 4}), "");
  EXPECT_NE(error_of(good, {3, 4}, {2, 5}).find(" C4:"), std::string::npos);
  EXPECT_NE(error_of(good, {3}, {2, 4}).find(" C2:"), std::string::npos);
  oracle::IndexNumbers bad = good;
  bad.start_index_map = {0, 1};
  EXPECT_NE(error_of(bad, {3, 4}, {2, 4}).find(" C19:"), std::string::npos);
  bad = good;
  bad.index_vector_dim = 3;
  EXPECT_NE(error_of(bad, {3, 4}, {2, 4}).find(" C22:"), std::string::npos);
  bad = good;
  bad.start_index_map = {2};
  EXPECT_NE(error_of(bad, {3, 4}, {2, 4}).find(" C21:"), std::string::npos);
}

TEST(IndexVectors, StartsBeyondEveryTensorDoNotOverflow) {
  const Tensor indices = index_tensor("i64", {2, 1}, {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()});
  const oracle::IndexNumbers numbers{{1}, {}, {}, {}, {0}, 1};
  auto targets = scatter_targets({3}, indices, {2, 2}, attributes_of(numbers, scatter_names), "here");
  ASSERT_TRUE(targets);
  EXPECT_EQ(*targets, (std::vector<std::int64_t>{-1, -1, -1, -1}));
}

}  // namespace
}  // namespace tiebreak::moves
