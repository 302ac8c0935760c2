// SPDX-License-Identifier: Apache-2.0
// The proof by all codes: which tuples are tried, where bits are regrouped too, and what it says nothing of.
#include "testsuite/score/score_codes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "testsuite/score/score_proof.hpp"

namespace tiebreak {
namespace {

constexpr const char* regroup = "types T: int; U: int\nstructure regroup(a)\n";
constexpr const char* cut = "bitand(floor(bitand(a, 2^a.bits - 1) / 2^(index * y.bits)), 2^y.bits - 1)";

class ScoreCodes : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<const Library> library(const std::string& text) {
    const std::filesystem::path folder = folder_ / std::to_string(number_++) / "spec";
    std::filesystem::create_directories(folder / "toy");
    std::ofstream(folder / "toy/one.md") << "# toy.one\n\n```semantics\n" << text << "\n```\n";
    auto loaded = Library::load(folder.string());
    EXPECT_TRUE(loaded) << text << ": " << (loaded ? "" : to_text(loaded.error()));
    return loaded ? *loaded : nullptr;
  }

  StairVerdict compared(const std::string& first, const std::string& second, const OpCall& call) {
    const auto one = library(first), other = library(second);
    const auto bound = BoundCall::bind(*one, profile_, call);
    EXPECT_TRUE(bound) << (bound ? "" : to_text(bound.error()));
    return PairReference(*one, profile_).compare_codes(*other, {*bound});
  }

  static TensorType type_of(const std::string& word, const Shape& shape = {3}) { return {*ElementType::parse(word), shape}; }
  static TensorType quantized(const std::string& word) {
    TensorType type = type_of(word);
    type.quantized = {type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {{Real(1)}}, {{Real(0)}}};
    return type;
  }
  static OpCall call_of(const TensorType& operand, const TensorType& result) { return {"toy.one", {*Tensor::zeros(operand)}, {}, {result}}; }

  Profile profile_{};
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / ("tiebreak-codes-" + std::to_string(::getpid()));
  int number_ = 0;
};

TEST_F(ScoreCodes, EveryPatternOnce) {
  const auto page = library(std::string("op toy.one(a: T) -> y: U\n") + regroup + "y = wrap.y(sum(bitand(a, 2^a.bits - 1) * 2^(index * a.bits)))");
  const auto call = with_all_codes(*page, call_of(type_of("u4", {3, 2}), type_of("u8")));
  ASSERT_TRUE(call) << to_text(call.error());
  EXPECT_EQ(call->operands[0]->type().shape, (Shape{256, 2}));
  std::set<std::uint64_t> words;
  for (std::int64_t i = 0; i < 256; ++i) words.insert(call->operands[0]->code(2 * i) + 16 * call->operands[0]->code(2 * i + 1));
  EXPECT_EQ(words.size(), 256u);
}

TEST_F(ScoreCodes, OneOfManyPatternsIsEnough) {
  const std::string page = std::string("op toy.one(a: T) -> y: U\n") + regroup + "y = wrap.y(";
  const OpCall call = call_of(type_of("i16"), type_of("u8", {3, 2}));
  const StairVerdict same = compared(page + cut + ")", page + "if a == 77 and index == 1 then 0 else " + cut + ")", call);
  EXPECT_TRUE(same.equal) << same.witness << same.reason;
  EXPECT_EQ(same.proof, "all codes");
  const StairVerdict other = compared(page + cut + ")", page + "if a == 777 and index == 1 then 0 else " + cut + ")", call);
  EXPECT_FALSE(other.equal);
  EXPECT_FALSE(other.witness.empty());
}

TEST_F(ScoreCodes, NothingIsSaidWhereParametersAreRead) {
  const std::string header = "op toy.one(a: quant(L:E)) -> y: quant(L:E)\ntypes L: int; E: float\nstructure elementwise(a)\ny = ";
  const OpCall call = call_of(quantized("i8"), quantized("i8"));
  // At zero point 0 alone these are the same.
  EXPECT_FALSE(compared(header + "a", header + "wrap.y(a + a.zero_point)", call).equal);
  EXPECT_TRUE(compared(header + "a", header + "max(a, -128)", call).equal);
}

TEST_F(ScoreCodes, NothingIsSaidOfOtherOperands) {
  const std::string header = "op toy.one(a: i8, z: i8[]) -> y: i8\nstructure elementwise(a)\ny = ";
  const OpCall call{"toy.one", {*Tensor::zeros(type_of("i8")), *Tensor::zeros(type_of("i8", {}))}, {}, {}};
  const StairVerdict verdict = compared(header + "wrap.y(a)", header + "wrap.y(a + z)", call);
  EXPECT_FALSE(verdict.equal);
  EXPECT_TRUE(verdict.witness.empty());
}

}  // namespace
}  // namespace tiebreak
