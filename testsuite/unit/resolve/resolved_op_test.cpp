// SPDX-License-Identifier: Apache-2.0
// An op as a profile computes it: choices taken, definitions in place, places, two views compared.
#include "interpreter/notation/notation.hpp"
#include "interpreter/resolve/page_reading.hpp"
#include "interpreter/resolve/resolved_text.hpp"
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

struct ResolvedPages : SpecFolder {
  ResolvedPages() {
    page("onnx/QuantizeLinear.md", quantize_page);
    page("quant/fixed.md", fixed_page);
    write("systems/s/up.json",
          R"({"name": "up", "choices": {"quant.fixed/tie": "up", "onnx.QuantizeLinear/quotient": {"if": "axis == 1", "then": "single", "else": "divide"}}})");
    write("systems/s/open.json", R"({"name": "open", "choices": {"quant.fixed/tie": {"any": ["up", "even"]}}})");
    write("systems/s/silent.json", R"({"name": "silent", "choices": {}})");
  }
  ResolvedOp resolved(const std::string& profile, const std::string& op = "onnx.QuantizeLinear") const {
    const auto library = load();
    EXPECT_TRUE(library) << to_text(library.error());
    auto found = resolve_op({**library, **(*library)->find_profile(profile)}, op);
    EXPECT_TRUE(found) << to_text(found.error());
    return *found;
  }
  /// What stands below the header.
  std::string formulas(const std::string& profile, const std::string& op = "onnx.QuantizeLinear") const {
    const std::string text = resolved_text(resolved(profile, op), 140);
    const std::size_t structure = text.find("structure");
    return text.substr(text.find('\n', structure) + 1);
  }
};

const char* const resolved_head = "op test.F(x: f32, s: f32[]) -> y: f32\nstructure elementwise(x)\n";

TEST(ResolvedOp, TakesChoicesAndWritesInPlace) {
  const ResolvedPages folder;
  EXPECT_EQ(folder.formulas("reference"), "y = sat.y(rna(x / s * 1))\n");  // `use quant.fixed(tie = away)` is the page's own reading
  EXPECT_EQ(folder.formulas("up"), "y = sat.y(rhu((if axis == 1 then f32(x / s) else x / s) * 1))\n");
  EXPECT_EQ(folder.formulas("open"), "y = sat.y(tie(x / s * 1))\n\nchoice tie(v):\n    up = rhu(v)\n  | even = rne(v)\n");
}

TEST(ResolvedOp, NamesThePlaces) {
  const ResolvedPages folder;
  std::string places;
  const ResolvedOp up = folder.resolved("up");
  for (const Clause& clause : up.lines.back().clauses) places += text_of(clause) + " ";
  EXPECT_EQ(places,
            "spec/onnx/QuantizeLinear.md:9 quant.fixed/tie=up onnx.QuantizeLinear/quotient=single onnx.QuantizeLinear/quotient=divide "
            "onnx.QuantizeLinear/order=after ");
}

TEST(ResolvedOp, SaysWhatTheProfileSays) {
  const ResolvedPages folder;
  EXPECT_EQ(title_of(folder.resolved("reference")), "# onnx.QuantizeLinear: the text's own reading");
  EXPECT_EQ(title_of(folder.resolved("up")), "# onnx.QuantizeLinear as up computes it");
  EXPECT_EQ(title_of(folder.resolved("silent")), "# silent says nothing of onnx.QuantizeLinear: this is the text's own reading");
}

TEST(ResolvedOp, EachRoundsWhatIsWrittenInIt) {
  const SpecFolder pages;
  pages.page("test/f.md", std::string("def scaled(v) = v * 3\ndef same(v) = v\n") + resolved_head + "a = x / s\ny = each.f32(scaled(x) + a + same(s))\n");
  const auto library = pages.load();
  ASSERT_TRUE(library) << to_text(library.error());
  const auto op = resolve_op({**library, **(*library)->find_profile("reference")}, "test.F");
  EXPECT_EQ(resolved_text(*op, 140), std::string(resolved_head) + "a = x / s\ny = each.f32(scaled(x) + a + s)\n\ndef scaled(v) = v * 3\n");
}

TEST(ResolvedOp, ArgumentsAreComputedOnceAndNamesDoNotMeet) {
  const SpecFolder pages;
  pages.page("test/m.md", "def square(v) = v * v + w where w = f32(v + 1) * (v - 1) + f32(0.1) * v + f32(0.2) * v\n");
  pages.page("test/f.md", std::string("use test.m\n") + resolved_head + "w = f32(x)\ny = f32(m.square(w / s) * w)\n");
  const auto library = pages.load();
  ASSERT_TRUE(library) << to_text(library.error());
  const auto op = resolve_op({**library, **(*library)->find_profile("reference")}, "test.F");
  EXPECT_EQ(resolved_text(*op, 140),
            std::string(resolved_head) + "w = f32(x)\nv = w / s\nw_2 = f32(v + 1) * (v - 1) + f32(0.1) * v + f32(0.2) * v\ny = f32((v * v + w_2) * w)\n");
}

TEST(ResolvedOp, WhatTheHeaderNamesStays) {
  const SpecFolder folder;
  folder.page("test/g.md",
              "op test.G(x: f32, s: f32[axis by 32]) -> y: f32\nstructure elementwise(x)\naxis = 1\nconstraint C1: x.shape[axis] > 0\ny = f32(x * s)\n");
  const auto library = folder.load();
  ASSERT_TRUE(library) << to_text(library.error());
  const auto op = resolve_op({**library, **(*library)->find_profile("reference")}, "test.G");
  ASSERT_TRUE(op) << to_text(op.error());
  EXPECT_NE(resolved_text(*op, 100).find("\naxis = 1\n"), std::string::npos) << resolved_text(*op, 100);
}

TEST(ResolvedOp, TwoViewsMarkWhatDiffers) {
  const ResolvedPages folder;
  const ResolvedOp plain = folder.resolved("reference"), open = folder.resolved("open");
  const std::string wide = resolved_comparison(plain, open, 120), narrow = resolved_comparison(plain, open, 80);
  EXPECT_NE(wide.find(" | y = sat.y(tie(x / s * 1))"), std::string::npos) << wide;
  EXPECT_NE(wide.find(" > choice tie(v):"), std::string::npos) << wide;
  EXPECT_NE(wide.find("structure elementwise(x)                                     structure elementwise(x)"), std::string::npos) << wide;
  EXPECT_NE(narrow.find("\n| y = sat.y(rna(x / s * 1))"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("\n  structure elementwise(x)"), std::string::npos) << narrow;
  EXPECT_EQ(differing_lines(plain, open), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(differing_lines(open, plain), (std::vector<bool>{false, false, true, true}));
}

TEST(ResolvedOp, HeadsOfPages) {
  const std::string page = "# a\n\nWords.\n\n## Formulas\n\ntext\n", block = "```resolved\ny = x\n```\n\n";
  EXPECT_EQ(with_reading(page, "y = x\n"), "# a\n\nWords.\n\n" + block + "## Formulas\n\ntext\n");
  EXPECT_EQ(written_reading(with_reading(page, "y = x\n")), "y = x\n");
  EXPECT_EQ(with_reading(with_reading(page, "y = 1\n"), "y = x\n"), with_reading(page, "y = x\n"));
  EXPECT_EQ(with_reading(with_reading(page, "y = 1\n"), ""), page);
  EXPECT_EQ(written_reading(page), std::nullopt);
}

/// The text of every op of the installation is a page that checks.
TEST(ResolvedOp, EveryOpIsAPage) {
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library) << to_text(library.error());
  const notation::ModuleLookup lookup = [&](const std::string& name) { return (*library)->find_module(name); };
  for (const std::string profile : {"reference", "onnxruntime-x64", "onednn-x64", "tflite-builtin", "tvm-0.18-int64-upward"})
    for (const std::string& path : (*library)->op_paths()) {
      const auto op = resolve_op({**library, **(*library)->find_profile(profile)}, path);
      const auto module = notation::parse_module(resolved_text(*op, 100), "view." + path, path + " as " + profile);
      ASSERT_TRUE(module) << to_text(module.error()) << "\n" << resolved_text(*op, 100);
      for (const Error& finding : notation::check_module(*module, lookup)) ADD_FAILURE() << to_text(finding) << "\n" << resolved_text(*op, 100);
    }
}

TEST(ResolvedOp, WhatStandsAtTheHeadOfPagesIsComputed) {
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library) << to_text(library.error());
  for (const auto& [name, page] : (*library)->pages()) {
    const auto written = written_reading(page.markdown);
    if (written) {
      EXPECT_EQ(*written, *page_reading(**library, page)) << page.file;
    }
  }
}

}  // namespace
}  // namespace tiebreak
