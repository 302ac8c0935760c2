// SPDX-License-Identifier: Apache-2.0
// How long the interpreter takes on the two sizes people ask about first, beside a plain loop that does the same arithmetic with nothing else.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/bench/page_calls.hpp"

namespace tiebreak {
namespace {

const Library* library() {
  static const auto loaded = Library::load(Library::default_directory());
  return loaded ? loaded->get() : nullptr;
}

Tensor single(const std::string& type, const char* value) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {}, {}});
  tensor.set_code(0, *tensor.element().encode(*Real::parse(value)));
  return tensor;
}

void run(benchmark::State& state, const OpCall& call, Engine engine, const std::string& name = "onnxruntime-x64") {
  if (library() == nullptr) return state.SkipWithError("the spec pages could not be loaded");
  auto profile = library()->find_profile(name);
  if (!profile) return state.SkipWithError(("profile " + name + " is missing").c_str());
  for (auto _ : state) {
    auto results = evaluate({*library(), **profile}, call, {.engine = engine});
    if (!results) return state.SkipWithError(to_text(results.error()).c_str());
    benchmark::DoNotOptimize(results->front().tensor.bytes().data());
  }
}

OpCall quantize_call(std::int64_t size) {
  Tensor x = *Tensor::zeros({*ElementType::parse("f32"), {size}, {}});
  float* values = reinterpret_cast<float*>(x.bytes().data());
  for (std::int64_t i = 0; i < size; ++i) values[i] = static_cast<float>((i % 5000) - 2500) * 0.0137f;
  OpCall call;
  call.op = "onnx.QuantizeLinear";
  call.operands = {x, single("f32", "0x1.99999ap-4"), single("u8", "7")};
  call.version = 13;
  return call;
}

void QuantizeLinear_1Mi_fast(benchmark::State& state) { run(state, quantize_call(1 << 20), Engine::fast); }
void QuantizeLinear_1Ki_exact(benchmark::State& state) { run(state, quantize_call(1 << 10), Engine::exact); }
void QuantizeLinear_1Mi_plain_loop(benchmark::State& state) {
  const OpCall call = quantize_call(1 << 20);
  const float* x = reinterpret_cast<const float*>(call.operands[0]->bytes().data());
  std::vector<std::uint8_t> y(1 << 20);
  const float scale = 0x1.99999ap-4f;
  for (auto _ : state) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::uint8_t>(std::clamp(std::nearbyintf(x[i] / scale) + 7.0f, 0.0f, 255.0f));
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
}

OpCall convolution_call() {
  OpCall call;
  call.op = "onnx.QLinearConv";
  call.operands = {noise("u8", {1, 64, 56, 56}, 1),
                   single("f32", "0x1.99999ap-4"),
                   single("u8", "128"),
                   noise("i8", {64, 64, 3, 3}, 2),
                   single("f32", "0x1.47ae14p-7"),
                   single("i8", "0"),
                   single("f32", "0x1p-1"),
                   single("u8", "111")};
  call.attributes = {{"pads", Attribute::integers({1, 1, 1, 1})}};
  call.version = 10;
  return call;
}

void QLinearConv_56x56x64_3x3_fast(benchmark::State& state) { run(state, convolution_call(), Engine::fast); }
void QLinearConv_56x56x64_3x3_plain_loop(benchmark::State& state) {
  const OpCall call = convolution_call();
  const auto* x = reinterpret_cast<const std::uint8_t*>(call.operands[0]->bytes().data());
  const auto* w = reinterpret_cast<const std::int8_t*>(call.operands[3]->bytes().data());
  std::vector<std::int32_t> y(64 * 56 * 56);
  for (auto _ : state) {
    for (int m = 0; m < 64; ++m)
      for (int i = 0; i < 56; ++i)
        for (int j = 0; j < 56; ++j) {
          std::int32_t sum = 0;
          for (int c = 0; c < 64; ++c)
            for (int p = std::max(0, 1 - i); p < std::min(3, 57 - i); ++p)
              for (int q = std::max(0, 1 - j); q < std::min(3, 57 - j); ++q)
                sum += (x[(c * 56 + i + p - 1) * 56 + j + q - 1] - 128) * w[((m * 64 + c) * 3 + p) * 3 + q];
          y[static_cast<std::size_t>((m * 56 + i) * 56 + j)] = sum;
        }
    benchmark::DoNotOptimize(y.data());
  }
}

/// Floats as a network has them, codes over all of i8, a scale for each feature.
OpCall weight_only_call() {
  Tensor lhs = *Tensor::zeros({*ElementType::parse("f32"), {1, 56, 56, 64}, {}});
  float* values = reinterpret_cast<float*>(lhs.bytes().data());
  for (std::int64_t i = 0; i < lhs.size(); ++i) values[i] = static_cast<float>((i * 7919) % 100003 - 50001) * 3.1e-5f;
  Tensor rhs = noise("i8", {3, 3, 64, 64}, 2);
  TensorType type = rhs.type();
  type.quantized = QuantizedType{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {{3, 1}}, {64}, {}, {}};
  for (int c = 0; c < 64; ++c) {
    type.quantized->scales.push_back({Real::from_double(0.001 + c * 0.00037)});
    type.quantized->zero_points.push_back({Real(0)});
  }
  Tensor weight = *Tensor::zeros(type);
  std::ranges::copy(rhs.bytes(), weight.bytes().begin());
  auto one = [](std::int64_t v) { return Attribute::integers({v, v}); };
  OpCall call{.op = "stablehlo.convolution", .operands = {lhs, weight}, .result_types = {TensorType{*ElementType::parse("f32"), {1, 56, 56, 64}, {}}}};
  call.attributes = {{"window_strides", one(1)},
                     {"padding", Attribute{AttributeList{one(1), one(1)}}},
                     {"lhs_dilation", one(1)},
                     {"rhs_dilation", one(1)},
                     {"input_batch_dimension", Attribute{Real(0)}},
                     {"input_feature_dimension", Attribute{Real(3)}},
                     {"input_spatial_dimensions", Attribute::integers({1, 2})},
                     {"kernel_input_feature_dimension", Attribute{Real(2)}},
                     {"kernel_output_feature_dimension", Attribute{Real(3)}},
                     {"kernel_spatial_dimensions", Attribute::integers({0, 1})},
                     {"output_batch_dimension", Attribute{Real(0)}},
                     {"output_feature_dimension", Attribute{Real(3)}},
                     {"output_spatial_dimensions", Attribute::integers({1, 2})}};
  return call;
}

void WeightOnlyConvolution_56x56x64_3x3_exact_sum(benchmark::State& state) { run(state, weight_only_call(), Engine::fast, "reference"); }
void WeightOnlyConvolution_56x56x64_3x3_exact(benchmark::State& state) { run(state, weight_only_call(), Engine::fast, "stablehlo-exact"); }
void WeightOnlyConvolution_56x56x64_3x3_sequential(benchmark::State& state) { run(state, weight_only_call(), Engine::fast, "stablehlo-spec"); }

/// The same activation and kernel with dynamic range: one range an image, integer sums.
void DynamicRangeConvolution_56x56x64_3x3(benchmark::State& state) {
  OpCall call = weight_only_call();
  call.op = "hybrid.convolution";
  run(state, call, Engine::fast, "tflite-hybrid-asym-portable");
}

BENCHMARK(QuantizeLinear_1Mi_fast)->Unit(benchmark::kMillisecond);
BENCHMARK(QuantizeLinear_1Mi_plain_loop)->Unit(benchmark::kMillisecond);
BENCHMARK(QuantizeLinear_1Ki_exact)->Unit(benchmark::kMillisecond);
BENCHMARK(QLinearConv_56x56x64_3x3_fast)->Unit(benchmark::kMillisecond);
BENCHMARK(QLinearConv_56x56x64_3x3_plain_loop)->Unit(benchmark::kMillisecond);
BENCHMARK(WeightOnlyConvolution_56x56x64_3x3_exact_sum)->Unit(benchmark::kMillisecond);
BENCHMARK(WeightOnlyConvolution_56x56x64_3x3_exact)->Unit(benchmark::kMillisecond);
BENCHMARK(WeightOnlyConvolution_56x56x64_3x3_sequential)->Unit(benchmark::kMillisecond);
BENCHMARK(DynamicRangeConvolution_56x56x64_3x3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tiebreak
