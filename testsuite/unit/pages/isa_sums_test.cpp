// SPDX-License-Identifier: Apache-2.0
// The sums that a vendor's kernels make without VNNI or AMX, against the oracle: matrix products and convolutions, with and without zero points,
// on codes of the whole range, on codes at its ends (where pairs saturate) and on depths that pass 2^24.
#include "testsuite/oracle/onnx/isa_sums.hpp"

#include "testsuite/unit/helpers/microsoft_call.hpp"

namespace tiebreak {
namespace {

using oracle::SumItems;

constexpr std::int64_t result_count = 8;

/// One tensor of codes under the results and one column (or channel) of weights for each of them.
struct Drawn {
  bool is_signed = false;
  std::int64_t depth = 1, taps = 1, x_zero_point = 0, w_zero_point = 0;
  std::vector<std::int64_t> x{}, w{};  ///< x tap-major; w result-major, then tap-major

  std::string type() const { return is_signed ? "i8" : "u8"; }
  SumItems items(std::int64_t result) const {
    SumItems items{{x.begin(), x.end()}, {}, depth, is_signed, static_cast<std::int32_t>(x_zero_point), static_cast<std::int32_t>(w_zero_point)};
    items.w.assign(w.begin() + result * depth * taps, w.begin() + (result + 1) * depth * taps);
    return items;
  }
};

Drawn draw_items(Draw& draw, bool is_signed, std::int64_t depth, std::int64_t taps, bool ends, bool with_x_zero, bool with_w_zero) {
  const oracle::CodeRange range = oracle::integer_range(is_signed, 8), weights = oracle::integer_range(true, 8);
  Drawn result{is_signed, depth, taps, with_x_zero ? draw.code(range) : 0, with_w_zero ? draw.code(weights) : 0, {}, {}};
  // At the ends: the greatest code of x against weights of either end, so that most pairs saturate and sums grow to one side.
  const auto code = [&](oracle::CodeRange of) { return !ends ? draw.code(of) : draw.below(8) == 0 ? of.min : of.max - draw.below(3); };
  for (std::int64_t i = 0; i < depth * taps; ++i) result.x.push_back(code(range));
  for (std::int64_t i = 0; i < depth * taps * result_count; ++i) result.w.push_back(code(weights));
  return result;
}

/// Elements that are not `expected(items of the result, its number)`.
template <class Expected>
int wrong_results(const OpCall& call, const Profile& profile, const Drawn& data, Expected expected) {
  auto answer = evaluate({*spec_pages(), profile}, call);
  EXPECT_TRUE(answer) << to_text(answer.error());
  if (!answer) return -1;
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < result_count; ++i) numbers.push_back(expected(data.items(i), i));
  return mismatches(answer->front().tensor, numbers);
}

std::vector<std::int64_t> weight_columns(const Drawn& data) {
  std::vector<std::int64_t> turned;
  for (std::int64_t k = 0; k < data.depth; ++k)
    for (std::int64_t i = 0; i < result_count; ++i) turned.push_back(data.w[static_cast<std::size_t>(i * data.depth + k)]);
  return turned;
}

/// [outer, taps, depth] as [outer, depth, taps].
std::vector<std::int64_t> channels_first(const std::vector<std::int64_t>& codes, const Drawn& data) {
  std::vector<std::int64_t> turned;
  for (std::size_t outer = 0; outer < codes.size(); outer += static_cast<std::size_t>(data.depth * data.taps))
    for (std::int64_t c = 0; c < data.depth; ++c)
      for (std::int64_t t = 0; t < data.taps; ++t) turned.push_back(codes[outer + static_cast<std::size_t>(t * data.depth + c)]);
  return turned;
}

std::int64_t rounded_code(double accumulator, int places) {
  return static_cast<std::int64_t>(std::clamp(std::nearbyint(std::ldexp(accumulator, -places)), -128.0, 127.0));
}

template <class Body>
void each_drawn(std::uint32_t seed, std::int64_t taps, bool weights_have_zero, Body body) {
  Draw draw(seed);
  for (bool is_signed : {false, true})
    for (std::int64_t depth : {1, 3, 64, 1301})
      for (int form = 0; form < 8; ++form) body(draw_items(draw, is_signed, depth, taps, form % 2 == 1, (form & 2) != 0, weights_have_zero && (form & 4) != 0));
}

TEST(IsaSums, MatMulInteger) {
  each_drawn(61, 1, true, [](const Drawn& data) {
    const OpCall call{.op = "onnx.MatMulInteger",
                      .operands = {codes_tensor(data.type(), {1, data.depth}, data.x), codes_tensor("i8", {data.depth, result_count}, weight_columns(data)),
                                   code_tensor(data.type(), data.x_zero_point), code_tensor("i8", data.w_zero_point)},
                      .version = 10,
                      .where = "matrix"};
    const auto check = [&](const std::string& name, auto function) {
      EXPECT_EQ(wrong_results(call, profile_with({{"onnx.MatMulInteger/accumulator", name}}), data,
                              [&](const SumItems& items, std::int64_t) { return function(items); }),
                0)
          << name << " " << data.type() << " depth " << data.depth;
    };
    check("pairs_plus_128", oracle::pairs_raised);
    check("pairs_plus_128_either_side", oracle::pairs_raised_right);
    check("pairs_plus_128_if_no_zero_point", oracle::pairs_plain);
    check("wrap_if_no_zero_point", oracle::wrap_plain);
  });
}

TEST(IsaSums, QLinearMatMul) {
  each_drawn(62, 1, true, [](const Drawn& data) {
    const OpCall call{.op = "onnx.QLinearMatMul",
                      .operands = {codes_tensor(data.type(), {1, data.depth}, data.x), scale_tensor(0x1p-12f), code_tensor(data.type(), data.x_zero_point),
                                   codes_tensor("i8", {data.depth, result_count}, weight_columns(data)), scale_tensor(1), code_tensor("i8", data.w_zero_point),
                                   scale_tensor(1), code_tensor("i8", 0)},
                      .version = 10,
                      .where = "matrix"};
    const auto check = [&](const std::string& name, auto function) {
      EXPECT_EQ(wrong_results(call, profile_with({{"onnx.QLinearMatMul/accumulator", name}}), data,
                              [&](const SumItems& items, std::int64_t) { return rounded_code(function(items), 12); }),
                0)
          << name << " " << data.type() << " depth " << data.depth;
    };
    check("pairs_plus_128", oracle::pairs_raised);
    check("pairs_plus_128_either_side", oracle::pairs_raised_right);
    check("pairs_plus_128_if_no_zero_point", oracle::pairs_plain_unstored);
  });
}

void check_convolutions(std::uint32_t seed, std::int64_t taps) {
  each_drawn(seed, taps, false, [](const Drawn& data) {
    const OpCall call{
        .op = "onnx.ConvInteger",
        .operands = {codes_tensor(data.type(), {1, data.depth, data.taps}, channels_first(data.x, data)),
                     codes_tensor("i8", {result_count, data.depth, data.taps}, channels_first(data.w, data)), code_tensor(data.type(), data.x_zero_point)},
        .version = 10,
        .where = "convolution"};
    const auto check = [&](const std::string& name, auto function) {
      EXPECT_EQ(wrong_results(call, profile_with({{"onnx.ConvInteger/accumulator", name}}), data,
                              [&](const SumItems& items, std::int64_t) { return function(items); }),
                0)
          << name << " " << data.type() << " depth " << data.depth;
    };
    check("column_pairs", oracle::column_pairs);
    check("plus_128_through_f32", oracle::raised_store);
    check("plus_128_if_no_zero_point", oracle::raised_plain);
    check("through_f32_if_zero_point_or_i8", oracle::f32_moved);
    if (data.is_signed) check("pairs_through_f32", oracle::halves_store);
    if (!data.is_signed) check("pairs_through_f32", oracle::pairs_store);
    if (!data.is_signed) check("row_pairs_through_f32", oracle::rows_store);
  });
}

TEST(IsaSums, ConvInteger) { check_convolutions(63, 3); }
TEST(IsaSums, ConvIntegerOfOneTap) { check_convolutions(65, 1); }

TEST(IsaSums, QLinearConv) {
  each_drawn(64, 3, false, [](const Drawn& data) {
    std::vector<std::int64_t> bias;
    for (std::int64_t i = 0; i < result_count; ++i) bias.push_back((i - 3) * 16777217 + i);
    const OpCall call{
        .op = "onnx.QLinearConv",
        .operands = {codes_tensor(data.type(), {1, data.depth, data.taps}, channels_first(data.x, data)), scale_tensor(0x1p-14f),
                     code_tensor(data.type(), data.x_zero_point), codes_tensor("i8", {result_count, data.depth, data.taps}, channels_first(data.w, data)),
                     scale_tensor(1), code_tensor("i8", 0), scale_tensor(1), code_tensor("i8", 0), codes_tensor("i32", {result_count}, bias)},
        .version = 10,
        .where = "convolution"};
    const auto check = [&](const std::string& name, auto function) {
      EXPECT_EQ(wrong_results(call, profile_with({{"onnx.QLinearConv/accumulator", name}}), data,
                              [&](const SumItems& items, std::int64_t i) {
                                return rounded_code(static_cast<double>(function(items, static_cast<std::int32_t>(bias[static_cast<std::size_t>(i)]))), 14);
                              }),
                0)
          << name << " " << data.type() << " depth " << data.depth;
    };
    if (data.is_signed) check("pairs_bias_in_f32", oracle::halves_f32_bias);
    if (!data.is_signed) check("pairs_bias_in_f32", oracle::pairs_f32_bias);
    if (!data.is_signed) check("row_pairs_bias_in_f32", oracle::rows_f32_bias);
  });
}

}  // namespace
}  // namespace tiebreak
