// SPDX-License-Identifier: Apache-2.0
// Two requantize semantics compared over all 2^32 accumulators: by their stairs, and input by input with the plan that the stairs were made with.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "interpreter/stairs/staircase.hpp"
#include "testsuite/bench/page_calls.hpp"

namespace tiebreak {
namespace {

ScalarFunction requantize(const Library& library, const char* code) {
  Profile profile;
  profile.choices["quant.requantize/code"].alternative = code;
  profile.choices["quant.requantize/multiplier"].alternative = "f64";
  OpCall call{.op = "quant.requantize",
              .operands = {scalar("i32", Real(0)), scalar("f32", Real(1)), scalar("f32", Real(1)), scalar("f32", Real(100)), scalar("i32", Real(3))}};
  return std::move(*ScalarFunction::compile({library, profile}, call, "acc"));
}

/// Scales that differ in every step: f32 values between 2^-12 and 1.
Real scale(std::int64_t step) { return Real::from_double(static_cast<double>(static_cast<float>(1.0 + static_cast<double>(step * 7919 % 65536) * 0.0625))); }

void diff_by_stairs(benchmark::State& state, const char* a, const char* b) {
  ScalarFunction first = requantize(pages(), a), second = requantize(pages(), b);
  std::int64_t step = 0;
  std::uint64_t differing = 0;
  for (auto _ : state) {
    const Real y_scale = scale(++step);
    if (!first.set("y_scale", y_scale) || !second.set("y_scale", y_scale)) std::abort();
    auto stairs = staircase(first);
    auto other = staircase(second, &*stairs);
    differing += compare(*stairs, *other).count;
  }
  state.counters["parameter_sets"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["differing"] = static_cast<double>(differing);
}
BENCHMARK_CAPTURE(diff_by_stairs, one_stage_two_stages, "one_stage", "two_stages");
BENCHMARK_CAPTURE(diff_by_stairs, f32_exact, "f32", "exact");

}  // namespace
}  // namespace tiebreak
