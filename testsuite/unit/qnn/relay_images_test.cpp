// SPDX-License-Identifier: Apache-2.0
// Pools, resizes, a transposed convolution and activations of Relay against plain loops: random shapes, paddings and transformations.
#include "testsuite/oracle/relay/relay_images.hpp"

#include "testsuite/oracle/qnn/qnn_contraction.hpp"
#include "testsuite/unit/helpers/qnn_calls.hpp"

namespace tiebreak::qnn_test {
namespace {

namespace images = oracle::relay;

struct Drawn {
  std::mt19937_64 generator{seed};
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(most - least + 1));
  }
  std::vector<std::int64_t> codes(std::int64_t count) {
    std::vector<std::int64_t> drawn;
    for (std::int64_t i = 0; i < count; ++i) drawn.push_back((*this)(-128, 127));
    return drawn;
  }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>((*this)(0, static_cast<std::int64_t>(all.size()) - 1))];
  }
};

std::vector<images::PoolAxis> drawn_axes(Drawn& drawn, std::size_t count) {
  std::vector<images::PoolAxis> axes;
  for (std::size_t s = 0; s < count; ++s) {
    images::PoolAxis axis{drawn(1, 6), drawn(1, 3), drawn(1, 3), drawn(1, 2), drawn(0, 1), drawn(0, 1)};
    axis.stride = std::min(axis.stride, (axis.window - 1) * axis.dilation + 1);  // no window begins behind the padding
    axes.push_back(axis);
  }
  return axes;
}

AttributeMap pool_attributes(const std::vector<images::PoolAxis>& axes, bool ceil_mode) {
  std::vector<std::int64_t> window, strides, dilation, low, high;
  for (const images::PoolAxis& axis : axes) {
    window.push_back(axis.window);
    strides.push_back(axis.stride);
    dilation.push_back(axis.dilation);
    low.push_back(axis.low);
    high.push_back(axis.high);
  }
  low.insert(low.end(), high.begin(), high.end());
  return {{"pool_size", Attribute::integers(window)},
          {"strides", Attribute::integers(strides)},
          {"dilation", Attribute::integers(dilation)},
          {"padding", Attribute::integers(low)},
          {"ceil_mode", Attribute{ceil_mode}}};
}

/// The sum of a window wraps in the codes' type, 16 bits here; so does what it is divided by.
std::optional<std::int64_t> mean(const images::Pooled& window, bool include_pad) {
  const std::int64_t count = include_pad ? window.padded : std::max<std::int64_t>(window.inside, 1);
  if (count == 0) return std::nullopt;
  return static_cast<std::int16_t>(window.sum) / count;
}

TEST(RelayPools, AlongOneTwoAndThreeAxes) {
  Drawn drawn;
  const std::vector<std::string> greatest{"relay.nn.max_pool1d", "relay.nn.max_pool2d", "relay.nn.max_pool3d"};
  const std::vector<std::string> means{"relay.nn.avg_pool1d", "relay.nn.avg_pool2d", "relay.nn.avg_pool3d"};
  int windows = 0, hanging = 0;
  for (int round = 0; round < 180; ++round) {
    const std::size_t count = static_cast<std::size_t>(round) % 3 + 1;
    const bool ceil_mode = drawn(0, 1) != 0, include_pad = drawn(0, 1) != 0, largest = drawn(0, 1) != 0;
    const std::vector<images::PoolAxis> axes = drawn_axes(drawn, count);
    Shape shape{1, 1};
    for (const images::PoolAxis& axis : axes) shape.push_back(axis.extent);
    std::vector<std::int64_t> image = drawn.codes(*element_count(shape));
    for (std::int64_t& value : image) value *= 100;
    OpCall call{.op = (largest ? greatest : means)[count - 1], .operands = {codes_tensor("i16", shape, image)}, .attributes = pool_attributes(axes, ceil_mode)};
    if (!largest) call.attributes["count_include_pad"] = Attribute{include_pad};
    const images::Pool pool = images::pool(image, axes, ceil_mode);
    const auto result = run(call, "reference", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    ASSERT_EQ(result->tensor.size(), static_cast<std::int64_t>(pool.windows.size())) << "round " << round;
    windows += static_cast<int>(pool.windows.size());
    std::int64_t taps = 1;
    for (const images::PoolAxis& axis : axes) taps *= axis.window;
    for (const images::Pooled& one : pool.windows) hanging += one.padded < taps ? 1 : 0;
    auto expected = [&](std::int64_t i) -> std::optional<std::int64_t> {
      const images::Pooled& one = pool.windows[static_cast<std::size_t>(i)];
      return largest ? std::optional(one.inside == 0 ? INT16_MIN : one.greatest) : mean(one, include_pad);
    };
    EXPECT_EQ(wrong(*result, expected, "round " + std::to_string(round)), 0);
  }
  std::printf("  %d windows, %d of them hang over the padding, seed %llu\n", windows, hanging, static_cast<unsigned long long>(seed));
  EXPECT_GT(hanging, 50);
}

TEST(RelayPools, GlobalMaximum) {
  Drawn drawn;
  const std::vector<std::int64_t> image = drawn.codes(2 * 3 * 4);
  const auto result = run({.op = "relay.nn.global_max_pool2d", .operands = {codes_tensor("i8", {1, 2, 3, 4}, image)}}, "reference", {}, Engine::both);
  ASSERT_TRUE(result) << to_text(result.error());
  EXPECT_EQ(wrong(
                *result, [&](std::int64_t i) { return std::optional(*std::max_element(image.begin() + i * 12, image.begin() + (i + 1) * 12)); }, "maximum"),
            0);
}

/// The QNN operator's twin without zero points.
TEST(RelayConvolution, Transposed) {
  Drawn drawn;
  for (int round = 0; round < 40; ++round) {
    const std::int64_t inputs = drawn(1, 3), results = drawn(1, 3), rows = drawn(1, 4), columns = drawn(1, 4), height = drawn(1, 3), width = drawn(1, 3);
    const oracle::qnn::Window window{.strides = {drawn(1, 3), drawn(1, 3)},
                                     .dilation = {drawn(1, 2), 1},
                                     .low = {drawn(0, 1), 0},
                                     .high = {0, drawn(0, 1)},
                                     .output_padding = {0, drawn(0, 1)}};
    const oracle::qnn::Box x{{1, inputs, rows, columns}, drawn.codes(inputs * rows * columns)};
    const oracle::qnn::Box w{{results, inputs, height, width}, drawn.codes(results * inputs * height * width)};
    const oracle::qnn::Box y = oracle::qnn::transposed_convolution(x, w, window, {});
    const OpCall call{.op = "relay.nn.conv2d_transpose",
                      .operands = {codes_tensor("i8", {1, inputs, rows, columns}, x.values), codes_tensor("i8", {results, inputs, height, width}, w.values)},
                      .attributes = {{"strides", Attribute::integers({window.strides[0], window.strides[1]})},
                                     {"dilation", Attribute::integers({window.dilation[0], 1})},
                                     {"padding", Attribute::integers({window.low[0], 0, 0, window.high[1]})},
                                     {"output_padding", Attribute::integers({0, window.output_padding[1]})},
                                     {"kernel_layout", Attribute{std::string("OIHW")}},
                                     {"out_dtype", Attribute{*ElementType::parse("i32")}}}};
    const auto result = run(call, "reference", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    ASSERT_EQ(result->tensor.shape(), Shape(y.extents.begin(), y.extents.end()));
    EXPECT_EQ(wrong(
                  *result, [&](std::int64_t i) { return std::optional(y.values[static_cast<std::size_t>(i)]); }, "round " + std::to_string(round)),
              0);
  }
}

std::vector<float> floats_of(const std::vector<std::int64_t>& codes) {
  std::vector<float> floats;
  for (std::int64_t code : codes) floats.push_back(static_cast<float>(code) / 3.0F);
  return floats;
}

void expect_floats(const ResultTensor& result, const std::vector<float>& expected, const std::string& what) {
  ASSERT_EQ(result.tensor.size(), static_cast<std::int64_t>(expected.size())) << what;
  for (std::int64_t i = 0; i < result.tensor.size(); ++i)
    ASSERT_EQ(result.tensor.value(i).to_double(), static_cast<double>(expected[static_cast<std::size_t>(i)])) << what << ", element " << i;
}

TEST(RelayResize, EveryModeAndRounding) {
  Drawn drawn;
  const std::vector<std::string> transformations{"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn"};
  const std::vector<std::string> roundings{"", "round", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  for (int round = 0; round < 240; ++round) {
    images::Resize resize{drawn(1, 9), drawn(1, 9), drawn(2, 12), drawn(2, 12), drawn.one_of(transformations), drawn.one_of(roundings), drawn(0, 1) != 0};
    if (resize.mode == "pytorch_half_pixel" && drawn(0, 1) != 0) resize.new_rows = 1;
    const std::vector<std::int64_t> codes = drawn.codes(resize.rows * resize.columns);
    const std::vector<float> image = floats_of(codes), expected = images::resize(image, resize);
    const bool last = drawn(0, 1) != 0;
    OpCall call{.op = "relay.image.resize2d"};
    call.operands = {
        floats_tensor(last ? Shape{1, resize.rows, resize.columns, 1} : Shape{1, 1, resize.rows, resize.columns}, Floats(image.begin(), image.end()))};
    call.attributes = {{"size", Attribute::integers({resize.new_rows, resize.new_columns})},
                       {"method", Attribute{std::string(resize.linear ? "linear" : "nearest_neighbor")}},
                       {"coordinate_transformation_mode", Attribute{resize.mode}},
                       {"rounding_method", Attribute{resize.rounding}},
                       {"layout", Attribute{std::string(last ? "NHWC" : "NCHW")}}};
    const auto result = run(call, "reference", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    expect_floats(*result, expected, resize.mode + " " + resize.rounding + (resize.linear ? " linear" : " nearest") + ", round " + std::to_string(round));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// Codes are interpolated as floats and cut.
TEST(RelayResize, CodesAreCut) {
  Drawn drawn;
  for (int round = 0; round < 40; ++round) {
    const images::Resize resize{drawn(1, 5), drawn(1, 5), drawn(1, 9), drawn(1, 9), "half_pixel", "", true};
    const std::vector<std::int64_t> codes = drawn.codes(resize.rows * resize.columns);
    const std::vector<float> expected = images::resize(std::vector<float>(codes.begin(), codes.end()), resize);
    const auto result = run({.op = "relay.image.resize2d",
                             .operands = {codes_tensor("i8", {1, 1, resize.rows, resize.columns}, codes)},
                             .attributes = {{"size", Attribute::integers({resize.new_rows, resize.new_columns})}}},
                            "reference", {}, Engine::both);
    ASSERT_TRUE(result) << to_text(result.error());
    EXPECT_EQ(wrong(
                  *result, [&](std::int64_t i) { return std::optional(static_cast<std::int64_t>(expected[static_cast<std::size_t>(i)])); },
                  "round " + std::to_string(round)),
              0);
  }
}

TEST(RelayActivations, Softmax) {
  Drawn drawn;
  for (int round = 0; round < 20; ++round) {
    const std::vector<float> values = floats_of(drawn.codes(drawn(1, 9)));
    const auto result =
        run({.op = "relay.nn.softmax", .operands = {floats_tensor({static_cast<std::int64_t>(values.size())}, Floats(values.begin(), values.end()))}},
            "reference", {{"relay.nn.softmax/float_sum.order", "in_order"}});
    ASSERT_TRUE(result) << to_text(result.error());
    expect_floats(*result, images::softmax(values), "round " + std::to_string(round));
  }
}

/// Every code of 8 bits, and its third as a float; slopes cut to whole numbers.
TEST(RelayActivations, LeakyReluAndAbs) {
  const std::vector<std::int64_t> codes = all_codes("i8");
  const std::vector<float> floats = floats_of(codes);
  const Tensor q = line("i8", codes), x = floats_tensor({256}, Floats(floats.begin(), floats.end()));
  for (double alpha : {0.0, 0.1, 0.25, 1.0, 2.9}) {
    const AttributeMap slope{{"alpha", Attribute{Real::from_double(alpha)}}};
    const auto cut = run({.op = "relay.nn.leaky_relu", .operands = {q}, .attributes = slope}, "reference", {}, Engine::both);
    ASSERT_TRUE(cut) << to_text(cut.error());
    const auto leaky = [&](std::int64_t code) { return code > 0 ? code : static_cast<std::int8_t>(code * static_cast<std::int64_t>(alpha)); };
    EXPECT_EQ(wrong(
                  *cut, [&](std::int64_t i) { return std::optional<std::int64_t>(leaky(codes[static_cast<std::size_t>(i)])); }, "leaky_relu of codes"),
              0);
    const auto scaled = run({.op = "relay.nn.leaky_relu", .operands = {x}, .attributes = slope}, "reference", {}, Engine::both);
    ASSERT_TRUE(scaled) << to_text(scaled.error());
    std::vector<float> expected;
    for (float value : floats) expected.push_back(value > 0 ? value : value * static_cast<float>(alpha));
    expect_floats(*scaled, expected, "leaky_relu of floats");
  }
  const auto positive = run({.op = "relay.abs", .operands = {q}}, "reference", {}, Engine::both);
  ASSERT_TRUE(positive) << to_text(positive.error());
  EXPECT_EQ(wrong(
                *positive, [&](std::int64_t i) { return std::optional<std::int64_t>(static_cast<std::int8_t>(std::abs(codes[static_cast<std::size_t>(i)]))); },
                "abs"),
            0);
}

}  // namespace
}  // namespace tiebreak::qnn_test
