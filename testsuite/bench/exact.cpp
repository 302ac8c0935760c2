// SPDX-License-Identifier: Apache-2.0
// Cost of exact numbers: the chain of a requantization per element, and one softmax row.
#include <benchmark/benchmark.h>

#include <vector>

#include "interpreter/exact/computable.hpp"
#include "interpreter/exact/integer_format.hpp"

namespace tiebreak {
namespace {

// sat.i8(rne(f32(x / s)) + z): the chain of QuantizeLinear.
void quantize(benchmark::State& state) {
  const FloatFormat& f32 = *find_float_format("f32");
  const Real scale = *round_to(*Real::parse("0.0437"), f32);
  const Real zero_point = 3;
  const Real lo = -128;
  const Real hi = 127;
  std::vector<Real> inputs;
  for (int i = 0; i < 1024; ++i) inputs.push_back(Real::from_double(static_cast<float>(i - 512) * 0.0137f));
  std::size_t next = 0;
  for (auto step : state) {
    static_cast<void>(step);
    const Real quotient = *round_to(inputs[next++ % inputs.size()] / scale, f32);
    benchmark::DoNotOptimize(saturate(round_whole(quotient, Rounding::nearest_even) + zero_point, lo, hi).to_int64());
  }
}
BENCHMARK(quantize)->Name("exact/quantize");

// sat.i8(rne(acc * m) + z) with a multiplier that is a ratio, nothing rounded on the way.
void requantize(benchmark::State& state) {
  const Real multiplier = *Real::parse("0.0437") / *Real::parse("0.37");
  std::int32_t accumulator = -1000;
  for (auto step : state) {
    static_cast<void>(step);
    accumulator = accumulator > 1000 ? -1000 : accumulator + 1;
    benchmark::DoNotOptimize(saturate(round_whole(Real(accumulator) * multiplier, Rounding::nearest_away) + Real(3), Real(-128), Real(127)).to_int64());
  }
}
BENCHMARK(requantize)->Name("exact/requantize");

void softmax_row(benchmark::State& state) {
  const auto size = static_cast<int>(state.range(0));
  for (auto step : state) {
    static_cast<void>(step);
    std::vector<Computable> terms;
    Computable sum;
    for (int i = 0; i < size; ++i) {
      const Computable argument = Real::dyadic(-i, -5);
      terms.push_back(Computable::apply(RealFunction::exp, std::span<const Computable>(&argument, 1)));
      sum = sum + terms.back();
    }
    for (const Computable& term : terms) benchmark::DoNotOptimize((term / sum * Computable(Real(256))).round_whole(Rounding::nearest_even));
  }
  state.SetItemsProcessed(state.iterations() * size);
}
BENCHMARK(softmax_row)->Name("exact/softmax")->Arg(64)->Arg(1024);

}  // namespace
}  // namespace tiebreak
