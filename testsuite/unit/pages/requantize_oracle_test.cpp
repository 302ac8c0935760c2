// SPDX-License-Identifier: Apache-2.0
// Every profile that says how an accumulator becomes a code, against its twin in machine arithmetic: more than 10^7 points, most of them ties and their
// neighbours.
#include <set>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/unit/helpers/requantize_points.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t accumulators_per_point = 3000;

Tensor scale_of(float value) { return exact_scalar("f32", Real::from_double(static_cast<double>(value))); }

template <class Accumulator>
Tensor line_of_accumulators(const std::string& type, const std::vector<Accumulator>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {static_cast<std::int64_t>(values.size())}, {}});
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])));
  return tensor;
}

OpCall call_of_point(const RequantizePoint& point, Tensor accumulators) {
  const oracle::RequantizeParameters& p = point.parameters;
  return {.op = "quant.requantize",
          .operands = {std::move(accumulators), scale_of(p.x_scale), scale_of(p.w_scale), scale_of(p.y_scale), exact_scalar("i32", Real(p.zero_point))},
          .attributes = {{"output_dtype", Attribute{*ElementType::parse(point.type)}}}};
}

std::string describe(const RequantizePoint& point, std::int64_t accumulator) {
  const oracle::RequantizeParameters& p = point.parameters;
  char text[200];
  std::snprintf(text, sizeof text, "acc %lld scales %a %a %a zero point %lld to %s", static_cast<long long>(accumulator), static_cast<double>(p.x_scale),
                static_cast<double>(p.w_scale), static_cast<double>(p.y_scale), static_cast<long long>(p.zero_point), point.type.c_str());
  return text;
}

/// Points where result and twin differ; the first is reported.
template <class Accumulator>
std::int64_t differing_points(const oracle::RequantizeTwin& twin, const RequantizePoint& point, const std::vector<Accumulator>& accumulators,
                              const ResultTensor& result) {
  const oracle::PreparedRequantize prepared = twin.prepare(point.parameters);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < accumulators.size(); ++i) {
    const bool undefined = !result.undefined.empty() && result.undefined[i] != 0;
    const std::int64_t stated = undefined ? oracle::requantize_undefined : *result.tensor.value(static_cast<std::int64_t>(i)).to_int64();
    const std::int64_t expected = twin.apply(prepared, accumulators[i]);
    if (stated == expected) continue;
    if (wrong++ == 0) ADD_FAILURE() << twin.profile << ": " << describe(point, accumulators[i]) << ": page " << stated << ", twin " << expected;
  }
  return wrong;
}

TEST(RequantizeOracle, EveryProfileHasATwin) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  std::set<std::string> names;
  for (const oracle::RequantizeTwin& twin : oracle::requantize_twins()) {
    EXPECT_TRUE(names.insert(std::string(twin.profile)).second) << twin.profile << " twice";
    EXPECT_TRUE(library->find_profile(std::string(twin.profile))) << twin.profile << " is no profile";
  }
  // What a profile inherits has the twin of the profile that it comes from.
  for (const auto& [name, profile] : library->profiles()) {
    const auto parent = library->profiles().find(profile.extends);
    for (const auto& [key, value] : profile.choices) {
      if (!key.starts_with("quant.requantize")) continue;
      const bool inherited =
          parent != library->profiles().end() && parent->second.choices.contains(key) && parent->second.choices.at(key).alternative == value.alternative;
      EXPECT_TRUE(inherited || names.contains(name)) << name << " binds " << key << " and has no twin";
    }
  }
}

TEST(RequantizeOracle, EveryProfileAtTiesAndBesideThem) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  const std::vector<RequantizePoint> points = requantize_points();
  std::int64_t total = 0, wrong = 0, undefined = 0;
  for (const RequantizePoint& point : points) {
    const std::vector<std::int32_t> accumulators = requantize_accumulators(point, accumulators_per_point);
    const OpCall call = call_of_point(point, line_of_accumulators("i32", accumulators));
    for (const oracle::RequantizeTwin& twin : oracle::requantize_twins()) {
      auto profile = library->find_profile(std::string(twin.profile));
      ASSERT_TRUE(profile) << twin.profile;
      auto results = evaluate({*library, **profile}, call);
      ASSERT_TRUE(results) << twin.profile << ": " << to_text(results.error());
      wrong += differing_points(twin, point, accumulators, results->front());
      for (std::uint8_t mark : results->front().undefined) undefined += mark;
      total += static_cast<std::int64_t>(accumulators.size());
    }
  }
  std::printf("  %lld points: %zu profiles, %zu sets of parameters, %lld undefined on both sides, seed %llu\n", static_cast<long long>(total),
              oracle::requantize_twins().size(), points.size(), static_cast<long long>(undefined), static_cast<unsigned long long>(requantize_seed));
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(total, 10'000'000);
}

/// run() is what brute force over all accumulators uses.
TEST(RequantizeOracle, RunsOfATwinAreItsSingleCodes) {
  const std::vector<RequantizePoint> points = requantize_points();
  std::vector<std::int32_t> codes(4096);
  for (const oracle::RequantizeTwin& twin : oracle::requantize_twins())
    for (std::size_t i = 0; i < points.size(); i += 7) {
      const oracle::PreparedRequantize prepared = twin.prepare(points[i].parameters);
      const std::int32_t first = 2147483647 - 2000;  // wraps to the other end
      twin.run(prepared, first, codes);
      for (std::uint32_t k = 0; k < codes.size(); ++k) {
        const std::int64_t single = twin.apply(prepared, static_cast<std::int32_t>(static_cast<std::uint32_t>(first) + k));
        ASSERT_EQ(codes[k], single == oracle::requantize_undefined ? oracle::run_undefined : single) << twin.profile;
      }
    }
}

/// Accumulators of 64 bits, as int16 activations have them.
TEST(RequantizeOracle, WideAccumulators) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  RequantizeRandom random(requantize_seed);
  std::int64_t wrong = 0, total = 0;
  for (const char* name : {"tflite-int16x8-bias64", "cmsis-nn-s16", "tosa-scale16", "xnnpack-fp32", "armnn-cpuref", "onednn-v2", "fbgemm-fixed",
                           "tflite-ref-single", "tflite-ref-double"}) {
    auto profile = library->find_profile(name);
    ASSERT_TRUE(profile);
    for (int set = 0; set < 20; ++set) {
      const RequantizePoint point = requantize_point("i16", random.positive(-17, -8), random.positive(-9, -1), random.positive(-12, 2), set % 2);
      const double factor =
          static_cast<double>(point.parameters.x_scale) * static_cast<double>(point.parameters.w_scale) / static_cast<double>(point.parameters.y_scale);
      std::vector<std::int64_t> accumulators;
      while (accumulators.size() < 1500) {
        const std::int64_t tie = static_cast<std::int64_t>(std::floor((static_cast<double>(random.between(-32800, 32800)) + 0.5) / factor));
        for (std::int64_t d = -1; d <= 1; ++d) accumulators.push_back(tie + d);
        accumulators.push_back(static_cast<std::int64_t>(random.next()) >> (17 + random.next() % 30));
      }
      auto results = evaluate({*library, **profile}, call_of_point(point, line_of_accumulators("i64", accumulators)));
      ASSERT_TRUE(results) << to_text(results.error());
      wrong += differing_points(*oracle::requantize_twin(name), point, accumulators, results->front());
      total += static_cast<std::int64_t>(accumulators.size());
    }
  }
  std::printf("  %lld accumulators of 64 bits\n", static_cast<long long>(total));
  EXPECT_EQ(wrong, 0);
}

/// With a scale for each channel, TVM has no special case for powers of two.
TEST(RequantizeOracle, ScalesOfChannels) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  const std::vector<float> scales{0.5f, 1.0f, 0.25f, 0.013f, 2.0f};
  for (const char* name : {"tvm-0.18-int64-upward", "tvm-0.18-int64-tonearest", "tvm-0.18-aarch64", "tvm-0.18-hexagon", "tflite-ref-double", "onednn-v3"}) {
    auto profile = library->find_profile(name);
    ASSERT_TRUE(profile);
    RequantizePoint point = requantize_point("i8", 1, 1, 1, 3);
    const std::vector<std::int32_t> rows = requantize_accumulators(point, 2000);
    Tensor accumulators = *Tensor::zeros({*ElementType::parse("i32"), {static_cast<std::int64_t>(rows.size()), 5}, {}});
    for (std::int64_t i = 0; i < accumulators.size(); ++i)
      accumulators.set_code(i, static_cast<std::uint64_t>(static_cast<std::int64_t>(rows[static_cast<std::size_t>(i / 5)])));
    OpCall call = call_of_point(point, accumulators);
    call.operands[2] = *Tensor::zeros({*ElementType::parse("f32"), {5}, {}});
    for (std::int64_t c = 0; c < 5; ++c)
      call.operands[2]->set_code(c, *call.operands[2]->element().encode(Real::from_double(static_cast<double>(scales[static_cast<std::size_t>(c)]))));
    auto results = evaluate({*library, **profile}, call);
    ASSERT_TRUE(results) << to_text(results.error());
    const oracle::RequantizeTwin& twin = *oracle::requantize_twin(name);
    point.parameters.per_tensor = false;
    for (std::int64_t i = 0; i < accumulators.size(); ++i) {
      point.parameters.w_scale = scales[static_cast<std::size_t>(i % 5)];
      const std::int32_t acc = rows[static_cast<std::size_t>(i / 5)];
      ASSERT_EQ(*results->front().tensor.value(i).to_int64(), twin.apply(twin.prepare(point.parameters), acc)) << name << " " << describe(point, acc);
    }
  }
}

}  // namespace
}  // namespace tiebreak
