// SPDX-License-Identifier: Apache-2.0
// tiebreak quantize: forms as files that read back and run, and what is refused.
#include "testsuite/models/model_builder.hpp"
#include "testsuite/models/small_models.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class QuantizeCommand : public CommandTest {
 protected:
  /// A float network: convolution, relu, pooling, a softmax that stays in real space.
  void write_network() {
    models::ModelBuilder model("net", 11, 7);
    const ValueId x = model.input("x", "f32", {1, 2, 6, 6});
    const ValueId conv = model.add("Conv", "conv", {x, model.drawn_floats("w", {4, 2, 3, 3}, -1, 1), model.drawn_floats("b", {4}, -1, 1)},
                                   {{"pads", models::numbers({1, 1, 1, 1})}});
    const ValueId pool =
        model.add("MaxPool", "pool", {model.add("Relu", "relu", {conv})}, {{"kernel_shape", models::numbers({2, 2})}, {"strides", models::numbers({2, 2})}});
    const Program program = model.finish({model.add("Softmax", "y", {pool}, {{"axis", models::number(1)}})});
    ASSERT_TRUE(models::write_model(folder_.string(), program));
    recipe_ = write("recipe.json", R"({"schema": "tiebreak.recipe/1", "nodes": [{"operator": "Conv", "granularity": "axis"}]})");
  }
  std::vector<std::string> quantize(const std::vector<std::string>& more) {
    std::vector<std::string> words{"quantize", path("net.onnx"), "--recipe", recipe_, "-o", path("forms")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string recipe_{};
};

TEST_F(QuantizeCommand, FormsReadBackAndRun) {
  write_network();
  const CommandOutcome made = run(quantize({"--seed", "3", "--compare"}));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out.substr(0, made.out.find("Each")),
            "7 operations: 3 on codes, 1 quantized, 3 real space\n"
            "  left in real space, 1 x onnx.Reshape: 'y.flat_result' is in real space\n"
            "  left in real space, 1 x onnx.Shape: no quantized form of onnx.Shape\n"
            "  left in real space, 1 x onnx.Softmax: no quantized form of onnx.Softmax\n")
      << made.out;
  std::string first;
  for (const std::string form : {"simulated", "fake", "qdq", "integer"}) {
    const CommandOutcome values = run({"eval", path("forms/" + form + ".onnx"), "--profile", "onnx", "--input", "x=0.5:tensor<1x2x6x6xf32>"});
    ASSERT_EQ(values.code, 0) << form << ": " << values.err;
    const std::string numbers = values.out.substr(values.out.find("%y"));
    if (first.empty()) first = numbers;
    EXPECT_EQ(numbers, first) << form;
  }
  // The parameters that were written make the same forms.
  const std::string before = read("forms/integer.onnx");
  ASSERT_EQ(run({"quantize", path("net.onnx"), "--recipe", recipe_, "-o", path("again"), "--parameters", path("forms/parameters.json")}).code, 0);
  EXPECT_EQ(read("again/integer.onnx"), before);
}

/// Both measure by the same code: what calibrate writes makes the same forms as what quantize finds itself.
TEST_F(QuantizeCommand, ParametersAreThoseOfCalibrate) {
  write_network();
  const std::vector<std::string> data{"--seed", "3", "--batches", "2", "--provider", "percentile:share=0.9"};
  std::vector<std::string> words{"calibrate", path("net.onnx"), "--semantics", "onnx", "-o", path("found.json")};
  words.insert(words.end(), data.begin(), data.end());
  ASSERT_EQ(run(words).code, 0);
  ASSERT_EQ(run(quantize(data)).code, 0);
  const std::string measured = read("forms/integer.onnx");
  ASSERT_EQ(run(quantize({"--parameters", path("found.json")})).code, 0);
  EXPECT_EQ(read("forms/integer.onnx"), measured);
  ASSERT_EQ(run(quantize({"--seed", "3", "--batches", "2"})).code, 0);
  EXPECT_NE(read("forms/integer.onnx"), measured);
}

TEST_F(QuantizeCommand, ValuesThatNoRangeCoversAreErrors) {
  models::ModelBuilder model("net", 11, 7);
  const ValueId x = model.input("x", "f32", {1, 16});
  ASSERT_TRUE(models::write_model(folder_.string(), model.finish({model.add("Log", "y", {x})})));
  recipe_ = write("recipe.json", R"({"schema": "tiebreak.recipe/1"})");
  const CommandOutcome outcome = run(quantize({"--seed", "3"}));
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_NE(outcome.err.find("of y is nan: no range of codes covers it (batch 0)"), std::string::npos) << outcome.err;
  const CommandOutcome both = run(quantize({"--parameters", path("none.json"), "--provider", "min_max"}));
  EXPECT_NE(both.err.find("--provider has no use beside --parameters"), std::string::npos) << both.err;
}

TEST_F(QuantizeCommand, RefusesWithThePlace) {
  write_network();
  const auto refused = [&](const std::vector<std::string>& words, const std::string& says) {
    const CommandOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  };
  refused({"quantize", path("net.onnx"), "-o", path("forms")}, "--recipe and --output are wanted");
  refused(quantize({"--data", path("nothing")}), "no such file or folder");
  refused(quantize({"--input-shape", "z=1x2"}), "'z=1x2' names no input");
  refused(
      quantize(
          {"--parameters",
           write(
               "p.json",
               R"({"schema": "tiebreak.parameters/1", "model": "m", "tensors": [{"tensor": "con", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given"}]})")}),
      "parameters for 'con'");
  recipe_ = write("other.json", R"({"schema": "tiebreak.recipe/1", "nodes": [{"operator": "Gemm", "leave": true}]})");
  refused(quantize({}), "operator 'Gemm': no node of ");
  EXPECT_FALSE(std::filesystem::exists(path("forms")));
}

}  // namespace
}  // namespace tiebreak
