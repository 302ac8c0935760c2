// SPDX-License-Identifier: Apache-2.0
// StableHLO portable artifacts with a stand-in for StableHLO's program: a script on PATH that writes the text, or misbehaves.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "interpreter/semantics/library.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/sources/program_text.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

const std::string artifact = std::string("ML\xEFR\x0B") + "StableHLO_v1.13.8" + std::string(1, '\0') + "sections";
constexpr const char* text =
    "func.func @main() -> tensor<2xi8> {\n  %a = stablehlo.constant dense<[3, -4]> : tensor<2xi8>\n  %b = stablehlo.add %a, %a : tensor<2xi8>\n"
    "  func.return %b : tensor<2xi8>\n}\n";

class PortableArtifact : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tiebreak-artifact-" + std::to_string(::getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_ / "bin");
    old_path_ = std::getenv("PATH");
    ::setenv("PATH", (folder_.string() + "/bin:/usr/bin:/bin").c_str(), 1);
  }
  void TearDown() override {
    ::setenv("PATH", old_path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }
  /// stablehlo-translate --deserialize FILE -o MADE.
  void translator(const std::string& body) const {
    fs::permissions(write("bin/stablehlo-translate", "#!/bin/sh\n[ \"$1 $3\" = '--deserialize -o' ] || exit 9\n" + body + "\n"), fs::perms::owner_all);
  }
  std::string failure(const std::string& bytes) const {
    const auto read = read_program_text(write("m.mlirbc", bytes));
    return read ? "a text" : to_text(read.error());
  }

  fs::path folder_;
  std::string old_path_;
};

TEST_F(PortableArtifact, IsReadAsTheTextThatIsMadeOfIt) {
  write("text.mlir", text);
  translator("cmp -s \"$2\" " + folder_.string() + "/m.mlirbc && cp " + folder_.string() + "/text.mlir \"$4\"");
  const std::string path = write("m.mlirbc", artifact);
  const auto read = read_program_text(path);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->text, text);
  EXPECT_EQ(read->place, path + " as text");
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library);
  const auto cases = load_cases(**library, path, {}, 0);
  ASSERT_TRUE(cases) << to_text(cases.error());
  ASSERT_EQ(cases->size(), 1U);
  EXPECT_EQ(cases->front().id, "m/main");
  EXPECT_EQ(cases->front().source, path);
  EXPECT_EQ(cases->front().program.operations.size(), 1U);
}

TEST_F(PortableArtifact, ATextIsItsOwn) {
  translator("exit 1");
  const std::string path = write("m.mlirbc", text);
  const auto read = read_program_text(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text, text);
  EXPECT_EQ(read->place, path);
}

TEST_F(PortableArtifact, WhatIsMissingIsNamed) {
  ::setenv("PATH", (folder_.string() + "/bin").c_str(), 1);
  EXPECT_EQ(failure(artifact),
            "a StableHLO portable artifact (StableHLO_v1.13.8) is read by stablehlo-translate, which is not on PATH (" + folder_.string() +
                "/m.mlirbc)\n  hint: put StableHLO's programs on PATH, or make a text where they are: stablehlo-translate --deserialize FILE -o program.mlir");
  EXPECT_EQ(failure("ML\xEFR\x0DMLIR19.1.0"), "MLIR bytecode of 'MLIR19.1.0': only StableHLO's portable artifacts are read (" + folder_.string() +
                                                  "/m.mlirbc)\n  hint: mlir-opt FILE prints it as text");
  EXPECT_EQ(failure("ML\xEFR"),
            "MLIR bytecode of '': only StableHLO's portable artifacts are read (" + folder_.string() + "/m.mlirbc)\n  hint: mlir-opt FILE prints it as text");
  write("bin/stablehlo-translate", "#!/bin/sh\n");  // a file that is no program
  EXPECT_TRUE(failure(artifact).find("which is not on PATH") != std::string::npos) << failure(artifact);
}

TEST_F(PortableArtifact, AProgramThatFailsIsAnError) {
  translator("echo 'unknown version' >&2; exit 3");
  EXPECT_TRUE(failure(artifact).find("stablehlo-translate on this artifact of StableHLO_v1.13.8 exited with status 3: unknown version") != std::string::npos)
      << failure(artifact);
  translator("kill -SEGV $$");
  EXPECT_TRUE(failure(artifact).find("crashed with SIGSEGV") != std::string::npos) << failure(artifact);
  translator("exit 0");
  EXPECT_TRUE(failure(artifact).find("made no text of this artifact") != std::string::npos) << failure(artifact);
  translator("head -c 16777217 /dev/zero > \"$4\"");
  EXPECT_TRUE(failure(artifact).find("the text of this artifact has more than 16 MiB") != std::string::npos) << failure(artifact);
}

TEST_F(PortableArtifact, AnInterruptEndsTheWait) {
  translator("sleep 60");
  const std::atomic<int> flag = 1;
  const auto start = std::chrono::steady_clock::now();
  const auto read = read_program_text(write("m.mlirbc", artifact), Stop(flag));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "interrupted");
}

}  // namespace
}  // namespace tiebreak
