// SPDX-License-Identifier: Apache-2.0
// Exact integer contractions: the kernel alone, and whole ops of pages, in operations (a product and a sum are two) a second of one core.
#include <benchmark/benchmark.h>

#include <numeric>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/simd/integer_product.hpp"
#include "testsuite/bench/page_calls.hpp"

namespace tiebreak {
namespace {

void count_operations(benchmark::State& state, std::int64_t products) {
  state.counters["op"] = benchmark::Counter(2.0 * static_cast<double>(products), benchmark::Counter::kIsIterationInvariantRate);
}

void evaluate_call(benchmark::State& state, const OpCall& call, std::int64_t products) {
  const auto profile = *pages().find_profile("onnxruntime-x64");
  for (auto _ : state) {
    auto results = evaluate({pages(), *profile}, call);
    if (!results) return state.SkipWithError(to_text(results.error()).c_str());
    benchmark::DoNotOptimize(results->front().tensor.bytes().data());
  }
  count_operations(state, products);
}

OpCall matrices(std::int64_t size) {
  return {
      .op = "onnx.MatMulInteger", .operands = {noise("u8", {size, size}, 1), noise("i8", {size, size}, 2), scalar("u8", 128), scalar("i8", 3)}, .version = 10};
}

/// 3x3 over size x size places; `inputs` features in each group.
OpCall convolution(const char* op, std::int64_t size, std::int64_t features, std::int64_t inputs, std::int64_t stride) {
  OpCall call{.op = op, .operands = {noise("u8", {1, features, size, size}, 1), noise("i8", {features, inputs, 3, 3}, 2), scalar("u8", 128)}, .version = 10};
  call.attributes = {
      {"pads", Attribute::integers({1, 1, 1, 1})}, {"group", Attribute{Real(features / inputs)}}, {"strides", Attribute::integers({stride, stride})}};
  return call;
}

void MatMulInteger_1024(benchmark::State& state) { evaluate_call(state, matrices(1024), std::int64_t{1} << 30); }
void MatMulInteger_256(benchmark::State& state) { evaluate_call(state, matrices(256), std::int64_t{1} << 24); }
void ConvInteger_56x56x64_3x3(benchmark::State& state) { evaluate_call(state, convolution("onnx.ConvInteger", 56, 64, 64, 1), 56 * 56 * 64 * 64 * 9); }
void ConvInteger_56x56x64_3x3_stride_2(benchmark::State& state) { evaluate_call(state, convolution("onnx.ConvInteger", 56, 64, 64, 2), 28 * 28 * 64 * 64 * 9); }
void ConvInteger_56x56x64_3x3_4_groups(benchmark::State& state) { evaluate_call(state, convolution("onnx.ConvInteger", 56, 64, 16, 1), 56 * 56 * 64 * 16 * 9); }
void ConvInteger_56x56x64_3x3_depthwise(benchmark::State& state) { evaluate_call(state, convolution("onnx.ConvInteger", 56, 64, 1, 1), 56 * 56 * 64 * 9); }
void QLinearConv_56x56x64_3x3(benchmark::State& state) {
  OpCall call = convolution("onnx.QLinearConv", 56, 64, 64, 1);
  const Tensor x = *call.operands[0], w = *call.operands[1];
  auto f32 = [](double v) { return scalar("f32", Real::from_double(static_cast<float>(v))); };
  call.operands = {x, f32(0.1), scalar("u8", 128), w, f32(0.01), scalar("i8", 0), f32(0.5), scalar("u8", 111)};
  evaluate_call(state, call, 56 * 56 * 64 * 64 * 9);
}

/// The kernel alone, on rows of 9 bits.
void add_products_1024(benchmark::State& state, const std::string& instruction_set) {
  if (!simd::use_instruction_set(instruction_set)) return state.SkipWithError("this processor has no such instructions");
  const std::int64_t size = 1024;
  std::vector<std::int16_t> left(static_cast<std::size_t>(size * size + 2 * simd::slack)), right(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = static_cast<std::int16_t>((i * 7919) % 511) - 255;
    right[i] = static_cast<std::int16_t>((i * 104729) % 511) - 255;
  }
  std::vector<std::int64_t> lines(size), items(size);
  std::vector<std::int32_t> sums(static_cast<std::size_t>(size * size));
  std::iota(items.begin(), items.end(), 0);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = static_cast<std::int64_t>(i) * size;
  for (auto _ : state) {
    simd::add_products({left.data() + simd::slack, lines, items}, {right.data() + simd::slack, items, lines}, {sums.data(), lines, items});
    benchmark::DoNotOptimize(sums.data());
  }
  simd::use_instruction_set("");
  count_operations(state, size * size * size);
}

/// The same of bytes.
void add_byte_products_1024(benchmark::State& state, const std::string& instruction_set) {
  if (!simd::use_instruction_set(instruction_set)) return state.SkipWithError("this processor has no such instructions");
  const std::int64_t size = 1024;
  std::vector<std::uint8_t> left(static_cast<std::size_t>(size * size + 2 * simd::slack)), right(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = static_cast<std::uint8_t>(i * 7919 >> 4);
    right[i] = static_cast<std::uint8_t>(i * 104729 >> 4);
  }
  std::vector<std::int64_t> lines(size), items(size);
  std::vector<std::int32_t> sums(static_cast<std::size_t>(size * size));
  std::iota(items.begin(), items.end(), 0);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = static_cast<std::int64_t>(i) * size;
  for (auto _ : state) {
    simd::add_products(simd::ByteSide{{left.data() + simd::slack, lines, items}, -128}, simd::ByteSide{{right.data() + simd::slack, items, lines}, -128},
                       {sums.data(), lines, items});
    benchmark::DoNotOptimize(sums.data());
  }
  simd::use_instruction_set("");
  count_operations(state, size * size * size);
}

BENCHMARK(ConvInteger_56x56x64_3x3)->Unit(benchmark::kMillisecond);
BENCHMARK(ConvInteger_56x56x64_3x3_stride_2)->Unit(benchmark::kMillisecond);
BENCHMARK(ConvInteger_56x56x64_3x3_4_groups)->Unit(benchmark::kMillisecond);
BENCHMARK(ConvInteger_56x56x64_3x3_depthwise)->Unit(benchmark::kMillisecond);
BENCHMARK(QLinearConv_56x56x64_3x3)->Unit(benchmark::kMillisecond);
BENCHMARK(MatMulInteger_1024)->Unit(benchmark::kMillisecond);
BENCHMARK(MatMulInteger_256)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_products_1024, AVX3_DL, "AVX3_DL")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_products_1024, AVX3, "AVX3")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_products_1024, AVX2, "AVX2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_products_1024, SSE4, "SSE4")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_byte_products_1024, AVX3_DL, "AVX3_DL")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_byte_products_1024, AVX3, "AVX3")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_byte_products_1024, AVX2, "AVX2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_byte_products_1024, SSE4, "SSE4")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tiebreak
