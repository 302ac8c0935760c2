// SPDX-License-Identifier: Apache-2.0
// t[i]: a table operand and a list beside the page, read where the index says.
#include "testsuite/unit/helpers/spec_profiles.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

Tensor codes_of(const std::string& type, const std::vector<std::int64_t>& codes) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {static_cast<std::int64_t>(codes.size())}, {}});
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(codes[i]));
  return tensor;
}

std::string looked_up(const Library& library, const std::string& op, const std::vector<std::optional<Tensor>>& operands) {
  auto profile = library.find_profile("reference");
  const auto results = evaluate({library, **profile}, {.op = op, .operands = operands}, {.engine = Engine::both});
  if (!results) return to_text(results.error());
  std::string text;
  for (std::int64_t i = 0; i < results->front().tensor.size(); ++i)
    text += (i == 0 ? "" : " ") + (results->front().is_undefined(i) ? "undefined" : results->front().tensor.value(i).to_string());
  return text;
}

const char* const table_page =
    "op t.entry(x: i8, t: i16[*]) -> y: i16\nstructure elementwise(x)\ny = trap.y(t[x + 2])\n"
    "op t.half(x: i8, t: i16[*]) -> y: i16\nstructure elementwise(x)\ny = trap.y(t[x / 2])\n"
    "op t.sums(x: i8, t: i16[*]) -> y: i32\nstructure rows(x)\ny = trap.y(sum(t[x]))\n"
    "op t.cells(x: i8, t: i16) -> y: i16\nstructure elementwise(x, t)\ny = trap.y(t[x])\n";

TEST(Tables, EachCellReadsItsEntryAndOutsideThereIsNone) {
  const ToyLibrary toy(std::map<std::string, std::string>{{"t/a", table_page}});
  const Tensor table = codes_of("i16", {10, -20, 30, -40});
  EXPECT_EQ(looked_up(*toy.library, "t.entry", {codes_of("i8", {-2, -1, 0, 1, 2, -3, 0}), table}), "10 -20 30 -40 undefined undefined 30");
  EXPECT_EQ(looked_up(*toy.library, "t.entry", {codes_of("i8", {-2, -1}), codes_of("i16", {})}), "undefined undefined");
  EXPECT_EQ(looked_up(*toy.library, "t.sums", {codes_of("i8", {0, 0, 3, 1}), table}), "-40");
}

TEST(Tables, ATableOfOneHundredThousandEntriesIsReadAtItsEnds) {
  const ToyLibrary toy(std::map<std::string, std::string>{{"t/a", "op t.wide(x: i32, t: i32[*]) -> y: i32\nstructure elementwise(x)\ny = trap.y(t[x])\n"}});
  std::vector<std::int64_t> entries(100000);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<std::int64_t>(7 * i);
  EXPECT_EQ(looked_up(*toy.library, "t.wide", {codes_of("i32", {0, 99999, 100000, -1}), codes_of("i32", entries)}), "0 699993 undefined undefined");
}

TEST(Tables, WhatIsNoPlaceAndNoTableIsRefused) {
  const ToyLibrary toy(std::map<std::string, std::string>{{"t/a", table_page}});
  const Tensor table = codes_of("i16", {10, -20, 30});
  EXPECT_NE(looked_up(*toy.library, "t.half", {codes_of("i8", {1}), table}).find("N05 0.5 counts an entry of a table"), std::string::npos);
  EXPECT_EQ(looked_up(*toy.library, "t.half", {codes_of("i8", {4, 2}), table}), "30 -20");
  EXPECT_NE(looked_up(*toy.library, "t.cells", {codes_of("i8", {1, 1, 1}), table}).find("N06 t is no table"), std::string::npos);
}

TEST(Tables, AListBesideThePage) {
  const SpecFolder folder;
  folder.page("t/a.md",
              "op t.a(x: i8) -> y: i32\nstructure elementwise(x)\ny = trap.y((data \"squares.json\")[x])\n"
              "op t.b(x: i8) -> y: f64\nstructure elementwise(x)\ny = f64((data \"tenths.json\")[x] * 10)\n"
              "op t.c(x: i8) -> y: i32\nstructure elementwise(x)\ny = trap.y((data \"squares.json\")[3] + x)\n");
  folder.write("t/squares.json", "[0, 1, 4, 9] // counted from 0\n");
  folder.write("t/tenths.json", "[0.1, -0.3]");
  const auto library = folder.load();
  ASSERT_TRUE(library) << to_text(library.error());
  EXPECT_EQ(looked_up(**library, "t.a", {codes_of("i8", {3, 2, 4, 0})}), "9 4 undefined 0");
  EXPECT_EQ(looked_up(**library, "t.b", {codes_of("i8", {0, 1})}), "1 -3");  // one tenth is one tenth
  EXPECT_EQ(looked_up(**library, "t.c", {codes_of("i8", {1})}), "10");
}

TEST(Tables, AListThatIsMissingOrNoListIsAFaultOfThePage) {
  const SpecFolder folder;
  folder.page("t/a.md", "op t.a(x: i8) -> y: i32\nstructure elementwise(x)\ny = trap.y((data \"squares.json\")[x])\n");
  EXPECT_NE(folder.problem().find("N01 there is no data file spec/t/squares.json (spec/t/a.md:6:"), std::string::npos) << folder.problem();
  folder.write("t/squares.json", "[1, \"2\"]");
  EXPECT_NE(folder.problem().find("N12 a data file is a list of numbers (spec/t/squares.json:/1)"), std::string::npos) << folder.problem();
  folder.write("t/squares.json", "{\"a\": 1}");
  EXPECT_NE(folder.problem(), "");
  folder.write("t/squares.json", "[1");
  EXPECT_NE(folder.problem(), "");
  folder.write("t/squares.json", "[1]");
  EXPECT_EQ(folder.problem(), "");
}

TEST(Tables, AListOfASystemIsNoProfile) {
  const SpecFolder folder;
  folder.page("t/a.md", "op t.a(x: i8) -> y: i32\nstructure elementwise(x)\nchoice entry: same = x | twice = 2 * x\ny = trap.y(entry)\n");
  folder.page("systems/s/a.md", "alternative t.a/entry: table = (data \"numbers.json\")[x]\n");
  folder.write("systems/s/numbers.json", "[5, 6]");
  folder.write("systems/s/p.json", R"({"name": "p", "title": "p", "system": "s", "choices": {"t.a/entry": "table"}})");
  EXPECT_EQ(folder.problem(), "");
}

}  // namespace
}  // namespace tiebreak
