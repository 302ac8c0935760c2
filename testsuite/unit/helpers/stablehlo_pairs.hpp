// SPDX-License-Identifier: Apache-2.0
// Every pair of 8-bit codes under many sets of parameters: what the tests of StableHLO's binary ops go through.
#pragma once
#include <string>
#include <vector>

#include "testsuite/oracle/stablehlo/stablehlo_binary.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {

namespace hlo = oracle::stablehlo;

constexpr std::int64_t pair_count = 65536;

struct PairSet {
  hlo::Expressed expressed;
  hlo::Uniform lhs, rhs, result;
};

inline std::string expressed_name(hlo::Expressed expressed) {
  return expressed == hlo::Expressed::f32 ? "f32" : expressed == hlo::Expressed::f16 ? "f16" : "bf16";
}

inline TensorType uniform_type(const hlo::Uniform& p, hlo::Expressed expressed, Shape shape) {
  TensorType made{*ElementType::parse(p.is_signed ? "i8" : "u8"), std::move(shape), {}};
  made.quantized = QuantizedType{
      made.element,          Real(p.range.min), Real(p.range.max), *ElementType::parse(expressed_name(expressed)), {}, {}, {{Real::from_double(p.scale)}},
      {{Real(p.zero_point)}}};
  return made;
}

inline std::string pair_set_text(const PairSet& set) {
  auto text = [&](const hlo::Uniform& p) { return to_text(uniform_type(p, set.expressed, {})); };
  return text(set.lhs) + " " + text(set.rhs) + " " + text(set.result);
}

/// Twenty-four sets: ties of sums, differences, products and quotients, neighbours of ties, equal parameters, narrow ranges, zero points at the ends;
/// i8 and u8 by turns. Every third from the middle on is bf16 or f16.
inline std::vector<PairSet> pair_sets() {
  struct Numbers {
    double lhs, rhs, result;
    int lhs_zero_point, rhs_zero_point, result_zero_point;  // of signed codes, 128 more for unsigned ones
  };
  constexpr Numbers numbers[] = {{0.5, 0.5, 1, 1, 0, 3},
                                 {0.25, 0.5, 0.5, -128, 127, 1},
                                 {1, 1, 2, 0, 0, -7},
                                 {0.1, 0.07, 0.13, 3, -5, 0},
                                 {0.1, 0.1, 0.1, 3, 3, 3},
                                 {0.1, 0.1, 0.2, 0, 0, 1},
                                 {0.02, 0.015, 0.03, -10, 64, 1},
                                 {0.5, 0.5, 0.5, 0, 0, 0},
                                 {0.3, 0.1, 0.7, 127, -128, 5},
                                 {12.5, 0.75, 9, -3, 11, -1},
                                 {0x1p-20, 0x1p-18, 0x1p-19, 1, -1, 0},
                                 {0.007, 0.9, 0.0078125, 5, 6, 7},
                                 {0.05, 0.05, 0.01, 20, 20, -128},
                                 {1.5, 0.1, 0.1, 5, 127, 127},
                                 {0.037, 1.0, 0.037, 0, -2, 0}};
  std::vector<PairSet> sets;
  for (int i = 0; i < 24; ++i) {
    const Numbers& n = numbers[static_cast<std::size_t>(i) % std::size(numbers)];
    const bool is_signed = i % 2 == 0;
    const oracle::CodeRange range = i % 5 == 4  ? (is_signed ? oracle::CodeRange{-127, 127} : oracle::CodeRange{0, 254})
                                    : is_signed ? oracle::CodeRange{-128, 127}
                                                : oracle::CodeRange{0, 255};
    auto type = [&](double scale, int zero_point) {
      const std::int64_t moved = std::clamp<std::int64_t>(zero_point + (is_signed ? 0 : 128), range.min, range.max);
      return hlo::Uniform{scale, moved, range, is_signed, 8};
    };
    const hlo::Expressed expressed = i < 12 || i % 3 != 0 ? hlo::Expressed::f32 : i % 2 == 0 ? hlo::Expressed::bf16 : hlo::Expressed::f16;
    sets.push_back({expressed, type(n.lhs, n.lhs_zero_point), type(n.rhs, n.rhs_zero_point), type(n.result, n.result_zero_point)});
  }
  return sets;
}

/// The codes of an operand over all pairs: the high or the low byte of the pair's number. A narrow range repeats its last code.
inline std::int64_t pair_code(std::int64_t pair, bool high, const hlo::Uniform& type) {
  return std::min(type.range.max, type.range.min + (high ? pair / 256 : pair % 256));
}

inline Tensor pair_operand(const hlo::Uniform& type, hlo::Expressed expressed, bool high) {
  Tensor tensor = *Tensor::zeros(uniform_type(type, expressed, {pair_count}));
  for (std::int64_t i = 0; i < pair_count; ++i) tensor.set_code(i, static_cast<std::uint64_t>(pair_code(i, high, type)));
  return tensor;
}

/// Elements of the first result that are not as expected; the first few are printed.
template <class Expected>
std::int64_t wrong_pairs(const OpCall& call, const std::string& profile, const std::string& where, Expected expected) {
  auto results = run_profile(call, profile);
  EXPECT_TRUE(results) << where << " " << to_text(results.error());
  if (!results) return pair_count;
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < pair_count; ++i) {
    const std::optional<std::int64_t> actual = integer_at(results->front(), i), wanted = expected(i);
    if (actual == wanted) continue;
    if (++wrong < 4)
      std::printf("  %s %s %s: pair %d is %s, expected %s\n", call.op.c_str(), profile.c_str(), where.c_str(), static_cast<int>(i), text_of(actual).c_str(),
                  text_of(wanted).c_str());
  }
  return wrong;
}

}  // namespace tiebreak
