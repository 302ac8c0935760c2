// SPDX-License-Identifier: Apache-2.0
// quant.block_dot in every order, step, scaling and turn against loops over registers, for each kind of block.
#include "testsuite/oracle/quantized/block_products.hpp"

#include <array>
#include <bit>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t x_rows = 3, w_rows = 5, block_length = 32;

struct RandomCodes {
  std::uint64_t state = 20261123;
  std::int64_t below(std::int64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(bound));
  }
  /// Of either sign, in few binades: f16 holds 11 digits of it.
  double scale() { return (static_cast<double>(below(4000)) - 1000) / 1024; }
};

/// What stands in w's place, and how its codes are read.
struct WeightKind {
  std::string type;
  std::int64_t zero_point = 0;
  bool has_minimum = false;
};
const std::array<WeightKind, 6> weight_kinds{{{"i8", 0, false}, {"u4", 8, false}, {"u4", 0, true}, {"u5", 16, false}, {"u5", 0, true}, {"f4e2m1", 0, false}}};

Tensor table_of_lines(const std::string& type, std::int64_t lines, const std::vector<double>& values) {
  const Tensor flat = vector_tensor(type, values);
  Tensor tensor = *Tensor::zeros({flat.element(), {lines, flat.size() / lines}, {}});
  for (std::int64_t i = 0; i < flat.size(); ++i) tensor.set_code(i, flat.code(i));
  return tensor;
}

/// Random codes; the ends of the range often, as -128 cannot be turned around.
Tensor random_codes(const std::string& type, std::int64_t lines, std::int64_t length, RandomCodes& random) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {lines, length}, {}});
  const int bits = tensor.element().bits();
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set_code(i, random.below(8) == 0 ? std::uint64_t{1} << (bits - 1) : static_cast<std::uint64_t>(random.below(std::int64_t{1} << bits)));
  return tensor;
}

Tensor scales_of(const std::string& type, std::int64_t lines, std::int64_t blocks, RandomCodes& random) {
  if (type == "f16") {
    std::vector<double> values;
    for (std::int64_t i = 0; i < lines * blocks; ++i) values.push_back(random.scale());
    return table_of_lines("f16", lines, values);
  }
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {lines, blocks}, {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, static_cast<std::uint64_t>(120 + random.below(12)));
  return tensor;
}

struct Question {
  OpCall call{.op = "quant.block_dot"};
  std::vector<oracle::BlockRow> x{}, w{};
};

void read_codes(std::vector<oracle::BlockRow>& lines, const Tensor& codes, const WeightKind& kind, bool is_weight) {
  const double factor = is_weight && kind.type == "f4e2m1" ? 2 : 1;
  lines.resize(static_cast<std::size_t>(codes.shape()[0]));
  for (std::int64_t i = 0; i < codes.size(); ++i)
    lines[static_cast<std::size_t>(i / codes.shape()[1])].codes.push_back(static_cast<std::int32_t>(codes.value(i).to_double() * factor) -
                                                                          static_cast<std::int32_t>(is_weight ? kind.zero_point : 0));
}

void read_floats(std::vector<oracle::BlockRow>& lines, std::vector<float> oracle::BlockRow::*to, const Tensor& values, float factor) {
  for (std::int64_t i = 0; i < values.size(); ++i)
    (lines[static_cast<std::size_t>(i / values.shape()[1])].*to).push_back(static_cast<float>(values.value(i).to_double()) * factor);
}

Question block_question(const WeightKind& kind, std::int64_t blocks, RandomCodes& random) {
  Question question;
  const bool is_float = kind.type == "f4e2m1";
  const Tensor x = random_codes("i8", x_rows, blocks * block_length, random), w = random_codes(kind.type, w_rows, blocks * block_length, random);
  const Tensor x_scale = scales_of("f16", x_rows, blocks, random), w_scale = scales_of(is_float ? "f8e8m0" : "f16", w_rows, blocks, random);
  read_codes(question.x, x, kind, false);
  read_codes(question.w, w, kind, true);
  read_floats(question.x, &oracle::BlockRow::scales, x_scale, 1);
  read_floats(question.w, &oracle::BlockRow::scales, w_scale, is_float ? 0.5F : 1);
  question.call.operands = {x, w, x_scale, w_scale};
  if (kind.zero_point != 0) question.call.operands.push_back(scalar_tensor(kind.type, static_cast<double>(kind.zero_point)));
  if (kind.has_minimum) {
    const Tensor minimum = scales_of("f16", w_rows, blocks, random), sums = scales_of("f16", x_rows, blocks, random);
    read_floats(question.w, &oracle::BlockRow::beside, minimum, 1);
    read_floats(question.x, &oracle::BlockRow::beside, sums, 1);
    question.call.operands.insert(question.call.operands.end(), {std::nullopt, minimum, sums});
  }
  return question;
}

/// How many of the results differ from what the oracle gives, bit for bit.
template <class Oracle>
int wrong_of(const Question& question, const std::map<std::string, std::string>& choices, Oracle expected) {
  auto library = spec_pages();
  Profile profile = **library->find_profile("reference");
  for (const auto& [choice, alternative] : choices) profile.choices["quant.block_dot/" + choice].alternative = alternative;
  auto results = evaluate({*library, profile}, question.call);
  EXPECT_TRUE(results) << to_text(results.error());
  if (!results) return -1;
  int wrong = 0;
  for (std::int64_t i = 0; i < x_rows * w_rows; ++i) {
    const float value = expected(question.x[static_cast<std::size_t>(i / w_rows)], question.w[static_cast<std::size_t>(i % w_rows)]);
    wrong += std::bit_cast<std::uint32_t>(f32_at((*results)[0].tensor, i)) != std::bit_cast<std::uint32_t>(value) ? 1 : 0;
  }
  return wrong;
}

TEST(BlockProducts, EveryOrderStepScalingAndTurn) {
  RandomCodes random;
  std::int64_t blocks = 0, points = 0;
  for (const WeightKind& kind : weight_kinds)
    for (const char* order : {"blocks", "lanes_8", "lanes_2x8", "lanes_2x4", "lanes_4x4"})
      for (const bool fused : {false, true})
        for (const bool in_turn : {false, true})
          for (const bool wraps : {false, true}) {
            blocks = blocks % 5 + 1;
            const oracle::BlockProduct how{order, fused, in_turn, wraps};
            const auto wrong = wrong_of(
                block_question(kind, blocks, random),
                {{"order", order}, {"step", fused ? "fused" : "apart"}, {"scaling", in_turn ? "in_turn" : "together"}, {"turned", wraps ? "wraps" : "exact"}},
                [&](const auto& x, const auto& w) { return oracle::block_product(x, w, how); });
            EXPECT_EQ(wrong, 0) << kind.type << " " << order << " " << fused << in_turn << wraps << " " << blocks << " blocks";
            points += x_rows * w_rows;
          }
  std::printf("  %lld products\n", static_cast<long long>(points));
}

TEST(BlockProducts, OnceRounded) {
  RandomCodes random;
  for (const WeightKind& kind : weight_kinds)
    for (std::int64_t blocks = 1; blocks <= 4; ++blocks)
      EXPECT_EQ(wrong_of(block_question(kind, blocks, random), {}, oracle::exact_block_product), 0) << kind.type << " " << blocks;
}

/// Without sums of its own x is added up: 32 codes of 1 at scale 1/2, times a minimum of 3, beside 32 products of 2 at scale 1/2 * 1/4.
TEST(BlockProducts, SumsThatAreNotGiven) {
  const std::vector<double> ones(32, 1), twos(32, 2);
  OpCall call{.op = "quant.block_dot",
              .operands = {table_of_lines("i8", 1, ones), table_of_lines("u4", 1, twos), table_of_lines("f16", 1, {0.5}), table_of_lines("f16", 1, {0.25}),
                           std::nullopt, table_of_lines("f16", 1, {3})}};
  for (const char* profile : {"reference", "ggml-reference", "ggml-avx", "ggml-x86"}) {
    auto results = run_profile(call, profile);
    ASSERT_TRUE(results) << to_text(results.error());
    EXPECT_EQ(f32_at((*results)[0].tensor, 0), 56) << profile;
  }
}

}  // namespace
}  // namespace tiebreak
