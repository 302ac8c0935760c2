// SPDX-License-Identifier: Apache-2.0
// What the tests of moves share: random small shapes, calls of a structure, and reading a geometry back as a list of positions.
#pragma once
#include <gtest/gtest.h>

#include <random>

#include "interpreter/structure/structure.hpp"
#include "testsuite/oracle/stablehlo/stablehlo_moves.hpp"

namespace tiebreak::moves {

inline TensorType i8(Shape shape) { return {*ElementType::parse("i8"), std::move(shape), {}}; }

inline Tensor index_tensor(const char* element, Shape shape, const std::vector<std::int64_t>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(element), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
  return tensor;
}

/// A call of a structure; operands named as StableHLO names them, the first `arguments` of them on the structure line.
struct Call {
  std::string path;
  std::vector<StructureOperand> operands;
  AttributeMap attributes{};
  std::optional<Shape> result{};
  std::size_t arguments = 1;

  Result<Geometry> build() const {
    StructureRequest request{.path = path, .arguments = {}, .operands = operands, .attributes = &attributes, .op = "test", .where = "here"};
    for (std::size_t i = 0; i < arguments; ++i) request.arguments.push_back({.name = operands[i].name});
    if (result) request.results = {i8(*result)};
    return build_geometry(request);
  }
};

/// Where each cell reads an operand.
inline std::vector<std::int64_t> positions(const Geometry& geometry, const Access& access) {
  std::vector<std::int64_t> all;
  std::vector<std::int64_t> place(geometry.cell_extents.size());
  for (std::int64_t cell = 0; cell < geometry.cells(); ++cell) {
    unravel(cell, geometry.cell_extents, place);
    all.push_back(access.offset(place, {}));
  }
  return all;
}

/// The geometry is the oracle's move of `operand`, and says itself where each cell lies in the result.
inline void expect_move(const Result<Geometry>& geometry, const std::string& operand, const oracle::Move& expected) {
  ASSERT_TRUE(geometry) << to_text(geometry.error());
  EXPECT_EQ(geometry->result_shape, expected.shape);
  EXPECT_EQ(positions(*geometry, geometry->operands.at(operand)), expected.from);
  std::vector<std::int64_t> own(expected.from.size());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<std::int64_t>(i);
  EXPECT_EQ(positions(*geometry, geometry->result), own);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1)); }
  Shape shape(std::int64_t least_rank = 0, std::int64_t least = 0) {
    Shape shape(static_cast<std::size_t>(between(least_rank, 4)));
    for (std::int64_t& extent : shape) extent = std::max(least, between(-1, 4));
    for (std::int64_t& extent : shape) extent = extent < 0 ? 2 : extent;  // an empty dimension is the exception
    return shape;
  }
  Shape permutation(std::size_t count) {
    Shape values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int64_t>(i);
    for (std::size_t i = count; i > 1; --i) std::swap(values[i - 1], values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1))]);
    return values;
  }
  /// Some of 0 .. count - 1, rising.
  Shape some(std::size_t count) {
    Shape values;
    for (std::size_t i = 0; i < count; ++i)
      if (between(0, 1) == 1) values.push_back(static_cast<std::int64_t>(i));
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

constexpr std::uint64_t seed = 20240611;
constexpr int rounds = 400;

}  // namespace tiebreak::moves
