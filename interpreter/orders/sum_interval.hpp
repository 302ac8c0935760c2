// SPDX-License-Identifier: Apache-2.0
// What any order of a float sum may give. Texts leave the order of a contraction open, and libraries take it as their vectors lie: the exact sum and a
// bound that holds for every order and grouping, products rounded or fused, say what is legal and how far off a result is.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// For each element of the first result.
struct SumInterval {
  std::string format;          ///< in which the sums are rounded: f32
  std::int64_t terms = 0;      ///< most terms of one sum
  std::vector<Real> exact{};   ///< of the first elements, as many as were asked for: the exact sum of exact products
  std::vector<Real> bound{};   ///< the greatest distance of a rounded sum from it; +inf where a sum may overflow
  ResultTensor low{}, high{};  ///< least and greatest result: the formula behind the sum at exact - bound and exact + bound
};

/// n terms in a format with unit roundoff u = 2^-precision and smallest positive value s: a sum in any order, each product rounded or not, is off by at
/// most g * sum(abs(products)) + n * (s / 2) * (1 + g) with g = n u + (n u)^2 >= (1 + u)^n - 1. Nothing where the op has no float sum, or the formula behind
/// the sum is not known to be monotone (it is where it only rounds, scales by constants, shifts and clamps).
Result<std::optional<SumInterval>> sum_interval(const Semantics& semantics, const OpCall& call, std::int64_t explained = 0);

/// That distance for n terms whose absolute values add up to `magnitude`; +inf where a partial sum may overflow.
Real any_order_bound(const FloatFormat& format, std::int64_t terms, const Real& magnitude);

}  // namespace tiebreak
