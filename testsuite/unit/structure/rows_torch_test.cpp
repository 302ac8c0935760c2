// SPDX-License-Identifier: Apache-2.0
// Rows, gathers and bags of PyTorch's operators: every (cell, item) reads the element that the loops of the operator read.
#include <gtest/gtest.h>

#include "interpreter/structure/structure.hpp"
#include "testsuite/unit/structure/structure_request.hpp"

namespace tiebreak {
namespace {

std::int64_t element_of(const Geometry& geometry, const std::string& operand, std::int64_t cell, std::int64_t item) {
  std::vector<std::int64_t> cells(geometry.cell_extents.size()), items(geometry.item_extents.size());
  unravel(cell, geometry.cell_extents, cells);
  unravel(item, geometry.item_extents, items);
  return geometry.operands.at(operand).offset(cells, items);
}

Tensor integers_of(std::vector<std::int64_t> values, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  Tensor tensor = *Tensor::zeros({*ElementType::parse("i64"), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
  return tensor;
}

StructureOperand operand_of(const std::string& name, const Tensor& tensor) { return {name, tensor.type(), &tensor}; }

TEST(RowsTorch, LineOfTheLastDimensions) {
  const AttributeMap attributes{{"normalized_shape", Attribute::integers({3, 4})}};
  const auto geometry = build_geometry(request_of("rows.torch", {{"x", f32({2, 3, 4})}}, attributes));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  EXPECT_EQ(geometry->cells(), 2);
  EXPECT_EQ(geometry->items(), 12);
  for (std::int64_t cell = 0; cell < 2; ++cell)
    for (std::int64_t item = 0; item < 12; ++item) EXPECT_EQ(element_of(*geometry, "x", cell, item), cell * 12 + item);
  const AttributeMap wrong{{"normalized_shape", Attribute::integers({3})}};
  EXPECT_FALSE(build_geometry(request_of("rows.torch", {{"x", f32({2, 3, 4})}}, wrong)));
}

TEST(RowsTorch, GroupsOfChannels) {
  const AttributeMap none;
  StructureRequest request = request_of("rows.torch", {{"x", f32({2, 6, 5})}}, none);
  request.arguments.push_back({.name = "", .values = {3}});
  const auto geometry = build_geometry(request);
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->cell_extents, (Shape{2, 3}));
  std::vector<std::int64_t> cells(2), items(2);
  const Access channel = make_access({6}, {geometry->indices.at("channel")});
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t g = 0; g < 3; ++g)
      for (std::int64_t c = 0; c < 2; ++c)
        for (std::int64_t i = 0; i < 5; ++i) {
          EXPECT_EQ(element_of(*geometry, "x", n * 3 + g, c * 5 + i), (n * 6 + g * 2 + c) * 5 + i);
          cells = {n, g};
          items = {c, i};
          EXPECT_EQ(channel.offset(cells, items), g * 2 + c);
        }
  request.arguments[1].values = {4};
  EXPECT_FALSE(build_geometry(request)) << "6 channels are no 4 groups";
}

TEST(GatherTorch, RowsAndWhatBelongsToThem) {
  const AttributeMap none;
  const Tensor indices = integers_of({2, 0, 1, 2}, {2, 2});
  const auto geometry = build_geometry(request_of("gather.torch", {{"w", f32({3, 5})}, operand_of("i", indices), {"s", f32({3})}}, none));
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, (Shape{2, 2, 5}));
  const std::vector<std::int64_t> rows{2, 0, 1, 2};
  for (std::int64_t k = 0; k < 4; ++k)
    for (std::int64_t j = 0; j < 5; ++j) {
      EXPECT_EQ(element_of(*geometry, "w", k * 5 + j, 0), rows[static_cast<std::size_t>(k)] * 5 + j);
      EXPECT_EQ(element_of(*geometry, "s", k * 5 + j, 0), rows[static_cast<std::size_t>(k)]);
    }
  const Tensor outside = integers_of({3});
  EXPECT_FALSE(build_geometry(request_of("gather.torch", {{"w", f32({3, 5})}, operand_of("i", outside)}, none)));
}

/// bags.torch(w by 2, 3, i, o, p, t, s): what is not given has a name alone.
Result<Geometry> bags(const AttributeMap& attributes, const std::vector<StructureOperand>& operands) {
  StructureRequest request{.path = "bags.torch", .arguments = {}, .operands = operands, .attributes = &attributes, .op = "test", .where = "here"};
  request.arguments = {{.name = "w", .block = 2}, {.name = "", .values = {3}}};
  for (const char* name : {"i", "o", "p", "t", "s"}) request.arguments.push_back({.name = name});
  return build_geometry(request);
}

TEST(BagsTorch, OffsetsWeightsAndColumns) {
  const Tensor indices = integers_of({4, 0, 2, 1, 3}), offsets = integers_of({0, 3, 3});
  const auto geometry = bags({}, {{"w", f32({5, 4})}, operand_of("i", indices), operand_of("o", offsets), {"p", f32({5})}, {"s", f32({5})}});
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  ASSERT_EQ(geometry->result_shape, (Shape{3, 3}));  // 3 columns of 4 entries that hold two each
  ASSERT_EQ(geometry->items(), 3);
  const std::vector<std::vector<std::int64_t>> expected{{0, 1, 2}, {}, {3, 4}};  // the indices of each bag
  for (std::int64_t m = 0; m < 3; ++m)
    for (std::int64_t j = 0; j < 3; ++j)
      for (std::int64_t k = 0; k < 3; ++k) {
        const auto& bag = expected[static_cast<std::size_t>(m)];
        const bool there = k < static_cast<std::int64_t>(bag.size());
        const std::int64_t index = there ? bag[static_cast<std::size_t>(k)] : -1;
        const std::int64_t row = there ? *indices.value(index).to_int64() : -1;
        EXPECT_EQ(element_of(*geometry, "w", m * 3 + j, k), there ? row * 4 + j / 2 : -1);
        EXPECT_EQ(element_of(*geometry, "p", m * 3 + j, k), index);
        EXPECT_EQ(element_of(*geometry, "s", m * 3 + j, k), row);
      }
}

TEST(BagsTorch, LastOffsetAndLines) {
  const Tensor indices = integers_of({4, 0, 2, 1}), offsets = integers_of({0, 3, 4});
  const auto last = bags({{"include_last_offset", Attribute{Real(1)}}}, {{"w", f32({5, 4})}, operand_of("i", indices), operand_of("o", offsets)});
  ASSERT_TRUE(last) << to_text(last.error());
  EXPECT_EQ(last->result_shape, (Shape{2, 3}));
  const Tensor lines = integers_of({4, 0, 2, 1}, {2, 2});
  const auto by_lines = bags({}, {{"w", f32({5, 4})}, operand_of("i", lines)});
  ASSERT_TRUE(by_lines) << to_text(by_lines.error());
  EXPECT_EQ(element_of(*by_lines, "w", 3, 1), 1 * 4);
  EXPECT_FALSE(bags({}, {{"w", f32({5, 4})}, operand_of("i", lines), operand_of("o", offsets)}));
  EXPECT_FALSE(bags({}, {{"w", f32({5, 4})}, operand_of("i", indices)}));
  const Tensor beyond = integers_of({0, 3, 9});
  EXPECT_FALSE(bags({{"include_last_offset", Attribute{Real(1)}}}, {{"w", f32({5, 4})}, operand_of("i", indices), operand_of("o", beyond)}));
}

TEST(BagsTorch, TableOfRows) {
  const AttributeMap pruned{{"pruned_weights", Attribute{Real(1)}}};
  const Tensor indices = integers_of({3, 1, 0}), offsets = integers_of({0}), table = integers_of({2, -1, 0, 4}), single = integers_of({0});
  const std::vector<StructureOperand> operands{{"w", f32({5, 4})}, operand_of("i", indices), operand_of("o", offsets), {"p", f32({3})}, operand_of("t", table)};
  const auto geometry = bags(pruned, operands);
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  EXPECT_EQ(element_of(*geometry, "w", 0, 0), 4 * 4);
  EXPECT_EQ(element_of(*geometry, "w", 0, 1), -1);
  EXPECT_EQ(element_of(*geometry, "p", 0, 1), -1);
  EXPECT_EQ(element_of(*geometry, "w", 0, 2), 2 * 4);
  const auto plain = bags({}, operands);  // without the attribute the table is not read
  ASSERT_TRUE(plain) << to_text(plain.error());
  EXPECT_EQ(element_of(*plain, "w", 0, 1), 1 * 4);
  const auto unused = bags(pruned, {{"w", f32({5, 4})}, operand_of("i", indices), operand_of("o", offsets), operand_of("t", single)});
  ASSERT_TRUE(unused) << to_text(unused.error());
  EXPECT_EQ(element_of(*unused, "w", 0, 0), 3 * 4);
}

}  // namespace
}  // namespace tiebreak
