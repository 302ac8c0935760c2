// SPDX-License-Identifier: Apache-2.0
// tiebreak backend capabilities as a user runs it.
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandCapabilities : public CommandTest {
 protected:
  CommandOutcome asked(std::vector<std::string> words) {
    words.insert(words.begin(), {"backend", "capabilities"});
    return run(words);
  }
};

TEST_F(CommandCapabilities, ATableAFileAndAPage) {
  const CommandOutcome outcome =
      asked({"reference --profile onnx", "--source", quantize_cases(), "--json=" + path("found.json"), "--markdown", path("found.md"), "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("  onnx.QuantizeLinear\n    types        per tensor\n    x=f32 -> i8  1\n    x=f32 -> u8  1\n2 forms: 2 taken\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(read("found.json").find("\"schema\": \"tiebreak.capabilities/1\""), std::string::npos);
  EXPECT_NE(read("found.json").find("\"granularity\": \"per tensor\""), std::string::npos) << read("found.json");
  EXPECT_NE(read("found.md").find("| onnx.QuantizeLinear | x=f32 -> i8; x=f32 -> u8 |  | 1 |  |  |  |\n"), std::string::npos) << read("found.md");
}

TEST_F(CommandCapabilities, JsonToStandardOutputIsAllThereIs) {
  const CommandOutcome outcome = asked({"reference", "--source", quantize_cases(), "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("{\n")) << outcome.out;
}

TEST_F(CommandCapabilities, ABackendThatEndsGivesNoAnswer) {
  const CommandOutcome outcome = asked({shell_backend("ending.sh", "exit 3"), "--source", quantize_cases()});
  EXPECT_EQ(outcome.code, 5) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("no answer: exited with status 3"), std::string::npos) << outcome.out;
}

TEST_F(CommandCapabilities, NothingSelectedAndNothingNamed) {
  const CommandOutcome nothing = asked({"reference", "-k", "no.such/*"});
  EXPECT_EQ(nothing.code, 4) << nothing.out << nothing.err;
  EXPECT_NE(nothing.err.find("hint: "), std::string::npos) << nothing.err;
  EXPECT_EQ(asked({}).code, 2);
  EXPECT_EQ(asked({"reference", "--most", "0"}).code, 2);
  EXPECT_EQ(asked({"no-such-backend"}).code, 5) << "as in every table, the others are still asked";
}

}  // namespace
}  // namespace tiebreak
