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

Result<Tensor> evaluated(const OpCall& call, const std::string& name = "onnx") {
  TIEBREAK_TRY(profile, pages().find_profile(name));
  auto results = evaluate({pages(), *profile}, call);
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
  if (different == 0) return "all the same";
  const std::string how_far = expected.element().is_integer() ? fmt::format("{:.0f}", farthest) : fmt::format("{:.1e} of the largest", farthest / largest);
  return fmt::format("{} of {} differ, by up to {}", different, expected.size(), how_far);
}

/// The last computation's values are kept: each library is held against them.
const Result<Tensor>& expected_of(const Computation& computation, const OpCall& call, const std::string& profile) {
  static std::string known;
  static Result<Tensor> expected;
  if (const std::string key = computation.full_name() + " " + profile; known != key) {
    known = key;
    expected = evaluated(call, profile);
  }
  return expected;
}

using MakePeer = Result<std::unique_ptr<Peer>> (*)(const OpCall& call, const TensorType& result);

void run_peer(benchmark::State& state, const Computation& computation, MakePeer make) {
  const OpCall call = computation.call();
  const bool is_long = seconds_by_work()[computation.name] * computation.work > longest_seconds;
  const PeakMemory memory;
  auto peer = make(call, computation.result);
  if (!peer) return state.SkipWithError(peer.error().what.c_str());
  (*peer)->run();
  state_figures(state, computation, memory);
  if (is_long) state.SetLabel("not compared");
  else if (const auto& expected = expected_of(computation, call, (*peer)->profile())) state.SetLabel(compared(*expected, (*peer)->result()));
  for (auto _ : state) (*peer)->run();
}

OpCall with_operands(const char* op, std::vector<std::optional<Tensor>> operands, int version) {
  OpCall call{.op = op, .operands = {}, .version = version};
  for (auto& operand : operands) call.operands.push_back(std::move(operand));
  return call;
}

constexpr std::int64_t features = 64, kernel = 3;

TensorType type_of(const char* element, Shape shape) { return {*ElementType::parse(element), std::move(shape), {}}; }

Tensor f32(double value) { return scalar("f32", Real::from_double(static_cast<float>(value))); }

/// x and w of one type of codes to the same, by a scale that uses their whole range: what the integer sums are requantized to.
OpCall requantized(const char* op, const char* codes, const Shape& x, const Shape& w, double y_scale) {
  const bool is_signed = codes[0] == 'i';
  return with_operands(op,
                       {noise(codes, x, 1), f32(0.02), scalar(codes, is_signed ? 3 : 131), noise(codes, w, 2), f32(0.01), scalar(codes, is_signed ? 0 : 128),
                        f32(y_scale), scalar(codes, is_signed ? -7 : 121)},
                       10);
}

/// 3x3 over size x size places of 64 features, to 64. f32, u8_i8 to sums of i32, or codes to codes.
Computation convolution(const std::string& kind, std::int64_t size) {
  const Shape x{1, features, size, size}, w{features, features, kernel, kernel};
  const char* result = kind == "f32" ? "f32" : kind == "u8_i8" ? "i32" : kind == "u8_codes" ? "u8" : "i8";
  return {"convolution_" + kind, size, 2.0 * static_cast<double>(size * size * features * features * kernel * kernel), type_of(result, x), [=] {
            OpCall call = kind == "f32"     ? with_operands("onnx.Conv", {floats(x, 1, 1), floats(w, 0.05f, 2)}, 11)
                          : kind == "u8_i8" ? with_operands("onnx.ConvInteger", {noise("u8", x, 1), noise("i8", w, 2), scalar("u8", 128)}, 10)
                                            : requantized("onnx.QLinearConv", result, x, w, 0.5);
            call.attributes = {{"pads", Attribute::integers({1, 1, 1, 1})}};
            return call;
          }};
}

Computation matrices(const std::string& kind, std::int64_t size) {
  const Shape shape{size, size};
  const double one = static_cast<double>(size);
  const char* result = kind == "f32" ? "f32" : kind == "u8_i8" ? "i32" : kind == "u8_codes" ? "u8" : "i8";
  return {"matrices_" + kind, size, 2.0 * one * one * one, type_of(result, shape), [=] {
            return kind == "f32"     ? with_operands("onnx.MatMul", {floats(shape, 1, 1), floats(shape, 1, 2)}, 13)
                   : kind == "u8_i8" ? with_operands("onnx.MatMulInteger", {noise("u8", shape, 1), noise("i8", shape, 2), scalar("u8", 128)}, 10)
                                     : requantized("onnx.QLinearMatMul", result, shape, shape, 0.02 * std::sqrt(one));
          }};
}

Computation quantization(std::int64_t size) {
  return {"quantize_f32_u8", size, static_cast<double>(size), type_of("u8", {size}), [=] {
            return with_operands("onnx.QuantizeLinear", {floats({size}, 16, 1), f32(0.1), scalar("u8", 128)}, 13);
          }};
}

Computation sum(std::int64_t size) {
  return {"add_f32", size, static_cast<double>(size), type_of("f32", {size}), [=] {
            return with_operands("onnx.Add", {floats({size}, 16, 1), floats({size}, 3, 2)}, 14);
          }};
}

Computation sum_of_codes(std::int64_t size) {
  return {"add_u8_codes", size, static_cast<double>(size), type_of("u8", {size}), [=] {
            return with_operands(
                "microsoft.QLinearAdd",
                {noise("u8", {size}, 1), f32(0.1), scalar("u8", 128), noise("u8", {size}, 2), f32(0.03), scalar("u8", 120), f32(0.13), scalar("u8", 125)}, 1);
          }};
}

std::vector<Computation> computations() {
  std::vector<Computation> all;
  for (const char* kind : {"u8_i8", "u8_codes", "i8_codes", "f32"}) {
    for (const std::int64_t size : {56, 112, 224, 448}) all.push_back(convolution(kind, size));
    for (const std::int64_t size : {64, 256, 1024, 4096}) all.push_back(matrices(kind, size));
  }
  for (const auto& of_elements : {quantization, sum, sum_of_codes})
    for (const std::int64_t size : {1 << 16, 1 << 20, 1 << 24}) all.push_back(of_elements(size));
  return all;
}

/// Tiebreak's first: what it takes tells whether the next size is tried.
const bool are_registered = [] {
  const std::vector<std::pair<const char*, MakePeer>> peers{{"oneDNN", onednn_peer}, {"XNNPACK", xnnpack_peer}, {"ONNXRuntime", onnxruntime_peer}};
  for (const Computation& one : computations()) {
    benchmark::RegisterBenchmark((one.full_name() + "/Tiebreak").c_str(), [one](benchmark::State& state) {
      run_tiebreak(state, one);
    })->Unit(benchmark::kMillisecond);
    for (const auto& [name, make] : peers) {
      benchmark::RegisterBenchmark((one.full_name() + "/" + name).c_str(), [one, make = make](benchmark::State& state) {
        run_peer(state, one, make);
      })->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace tiebreak
