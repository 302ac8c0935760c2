// SPDX-License-Identifier: Apache-2.0
// TVM's convolutions and matrix products against plain loops: layouts, groups, depth multipliers, strides, dilation, padding, zero points; random shapes.
#include "testsuite/oracle/qnn/qnn_contraction.hpp"

#include "testsuite/unit/helpers/qnn_calls.hpp"

namespace tiebreak::qnn_test {
namespace {

namespace twin = oracle::qnn;

twin::Box random_box(std::array<std::int64_t, 4> extents, const std::string& type, std::mt19937_64& generator) {
  twin::Box box{extents, {}};
  for (std::int64_t i = 0; i < extents[0] * extents[1] * extents[2] * extents[3]; ++i)
    box.values.push_back(static_cast<std::int64_t>(generator() % 256) - (type == "i8" ? 128 : 0));
  return box;
}

/// Which dimension a letter stands for.
std::size_t dimension_of(char letter, const std::string& letters) {
  std::size_t dimension = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (letters[i] == letter) dimension = i;
  return dimension;
}

/// The box in the order of `word`, whose letters stand for the dimensions of `letters`.
std::pair<Shape, std::vector<std::int64_t>> laid_out(const twin::Box& box, const std::string& word, const std::string& letters) {
  Shape shape;
  for (char letter : word) shape.push_back(box.extents[dimension_of(letter, letters)]);
  std::vector<std::int64_t> values;
  std::array<std::int64_t, 4> at{};
  for (std::int64_t a = 0; a < shape[0]; ++a)
    for (std::int64_t b = 0; b < shape[1]; ++b)
      for (std::int64_t c = 0; c < shape[2]; ++c)
        for (std::int64_t d = 0; d < shape[3]; ++d) {
          const std::array<std::int64_t, 4> place{a, b, c, d};
          for (std::size_t i = 0; i < 4; ++i) at[dimension_of(word[i], letters)] = place[i];
          values.push_back(box.at(at[0], at[1], at[2], at[3]));
        }
  return {shape, values};
}

Tensor box_tensor(const twin::Box& box, const std::string& type, const std::string& word, const std::string& letters) {
  const auto [shape, values] = laid_out(box, word, letters);
  return codes_tensor(type, shape, values);
}

struct DrawnConvolution {
  twin::Box x, w;
  twin::Window window;
  twin::ZeroPoints zero_points;
};

/// kind 0: groups; 1: depthwise with a multiplier; 2: transposed.
DrawnConvolution drawn_convolution(int kind, const std::string& x_type, const std::string& w_type, std::mt19937_64& generator) {
  auto pick = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(most - least + 1));
  };
  DrawnConvolution drawn;
  drawn.window.groups = kind == 1 ? pick(2, 4) : pick(1, 3);
  const std::int64_t per_group = kind == 1 ? 1 : pick(1, 3), results = pick(1, 3), inputs = per_group * drawn.window.groups;
  for (std::size_t s = 0; s < 2; ++s) {
    drawn.window.strides[s] = pick(1, 3);
    drawn.window.dilation[s] = pick(1, 2);
    drawn.window.low[s] = pick(0, 2);
    drawn.window.high[s] = pick(0, 2);
    if (kind == 2) drawn.window.output_padding[s] = pick(0, 1);
  }
  drawn.x = random_box({pick(1, 2), inputs, pick(3, 6), pick(3, 6)}, x_type, generator);
  const std::int64_t o = kind == 0 ? results * drawn.window.groups : kind == 1 ? drawn.window.groups : results;
  const std::int64_t i = kind == 0 ? per_group : kind == 1 ? results : inputs;
  drawn.w = random_box({o, i, pick(1, 3), pick(1, 3)}, w_type, generator);
  drawn.zero_points.x = pick(-5, 200);
  drawn.zero_points.w = {pick(-5, 200)};
  if (generator() % 2 != 0) {
    drawn.zero_points.w.clear();
    for (std::int64_t k = 0; k < o; ++k) drawn.zero_points.w.push_back(pick(-128, 127));
  }
  return drawn;
}

OpCall qnn_convolution_call(const DrawnConvolution& drawn, bool transposed, const std::string& x_type, const std::string& w_type,
                            const std::string& data_layout, const std::string& kernel_layout) {
  const twin::Window& window = drawn.window;
  const Shape many{static_cast<std::int64_t>(drawn.zero_points.w.size())};
  OpCall call{.op = transposed ? "qnn.conv2d_transpose" : "qnn.conv2d"};
  call.operands = {box_tensor(drawn.x, x_type, data_layout, "NCHW"),
                   box_tensor(drawn.w, w_type, kernel_layout, "OIHW"),
                   integer(drawn.zero_points.x),
                   codes_tensor("i32", many[0] == 1 ? Shape{} : many, drawn.zero_points.w),
                   number(0.5f),
                   number(0.5f)};
  call.attributes = {{"strides", Attribute::integers({window.strides[0], window.strides[1]})},
                     {"dilation", Attribute::integers({window.dilation[0], window.dilation[1]})},
                     {"padding", Attribute::integers({window.low[0], window.low[1], window.high[0], window.high[1]})},
                     {"groups", Attribute{Real(window.groups)}},
                     {"data_layout", Attribute{data_layout}},
                     {"kernel_layout", Attribute{kernel_layout}}};
  if (transposed) call.attributes["output_padding"] = Attribute::integers({window.output_padding[0], window.output_padding[1]});
  return call;
}

TEST(QnnConvolution, RandomShapesAndLayouts) {
  std::mt19937_64 generator(seed);
  int elements = 0, empty = 0;
  for (int round = 0; round < 120; ++round) {
    const int kind = round % 3;
    const std::string x_type = generator() % 2 != 0 ? "u8" : "i8", w_type = generator() % 2 != 0 ? "u8" : "i8";
    const std::string data_layout = generator() % 2 != 0 ? "NCHW" : "NHWC",
                      kernel_layout = std::array{"OIHW", "HWIO", "HWOI", "OHWI", "IOHW"}[generator() % (kind == 2 ? 5 : 4)];
    const DrawnConvolution drawn = drawn_convolution(kind, x_type, w_type, generator);
    const twin::Box y = kind == 2 ? twin::transposed_convolution(drawn.x, drawn.w, drawn.window, drawn.zero_points)
                                  : twin::convolution(drawn.x, drawn.w, drawn.window, drawn.zero_points);
    auto result = run(qnn_convolution_call(drawn, kind == 2, x_type, w_type, data_layout, kernel_layout), "tvm-0.18", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    const auto [shape, values] = laid_out(y, data_layout, "NCHW");
    ASSERT_EQ(result->tensor.shape(), shape);
    elements += static_cast<int>(values.size());
    empty += values.empty() ? 1 : 0;
    EXPECT_EQ(wrong(
                  *result, [&values = values](std::int64_t i) { return std::optional(values[static_cast<std::size_t>(i)]); },
                  "round " + std::to_string(round) + " kind " + std::to_string(kind)),
              0);
  }
  std::printf("  %d elements in 120 convolutions, %d of them empty, seed %llu\n", elements, empty, static_cast<unsigned long long>(seed));
}

/// Inputs of 16 bits, so large that the pool in the inputs' term wraps; with dilation the fallback, which is exact.
TEST(QnnConvolution, TheTermOfTheInputsIsAPool) {
  std::mt19937_64 generator(seed);
  int parted = 0;
  for (int round = 0; round < 12; ++round) {
    auto pick = [&](std::int64_t least, std::int64_t most) {
      return least + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(most - least + 1));
    };
    DrawnConvolution drawn;
    drawn.x = {{1, pick(1200, 2000), 4, 5}, {}};
    for (std::int64_t i = 0; i < drawn.x.extents[1] * 20; ++i) drawn.x.values.push_back(pick(30000, 32767));
    drawn.w = random_box({2, drawn.x.extents[1], pick(1, 3), 3}, "i8", generator);
    drawn.window.strides = {pick(1, 2), pick(1, 2)};
    drawn.window.low = {pick(0, 1), pick(0, 1)};
    drawn.window.high = {pick(0, 1), pick(0, 1)};
    if (round % 3 == 2) drawn.window.dilation = {1, 2};
    drawn.zero_points.x = pick(0, 3);
    drawn.zero_points.w = {pick(-5, 5)};
    if (round % 2 != 0) drawn.zero_points.w = {pick(-128, 127), pick(-128, 127)};
    const twin::Box exact = twin::convolution(drawn.x, drawn.w, drawn.window, drawn.zero_points);
    const twin::Box y = round % 3 == 2 ? exact : twin::convolution_in_terms(drawn.x, drawn.w, drawn.window, drawn.zero_points);
    auto result = run(qnn_convolution_call(drawn, false, "i16", "i8", "NCHW", "OIHW"), "tvm-0.18", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    EXPECT_EQ(wrong(
                  *result, [&](std::int64_t i) { return std::optional(y.values[static_cast<std::size_t>(i)]); }, "round " + std::to_string(round)),
              0);
    for (std::size_t i = 0; i < y.values.size(); ++i) parted += y.values[i] != exact.values[i] ? 1 : 0;
  }
  std::printf("  %d elements where the pool wrapped, seed %llu\n", parted, static_cast<unsigned long long>(seed));
  EXPECT_GT(parted, 0);
}

TEST(QnnConvolution, KernelsThatDoNotFit) {
  const Tensor x = codes_tensor("i8", {1, 4, 3, 3}, {}), w = codes_tensor("i8", {4, 3, 1, 1}, {});
  OpCall call{.op = "qnn.conv2d", .operands = {x, w, integer(0), integer(0), number(1), number(1)}};
  EXPECT_FALSE(run(call, "tvm-0.18"));
  call.operands[1] = codes_tensor("i8", {4, 4, 1, 1}, {});
  EXPECT_TRUE(run(call, "tvm-0.18"));
  for (const auto& [name, value] : std::map<std::string, Attribute>{{"data_layout", Attribute{std::string("NCWW")}},
                                                                    {"strides", Attribute::integers({0, 1})},
                                                                    {"padding", Attribute::integers({1, 2, 3})},
                                                                    {"channels", Attribute{Real(5)}},
                                                                    {"kernel_size", Attribute::integers({3, 3})}}) {
    OpCall wrong_call = call;
    wrong_call.attributes[name] = value;
    EXPECT_FALSE(run(wrong_call, "tvm-0.18")) << name;
  }
}

TEST(QnnMatmul, RandomShapes) {
  std::mt19937_64 generator(seed);
  for (int round = 0; round < 40; ++round) {
    auto pick = [&](std::int64_t most) { return 1 + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(most)); };
    const bool dense = round % 2 == 0;
    const std::int64_t depth = pick(40), rows = pick(5), columns = pick(5), batches = dense ? 1 : pick(3);
    const std::int64_t x_batches = generator() % 3 == 0 ? 1 : batches, y_batches = generator() % 3 == 0 ? 1 : batches;
    const twin::Box x = random_box({1, x_batches, rows, depth}, "u8", generator), y = random_box({1, y_batches, columns, depth}, "i8", generator);
    twin::ZeroPoints zero_points{pick(255), {pick(255) - 128}};
    if (dense) zero_points.w.assign(static_cast<std::size_t>(columns), pick(100));
    if (dense) zero_points.w.back() = -7;
    const twin::Box z = twin::batch_matmul(x, y, zero_points);
    OpCall call{.op = dense ? "qnn.dense" : "qnn.batch_matmul"};
    call.operands = {codes_tensor("u8", dense ? Shape{rows, depth} : Shape{x_batches, rows, depth}, x.values),
                     codes_tensor("i8", dense ? Shape{columns, depth} : Shape{y_batches, columns, depth}, y.values),
                     integer(zero_points.x),
                     codes_tensor("i32", dense ? Shape{columns} : Shape{}, zero_points.w),
                     number(1),
                     number(1)};
    auto result = run(call, "tvm-0.18", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    EXPECT_EQ(wrong(
                  *result, [&](std::int64_t i) { return std::optional(z.values[static_cast<std::size_t>(i)]); }, "round " + std::to_string(round)),
              0);
  }
}

/// Codes pass unchanged, or through a factor of 1/2 that rounds each before the sum.
TEST(QnnAveragePool, RandomShapes) {
  std::mt19937_64 generator(seed);
  auto pick = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(most - least + 1));
  };
  for (int round = 0; round < 60; ++round) {
    const bool scaled = round % 2 != 0, ceil_mode = pick(0, 1) != 0, include = pick(0, 1) != 0;
    const std::string layout = pick(0, 1) != 0 ? "NCHW" : "NHWC";
    twin::Box x = random_box({pick(1, 2), pick(1, 3), pick(2, 6), pick(2, 6)}, "i8", generator);
    const std::array<std::int64_t, 2> kernel{pick(1, 3), pick(1, 3)};
    twin::Window window{.strides = {pick(1, 2), pick(1, 2)}, .low = {pick(0, 1), pick(0, 1)}, .high = {pick(0, 1), pick(0, 1)}};
    OpCall call{.op = "qnn.avg_pool2d", .operands = {box_tensor(x, "i8", layout, "NCHW"), number(scaled ? 0.5f : 1.0f), integer(0), number(1), integer(0)}};
    call.attributes = {{"pool_size", Attribute::integers({kernel[0], kernel[1]})},
                       {"strides", Attribute::integers({window.strides[0], window.strides[1]})},
                       {"padding", Attribute::integers({window.low[0], window.low[1], window.high[0], window.high[1]})},
                       {"layout", Attribute{layout}},
                       {"ceil_mode", Attribute{ceil_mode}},
                       {"count_include_pad", Attribute{include}}};
    if (scaled)
      for (std::int64_t& value : x.values) value = (value + 1) >> 1;
    const twin::Pooled pooled = twin::pool(x, kernel, window, ceil_mode);
    auto result = run(call, "tvm-0.18", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    const auto [shape, sums] = laid_out(pooled.sums, layout, "NCHW");
    const auto [same, counts] = laid_out(pooled.counts, layout, "NCHW");
    ASSERT_EQ(result->tensor.shape(), shape);
    const std::vector<std::int64_t> padded = laid_out(pooled.padded, layout, "NCHW").second;
    auto expected = [&, &sums = sums, &counts = counts](std::int64_t i) -> std::optional<std::int64_t> {
      const std::int64_t divisor = include ? padded[static_cast<std::size_t>(i)] : std::max<std::int64_t>(counts[static_cast<std::size_t>(i)], 1);
      return divisor == 0 ? std::nullopt : std::optional(sums[static_cast<std::size_t>(i)] / divisor);
    };
    EXPECT_EQ(wrong(*result, expected, "round " + std::to_string(round)), 0);
  }
}

/// Halves go away from the zero point: in integers, half the count is added on the side where the sum of the codes without it lies.
TEST(QnnAveragePool, HalvesLeaveTheZeroPoint) {
  std::mt19937_64 generator(seed);
  for (std::int64_t zero : {0, 3, -7, 127, -128}) {
    twin::Box x = random_box({2, 3, 6, 5}, "i8", generator);
    const twin::Pooled pooled = twin::pool(x, {2, 3}, twin::Window{.strides = {1, 1}, .low = {1, 1}, .high = {0, 1}}, false);
    OpCall call{.op = "qnn.avg_pool2d", .operands = {box_tensor(x, "i8", "NCHW", "NCHW"), number(0.5f), integer(zero), number(0.5f), integer(zero)}};
    call.attributes = {{"pool_size", Attribute::integers({2, 3})}, {"padding", Attribute::integers({1, 1, 0, 1})}};
    auto result = run(call, "mlir-22", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    auto expected = [&](std::int64_t i) {
      const std::int64_t count = pooled.counts.values[static_cast<std::size_t>(i)], sum = pooled.sums.values[static_cast<std::size_t>(i)] - count * zero;
      return std::optional((2 * sum + (sum < 0 ? -count : count)) / (2 * count) + zero);
    };
    EXPECT_EQ(wrong(*result, expected, "zero point " + std::to_string(zero)), 0);
  }
}

}  // namespace
}  // namespace tiebreak::qnn_test
