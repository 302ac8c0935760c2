// SPDX-License-Identifier: Apache-2.0
// Moves with affine positions against plain loops, over random small shapes and attributes.
#include <gtest/gtest.h>

#include <algorithm>

#include "testsuite/unit/structure/move_request.hpp"

namespace tiebreak::moves {
namespace {

/// One call a round, each with its seed in the trace.
template <class Body>
void each_round(Body body) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(round);
    SCOPED_TRACE("seed " + std::to_string(own));
    Random random(own);
    body(random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Move, Slice) {
  each_round([](Random& random) {
    const Shape shape = random.shape();
    Shape starts, limits, strides;
    for (std::int64_t extent : shape) {
      limits.push_back(random.between(0, extent));
      starts.push_back(random.between(0, limits.back()));
      strides.push_back(random.between(1, 3));
    }
    const Call call{
        .path = "move.slice",
        .operands = {{"operand", i8(shape)}},
        .attributes = {
            {"start_indices", Attribute::integers(starts)}, {"limit_indices", Attribute::integers(limits)}, {"strides", Attribute::integers(strides)}}};
    expect_move(call.build(), "operand", oracle::slice(shape, starts, limits, strides));
  });
}

TEST(Move, TransposeAndReverse) {
  each_round([](Random& random) {
    const Shape shape = random.shape();
    const Shape permutation = random.permutation(shape.size()), reversed = random.some(shape.size());
    expect_move(Call{"move.transpose", {{"operand", i8(shape)}}, {{"permutation", Attribute::integers(permutation)}}}.build(), "operand",
                oracle::transpose(shape, permutation));
    expect_move(Call{"move.reverse", {{"operand", i8(shape)}}, {{"dimensions", Attribute::integers(reversed)}}}.build(), "operand",
                oracle::reverse(shape, reversed));
  });
}

TEST(Move, BroadcastByStatedShapeAndByOperand) {
  each_round([](Random& random) {
    const Shape result = random.shape();
    Shape along = random.permutation(result.size());
    along.resize(static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(along.size()))));
    Shape shape;
    for (std::int64_t d : along) shape.push_back(random.between(0, 2) == 0 ? 1 : result[static_cast<std::size_t>(d)]);
    const oracle::Move expected = oracle::broadcast_in_dim(shape, result, along);
    const AttributeMap attributes{{"broadcast_dimensions", Attribute::integers(along)}};
    expect_move(Call{"move.broadcast_in_dim", {{"operand", i8(shape)}}, attributes, result}.build(), "operand", expected);
    const Tensor dimensions = index_tensor("i32", {static_cast<std::int64_t>(result.size())}, result);
    expect_move(Call{"move.broadcast_in_dim", {{"operand", i8(shape)}, {"output_dimensions", dimensions.type(), &dimensions}}, attributes}.build(), "operand",
                expected);
  });
}

TEST(Move, PadByAttributesAndByOperands) {
  each_round([](Random& random) {
    const Shape shape = random.shape();
    Shape low, high, interior;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      low.push_back(random.between(-2, 3));
      high.push_back(random.between(-2, 3));
      interior.push_back(random.between(0, 2));
    }
    const oracle::Move expected = oracle::pad(shape, low, high, interior);
    const Tensor value = index_tensor("i8", {}, {5});
    const Call call{.path = "move.pad",
                    .operands = {{"operand", i8(shape)}, {"padding_value", value.type(), &value}},
                    .attributes = {{"edge_padding_low", Attribute::integers(low)},
                                   {"edge_padding_high", Attribute::integers(high)},
                                   {"interior_padding", Attribute::integers(interior)}}};
    if (std::ranges::any_of(expected.shape, [](std::int64_t extent) { return extent < 0; })) {
      EXPECT_FALSE(call.build());
      return;
    }
    expect_move(call.build(), "operand", expected);
    const Shape count{static_cast<std::int64_t>(shape.size())};
    const Tensor a = index_tensor("i64", count, low), b = index_tensor("i16", count, high), c = index_tensor("i32", count, interior);
    const Call dynamic{.path = "move.pad",
                       .operands = {{"operand", i8(shape)},
                                    {"padding_value", value.type(), &value},
                                    {"edge_padding_low", a.type(), &a},
                                    {"edge_padding_high", b.type(), &b},
                                    {"interior_padding", c.type(), &c}}};
    expect_move(dynamic.build(), "operand", expected);
  });
}

TEST(Move, DynamicSlices) {
  each_round([](Random& random) {
    const Shape shape = random.shape();
    Shape sizes, starts;
    std::vector<Tensor> tensors;
    for (std::int64_t extent : shape) {
      sizes.push_back(random.between(0, extent));
      starts.push_back(random.between(0, 20) == 0 ? std::numeric_limits<std::int64_t>::max() : random.between(-3, 6));
      tensors.push_back(index_tensor("i64", {}, {starts.back()}));
    }
    Call call{.path = "move.dynamic_slice", .operands = {{"operand", i8(shape)}}, .attributes = {{"slice_sizes", Attribute::integers(sizes)}}};
    for (std::size_t d = 0; d < tensors.size(); ++d) call.operands.push_back({member_name("start_indices", d), tensors[d].type(), &tensors[d]});
    expect_move(call.build(), "operand", oracle::dynamic_slice(shape, starts, sizes));
    call.path = "move.dynamic_update_slice";
    call.operands.insert(call.operands.begin(), {"update", i8(sizes)});
    call.arguments = 2;
    call.attributes.clear();
    expect_move(call.build(), "update", oracle::dynamic_update_slice(shape, sizes, starts));
  });
}

TEST(Move, Concatenate) {
  each_round([](Random& random) {
    const Shape shape = random.shape(1);
    const std::int64_t dimension = random.between(0, static_cast<std::int64_t>(shape.size()) - 1);
    std::vector<Shape> inputs(static_cast<std::size_t>(random.between(1, 4)), shape);
    Call call{.path = "move.concatenate", .operands = {}, .attributes = {{"dimension", Attribute{Real(dimension)}}}, .arguments = 0};
    for (std::size_t m = 0; m < inputs.size(); ++m) {
      inputs[m][static_cast<std::size_t>(dimension)] = random.between(0, 3);
      call.operands.push_back({member_name("inputs", m), i8(inputs[m])});
    }
    StructureRequest request{
        .path = call.path, .arguments = {{.name = "inputs"}}, .operands = call.operands, .attributes = &call.attributes, .op = "test", .where = "here"};
    const auto geometry = build_geometry(request);
    ASSERT_TRUE(geometry) << to_text(geometry.error());
    const oracle::Concatenation expected = oracle::concatenate(inputs, dimension);
    EXPECT_EQ(geometry->result_shape, expected.shape);
    const std::vector<std::int64_t> members = positions(*geometry, geometry->member);
    for (std::size_t cell = 0; cell < members.size(); ++cell) {
      const std::int64_t member = geometry->members[static_cast<std::size_t>(members[cell])];
      EXPECT_EQ(member, expected.member[cell]);
      EXPECT_EQ(positions(*geometry, geometry->operands.at(member_name("inputs", static_cast<std::size_t>(member))))[cell], expected.from[cell]);
    }
  });
}

TEST(Move, ReshapeKeepsTheOrder) {
  each_round([](Random& random) {
    // Some dimensions are joined, some cut in two, so that all ways of a common factor occur.
    const Shape shape = random.shape();
    Shape result;
    for (std::int64_t extent : shape) {
      if (!result.empty() && random.between(0, 2) == 0) result.back() *= extent;
      else result.push_back(extent);
      if (result.back() % 2 == 0 && result.back() > 0 && random.between(0, 1) == 0) {
        result.back() /= 2;
        result.push_back(2);
      }
      if (random.between(0, 4) == 0) result.push_back(1);
    }
    oracle::Move expected{result, {}};
    for (std::size_t i = 0; i < oracle::index_space(shape).size(); ++i) expected.from.push_back(static_cast<std::int64_t>(i));
    const auto geometry = Call{"move.reshape", {{"operand", i8(shape)}}, {}, result}.build();
    expect_move(geometry, "operand", expected);
    std::vector<std::int64_t> place(shape.size());
    for (std::int64_t cell = 0; cell < geometry->cells(); ++cell) {  // each coordinate by itself, not their sum alone
      unravel(cell, shape, place);
      const Shape index = oracle::index_space(result)[static_cast<std::size_t>(cell)];
      for (std::size_t d = 0; d < result.size(); ++d) {
        Access one{.dimensions = {geometry->result.dimensions[d]}};
        one.dimensions[0].stride = 1;
        EXPECT_EQ(one.offset(place, {}), index[d]);
      }
    }
  });
}

TEST(Move, IotaCountsAlongItsDimension) {
  each_round([](Random& random) {
    const Shape shape = random.shape(1);
    const std::size_t along = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(shape.size()) - 1));
    const auto geometry = Call{.path = "move.iota",
                               .operands = {},
                               .attributes = {{"iota_dimension", Attribute{Real(static_cast<std::int64_t>(along))}}},
                               .result = shape,
                               .arguments = 0}
                              .build();
    ASSERT_TRUE(geometry) << to_text(geometry.error());
    const std::vector<Shape> space = oracle::index_space(shape);
    std::vector<std::int64_t> place(shape.size()), found(space.size(), -1);
    for (std::int64_t cell = 0; cell < geometry->cells(); ++cell)
      for (std::int64_t item = 0; item < geometry->items(); ++item) {
        unravel(cell, geometry->cell_extents, place);
        found[static_cast<std::size_t>(geometry->item_result.offset(place, std::vector<std::int64_t>{item}))] = item;
      }
    for (std::size_t i = 0; i < space.size(); ++i) EXPECT_EQ(found[i], space[i][along]);
  });
}

}  // namespace
}  // namespace tiebreak::moves
