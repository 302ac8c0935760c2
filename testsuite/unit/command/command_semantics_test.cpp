// SPDX-License-Identifier: Apache-2.0
// PROFILE:CHOICE=ALTERNATIVE wherever a profile is named, choices that change nothing, and where explain begins in a program.
#include <nlohmann/json.hpp>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandSemantics : public CommandTest {
 protected:
  /// Quantize, dequantize, add: ties at scale 1 and zero point 1.
  std::string program_case() {
    return write("program.json", R"({"schema": "tiebreak.case/1", "cases": [{"name": "chain",
      "program": "func.func @f(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<4xf32> {\n%q = \"onnx.QuantizeLinear\"(%x, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>\n%d = \"onnx.DequantizeLinear\"(%q, %s, %z) : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>\n%y = \"onnx.Add\"(%d, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\nreturn %y : tensor<4xf32>\n}",
      "inputs": {"x": {"type": "f32", "shape": [4], "data": [1, 2, 0.5, 1.5]}, "s": {"type": "f32", "shape": [], "data": [1]}, "z": {"type": "u8", "shape": [], "data": [1]}}}]})");
  }
  std::string convolution_case() {
    return write("conv.json", R"({"schema": "tiebreak.case/1", "op": "onnx.QLinearConv", "cases": [{"name": "one", "inputs": {
      "x": {"type": "u8", "shape": [1, 1, 1], "data": [5]}, "x_scale": {"type": "f32", "shape": [], "data": [1]}, "x_zero_point": {"type": "u8", "shape": [], "data": [0]},
      "w": {"type": "i8", "shape": [1, 1, 1], "data": [1]}, "w_scale": {"type": "f32", "shape": [], "data": [1]}, "w_zero_point": {"type": "i8", "shape": [], "data": [0]},
      "y_scale": {"type": "f32", "shape": [], "data": [2]}, "y_zero_point": {"type": "u8", "shape": [], "data": [0]}}}]})");
  }
};

/// A decimal is itself, with a type behind it the nearest of that type, in lists too: 1.2 in f32 is a little more than six fifths, in f64 a little less.
TEST_F(CommandSemantics, AttributesMayHaveATypeOfTheirOwn) {
  for (const auto& [scales, last] :
       {std::pair{"[1.2]", "5, 6]"}, std::pair{"[1.2]:f32", "5, 5]"}, std::pair{"[1.2 : f32]", "5, 5]"}, std::pair{"[1.2]:f64", "5, 6]"}}) {
    const CommandOutcome found =
        run({"eval", "onnx.Upsample", "--input", "X=[1,2,3,4,5,6]:i8", "--op-version", "7", "--attribute", std::string("scales=") + scales});
    EXPECT_NE(found.out.find(last), std::string::npos) << scales << ": " << found.out << found.err;
  }
}

/// A profile that binds no choice of QuantizeLinear.
class CommandUndeclared : public CommandTest {
 protected:
  std::string silent() { return write("silent.json", R"({"name": "silent", "choices": {"onnx.Clip/zeros": "ordered"}})"); }
  static constexpr const char* line = "profile silent says nothing of onnx.QuantizeLinear";
};

TEST_F(CommandUndeclared, CheckCountsWhatIsNotDeclared) {
  const CommandOutcome right = run({"check", quantize_cases(), "--backend", "faulty", "--profile", silent(), "--json=" + path("r.json")});
  EXPECT_EQ(right.code, 5) << right.out << right.err;
  EXPECT_TRUE(right.out.starts_with(std::string("not declared: ") + line + "\n")) << right.out;
  EXPECT_NE(right.out.find("2 cases: 0 conform, 0 fail, 0 unsupported, 2 not declared, 0 not run"), std::string::npos) << right.out;
  EXPECT_NE(right.out.find("the answer is the page's own reading"), std::string::npos) << right.out;
  EXPECT_EQ(nlohmann::json::parse(read("r.json"))["counts"]["not_declared"], 2);
  EXPECT_EQ(run({"report", "show", path("r.json")}).out, right.out);
  const CommandOutcome wrong =
      run({"check", quantize_cases(), "--backend", "faulty", "--backend-option=--fault", "--backend-option=half-away", "--profile", silent()});
  EXPECT_EQ(wrong.code, 5) << "no profile says that it is wrong\n" << wrong.out;
  EXPECT_NE(wrong.out.find("the answer is not the page's own reading"), std::string::npos) << wrong.out;
  for (const char* text : {"onnx", "reference", "onnxruntime-x64"}) {
    const CommandOutcome declared = run({"check", quantize_cases(), "--backend", "faulty", "--profile", text});
    EXPECT_EQ(declared.out.find("not declared"), std::string::npos) << declared.out;
  }
}

TEST_F(CommandUndeclared, EveryVerbSaysSoFirst) {
  const std::string cases = quantize_cases(), profile = silent(), id = "onnx.QuantizeLinear/plain";
  const CommandOutcome computed = run({"eval", cases, "--profile", profile, "--json=" + path("e.json")});
  EXPECT_TRUE(computed.out.starts_with(std::string("// ") + line)) << computed.out;
  EXPECT_EQ(nlohmann::json::parse(read("e.json"))["not_declared"][0], "onnx.QuantizeLinear");
  EXPECT_EQ(run({"eval", cases, "--profile", "onnx"}).out.find("says nothing"), std::string::npos);
  EXPECT_TRUE(run({"explain", id + ":y:0", "--source", cases, "--profile", profile}).out.starts_with(line));
  EXPECT_TRUE(run({"score", cases, "--profile", profile}).out.starts_with(line));
  EXPECT_NE(run({"golden", "build", cases, "--profile", profile, "-o", path("golden")}).err.find(line), std::string::npos);
}

TEST_F(CommandSemantics, ChoicesAreChangedByName) {
  const std::string cases = convolution_case();
  EXPECT_NE(run({"eval", cases, "--profile", "onnx"}).out.find("[[[2]]]"), std::string::npos);
  EXPECT_NE(run({"eval", cases, "--profile", "onnx:requantize.tie=away"}).out.find("[[[3]]]"), std::string::npos);
  const CommandOutcome explained = run({"explain", "onnx.QLinearConv/one", "--source", cases, "--profile", "onnx", "--profile", "onnx:requantize.tie=away"});
  EXPECT_EQ(explained.code, 0) << explained.err;
  EXPECT_NE(explained.out.find("requantize.tie"), std::string::npos) << explained.out;
  EXPECT_NE(explained.out.find("alone it makes the difference: 3"), std::string::npos) << explained.out;
  const CommandOutcome right = run({"check", cases, "--backend", "reference --profile onnx", "--profile", "onnx:requantize.tie=even"});
  EXPECT_EQ(right.code, 0) << right.out << right.err;
  const CommandOutcome wrong = run({"check", cases, "--backend", "reference --profile tflite-builtin", "--profile", "onnxruntime-x64:requantize.tie=floor"});
  EXPECT_EQ(wrong.code, 1) << wrong.out << wrong.err;
  EXPECT_NE(wrong.out.find("--profile onnxruntime-x64:requantize.tie=floor"), std::string::npos) << "the command that repeats it\n" << wrong.out;
}

TEST_F(CommandSemantics, TheReferenceBackendAnswersUnderChangedChoices) {
  const std::string cases = convolution_case(), other = program_case();  // the program has no such choice, and is answered all the same
  const CommandOutcome both = run({"check", cases, other, "--backend", "reference", "--profile", "onnx:requantize.tie=away"});
  EXPECT_EQ(both.code, 0) << both.out << both.err;
  EXPECT_NE(both.out.find("2 conform"), std::string::npos) << both.out;
  const CommandOutcome parts = run({"check", cases, "--backend", "reference --profile onnx", "--profile", "onnx:requantize.tie=away"});
  EXPECT_EQ(parts.code, 1) << parts.out << parts.err;
}

TEST_F(CommandSemantics, AChoiceWithoutEffectIsRefusedWithTheReason) {
  const std::string cases = convolution_case(), word = "onnxruntime-x64:requantize.flush=below_1e_6";
  const std::vector<std::vector<std::string>> commands{{"eval", cases, "--profile", word},
                                                       {"explain", "onnx.QLinearConv/one", "--source", cases, "--profile", word},
                                                       {"check", cases, "--backend", "reference", "--profile", word},
                                                       {"check", cases, "--level", "smoke", "--backend", "reference", "--profile", word}};
  for (const std::vector<std::string>& command : commands) {
    const CommandOutcome outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command[0] << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find("choice requantize.flush has no effect on onnx.QLinearConv: onnxruntime-x64 takes requantize.code=f32"), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("requantize.code=one_stage"), std::string::npos) << "what would read it\n" << outcome.err;
  }
  EXPECT_EQ(run({"eval", cases, "--profile", "onnxruntime-x64:requantize.code=two_stages,requantize.flush=below_1e_6"}).code, 0) << "with a code that reads it";
}

TEST_F(CommandSemantics, UnknownChoicesAndAlternativesNameTheNearest) {
  const std::string cases = convolution_case();
  for (const std::string command : {"eval", "check"}) {
    const auto with = [&](const std::string& word) {
      std::vector<std::string> words{command, cases, "--profile", word};
      if (command == "check") words.insert(words.end(), {"--backend", "reference"});
      return run(words);
    };
    const CommandOutcome choice = with("onnx:requantize.tei=away");
    EXPECT_EQ(choice.code, 2);
    EXPECT_NE(choice.err.find("did you mean 'requantize.tie'?"), std::string::npos) << choice.err;
    const CommandOutcome alternative = with("onnx:requantize.tie=awya");
    EXPECT_EQ(alternative.code, 2);
    EXPECT_NE(alternative.err.find("did you mean 'away'?"), std::string::npos) << alternative.err;
    EXPECT_EQ(with("onxn:requantize.tie=away").code, 2);
  }
}

TEST_F(CommandSemantics, ExplainBeginsAtTheFirstOpThatParts) {
  const std::string source = program_case();
  // Element 3 of the sum: 1.5 goes to 2 in both, 0.5 to 0 or 1 only where the zero point comes after the rounding.
  const CommandOutcome outcome = run({"explain", "program/chain:2", "--source", source, "--profile", "onnx", "--profile", "onednn-x64"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::size_t begins = outcome.out.find("the profiles part first in onnx.QuantizeLinear, operation 1 of 3, in 2 of 4 elements of q");
  EXPECT_NE(begins, std::string::npos) << outcome.out;
  const std::size_t first = outcome.out.find("q[2]"), last = outcome.out.find("and come to y[2]");
  EXPECT_TRUE(begins < first && first < last && last != std::string::npos) << outcome.out;
  const CommandOutcome json = run({"explain", "program/chain:2", "--source", source, "--profile", "onnx", "--profile", "onednn-x64", "--json"});
  const nlohmann::json report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report["element"], "y[2]");
  EXPECT_EQ(report["begins"]["element"], "q[2]");
  const CommandOutcome same = run({"explain", "program/chain:2", "--source", source, "--profile", "onnx", "--profile", "onnxruntime-x64"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(same.out.find("part first"), std::string::npos) << same.out;
}

}  // namespace
}  // namespace tiebreak
