// SPDX-License-Identifier: Apache-2.0
// The proof by all pairs: what it takes, one pair that differs among 65536, and operands with too many codes.
#include "testsuite/score/score_pairs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testsuite/score/score_proof.hpp"

namespace tiebreak {
namespace {

class ScorePairs : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<const Library> library(const std::string& header, const std::string& formula) {
    const std::filesystem::path folder = folder_ / std::to_string(number_++) / "spec";
    std::filesystem::create_directories(folder / "toy");
    std::ofstream(folder / "toy/one.md") << "# toy.one\n\n```semantics\n" << header << "\ny = " << formula << "\n```\n";
    auto loaded = Library::load(folder.string());
    EXPECT_TRUE(loaded) << formula << ": " << (loaded ? "" : to_text(loaded.error()));
    return loaded ? *loaded : nullptr;
  }

  StairVerdict compared(const std::string& header, const std::string& first, const std::string& second, const OpCall& call) {
    const auto one = library(header, first), other = library(header, second);
    const auto bound = BoundCall::bind({*one, profile_}, call);
    EXPECT_TRUE(bound) << (bound ? "" : to_text(bound.error()));
    return PairReference({*one, profile_}).compare(*other, {*bound});
  }

  static TensorType type_of(const std::string& word, bool quantized = false) {
    TensorType type{*ElementType::parse(word), {3}};
    if (quantized) type.quantized = {type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {{Real(1)}}, {{Real(0)}}};
    return type;
  }
  static OpCall call_of(const TensorType& type) { return {"toy.one", {*Tensor::zeros(type), *Tensor::zeros(type)}, {}, {}}; }

  Profile profile_{};
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / ("tiebreak-pairs-" + std::to_string(::getpid()));
  int number_ = 0;
};

constexpr const char* bytes = "op toy.one(a: i8, b: i8) -> y: i8\nstructure elementwise(a, b)";

TEST_F(ScorePairs, ThirdsHaveNoTies) {
  const StairVerdict verdict = compared(bytes, "sat.i8(rne((a + b) / 3))", "sat.i8(rna((a + b) / 3))", call_of(type_of("i8")));
  EXPECT_TRUE(verdict.equal) << verdict.witness << verdict.reason;
  EXPECT_EQ(verdict.proof, "pairs, 1 parameter sets");
}

TEST_F(ScorePairs, OnePairIsEnough) {
  const StairVerdict verdict =
      compared(bytes, "sat.i8(rne((a + b) / 3))", "if a == 127 and b == -127 then 1 else sat.i8(rne((a + b) / 3))", call_of(type_of("i8")));
  EXPECT_FALSE(verdict.equal);
  EXPECT_EQ(verdict.witness, "a = 127, b = -127, y = 0, the mutant 1");
}

TEST_F(ScorePairs, TheSweepSeesOtherScalesThanTheCall) {
  constexpr const char* header = "op toy.one(a: quant(L:E), b: quant(L:E)) -> y: f32\ntypes L: int; E: float\nstructure elementwise(a, b)";
  const std::string sum = "f32(f32(a * a.scale) + f32(b * b.scale))";
  EXPECT_TRUE(compared(header, sum, "f32(f64(" + sum + "))", call_of(type_of("i4", true))).equal);
  const StairVerdict verdict = compared(header, sum, "f32(a * a.scale + b * b.scale)", call_of(type_of("i4", true)));
  EXPECT_FALSE(verdict.equal);
  EXPECT_NE(verdict.witness.find("a: !quant.uniform<i4:f32, "), std::string::npos) << verdict.witness;
}

TEST_F(ScorePairs, TooManyCodes) {
  const StairVerdict verdict = compared("op toy.one(a: i16, b: i16) -> y: i16\nstructure elementwise(a, b)", "min(a, b)", "min(b, a)", call_of(type_of("i16")));
  EXPECT_FALSE(verdict.equal);
  EXPECT_TRUE(verdict.witness.empty());
  EXPECT_FALSE(verdict.reason.empty());
}

}  // namespace
}  // namespace tiebreak
