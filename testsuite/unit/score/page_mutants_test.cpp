// SPDX-License-Identifier: Apache-2.0
// Mutants of an op with all it reaches: only what checks, no tree twice, choices as the profile takes them.
#include "testsuite/score/page_mutants.hpp"

#include <algorithm>
#include <set>

#include "interpreter/notation/notation.hpp"
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

constexpr const char* base =
    "def shift(v, n) = rna(v / 2^n)\n"
    "def other(v) = floor(v)\n"
    "choice tie(v): even = rne(v) | away = rna(v) | down = other(v)\n";
constexpr const char* mutated_page =
    "use toy.base\n"
    "op toy.op(x: i32, s: f32[]) -> y: i8\n"
    "structure elementwise(x)\n"
    "y = sat.y(base.tie(base.shift(x, 3) / s))\n";

std::set<std::string> changes(const std::vector<PageMutant>& all) {
  std::set<std::string> texts;
  for (const PageMutant& one : all) texts.insert(one.module + ": " + one.change.before + " -> " + one.change.after);
  return texts;
}

TEST(PageMutants, ReachUsedModulesAndTakenAlternativesOnly) {
  SpecFolder folder;
  folder.page("toy/base.md", base);
  folder.page("toy/op.md", mutated_page);
  const auto library = folder.load();
  ASSERT_TRUE(library) << to_text(library.error());
  Profile profile;
  auto all = mutants_of({**library, profile}, "toy.op");
  ASSERT_TRUE(all) << to_text(all.error());
  std::set<std::string> texts = changes(*all);
  EXPECT_TRUE(texts.contains("toy.base: rna(v / 2^n) -> rhu(v / 2^n)"));
  EXPECT_TRUE(texts.contains("toy.base: rne(v) -> other(v)"));
  EXPECT_FALSE(texts.contains("toy.base: floor(v) -> ceil(v)")) << "`down` is not taken";
  EXPECT_EQ(all->front().place.substr(0, 17), "spec/toy/base.md:");
  profile.choices["toy.base/tie"].alternative = "down";
  texts = changes(*mutants_of({**library, profile}, "toy.op"));
  EXPECT_TRUE(texts.contains("toy.base: floor(v) -> ceil(v)"));
  EXPECT_FALSE(texts.contains("toy.base: rne(v) -> rna(v)"));
}

TEST(PageMutants, NoTreeTwiceAndNoneIsTheOriginal) {
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library);
  const auto all = mutants_of({**library, Profile{}}, "quant.requantize");
  ASSERT_TRUE(all);
  EXPECT_GE(all->size(), 60u);
  std::set<std::string> trees{notation::print(*all->front().base)};
  for (const PageMutant& one : *all) {
    const std::string misreading = one.change.misreading ? one.change.after : "";  // of calls: the module stays as it is
    EXPECT_TRUE(trees.insert(one.module + notation::print(one.changed()) + misreading).second) << one.change.before << " -> " << one.change.after;
  }
}

TEST(PageMutants, AModuleIsReplacedWithoutTouchingTheLibrary) {
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library);
  const auto all = mutants_of({**library, Profile{}}, "quant.requantize");
  ASSERT_TRUE(all);
  const std::string before = notation::print((*library)->pages().at("quant.requantize").module);
  const auto own = std::ranges::find(*all, "quant.requantize", &PageMutant::module);
  ASSERT_NE(own, all->end());
  const auto changed = (*library)->with_module(own->changed());
  EXPECT_NE(notation::print(*changed->find_module("quant.requantize")), before);
  EXPECT_EQ(notation::print(*(*library)->find_module("quant.requantize")), before);
  EXPECT_NE(changed->hash(), (*library)->hash());
  EXPECT_EQ(changed->find_op("quant.requantize")->page->name, "quant.requantize");
  EXPECT_EQ(changed->op_paths(), (*library)->op_paths());
}

TEST(PageMutants, ChangeAlternativesOfSystems) {
  const SpecFolder folder;
  folder.page("onnx/QuantizeLinear.md", quantize_page);
  folder.page("quant/fixed.md", fixed_page);
  folder.page("systems/a/q.md", "def inverse(v) = f32(1 / v)\nalternative onnx.QuantizeLinear/quotient: product = x * inverse(s)\n");
  folder.write("systems/a/a.json", R"({"name": "a", "choices": {"onnx.QuantizeLinear/quotient": "product"}})");
  const auto library = folder.load();
  ASSERT_TRUE(library.has_value()) << to_text(library.error());
  const Profile& profile = **(*library)->find_profile("a");
  const auto mutants = mutants_of({**library, profile}, "onnx.QuantizeLinear");
  ASSERT_TRUE(mutants.has_value()) << to_text(mutants.error());
  std::set<std::string> places;
  for (const PageMutant& mutant : *mutants) places.insert(mutant.module + " " + mutant.place);
  EXPECT_TRUE(places.contains("onnx.QuantizeLinear spec/systems/a/q.md:5"));
  EXPECT_TRUE(places.contains("systems.a.q spec/systems/a/q.md:4"));
  EXPECT_TRUE(places.contains("onnx.QuantizeLinear spec/onnx/QuantizeLinear.md:9"));
}

}  // namespace
}  // namespace tiebreak
