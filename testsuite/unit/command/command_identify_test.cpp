// SPDX-License-Identifier: Apache-2.0
// A backend's word with options of its own, wherever one is named; what a table of identify says while it is made, and when there is nothing to ask.
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandIdentify : public CommandTest {};

TEST_F(CommandIdentify, OptionsMayFollowABackendsNameInOneWord) {
  const std::string word = "reference --profile onednn-x64";
  EXPECT_NE(run({"backend", "info", word}).out.find("profile       onednn-x64\n"), std::string::npos);
  const CommandOutcome checked = run({"check", quantize_cases(), "--backend", word});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  EXPECT_NE(checked.out.find("profile onednn-x64"), std::string::npos) << checked.out;
  const CommandOutcome wrong = run({"check", quantize_cases(), "--backend", word, "--profile", "onnx"});
  EXPECT_EQ(wrong.code, 1) << wrong.out << wrong.err;
  EXPECT_NE(wrong.out.find("--backend 'reference --profile onednn-x64'"), std::string::npos) << "the command that repeats it\n" << wrong.out;
  const CommandOutcome identified = run({"identify", "--backend", word, "--op", "onnx.QuantizeLinear", "--json"});
  EXPECT_EQ(identified.code, 0) << identified.out << identified.err;
  EXPECT_NE(identified.out.find("\"onednn-x64\""), std::string::npos) << identified.out;
}

TEST_F(CommandIdentify, OptionsInTheWordComeAfterTheOthers) {
  const CommandOutcome both = run({"backend", "info", "reference --profile onednn-x64", "--backend-option=--profile", "--backend-option=onnx"});
  EXPECT_NE(both.out.find("profile       onednn-x64\n"), std::string::npos) << both.out << both.err;
}

TEST_F(CommandIdentify, APathWithOptionsInItsNameIsAPath) {
  const std::string script = shell_backend("mine --fast.sh", "exit 1");
  const CommandOutcome outcome = run({"backend", "info", script});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(run({"backend", "info", script + " --level 3"}).code, 2) << "a file of the first word alone is not there";
}

TEST_F(CommandIdentify, ATableOfNothingIsAnError) {
  for (const std::string op : {"x[AM]*", "no.such*"}) {
    const CommandOutcome outcome = run({"identify", "--backend", "reference", "--op", op});
    EXPECT_EQ(outcome.code, 4) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("nothing is selected: no backend named here lists an op '" + op + "'"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("hint: "), std::string::npos) << outcome.err;
  }
  const CommandOutcome absent = run({"identify", "--backend", "reference", "--backend", "no-such-backend", "--op", "no.such*"});
  EXPECT_EQ(absent.code, 5) << "a backend that cannot be asked outranks it\n" << absent.out << absent.err;
}

TEST_F(CommandIdentify, ALogHasALineForEachRow) {
  const std::vector<std::string> words{"identify", "--backend", "reference --profile onnx", "--op", "onnx.Quantize*"};
  const CommandOutcome outcome = run(words);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("reference --profile onnx  onnx.QuantizeLinear x=f32 -> u8: onnx, "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("reference --profile onnx  onnx.QuantizeLinear x=f32 -> i8: onnx, "), std::string::npos) << outcome.err;
  for (char c : outcome.err) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ') << static_cast<int>(c);
  std::vector<std::string> quiet = words;
  quiet.push_back("--quiet");
  EXPECT_EQ(run(quiet).err, "");
}

}  // namespace
}  // namespace tiebreak
