// SPDX-License-Identifier: Apache-2.0
// Pages: blocks and their line numbers, names from places, findings of the checker with the page's lines.
#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/page_loader.hpp"
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

TEST(PageBlocks, AreTakenByTheirWord) {
  const std::string text =
      "intro\n# The title #\n# another\n\n```semantics\ndef a = 1\n```\nprose ``` here\n```mlir\n// %x: [1]\n%y = "
      "op\n```\n````md\n```semantics\nno\n```\n````\n"
      "```semantics more\ndef b = 2\n```\n```\nplain\n```\n```mlir\nz\n```";
  const auto blocks = read_blocks(text, "p.md");
  ASSERT_TRUE(blocks.has_value());
  EXPECT_EQ(blocks->title, "The title #");
  EXPECT_TRUE(blocks->has_semantics);
  EXPECT_EQ(blocks->semantics, "\n\n\n\n\ndef a = 1\n\n\n\n\n\n\n\n\n\n\n\n\ndef b = 2\n\n\n\n\n\n\n\n");
  ASSERT_EQ(blocks->examples.size(), 2u);
  EXPECT_EQ(blocks->examples[0].text, "// %x: [1]\n%y = op\n");
  EXPECT_EQ(blocks->examples[0].line, 10);
  EXPECT_EQ(blocks->examples[1].text, "z\n");
  EXPECT_EQ(blocks->examples[1].line, 25);
}

TEST(PageBlocks, OpenFencesAreErrors) {
  const auto blocks = read_blocks("a\n```semantics\ndef a = 1\n", "p.md");
  ASSERT_FALSE(blocks.has_value());
  EXPECT_EQ(to_text(blocks.error()), "N02 a block that is never closed (p.md:2:1)\n  hint: end it with ```");
}

TEST(PageBlocks, LineEndsOfOtherSystemsAreRead) {
  const auto blocks = read_blocks("# T\r\n```semantics\r\ndef a = 1\r\n```\r\n", "p.md");
  ASSERT_TRUE(blocks.has_value());
  EXPECT_EQ(blocks->title, "T");
  EXPECT_EQ(blocks->semantics, "\n\ndef a = 1\n\n");
}

TEST(Pages, AreNamedByTheirPlace) {
  const SpecFolder folder;
  folder.page("onnx/QuantizeLinear.md", quantize_page);
  folder.page("quant/fixed.md", fixed_page);
  folder.page("top.md", "def a = 1\n");
  folder.write("README.md", "# No formulas\n```mlir\nx\n```\n");
  folder.write(".hidden/page.md", "```semantics\nnot read\n```\n");
  folder.write("onnx/notes.txt", "```semantics\nnot read\n```\n");
  const auto library = folder.load();
  ASSERT_TRUE(library.has_value()) << folder.problem();
  const Library& loaded = **library;
  ASSERT_EQ(loaded.pages().size(), 3u);
  const Page& page = loaded.pages().at("onnx.QuantizeLinear");
  EXPECT_EQ(page.file, "spec/onnx/QuantizeLinear.md");
  EXPECT_EQ(page.title, "onnx/QuantizeLinear.md");
  EXPECT_EQ(page.module.ops.at(0).at.line, 6);
  EXPECT_TRUE(page.markdown.starts_with("# onnx"));
  EXPECT_NE(loaded.find_module("quant.fixed"), nullptr);
  EXPECT_EQ(loaded.find_module("quant"), nullptr);
  EXPECT_EQ(loaded.op_paths(), std::vector<std::string>{"onnx.QuantizeLinear"});
  EXPECT_EQ(loaded.find_op("onnx.QuantizeLinear")->page, &page);
  EXPECT_EQ(to_text(loaded.find_op("onnx.QuantiseLinear").error()), "unknown op 'onnx.QuantiseLinear'\n  hint: did you mean 'onnx.QuantizeLinear'?");
}

TEST(Pages, FindingsHaveThePagesLines) {
  const SpecFolder folder;
  folder.write("a.md", "# A\n\nprose\n\n```semantics\ndef f(v) = rnee(v)\n```\n");
  EXPECT_EQ(folder.problem(), "N01 unknown rounding word 'rnee' (spec/a.md:6:12)\n  hint: did you mean 'rne'?");
  folder.write("a.md", "# A\n\nprose\n\n```semantics\ndef f(v) = (v\n```\n");
  EXPECT_EQ(folder.problem(), "N02 '(' is never closed (spec/a.md:6:12)");
}

TEST(Pages, TheFirstFindingIsReportedWithTheirNumber) {
  const SpecFolder folder;
  folder.page("b.md", "def f(v) = w\n");
  folder.page("a.md", "\n\n\n\n\n\ndef g(v) = w\ndef f(v) = w\n");
  EXPECT_EQ(folder.problem(), "N01 unknown name 'w' (and 2 more) (spec/a.md:10:12)\n  hint: did you mean 'f'?");
}

TEST(Pages, SeveralOpsAPageButEachOnce) {
  const SpecFolder folder;
  const std::string op = " (x) -> y\nstructure elementwise(x)\ny = x\n";
  folder.page("a.md", "op q.one" + op + "op q.two" + op);
  ASSERT_TRUE(folder.load().has_value()) << folder.problem();
  EXPECT_EQ((*folder.load())->op_paths(), (std::vector<std::string>{"q.one", "q.two"}));
  folder.page("b.md", "op q.two" + op);
  EXPECT_EQ(folder.problem(), "N03 a second op 'q.two', the first is in spec/a.md (spec/b.md:4:4)");
}

TEST(Pages, StagesSeeOpsOfOtherPages) {
  const SpecFolder folder;
  folder.page("a.md", "op q.rows(x) -> y\nstructure rows(x)\ny = x / max(x)\n");
  folder.page("b.md", "op q.twice(x) -> y\ny <- q.rows(x)\n");
  EXPECT_EQ(folder.problem(), "");
  folder.page("b.md", "op q.twice(x) -> y\ny <- q.row(x)\n");
  EXPECT_EQ(folder.problem(), "N01 unknown op 'q.row' (spec/b.md:5:1)");
}

TEST(Pages, ModulesInACircle) {
  const SpecFolder folder;
  folder.page("a.md", "use b\ndef f(v) = b.g(v)\n");
  folder.page("b.md", "def g(v) = a.f(v)\n");
  EXPECT_EQ(folder.problem(), "N03 modules use each other in a circle: a -> b -> a (spec/a.md:4:5)");
}

TEST(Pages, TheHashIsOfTheFormulas) {
  const SpecFolder folder;
  folder.page("a.md", "def f(v) = v + 1\n");
  const std::string first = (*folder.load())->hash();
  EXPECT_EQ(first.size(), 16u);
  folder.write("a.md", "# Other prose\n\n```semantics\n# a comment\ndef f(v) = (v) +  1\n```\n");
  EXPECT_EQ((*folder.load())->hash(), first);
  folder.page("a.md", "def f(v) = v + 2\n");
  EXPECT_NE((*folder.load())->hash(), first);
  folder.write("t.json", "[1]");
  folder.page("a.md", "def f(v) = data \"t.json\"[v]\n");
  const std::string table = (*folder.load())->hash();
  folder.write("t.json", "[2]");
  EXPECT_NE((*folder.load())->hash(), table);
}

TEST(Pages, AFolderThatIsNoneIsAnError) {
  EXPECT_EQ(to_text(Library::load("/nonexistent/spec").error()), "no spec folder (/nonexistent/spec)\n  hint: TIEBREAK_SPEC names one");
  const SpecFolder folder;
  folder.page("a.md", "def f(v) = v\n");
  EXPECT_TRUE(Library::load(folder.path() + "/").has_value());
  EXPECT_TRUE((*folder.load())->op_paths().empty());
}

TEST(Pages, TheDefaultFolderIsTheNamedOne) {
  setenv("TIEBREAK_SPEC", "/some/where", 1);
  EXPECT_EQ(Library::default_directory(), "/some/where");
  unsetenv("TIEBREAK_SPEC");
  EXPECT_TRUE(Library::default_directory().ends_with("spec"));
}

TEST(Pages, TheExampleOfTheManualIsClean) {
  auto text = read_text(TIEBREAK_SOURCE_DIR "/docs/notation.md", "docs/notation.md");
  ASSERT_TRUE(text.has_value()) << to_text(text.error());
  const auto page = read_page(*std::move(text), "notation", "docs/notation.md");
  ASSERT_TRUE(page.has_value()) << to_text(page.error());
  ASSERT_TRUE(page->has_value());
  for (const Error& finding : notation::check_module((*page)->module, {})) ADD_FAILURE() << to_text(finding);
}

TEST(Pages, OfThisRepositoryLoad) {
  const std::string directory = TIEBREAK_SOURCE_DIR "/spec";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << "no spec folder";
  const auto library = Library::load(directory);
  ASSERT_TRUE(library.has_value()) << to_text(library.error());
  EXPECT_GT((*library)->op_paths().size(), 10u);
}

}  // namespace
}  // namespace tiebreak
