// SPDX-License-Identifier: Apache-2.0
// ONNX's movement and reductions on random shapes against the oracle's loops: attributes and operands that steer, negative axes, ends and steps.
#include "testsuite/oracle/onnx/onnx_shapes.hpp"

#include "testsuite/unit/structure/move_request.hpp"

namespace tiebreak::moves {
namespace {

/// The elements in row-major order under a shape.
oracle::Move in_order(const Shape& operand, const Shape& shape) {
  oracle::Move move{shape, {}};
  for (std::size_t i = 0; i < oracle::index_space(operand).size(); ++i) move.from.push_back(static_cast<std::int64_t>(i));
  return move;
}

/// Cells may be those of the operand: what counts is which element lands where.
void expect_landing(const Result<Geometry>& geometry, const std::string& operand, const oracle::Move& expected) {
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  EXPECT_EQ(geometry->result_shape, expected.shape);
  const auto from = positions(*geometry, geometry->operands.at(operand)), to = positions(*geometry, geometry->result);
  std::vector<std::int64_t> landed(from.size(), -1);
  for (std::size_t i = 0; i < from.size(); ++i) landed.at(static_cast<std::size_t>(to[i])) = from[i];
  EXPECT_EQ(landed, expected.from);
}

Tensor list(const Shape& values) { return index_tensor("i64", {static_cast<std::int64_t>(values.size())}, values); }

class OnnxShapes : public testing::Test {
 protected:
  template <class Body>
  void each_round(const Body& body) {
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed + static_cast<std::uint64_t>(round)));
      Random random(seed + static_cast<std::uint64_t>(round));
      body(random);
    }
  }
};

TEST_F(OnnxShapes, ReshapesKeepTheOrder) {
  each_round([](Random& random) {
    const Shape operand = random.shape(1, 1);
    const std::int64_t rank = static_cast<std::int64_t>(operand.size());
    Shape wanted = operand;
    for (std::int64_t& extent : wanted) extent = random.between(0, 2) == 0 ? 0 : extent;
    wanted[static_cast<std::size_t>(random.between(0, rank - 1))] = -1;
    const Tensor shape = list(wanted);
    expect_landing(Call{.path = "move.reshape_onnx", .operands = {{"data", i8(operand)}, {"shape", shape.type(), &shape}}, .arguments = 2}.build(), "data",
                   in_order(operand, oracle::onnx::reshape(operand, wanted)));
    const std::int64_t axis = random.between(-rank, rank);
    expect_landing(Call{.path = "move.flatten_onnx", .operands = {{"data", i8(operand)}}, .attributes = {{"axis", Attribute{Real(axis)}}}}.build(), "data",
                   in_order(operand, oracle::onnx::flatten(operand, axis)));
  });
}

TEST_F(OnnxShapes, DimensionsOfOneComeAndGo) {
  each_round([](Random& random) {
    Shape operand = random.shape(1, 1);
    Shape ones;
    for (std::size_t d = 0; d < operand.size(); ++d) {
      if (random.between(0, 1) == 0) operand[d] = 1;
      if (operand[d] == 1 && random.between(0, 1) == 0)
        ones.push_back(static_cast<std::int64_t>(d) - (random.between(0, 1) == 0 ? static_cast<std::int64_t>(operand.size()) : 0));
    }
    const Tensor axes = list(ones);
    Call squeeze{.path = "move.squeeze_onnx", .operands = {{"data", i8(operand)}, {"dimensions", axes.type(), &axes}}, .arguments = 2};
    expect_landing(squeeze.build(), "data", in_order(operand, oracle::onnx::squeeze(operand, ones)));
    squeeze = {.path = "move.squeeze_onnx", .operands = {{"data", i8(operand)}}};
    expect_landing(squeeze.build(), "data", in_order(operand, oracle::onnx::squeeze(operand, std::nullopt)));
    Call unsqueeze{.path = "move.unsqueeze_onnx", .operands = {{"data", i8(operand)}}, .attributes = {{"axes", Attribute::integers({0, -1})}}};
    expect_landing(unsqueeze.build(), "data", in_order(operand, oracle::onnx::unsqueeze(operand, {0, -1})));
  });
}

TEST_F(OnnxShapes, TransposesAndSlices) {
  each_round([](Random& random) {
    const Shape operand = random.shape(1, 1);
    const Shape permutation = random.permutation(operand.size());
    expect_move(Call{.path = "move.transpose_onnx", .operands = {{"data", i8(operand)}}, .attributes = {{"perm", Attribute::integers(permutation)}}}.build(),
                "data", oracle::transpose(operand, permutation));
    Shape axes, starts, ends, steps;
    for (std::int64_t axis : random.some(operand.size())) {
      axes.push_back(random.between(0, 1) == 0 ? axis : axis - static_cast<std::int64_t>(operand.size()));
      starts.push_back(random.between(-6, 6));
      ends.push_back(random.between(0, 3) == 0 ? (std::int64_t{1} << 62) : random.between(-6, 6));
      steps.push_back(random.between(0, 1) == 0 ? random.between(1, 3) : random.between(-3, -1));
    }
    const Tensor a = list(axes), s = list(starts), e = list(ends), t = list(steps);
    Call slice{.path = "move.slice_onnx",
               .operands = {{"data", i8(operand)}, {"starts", s.type(), &s}, {"ends", e.type(), &e}, {"axes", a.type(), &a}, {"steps", t.type(), &t}},
               .arguments = 5};
    expect_move(slice.build(), "data", oracle::onnx::slice(operand, starts, ends, axes, steps));
  });
}

TEST_F(OnnxShapes, ReductionsReadTheirLines) {
  each_round([](Random& random) {
    const Shape operand = random.shape(1, 1);
    Shape axes = random.some(operand.size());
    const bool keep = random.between(0, 1) == 0;
    const oracle::onnx::Reduction expected = oracle::onnx::reduce(operand, axes, keep);
    const Tensor dimensions = list(axes);
    Call call{.path = "rows.onnx",
              .operands = {{"data", i8(operand)}, {"dimensions", dimensions.type(), &dimensions}},
              .attributes = {{"keepdims", Attribute{Real(keep ? 1 : 0)}}},
              .arguments = 2};
    const auto geometry = call.build();
    ASSERT_TRUE(geometry) << to_text(geometry.error());
    EXPECT_EQ(geometry->result_shape, expected.shape);
    std::vector<std::int64_t> cell(geometry->cell_extents.size()), item(geometry->item_extents.size());
    for (std::int64_t c = 0; c < geometry->cells(); ++c) {
      std::vector<std::int64_t> read;
      unravel(c, geometry->cell_extents, cell);
      for (std::int64_t i = 0; i < geometry->items(); ++i) {
        unravel(i, geometry->item_extents, item);
        read.push_back(geometry->operands.at("data").offset(cell, item));
      }
      EXPECT_EQ(read, expected.from.at(static_cast<std::size_t>(c)));
    }
  });
}

TEST_F(OnnxShapes, BlocksAreTheTextsTransposes) {
  each_round([](Random& random) {
    const std::int64_t block = random.between(1, 3), images = random.between(1, 2), channels = random.between(1, 3), rows = random.between(1, 3),
                       columns = random.between(1, 3);
    const bool channels_first = random.between(0, 1) == 1;
    const AttributeMap attributes{{"blocksize", Attribute{Real(block)}}, {"mode", Attribute{std::string(channels_first ? "CRD" : "DCR")}}};
    const Shape deep{images, channels * block * block, rows, columns}, wide{images, channels, rows * block, columns * block};
    expect_move(Call{.path = "move.depth_to_space_onnx", .operands = {{"input", i8(deep)}}, .attributes = attributes}.build(), "input",
                oracle::onnx::depth_to_space(deep, block, channels_first));
    const AttributeMap only_size{{"blocksize", Attribute{Real(block)}}};
    expect_move(Call{.path = "move.space_to_depth_onnx", .operands = {{"input", i8(wide)}}, .attributes = only_size}.build(), "input",
                oracle::onnx::space_to_depth(wide, block));
  });
}

TEST_F(OnnxShapes, TilesRepeat) {
  each_round([](Random& random) {
    const Shape operand = random.shape(1, 1);
    Shape repeats;
    for (std::size_t d = 0; d < operand.size(); ++d) repeats.push_back(random.between(0, 3));
    const Tensor counts = list(repeats);
    expect_move(Call{.path = "move.tile_onnx", .operands = {{"input", i8(operand)}, {"repeats", counts.type(), &counts}}, .arguments = 2}.build(), "input",
                oracle::onnx::tile(operand, repeats));
  });
}

TEST_F(OnnxShapes, TheGreatestOfEachLine) {
  each_round([](Random& random) {
    const Shape operand = random.shape(1, 1);
    const std::int64_t rank = static_cast<std::int64_t>(operand.size()), axis = random.between(0, rank - 1),
                       k = random.between(0, operand[static_cast<std::size_t>(axis)]);
    std::vector<std::int64_t> codes;
    std::vector<double> values;
    for (std::size_t i = 0; i < oracle::index_space(operand).size(); ++i)
      codes.push_back(random.between(-3, 3)), values.push_back(static_cast<double>(codes.back()));
    const Tensor x = index_tensor("i8", operand, codes), count = list({k});
    const bool largest = random.between(0, 1) == 1, by_operand = random.between(0, 1) == 1;
    AttributeMap attributes{{"axis", Attribute{Real(random.between(0, 1) == 1 ? axis : axis - rank)}}, {"largest", Attribute{Real(largest ? 1 : 0)}}};
    Call call{.path = "move.top_onnx", .operands = {{"X", x.type(), &x}}, .attributes = attributes};
    if (by_operand) call.operands.push_back({"number", count.type(), &count}), call.arguments = 2;
    else call.attributes["k"] = Attribute{Real(k)};
    expect_move(call.build(), "X", oracle::onnx::top(operand, values, axis, k, largest));
  });
}

TEST_F(OnnxShapes, WhatCannotBeIsRefused) {
  const Shape operand{2, 3};
  const Tensor shape = list({4, -1}), twice = list({-1, -1});
  for (const Tensor* bad : {&shape, &twice})
    EXPECT_FALSE((Call{.path = "move.reshape_onnx", .operands = {{"data", i8(operand)}, {"shape", bad->type(), bad}}, .arguments = 2}.build()));
  EXPECT_FALSE((Call{.path = "move.squeeze_onnx", .operands = {{"data", i8(operand)}}, .attributes = {{"axes", Attribute::integers({0})}}}.build()));
  EXPECT_FALSE((Call{.path = "move.unsqueeze_onnx", .operands = {{"data", i8(operand)}}, .attributes = {{"axes", Attribute::integers({0, 0})}}}.build()));
  EXPECT_FALSE((Call{.path = "move.flatten_onnx", .operands = {{"data", i8(operand)}}, .attributes = {{"axis", Attribute{Real(3)}}}}.build()));
}

}  // namespace
}  // namespace tiebreak::moves
