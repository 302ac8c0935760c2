// SPDX-License-Identifier: Apache-2.0
// Alternatives that stand in a system's page: joined to their choice, read there with the names of both pages.
#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

/// The pages of spec_folder.hpp.
struct TwoPages : SpecFolder {
  TwoPages() {
    page("onnx/QuantizeLinear.md", quantize_page);
    page("quant/fixed.md", fixed_page);
  }
  std::string alternatives(const std::string& key) const {
    const auto library = load();
    if (!library) return to_text(library.error());
    const auto place = find_choice(**library, key);
    if (!place) return to_text(place.error());
    std::string text;
    for (const notation::Alternative& one : place->choice->alternatives)
      text += one.name + (one.file.empty() ? "" : " of " + one.file + ":" + std::to_string(one.at.line)) + " = " + notation::print(*one.body.value) + "\n";
    return text;
  }
};

TEST(JoinedAlternatives, StandBehindTheChoicesOwn) {
  const TwoPages folder;
  folder.page("systems/b-chip/notes.md",
              "alternative onnx.QuantizeLinear/quotient: inverse = x * f32(1 / s)\nalternative onnx.QuantizeLinear/order: never = 0\n");
  folder.page("systems/a/tie.md",
              "alternative quant.fixed/tie: zero = rtz(v) | down = floor(v)\nalternative onnx.QuantizeLinear/quotient: half = f16(x / s)\n");
  EXPECT_EQ(folder.alternatives("onnx.QuantizeLinear/quotient"),
            "divide = x / s\nsingle = f32(x / s)\nhalf of spec/systems/a/tie.md:5 = f16(x / s)\ninverse of spec/systems/b-chip/notes.md:4 = x * f32(1 / s)\n");
  EXPECT_EQ(folder.alternatives("quant.fixed/tie"),
            "even = rne(v)\naway = rna(v)\nup = rhu(v)\nzero of spec/systems/a/tie.md:4 = rtz(v)\ndown of spec/systems/a/tie.md:4 = floor(v)\n");
  EXPECT_EQ(folder.alternatives("onnx.QuantizeLinear/order"), "after = 1\nbefore = 2\nnever of spec/systems/b-chip/notes.md:5 = 0\n");
}

TEST(JoinedAlternatives, SeeTheDefinitionsOfTheirPage) {
  const TwoPages folder;
  folder.page("quant/more.md", "def twice(v) = 2 * v\n");
  folder.page("systems/b-chip/q.md",
              "use quant.more as m\nuse quant.fixed\ndef inverse(v) = f32(1 / v)\n"
              "alternative onnx.QuantizeLinear/quotient:\n"
              "    once = a where inverse = x; a = inverse\n  | product = m.twice(fixed.tie(x * inverse(s)))\n");
  EXPECT_EQ(folder.alternatives("onnx.QuantizeLinear/quotient"),
            "divide = x / s\nsingle = f32(x / s)\nonce of spec/systems/b-chip/q.md:8 = a\n"
            "product of spec/systems/b-chip/q.md:9 = quant.more.twice(fixed.tie(x * systems.b_chip.q.inverse(s)))\n");
}

TEST(JoinedAlternatives, NamesOfBothPagesAreAmbiguous) {
  const TwoPages folder;
  folder.page("systems/a/q.md", "def order = 3\nalternative onnx.QuantizeLinear/quotient: third = x / order\n");
  EXPECT_EQ(folder.problem(),
            "N03 'order' is a definition at spec/systems/a/q.md:4:5 and a choice at spec/onnx/QuantizeLinear.md:5:8 (spec/systems/a/q.md:5:55)\n"
            "  hint: give the one in spec/systems/a/q.md another name");
  folder.page("quant/more.md", "def twice(v) = 2 * v\n");
  folder.page("systems/a/q.md", "use quant.more as fixed\nalternative onnx.QuantizeLinear/quotient: third = fixed.twice(x)\n");
  EXPECT_EQ(folder.problem(),
            "N03 'fixed' is an alias at spec/systems/a/q.md:4:5 and an alias at spec/onnx/QuantizeLinear.md:4:5 (spec/systems/a/q.md:5:51)\n"
            "  hint: give the one in spec/systems/a/q.md another name");
  folder.page("systems/a/q.md", "use quant.more as x\nalternative onnx.QuantizeLinear/quotient: third = x.twice(s)\n");
  EXPECT_EQ(folder.problem(),
            "N03 'x' is an alias at spec/systems/a/q.md:4:5 and an operand at spec/onnx/QuantizeLinear.md:6:24 (spec/systems/a/q.md:5:51)\n"
            "  hint: give the one in spec/systems/a/q.md another name");
  // A name that no alternative uses may be the same.
  folder.page("systems/a/q.md", "def order = 3\nalternative onnx.QuantizeLinear/quotient: third = x / 3\n");
  EXPECT_EQ(folder.problem(), "");
}

TEST(JoinedAlternatives, ReadingsOfUseDoNotReachThem) {
  const TwoPages folder;
  folder.page("systems/a/q.md", "use quant.fixed as up (tie = up)\nalternative onnx.QuantizeLinear/quotient: third = up.tie(x)\n");
  EXPECT_EQ(folder.problem(),
            "N03 the readings of 'use quant.fixed(...)' hold for definitions of this page, not for the choice 'quotient' (spec/systems/a/q.md:5:51)\n"
            "  hint: put what names 'up' into a definition of this page");
  folder.page("systems/a/q.md", "use quant.fixed as up (tie = up)\ndef whole(v) = up.tie(v)\nalternative onnx.QuantizeLinear/quotient: third = whole(x)\n");
  EXPECT_EQ(folder.problem(), "");
}

TEST(JoinedAlternatives, AreFoundWrongWhereTheyStand) {
  const TwoPages folder;
  folder.page("systems/a/q.md", "alternative onnx.QuantizeLinaer/quotient: third = x\n");
  EXPECT_EQ(folder.problem(), "N11 no op or module 'onnx.QuantizeLinaer' (spec/systems/a/q.md:4:13)\n  hint: did you mean 'onnx.QuantizeLinear'?");
  folder.page("systems/a/q.md", "alternative onnx.QuantizeLinear/qotient: third = x\n");
  EXPECT_EQ(folder.problem(),
            "N11 'onnx.QuantizeLinear' has no choice 'qotient' (spec/systems/a/q.md:4:13)\n  hint: did you mean 'onnx.QuantizeLinear/quotient'?");
  folder.page("systems/a/q.md", "alternative onnx.QuantizeLinear/quotient: single = x\n");
  EXPECT_EQ(folder.problem(),
            "N03 a second alternative 'single' of 'onnx.QuantizeLinear/quotient', the first is at spec/onnx/QuantizeLinear.md:8:35 (spec/systems/a/q.md:4:43)\n"
            "  hint: give it the name of what it computes");
  folder.page("systems/a/q.md", "alternative onnx.QuantizeLinear/quotient: third = rnee(x)\n");
  EXPECT_EQ(folder.problem(), "N01 unknown rounding word 'rnee' (spec/systems/a/q.md:4:51)\n  hint: did you mean 'rne'?");
  folder.page("systems/a/q.md", "alternative onnx.QuantizeLinear/quotient: third = (x > 1) + 1\n");
  EXPECT_EQ(folder.problem(), "N12 a number is needed, 'x > 1' is a truth value (spec/systems/a/q.md:4:54)");
  folder.page("systems/a/q.md", "alternative onnx.QuantizeLinear/quotient: third = sum(x)\n");
  EXPECT_TRUE(folder.problem().find("N07 'sum' without a bag (spec/systems/a/q.md:4:51)") == 0) << folder.problem();
  folder.page("systems/a/q.md", "use onnx.QuantizeLinear\ndef d = QuantizeLinear.order\nalternative onnx.QuantizeLinear/quotient: third = d\n");
  EXPECT_EQ(folder.problem(), "N03 modules use each other in a circle: onnx.QuantizeLinear -> systems.a.q -> onnx.QuantizeLinear (spec/systems/a/q.md:6:51)");
}

TEST(JoinedAlternatives, StandInPagesOfSystemsOnly) {
  const TwoPages folder;
  folder.page("quant/q.md", "alternative onnx.QuantizeLinear/quotient: third = x\n");
  EXPECT_EQ(folder.problem(),
            "N02 an alternative of another page's choice outside spec/systems (spec/quant/q.md:4:13)\n"
            "  hint: move it to spec/systems/SYSTEM/PAGE.md, or write it where the choice stands");
}

TEST(JoinedAlternatives, MeanWhatTheyWouldInThePage) {
  const TwoPages apart, together;
  apart.page("systems/a/q.md", "alternative quant.fixed/tie: zero = rtz(v)\n");
  together.page("quant/fixed.md", "choice tie(v): even = rne(v) | away = rna(v) | up = rhu(v) | zero = rtz(v)\n");
  EXPECT_EQ((*apart.load())->hash(), (*together.load())->hash());
  EXPECT_NE((*apart.load())->hash(), (*TwoPages().load())->hash());
  apart.page("systems/a/q.md", "alternative quant.fixed/tie: zero = floor(v)\n");
  EXPECT_NE((*apart.load())->hash(), (*together.load())->hash());
}

TEST(JoinedAlternatives, AreTakenByProfiles) {
  const TwoPages folder;
  folder.page("systems/a/q.md", "def inverse(v) = f32(1 / v)\nalternative onnx.QuantizeLinear/quotient: product = x * inverse(s)\n");
  folder.write("systems/a/a.json", R"({"name": "a", "choices": {"onnx.QuantizeLinear/quotient": "product"}})");
  const auto library = folder.load();
  ASSERT_TRUE(library.has_value()) << to_text(library.error());
  const Profile& profile = **(*library)->find_profile("a");
  EXPECT_EQ(profile.file, "spec/systems/a/a.json");
}

}  // namespace
}  // namespace tiebreak
