// SPDX-License-Identifier: Apache-2.0
// What `spec show --profile` prints is executed: a spec folder of nothing but resolved ops gives the values of the pages under the profile.
#include "interpreter/resolve/resolved_text.hpp"
#include "testsuite/sources/selection.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

/// Every op as the profile computes it; what a stage applies is an op with a page of its own.
struct ResolvedFolder : SpecFolder {
  explicit ResolvedFolder(const Semantics& semantics) {
    for (const std::string& path : semantics.library.op_paths()) {
      const auto op = resolve_op(semantics, path);
      EXPECT_TRUE(op) << path;
      std::string file = path;
      file.replace(file.find('.'), 1, "/");
      if (op) page(file + ".md", resolved_text(*op, 120));
    }
    copy_tables();
  }

 private:
  /// The numbers that formulas look up stand beside their pages.
  void copy_tables() const {
    namespace fs = std::filesystem;
    for (const fs::directory_entry& family : fs::directory_iterator(TIEBREAK_SOURCE_DIR "/spec")) {
      const fs::path copied = fs::path(path()) / family.path().filename();
      if (!family.is_directory() || !fs::exists(copied)) continue;
      for (const fs::directory_entry& file : fs::directory_iterator(family.path()))
        if (file.path().extension() == ".json") fs::copy_file(file.path(), copied / file.path().filename());
    }
  }
};

/// "" where both give the same values.
std::string difference(const std::vector<ResultTensor>& expected, const std::vector<ResultTensor>& got) {
  for (std::size_t r = 0; r < expected.size(); ++r)
    for (std::int64_t i = 0; i < expected[r].tensor.size(); ++i) {
      const bool open = expected[r].is_undefined(i);
      if (open != got[r].is_undefined(i) || (!open && expected[r].tensor.code(i) != got[r].tensor.code(i)))
        return expected[r].name + "[" + std::to_string(i) + "]";
    }
  return "";
}

class ResolvedValues : public testing::TestWithParam<const char*> {};

TEST_P(ResolvedValues, AreThoseOfThePages) {
  const auto pages = spec_pages();
  const Profile& profile = **pages->find_profile(GetParam());
  const ResolvedFolder folder(Semantics{*pages, profile});
  const auto resolved = folder.load();
  ASSERT_TRUE(resolved) << to_text(resolved.error());
  const Profile& as_written = **(*resolved)->find_profile("reference");
  const auto cases = select_cases(*pages, {.golden = true});
  ASSERT_TRUE(cases) << to_text(cases.error());
  constexpr std::int64_t most_elements = 2000;
  std::size_t compared = 0;
  for (const Case& test : *cases) {
    if (input_elements(test) > most_elements || !test.expected_error.empty()) continue;
    const auto expected = evaluate({*pages, profile}, test.program, test.inputs);
    const auto got = evaluate({**resolved, as_written}, test.program, test.inputs);
    ASSERT_EQ(expected.has_value(), got.has_value()) << test.id << ": " << to_text(expected ? got.error() : expected.error());
    if (!expected) continue;
    EXPECT_EQ(difference(*expected, *got), "") << test.id;
    ++compared;
  }
  EXPECT_GT(compared, 300U);
}

INSTANTIATE_TEST_SUITE_P(Profiles, ResolvedValues,
                         testing::Values("reference", "onnxruntime-x64", "onednn-x64", "tflite-builtin", "tvm-0.18-int64-upward", "stablehlo-interpreter"));

}  // namespace
}  // namespace tiebreak
