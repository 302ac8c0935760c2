// SPDX-License-Identifier: Apache-2.0
// Casts compared over all inputs of their type: against every input one by one where the type has 16 bits, and against totals that others
// measured on 32 and 64.
#include "interpreter/stairs/function_difference.hpp"

#include <set>

#include "interpreter/stairs/input_segments.hpp"
#include "interpreter/stairs/staircase.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

struct Cast {
  std::string from, to;
  bool saturate = true;
};

Result<ScalarFunction> cast_function(const Semantics& semantics, const Cast& cast) {
  OpCall call{.op = "quant.convert", .operands = {Tensor::zeros({*ElementType::parse(cast.from), {}, {}}).value()}};
  call.attributes["to"] = Attribute{*ElementType::parse(cast.to)};
  call.attributes["saturate"] = Attribute{cast.saturate};
  return ScalarFunction::compile(semantics, call, "x");
}

FunctionDifference difference(const std::string& first, const std::string& second, const Cast& cast) {
  auto library = spec_pages();
  auto a = cast_function({*library, *library->find_profile(first).value()}, cast);
  auto b = cast_function({*library, *library->find_profile(second).value()}, cast);
  EXPECT_TRUE(a) << to_text(a.error());
  EXPECT_TRUE(b) << to_text(b.error());
  auto found = compare_functions(*a, *b);
  EXPECT_TRUE(found) << cast.from << " to " << cast.to << ", " << first << " and " << second << ": " << to_text(found.error());
  return found ? *found : FunctionDifference{};
}

std::uint64_t of_class(const FunctionDifference& found, InputClass input_class) {
  return static_cast<std::uint64_t>(found.by_class[static_cast<std::size_t>(input_class)]);
}
std::uint64_t count(Wide number) { return static_cast<std::uint64_t>(number); }

/// Profiles of casts that choose most differently.
const std::vector<std::string> compared_systems{"reference",  "onnxruntime-x64", "hip-fp8",          "ocannl-2026-08", "spike-rtz",
                                                "triton-ada", "triton-jit",      "tt-metal-2026-09", "iree-llvm-cpu",  "stablehlo-interpreter",
                                                "tosa-1.0",   "migraphx-ref",    "mlir-22"};

TEST(InputSegments, AreEveryNumberOnce) {
  for (const char* word : {"f16", "bf16", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f6e2m3", "f4e2m1", "f8e8m0", "u8", "i8", "i4", "u2", "i16", "u16"}) {
    const ElementType type = *ElementType::parse(word);
    const OrderedType places = ordered({type, {}, {}}).value();
    std::set<std::int64_t> seen;
    for (const InputSegment& segment : input_segments(type))
      for (std::int64_t i = 0; i < segment.count; ++i) {
        const Real value = segment.value(i);
        const std::int64_t place = value.is_zero() && value.is_negative() ? -1 : places.ordinal_below(value);
        EXPECT_TRUE(value.is_zero() || places.value(place) == value) << word << " " << value.to_string();
        EXPECT_TRUE(seen.insert(place).second) << word << " " << value.to_string();
      }
    EXPECT_EQ(seen.size() + nan_codes(type), std::size_t{1} << type.bits()) << word;
  }
}

/// Every input of f16, bf16, i16 and u16 evaluated by the plan that stairs are made of.
TEST(FunctionDifference, IsThatOfEveryInput) {
  auto library = spec_pages();
  for (const char* from : {"f16", "bf16", "i16"})
    for (const char* to : {"bf16", "f8e5m2", "f8e4m3fn", "f8e5m2fnuz", "f4e2m1", "i32", "i8", "u8", "i4"})
      for (std::size_t i = 0; i + 1 < compared_systems.size(); ++i) {
        const Cast cast{from, to, i % 2 == 0};
        auto a = cast_function({*library, *library->find_profile(compared_systems[i]).value()}, cast);
        auto b = cast_function({*library, *library->find_profile(compared_systems[i + 1]).value()}, cast);
        ASSERT_TRUE(a && b);
        const Disagreement expected = compare(staircase(*a).value(), staircase(*b).value());
        auto found = compare_functions(*a, *b);
        ASSERT_TRUE(found) << from << " to " << to << " " << compared_systems[i] << " " << compared_systems[i + 1] << ": " << to_text(found.error());
        const std::uint64_t nan = of_class(*found, InputClass::nan);
        EXPECT_EQ(count(found->differing) - nan, expected.count) << from << " to " << to << " " << compared_systems[i] << " " << compared_systems[i + 1];
        EXPECT_EQ(nan > 0, expected.nan_differs) << from << " to " << to;
        EXPECT_EQ(count(found->total), expected.total + nan_codes(*ElementType::parse(from)));
        Wide classes = 0;
        for (Wide some : found->by_class) classes += some;
        EXPECT_EQ(count(classes), count(found->differing));
      }
}

/// ahrefs/ocannl#647: HIP's software path over all 2^32 f32, against the same conversion with a shift that stops.
TEST(FunctionDifference, ShiftsTakenModulo64) {
  auto library = spec_pages();
  Profile whole = *library->find_profile("hip-fp8").value();
  whole.choices["quant.convert/underflow"] = {.alternative = "kept"};
  auto a = cast_function({*library, *library->find_profile("hip-fp8").value()}, {"f32", "f8e5m2"});
  auto b = cast_function({*library, whole}, {"f32", "f8e5m2"});
  ASSERT_TRUE(a && b);
  auto found = compare_functions(*a, *b);
  ASSERT_TRUE(found) << to_text(found.error());
  EXPECT_EQ(count(found->differing), 67108862U);
  EXPECT_EQ(count(found->total), std::uint64_t{1} << 32);
  EXPECT_EQ(of_class(*found, InputClass::subnormal), 67108862U);
  ASSERT_TRUE(found->witness);
  EXPECT_EQ(found->witness->input.to_hex_float(), "0x1.000002p-81");
  // CUDA keeps nothing infinite: two inputs more.
  EXPECT_EQ(count(difference("cuda-fp8", "hip-fp8", {"f32", "f8e5m2"}).differing), 67108864U);
}

/// tenstorrent/tt-metal#55933: one constant for both signs and for nan, against saturation with nan as zero: 19.34 % of all f32.
TEST(FunctionDifference, OneConstantForBothSigns) {
  const FunctionDifference found = difference("stablehlo-interpreter", "tt-metal-2026-09", {"f32", "i32"});
  EXPECT_EQ(count(found.differing), 830472191U);
  EXPECT_EQ(count(found.total), std::uint64_t{1} << 32);
  EXPECT_EQ(of_class(found, InputClass::overflow), 813694976U);
  EXPECT_EQ(of_class(found, InputClass::infinity), 1U);
  EXPECT_EQ(of_class(found, InputClass::nan), 16777214U);
  ASSERT_TRUE(found.witness);
  EXPECT_EQ(found.witness->input, Real::power_of_two(31));
}

/// Wide results and wraps, where the number can be worked out.
TEST(FunctionDifference, WideResultsAndWraps) {
  // Whole numbers are neither cut nor rounded: all fractions but those that rtz and rne take to the same side.
  const FunctionDifference fraction = difference("stablehlo-interpreter", "tosa-1.0", {"f32", "i32"});
  std::uint64_t expected = 0;
  expected += (1U << 23) - 1;  // above 1/2, below 1
  for (int e = 0; e < 23; ++e) {
    const std::uint64_t per = std::uint64_t{1} << (23 - e);                                            // floats from one whole number to the next
    expected += (std::uint64_t{1} << e) * (per / 2 - 1) + (e == 0 ? 1 : std::uint64_t{1} << (e - 1));  // and the ties above odd numbers
  }
  EXPECT_EQ(count(fraction.differing), 2 * expected);
  EXPECT_EQ(of_class(fraction, InputClass::tie), 2 * (1 + ((std::uint64_t{1} << 22) - 1))) << "those above odd numbers";
  // i64 to i8, wrapping or saturating: outside the range one number of 256 wraps to the end.
  auto library = spec_pages();
  Profile saturating = *library->find_profile("reference").value();
  saturating.choices["quant.to_integer/narrowing"] = {.alternative = "saturated"};
  for (const char* from : {"i64", "u64", "i32", "u32"}) {
    auto a = cast_function({*library, *library->find_profile("reference").value()}, {from, "i8"});
    auto b = cast_function({*library, saturating}, {from, "i8"});
    ASSERT_TRUE(a && b);
    auto found = compare_functions(*a, *b);
    ASSERT_TRUE(found) << from << to_text(found.error());
    const int bits = ElementType::parse(from)->bits();
    const Wide all = Wide{1} << bits;
    // Below and above, without the 256 numbers in range (128 of them where there is no sign), one of 256 agrees.
    const Wide outside = from[0] == 'i' ? all - 256 : all - 128;
    const Wide agreeing = all / 256 - (from[0] == 'i' ? 2 : 1);
    EXPECT_TRUE(found->total == all) << from;
    EXPECT_TRUE(found->differing == outside - agreeing) << from << " " << static_cast<std::uint64_t>(found->differing);
    EXPECT_TRUE(found->by_class[static_cast<std::size_t>(InputClass::overflow)] == found->differing);
  }
}

/// All 2^32 inputs one by one, some minutes: --gtest_also_run_disabled_tests.
TEST(FunctionDifference, DISABLED_IsThatOfEveryF32) {
  auto library = spec_pages();
  const std::vector<std::pair<std::string, std::string>> pairs{{"cuda-fp8", "hip-fp8"}, {"reference", "ocannl-2026-08"}};
  for (const auto& [first, second] : pairs) {
    const Cast cast{"f32", "f8e5m2"};
    auto a = cast_function({*library, *library->find_profile(first).value()}, cast);
    auto b = cast_function({*library, *library->find_profile(second).value()}, cast);
    ASSERT_TRUE(a && b);
    constexpr std::size_t lanes = 1 << 16;
    std::vector<std::int64_t> inputs(lanes), x(lanes), y(lanes);
    std::uint64_t expected = 0;
    for (std::int64_t at = a->input().first; at <= a->input().last; at += lanes) {
      const std::size_t some = static_cast<std::size_t>(std::min<std::int64_t>(lanes, a->input().last - at + 1));
      for (std::size_t i = 0; i < some; ++i) inputs[i] = at + static_cast<std::int64_t>(i);
      ASSERT_TRUE(a->evaluate(std::span(inputs).first(some), std::span(x).first(some)));
      ASSERT_TRUE(b->evaluate(std::span(inputs).first(some), std::span(y).first(some)));
      for (std::size_t i = 0; i < some; ++i) expected += x[i] != y[i] ? 1 : 0;
    }
    const FunctionDifference found = difference(first, second, cast);
    EXPECT_EQ(count(found.differing) - of_class(found, InputClass::nan), expected);
  }
}

}  // namespace
}  // namespace tiebreak
