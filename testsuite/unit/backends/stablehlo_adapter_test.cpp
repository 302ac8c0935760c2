// SPDX-License-Identifier: Apache-2.0
// The adapter `stablehlo` with stand-ins for StableHLO's programs: scripts on PATH that print what the real ones would, or misbehave.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "testsuite/unit/backends/fake_adapter.hpp"

namespace tiebreak {
namespace {

class StableHloAdapter : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(path_)) GTEST_SKIP() << path_ << " is not built";
    old_path_ = std::getenv("PATH");
    ::setenv("TIEBREAK_SPEC", TIEBREAK_SOURCE_DIR "/spec", 1);
    std::filesystem::create_directory(folder_.file("bin"));
    ::setenv("PATH", (folder_.file("bin") + ":/usr/bin:/bin").c_str(), 1);
  }
  void TearDown() override {
    if (!old_path_.empty()) ::setenv("PATH", old_path_.c_str(), 1);
    ::unsetenv("TIEBREAK_SPEC");
  }

  /// A program on PATH. $D is the test's folder; the text it was given is kept as $D/NAME.seen.
  void program(const std::string& name, const std::string& body) const {
    const std::string script = folder_.file("bin/" + name);
    sample::write_text(script, "#!/bin/sh\nD=" + folder_.path().string() +
                                   "\nif [ \"$1\" = --version ]; then echo '  LLVM version 99.0'; exit 0; fi\ncp \"$2\" $D/" + name + ".seen\n" + body + "\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  }
  std::string seen(const std::string& name) const { return sample::read_text(folder_.file(name + ".seen")); }

  /// One uniform_dequantize of two codes, or its opposite.
  static ExchangeCase asked(bool dequantize) {
    ExchangeCase one;
    one.id = "op/case";
    one.op = dequantize ? "stablehlo.uniform_dequantize" : "stablehlo.uniform_quantize";
    const TensorType plain = sample::type_of("f32", {2});
    TensorType type = sample::type_of("i8", {2});
    type.quantized = QuantizedType{type.element, Real(-128), Real(127), plain.element, {}, {}, {{Real::dyadic(1, -1)}}, {{Real(1)}}};
    const std::string from = dequantize ? to_text(type) : to_text(plain), to = dequantize ? to_text(plain) : to_text(type);
    one.program =
        "func.func @f(%x: " + from + ") -> " + to + " {\n  %y = \"" + one.op + "\"(%x) : (" + from + ") -> " + to + "\n  func.return %y : " + to + "\n}\n";
    Tensor codes = sample::bytes("i8", {3, 255}, {2});
    codes.set_type(type);
    one.inputs = {sample::named("x", dequantize ? codes : sample::floats({1.0F, -1.0F}, {2}))};
    one.outputs = {sample::named("y", *Tensor::zeros(dequantize ? plain : type))};
    return one;
  }
  std::vector<BackendAnswer> run(const ExchangeCase& asked, std::vector<std::string> arguments = {}) const {
    BackendOptions options;
    options.arguments = std::move(arguments);
    return sample::open(path_, options)->run({asked});
  }
  std::string outcome(const std::string& body, std::vector<std::string> arguments = {}) const {
    program("stablehlo-translate", body);
    return sample::to_text(run(asked(true), std::move(arguments)));
  }

  const std::string path_ = std::string(TIEBREAK_BINARY_DIR) + "/tiebreak-adapter-stablehlo";
  const sample::Folder folder_{};
  std::string old_path_{};
};

TEST_F(StableHloAdapter, DescribesWhatIsThere) {
  program("stablehlo-translate", "exit 1");
  auto description = sample::open(path_)->describe();
  ASSERT_TRUE(description) << to_text(description.error());
  EXPECT_EQ(description->version, "LLVM version 99.0");
  EXPECT_EQ(description->profile, "stablehlo-interpreter");
  EXPECT_EQ(description->details["translate"], folder_.file("bin/stablehlo-translate"));
  EXPECT_NE(std::find(description->ops.begin(), description->ops.end(), "stablehlo.add"), description->ops.end());
}

TEST_F(StableHloAdapter, AsksASerializedProgramForTheVersion) {
  program("stablehlo-translate", "[ \"$1\" = --serialize ] && printf 'ML\\357RStableHLO_v1.13.8\\000rest'");
  auto description = sample::open(path_)->describe();
  ASSERT_TRUE(description) << to_text(description.error());
  EXPECT_EQ(description->version, "1.13.8");
}

TEST_F(StableHloAdapter, AbsentProgramsAreNamed) {
  auto description = sample::open(path_)->describe();
  ASSERT_FALSE(description);
  EXPECT_NE(to_text(description.error()).find("stablehlo-translate is not on PATH"), std::string::npos) << to_text(description.error());
  program("stablehlo-translate", "exit 1");
  BackendOptions qdq;
  qdq.arguments = {"--mode", "qdq"};
  description = sample::open(path_, qdq)->describe();
  ASSERT_FALSE(description);
  EXPECT_NE(to_text(description.error()).find("stablehlo-opt is not on PATH"), std::string::npos) << to_text(description.error());
  EXPECT_EQ(sample::shell(path_ + " --mode sideways describe 2> /dev/null"), 1);
}

TEST_F(StableHloAdapter, CodesGoInAndComeOutAsIntegers) {
  program("stablehlo-translate", "printf 'tensor<2xf32> {\\n  [1.000000e+00, 0xFF800000]\\n}\\n'");
  auto answers = run(asked(true));
  ASSERT_EQ(sample::to_text(answers), "answered");
  EXPECT_EQ(answers[0].outputs[0].tensor.value(0).to_string(), "1");
  EXPECT_EQ(answers[0].outputs[0].tensor.value(1).to_string(), "-inf");
  const std::string in = seen("stablehlo-translate");
  EXPECT_NE(in.find("dense<[3, -1]> : tensor<2xi8>"), std::string::npos) << in;
  EXPECT_NE(in.find("\"stablehlo.bitcast_convert\"(%stored_0) : (tensor<2xi8>) -> tensor<2x!quant.uniform"), std::string::npos) << in;
  EXPECT_NE(in.find("func.func @main() -> (tensor<2xf32>)"), std::string::npos) << in;
  program("stablehlo-translate", "printf 'tensor<2xi8> {\\n  [3, -1]\\n}\\n'");
  answers = run(asked(false));
  ASSERT_EQ(sample::to_text(answers), "answered");
  EXPECT_EQ(answers[0].outputs[0].tensor.value(1).to_string(), "-1");
  const std::string out = seen("stablehlo-translate");
  EXPECT_NE(out.find("-> tensor<2xi8>\n  func.return"), std::string::npos) << out;
}

TEST_F(StableHloAdapter, LowersFirstWhereAsked) {
  program("stablehlo-opt", "[ \"$1\" = --stablehlo-legalize-quantized-op-to-qdq ] && echo lowered > \"$4\"");
  EXPECT_EQ(outcome("printf 'tensor<2xf32> {\\n  [1.0, 2.0]\\n}\\n'", {"--mode", "qdq"}), "answered");
  EXPECT_EQ(seen("stablehlo-translate"), "lowered\n");
}

TEST_F(StableHloAdapter, RefusalsAreUnsupported) {
  EXPECT_EQ(outcome("echo 'error: Unsupported op: stablehlo.add' >&2; exit 1").rfind("unsupported: stablehlo-translate exited with status 1", 0), 0U);
  EXPECT_EQ(outcome("echo 'error: failed to legalize operation' >&2; exit 1").rfind("unsupported: ", 0), 0U);
  const std::string aborted = outcome("echo 'LLVM ERROR: Operation stablehlo.cholesky is unsupported at the moment.' >&2; echo stack >&2; kill -ABRT $$");
  EXPECT_EQ(aborted, "unsupported: stablehlo-translate crashed with SIGABRT: Operation stablehlo.cholesky is unsupported at the moment.");
}

TEST_F(StableHloAdapter, TheFirstErrorIsTheReason) {
  EXPECT_EQ(outcome("printf '/tmp/p.mlir:1:2: error: it cannot\\n  text\\np.mlir:9:9: error: later\\n' >&2; exit 1"),
            "inconclusive: error: stablehlo-translate exited with status 1: it cannot");
}

TEST_F(StableHloAdapter, ScalesBeyondF64AreRefused) {
  program("stablehlo-translate", "exit 1");
  auto one = asked(true);
  TensorType type = one.inputs[0].tensor.type();
  type.quantized->scales = {{Real(1) + Real::dyadic(1, -60)}};
  one.program = "func.func @f(%x: " + to_text(type) + ") -> tensor<2xf32> {\n  %y = \"stablehlo.uniform_dequantize\"(%x) : (" + to_text(type) +
                ") -> tensor<2xf32>\n  func.return %y : tensor<2xf32>\n}\n";
  one.inputs[0].tensor.set_type(type);
  EXPECT_EQ(sample::to_text(run(one)).rfind("unsupported: a scale that no f64 is", 0), 0U) << sample::to_text(run(one));
}

TEST_F(StableHloAdapter, MisbehaviourIsInconclusive) {
  EXPECT_NE(outcome("kill -SEGV $$").find("crashed with SIGSEGV"), std::string::npos);
  EXPECT_NE(outcome("echo oops >&2; exit 3").find("exited with status 3: oops"), std::string::npos);
  EXPECT_NE(outcome("sleep 5", {"--seconds", "0.2"}).find("no answer after 0.2 s"), std::string::npos);
  for (const char* garbage : {"true", "echo garbage", "echo 'tensor<2xf32> {'", "echo 'tensor<3xf32> {[1.0, 2.0, 3.0]}'", "echo 'tensor<2xf32> {[1.0]}'",
                              "echo 'tensor<2xf32> {[1.0, x]}'", "echo 'tensor<2xf32> {[1.0, 2.0]} tensor<2xf32> {[1.0, 2.0]}'"}) {
    EXPECT_EQ(outcome(garbage).rfind("inconclusive: error: ", 0), 0U) << garbage << ": " << outcome(garbage);
  }
}

}  // namespace
}  // namespace tiebreak
