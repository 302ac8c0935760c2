// SPDX-License-Identifier: Apache-2.0
// Calls as those words leave them that name no attribute: start indices outside, bodies, comparators.
#include <gtest/gtest.h>

#include "interpreter/notation/notation.hpp"
#include "testsuite/score/misreading.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

notation::Op op_of(const std::string& text) { return notation::parse_module(text, "toy.op", "toy.md")->ops.front(); }

Tensor numbers(const Shape& shape, const std::vector<std::string>& values, const std::string& type = "i32") { return tensor_of(type, shape, values); }

/// The elements of one operand of the misread call, or what became of the call.
std::string operand_after(const notation::Op& op, const std::string& word, Misread what, const OpCall& call, std::size_t operand) {
  const MisreadCall misread = misread_call(op, {.word = word, .what = what}, call);
  if (misread.state == Reading::unchanged) return "unchanged";
  std::string text;
  for (const std::string& one : texts_of({.name = "", .tensor = *misread.call->operands[operand]})) text += (text.empty() ? "" : " ") + one;
  return text;
}

/// Slices of two from five places, started at these numbers.
std::string starts_after(const std::string& word, const std::string& start, const std::string& type = "i32") {
  const notation::Op op = op_of("op toy.op(x: i32, start_indices: I...) {slice_sizes} -> y: i32\nstructure move.dynamic_slice(x)\ny = x\n");
  OpCall call{.op = "toy.op", .operands = {numbers({5}, {"0", "1", "2", "3", "4"}), numbers({}, {start}, type)}, .attributes = {}};
  call.attributes["slice_sizes"] = Attribute::integers({2});
  return operand_after(op, word, Misread::starts, call, 1);
}

TEST(MisreadCalls, StartsOfASliceOutside) {
  EXPECT_EQ(starts_after("from_end", "-3"), "2");
  EXPECT_EQ(starts_after("from_end", "-1"), "3") << "brought inside, as every start is";
  EXPECT_EQ(starts_after("from_end", "-5"), "unchanged") << "the first place either way";
  EXPECT_EQ(starts_after("from_end", "9"), "unchanged");
  EXPECT_EQ(starts_after("to_first", "4"), "0");
  EXPECT_EQ(starts_after("to_first", "3"), "unchanged") << "the last that is inside";
  EXPECT_EQ(starts_after("to_first", "-1"), "unchanged");
  EXPECT_EQ(starts_after("to_first", "200", "u8"), "0");
}

/// Windows of two in a matrix of 3 x 5; vectors name row and column.
std::string vectors_after(const std::string& word, const std::vector<std::string>& vectors) {
  const notation::Op op = op_of(
      "op toy.op(x: i32..., at: I[*], u: i32...) {update_window_dims = none, inserted_window_dims = none, input_batching_dims = none, "
      "scatter_dims_to_operand_dims = none, index_vector_dim = 0} region body -> y: i32...\nstructure scatter.stablehlo(x, at, u)\ny = fold[body](u, x)\n");
  OpCall call{.op = "toy.op",
              .operands = {*Tensor::zeros({*ElementType::parse("i32"), {3, 5}, {}}), numbers({2, 2}, vectors),
                           *Tensor::zeros({*ElementType::parse("i32"), {2, 2}, {}})},
              .attributes = {}};
  call.attributes["update_window_dims"] = Attribute::integers({1});
  call.attributes["inserted_window_dims"] = Attribute::integers({0});
  call.attributes["scatter_dims_to_operand_dims"] = Attribute::integers({0, 1});
  call.attributes["index_vector_dim"] = Attribute{Real(1)};
  return operand_after(op, word, Misread::starts, call, 1);
}

TEST(MisreadCalls, VectorsOfAScatterOutside) {
  EXPECT_EQ(vectors_after("from_end", {"-1", "-2", "1", "1"}), "2 3 1 1");
  EXPECT_EQ(vectors_after("to_end", {"4", "4", "-1", "-1"}), "2 3 0 0");
  EXPECT_EQ(vectors_after("whole_windows", {"1", "4", "1", "3"}), "1 5 1 3") << "half of the first window lies inside";
  EXPECT_EQ(vectors_after("whole_windows", {"2", "3", "0", "0"}), "unchanged");
}

std::string index_after(const std::string& word, const std::string& index) {
  const notation::Op op = op_of("op toy.op(at: i32[]) region bodies -> y: i8...\nstructure control.branch(at)\n");
  OpCall call{.op = "toy.op", .operands = {numbers({}, {index})}};
  call.regions.resize(3);
  return operand_after(op, word, Misread::bodies, call, 0);
}

TEST(MisreadCalls, BodiesOfAChoice) {
  EXPECT_EQ(index_after("to_first", "3"), "0");
  EXPECT_EQ(index_after("to_first", "2"), "unchanged");
  EXPECT_EQ(index_after("to_end", "-1"), "0");
  EXPECT_EQ(index_after("to_end", "3"), "unchanged");
}

TEST(MisreadCalls, Comparators) {
  const notation::Op op = op_of("op toy.op(x: i32...) {dimension = -1} region comparator -> y: i32...\nstructure move.sort(x, dimension)\ny = x\n");
  const Program comparator = parse_mlir("%z = \"toy.less\"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i1>\n", "toy.mlir")->functions.front();
  const OpCall call{.op = "toy.op", .operands = {numbers({2}, {"1", "2"})}, .regions = {{.program = &comparator}}};
  const MisreadCall larger = misread_call(op, {.word = "larger_first", .what = Misread::bodies}, call);
  const Program& exchanged = *larger.call->regions.front().program;
  EXPECT_EQ(exchanged.inputs, (std::vector<ValueId>{comparator.inputs[1], comparator.inputs[0]}));
  EXPECT_EQ(exchanged.operations.size(), 1u);
  const MisreadCall unstable = misread_call(op, {.word = "unstable", .what = Misread::bodies}, call);
  const Program& opposite = *unstable.call->regions.front().program;
  EXPECT_EQ(opposite.inputs, exchanged.inputs);
  EXPECT_EQ(opposite.operations.back().op, "stablehlo.not");
  EXPECT_EQ(opposite.outputs, opposite.operations.back().results);
}

}  // namespace
}  // namespace tiebreak
