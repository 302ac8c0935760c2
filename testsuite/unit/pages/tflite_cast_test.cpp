// SPDX-License-Identifier: Apache-2.0
// tflite.CAST against machine numbers: floats into every integer type around its ends, integers into each other and into f32.
#include <bit>
#include <cmath>
#include <random>

#include "testsuite/oracle/tflite/tflite_cast.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

TensorType line(const std::string& element, std::size_t count) { return {*ElementType::parse(element), {static_cast<std::int64_t>(count)}, {}}; }

ResultTensor cast_to(const Tensor& input, const std::string& element) {
  auto result = run_profile({.op = "tflite.CAST", .operands = {input}, .result_types = {line(element, static_cast<std::size_t>(input.size()))}}, "reference");
  EXPECT_TRUE(result) << to_text(result.error());
  return result ? (*result)[0] : ResultTensor();
}

/// Numbers at and beside the ends of every integer type, small ones with fractions, and what is no number.
std::vector<float> reals() {
  std::vector<float> values{0.0f, -0.0f, 0.5f, -0.5f, 0.99999994f, -0.99999994f, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, -3e38f};
  for (int power : {7, 8, 15, 16, 31, 32, 63})
    for (float sign : {1.0f, -1.0f})
      for (float step : {-1.5f, -1.0f, -0.5f, 0.0f, 0.5f, 1.0f}) values.push_back(sign * (std::ldexp(1.0f, power) + step));
  for (int power : {31, 32, 63}) {
    values.push_back(std::nextafter(std::ldexp(1.0f, power), 0.0f));
    values.push_back(std::nextafter(-std::ldexp(1.0f, power), -INFINITY));
  }
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i)
    values.push_back(std::ldexp(static_cast<float>(static_cast<int>(random() % 65536) - 32768), static_cast<int>(random() % 56) - 8));
  return values;
}

template <class Integer>
void expect_whole(const std::string& element) {
  const std::vector<float> values = reals();
  Tensor input = *Tensor::zeros(line("f32", values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) input.set_code(static_cast<std::int64_t>(i), std::bit_cast<std::uint32_t>(values[i]));
  const ResultTensor result = cast_to(input, element);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(integer_at(result, static_cast<std::int64_t>(i)), oracle::tflite_cast_whole<Integer>(values[i])) << values[i] << " as " << element;
}

TEST(TfliteCast, FloatsStopAtTheEndsOfIntegers) {
  expect_whole<std::int8_t>("i8");
  expect_whole<std::uint8_t>("u8");
  expect_whole<std::int16_t>("i16");
  expect_whole<std::uint16_t>("u16");
  expect_whole<std::int32_t>("i32");
  expect_whole<std::uint32_t>("u32");
  expect_whole<std::int64_t>("i64");
}

TEST(TfliteCast, IntegersWrapAndBecomeTheNearestFloat) {
  std::mt19937_64 random(7);
  const std::size_t count = 2000;
  Tensor input = *Tensor::zeros(line("i64", count));
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(static_cast<std::int64_t>(random()) >> (random() % 64));
    input.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
  }
  const ResultTensor narrow = cast_to(input, "i8"), wide = cast_to(input, "u32"), real = cast_to(input, "f32");
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    ASSERT_EQ(integer_at(narrow, at), static_cast<std::int8_t>(values[i]));
    ASSERT_EQ(integer_at(wide, at), static_cast<std::uint32_t>(values[i]));
    ASSERT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(real.tensor.code(at))), static_cast<float>(values[i]));
  }
}

}  // namespace
}  // namespace tiebreak
