// SPDX-License-Identifier: Apache-2.0
// Several folders of pages and profiles, and profiles that are files of their own.
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

struct Installed : SpecFolder {
  Installed() {
    page("onnx/QuantizeLinear.md", quantize_page);
    page("quant/fixed.md", fixed_page);
    write("sources.json", R"({"ort": {}})");
  }
  Result<std::shared_ptr<const Library>> with(const SpecFolder& other) const { return Library::load(std::vector<std::string>{path(), other.path()}); }
};

std::string left_out(const Library& library) {
  std::string text;
  for (const Error& fault : library.left_out()) text += to_text(fault) + "\n";
  return text;
}

TEST(Folders, AFurtherOneAddsASystem) {
  const Installed installed;
  const SpecFolder mine;
  mine.page("systems/mine/q.md", "alternative onnx.QuantizeLinear/quotient: half = f16(x / s)\n");
  mine.write("systems/mine/mine.json", R"({"name": "mine", "sources": ["ort", "data-sheet"], "choices": {"onnx.QuantizeLinear/quotient": "half"}})");
  mine.write("sources.json", R"({"data-sheet": {}})");
  const auto library = installed.with(mine);
  ASSERT_TRUE(library.has_value()) << to_text(library.error());
  EXPECT_EQ(left_out(**library), "");
  EXPECT_EQ((*library)->find_profile("mine").value()->file, mine.path() + "/systems/mine/mine.json");
  EXPECT_EQ((*library)->pages().at("systems.mine.q").file, mine.path() + "/systems/mine/q.md");
  EXPECT_EQ((*library)->pages().at("quant.fixed").file, "spec/quant/fixed.md");
}

TEST(Folders, AFaultInAFurtherOneSpoilsWhatUsesIt) {
  const Installed installed;
  const SpecFolder mine;
  mine.page("systems/mine/q.md", "alternative onnx.QuantizeLinear/quotient: half = f61(x / s)\n");
  mine.page("systems/mine/tie.md", "alternative quant.fixed/tie: zero = rtz(v)\n");
  mine.write("systems/mine/mine.json", R"({"name": "mine", "choices": {"onnx.QuantizeLinear/quotient": "half"}})");
  mine.write("systems/mine/other.json", R"({"name": "other", "choices": {"quant.fixed/tie": "zero"}})");
  mine.write("systems/mine/broken.json", "{");
  const auto library = installed.with(mine);
  ASSERT_TRUE(library.has_value()) << to_text(library.error());
  EXPECT_EQ((*library)->left_out().size(), 3u) << left_out(**library);
  EXPECT_NE(left_out(**library).find("N01 unknown format 'f61'"), std::string::npos) << left_out(**library);
  EXPECT_TRUE((*library)->find_profile("other").has_value());
  EXPECT_EQ(to_text((*library)->find_profile("mine").error()), "the profile 'mine' was left out: N11 choice 'quotient' has no alternative 'half' (" +
                                                                   mine.path() + "/systems/mine/mine.json:/choices/onnx.QuantizeLinear~1quotient)");
  installed.page("quant/fixed.md", "choice tie(v): even = rnee(v) | away = rna(v)\n");
  EXPECT_EQ(to_text(installed.with(mine).error()), "N01 unknown rounding word 'rnee' (spec/quant/fixed.md:4:23)\n  hint: did you mean 'rne'?");
}

TEST(Folders, WhatIsThereTwiceIsLeftOut) {
  const Installed installed;
  const SpecFolder mine;
  mine.page("quant/fixed.md", "choice tie(v): even = rna(v)\n");
  mine.page("aaa/first.md", "op onnx.QuantizeLinear(x) -> y\nstructure elementwise(x)\ny = x\n");
  const auto library = installed.with(mine);
  ASSERT_TRUE(library.has_value()) << to_text(library.error());
  EXPECT_EQ(left_out(**library), "N03 a second op 'onnx.QuantizeLinear', the first is in spec/onnx/QuantizeLinear.md (" + mine.path() +
                                     "/aaa/first.md:4:4)\nN03 a second page 'quant.fixed', the first is spec/quant/fixed.md (" + mine.path() +
                                     "/quant/fixed.md:1:1)\n");
}

TEST(Folders, AreTheElementsOfAPath) {
  setenv("TIEBREAK_SPEC", "/some/where:/else", 1);
  EXPECT_EQ(Library::default_directories(), (std::vector<std::string>{"/some/where", "/else"}));
  setenv("TIEBREAK_SPEC", "/some/where:", 1);
  const std::vector<std::string> folders = Library::default_directories();
  unsetenv("TIEBREAK_SPEC");
  ASSERT_EQ(folders.size(), 2u);
  EXPECT_EQ(folders[0], Library::default_directory());
  EXPECT_EQ(folders[1], "/some/where");
  setenv("TIEBREAK_SPEC", ":/some/where:", 1);
  EXPECT_EQ(Library::default_directories(), folders);
  unsetenv("TIEBREAK_SPEC");
}

TEST(Folders, AProfileMayBeAFileAnywhere) {
  const Installed installed;
  installed.write("systems/s/base.json", R"({"name": "base", "choices": {"quant.fixed/tie": "up"}})");
  const SpecFolder mine;
  const std::string file = mine.path() + "/systems/s/p.json";
  mine.write("systems/s/p.json", R"({"name": "p", "extends": "base", "choices": {"onnx.QuantizeLinear/quotient": "single"}})");
  const auto loaded = installed.load();
  const Library& library = **loaded;
  EXPECT_EQ(to_text(library.find_profile("p").error()), "unknown profile 'p'");
  const auto profile = library.find_profile(file);
  ASSERT_TRUE(profile.has_value()) << to_text(profile.error());
  EXPECT_EQ((*profile)->choices.size(), 2u);
  EXPECT_EQ((*profile)->hash, (*(*installed.with(mine))->find_profile("p"))->hash);
  EXPECT_EQ(library.find_profile("p").value(), *profile);
  EXPECT_EQ(library.find_profile(file).value(), *profile);
  mine.write("systems/s/base.json", R"({"name": "base"})");
  EXPECT_EQ(to_text(library.find_profile(mine.path() + "/systems/s/base.json").error()),
            "N11 a second profile 'base', the first is spec/systems/s/base.json (" + mine.path() + "/systems/s/base.json:/name)");
  EXPECT_EQ(library.find_profile(installed.path() + "/systems/s/base.json").value(), library.find_profile("base").value()) << "a file that is loaded already";
  mine.write("systems/s/q.json", R"({"name": "q", "extends": "bas"})");
  EXPECT_EQ(to_text(library.find_profile(mine.path() + "/systems/s/q.json").error()),
            "N11 unknown profile 'bas' (" + mine.path() + "/systems/s/q.json:/extends)");
  mine.write("systems/s/r.json", R"({"name": "r", "choices": {"quant.fixed/tie": "upp"}})");
  EXPECT_EQ(to_text(library.find_profile(mine.path() + "/systems/s/r.json").error()),
            "N11 choice 'tie' has no alternative 'upp' (" + mine.path() + "/systems/s/r.json:/choices/quant.fixed~1tie)\n  hint: did you mean 'up'?");
  EXPECT_EQ(to_text(library.find_profile("/nowhere/p.json").error()), "cannot read the file (/nowhere/p.json)");
}

}  // namespace
}  // namespace tiebreak
