// SPDX-License-Identifier: Apache-2.0
// What tools/adapters/common does with command lines and files, seen on the adapter `faulty` where this build has it.
#include <gtest/gtest.h>

#include <filesystem>

#include "testsuite/unit/backends/fake_adapter.hpp"

namespace tiebreak {
namespace {

class AdapterProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(path_)) GTEST_SKIP() << path_ << " is not built";
  }
  int status(const std::string& words) const { return sample::shell(path_ + " " + words + " > " + folder_.file("out") + " 2>&1"); }
  std::string printed() const { return sample::read_text(folder_.file("out")); }

  const std::string path_ = std::string(TIEBREAK_BINARY_DIR) + "/tiebreak-adapter-faulty";
  const sample::Folder folder_{};
};

TEST_F(AdapterProgram, CommandLines) {
  for (const char* words : {"", "describe more", "run", "run one", "run one two three", "judge", "--fault", "--fualt none describe"}) {
    EXPECT_EQ(status(words), 2) << words;
    EXPECT_NE(printed().find("usage: "), std::string::npos) << words;
  }
  EXPECT_NE(printed().find("did you mean '--fault'?"), std::string::npos) << printed();
  EXPECT_EQ(status("--fault none describe"), 0);
  EXPECT_EQ(sample::shell(path_ + " describe > /dev/full 2> /dev/null"), 1);
}

TEST_F(AdapterProgram, FilesThatCannotBeUsed) {
  EXPECT_EQ(status("run " + folder_.file("absent.h5") + " " + folder_.file("response.h5")), 1);
  ExchangeFile golden;
  golden.kind = "golden";
  ASSERT_TRUE(write_exchange(golden, folder_.file("golden.h5")));
  EXPECT_EQ(status("run " + folder_.file("golden.h5") + " " + folder_.file("response.h5")), 1);
  EXPECT_NE(printed().find("not a request but a golden"), std::string::npos) << printed();
  ExchangeFile request;
  request.kind = "request";
  ASSERT_TRUE(write_exchange(request, folder_.file("request.h5")));
  EXPECT_EQ(status("run " + folder_.file("request.h5") + " /no/such/folder/response.h5"), 1);
  EXPECT_EQ(status("run " + folder_.file("request.h5") + " " + folder_.file("response.h5")), 0);
}

TEST_F(AdapterProgram, ACaseThatMakesNoSenseIsItsOwn) {
  ExchangeCase nonsense = sample::asked("nonsense");
  nonsense.program = "no program";
  const auto answers = sample::open(path_)->run({nonsense});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].kind, BackendAnswer::Kind::inconclusive);
  EXPECT_NE(answers[0].reason.find("error: "), std::string::npos) << answers[0].reason;
}

}  // namespace
}  // namespace tiebreak
