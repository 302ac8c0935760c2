// SPDX-License-Identifier: Apache-2.0
// The pages of StableHLO's quantized binary and ternary ops on every pair of 8-bit codes, against plain machine floats: the text and the reference
// interpreter. Real functions have MPFR as their judge.
#include <mpfr.h>

#include <cmath>

#include "testsuite/unit/helpers/stablehlo_pairs.hpp"

namespace tiebreak {
namespace {

struct BinaryProfile {
  const char* profile;
  hlo::Reading reading;
};
constexpr BinaryProfile binary_profiles[] = {{"stablehlo-spec", hlo::Reading::text}, {"stablehlo-interpreter", hlo::Reading::interpreter}};

OpCall binary_call(const std::string& op, const PairSet& set) {
  return {.op = "stablehlo." + op,
          .operands = {pair_operand(set.lhs, set.expressed, true), pair_operand(set.rhs, set.expressed, false)},
          .result_types = {uniform_type(set.result, set.expressed, {pair_count})}};
}

/// The interpreter has f32 only.
bool applies(const BinaryProfile& profile, const PairSet& set) { return profile.reading == hlo::Reading::text || set.expressed == hlo::Expressed::f32; }

void check_every_pair(const std::string& op, hlo::Operation operation) {
  std::int64_t points = 0;
  for (const PairSet& set : pair_sets())
    for (const BinaryProfile& profile : binary_profiles) {
      if (!applies(profile, set)) continue;
      points += pair_count;
      const hlo::Arithmetic arithmetic{set.expressed, profile.reading};
      EXPECT_EQ(wrong_pairs(binary_call(op, set), profile.profile, pair_set_text(set),
                            [&](std::int64_t i) {
                              return hlo::codes(operation, pair_code(i, true, set.lhs), pair_code(i, false, set.rhs), set.lhs, set.rhs, set.result, arithmetic);
                            }),
                0)
          << op << " " << profile.profile << " " << pair_set_text(set);
    }
  std::printf("  stablehlo.%s: %lld points\n", op.c_str(), static_cast<long long>(points));
}

TEST(StablehloBinary, Add) { check_every_pair("add", hlo::Operation::add); }
TEST(StablehloBinary, Subtract) { check_every_pair("subtract", hlo::Operation::subtract); }
TEST(StablehloBinary, Multiply) { check_every_pair("multiply", hlo::Operation::multiply); }
TEST(StablehloBinary, Divide) { check_every_pair("divide", hlo::Operation::divide); }
TEST(StablehloBinary, Remainder) { check_every_pair("remainder", hlo::Operation::remainder); }
TEST(StablehloBinary, Maximum) { check_every_pair("maximum", hlo::Operation::maximum); }
TEST(StablehloBinary, Minimum) { check_every_pair("minimum", hlo::Operation::minimum); }

bool holds(const std::string& direction, double l, double r) {
  if (direction == "EQ") return l == r;
  if (direction == "NE") return l != r;
  if (direction == "GE") return l >= r;
  if (direction == "GT") return l > r;
  return direction == "LE" ? l <= r : l < r;
}

TEST(StablehloBinary, Compare) {
  const std::vector<std::string> directions{"EQ", "NE", "GE", "GT", "LE", "LT"};
  std::size_t turn = 0;
  for (const PairSet& set : pair_sets())
    for (const BinaryProfile& profile : binary_profiles) {
      if (!applies(profile, set)) continue;
      const std::string& direction = directions[turn++ % directions.size()];
      OpCall call = binary_call("compare", set);
      call.attributes["comparison_direction"] = Attribute{direction};
      call.result_types = {TensorType{*ElementType::parse("bool"), {pair_count}, {}}};
      const hlo::Arithmetic arithmetic{set.expressed, profile.reading};
      EXPECT_EQ(wrong_pairs(call, profile.profile, pair_set_text(set) + " " + direction,
                            [&](std::int64_t i) {
                              const double l = hlo::dequantize(pair_code(i, true, set.lhs), set.lhs, arithmetic),
                                           r = hlo::dequantize(pair_code(i, false, set.rhs), set.rhs, arithmetic);
                              return std::optional<std::int64_t>(holds(direction, l, r) ? 1 : 0);
                            }),
                0)
          << direction << " " << profile.profile;
    }
}

TEST(StablehloBinary, Select) {
  Tensor pred = *Tensor::zeros({*ElementType::parse("bool"), {pair_count}, {}});
  for (std::int64_t i = 0; i < pair_count; ++i) pred.set_code(i, static_cast<std::uint64_t>((i / 256 + i) % 2));
  for (const PairSet& set : pair_sets())
    for (const BinaryProfile& profile : binary_profiles) {
      if (!applies(profile, set)) continue;
      OpCall call = binary_call("select", set);
      call.operands.insert(call.operands.begin(), pred);
      const hlo::Arithmetic arithmetic{set.expressed, profile.reading};
      EXPECT_EQ(wrong_pairs(call, profile.profile, pair_set_text(set),
                            [&](std::int64_t i) {
                              return hlo::select((i / 256 + i) % 2 != 0, pair_code(i, true, set.lhs), pair_code(i, false, set.rhs), set.lhs, set.rhs,
                                                 set.result, arithmetic);
                            }),
                0);
    }
}

TEST(StablehloBinary, Clamp) {
  std::int64_t turn = 0;
  for (const PairSet& set : pair_sets())
    for (const BinaryProfile& profile : binary_profiles) {
      if (!applies(profile, set)) continue;
      const std::int64_t bound = std::min(set.result.range.max, set.result.range.min + 37 * ++turn % 256);
      Tensor high = *Tensor::zeros(uniform_type(set.result, set.expressed, {}));
      high.set_code(0, static_cast<std::uint64_t>(bound));
      OpCall call = binary_call("clamp", set);
      call.operands.emplace_back(high);
      const hlo::Arithmetic arithmetic{set.expressed, profile.reading};
      EXPECT_EQ(wrong_pairs(call, profile.profile, pair_set_text(set),
                            [&](std::int64_t i) {
                              return hlo::clamp(pair_code(i, true, set.lhs), pair_code(i, false, set.rhs), bound, set.lhs, set.rhs, set.result, set.result,
                                                arithmetic);
                            }),
                0);
    }
}

using Judge = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// The function of two values of the expressed type, correctly rounded to it: what is smaller than the least normal number by MPFR's own step for that.
/// The exponent range is MPFR's for the time of one call only; the evaluator uses MPFR too.
class RealFunction {
 public:
  RealFunction(Judge judge, hlo::Expressed expressed)
      : judge_(judge),
        precision_(expressed == hlo::Expressed::f32   ? 24
                   : expressed == hlo::Expressed::f16 ? 11
                                                      : 8),
        bias_(expressed == hlo::Expressed::f16 ? 15 : 127) {
    mpfr_inits2(precision_, l_, r_, v_, static_cast<mpfr_ptr>(nullptr));
  }
  ~RealFunction() { mpfr_clears(l_, r_, v_, static_cast<mpfr_ptr>(nullptr)); }
  RealFunction(const RealFunction&) = delete;
  RealFunction& operator=(const RealFunction&) = delete;
  double of(double l, double r) {
    const mpfr_exp_t least = mpfr_get_emin(), greatest = mpfr_get_emax();
    mpfr_set_emin(3 - bias_ - precision_);
    mpfr_set_emax(bias_ + 1);
    mpfr_set_d(l_, l, MPFR_RNDN);
    mpfr_set_d(r_, r, MPFR_RNDN);
    mpfr_subnormalize(v_, judge_(v_, l_, r_, MPFR_RNDN), MPFR_RNDN);
    const double value = mpfr_get_d(v_, MPFR_RNDN);
    mpfr_set_emin(least);
    mpfr_set_emax(greatest);
    return value;
  }

 private:
  Judge judge_;
  int precision_, bias_;
  mpfr_t l_, r_, v_;
};

void every_pair_of(const std::string& op, Judge judge) {
  std::vector<PairSet> sets = pair_sets();
  sets.resize(20);  // each takes seconds
  for (const PairSet& set : sets) {
    const hlo::Arithmetic arithmetic{set.expressed, hlo::Reading::text};
    RealFunction function(judge, set.expressed);
    EXPECT_EQ(wrong_pairs(binary_call(op, set), "stablehlo-spec", pair_set_text(set),
                          [&](std::int64_t i) {
                            const double l = hlo::dequantize(pair_code(i, true, set.lhs), set.lhs, arithmetic),
                                         r = hlo::dequantize(pair_code(i, false, set.rhs), set.rhs, arithmetic);
                            return hlo::quantize(function.of(l, r), set.result, arithmetic);
                          }),
              0)
        << op << " " << pair_set_text(set);
  }
}

TEST(StablehloBinary, Power) { every_pair_of("power", mpfr_pow); }
TEST(StablehloBinary, Atan2) { every_pair_of("atan2", mpfr_atan2); }

/// Codes of the real result, in 1000 bits: sums, products and remainders of these doubles are exact there, and a quotient that is no tie is farther from one
/// than 2^-300.
class RealResult {
 public:
  RealResult() { mpfr_inits2(1000, l_, r_, s_, static_cast<mpfr_ptr>(nullptr)); }
  ~RealResult() { mpfr_clears(l_, r_, s_, static_cast<mpfr_ptr>(nullptr)); }
  RealResult(const RealResult&) = delete;
  RealResult& operator=(const RealResult&) = delete;
  std::optional<std::int64_t> code(Judge judge, std::int64_t lhs, std::int64_t rhs, const PairSet& set) {
    read(l_, lhs, set.lhs);
    read(r_, rhs, set.rhs);
    judge(l_, l_, r_, MPFR_RNDN);
    if (mpfr_nan_p(l_) != 0) return std::nullopt;
    mpfr_set_d(s_, set.result.scale, MPFR_RNDN);
    mpfr_div(l_, l_, s_, MPFR_RNDN);
    mpfr_add_si(l_, l_, static_cast<long>(set.result.zero_point), MPFR_RNDN);
    if (mpfr_cmp_si(l_, static_cast<long>(set.result.range.min)) <= 0) return set.result.range.min;
    if (mpfr_cmp_si(l_, static_cast<long>(set.result.range.max)) >= 0) return set.result.range.max;
    return nearest();
  }

 private:
  static void read(mpfr_ptr v, std::int64_t code, const hlo::Uniform& type) {
    mpfr_set_d(v, type.scale, MPFR_RNDN);
    mpfr_mul_si(v, v, static_cast<long>(code - type.zero_point), MPFR_RNDN);
    if (mpfr_zero_p(v) != 0) mpfr_set_zero(v, 1);
  }
  /// Ties, and what is no farther from one than the last quotient's error, go to the even code.
  std::int64_t nearest() {
    mpfr_floor(r_, l_);
    const std::int64_t below = mpfr_get_si(r_, MPFR_RNDN);
    mpfr_sub(l_, l_, r_, MPFR_RNDN);
    mpfr_sub_d(l_, l_, 0.5, MPFR_RNDN);
    const bool tie = mpfr_zero_p(l_) != 0 || mpfr_get_exp(l_) < -300;
    if (tie) return below % 2 == 0 ? below : below + 1;
    return mpfr_sgn(l_) > 0 ? below + 1 : below;
  }
  mpfr_t l_, r_, s_;
};

TEST(StablehloBinary, RealArithmeticWithOneRounding) {
  const std::vector<std::pair<std::string, Judge>> judges{{"add", mpfr_add},    {"subtract", mpfr_sub}, {"multiply", mpfr_mul},
                                                          {"divide", mpfr_div}, {"maximum", mpfr_max},  {"remainder", mpfr_fmod}};
  RealResult real;
  std::size_t turn = 0;
  for (const PairSet& set : pair_sets()) {
    const auto& [op, judge] = judges[turn++ % judges.size()];
    EXPECT_EQ(wrong_pairs(binary_call(op, set), "stablehlo-exact", pair_set_text(set),
                          [&, judge = judge](std::int64_t i) { return real.code(judge, pair_code(i, true, set.lhs), pair_code(i, false, set.rhs), set); }),
              0)
        << op << " " << pair_set_text(set);
  }
}

}  // namespace
}  // namespace tiebreak
