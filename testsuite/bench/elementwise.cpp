// SPDX-License-Identifier: Apache-2.0
// Elementwise operations of 2^20 elements under every profile: quantizations, requantizations, and what 8-bit operands give.
#include <benchmark/benchmark.h>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/bench/page_calls.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t elements = std::int64_t{1} << 20;

Tensor number(const char* type, double value) { return scalar(type, Real::from_double(value)); }

Tensor floats() {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), {elements}, {}});
  for (std::int64_t i = 0; i < elements; ++i) tensor.set_code(i, *tensor.element().encode(Real::from_double(static_cast<float>(i % 5000 - 2500) * 0.0137f)));
  return tensor;
}

std::vector<OpCall> calls() {
  const Tensor scale = number("f32", 0x1.99999ap-4), other = number("f32", 0.3f), result = number("f32", 0.35f);
  OpCall quantize{.op = "onnx.QuantizeLinear", .operands = {floats(), scale, number("u8", 128)}, .version = 21};
  OpCall dequantize{.op = "onnx.DequantizeLinear", .operands = {noise("i8", {elements}, 1), scale, number("i8", 3)}, .version = 21};
  OpCall requantize{.op = "quant.requantize", .operands = {noise("i32", {elements}, 1), scale, other, number("f32", 1e5f), number("i8", -3)}};
  OpCall sum{.op = "microsoft.QLinearAdd",
             .operands = {noise("u8", {elements}, 1), scale, number("u8", 3), noise("u8", {elements}, 2), other, number("u8", 4), result, number("u8", 5)}};
  return {quantize, dequantize, requantize, sum};
}

/// What float networks are made of beside their contractions; of the text alone.
std::vector<OpCall> float_calls() {
  std::vector<OpCall> all;
  for (const char* op : {"onnx.Relu", "onnx.Sigmoid", "onnx.HardSwish", "onnx.Tanh", "onnx.Erf", "onnx.Exp", "onnx.Sqrt", "onnx.DynamicQuantizeLinear"})
    all.push_back({.op = op, .operands = {floats()}, .version = 0});
  for (const char* op : {"onnx.Add", "onnx.Mul", "onnx.Div", "onnx.Max"}) all.push_back({.op = op, .operands = {floats(), floats()}});
  all.push_back({.op = "onnx.Clip", .operands = {floats(), number("f32", 0), number("f32", 6)}});
  OpCall cast{.op = "onnx.Cast", .operands = {noise("i32", {elements}, 1)}};
  cast.attributes = {{"to", Attribute{*ElementType::parse("f32")}}};
  all.push_back(cast);
  return all;
}

void run(benchmark::State& state, const Profile& profile, const OpCall& call) {
  for (auto _ : state) {
    const auto results = evaluate({pages(), profile}, call);
    if (!results) return state.SkipWithError(to_text(results.error()).c_str());
    benchmark::DoNotOptimize(results->front().tensor.bytes().data());
  }
  state.counters["rate"] = benchmark::Counter(static_cast<double>(elements), benchmark::Counter::kIsIterationInvariantRate);
}

const bool elementwise_are_registered = [] {
  static const std::vector<OpCall> all = calls();
  for (const OpCall& call : all)
    for (const auto& [name, profile] : pages().profiles())
      benchmark::RegisterBenchmark(("elementwise/" + call.op + "/" + name).c_str(), [&](benchmark::State& state) {
        run(state, profile, call);
      })->Unit(benchmark::kMillisecond);
  static const std::vector<OpCall> of_floats = float_calls();
  for (const OpCall& call : of_floats)
    benchmark::RegisterBenchmark(("elementwise/" + call.op + "/onnx").c_str(), [&](benchmark::State& state) {
      run(state, pages().profiles().at("onnx"), call);
    })->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace tiebreak
