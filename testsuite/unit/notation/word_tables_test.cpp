// SPDX-License-Identifier: Apache-2.0
// The word tables agree with the arithmetic that they name.
#include <gtest/gtest.h>

#include <set>

#include "interpreter/exact/computable.hpp"
#include "interpreter/exact/integer_format.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

TEST(WordTables, RoundingWordsAreTheRoundings) {
  std::set<Rounding> seen;
  for (std::string_view word : rounding_words()) {
    const Rounding* rounding = find_rounding(word);
    ASSERT_NE(rounding, nullptr) << word;
    EXPECT_EQ(to_word(*rounding), word);
    seen.insert(*rounding);
  }
  EXPECT_EQ(seen.size(), 9u);
}

TEST(WordTables, RealFunctionsAreTheRealFunctions) {
  for (const FunctionWord& word : functions()) {
    const RealFunction* function = find_real_function(word.word);
    EXPECT_EQ(function != nullptr, word.real) << word.word;
    if (function == nullptr) continue;
    EXPECT_EQ(arity(*function), word.least) << word.word;
    EXPECT_EQ(word.least, word.most) << word.word;
  }
  for (int i = 0; i <= static_cast<int>(RealFunction::logistic); ++i) EXPECT_NE(find_function(to_word(static_cast<RealFunction>(i))), nullptr) << i;
}

TEST(WordTables, IntegerWordsAreTheIntegerFormats) {
  for (int bits = 0; bits <= 130; ++bits)
    for (const char* sign : {"i", "u"}) {
      const std::string word = sign + std::to_string(bits);
      EXPECT_EQ(is_integer_word(word), parse_integer_format(word).has_value()) << word;
    }
  EXPECT_TRUE(is_integer_word("bool"));
  for (const char* word : {"i", "u", "i08", "i8x", "si8", "x8", "", "i-1"}) EXPECT_FALSE(is_integer_word(word)) << word;
}

TEST(WordTables, AreDisjointWhereANameMustTellThemApart) {
  for (std::string_view word : rounding_words()) {
    EXPECT_FALSE(is_format_word(word));
    EXPECT_EQ(find_function(word), nullptr);
  }
  for (Words words : {constants(), rounding_words(), conversion_verbs(), syntax_words()})
    for (std::string_view word : words) EXPECT_TRUE(is_reserved(word)) << word;
  for (const char* word : {"x", "scale", "order", "version", "float", "quant", "axis", "data"}) EXPECT_FALSE(is_reserved(word)) << word;
}

TEST(WordTables, ConversionsAreTakenApart) {
  const auto split = [](std::string_view text) {
    const auto parts = split_conversion(text);
    if (!parts) return std::string("none");
    return std::to_string(static_cast<int>(parts->verb)) + " " + (parts->rounding ? std::string(to_word(*parts->rounding)) : "-") + " " +
           std::string(parts->target);
  };
  EXPECT_EQ(split("f32"), "0 - f32");
  EXPECT_EQ(split("rtz.bf16"), "0 rtz bf16");
  EXPECT_EQ(split("sat.y"), "1 - y");
  EXPECT_EQ(split("sat.rtz.f8e4m3fn"), "1 rtz f8e4m3fn");
  EXPECT_EQ(split("wrap.i32"), "2 - i32");
  EXPECT_EQ(split("trap.i32"), "3 - i32");
  EXPECT_EQ(split("each.f32"), "4 - f32");
  EXPECT_EQ(split("any.y"), "5 - y");
  for (const char* text : {"rne", "rtz.rne.f32", "wrap.rtz.i8", "each.rtz.f32", "sat", "sat.rtz", "a.b", "sat.a.b"}) EXPECT_EQ(split(text), "none") << text;
}

TEST(WordTables, FactsAreThoseOfTensorsAndOfFormats) {
  for (std::string_view fact : tensor_facts()) EXPECT_TRUE(contains(facts(), fact));
  EXPECT_TRUE(contains(tensor_facts(), "zero_point"));
  EXPECT_TRUE(contains(tensor_facts(), "bits"));
  EXPECT_FALSE(contains(tensor_facts(), "fraction"));
  EXPECT_TRUE(contains(format_facts(), "fraction"));
  EXPECT_TRUE(contains(format_facts(), "min"));
  EXPECT_FALSE(contains(format_facts(), "scale"));
}

}  // namespace
}  // namespace tiebreak::notation
