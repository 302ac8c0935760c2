// SPDX-License-Identifier: Apache-2.0
// TOSA's casts to and from blocks of small floats against a search over tables and scales: blocks of every size of number, ties and what lies at the limits.
#include "testsuite/oracle/tosa/tosa_blocks.hpp"

#include <cmath>

#include "testsuite/unit/helpers/tosa_calls.hpp"

namespace tiebreak {
namespace {

using namespace tosa_test;
namespace twin = oracle::tosa;

constexpr std::int64_t block_size = 32;

struct NamedFormat {
  const char* name;
  twin::SmallFormat format;
};

const std::vector<NamedFormat>& formats() {
  static const std::vector<NamedFormat> all{
      {"f4e2m1", {2, 1, 0}}, {"f6e2m3", {2, 3, 0}}, {"f6e3m2", {3, 2, 0}}, {"f8e4m3fn", {4, 3, 1}}, {"f8e5m2", {5, 2, 4}}};
  return all;
}

TEST(TosaBlocks, TheTablesEndWhereTheFormatsDo) {
  const std::vector<double> greatest{6, 7.5, 28, 448, 57344};
  for (std::size_t i = 0; i < greatest.size(); ++i) EXPECT_EQ(formats()[i].format.values.back(), greatest[i]) << formats()[i].name;
}

/// A block around one size: its values, halves between them, the limit and its neighbours, zeros of both signs, or all below the least scale.
std::vector<double> drawn_block(Draws& draws, const twin::SmallFormat& format) {
  const int size = static_cast<int>(draws.between(-150, 110));
  const double greatest = format.values.back(), limit = greatest + (greatest - format.values[format.values.size() - 2]) / 2;
  std::vector<double> block;
  for (std::int64_t i = 0; i < block_size; ++i) {
    const auto place = static_cast<std::size_t>(draws.between(1, static_cast<std::int64_t>(format.values.size()) - 1));
    double number = format.values[place];
    switch (draws.between(0, 4)) {
      case 0: number = (number + format.values[place - 1]) / 2; break;
      case 1: number = std::nextafterf(static_cast<float>(number), 0.0F); break;
      case 2: number = draws.once_in(6) ? limit : draws.once_in(2) ? std::nextafterf(static_cast<float>(limit), 0.0F) : number; break;
      case 3: number = draws.once_in(4) ? 0 : number / 3; break;
      default: break;
    }
    block.push_back(static_cast<float>(std::ldexp(draws.once_in(2) ? -number : number, size)));
  }
  return block;
}

TEST(TosaBlocks, CastsToBlocks) {
  Draws draws(seed);
  constexpr std::int64_t blocks = 300;
  for (const auto& [name, format] : formats()) {
    std::vector<double> numbers(block_size, 0.0), values(block_size, 0.0), scales{std::ldexp(1.0, -127)};  // the first block has zeros alone
    while (std::ssize(scales) < blocks) {
      const std::vector<double> block = drawn_block(draws, format);
      const twin::ScaledBlock wanted = twin::to_block(block, format);
      numbers.insert(numbers.end(), block.begin(), block.end());
      values.insert(values.end(), wanted.values.begin(), wanted.values.end());
      scales.push_back(wanted.scale);
    }
    const Shape shape{blocks, block_size}, scale_shape{blocks, 1};
    const OpCall call{.op = "tosa.CAST_TO_BLOCK_SCALED",
                      .operands = {tensor_of("f32", shape, numbers)},
                      .result_types = result_types({{name, shape}, {"f8e8m0", scale_shape}})};
    const std::vector<ResultTensor> results = given_results(call);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(wrong(results[0], shape, values, name), 0);
    EXPECT_EQ(wrong(results[1], scale_shape, scales, std::string(name) + ", scales"), 0);
  }
}

/// Every value of both signs by every scale, as f32, which holds most products; of the rest the C++ conversion is the rounding.
TEST(TosaBlocks, CastsFromBlocks) {
  for (const auto& [name, format] : formats()) {
    std::vector<std::int64_t> codes, scale_codes;
    std::vector<double> wanted;
    const std::int64_t half = std::int64_t{1} << (ElementType::parse(name)->bits() - 1);
    for (std::int64_t power = -127; power <= 127; ++power)
      for (std::size_t start = 0; start < 2 * format.values.size(); start += block_size) {
        scale_codes.push_back(power + 127);
        for (std::size_t i = start; i < start + block_size; ++i) {
          const std::size_t place = i % format.values.size();
          const bool negative = i / format.values.size() % 2 == 1;
          codes.push_back(static_cast<std::int64_t>(place) + (negative ? half : 0));
          wanted.push_back(static_cast<float>(std::ldexp(negative ? -format.values[place] : format.values[place], static_cast<int>(power))));
        }
      }
    const Shape shape{std::ssize(scale_codes), block_size};
    const OpCall call{.op = "tosa.CAST_FROM_BLOCK_SCALED",
                      .operands = {codes_tensor(name, shape, codes), codes_tensor("f8e8m0", {shape[0], 1}, scale_codes)},
                      .result_types = type_of("f32", shape)};
    EXPECT_EQ(wrong(given_result(call), shape, wanted, name), 0);
  }
}

}  // namespace
}  // namespace tiebreak
