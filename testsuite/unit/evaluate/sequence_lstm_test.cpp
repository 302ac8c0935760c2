// SPDX-License-Identifier: Apache-2.0
// The LSTM over a sequence as a recurrence: steps and images in their places, a sequence in two calls, and calls whose shapes do not fit.
#include <gtest/gtest.h>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t images = 2, steps = 3, inputs = 2, cells = 2;

Tensor floats(const Shape& shape, double first, double step) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), shape, {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set_code(i, *tensor.element().encode(*round_to(Real::from_double(first + step * static_cast<double>(i % 7)), tensor.element().floating())));
  return tensor;
}

OpCall network() {
  OpCall call{.op = "tflite.UNIDIRECTIONAL_SEQUENCE_LSTM"};
  call.operands.resize(20);
  call.operands[0] = floats({images, steps, inputs}, -1, 0.25);
  for (std::size_t gate = 0; gate < 4; ++gate) {
    const double first = 0.125 * static_cast<double>(gate) - 0.5;
    call.operands[1 + gate] = floats({cells, inputs}, first, 0.5);
    call.operands[5 + gate] = floats({cells, cells}, first, -0.25);
    call.operands[12 + gate] = floats({cells}, first, 1);
  }
  call.operands[18] = floats({images, cells}, 0.5, -0.125);
  call.operands[19] = floats({images, cells}, -0.5, 0.25);
  call.result_types = {std::nullopt};
  return call;
}

/// Elements of one step: dimension 1, or 0 where steps come first.
Tensor step_of(const Tensor& sequence, std::int64_t step, bool time_major) {
  const Shape& shape = sequence.shape();
  const std::int64_t batch = shape[time_major ? 1 : 0], length = shape[time_major ? 0 : 1], width = shape[2];
  Tensor part = *Tensor::zeros({sequence.element(), {batch, 1, width}, {}});
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t i = 0; i < width; ++i) part.set_code(b * width + i, sequence.code((time_major ? step * batch + b : b * length + step) * width + i));
  return part;
}

Tensor run(const OpCall& call) {
  auto result = run_profile(call, "reference");
  EXPECT_TRUE(result) << to_text(result.error());
  return result ? result->front().tensor : Tensor();
}

TEST(SequenceLstm, StepsComeFirstOrBehindTheImages) {
  OpCall call = network();
  const Tensor behind = run(call);
  ASSERT_EQ(behind.shape(), (Shape{images, steps, cells}));
  Tensor turned = *Tensor::zeros({call.operands[0]->element(), {steps, images, inputs}, {}});
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t b = 0; b < images; ++b)
      for (std::int64_t i = 0; i < inputs; ++i) turned.set_code((t * images + b) * inputs + i, call.operands[0]->code((b * steps + t) * inputs + i));
  call.operands[0] = turned;
  call.attributes.emplace("time_major", Attribute{true});
  const Tensor first = run(call);
  ASSERT_EQ(first.shape(), (Shape{steps, images, cells}));
  for (std::int64_t t = 0; t < steps; ++t) EXPECT_TRUE(std::ranges::equal(step_of(behind, t, false).bytes(), step_of(first, t, true).bytes())) << t;
}

TEST(SequenceLstm, TheStateThatAStepLeavesIsTheNextOnes) {
  const OpCall call = network();
  const Tensor whole = run(call);
  ASSERT_EQ(whole.shape(), (Shape{images, steps, cells}));
  OpCall first = call;
  first.operands[0] = step_of(*call.operands[0], 0, false);
  EXPECT_TRUE(std::ranges::equal(run(first).bytes(), step_of(whole, 0, false).bytes()));
  EXPECT_FALSE(std::ranges::equal(step_of(whole, 0, false).bytes(), step_of(whole, 1, false).bytes()));
  OpCall repeated = call;  // the same input at both steps gives other numbers, as the states have moved
  Tensor same = *call.operands[0];
  for (std::int64_t i = 0; i < same.size(); ++i) same.set_code(i, same.code(i % inputs));
  repeated.operands[0] = same;
  const Tensor moved = run(repeated);
  ASSERT_EQ(moved.shape(), whole.shape());
  EXPECT_FALSE(std::ranges::equal(step_of(moved, 0, false).bytes(), step_of(moved, 1, false).bytes()));
}

TEST(SequenceLstm, ShapesThatDoNotFitAreNamed) {
  const auto expect_named = [](std::size_t place, const Shape& shape, const std::string& what) {
    OpCall call = network();
    call.operands[place] = floats(shape, 0, 1);
    const auto result = run_profile(call, "reference");
    ASSERT_FALSE(result) << what;
    EXPECT_EQ(result.error().code, Errc::constraint) << to_text(result.error());
    EXPECT_NE(result.error().what.find(what), std::string::npos) << to_text(result.error());
  };
  expect_named(0, {images, steps}, "input has three dimensions");
  expect_named(4, {cells, inputs + 1}, "input_to_output_weights");
  expect_named(5, {cells + 1, cells}, "recurrent_to_input_weights");
  expect_named(14, {cells + 1}, "cell_gate_bias");
  expect_named(6, {cells}, "recurrent weights have two dimensions");
  expect_named(19, {images, cells + 1}, "cell_state");
  OpCall flat = network();  // a state may lie in one dimension
  flat.operands[18] = floats({images * cells}, 0.5, -0.125);
  EXPECT_TRUE(std::ranges::equal(run(flat).bytes(), run(network()).bytes()));
}

}  // namespace
}  // namespace tiebreak
