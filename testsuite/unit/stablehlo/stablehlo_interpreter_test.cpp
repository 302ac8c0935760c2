// SPDX-License-Identifier: Apache-2.0
// The profile of StableHLO's reference interpreter against its twin in machine integers and floats: contractions by integers, their fallback in floats,
// requantization, and the cases in which it differs from the text without a word.
#include <cmath>
#include <cstdio>

#include "testsuite/unit/helpers/stablehlo_contractions.hpp"

namespace tiebreak {
namespace {

namespace twin = oracle::stablehlo;
using twin::Channels;
using twin::Uniform;

constexpr const char* interpreter = "stablehlo-interpreter";
constexpr double tried_scales[] = {0.1, 0.02, 0.05, 0.3, 0.7, 0.5, 0.013, 1.0, 0.25, 0.0078125, 2.5};

std::int64_t zero_point_of(Random& random, const Uniform& type) { return random.whole(0, 2) == 0 ? 0 : random.whole(type.range.min, type.range.max); }

/// Compares codes; returns how many there were.
template <class Expected>
std::int64_t compare_elements(const OpCall& call, std::int64_t size, Expected expected, const char* profile = interpreter) {
  auto results = run_profile(call, profile);
  EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
  if (!results) return 0;
  int wrong = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto actual = integer_at(results->front(), i), wanted = expected(i);
    if (actual != wanted && ++wrong <= 2)
      ADD_FAILURE() << to_text(call.operands[0]->type()) << ", " << to_text(*call.result_types[0]) << " [" << i << "]: " << text_of(actual) << ", twin "
                    << text_of(wanted);
  }
  EXPECT_EQ(wrong, 0);
  return size;
}

struct ContractionParameters {
  Uniform lhs;
  Channels rhs, result;
};

/// rhs without zero points; per axis the result's scales have any proportion where `free`, else that of rhs.
ContractionParameters contraction_parameters(Random& random, const std::string& storage, const std::string& result, std::int64_t channels, bool per_axis,
                                             bool free) {
  ContractionParameters p;
  p.lhs = uniform(storage, random.of(tried_scales), 0);
  p.lhs.zero_point = zero_point_of(random, p.lhs);
  p.rhs = {{}, per_axis};
  p.result = {{}, per_axis};
  const double ratio = random.of(tried_scales) * static_cast<double>(random.whole(1, 40));
  for (std::int64_t c = 0; c < (per_axis ? channels : 1); ++c) {
    p.rhs.each.push_back(uniform(storage, random.of(tried_scales), 0));
    p.result.each.push_back(uniform(result, free ? random.of(tried_scales) : p.rhs.each.back().scale * ratio, 0));
    if (!per_axis || free) p.result.each.back().zero_point = zero_point_of(random, p.result.each.back());
  }
  if (random.whole(0, 7) == 0)  // a factor within a thousandth of 1
    for (std::size_t c = 0; c < p.result.each.size(); ++c) p.result.each[c].scale = p.lhs.scale * p.rhs.each[c].scale * 1.00095;
  return p;
}

TEST(StablehloInterpreter, DotGeneral) {
  std::int64_t points = 0;
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    Random random(seed);
    constexpr std::pair<const char*, const char*> types[] = {{"i8", "i8"},   {"i8", "i32"}, {"u8", "u8"},  {"i4", "i4"},
                                                             {"i16", "i16"}, {"i8", "i16"}, {"u8", "i32"}, {"i16", "i32"}};
    const auto [storage, stored] = random.of(types);
    const bool per_axis = random.whole(0, 1) == 1;
    const std::int64_t rows = 20, depth = random.whole(1, 70), columns = 24;
    ContractionParameters p = contraction_parameters(random, storage, stored, columns, per_axis, true);
    if (random.whole(0, 5) == 0 && p.result.each[0].is_signed)
      for (Uniform& one : p.result.each) one.range.min = -one.range.max, one.zero_point = std::max(one.zero_point, one.range.min);
    const Codes l = random.codes(rows * depth, p.lhs.range), r = random.codes(depth * columns, p.rhs.each[0].range);
    const OpCall call = dot_call(code_tensor(quantized_type({{p.lhs}}, {rows, depth}, 0), l), code_tensor(quantized_type(p.rhs, {depth, columns}, 1), r),
                                 quantized_type(p.result, {rows, columns}, 1));
    points += compare_elements(call, rows * columns, [&](std::int64_t i) {
      Codes right;
      for (std::int64_t k = 0; k < depth; ++k) right.push_back(r[static_cast<std::size_t>(k * columns + i % columns)]);
      return twin::integer_contraction(std::span(l).subspan(static_cast<std::size_t>(i / columns * depth), static_cast<std::size_t>(depth)), right, p.lhs,
                                       p.rhs, p.result);
    });
  }
  std::printf("  %lld points, seeds 0 to 239\n", static_cast<long long>(points));
  EXPECT_GE(points, 100000);
}

/// rhs per axis and one scale for the result: the program in floats.
TEST(StablehloInterpreter, DotGeneralInFloats) {
  std::int64_t points = 0;
  for (std::uint64_t seed = 1000; seed < 1060; ++seed) {
    Random random(seed);
    const std::int64_t rows = 16, depth = random.whole(1, 40), columns = 12;
    ContractionParameters p = contraction_parameters(random, random.whole(0, 1) == 0 ? "i8" : "u8", random.whole(0, 1) == 0 ? "i8" : "u8", columns, true, true);
    p.result.per_axis = false;
    p.result.each.resize(1);
    const Codes l = random.codes(rows * depth, p.lhs.range), r = random.codes(depth * columns, p.rhs.each[0].range);
    const OpCall call = dot_call(code_tensor(quantized_type({{p.lhs}}, {rows, depth}, 0), l), code_tensor(quantized_type(p.rhs, {depth, columns}, 1), r),
                                 quantized_type(p.result, {rows, columns}, 1));
    const twin::Arithmetic arithmetic{.reading = twin::Reading::interpreter};
    points += compare_elements(call, rows * columns, [&](std::int64_t i) {
      Floats left, right;
      for (std::int64_t k = 0; k < depth; ++k) {
        left.push_back(static_cast<float>(twin::dequantize(l[static_cast<std::size_t>(i / columns * depth + k)], p.lhs, arithmetic)));
        right.push_back(static_cast<float>(twin::dequantize(r[static_cast<std::size_t>(k * columns + i % columns)], p.rhs.at(i % columns), arithmetic)));
      }
      return twin::quantize(static_cast<double>(twin::float_contraction(left, right)), p.result.each[0], arithmetic);
    });
  }
  std::printf("  %lld points, seeds 1000 to 1059\n", static_cast<long long>(points));
}

twin::Convolution convolution_shape(Random& random) {
  twin::Convolution c{.height = random.whole(4, 9), .width = random.whole(4, 9), .groups = random.whole(0, 3) == 0 ? 2 : 1};
  c.batch = random.whole(1, 2);
  c.features = 2 * random.whole(1, 4);
  c.outputs = 2 * random.whole(1, 5);
  c.kernel_height = random.whole(1, 3);
  c.kernel_width = random.whole(1, 3);
  c.stride = random.whole(1, 2);
  c.dilation = c.kernel_height < 3 && c.kernel_width < 3 ? random.whole(1, 2) : 1;
  c.pad = random.whole(0, 2);
  c.features_last = random.whole(0, 1) == 1;
  return c;
}

std::int64_t compare_convolution(Random& random, const twin::Convolution& c, const ContractionParameters& p, bool integers) {
  const Codes l = random.codes(size_of(lhs_shape(c)), p.lhs.range), r = random.codes(size_of(rhs_shape(c)), p.rhs.each[0].range);
  const OpCall call = convolution_call(c, code_tensor(quantized_type({{p.lhs}}, lhs_shape(c), 0), l),
                                       code_tensor(quantized_type(p.rhs, rhs_shape(c), c.features_last ? 3 : 0), r),
                                       quantized_type(p.result, result_shape(c), c.features_last ? 3 : 1));
  const twin::Arithmetic arithmetic{.reading = twin::Reading::interpreter};
  std::vector<twin::ResultPlace> by_offset(static_cast<std::size_t>(size_of(result_shape(c))));
  for (twin::ResultPlace& place : twin::result_places(c)) by_offset[static_cast<std::size_t>(place.offset)] = std::move(place);
  return compare_elements(call, size_of(result_shape(c)), [&](std::int64_t i) {
    const twin::ResultPlace& place = by_offset[static_cast<std::size_t>(i)];
    Codes left, right;
    Floats left_floats, right_floats;
    for (const twin::Tap& tap : place.taps) {
      right.push_back(r[static_cast<std::size_t>(tap.rhs)]);
      left.push_back(tap.lhs < 0 ? p.lhs.zero_point : l[static_cast<std::size_t>(tap.lhs)]);
      left_floats.push_back(tap.lhs < 0 ? 0.0f : static_cast<float>(twin::dequantize(left.back(), p.lhs, arithmetic)));
      right_floats.push_back(static_cast<float>(twin::dequantize(right.back(), p.rhs.at(place.channel), arithmetic)));
    }
    if (integers) return twin::integer_contraction(left, right, p.lhs, p.rhs, p.result);
    return twin::quantize(static_cast<double>(twin::float_contraction(left_floats, right_floats)), p.result.at(place.channel), arithmetic);
  });
}

TEST(StablehloInterpreter, Convolution) {
  std::int64_t points = 0;
  for (std::uint64_t seed = 2000; seed < 2420; ++seed) {
    Random random(seed);
    const twin::Convolution c = convolution_shape(random);
    const bool per_axis = c.features_last && random.whole(0, 1) == 1;
    constexpr std::pair<const char*, const char*> types[] = {{"i8", "i8"}, {"i8", "i32"}, {"u8", "u8"}};
    const auto [storage, stored] = random.of(types);
    points += compare_convolution(random, c, contraction_parameters(random, storage, stored, c.outputs, per_axis, false), true);
  }
  std::printf("  %lld points, seeds 2000 to 2419\n", static_cast<long long>(points));
  EXPECT_GE(points, 100000);
}

/// What sends a convolution back to floats: a zero point of rhs, scales without a proportion, zero points of a result per axis, a kernel per axis with features
/// first.
TEST(StablehloInterpreter, ConvolutionInFloats) {
  std::int64_t points = 0;
  for (std::uint64_t seed = 3000; seed < 3160; ++seed) {
    Random random(seed);
    twin::Convolution c = convolution_shape(random);
    const bool per_axis = seed % 4 != 0;
    if (seed % 4 == 3) c.features_last = false;
    if (seed % 4 == 1 || seed % 4 == 2) c.features_last = true;
    const std::string storage = random.whole(0, 1) == 0 ? "i8" : "u8";
    ContractionParameters p = contraction_parameters(random, storage, random.whole(0, 1) == 0 ? storage : "i32", c.outputs, per_axis, false);
    if (seed % 4 == 0) p.rhs.each[0].zero_point = random.whole(1, 100);
    if (seed % 4 == 1) p.result.each.back().scale *= 1.003;
    if (seed % 4 == 2) p.result.each.back().zero_point = 1;
    points += compare_convolution(random, c, p, false);
  }
  std::printf("  %lld points, seeds 3000 to 3159\n", static_cast<long long>(points));
}

TEST(StablehloInterpreter, Requantize) {
  std::int64_t points = 0;
  for (std::uint64_t seed = 4000; seed < 4700; ++seed) {
    Random random(seed);
    constexpr const char* storages[] = {"i4", "i8", "i16", "i32", "u8", "u4"};
    const std::string from = random.of(storages), to = random.of(storages);
    const int kind = static_cast<int>(random.whole(0, 3));  // per axis: neither, the operand, the result, both
    const std::int64_t channels = 6, length = 40;
    Channels operand{{}, (kind & 1) != 0}, result{{}, (kind & 2) != 0};
    for (std::int64_t c = 0; c < channels; ++c) {
      operand.each.push_back(uniform(from, random.of(tried_scales), 0));
      operand.each.back().zero_point = zero_point_of(random, operand.each.back());
      result.each.push_back(uniform(to, random.of(tried_scales), 0));
      result.each.back().zero_point = zero_point_of(random, result.each.back());
    }
    if (!operand.per_axis) operand.each.resize(1);
    if (!result.per_axis) result.each.resize(1);
    if (from == to && kind != 1 && kind != 2 && random.whole(0, 4) == 0) result = operand;
    bool same = from == to && operand.per_axis == result.per_axis;
    for (std::size_t c = 0; same && c < operand.each.size(); ++c)
      same = operand.each[c].scale == result.each[c].scale && operand.each[c].zero_point == result.each[c].zero_point;
    const Codes codes = random.codes(channels * length, operand.each[0].range);
    const OpCall call{.op = "stablehlo.uniform_quantize",
                      .operands = {code_tensor(quantized_type(operand, {length, channels}, 1), codes)},
                      .result_types = {quantized_type(result, {length, channels}, 1)}};
    points += compare_elements(call, channels * length, [&](std::int64_t i) {
      return twin::requantize(codes[static_cast<std::size_t>(i)], operand.at(i % channels), result.at(i % channels), same);
    });
  }
  std::printf("  %lld points, seeds 4000 to 4699\n", static_cast<long long>(points));
  EXPECT_GE(points, 100000);
}

TEST(StablehloInterpreter, HybridDotGeneral) {
  std::int64_t points = 0;
  for (std::uint64_t seed = 5000; seed < 5080; ++seed) {
    Random random(seed);
    const std::int64_t rows = 16, depth = random.whole(1, 60), columns = 20;
    Channels rhs{{}, random.whole(0, 1) == 1};
    const char* storage = random.whole(0, 1) == 0 ? "i8" : "i4";
    for (std::int64_t c = 0; c < (rhs.per_axis ? columns : 1); ++c) rhs.each.push_back(uniform(storage, random.of(tried_scales), 0));
    const bool brain = seed % 2 == 1;
    const std::string format = brain ? "bf16" : "f32";
    Floats l = random.floats(rows * depth, 6);
    for (float& v : l) v = brain ? static_cast<float>(twin::in_expressed(static_cast<double>(v), twin::Expressed::bf16)) : v;
    const Codes r = random.codes(depth * columns, rhs.each[0].range);
    const OpCall call =
        dot_call(float_tensor(format, {rows, depth}, l), code_tensor(quantized_type(rhs, {depth, columns}, 1, format), r), float_type(format, {rows, columns}));
    auto results = run_profile(call, interpreter);
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::int64_t i = 0; i < rows * columns; ++i, ++points) {
      double sum = 0;
      for (std::int64_t k = 0; k < depth; ++k) {
        const float left = l[static_cast<std::size_t>(i / columns * depth + k)],
                    right = twin::hybrid_weight(r[static_cast<std::size_t>(k * columns + i % columns)], rhs.at(i % columns));
        const twin::Expressed e = brain ? twin::Expressed::bf16 : twin::Expressed::f32;
        const double product = twin::operate(twin::Operation::multiply, static_cast<double>(left), twin::in_expressed(static_cast<double>(right), e), e);
        sum = twin::operate(twin::Operation::add, sum, product, e);
      }
      ASSERT_EQ(results->front().tensor.value(i).to_double(), sum) << format << " seed " << seed << " [" << i << "]";
    }
  }
  std::printf("  %lld points, seeds 5000 to 5079\n", static_cast<long long>(points));
}

/// What differs from the text without a word, as published: codes under the interpreter, and under the text.
TEST(StablehloInterpreter, SilentDifferences) {
  auto codes = [](const OpCall& call, const char* profile) {
    auto results = run_profile(call, profile);
    Codes found;
    EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
    for (std::int64_t i = 0; results && i < results->front().tensor.size(); ++i) found.push_back(integer_at(results->front(), i).value_or(-999));
    return found;
  };
  auto one = [](const char* storage, double scale, std::int64_t zero_point) { return Channels{{uniform(storage, scale, zero_point)}}; };
  auto dot = [](const Channels& l, Shape left, const Codes& lc, const Channels& r, Shape right, const Codes& rc, const Channels& y) {
    const Shape shape{left[0], right[1]};
    return dot_call(code_tensor(quantized_type(l, left, 0), lc), code_tensor(quantized_type(r, right, 1), rc), quantized_type(y, shape, 1));
  };
  const OpCall wraps = dot(one("i8", 0.1, 0), {3, 1}, {100, 7, -7}, one("i8", 0.1, 0), {1, 1}, {10}, one("i8", 0.05, 0));
  EXPECT_EQ(codes(wraps, interpreter), (Codes{-56, 14, -14}));
  EXPECT_EQ(codes(wraps, "stablehlo-spec"), (Codes{127, 14, -14}));
  const OpCall cuts = dot(one("i8", 0.5, 0), {4, 1}, {7, -7, 5, 127}, one("i8", 1, 0), {1, 1}, {1}, one("i8", 1, 0));
  EXPECT_EQ(codes(cuts, interpreter), (Codes{3, -3, 2, 63}));
  EXPECT_EQ(codes(cuts, "stablehlo-spec"), (Codes{4, -4, 2, 64}));
  const OpCall skips = dot(one("i8", 0.1, 0), {1, 64}, Codes(64, 127), one("i8", 0.1, 0), {64, 1}, Codes(64, 127), one("i32", 0.0100095, 0));
  EXPECT_EQ(codes(skips, interpreter), (Codes{1032256}));
  EXPECT_EQ(codes(skips, "stablehlo-spec"), (Codes{1031276}));
  const Channels rhs{{uniform("i8", 0.1, 0), uniform("i8", 0.2, 0), uniform("i8", 0.3, 0), uniform("i8", 0.4, 0)}, true},
      result{std::vector<Uniform>(4, uniform("i8", 0.2, 0)), true};
  const OpCall channels = dot(one("i8", 0.1, -3), {1, 2}, {7, 3}, rhs, {2, 4}, {1, 2, 3, 4, 5, 6, 7, -8}, result);
  EXPECT_EQ(codes(channels, interpreter), (Codes{1, 2, 3, 0}));
  EXPECT_EQ(codes(channels, "stablehlo-spec"), (Codes{2, 6, 11, -2}));
  const OpCall quantize{
      .op = "stablehlo.uniform_quantize", .operands = {float_tensor("f32", {2}, {1.5f, 1e9f})}, .result_types = {quantized_type(one("u8", 0.1, 128), {2}, 0)}};
  EXPECT_EQ(codes(quantize, interpreter), (Codes{127, 127}));
  EXPECT_EQ(codes(quantize, "stablehlo-spec"), (Codes{143, 255}));

  auto floats = [](const Channels& type, const Codes& values, const char* profile) {
    const auto size = static_cast<std::int64_t>(values.size());
    auto results = run_profile(
        {.op = "stablehlo.uniform_dequantize", .operands = {code_tensor(quantized_type(type, {size}, 0), values)}, .result_types = {float_type("f32", {size})}},
        profile);
    Floats found;
    EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
    for (std::int64_t i = 0; results && i < size; ++i) found.push_back(f32_at(results->front().tensor, i));
    return found;
  };
  EXPECT_EQ(floats(one("u8", 0.1, 128), {0, 5, 128, 255}, interpreter), (Floats{-12.8f, -123 * 0.1f, -25.6f, -129 * 0.1f}));
  EXPECT_EQ(floats(one("u8", 0.1, 128), {0, 5, 128, 255}, "stablehlo-spec"), (Floats{-12.8f, -123 * 0.1f, 0.0f, 127 * 0.1f}));
  EXPECT_EQ(floats(one("i32", 1, -2), {2147483647}, interpreter), (Floats{-2147483648.0f}));
  EXPECT_EQ(floats(one("i32", 1, -2), {2147483647}, "stablehlo-spec"), (Floats{2147483648.0f}));

  Tensor truth = *Tensor::zeros({*ElementType::parse("bool"), {4}, {}});
  for (std::int64_t i = 0; i < 4; ++i) truth.set_code(i, 1);
  const Tensor a = code_tensor(quantized_type(one("i8", 0.1, 0), {4}, 0), {10, 20, 40, 80});
  const OpCall select{.op = "stablehlo.select", .operands = {truth, a, a}, .result_types = {quantized_type(one("i8", 0.2, 0), {4}, 0)}};
  EXPECT_EQ(codes(select, interpreter), (Codes{10, 20, 40, 80}));
  EXPECT_EQ(codes(select, "stablehlo-spec"), (Codes{5, 10, 20, 40}));
}

/// Published rates of results that differ between interpreter and text: a plausibility check of both, with operands of our own.
TEST(StablehloInterpreter, RatesOfDifference) {
  struct Row {
    const char* name;
    std::int64_t lhs_zero_point;
    double result_scale, least, greatest;  // percent
  };
  constexpr Row rows[] = {
      {"zero point of lhs, scale 0.7", 5, 0.7, 48, 70}, {"no zero points, scale 0.7", 0, 0.7, 40, 62}, {"scale 0.25, saturating", 5, 0.25, 60, 88}};
  for (const Row& row : rows) {
    Random random(77);
    const Channels lhs{{uniform("i8", 0.05, row.lhs_zero_point)}}, rhs{{uniform("i8", 0.02, 0)}}, result{{uniform("i8", row.result_scale, 0)}};
    const OpCall call = dot_call(code_tensor(quantized_type(lhs, {32, 64}, 0), random.codes(32 * 64, {-128, 127})),
                                 code_tensor(quantized_type(rhs, {64, 32}, 0), random.codes(64 * 32, {-128, 127})), quantized_type(result, {32, 32}, 0));
    auto a = run_profile(call, interpreter), b = run_profile(call, "stablehlo-spec");
    ASSERT_TRUE(a && b);
    int differ = 0;
    for (std::int64_t i = 0; i < 1024; ++i) differ += integer_at(a->front(), i) != integer_at(b->front(), i) ? 1 : 0;
    std::printf("  %s: %.1f %%\n", row.name, differ / 10.24);
    EXPECT_GE(differ / 10.24, row.least);
    EXPECT_LE(differ / 10.24, row.greatest);
  }
}

}  // namespace
}  // namespace tiebreak
