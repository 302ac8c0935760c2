// SPDX-License-Identifier: Apache-2.0
// Published tables beside the checkout, read as sources: every row is equal under the profile of the system that it is from. Rows that are no
// call, and differences that the source allows, are printed with their cause.
#include <algorithm>
#include <cmath>

#include "interpreter/json/json_value.hpp"
#include "testsuite/check/expectation.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

std::string table_path(const std::string& name) { return TIEBREAK_SOURCE_DIR "/../shared/data/" + name; }

struct Tally {
  int equal = 0;   ///< row and profile
  int silent = 0;  ///< usable rows that expect nothing under a profile
  std::map<std::string, int> left_out{};
};

class PublishedTables : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    auto loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }

  static bool is_there(const std::string& name) { return std::filesystem::exists(table_path(name)); }

  std::vector<Case> cases_of(const std::string& name) {
    auto cases = load_cases(*library, table_path(name));
    EXPECT_TRUE(cases) << to_text(cases.error());
    return cases ? *std::move(cases) : std::vector<Case>{};
  }

  void expect_row(const Case& test, const std::string& profile) {
    auto found = library->find_profile(profile.empty() ? "reference" : profile);
    ASSERT_TRUE(found) << to_text(found.error());
    const auto given = expect({*library, **found}, test, {});
    ASSERT_TRUE(given) << test.id << ": " << to_text(given.error());
    EXPECT_EQ(given->contradiction, "") << test.id;
    EXPECT_TRUE(given->notes.empty()) << test.id << ": " << given->notes.front();
  }

  Tally every_row(const std::vector<Case>& cases) {
    Tally tally;
    for (const Case& test : cases) {
      if (test.unusable) {
        ++tally.left_out[test.unusable->what];
        continue;
      }
      tally.silent += test.stated.empty() ? 1 : 0;
      for (const auto& [profile, stated] : test.stated) {
        expect_row(test, profile);
        ++tally.equal;
      }
    }
    std::printf("  %d cases: %d rows equal under their profile\n", static_cast<int>(cases.size()), tally.equal);
    for (const auto& [reason, count] : tally.left_out) std::printf("  left out %3d: %s\n", count, reason.c_str());
    return tally;
  }

  std::shared_ptr<const Library> library;
};

TEST_F(PublishedTables, WhatCompilersDeriveAndFold) {
  if (!is_there("mlir_quant_cases.json")) GTEST_SKIP() << "the table of MLIR cases is not beside this checkout";
  const Tally tally = every_row(cases_of("mlir_quant_cases.json"));
  EXPECT_EQ(tally.left_out, (std::map<std::string, int>{{"parameters found by bisection have no page", 4}}));
  EXPECT_EQ(tally.silent, 0);
  // 75 rows of one call, 13 fixed ranges, 12 activation ranges, 11 numbers by four systems, 7 by two, one bias.
  EXPECT_EQ(tally.equal, 75 + 13 + 12 + 11 * 4 + 7 * 2 + 1);
}

TEST_F(PublishedTables, SectionsOfTensorFlowLiteAndSmallFloats) {
  if (!is_there("tflite_cases.json")) GTEST_SKIP() << "the table of TensorFlow Lite cases is not beside this checkout";
  const Tally tally = every_row(cases_of("tflite_cases.json"));
  EXPECT_EQ(tally.left_out, (std::map<std::string, int>{{"a conversion that cuts is no op of a page", 5},
                                                        {"a conversion to a scale, rounded up, is no op of a page", 18},
                                                        {"a multiplier with its shift is no op of a page", 23},
                                                        {"facts that are no rows of a call", 3}}));
  EXPECT_EQ(tally.silent, 0);
  EXPECT_EQ(tally.equal, 11 + 4 + 4 + 3 + 7 + 46 + 19 + 1 + 8 + 72 + 30 + 5 + 21);
}

/// The source's own measure of floats: root mean square of the differences over the largest magnitude, at most 80 epsilon.
bool is_within_tolerance(const Tensor& actual, const StatedOutput& gold) {
  double squares = 0, largest = 0;
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    const double a = actual.value(i).to_double(), g = Real::parse(gold.elements[static_cast<std::size_t>(i)])->to_double();
    squares += (a - g) * (a - g);
    largest = std::max({largest, std::fabs(a), std::fabs(g)});
  }
  return std::sqrt(squares / static_cast<double>(actual.size())) <= 80 * 0x1p-23 * largest;
}

/// Whole numbers are equal under migraphx-ref, and for ops of ONNX under `onnx` too, unless the table says that a row contradicts ONNX: then the
/// text must give something else.
class ModelTable : public PublishedTables {
 protected:
  void whole_row(Case test, bool contradicts) {
    expect_row(test, "migraphx-ref");
    const bool onnx = test.program.operations.front().op.starts_with("onnx.");
    if (!onnx && !contradicts) return;
    test.stated["onnx"] = test.stated["migraphx-ref"];
    const auto given = expect({*library, **library->find_profile("onnx")}, test, {});
    ASSERT_TRUE(given) << test.id << ": " << to_text(given.error());
    EXPECT_EQ(given->contradiction.empty(), !contradicts) << test.id << ": " << given->contradiction;
  }

  void float_row(const Case& test) {
    for (const char* profile : {"migraphx-ref", "onnx"}) {
      const auto given = expect({*library, **library->find_profile(profile)}, test, {});
      ASSERT_TRUE(given) << test.id << ": " << to_text(given.error());
      EXPECT_TRUE(is_within_tolerance(given->outputs.front().tensor, test.stated.at("").front())) << test.id << " " << profile;
      for (const std::string& note : given->notes) std::printf("  exception %s: %s; within the source's 80 epsilon\n", test.id.c_str(), note.c_str());
    }
  }
};

TEST_F(ModelTable, EveryRow) {
  if (!is_there("migraphx_cases.json")) GTEST_SKIP() << "the table of MIGraphX cases is not beside this checkout";
  const JsonValue table = *read_json_file(table_path("migraphx_cases.json"));
  const std::vector<JsonValue>& rows = table.find("cases")->items;
  const std::vector<Case> cases = cases_of("migraphx_cases.json");
  ASSERT_EQ(cases.size(), rows.size());
  int whole = 0, contradicting = 0, floats = 0, silent = 0, refused = 0, left_out = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& test = cases[i];
    const bool contradicts = rows[i].find("contradicts_onnx")->truth;
    if (test.unusable) {
      std::printf("  left out %s: %s\n", test.id.c_str(), test.unusable->what.c_str());
      ++left_out;
    } else if (test.id.ends_with("clip_args_type_mismatch")) {
      EXPECT_FALSE(expect({*library, **library->find_profile("onnx")}, test, {}));
      std::printf("  exception %s: refused, bounds with shapes and of another type than the operand; the text has scalars of one type\n", test.id.c_str());
      ++refused;
    } else if (test.stated.contains("migraphx-ref")) {
      whole_row(test, contradicts);
      ++(contradicts ? contradicting : whole);
    } else if (test.stated.contains("")) {
      float_row(test);
      ++floats;
    } else {
      ++silent;
    }
  }
  std::printf("  %d whole and %d float rows equal, %d more that contradict the text as stated, %d without expected numbers, %d refused, %d left out, of %d\n",
              whole, floats, contradicting, silent, refused, left_out, static_cast<int>(cases.size()));
  EXPECT_GT(whole, 30);
  EXPECT_EQ(contradicting, 6);
  EXPECT_EQ(left_out, 23);
}

/// Any table is a source of `score` and `check`.
TEST_F(PublishedTables, AreSourcesOfTheCommand) {
  if (!is_there("mlir_quant_cases.json")) GTEST_SKIP() << "the table of MLIR cases is not beside this checkout";
  const CommandOutcome scored = run({"score", "--profile", "litert-converter", "--op", "quant.bias", table_path("mlir_quant_cases.json")});
  EXPECT_EQ(scored.code, 1) << scored.err;
  EXPECT_NE(scored.out.find("quant.bias"), std::string::npos) << scored.out;
  const CommandOutcome listed = run({"case", "list", table_path("mlir_quant_cases.json")});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_NE(listed.out.find("litert.CalculateQuantizedRange/11"), std::string::npos) << listed.out;
}

}  // namespace
}  // namespace tiebreak
