// SPDX-License-Identifier: Apache-2.0
// spec verify, explain, eval and program sources through the command.
#include <nlohmann/json.hpp>

#include <algorithm>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandSpec : public CommandTest {
 protected:
  /// A spec folder with one page of our own.
  void use_page(const std::string& examples) {
    std::filesystem::create_directories(folder_ / "spec" / "systems" / "s");
    std::filesystem::create_directories(folder_ / "spec" / "demo");
    write("spec/demo/half.md",
          "# demo.half\n\n```semantics\nop demo.half(x: f32) -> y: i8\nstructure elementwise(x)\n"
          "choice tie(v): even = rne(v) | away = rna(v) | up = rhu(v)\ny = sat.y(tie(x / 2))\n```\n\n" +
              examples);
    environment = {"TIEBREAK_SPEC=" + path("spec")};
  }
  static std::string example(const std::string& values, const std::string& after) {
    return "```mlir\n// %x: " + values + "\n%y = \"demo.half\"(%x) : (tensor<3xf32>) -> tensor<3xi8>\n" + after + "\n```\n";
  }
};

TEST_F(CommandSpec, ExamplesHoldAndTellAlternativesApart) {
  use_page(example("[1, 3, -1]", "// %y: [0, 2, 0]\n// %y @ tie=away: [1, 2, -1]\n// %y @ tie=up: [1, 2, 0]"));
  CommandOutcome outcome = run({"spec", "verify"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("1 of 1 example holds  1 choice, 3 alternatives, each told apart"), std::string::npos) << outcome.out;
}

TEST_F(CommandSpec, WhatDoesNotHoldHasPlaceAndValues) {
  use_page(example("[1, 3, -1]", "// %y: [0, 2, 1]\n// %y @ tie=away: [1, 2, -1]"));
  CommandOutcome outcome = run({"spec", "verify", "demo.half"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("half.md:13"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("y[2]: stated 1, computed 0"), std::string::npos) << outcome.out;
}

TEST_F(CommandSpec, AlternativesThatNoExampleTellsApartAreWarnings) {
  use_page(example("[1, 3, 5]", "// %y: [0, 2, 2]"));
  CommandOutcome outcome = run({"spec", "verify"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("warning: no example tells apart tie: away | up"), std::string::npos) << outcome.out;
}

TEST_F(CommandSpec, UnknownChoicesAndAlternativesAreErrors) {
  use_page(example("[1, 3, 5]", "// %y @ tei=away: [1, 2, 3]\n// %y @ tie=awy: [1, 2, 3]"));
  CommandOutcome outcome = run({"spec", "verify"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("did you mean 'tie'?"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("did you mean 'away'?"), std::string::npos) << outcome.out;
}

TEST_F(CommandSpec, APageByItsPathIsThePage) {
  use_page(example("[1, 3, -1]", "// %y: [0, 2, 1]"));
  EXPECT_EQ(run({"spec", "verify", path("spec/demo/half.md")}).out, run({"spec", "verify", "demo.half"}).out);
  const nlohmann::json page = nlohmann::json::parse(run({"spec", "verify", "demo.half", "--json"}).out)["pages"][0];
  EXPECT_EQ(page["answers"][0]["answer"], "differs") << page;
}

TEST_F(CommandSpec, AnyMarkdownFileIsVerified) {
  use_page("");
  const std::string right = example("[1, 3, -1]", "// %y: [0, 2, 0]"), wrong = example("[1, 3, -1]", "// %y: [0, 2, 1]");
  const std::string unchecked = "```mlir\n%y = \"demo.none\"(%x) : (tensor<i8>) -> tensor<i8>\n```\n";
  const std::string text = write("text.md", "# Text\n## right\n" + right + "## wrong\n" + wrong + "## none\n" + unchecked);
  CommandOutcome outcome = run({"spec", "verify", text});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  for (const char* wanted : {"text.md:11  wrong", "differs  y[2]: documented 1, computed 0", "text.md:5   right", "not checkable  no page for demo.none",
                             "not checkable  1  no page 1", "3 examples, 2 executed"}) {
    EXPECT_NE(outcome.out.find(wanted), std::string::npos) << wanted << "\n" << outcome.out;
  }
  const std::string known = write("known.json", R"([{"case": "text/wrong/*", "reason": "a misprint"}])");
  outcome = run({"spec", "verify", text, "--baseline", known, "--junit", path("out.xml"), "--defects", path("out.md"), "--json=" + path("out.json")});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(read("out.xml").find("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"2\""), std::string::npos) << read("out.xml");
  EXPECT_NE(read("out.md").find("| demo.half | text.md:11 | `y[2] = 1` | `0` | `-0.5` | a misprint |"), std::string::npos) << read("out.md");
  const nlohmann::json report = nlohmann::json::parse(read("out.json"));
  EXPECT_EQ(report["schema"], "tiebreak.spec-verify/1");
  EXPECT_EQ(report["files"][0]["examples"][1]["known"], "a misprint") << report;
  // Neither the file's name nor a copy's makes the list another.
  const std::string nameless = write("nameless.json", R"([{"case": "wrong/*", "reason": "a misprint"}])");
  EXPECT_EQ(run({"spec", "verify", text, "--baseline", nameless}).code, 0);
  EXPECT_EQ(run({"spec", "verify", write("copy.md", read("text.md")), "--baseline", nameless}).code, 0);
  CommandOutcome strict = run({"spec", "verify", text, "--strict", "--baseline", nameless});
  EXPECT_EQ(strict.code, 1) << strict.out;
  EXPECT_NE(strict.out.find("ill-formed  unknown op 'demo.none'"), std::string::npos) << strict.out;
  const std::string foreign = write("foreign.md", "# Text\n```mlir\n%y = \"elsewhere.none\"(%x) : (tensor<i8>) -> tensor<i8>\n```\n");
  EXPECT_EQ(run({"spec", "verify", foreign, "--strict"}).code, 5) << "a dialect without pages";
  const std::string stale = write("stale.json", R"([{"case": "text/right/*", "reason": "was wrong"}, {"case": "text/wrong/*", "reason": "a misprint"}])");
  EXPECT_EQ(run({"spec", "verify", text, "--expect-fail", stale}).code, 6);
  EXPECT_EQ(run({"spec", "verify", write("empty.md", "# Nothing\n")}).code, 4);
  EXPECT_EQ(run({"spec", "verify", write("none.md", unchecked)}).code, 5);
  EXPECT_EQ(run({"spec", "verify", path("absent.md")}).code, 2);
}

TEST_F(CommandSpec, AnotherProfileReadsWhatHasNoCondition) {
  use_page(example("[1, 3, -1]", "// %y: [1, 2, -1]"));
  write("spec/systems/s/away.json", R"({"name": "away", "title": "t", "system": "s", "versions": "1", "sources": [], "choices": {"demo.half/tie": "away"}})");
  EXPECT_EQ(run({"spec", "verify"}).code, 1);
  CommandOutcome outcome = run({"spec", "verify", "--profile", "away"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST_F(CommandSpec, ExpectedErrorsMustBeReported) {
  use_page(example("[1, 3, 5]", "// error C9"));
  CommandOutcome outcome = run({"spec", "verify"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("constraint C9 should be reported, but the op is accepted"), std::string::npos) << outcome.out;
}

TEST_F(CommandSpec, BrokenPagesAreErrorsWithTheirLine) {
  use_page("```semantics\nop demo.other(x: f32) -> y: i8\nstructure elementwise(x)\ny = sat.y(rnee(x))\n```\n");
  CommandOutcome outcome = run({"spec", "verify"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("rnee"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("half.md:13"), std::string::npos) << outcome.err;
}

TEST_F(CommandSpec, ExplainShowsEveryStepAndWhereTwoProfilesPart) {
  CommandOutcome outcome =
      run({"explain", "onnx.QuantizeLinear/ties:y:0", "--source", quantize_cases(), "--profile", "onnx", "--profile", "onednn-x64", "--width", "300"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* wanted : {"onnx.QuantizeLinear/ties  y[0]", "y_scale=0.125", "onnx", "onednn-x64", "QuantizeLinear.md:", "tie=even",
                             "before the last rounding", "to the boundary", "result", "choices read differently", "onnx.QuantizeLinear/order"}) {
    EXPECT_NE(outcome.out.find(wanted), std::string::npos) << wanted << "\n" << outcome.out;
  }
  CommandOutcome parted =
      run({"explain", "onnx.QuantizeLinear/ties:y:1", "--source", quantize_cases(), "--profile", "onnx", "--profile", "onednn-x64", "--json"});
  const nlohmann::json difference = nlohmann::json::parse(parted.out)["differences"][0];
  // The zero point is added after the rounding and before: steps that one of them alone has.
  const auto alone = [&](int side) {
    return std::ranges::any_of(difference["pairs"], [side](const nlohmann::json& pair) { return pair[static_cast<std::size_t>(1 - side)].is_null(); });
  };
  EXPECT_TRUE(alone(0) && alone(1)) << difference;
  EXPECT_EQ(difference["equal"], true) << "and they meet again: " << difference;
  CommandOutcome narrow =
      run({"explain", "onnx.QuantizeLinear/ties:y:0", "--source", quantize_cases(), "--profile", "onnx", "--profile", "onednn-x64", "--width", "30"});
  EXPECT_NE(narrow.out.find("profiles onnx, onednn-x64\n"), std::string::npos) << narrow.out;
  EXPECT_NE(run({"explain", "onnx.QuantizeLinear/plain", "--source", quantize_cases()}).out.find("profile reference\n"), std::string::npos);
  CommandOutcome json = run({"explain", "onnx.QuantizeLinear/plain:[2]", "--source", quantize_cases(), "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out)["profiles"][0]["result"], "2   0x02");
  EXPECT_EQ(run({"explain", "onnx.QuantizeLinear/plain:3", "--source", quantize_cases()}).code, 2) << "outside the shape";
  EXPECT_EQ(run({"explain", "onnx.QuantizeLinear/plain:z:1", "--source", quantize_cases()}).code, 2) << "no such output";
  EXPECT_EQ(run({"explain", "onnx.QuantizeLinear/plan", "--source", quantize_cases()}).code, 2) << "no such case";
}

TEST_F(CommandSpec, EvalOfAnOpAProgramAndCases) {
  CommandOutcome op =
      run({"eval", "onnx.QuantizeLinear", "--input", "x=[[0.5, 1.5], [2.5, nan]]:f32", "--input", "y_scale=1:f32", "--input", "y_zero_point=1:i8"});
  EXPECT_EQ(op.out, "%y: [[1, 3], [3, undefined]] : tensor<2x2xi8>\n") << op.err;
  std::string program = write("two.mlir",
                              "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = \"onnx.Add\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> "
                              "tensor<2xf32>\n"
                              "  %1 = \"onnx.Mul\"(%0, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n  func.return %1 : tensor<2xf32>\n}\n");
  CommandOutcome two = run({"eval", program, "--input", "a=[3, 0.5]:f32", "--engine", "both"});
  EXPECT_NE(two.out.find("[18, 0.5] : tensor<2xf32>"), std::string::npos) << two.out << two.err;
  EXPECT_EQ(run({"eval", program, "--input", "b=[3, 0.5]:f32"}).code, 2);
  CommandOutcome cases = run({"eval", quantize_cases(), "-k", "*/plain"});
  EXPECT_EQ(cases.out, "%y: [0, 1, 2] : tensor<3xui8>\n") << cases.err;
}

TEST_F(CommandSpec, MlirFilesWithCommentsAreCases) {
  std::string program =
      write("add.mlir", "// %a: [1, 2]\n// %b: [3, 4]\n%c = \"onnx.Add\"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n// %c: [4, 6]\n");
  CommandOutcome outcome = run({"check", program, "--backend", "reference", "--profile", "reference"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(run({"case", "list", program}).out, "onnx.Add/add\n");
}

}  // namespace
}  // namespace tiebreak
