// SPDX-License-Identifier: Apache-2.0
// Finding adapters, what they say of themselves, and what they are given.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "testsuite/backends/child_process.hpp"
#include "testsuite/backends/description.hpp"
#include "testsuite/unit/backends/fake_adapter.hpp"

namespace tiebreak {
namespace {

using sample::Adapters;
using sample::asked;

Error open_error(const std::string& name) {
  const auto backend = Backend::open(name, {});
  return backend ? Error{Errc::internal, "it was opened"} : backend.error();
}

TEST(Search, ByNameAndByPath) {
  const Adapters adapters;
  adapters.script("tiebreak-adapter-alpha", "echo '{\"protocol\": 1, \"name\": \"alpha\", \"version\": \"1\", \"ops\": []}'");
  adapters.script("tiebreak-adapter-alphabet", "");
  adapters.script("other", "");
  sample::write_text(adapters.file("tiebreak-adapter-text"), "not executable");
  ::setenv("TIEBREAK_ADAPTERS", ("/no/such/folder:" + adapters.file("")).c_str(), 1);
  const auto names = Backend::available();
  EXPECT_EQ(std::count(names.begin(), names.end(), "alpha"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "text"), 0);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(sample::open("alpha")->describe()->name, "alpha");
  EXPECT_EQ(sample::open(adapters.file("tiebreak-adapter-alpha"))->describe()->name, "alpha");

  EXPECT_EQ(open_error("alpah").code, Errc::unknown_name);
  EXPECT_EQ(open_error("alpah").hint, "did you mean 'alpha'?");
  EXPECT_NE(open_error("nothing-like-it").hint.find("alphabet"), std::string::npos);
  EXPECT_EQ(open_error("").code, Errc::unknown_name);
  EXPECT_EQ(open_error(adapters.file("")).what, "not an adapter but a folder or device");
  EXPECT_EQ(open_error(adapters.file("absent")).what, "no such adapter");
  EXPECT_EQ(open_error(adapters.file("tiebreak-adapter-text")).hint, "chmod +x " + adapters.file("tiebreak-adapter-text"));
  ::unsetenv("TIEBREAK_ADAPTERS");
}

TEST(Description, ReadsBackWhatItWrites) {
  BackendDescription description{"name", "1.2", "onnx", {"onnx.Add", "onnx.QuantizeLinear"}, {{"isa", "avx2"}, {"odd", "\"\n\xc3\xa9"}}};
  const auto read = parse_description(description_text(description), "adapter");
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->name, description.name);
  EXPECT_EQ(read->version, description.version);
  EXPECT_EQ(read->profile, description.profile);
  EXPECT_EQ(read->ops, description.ops);
  EXPECT_EQ(read->details, description.details);
}

TEST(Description, WhatIsWrongIsNamed) {
  const auto said = [](const std::string& text) {
    const auto read = parse_description(text, "adapter");
    return read ? std::string("it was read") : to_text(read.error());
  };
  const std::string good = R"("protocol": 1, "name": "n", "version": "1", "ops": [])";
  EXPECT_EQ(said("{" + good + "}"), "it was read");
  EXPECT_NE(said("hello").find("the description is not JSON"), std::string::npos);
  EXPECT_NE(said("{" + good + "} x").find("the description is not JSON"), std::string::npos);
  EXPECT_EQ(said("[]").substr(0, 36), "the description is not a JSON object");
  EXPECT_NE(said("{" + good + R"(, "profil": "onnx"})").find("did you mean 'profile'?"), std::string::npos);
  EXPECT_NE(said(R"({"protocol": 2, "name": "n", "version": "1", "ops": []})").find("protocol 2 is not 1 (adapter:/protocol)"), std::string::npos);
  EXPECT_NE(said(R"({"protocol": "1", "name": "n", "version": "1", "ops": []})").find("protocol \"1\" is not 1"), std::string::npos);
  EXPECT_NE(said(R"({"name": "n", "version": "1", "ops": []})").find("key 'protocol' is missing"), std::string::npos);
  EXPECT_NE(said(R"({"protocol": 1, "version": "1", "ops": []})").find("key 'name' is missing"), std::string::npos);
  EXPECT_NE(said(R"({"protocol": 1, "name": "n", "version": 1, "ops": []})").find("not a text (adapter:/version)"), std::string::npos);
  EXPECT_NE(said(R"({"protocol": 1, "name": "n", "version": "1", "ops": [1]})").find("'ops' is not a list"), std::string::npos);
  EXPECT_NE(said("{" + good + R"(, "details": {"threads": 1}})").find("not a text (adapter:/details/threads)"), std::string::npos);
  EXPECT_NE(said("{" + good + R"(, "name": "m"})").find("key 'name' appears twice (adapter:/name)"), std::string::npos);
  EXPECT_NE(said("\xff\xfe").find("not JSON"), std::string::npos);
}

TEST(Description, FromProcessesThatFail) {
  const Adapters adapters;
  const auto said = [&](const std::string& body, double timeout_seconds = 20) {
    const auto description = sample::open(adapters.script("fake", body), {.timeout_seconds = timeout_seconds})->describe();
    return description ? std::string("described") : description.error().what;
  };
  EXPECT_EQ(said("echo no driver >&2; exit 3"), "describe: exited with status 3: no driver");
  EXPECT_EQ(said("sleep 100", 0.5), "describe: no answer after 0.5 s");
  EXPECT_EQ(said("kill -SEGV $$"), "describe: crashed with SIGSEGV");
  EXPECT_EQ(said("").substr(0, 27), "the description is not JSON");
}

TEST(Run, ArgumentsAndEnvironment) {
  const Adapters adapters;
  adapters.response("good.h5", {asked("1")}, sample::answered);
  const auto backend =
      sample::open(adapters.script("fake", "echo \"$*\" > $D/words; env > $D/env; cat > $D/input; cp $D/good.h5 $5"), {.arguments = {"--library", "a b"}});
  EXPECT_EQ(sample::to_text(backend->run({asked("1")})), "answered");
  const std::string words = sample::read_text(adapters.file("words"));
  EXPECT_EQ(words.substr(0, 18), "--library a b run ");
  EXPECT_NE(words.find("/request.h5 "), std::string::npos);
  const std::string environment = sample::read_text(adapters.file("env"));
  for (const char* entry : {"ORT_DISABLE_TELEMETRY=1\n", "OMP_NUM_THREADS=1\n", "PATH="}) EXPECT_NE(environment.find(entry), std::string::npos) << entry;
  EXPECT_EQ(sample::read_text(adapters.file("input")), "");
}

TEST(Printable, OneLineOfText) {
  EXPECT_EQ(printable("plain\ttext"), "plain\ttext");
  EXPECT_EQ(printable("\n\na\r\nb\n\n"), "a | b");
  EXPECT_EQ(printable("\x1b[0m \x7f"), "\\x1b[0m \\x7f");
  EXPECT_EQ(printable("d\xc3\xa9j\xc3\xa0 \xe2\x82\xac \xf0\x9f\x98\x80"), "d\xc3\xa9j\xc3\xa0 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                                                        // cut off
  EXPECT_EQ(printable("\xc0\xaf\xe0\x80\x80"), "\\xc0\\xaf\\xe0\\x80\\x80");                    // overlong
  EXPECT_EQ(printable("\xed\xa0\x80\xf4\x90\x80\x80"), "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");  // surrogate, beyond the last
  EXPECT_EQ(printable("\xc2\x9b\xef\xbf\xbf"), "\\xc2\\x9b\\xef\\xbf\\xbf");                    // control, no character
}

/// The adapter of docs/adding-a-backend.md, which stands there in full.
class PythonAdapter : public testing::Test {
 protected:
  void SetUp() override {
    const std::string python = sample::python_with_h5py();
    if (python.empty()) GTEST_SKIP() << "no Python with h5py (package python3-h5py)";
    if (python.find('/') != std::string::npos) ::setenv("PATH", ("/usr/bin:" + std::string(std::getenv("PATH"))).c_str(), 1);
  }
  const std::string path_ = std::string(TIEBREAK_SOURCE_DIR) + "/tools/adapters/python/adapter.py";
};

TEST(PythonAdapterText, StandsInTheDocument) {
  const std::string page = sample::read_text(std::string(TIEBREAK_SOURCE_DIR) + "/docs/adding-a-backend.md");
  const std::string text = sample::read_text(std::string(TIEBREAK_SOURCE_DIR) + "/tools/adapters/python/adapter.py");
  ASSERT_FALSE(text.empty());
  EXPECT_NE(page.find("```python\n" + text + "```"), std::string::npos);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 30);
}

TEST_F(PythonAdapter, Describes) {
  const auto description = sample::open(path_)->describe();
  ASSERT_TRUE(description) << to_text(description.error());
  EXPECT_EQ(description->name, "numpy");
  EXPECT_EQ(description->ops, (std::vector<std::string>{"onnx.QuantizeLinear", "onnx.DequantizeLinear"}));
}

float f32_at(const Tensor& tensor, std::int64_t index) {
  float value = 0;
  std::memcpy(&value, tensor.bytes().data() + static_cast<std::size_t>(index) * sizeof value, sizeof value);
  return value;
}

TEST_F(PythonAdapter, QuantizesAndDequantizes) {
  std::mt19937 random(7);
  std::vector<float> x;
  for (int i = 0; i < 20'000; ++i) x.push_back(static_cast<float>(static_cast<int>(random() % 4001) - 2000) * 0.125F);
  ExchangeCase quantize = sample::quantize_case("q/1", x, 0.25F, 100);
  ExchangeCase dequantize = sample::quantize_case("d/1", {0}, 0.3F, 100);
  dequantize.op = "onnx.DequantizeLinear";
  dequantize.inputs[0] = sample::named("x", sample::counted(sample::type_of("u8", {2, 128})));
  dequantize.inputs[1].operand = "x_scale";  // what the program calls them says nothing
  dequantize.inputs[2].operand = "x_zero_point";
  dequantize.outputs = {sample::named("y", *Tensor::zeros(sample::type_of("f32", {2, 128})))};
  ExchangeCase without_zero_point = sample::quantize_case("q/2", {2.5F}, 1, 0);
  without_zero_point.inputs.pop_back();
  without_zero_point.program = "%y = \"onnx.QuantizeLinear\"(%x, %y_scale)";
  ExchangeCase other_op = sample::quantize_case("q/3", {1}, 1, 0);
  other_op.op = "onnx.Add";
  ExchangeCase several_scales = sample::quantize_case("q/4", {1, 2}, 1, 0);
  several_scales.inputs[1].tensor = sample::floats({1, 2}, {2});
  ExchangeCase narrow = sample::quantize_case("q/5", {1}, 1, 0);
  narrow.outputs[0].tensor = sample::bytes("u4", {0}, {1});
  const auto answers = sample::open(path_)->run({quantize, dequantize, without_zero_point, other_op, several_scales, narrow});
  ASSERT_EQ(sample::to_text(answers),
            "answered\nanswered\nanswered\nunsupported: no onnx.Add of this form\nunsupported: y_scale has 2 values where the library takes one\n"
            "unsupported: y of type u4");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float code = std::clamp(std::nearbyint(x[i] / 0.25F) + 100, 0.0F, 255.0F);
    ASSERT_EQ(answers[0].outputs[0].tensor.code(static_cast<std::int64_t>(i)), static_cast<std::uint64_t>(code)) << x[i];
  }
  for (std::int64_t i = 0; i < 256; ++i) ASSERT_EQ(f32_at(answers[1].outputs[0].tensor, i), static_cast<float>(i - 100) * 0.3F) << i;
  EXPECT_EQ(answers[2].outputs[0].tensor.code(0), 2U);
}

TEST_F(PythonAdapter, RunsWithoutItsExecutableBit) {
  const Adapters adapters;
  std::filesystem::copy_file(path_, adapters.file("mine.py"));
  std::filesystem::permissions(adapters.file("mine.py"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto answers = sample::open(adapters.file("mine.py"))->run({sample::quantize_case("q/1", {0.5F, 1.5F, 2.5F, -1}, 1, 3)});
  ASSERT_EQ(sample::to_text(answers), "answered");
  EXPECT_EQ(answers[0].outputs[0].tensor.code(1), 5U);
}

}  // namespace
}  // namespace tiebreak
