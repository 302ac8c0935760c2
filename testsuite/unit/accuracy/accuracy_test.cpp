// SPDX-License-Identifier: Apache-2.0
// A small quantizer under two roundings of ties, whose differences are counted by hand.
#include "testsuite/accuracy/accuracy.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testsuite/arrays/npy.hpp"
#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

/// y = round(x) + 3 as u8.
Program quantizer() {
  Program program;
  program.file = "net.onnx";
  program.values = {
      {"x", TensorType{*ElementType::parse("f32"), {1, 3}, {}}}, {"scale", {}, exact_scalar("f32", Real(1))}, {"zero", {}, exact_scalar("u8", Real(3))}, {"y"}};
  program.inputs = {0};
  program.outputs = {3};
  program.operations = {{.op = "onnx.QuantizeLinear", .operands = {0, 1, 2}, .results = {3}, .attributes = {}, .version = 21, .where = "net.onnx"}};
  return program;
}

// Ties to even, ties away: the second row has one more code at its first place, which decides its arg max; the third one more at its last place.
const Floats four_inputs{0, 1, 2, /**/ 2.5, 3, 1, /**/ 7, 0, 0.5, /**/ 1.25, 1.5, 9};

class AccuracyTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::path(testing::TempDir()) /
             ("accuracy-" + std::to_string(::getpid()) + "-" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".npy"))
                .string();
    std::ofstream(path_, std::ios::binary) << npy_bytes(floats_tensor({4, 3}, four_inputs));
    const auto list = InputList::open(program_, "net.onnx", {.given = {path_}});
    ASSERT_TRUE(list) << to_text(list.error());
    inputs_ = *list;
  }
  void TearDown() override { fs::remove(path_); }

  static AccuracyColumn profile(const std::string& word) {
    const auto semantics = parse_semantics(pages(), "onnx.QuantizeLinear", word);
    EXPECT_TRUE(semantics) << to_text(semantics.error());
    return {.name = word, .profile = *semantics};
  }
  AccuracyReport measure(const std::vector<AccuracyColumn>& columns, const AccuracyOptions& options = {}) const {
    const auto report = measure_accuracy(pages(), program_, inputs_, columns, options);
    EXPECT_TRUE(report) << (report ? "" : to_text(report.error()));
    return report.value_or(AccuracyReport{});
  }

  Program program_ = quantizer();
  InputList inputs_{};
  std::string path_{};
};

TEST_F(AccuracyTest, TwoRoundingsOfTies) {
  const AccuracyReport report = measure({profile("onnx"), profile("onnx:tie=away")});
  ASSERT_EQ(report.differences.size(), 1u);
  ASSERT_EQ(report.differences[0].outputs.size(), 1u);
  const OutputDifference& y = report.differences[0].outputs[0];
  EXPECT_EQ(y.elements, 12);
  EXPECT_EQ(y.different, 2) << "2.5 and 0.5; 1.5 is 2 either way";
  EXPECT_EQ(y.inputs_different, 2);
  EXPECT_EQ(y.rows, 4);
  EXPECT_EQ(y.arg_max_changed, 1) << "2 3 1 becomes 3 3 1, of which the first counts";
  EXPECT_EQ(y.arg_max_tied, 1);
  EXPECT_EQ(y.arg_max_inputs, (std::vector<std::size_t>{1}));
  // Codes are 3 4 5, 5 6 4, 10 3 3, 4 5 12.
  EXPECT_EQ(y.signal, Real(9 + 16 + 25 + 25 + 36 + 16 + 100 + 9 + 9 + 16 + 25 + 144));
  EXPECT_EQ(y.noise, Real(2));
  EXPECT_EQ(accuracy_sentence(report, report.differences[0], y),
            "4 inputs, profile onnx against profile onnx:tie=away: 16.7 % of codes differ, by at most 1; 1 of 4 arg max change; SQNR 23.3244 dB");
  const std::string text = accuracy_text(report, 120);
  EXPECT_EQ(text.find("4 inputs, profile onnx against"), 0u) << text;
  EXPECT_NE(text.find("y: the greatest difference is at [0, 0] of " + path_ + "[1]: 5, 6"), std::string::npos) << text;
  EXPECT_NE(text.find("y: the arg max changes in " + path_ + "[1]\n"), std::string::npos) << text;
}

TEST_F(AccuracyTest, TheSameWhateverTheNumberOfJobs) {
  AccuracyOptions options;
  const std::vector<AccuracyColumn> columns{profile("onnx"), profile("onnx:tie=away"), profile("onnx:tie=even")};
  const std::string alone = accuracy_json(measure(columns, options));
  options.jobs = 3;
  EXPECT_EQ(accuracy_json(measure(columns, options)), alone);
}

TEST_F(AccuracyTest, LabelsAreCounted) {
  AccuracyOptions options;
  options.labels = {2, 0, 0, 0};
  const AccuracyReport report = measure({profile("onnx"), profile("onnx:tie=away")}, options);
  ASSERT_EQ(report.hits.size(), 2u);
  EXPECT_EQ(report.hits[0].right, 2) << "places 2 1 0 2";
  EXPECT_EQ(report.hits[1].right, 3) << "places 2 0 0 2";
  EXPECT_NE(accuracy_text(report, 120).find("top 1 of y, profile onnx:tie=away: 3 of 4 right (75 %)"), std::string::npos);
  options.labels = {2, 0, 3, 0};
  options.labels_origin = "labels.txt";
  const auto refused = measure_accuracy(pages(), program_, inputs_, {profile("onnx"), profile("onnx")}, options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("label 3 of input 2"), std::string::npos) << to_text(refused.error());
  options.labels = {0};
  EXPECT_FALSE(measure_accuracy(pages(), program_, inputs_, {profile("onnx"), profile("onnx")}, options));
}

TEST_F(AccuracyTest, AnAxisThatNoOutputHasIsSaid) {
  AccuracyOptions options;
  options.axis = 0;
  EXPECT_EQ(measure({profile("onnx"), profile("onnx:tie=away")}, options).notes,
            (std::vector<std::string>{"no output has two places along axis 0: there is no arg max"}));
  options.axis = -1;
  EXPECT_TRUE(measure({profile("onnx"), profile("onnx:tie=away")}, options).notes.empty());
}

TEST_F(AccuracyTest, ABackendIsAColumn) {
  PlantedBackend away(pages(), profile("onnx:tie=away").profile), silent(pages(), profile("onnx").profile);
  silent.refuses = [](const ExchangeCase& asked) { return asked.id.ends_with("/2"); };
  const AccuracyReport report = measure({profile("onnx"), {"away", profile("onnx").profile, &away, "1"}, {"silent", profile("onnx").profile, &silent, "1"}});
  ASSERT_EQ(report.differences.size(), 2u);
  EXPECT_EQ(report.differences[0].outputs[0].different, 2);
  EXPECT_EQ(report.differences[0].unanswered, 0u);
  EXPECT_EQ(report.differences[1].unanswered, 1u);
  EXPECT_EQ(report.differences[1].outputs[0].inputs, 3);
  EXPECT_EQ(report.differences[1].outputs[0].different, 0);
  const std::string text = accuracy_text(report, 120);
  EXPECT_NE(text.find("3 inputs, profile onnx against backend silent: none of 9 codes differs"), std::string::npos) << text;
  EXPECT_NE(text.find("backend silent did not answer 1 of 4 inputs: refused"), std::string::npos) << text;
}

TEST_F(AccuracyTest, AnInterruptLeavesWhatWasDone) {
  AccuracyOptions options;
  int asked = 0;
  options.interrupted = [&] { return ++asked > 6; };
  const AccuracyReport report = measure({profile("onnx"), profile("onnx:tie=away")}, options);
  EXPECT_TRUE(report.is_incomplete());
  EXPECT_GT(report.done, 0u);
  EXPECT_LT(report.done, 4u);
  EXPECT_NE(accuracy_text(report, 120).find("incomplete: interrupted after "), std::string::npos);
}

TEST_F(AccuracyTest, AnErrorNamesTheFirstInputAndTheColumn) {
  Program wrong = program_;
  wrong.values[2].constant = exact_scalar("f32", Real(3));  // no type of codes
  AccuracyOptions options;
  for (const int jobs : {1, 3}) {
    options.jobs = jobs;
    const auto report = measure_accuracy(pages(), wrong, inputs_, {profile("onnx"), profile("onnx")}, options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().where.find(path_ + "[0], profile onnx"), 0u) << to_text(report.error());
  }
}

class LabelsTest : public testing::Test {
 protected:
  std::string write(const std::string& ending, const std::string& content) {
    const std::string path = (fs::path(testing::TempDir()) / ("labels-" + std::to_string(::getpid()) + ending)).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
};

TEST_F(LabelsTest, OfTextAndOfArrays) {
  EXPECT_EQ(read_labels(write(".txt", "# what is shown\n7\r\n\n 12 \n0")).value_or(std::vector<std::int64_t>{}), (std::vector<std::int64_t>{7, 12, 0}));
  EXPECT_EQ(read_labels(write(".npy", npy_bytes(codes_tensor("i64", {3}, {4, 0, 9})))).value_or(std::vector<std::int64_t>{}),
            (std::vector<std::int64_t>{4, 0, 9}));
  const auto wrong = read_labels(write(".txt", "1\ncat\n"));
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().where.ends_with(":2")) << to_text(wrong.error());
  EXPECT_FALSE(read_labels(write(".txt", "-1\n")));
  EXPECT_FALSE(read_labels(write(".txt", "")));
  EXPECT_FALSE(read_labels(write(".npy", npy_bytes(floats_line({0.5F})))));
}

}  // namespace
}  // namespace tiebreak
