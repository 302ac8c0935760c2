// SPDX-License-Identifier: Apache-2.0
// The inputs that may tell semantics apart: for a fixed list of scales and zero points the ties and their neighbours, specials, accumulators
// beyond 2^24, pairs of products beyond int16, sums beyond int32. The same op and types give the same pool everywhere.
#pragma once
#include <vector>

#include "testsuite/candidates/probe_set.hpp"
#include "testsuite/case/op_roles.hpp"

namespace tiebreak {

/// Values of the parameters an op may have; those it has not are ignored. Scales are rounded to their type when they are used.
struct ProbeParameters {
  Real first{1}, second{1}, result{1};  ///< scales of the data operands and of the result
  Real zero_first{0}, zero_second{0}, zero_result{0};
  Real multiplier{1 << 30}, shift{0};  ///< of ops with an integer factor, which is multiplier * 2^shift / 2^31
};

/// Small and plain sets first, large ones last.
Result<std::vector<ProbeSet>> probe_pool(const Library& library, const OpRoles& roles);

/// At least `count` further questions: parameters and points drawn from the seed, most of them at ties or beside them. Never more than 4096 in a set.
/// `one_scale`: the operands' second scale is 1, for systems whose operand has but one.
Result<std::vector<ProbeSet>> random_sets(const Library& library, const OpRoles& roles, std::uint64_t seed, std::int64_t count, bool one_scale = false);

/// The type of the op's result, as the page infers it.
Result<TensorType> result_type_of(const Library& library, const OpRoles& roles);

/// One data operand runs over `points`, everything else stands still. With two data operands `others` has the values of the second.
Result<ProbeSet> elementwise_set(const OpRoles& roles, const ProbeParameters& parameters, const std::vector<Real>& points,
                                 const std::vector<Real>& others = {});
/// Accumulators: through the bias, where the op has one, else as sums of products.
Result<ProbeSet> accumulator_set(const OpRoles& roles, const ProbeParameters& parameters, const std::vector<Real>& accumulators);
/// Rows of differences from the zero point against one shared vector; with a bias, one for each row.
struct ContractionRows {
  std::vector<Real> shared{};
  std::vector<std::vector<Real>> rows{};
  std::vector<Real> biases{};
};
Result<ProbeSet> contraction_set(const OpRoles& roles, const ProbeParameters& parameters, const ContractionRows& rows);
bool has_bias(const OpRoles& roles);
/// The operand whose slices are the questions (rows of a matrix, filters of a convolution), and the one they share.
const OperandRole& row_operand(const OpRoles& roles);
const OperandRole& shared_operand(const OpRoles& roles);

/// value = data * factor(parameters): the product of the operands' scales over the result's, each rounded to its type, or the integer factor.
Real factor_of(const OpRoles& roles, const ProbeParameters& parameters);
/// Values of `type` at and beside (k + 1/2) / factor for results from `low` to `high` and a little beyond, by magnitude; at most about `most`.
std::vector<Real> tie_points(const Real& factor, const ElementType& type, const Real& low, const Real& high, std::size_t most);
/// nan, infinities, zeros, subnormals, powers of two, the ends: what the type has.
std::vector<Real> special_points(const ElementType& type);
/// By magnitude, each once, nan last.
std::vector<Real> in_order(std::vector<Real> values);

}  // namespace tiebreak
