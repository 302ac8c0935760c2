// SPDX-License-Identifier: Apache-2.0
// Figures beside another library's in one run, on one core each, over sizes, with the memory that they take: docs/speed.md.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>

#include "testsuite/bench/page_calls.hpp"
#include "testsuite/bench/peak_memory.hpp"
#include "testsuite/bench/peer.hpp"

namespace tiebreak {
namespace {

constexpr double longest_seconds = 10;  // of the processor, for one run; what would take longer is left out

struct Computation {
  std::string name;  ///< convolution_u8_i8
  std::int64_t size = 0;
  double work = 0;  ///< operations, a product and a sum being two, or elements
  TensorType result{};
  std::function<OpCall()> call{};
  std::string full_name() const { return "peers/" + name + "/" + std::to_string(size); }
};

/// Floats of about this size, both signs.
Tensor floats(Shape shape, float size, std::uint64_t state) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), std::move(shape), {}});
  float* values = reinterpret_cast<float*>(tensor.bytes().data());
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    state = next_state(state);
    values[i] = size * (static_cast<float>(state >> 40) * 0x1p-23f - 1);
  }
  return tensor;
}

Result<Tensor> evaluated(const OpCall& call) {
  auto results = evaluate({pages(), **pages().find_profile("onnx")}, call);
  if (!results) return tl::unexpected<Error>(results.error());
  return std::move(results->front().tensor);
}

void state_figures(benchmark::State& state, const Computation& computation, const PeakMemory& memory) {
  state.counters["rate"] = benchmark::Counter(computation.work, benchmark::Counter::kIsIterationInvariantRate);
  if (const auto peak = memory.mebibytes()) state.counters["peak_MiB"] = *peak;
}

/// Seconds a unit of work in the last size of the computation that was run.
std::map<std::string, double>& seconds_by_work() {
  static std::map<std::string, double> known;
  return known;
}

void run_tiebreak(benchmark::State& state, const Computation& computation) {
  double& seconds = seconds_by_work()[computation.name];
  if (const double expected = seconds * computation.work; expected > longest_seconds)
    return state.SkipWithError(fmt::format("left out: it would take about {:.0f} s", expected).c_str());
  const OpCall call = computation.call();
  const PeakMemory memory;
  const std::clock_t start = std::clock();
  if (const auto first = evaluated(call); !first) return state.SkipWithError(to_text(first.error()).c_str());
  seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / computation.work;
  state_figures(state, computation, memory);
  for (auto _ : state) benchmark::DoNotOptimize(evaluated(call)->bytes().data());
}

/// How many of the values are other ones, and by how much: that it is the same computation.
std::string compared(const Tensor& expected, const std::vector<std::byte>& answer) {
  auto given = Tensor::from_bytes(expected.type(), answer, "the answer");
  if (!given) return to_text(given.error());
  std::int64_t different = 0;
  double largest = 0, farthest = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double value = expected.value(i).to_double();
    largest = std::max(largest, std::abs(value));
    if (expected.code(i) == given->code(i)) continue;
    ++different;
    farthest = std::max(farthest, std::abs(given->value(i).to_double() - value));
  }
  return different == 0 ? "all the same" : fmt::format("{} of {} differ, by up to {:.1e} of the largest", different, expected.size(), farthest / largest);
}

void run_onednn(benchmark::State& state, const Computation& computation) {
  const OpCall call = computation.call();
  const bool is_long = seconds_by_work()[computation.name] * computation.work > longest_seconds;
  const PeakMemory memory;
  auto peer = onednn_peer(call, computation.result);
  if (!peer) return state.SkipWithError(peer.error().what.c_str());
  (*peer)->run();
  state_figures(state, computation, memory);
  if (is_long) state.SetLabel("not compared");
  else if (const auto expected = evaluated(call)) state.SetLabel(compared(*expected, (*peer)->result()));
  for (auto _ : state) (*peer)->run();
}

OpCall with_operands(const char* op, std::vector<std::optional<Tensor>> operands, int version) {
  OpCall call{.op = op, .operands = {}, .version = version};
  for (auto& operand : operands) call.operands.push_back(std::move(operand));
  return call;
}

constexpr std::int64_t features = 64, kernel = 3;

/// 3x3 over size x size places of 64 features, to 64.
Computation convolution(bool is_float, std::int64_t size) {
  const Shape x{1, features, size, size}, w{features, features, kernel, kernel};
  return {is_float ? "convolution_f32" : "convolution_u8_i8", size, 2.0 * static_cast<double>(size * size * features * features * kernel * kernel),
          TensorType{*ElementType::parse(is_float ? "f32" : "i32"), x, {}}, [=] {
            OpCall call = is_float ? with_operands("onnx.Conv", {floats(x, 1, 1), floats(w, 0.05f, 2)}, 11)
                                   : with_operands("onnx.ConvInteger", {noise("u8", x, 1), noise("i8", w, 2), scalar("u8", 128)}, 10);
            call.attributes = {{"pads", Attribute::integers({1, 1, 1, 1})}};
            return call;
          }};
}

Computation matrices(bool is_float, std::int64_t size) {
  const Shape shape{size, size};
  const double one = static_cast<double>(size);
  return {is_float ? "matrices_f32" : "matrices_u8_i8", size, 2.0 * one * one * one, TensorType{*ElementType::parse(is_float ? "f32" : "i32"), shape, {}}, [=] {
            return is_float ? with_operands("onnx.MatMul", {floats(shape, 1, 1), floats(shape, 1, 2)}, 13)
                            : with_operands("onnx.MatMulInteger", {noise("u8", shape, 1), noise("i8", shape, 2), scalar("u8", 128)}, 10);
          }};
}

Computation quantization(std::int64_t size) {
  return {"quantize_f32_u8", size, static_cast<double>(size), TensorType{*ElementType::parse("u8"), {size}, {}}, [=] {
            return with_operands("onnx.QuantizeLinear", {floats({size}, 16, 1), scalar("f32", Real::from_double(0.1f)), scalar("u8", 128)}, 13);
          }};
}

Computation sum(std::int64_t size) {
  return {"add_f32", size, static_cast<double>(size), TensorType{*ElementType::parse("f32"), {size}, {}}, [=] {
            return with_operands("onnx.Add", {floats({size}, 16, 1), floats({size}, 3, 2)}, 14);
          }};
}

std::vector<Computation> computations() {
  std::vector<Computation> all;
  for (const bool is_float : {false, true}) {
    for (const std::int64_t size : {56, 112, 224, 448}) all.push_back(convolution(is_float, size));
    for (const std::int64_t size : {64, 256, 1024, 4096}) all.push_back(matrices(is_float, size));
  }
  for (const std::int64_t size : {1 << 16, 1 << 20, 1 << 24}) all.push_back(quantization(size));
  for (const std::int64_t size : {1 << 16, 1 << 20, 1 << 24}) all.push_back(sum(size));
  return all;
}

/// Tiebreak's first: what it takes tells whether the next size is tried.
const bool are_registered = [] {
  for (const Computation& one : computations()) {
    benchmark::RegisterBenchmark((one.full_name() + "/Tiebreak").c_str(), [one](benchmark::State& state) {
      run_tiebreak(state, one);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((one.full_name() + "/oneDNN").c_str(), [one](benchmark::State& state) {
      run_onednn(state, one);
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace tiebreak
