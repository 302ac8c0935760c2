// SPDX-License-Identifier: Apache-2.0
// Quantized operators that frontends emit as chains, parameters for each index of an axis, and simulated quantization, against the oracle.
#include "testsuite/oracle/qnn/qnn_chains.hpp"

#include "testsuite/unit/helpers/qnn_calls.hpp"

namespace tiebreak::qnn_test {
namespace {

namespace twin = oracle::qnn;

twin::Range bytes(const std::string& type) { return type == "i8" ? twin::Range{-128, 127} : twin::Range{0, 255}; }

constexpr std::pair<twin::Parameters, twin::Parameters> changes[] = {
    {{0.5f, 3}, {0.5f, 3}}, {{0.5f, 3}, {1.0f, 7}}, {{0.1f, 100}, {0.07f, 5}}, {{0.0117647f, 85}, {0.0235294f, 120}}};

const std::pair<const char*, twin::Context> roundings_of_context[] = {{"tvm-0.18", {}}, {"tvm-0.18-int64-tonearest", {twin::Rounding::tonearest}}};

std::vector<Tensor> with_parameters(Tensor data, const twin::Parameters& from, const twin::Parameters& to) {
  return {std::move(data), number(from.scale), integer(from.zero_point), number(to.scale), integer(to.zero_point)};
}

OpCall call_of(const std::string& op, std::vector<Tensor> operands, AttributeMap attributes = {}) {
  OpCall call{.op = op, .attributes = std::move(attributes)};
  for (Tensor& operand : operands) call.operands.emplace_back(std::move(operand));
  return call;
}

std::vector<Tensor> vector_parameters(const std::vector<twin::Parameters>& parameters) {
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  for (const twin::Parameters& one : parameters) scales.push_back(one.scale), zero_points.push_back(one.zero_point);
  return {floats_tensor({static_cast<std::int64_t>(scales.size())}, scales), line("i32", zero_points)};
}

/// Every pair of codes, under four sets of parameters along the last axis.
TEST(QnnPerAxis, EveryPairOfCodes) {
  const std::vector<twin::Parameters> a{{0.125f, 0, false}, {0.0156863f, 12, false}, {1.0f / 3, -5, false}, {0.25f, 9, false}},
      b{{0.125f, 1, false}, {0.0117647f, 85, false}, {0.5f, 11, false}, {0.25f, 9, false}};
  const twin::Parameters to{0.25f, 9};
  const std::vector<std::int64_t> codes = all_codes("i8");
  std::vector<std::int64_t> repeated;
  for (std::int64_t code : codes) repeated.insert(repeated.end(), 4, code);
  for (const auto& [profile, context] : roundings_of_context)
    for (const std::string op : {"qnn.add", "qnn.subtract", "qnn.mul"}) {
      std::vector<Tensor> operands{codes_tensor("i8", {256, 1, 4}, repeated), codes_tensor("i8", {1, 256, 4}, repeated)};
      for (const auto& side : {a, b})
        for (Tensor& one : vector_parameters(side)) operands.push_back(std::move(one));
      operands.push_back(number(to.scale));
      operands.push_back(integer(to.zero_point));
      auto result = run(call_of(op, std::move(operands)), profile);
      ASSERT_TRUE(result) << to_text(result.error());
      const auto twin_op = op == "qnn.add" ? twin::add : op == "qnn.mul" ? twin::multiply : twin::subtract;
      const auto expected = [&, context = context](std::int64_t i) {
        const auto axis = static_cast<std::size_t>(i % 4);
        return twin_op(codes[static_cast<std::size_t>(i / 1024)], codes[static_cast<std::size_t>(i / 4 % 256)], a[axis], b[axis], to, bytes("i8"), context);
      };
      EXPECT_EQ(wrong(*result, expected, op + " " + profile), 0);
    }
}

TEST(QnnChains, ReluAndClipOfEveryCode) {
  for (const std::string type : {"i8", "u8"})
    for (const auto& [from, to] : changes) {
      const std::vector<std::int64_t> codes = all_codes(type);
      for (const auto& [profile, context] : roundings_of_context) {
        auto result = run(call_of("qnn.relu", with_parameters(line(type, codes), from, to)), profile);
        ASSERT_TRUE(result) << to_text(result.error());
        EXPECT_EQ(wrong(
                      *result,
                      [&, from = from, to = to, context = context](std::int64_t i) {
                        return twin::relu(codes[static_cast<std::size_t>(i)], from, to, bytes(type), context);
                      },
                      "relu " + type),
                  0);
      }
      for (const auto& [profile, bound] :
           {std::pair{"tvm-0.18", twin::Bound::after}, std::pair{"tvm-0.18-pytorch", twin::Bound::before}, std::pair{"tvm-0.18-fq2i", twin::Bound::cut}})
        for (const auto& [least, greatest] : {std::pair{0.0, 6.0}, std::pair{-1.0, 1.0}, std::pair{-0.7, 2.3}}) {
          auto result = run(call_of("qnn.clip", {line(type, codes), number(from.scale), integer(from.zero_point)},
                                    {{"a_min", Attribute{Real::from_double(least)}}, {"a_max", Attribute{Real::from_double(greatest)}}}),
                            profile);
          ASSERT_TRUE(result) << to_text(result.error());
          const std::int64_t low = twin::bound_code(least, from, bytes(type), bound), high = twin::bound_code(greatest, from, bytes(type), bound);
          EXPECT_EQ(wrong(
                        *result, [&](std::int64_t i) { return std::optional(std::clamp(codes[static_cast<std::size_t>(i)], low, high)); },
                        std::string("clip ") + profile),
                    0);
        }
    }
}

TEST(QnnChains, MeansOfRandomRows) {
  std::mt19937_64 generator(seed);
  for (const std::string type : {"i8", "u8"})
    for (const std::int64_t length : {1, 2, 3, 7, 49})
      for (const auto& [from, to] : changes) {
        std::vector<std::int64_t> codes;
        for (std::int64_t i = 0; i < 60 * length; ++i) codes.push_back(static_cast<std::int64_t>(generator() % 256) - (type == "i8" ? 128 : 0));
        const auto row = [&](std::int64_t i) { return std::span(codes).subspan(static_cast<std::size_t>(i * length), static_cast<std::size_t>(length)); };
        const auto means = call_of("qnn.mean", with_parameters(codes_tensor(type, {60, length}, codes), from, to), {{"axis", Attribute{Real(1)}}});
        const auto pools = call_of("qnn.global_avg_pool2d", with_parameters(codes_tensor(type, {1, 60, 1, length}, codes), from, to));
        for (const auto& [profile, context] : roundings_of_context) {
          auto mean = run(means, profile), pool = run(pools, profile);
          ASSERT_TRUE(mean && pool) << to_text(mean ? pool.error() : mean.error());
          EXPECT_EQ(
              wrong(
                  *mean, [&, from = from, to = to, context = context](std::int64_t i) { return twin::integer_mean(row(i), from, to, bytes(type), context); },
                  "mean"),
              0);
          EXPECT_EQ(
              wrong(
                  *pool, [&, from = from, to = to, context = context](std::int64_t i) { return twin::pooled_mean(row(i), from, to, bytes(type), context); },
                  "global_avg_pool2d"),
              0);
        }
        auto floats = run(means, "tvm-0.18-pytorch");
        ASSERT_TRUE(floats) << to_text(floats.error());
        EXPECT_EQ(wrong(
                      *floats, [&, from = from, to = to](std::int64_t i) { return twin::float_mean(row(i), from, to, bytes(type)); }, "mean in floats"),
                  0);
      }
}

TEST(QnnChains, NearestPlaces) {
  const std::pair<const char*, char> modes[] = {{"half_pixel", 'h'}, {"align_corners", 'a'}, {"asymmetric", 's'}};
  const std::pair<const char*, char> roundings[] = {{"", 0},        {"round", 'r'}, {"round_prefer_floor", 'p'}, {"round_prefer_ceil", 'q'},
                                                    {"floor", 'f'}, {"ceil", 'c'}};
  for (const std::int64_t n : {2, 3, 5, 7, 13})
    for (std::int64_t m = 2; m < 30; ++m)
      for (const auto& [mode, coordinates] : modes)
        for (const auto& [word, rounding] : roundings) {
          std::vector<std::int64_t> codes;
          for (std::int64_t i = 0; i < n; ++i) codes.push_back(i);
          auto result = run(call_of("qnn.resize2d", {codes_tensor("i8", {1, 1, n, 1}, codes)},
                                    {{"size", Attribute::integers({m, 2})},
                                     {"coordinate_transformation_mode", Attribute{std::string(mode)}},
                                     {"rounding_method", Attribute{std::string(word)}}}),
                            "tvm-0.18");
          ASSERT_TRUE(result) << to_text(result.error());
          EXPECT_EQ(wrong(
                        *result,
                        [&, c = coordinates, r = rounding](std::int64_t i) {
                          return std::optional(twin::nearest_place(i / 2, n, m, {c, r}));
                        },
                        std::string(mode) + " " + word),
                    0);
        }
}

TEST(QnnSimulated, EveryHalfAndEveryCode) {
  std::vector<float> x;
  for (std::uint64_t code = 0; code < 65536; ++code) {
    const float value = static_cast<float>(decode(code, *find_float_format("f16")).to_double());
    if (!std::isnan(value)) x.push_back(value);
  }
  for (const int type : {0, 1, 2, 3, 4, -1})
    for (const twin::Parameters& to : {twin::Parameters{0.1f, 7}, twin::Parameters{0.5f, -3}, twin::Parameters{3e-7f, 16777217}})
      for (const bool even : {false, true}) {
        const auto size = static_cast<std::int64_t>(x.size());
        auto codes = run(call_of("qnn.simulated_quantize", {floats_tensor({size}, x), integer(type), number(to.scale), integer(to.zero_point)}), "tvm-0.18",
                         {{"qnn.quantize/tie", even ? "even" : "away"}});
        auto values = run(call_of("qnn.simulated_dequantize", {floats_tensor({size}, x), integer(type), number(to.scale), integer(to.zero_point)}), "tvm-0.18");
        ASSERT_TRUE(codes && values) << to_text(codes ? values.error() : codes.error());
        int unequal = 0;
        for (std::int64_t i = 0; i < size; ++i) {
          const float value = x[static_cast<std::size_t>(i)];
          unequal += f32_at(codes->tensor, i) != twin::simulated_quantize(value, type, to, even) ? 1 : 0;
          unequal += f32_at(values->tensor, i) != twin::simulated_dequantize(value, type, to) ? 1 : 0;
        }
        EXPECT_EQ(unequal, 0) << "type " << type << " scale " << to.scale;
      }
}

}  // namespace
}  // namespace tiebreak::qnn_test
