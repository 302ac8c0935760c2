// SPDX-License-Identifier: Apache-2.0
// All 2^32 accumulators, run through the plain machine arithmetic of two systems and counted where they differ, beside the count from their stairs.
// A benchmark and a proof at once: where the counts disagree it ends with an error. One argument is one set of parameters; run them all for a nightly.
#include <benchmark/benchmark.h>

#include <vector>

#include "interpreter/stairs/staircase.hpp"
#include "testsuite/bench/page_calls.hpp"
#include "testsuite/oracle/quantized/requantize_twins.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t parameter_sets = 50;

/// Dyadic, decimal and odd scales; zero points of both parities and at the ends.
oracle::RequantizeParameters parameters(std::int64_t set) {
  constexpr float scales[] = {4, 12, 100, 1000, 0.75f, 6, 65536, 0x1.23456p+9f, 0x1.555556p+13f, 0x1.fffffep+4f};
  constexpr std::int64_t zero_points[] = {0, -5, 127, 64, -128};
  return {.x_scale = set % 3 == 0 ? 1.0f : 0.3f, .w_scale = set % 4 == 0 ? 1.0f : 0.0123f, .y_scale = scales[set % 10], .zero_point = zero_points[set % 5]};
}

struct Pair {
  const oracle::RequantizeTwin* first;
  const oracle::RequantizeTwin* second;
};
/// Neighbours in the list of twins, so that fifty sets visit every one.
Pair pair_of(std::int64_t set) {
  const auto twins = oracle::requantize_twins();
  const auto i = static_cast<std::size_t>(set) % twins.size();
  return {&twins[i], &twins[(i + 1 + static_cast<std::size_t>(set) / twins.size()) % twins.size()]};
}

Result<ScalarFunction> compiled(const oracle::RequantizeTwin& twin, const oracle::RequantizeParameters& p) {
  TIEBREAK_TRY(profile, pages().find_profile(std::string(twin.profile)));
  auto scale = [](float v) { return scalar("f32", Real::from_double(static_cast<double>(v))); };
  const OpCall call{.op = "quant.requantize",
                    .operands = {scalar("i32", Real(0)), scale(p.x_scale), scale(p.w_scale), scale(p.y_scale), scalar("i32", Real(p.zero_point))}};
  return ScalarFunction::compile({pages(), *profile}, call, "acc");
}

void by_brute_force(benchmark::State& state) {
  const oracle::RequantizeParameters p = parameters(state.range(0));
  const auto [first, second] = pair_of(state.range(0));
  state.SetLabel(std::string(first->profile) + " | " + std::string(second->profile));
  std::uint64_t brute = 0;
  for (auto _ : state) {
    const auto a = first->prepare(p), b = second->prepare(p);
    std::vector<std::int32_t> x(65536), y(65536);
    brute = 0;
    for (std::int64_t start = INT32_MIN; start <= INT32_MAX; start += 65536) {
      first->run(a, static_cast<std::int32_t>(start), x);
      second->run(b, static_cast<std::int32_t>(start), y);
      for (std::size_t i = 0; i < x.size(); ++i) brute += x[i] != y[i] && x[i] != oracle::run_undefined && y[i] != oracle::run_undefined ? 1 : 0;
    }
  }
  auto f = compiled(*first, p), g = compiled(*second, p);
  if (!f || !g) return state.SkipWithError("a profile does not compile");
  auto stairs = staircase(*f), other = staircase(*g);
  if (!stairs || !other) return state.SkipWithError("no staircase");
  const Disagreement d = compare(*stairs, *other);
  state.counters["differing"] = static_cast<double>(brute);
  if (d.count != brute) state.SkipWithError(("the stairs count " + std::to_string(d.count) + ", brute force " + std::to_string(brute)).c_str());
}
BENCHMARK(by_brute_force)->DenseRange(0, parameter_sets - 1)->Iterations(1)->Unit(benchmark::kMillisecond);

/// The same parameter sets and pairs, by stairs; compiled once.
void by_stairs(benchmark::State& state) {
  const oracle::RequantizeParameters p = parameters(state.range(0));
  const auto [first, second] = pair_of(state.range(0));
  state.SetLabel(std::string(first->profile) + " | " + std::string(second->profile));
  auto f = compiled(*first, p), g = compiled(*second, p);
  if (!f || !g) return state.SkipWithError("a profile does not compile");
  std::uint64_t differing = 0;
  bool odd = false;
  for (auto _ : state) {
    // Another zero point each time, so that the parameters are really new.
    odd = !odd;
    if (!f->set("y_zero_point", Real(p.zero_point)) || !g->set("y_zero_point", Real(odd ? p.zero_point : 1)))
      return state.SkipWithError("a parameter is refused");
    if (!g->set("y_zero_point", Real(p.zero_point))) return state.SkipWithError("a parameter is refused");
    auto stairs = staircase(*f);
    if (!stairs) return state.SkipWithError("no staircase");
    auto other = staircase(*g, &*stairs);
    if (!other) return state.SkipWithError("no staircase");
    differing = compare(*stairs, *other).count;
  }
  state.counters["differing"] = static_cast<double>(differing);
}
BENCHMARK(by_stairs)->DenseRange(0, parameter_sets - 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tiebreak
