// SPDX-License-Identifier: Apache-2.0
// The adapter `emulated` with libraries for 64-bit ARM: one answer that this machine's build of the same library does not give. Skipped, with
// the reason, where tools/adapters/emulated/build-arm64 has not built them.
#include <gtest/gtest.h>

#include <filesystem>

#include "testsuite/unit/backends/fake_adapter.hpp"

namespace tiebreak {
namespace {

const std::string emulated_program = std::string(TIEBREAK_BINARY_DIR) + "/tiebreak-adapter-emulated";

std::vector<std::string> on_arm64(const std::string& adapter, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"--machine", "aarch64", "--cpu", "neoverse-n1", "--adapter", adapter};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::unique_ptr<Backend> opened(const std::vector<std::string>& words) {
  BackendOptions options;
  options.arguments = words;
  return sample::open(emulated_program, options);
}

/// Why it cannot be asked here, or "".
std::string missing(const std::vector<std::string>& words) {
  if (!std::filesystem::exists(emulated_program)) return "the adapter emulated is not built";
  const auto description = opened(words)->describe();
  return description ? "" : to_text(description.error());
}

/// 1 by 1 times 1 by 4, all of one 8-bit type: products 1, 3, 5, 7 at scale 1/2, a tie each.
ExchangeCase halves(const std::string& type) {
  ExchangeCase one;
  one.id = "op/case";
  one.op = "onnx.QLinearMatMul";
  const std::string code = "tensor<" + std::string(type == "u8" ? "ui8" : "i8") + ">", number = "tensor<f32>", matrix = code.substr(7);
  one.program = "%y = \"onnx.QLinearMatMul\"(%a, %as, %az, %b, %bs, %bz, %ys, %yz) : (tensor<1x1x" + matrix + ", " + number + ", " + code + ", tensor<1x4x" +
                matrix + ", " + number + ", " + code + ", " + number + ", " + code + ") -> tensor<1x4x" + matrix;
  const auto codes = [&](const std::string& name, const std::vector<int>& values, const Shape& shape) {
    one.inputs.push_back(sample::named(name, sample::bytes(type, values, shape)));
  };
  const auto scale = [&](const std::string& name, float value) { one.inputs.push_back(sample::named(name, sample::floats({value}, {}))); };
  codes("a", {1}, {1, 1});
  scale("as", 1);
  codes("az", {0}, {});
  codes("b", {1, 3, 5, 7}, {1, 4});
  scale("bs", 1);
  codes("bz", {0}, {});
  scale("ys", 2);
  codes("yz", {0}, {});
  one.outputs = {sample::named("y", *Tensor::zeros(sample::type_of(type, {1, 4})))};
  return one;
}

std::string codes_of(const std::vector<std::string>& words, const ExchangeCase& asked) {
  const auto answers = opened(words)->run({asked});
  if (answers.empty() || answers[0].kind != BackendAnswer::Kind::answered) return sample::to_text(answers);
  const Tensor& tensor = answers[0].outputs[0].tensor;
  std::string text;
  for (std::int64_t i = 0; i < tensor.size(); ++i) text += (i == 0 ? "" : " ") + tensor.value(i).to_string();
  return text;
}

TEST(EmulatedAdapter, AnotherMachineNeedsItsBuild) {
  if (!std::filesystem::exists(emulated_program)) GTEST_SKIP() << "the adapter emulated is not built";
  const auto description = opened(on_arm64("no-such"))->describe();
  ASSERT_FALSE(description);
  const std::string text = to_text(description.error());
  if (text.find("is not on PATH") != std::string::npos) GTEST_SKIP() << text;
  EXPECT_NE(text.find("build-arm64 no-such"), std::string::npos) << text;
}

TEST(EmulatedAdapter, AProcessorNeedsItsFolder) {
  if (const std::string reason = missing(on_arm64("xnnpack")); !reason.empty()) GTEST_SKIP() << reason;
  const auto description = opened({"--machine", "aarch64", "--cpu", "cortex-a35", "--adapter", "xnnpack"})->describe();
  ASSERT_FALSE(description);
  EXPECT_NE(to_text(description.error()).find("there are: cortex-a72 neoverse-n1"), std::string::npos) << to_text(description.error());
}

TEST(EmulatedAdapter, XnnpackRoundsHalvesUpOnArm) {
  if (const std::string reason = missing(on_arm64("xnnpack")); !reason.empty()) GTEST_SKIP() << reason;
  const auto description = opened(on_arm64("xnnpack"))->describe();
  EXPECT_EQ(description->profile, "xnnpack-arm64");
  EXPECT_EQ(description->details.at("machine"), "aarch64");
  EXPECT_EQ(codes_of(on_arm64("xnnpack"), halves("u8")), "1 2 3 4");  // on x86-64 to even: 0 2 2 4
}

TEST(EmulatedAdapter, ArmNnHasTwoDevicesOnArm) {
  if (const std::string reason = missing(on_arm64("armnn")); !reason.empty()) GTEST_SKIP() << reason;
  const auto library = on_arm64("armnn", {"--device", "CpuAcc"});
  EXPECT_EQ(opened(library)->describe()->profile, "armnn-cpuacc");
  EXPECT_EQ(codes_of(library, halves("u8")), "1 2 3 4");
  EXPECT_EQ(codes_of(on_arm64("armnn"), halves("u8")), "1 2 3 4");
}

}  // namespace
}  // namespace tiebreak
