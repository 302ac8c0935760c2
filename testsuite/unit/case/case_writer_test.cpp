// SPDX-License-Identifier: Apache-2.0
// A case written as a file and read again.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testsuite/case/case_writer.hpp"
#include "testsuite/sources/load_cases.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

TEST(CaseWriter, ConstantInputsAreWrittenOnceAndReadAgain) {
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library) << to_text(library.error());
  const fs::path folder = fs::temp_directory_path() / ("tiebreak-writer-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "case.json").string();
  auto written = [&](const std::string& data) {
    std::ofstream(path) << R"({"schema": "tiebreak.case/1", "op": "onnx.Neg", "cases": [{"name": "a", "inputs": {"X": {"type": "f32", "shape": [9], )" + data +
                               "}}}]}";
    const Result<std::vector<Case>> cases = load_cases(**library, path);
    EXPECT_TRUE(cases) << data << (cases ? "" : to_text(cases.error()));
    if (!cases) return std::string();
    const std::string text = case_file_text(**library, cases->at(0), "a", "onnx", {});
    std::ofstream(path) << text;
    const Result<std::vector<Case>> again = load_cases(**library, path);
    EXPECT_TRUE(again) << text;
    for (std::int64_t i = 0; again && i < 9; ++i) EXPECT_EQ(again->at(0).inputs[0].code(i), cases->at(0).inputs[0].code(i)) << data << " at " << i;
    return text;
  };
  for (const char* value : {"127", "\"-0x1.8p-148\"", "\"0x1.99999ap-4\"", "\"1e30\""}) {
    const std::string text = written(std::string("\"rule\": \"constant\", \"value\": ") + value);
    EXPECT_NE(text.find("constant"), std::string::npos) << text;
    EXPECT_EQ(text.find("data"), std::string::npos) << text;
  }
  for (const char* data :
       {"[1, 1, 1, 1, 1, 1, 1, 1, 2]", R"(["-0", "-0", "-0", "-0", "-0", "-0", "-0", "-0", "-0"])",
        R"(["nan", "nan", "nan", "nan", "nan", "nan", "nan", "nan", "nan"])", R"(["inf", "inf", "inf", "inf", "inf", "inf", "inf", "inf", "inf"])"})
    EXPECT_NE(written(std::string("\"data\": ") + data).find("\"data\""), std::string::npos) << data;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tiebreak
