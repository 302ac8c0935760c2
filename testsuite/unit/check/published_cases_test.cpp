// SPDX-License-Identifier: Apache-2.0
// The numbers that other projects' tests publish, as case files of testsuite/published: every one holds under the profile of the system that it is from. Then
// how strong TVM's are: which single changes of the arithmetic they notice.
#include <algorithm>
#include <filesystem>

#include "testsuite/check/expectation.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

const std::string published = TIEBREAK_SOURCE_DIR "/testsuite/published/";

std::shared_ptr<const Library> all_pages() {
  auto loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  EXPECT_TRUE(loaded) << (loaded ? "" : to_text(loaded.error()));
  return loaded ? *loaded : nullptr;
}

std::vector<Case> cases_in(const Library& library, const std::string& folder) {
  auto cases = load_cases(library, published + folder);
  EXPECT_TRUE(cases) << (cases ? "" : to_text(cases.error()));
  return cases ? *std::move(cases) : std::vector<Case>{};
}

/// What the profile gives is not what the case states for it, or the case cannot be run.
std::string fault(const Semantics& semantics, const Case& test) {
  if (test.unusable) return test.unusable->what;
  const auto given = expect(semantics, test, {});
  return given ? given->contradiction : given.error().what;
}

struct Folder {
  const char* system;
  int cases;  ///< in case files
  int rows;   ///< cases, each under every profile that it states numbers for
};

TEST(PublishedCases, EveryOneHolds) {
  const auto library = all_pages();
  ASSERT_TRUE(library);
  for (const Folder& folder : {Folder{"tvm", 396, 396}, Folder{"mlir", 119, 159}, Folder{"tflite", 232, 232}, Folder{"migraphx", 42, 74},
                               Folder{"onnxruntime", 1539, 1539}, Folder{"cmsis-nn", 210, 210}}) {
    const std::vector<Case> cases = cases_in(*library, folder.system);
    int rows = 0;
    for (const Case& test : cases) {
      EXPECT_FALSE(test.stated.empty()) << test.id << " states no numbers";
      for (const auto& [profile, stated] : test.stated) {
        auto found = library->find_profile(profile);
        ASSERT_TRUE(found) << test.id << ": " << to_text(found.error());
        EXPECT_EQ(fault({*library, **found}, test), "") << test.id;
        ++rows;
      }
    }
    std::printf("  %-12s %4d cases, %4d rows hold\n", folder.system, static_cast<int>(cases.size()), rows);
    EXPECT_EQ(static_cast<int>(cases.size()), folder.cases) << folder.system;
    EXPECT_EQ(rows, folder.rows) << folder.system;
  }
}

/// What a project's tests want to fail, the pages refuse. Such a case may be one whose call cannot be built.
TEST(PublishedCases, WhatIsRefusedThereIsRefused) {
  const auto library = all_pages();
  ASSERT_TRUE(library);
  const std::vector<Case> cases = cases_in(*library, "refused/onnxruntime");
  const Semantics semantics{*library, **library->find_profile("onnxruntime-x64")};
  for (const Case& test : cases) {
    EXPECT_TRUE(test.stated.empty()) << test.id;
    EXPECT_FALSE(expect(semantics, test, {})) << test.id << ": " << test.description;
  }
  EXPECT_EQ(cases.size(), 183u);
}

/// Numbers of MIGraphX's tests of ONNX models that the texts do not give: a zero point of u8 that is left out is 128, a bias is subtracted, and means of
/// windows are rounded in another way.
TEST(PublishedCases, WhatMigraphxStatesAgainstTheText) {
  const auto library = all_pages();
  ASSERT_TRUE(library);
  const Semantics text{*library, **library->find_profile("onnx")};
  int against = 0;
  for (Case& test : cases_in(*library, "migraphx")) {
    if (test.stated.contains("onnx")) continue;
    test.stated["onnx"] = test.stated.at("migraphx-ref");
    EXPECT_NE(fault(text, test), "") << test.id;
    ++against;
  }
  EXPECT_EQ(against, 10);
}

/// Cases that one changed choice makes wrong.
int kills(const Library& library, const std::vector<Case>& cases, const std::string& key, const std::string& alternative) {
  int killed = 0;
  for (const Case& test : cases) {
    Profile changed = **library.find_profile(test.stated.begin()->first);
    changed.choices[key] = ProfileValue{.alternative = alternative};
    killed += fault({library, changed}, test).empty() ? 0 : 1;
  }
  return killed;
}

struct Change {
  const char* what;
  const char* key;
  const char* alternative;
};
constexpr Change unnoticed[] = {
    {"quantize: half to even", "qnn.quantize/tie", "even"},          {"quantize: zero point before the rounding", "qnn.quantize/order", "before"},
    {"quantize: reciprocal", "qnn.quantize/quotient", "reciprocal"}, {"float path: zero point after the rounding", "qnn.requantize/zero_point", "after"},
    {"multiplier: f32 ratio", "qnn.requantize/ratio", "f32"},        {"multiplier: flushed below 1e-6", "qnn.requantize/tiny", "flushed"}};
constexpr Change noticed[] = {{"UPWARD: two roundings as gemmlowp", "qnn.fixed_point/upward", "two_stages"},
                              {"UPWARD: half to even", "qnn.fixed_point/upward", "even"},
                              {"UPWARD: as on AArch64", "qnn.fixed_point/upward", "two_stages_up"},
                              {"add: one rounding", "qnn.add/roundings", "once"},
                              {"subtract: one rounding", "qnn.subtract/roundings", "once"}};

/// What these cases cannot see is what systems disagree about: a suite that only imports them has no power there.
TEST(PublishedCases, WhatThoseOfTvmDoNotNotice) {
  const auto library = all_pages();
  ASSERT_TRUE(library);
  const std::vector<Case> cases = cases_in(*library, "tvm");
  ASSERT_TRUE(std::ranges::none_of(cases, [](const Case& test) { return test.stated.empty(); }));
  for (const Change& change : unnoticed) {
    const int killed = kills(*library, cases, change.key, change.alternative);
    std::printf("  %3d cases notice %s\n", killed, change.what);
    EXPECT_EQ(killed, 0) << change.what;
  }
  for (const Change& change : noticed) {
    const int killed = kills(*library, cases, change.key, change.alternative);
    std::printf("  %3d cases notice %s\n", killed, change.what);
    EXPECT_GT(killed, 0) << change.what;
  }
}

/// Of CMSIS-NN's convolutions one in five would see a build that rounds once.
TEST(PublishedCases, WhatConvolutionsOfCmsisNnNotice) {
  const auto library = all_pages();
  ASSERT_TRUE(library);
  const std::vector<Case> cases = cases_in(*library, "cmsis-nn/convolve.json.gz");
  ASSERT_EQ(cases.size(), 69u);
  EXPECT_EQ(kills(*library, cases, "quant.requantize_integer/multiply", "one_stage"), 14);
}

}  // namespace
}  // namespace tiebreak
