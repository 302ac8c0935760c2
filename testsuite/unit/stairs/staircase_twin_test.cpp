// SPDX-License-Identifier: Apache-2.0
// The stairs of every requantize profile against its twin in machine arithmetic: at both sides of every stair and in between, for all sets of parameters.
#include "interpreter/stairs/staircase.hpp"
#include "testsuite/unit/helpers/requantize_points.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

Result<ScalarFunction> compile_requantize(const Library& library, const std::string& profile_name, const RequantizePoint& point) {
  TIEBREAK_TRY(profile, library.find_profile(profile_name));
  auto scale = [](float v) { return exact_scalar("f32", Real::from_double(static_cast<double>(v))); };
  const oracle::RequantizeParameters& p = point.parameters;
  OpCall call{.op = "quant.requantize",
              .operands = {exact_scalar("i32", Real(0)), scale(p.x_scale), scale(p.w_scale), scale(p.y_scale), exact_scalar("i32", Real(p.zero_point))}};
  call.attributes["output_dtype"] = Attribute{*ElementType::parse(point.type)};
  return ScalarFunction::compile({library, *profile}, call, "acc");
}

std::int64_t outcome_of(const oracle::RequantizeTwin& twin, const oracle::PreparedRequantize& prepared, std::int64_t accumulator) {
  const std::int64_t code = twin.apply(prepared, accumulator);
  return code == oracle::requantize_undefined ? outcome_undefined : code;
}

TEST(StaircaseTwins, EveryStairOfEveryProfile) {
  auto library = spec_pages();
  std::int64_t points_checked = 0, sampled = 0, pieces = 0, failures = 0, without_stairs = 0;
  for (const RequantizePoint& point : requantize_points()) {
    if (point.type == "i16" || point.type == "u16") continue;  // 65,536 stairs each: one set of them is below
    for (const oracle::RequantizeTwin& twin : oracle::requantize_twins()) {
      auto function = compile_requantize(*library, std::string(twin.profile), point);
      ASSERT_TRUE(function) << twin.profile << ": " << to_text(function.error());
      // Factors far above 1 shift left and wrap more often than the domain is cut.
      auto stairs = staircase(*function);
      if (!stairs && stairs.error().code == Errc::unsupported) {
        ++without_stairs;
        continue;
      }
      ASSERT_TRUE(stairs) << twin.profile << " y_scale " << point.parameters.y_scale << ": " << to_text(stairs.error());
      sampled += stairs->proof == StairProof::sampled ? 1 : 0;
      const double factor =
          static_cast<double>(point.parameters.x_scale) * static_cast<double>(point.parameters.w_scale) / static_cast<double>(point.parameters.y_scale);
      EXPECT_TRUE(stairs->proof != StairProof::sampled || factor >= 0x1p12 || twin.profile == "stablehlo-interpreter-dot")
          << twin.profile << " has no proof because of " << stairs->reason;
      pieces += stairs->proof == StairProof::pieces ? 1 : 0;
      const oracle::PreparedRequantize prepared = twin.prepare(point.parameters);
      for (std::size_t s = 0; s < stairs->starts.size(); ++s) {
        const std::int64_t first = stairs->starts[s], last = s + 1 < stairs->starts.size() ? stairs->starts[s + 1] - 1 : stairs->input.last;
        for (const std::int64_t accumulator : {first, first + (last - first) / 3, last}) {
          ++points_checked;
          if (outcome_of(twin, prepared, accumulator) == stairs->values[s]) continue;
          if (failures++ < 5)
            ADD_FAILURE() << twin.profile << " acc " << accumulator << " scales " << point.parameters.x_scale << " " << point.parameters.w_scale << " "
                          << point.parameters.y_scale << " zero point " << point.parameters.zero_point << ": stairs " << stairs->values[s] << ", twin "
                          << outcome_of(twin, prepared, accumulator);
        }
      }
    }
  }
  std::printf("  %lld points at stairs; staircases monotone in pieces: %lld, without proof: %lld, without stairs: %lld (more periods than are cut)\n",
              static_cast<long long>(points_checked), static_cast<long long>(pieces), static_cast<long long>(sampled), static_cast<long long>(without_stairs));
  EXPECT_EQ(failures, 0);
  EXPECT_LT(without_stairs, 200);
}

TEST(StaircaseTwins, SixteenBitResults) {
  auto library = spec_pages();
  const RequantizePoint point = requantize_point("i16", 0.003f, 0.0007f, 0.9f, -777);
  for (const char* name : {"tflite-ref-double", "xnnpack-fp32", "tvm-0.18-int64-upward", "onednn-v2"}) {
    const oracle::RequantizeTwin& twin = *oracle::requantize_twin(name);
    auto function = compile_requantize(*library, name, point);
    ASSERT_TRUE(function);
    auto stairs = staircase(*function);
    ASSERT_TRUE(stairs) << name << ": " << to_text(stairs.error());
    const oracle::PreparedRequantize prepared = twin.prepare(point.parameters);
    std::int64_t failures = 0;
    for (std::size_t s = 1; s < stairs->starts.size(); ++s)
      failures +=
          (outcome_of(twin, prepared, stairs->starts[s]) != stairs->values[s]) + (outcome_of(twin, prepared, stairs->starts[s] - 1) != stairs->values[s - 1]);
    EXPECT_EQ(failures, 0) << name << " of " << stairs->starts.size();
  }
}

}  // namespace
}  // namespace tiebreak
