// SPDX-License-Identifier: Apache-2.0
// Wrong command lines and wrong data: exit 2, the place, the nearest known word. Never a code of the option library.
#include <nlohmann/json.hpp>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandUsage : public CommandTest {
 protected:
  void expect_error(const std::vector<std::string>& arguments, const std::string& what, const std::string& hint) {
    CommandOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.rfind("tiebreak: ", 0), 0u) << outcome.err;
    EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(hint), std::string::npos) << outcome.err;
  }
};

TEST_F(CommandUsage, NearestWordsAreOffered) {
  expect_error({"chekc"}, "unknown subcommand 'chekc'", "did you mean 'check'?");
  expect_error({"golden", "verfy"}, "'golden verfy'", "did you mean 'verify'?");
  expect_error({"golden"}, "needs a subcommand", "one of build");
  expect_error({"check", "--profil", "onnx"}, "unknown option '--profil'", "did you mean '--profile'?");
  expect_error({"check", "--backend", "refrence"}, "refrence", "did you mean 'reference'?");
  expect_error({"check", "--backend", "reference", "--profile", "onx"}, "onx", "onnx");
  expect_error({"check", "--backend", "reference", "--policy", "lsv:1"}, "lsv:1", "did you mean 'lsb'?");
  expect_error({"check", "--backend", "reference", "--engine", "fsat"}, "fsat", "did you mean 'fast'?");
  expect_error({"check", "--backend", "reference", "--color", "alwys"}, "alwys", "did you mean 'always'?");
  expect_error({"check", "onnx.QuantiseLinear", "--backend", "reference"}, "onnx.QuantiseLinear", "did you mean 'onnx.QuantizeLinear'?");
  expect_error({"check", "onnx.QuantiseLinear/ties", "--backend", "reference"}, "onnx.QuantiseLinear", "did you mean 'onnx.QuantizeLinear'?");
  expect_error({"spec", "show", "onnx.Ad"}, "onnx.Ad", "did you mean 'onnx.Add'?");
  expect_error({"profile", "show", "onnnx"}, "onnnx", "onnx");
  expect_error({"eval", "onnx.QuantizeLinear", "--input", "x=1:f32", "--input", "y_scal=1:f32"}, "y_scal", "did you mean 'y_scale'?");
  expect_error({"eval", "onnx.QuantizeLinear", "--input", "x=1:f32", "--input", "y_scale=1:f32", "--attribute", "axs=1"}, "axs", "did you mean 'axis'?");
}

TEST_F(CommandUsage, ValuesAreChecked) {
  expect_error({"check"}, "no backend is named", "backend list");
  expect_error({"check", "--backend", "reference", "-j", "0"}, "-j", "");
  expect_error({"check", "--backend", "reference", "-j", "010x"}, "010x", "");
  expect_error({"check", "--backend", "reference", "--timeout", "nan"}, "nan", "");
  expect_error({"check", "--backend", "reference", "--show", "some"}, "some", "");
  expect_error({"check", "--backend", "reference", "--max-cases", "-1"}, "-1", "");
  expect_error({"check", "--backend"}, "--backend", "--help");
  expect_error({"eval", "onnx.Add", "--input", "A=1"}, "has no type", "f32");
  expect_error({"eval", "onnx.Add", "--input", "A=[[1],[2,3]]:f32"}, "not even", "");
  expect_error({"eval", "onnx.Add", "--input", "A=300:u8"}, "300 is not a value of u8", "range 0 .. 255");
  expect_error({"eval", "onnx.Add", "--input", "A=1:f23"}, "unknown element type 'f23'", "f32");
  expect_error({"eval", "onnx.BatchNormalization", "--attribute", "spatial=300:u8"}, "300 is not a value of u8", "range 0 .. 255");
  expect_error({"eval", "onnx.BatchNormalization", "--attribute", "epsilon=[0.1]:f23"}, "unknown element type 'f23'", "f32");
  expect_error({"golden", "build", "-k", "onnx.Add/*"}, "no folder", "-o");
}

TEST_F(CommandUsage, DataErrorsHaveTheirPointer) {
  auto check = [&](const std::string& cases, const std::string& what, const std::string& hint) {
    std::string file = write("bad.json", "{ \"schema\": \"tiebreak.case/1\", \"op\": \"onnx.QuantizeLinear\", \"cases\": [ " + cases + " ] }");
    expect_error({"check", file, "--backend", "reference"}, what, hint);
  };
  const std::string scale = R"("y_scale": {"type": "f32", "shape": [], "data": [1]})";
  check(R"({"name": "a", "inputs": {"x": {"type": "f32", "shap": [1], "data": [1]}, )" + scale + "}}", "bad.json:/cases/0/inputs/x/shap",
        "did you mean 'shape'?");
  check(R"({"name": "a", "inputs": {"x": {"type": "f32", "shape": [2], "data": [1]}, )" + scale + "}}", "data has 1 numbers, the shape asks for 2", "");
  check(R"({"name": "a", "inputs": {"x": {"type": "f32", "shape": [1], "rule": "tis", "of": "y_scale"}, )" + scale + "}}", "unknown input rule 'tis'",
        "did you mean 'ties'?");
  check(R"({"name": "a", "inputs": {"x": {"type": "f32", "shape": [1], "rule": "ties", "of": "y_scal"}, )" + scale + "}}", "there is no input 'y_scal'",
        "did you mean 'y_scale'?");
  check(R"({"name": "a", "inputs": {"x": {"type": "f32", "shape": [1], "rule": "ties", "of": "x"}, )" + scale + "}}", "in a circle", "");
  check(R"({"name": "a", "inputs": {"xx": {"type": "f32", "shape": [1], "data": [1]}, )" + scale + "}}", "no operand 'xx'", "");
  check(R"({"name": "a", "inputs": {"x": {"type": "i8", "shape": [1], "data": [128]}, )" + scale + "}}", "128 is not a value of i8 (", "range -128 .. 127");
  check(R"({"name": "a", "inputs": {"x": {"type": "f32", "shape": [1000000, 1000000], "data": [1]}, )" + scale + "}}", "bad.json:/cases/0/inputs/x/shape", "");
  check(R"({"name": "a", "name": "b"})", "appears twice", "");
  check(R"({"name": "a b"})", "letters, digits", "");
  check(R"({"name": "a", "inputs": {"x": {"type": "f32", "shape": [1], "data": [1]}, )" + scale + R"(}, "expect": {"onx": {}}})", "'onx'",
        "did you mean 'onnx'?");
  check(R"({"name": "a", "inputs": {)" + scale + "}}", "operand 'x'", "");
  expect_error({"check", write("not.json", "{ \"schema\": "), "--backend", "reference"}, "not.json:1", "");
  expect_error({"check", path("absent.json"), "--backend", "reference"}, "absent.json", "");
  expect_error({"check", write("file.txt", ""), "--backend", "reference"}, "unknown kind of source", ".json");
  expect_error({"check", write("cut.h5", "\x89HDF\r\n\x1a\n"), "--backend", "reference"}, "cut.h5", "");
  expect_error({"check", write("bad.mlir", "%y = \"onnx.Add\"("), "--backend", "reference"}, "bad.mlir:1", "");
}

TEST_F(CommandUsage, VersionHelpAndNoArguments) {
  EXPECT_EQ(run({"--version"}).out, "tiebreak " TIEBREAK_VERSION "\n");
  for (std::vector<std::string> arguments : {std::vector<std::string>{}, {"--help"}, {"check", "--help"}, {"golden", "build", "-h"}}) {
    CommandOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("Usage:"), std::string::npos);
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(CommandUsage, ListedIdsSelectTheirCase) {
  CommandOutcome all = run({"check", "--list", "-k", "onnx.QuantizeLinear/*", "--max-cases", "12"});
  ASSERT_EQ(all.code, 0) << all.err;
  std::istringstream lines(all.out);
  int count = 0;
  for (std::string id; std::getline(lines, id); ++count) {
    EXPECT_EQ(run({"case", "list", "-k", id}).out, id + "\n");
    EXPECT_EQ(run({"case", "list", id}).out, id + "\n") << "as a positional";
  }
  EXPECT_EQ(count, 12);
}

TEST_F(CommandUsage, BareJsonDoesNotEatTheNextWord) {
  CommandOutcome outcome = run({"eval", "--json", "onnx.Add", "--input", "A=1:f32", "--input", "B=2:f32"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["cases"][0]["outputs"][0]["values"][0], "3");
}

TEST_F(CommandUsage, ColourOnlyWhereAsked) {
  std::vector<std::string> arguments{"spec", "verify", "onnx.Add"};
  environment = {"CLICOLOR_FORCE=", "NO_COLOR="};
  EXPECT_EQ(run(arguments).out.find('\033'), std::string::npos) << "standard output is a file";
  arguments.insert(arguments.end(), {"--color", "always"});
  EXPECT_NE(run(arguments).out.find('\033'), std::string::npos);
  environment = {"CLICOLOR_FORCE=1", "NO_COLOR=1"};
  EXPECT_EQ(run({"spec", "verify", "onnx.Add"}).out.find('\033'), std::string::npos);
}

}  // namespace
}  // namespace tiebreak
