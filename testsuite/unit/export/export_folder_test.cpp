// SPDX-License-Identifier: Apache-2.0
// The folder of an export takes its name, or leaves what has it; formats by their words.
#include "testsuite/export/export_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

class ReplaceFolder : public testing::Test {
 protected:
  ReplaceFolder() {
    fs::create_directories(root_ / "vectors");
    std::ofstream(root_ / "vectors/old") << "old";
  }
  ~ReplaceFolder() override { fs::remove_all(root_); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(root_))
      if (entry.is_regular_file()) found.push_back(fs::relative(entry.path(), root_).string());
    std::ranges::sort(found);
    return found;
  }
  fs::path root_ = fs::path(testing::TempDir()) / ("replace_folder_" + std::to_string(::getpid()));
};

TEST_F(ReplaceFolder, TheNewOneStandsInItsPlace) {
  fs::create_directory(root_ / "made");
  std::ofstream(root_ / "made/new") << "new";
  EXPECT_TRUE(replace_folder((root_ / "made").string(), (root_ / "vectors").string()));
  EXPECT_EQ(names(), std::vector<std::string>{"vectors/new"});
}

/// The old one was moved away by then.
TEST_F(ReplaceFolder, TheOldOneStaysWhereTheNewOneCannotHaveTheName) {
  const Status done = replace_folder((root_ / "made").string(), (root_ / "vectors").string());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::io);
  EXPECT_EQ(names(), std::vector<std::string>{"vectors/old"});
}

TEST(ExportFormats, AreReadByTheirWords) {
  const std::vector<std::string> words = export_format_words();
  EXPECT_EQ(parse_export_formats("")->size(), words.size());
  for (const std::string& word : words) EXPECT_TRUE(parse_export_formats(word)) << word;
  EXPECT_EQ(*parse_export_formats("sv-test,csv"), (std::set<ExportFormat>{ExportFormat::memh, ExportFormat::csv, ExportFormat::sv_test}));
  EXPECT_EQ(parse_export_formats("memn").error().hint, "did you mean 'memh'?");
  EXPECT_EQ(parse_export_formats("something").error().hint, "npy, memh, mif, c, csv, c-test, sv-test");
}

}  // namespace
}  // namespace tiebreak
