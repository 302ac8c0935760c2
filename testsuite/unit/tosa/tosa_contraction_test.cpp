// SPDX-License-Identifier: Apache-2.0
// TOSA's convolutions and matrix product against the loops of its text: random shapes, strides, dilations, paddings, biases, and zero points at the ends.
#include "testsuite/oracle/tosa/tosa_contraction.hpp"

#include "testsuite/unit/helpers/tosa_calls.hpp"

namespace tiebreak::tosa_test {
namespace {

namespace twin = oracle::tosa;

struct Row {
  const char *input, *weight, *output;
  int bits;  ///< of the accumulator, 0 for floats
};
constexpr Row row_types[] = {{"i8", "i8", "i32", 32}, {"i8", "i4", "i32", 32}, {"i16", "i8", "i48", 48}, {"f32", "f32", "f32", 0}};

int bits_of(const std::string& type) { return ElementType::parse(type)->bits(); }

/// Floats are small whole numbers and a few that make sums round.
double drawn_value(Draws& draws, const std::string& type) {
  if (type == "f32") return draws.once_in(4) ? std::ldexp(static_cast<double>(draws.between(-9, 9)), 22) : static_cast<double>(draws.between(-99, 99)) / 8;
  return static_cast<double>(type == "i4" ? draws.between(-7, 7) : draws.code(bits_of(type)));
}

twin::Block drawn_block(Draws& draws, const std::string& type, std::array<std::int64_t, 5> extents) {
  twin::Block block{extents, {}};
  for (std::int64_t i = 0; i < block.size(); ++i) block.values.push_back(drawn_value(draws, type));
  return block;
}

/// Which of the five dimensions a tensor of this rank has.
Shape shape_of(const std::array<std::int64_t, 5>& extents, std::initializer_list<std::size_t> dimensions) {
  Shape shape;
  for (std::size_t d : dimensions) shape.push_back(extents[d]);
  return shape;
}

enum class Kind : std::uint8_t { two, three, depthwise, transposed };

struct Drawn {
  Row row{};
  twin::Block input, weight;
  twin::Windows windows;
  twin::Accumulator accumulator;
  std::vector<double> bias;
};

/// Paddings so that the stride divides what the window moves over. Nothing where no such padding is found.
bool choose_padding(Draws& draws, Drawn& drawn, std::size_t s, std::int64_t extent, std::int64_t kernel) {
  for (int attempt = 0; attempt < 60; ++attempt) {
    drawn.windows.before[s] = draws.between(0, 3);
    drawn.windows.behind[s] = draws.between(0, 3);
    const std::int64_t room = extent - 1 + drawn.windows.before[s] + drawn.windows.behind[s] - (kernel - 1) * drawn.windows.dilation[s];
    if (room >= 0 && room % drawn.windows.stride[s] == 0) return true;
  }
  return false;
}

std::optional<Drawn> drawn_convolution(Draws& draws, Kind kind, const Row& row) {
  Drawn drawn;
  drawn.row = row;
  const bool three = kind == Kind::three;
  const std::int64_t channels = draws.between(1, 4), outputs = draws.between(1, 3);
  drawn.input = drawn_block(draws, row.input, {draws.between(1, 2), three ? draws.between(1, 4) : 1, draws.between(1, 6), draws.between(1, 6), channels});
  const std::array<std::int64_t, 3> kernel{three ? draws.between(1, 2) : 1, draws.between(1, 3), draws.between(1, 3)};
  drawn.weight = kind == Kind::depthwise ? drawn_block(draws, row.weight, {1, kernel[1], kernel[2], channels, outputs})
                                         : drawn_block(draws, row.weight, {outputs, kernel[0], kernel[1], kernel[2], channels});
  for (std::size_t s = three ? 0 : 1; s < 3; ++s) {
    drawn.windows.stride[s] = draws.between(1, 3);
    if (kind == Kind::transposed) {
      drawn.windows.before[s] = draws.between(1 - kernel[s], 2);
      drawn.windows.behind[s] = draws.between(1 - kernel[s], 2);
      if ((drawn.input.extents[s + 1] - 1) * drawn.windows.stride[s] + drawn.windows.before[s] + drawn.windows.behind[s] + kernel[s] < 1) return std::nullopt;
      continue;
    }
    drawn.windows.dilation[s] = draws.between(1, 2);
    if (!choose_padding(draws, drawn, s, drawn.input.extents[s + 1], kernel[s])) return std::nullopt;
  }
  drawn.accumulator.bits = row.bits;
  if (std::string(row.input) == "i8") drawn.accumulator.input_zero_point = draws.code(8);
  if (std::string(row.weight) == "i8") drawn.accumulator.weight_zero_point = draws.code(8);
  const std::int64_t all = kind == Kind::depthwise ? channels * outputs : outputs, biases = draws.once_in(3) ? 1 : all;
  for (std::int64_t i = 0; i < biases; ++i) {  // at the ends of the accumulator now and then
    const std::int64_t end = row.bits == 0 ? 0 : std::int64_t{1} << (row.bits - 1);
    if (row.bits == 0) drawn.bias.push_back(drawn_value(draws, row.output));
    else if (draws.once_in(4)) drawn.bias.push_back(static_cast<double>(draws.once_in(2) ? -end : end - 1));
    else drawn.bias.push_back(static_cast<double>(draws.between(-99999, 99999)));
  }
  return drawn;
}

Attribute listed(const std::array<std::int64_t, 3>& values, std::size_t first) {
  return Attribute::integers(Shape(values.begin() + static_cast<std::ptrdiff_t>(first), values.end()));
}

OpCall call_of(const Drawn& drawn, Kind kind) {
  const std::size_t first = kind == Kind::three ? 0 : 1;
  const std::string input = drawn.row.input, weight = drawn.row.weight, output = drawn.row.output;
  const auto& x = drawn.input.extents;
  const auto& w = drawn.weight.extents;
  Shape pads;
  for (std::size_t s = first; s < 3; ++s) {
    pads.push_back(drawn.windows.before[s]);
    pads.push_back(drawn.windows.behind[s]);
  }
  OpCall call{.op = std::array{"tosa.CONV2D", "tosa.CONV3D", "tosa.DEPTHWISE_CONV2D", "tosa.TRANSPOSE_CONV2D"}[static_cast<std::size_t>(kind)]};
  call.operands = {tensor_of(input, kind == Kind::three ? shape_of(x, {0, 1, 2, 3, 4}) : shape_of(x, {0, 2, 3, 4}), drawn.input.values),
                   tensor_of(weight,
                             kind == Kind::three       ? shape_of(w, {0, 1, 2, 3, 4})
                             : kind == Kind::depthwise ? shape_of(w, {1, 2, 3, 4})
                                                       : shape_of(w, {0, 2, 3, 4}),
                             drawn.weight.values),
                   tensor_of(output, {static_cast<std::int64_t>(drawn.bias.size())}, drawn.bias),
                   one(input, static_cast<double>(drawn.accumulator.input_zero_point)), one(weight, static_cast<double>(drawn.accumulator.weight_zero_point))};
  call.attributes = {{"stride", listed(drawn.windows.stride, first)}, {"acc_type", Attribute{*ElementType::parse(output)}}};
  call.attributes[kind == Kind::transposed ? "out_pad" : "pad"] = Attribute::integers(pads);
  if (kind != Kind::transposed) call.attributes["dilation"] = listed(drawn.windows.dilation, first);
  return call;
}

twin::Answer answer_of(const Drawn& drawn, Kind kind) {
  const auto compute = kind == Kind::depthwise ? twin::depthwise : kind == Kind::transposed ? twin::transposed : twin::convolution;
  return compute(drawn.input, drawn.weight, drawn.bias, drawn.windows, drawn.accumulator);
}

void compare(Kind kind) {
  Draws draws(seed + static_cast<std::uint64_t>(kind));
  int calls = 0, elements = 0, lost = 0;
  for (int round = 0; round < 160 && !testing::Test::HasFailure(); ++round) {
    const Row& row = row_types[round % 4];
    const auto drawn = drawn_convolution(draws, kind, row);
    if (!drawn) continue;
    const OpCall call = call_of(*drawn, kind);
    const twin::Answer expected = answer_of(*drawn, kind);
    const Shape shape = kind == Kind::three ? shape_of(expected.extents, {0, 1, 2, 3, 4}) : shape_of(expected.extents, {0, 2, 3, 4});
    const auto result = given_result(call, {{call.op + "/float_sum.order", "in_order"}});
    EXPECT_EQ(wrong(result, shape, expected.values, call.op + " " + row.input + " round " + std::to_string(round)), 0);
    ++calls;
    elements += static_cast<int>(expected.values.size());
    for (const auto& value : expected.values) lost += value ? 0 : 1;
  }
  std::printf("  %d elements of %d calls, %d of them beyond the accumulator, seed %llu\n", elements, calls, lost, static_cast<unsigned long long>(seed));
  EXPECT_GT(calls, 80);
  EXPECT_GT(lost, 20);
  EXPECT_LT(lost, elements / 4);
}

TEST(TosaContraction, TwoDimensions) { compare(Kind::two); }
TEST(TosaContraction, ThreeDimensions) { compare(Kind::three); }
TEST(TosaContraction, Depthwise) { compare(Kind::depthwise); }
TEST(TosaContraction, Transposed) { compare(Kind::transposed); }

TEST(TosaContraction, Products) {
  Draws draws(seed + 9);
  constexpr Row products[] = {{"i8", "i8", "i32", 32}, {"i16", "i16", "i48", 48}, {"f32", "f32", "f32", 0}};
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    const Row& row = products[round % 3];
    const std::int64_t batch = draws.between(1, 3), height = draws.between(1, 5), depth = draws.between(1, 9), width = draws.between(1, 5);
    const twin::Block a = drawn_block(draws, row.input, {1, 1, batch, height, depth}), b = drawn_block(draws, row.input, {1, 1, batch, depth, width});
    twin::Accumulator accumulator{.bits = row.bits};
    if (row.bits == 32) accumulator = {row.bits, draws.code(8), draws.code(8)};
    const OpCall call{
        .op = "tosa.MATMUL",
        .operands = {tensor_of(row.input, {batch, height, depth}, a.values), tensor_of(row.input, {batch, depth, width}, b.values),
                     one(row.input, static_cast<double>(accumulator.input_zero_point)), one(row.input, static_cast<double>(accumulator.weight_zero_point))},
        .result_types = type_of(row.output, {batch, height, width})};
    EXPECT_EQ(wrong(given_result(call, {{"tosa.MATMUL/float_sum.order", "in_order"}}), {batch, height, width}, twin::product(a, b, accumulator).values,
                    std::string("MATMUL ") + row.input + " round " + std::to_string(round)),
              0);
  }
}

/// Long sums of large products: partial sums leave the accumulator and may come back. The text looks at each of them, `total` at the last alone.
TEST(TosaContraction, PartialSumsBeyondTheAccumulator) {
  Draws draws(seed + 10);
  int lost = 0, back = 0;
  for (int round = 0; round < 2; ++round) {
    constexpr std::int64_t depth = 66400;
    twin::Block a{{1, 1, 1, 1, depth}, {}}, b{{1, 1, 1, depth, 1}, {}};
    const std::int64_t turn = 66311 + round;  // the first products are 255 * 127: more than 66311 are beyond 32 bits
    for (std::int64_t i = 0; i < depth; ++i) {
      a.values.push_back(127);
      b.values.push_back(static_cast<double>(i < turn ? 127 : draws.between(-128, -120)));
    }
    const twin::Accumulator accumulator{.bits = 32, .input_zero_point = -128, .weight_zero_point = 0};
    const OpCall call{.op = "tosa.MATMUL",
                      .operands = {tensor_of("i8", {1, 1, depth}, a.values), tensor_of("i8", {1, depth, 1}, b.values), one("i8", -128), one("i8", 0)},
                      .result_types = type_of("i32", {1, 1, 1})};
    const twin::Answer expected = twin::product(a, b, accumulator);
    EXPECT_EQ(wrong(given_result(call), {1, 1, 1}, expected.values, "round " + std::to_string(round)), 0);
    if (expected.values[0]) continue;
    ++lost;
    const ResultTensor total = given_result(call, {{"tosa.contraction/overflow", "total"}});
    back += total.undefined.empty() || total.undefined[0] == 0 ? 1 : 0;
  }
  std::printf("  %d sums lost, %d of them back at the end\n", lost, back);
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(back, 1);
}

}  // namespace
}  // namespace tiebreak::tosa_test
