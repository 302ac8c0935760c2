// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/probe_choices.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

struct Scales {
  const char *first, *second, *result;
};
/// Dyadic factors make exact ties; small whole divisors make ties that are not binary; decimals are what users have; then factors of many bits,
/// tiny ones, which reach accumulators beyond 2^24, and ones above 1. In the last the product of accumulator and factor has 55 bits, next to a tie.
constexpr Scales three_scales[] = {{"1", "1", "2"},
                                   {"1", "1", "1"},
                                   {"1", "1", "4"},
                                   {"1", "1", "256"},
                                   {"0.5", "0.25", "1"},
                                   {"1", "1", "6"},
                                   {"1", "1", "12"},
                                   {"1", "1", "3"},
                                   {"1", "1", "100"},
                                   {"0.1", "0.3", "0.7"},
                                   {"0.1", "0.01", "0.3"},
                                   {"0.0123", "0.1", "0.01"},
                                   {"0.01", "0.0303", "5"},
                                   {"0.0133", "0.0102", "4.7"},
                                   {"0.02", "0.03", "0.7"},
                                   {"0.007843138", "0.0039215689", "0.01"},
                                   {"0.0235", "0.0071", "0.0513"},
                                   {"0x1.3404eap-9", "1", "0x1.28f5c2p-4"},
                                   {"0x1.97ca8cp-12", "1", "1"},
                                   {"0x1.b1a5d3p-7", "0x1.7f3c21p-5", "0x1.0d4c61p-6"},
                                   {"0x1.5a9f17p-11", "0x1.c3b0e9p-9", "0x1.91e2abp-8"},
                                   {"0x1.fffffep-8", "0x1.000002p-3", "0x1.555556p-2"},
                                   {"0.3", "0.00001", "1"},
                                   {"0.0001", "0.003", "0.7"},
                                   {"0.0000123", "0.01", "1"},
                                   {"0x1p-25", "1", "1"},
                                   {"0x1.99999ap-14", "0x1.47ae14p-11", "1"},
                                   {"0.00123", "0.00456", "78.9"},
                                   {"0.0001", "0.0001", "0.3"},
                                   {"0x1p-24", "0x1.8p-1", "1"},
                                   {"3", "1", "1"},
                                   {"1", "1", "0.3"},
                                   {"2", "1", "1"},
                                   {"100", "10", "1"},
                                   {"0x1p30", "1", "1"},
                                   {"1", "1", "0.0123"},
                                   {"0x1p-31", "1", "1"},
                                   {"0x1p-40", "1", "1"},
                                   {"0x1.233feap-25", "1", "1"}};
constexpr const char* single_scales[] = {"1",
                                         "2",
                                         "0.5",
                                         "256",
                                         "0.1",
                                         "0.3",
                                         "0.7",
                                         "0.0123",
                                         "0.01",
                                         "6",
                                         "12",
                                         "3",
                                         "100",
                                         "0.007843138",
                                         "0.0235",
                                         "0x1.99999ap-14",
                                         "0x1.b1a5d3p-7",
                                         "0x1.fffffep-8",
                                         "0x1.000002p-3",
                                         "0x1.555556p-2",
                                         "1.7",
                                         "9.99",
                                         "0x1.5a9f17p3",
                                         "1e30",
                                         "1e-30",
                                         "0x1p-126",
                                         "0x1.8p-140",
                                         "0x1p100"};

Real real_number(const char* text) { return Real::parse(text).value_or(Real(1)); }

}  // namespace

std::vector<ProbeParameters> factor_list() {
  std::vector<ProbeParameters> list;
  const auto add = [&](const Real& multiplier, std::int64_t shift) {
    ProbeParameters parameters;
    parameters.multiplier = multiplier;
    parameters.shift = shift;
    list.push_back(parameters);
  };
  for (const Scales& scales : three_scales) {
    const Real factor = real_number(scales.first) * real_number(scales.second) / real_number(scales.result);
    std::int64_t exponent = factor.exponent();
    while (factor >= Real::power_of_two(exponent)) ++exponent;
    while (factor < Real::power_of_two(exponent - 1)) --exponent;
    const Real mantissa = round_whole(factor * Real::power_of_two(31 - exponent), Rounding::nearest_even);
    if (exponent < -31 || exponent > 30) continue;
    add(min(mantissa, Real((std::int64_t{1} << 31) - 1)), exponent);
  }
  for (const std::int64_t shift : {0, -1, -7, -31, 1, 7}) add(Real((std::int64_t{1} << 31) - 1), shift);
  for (const std::int64_t shift : {-8, 0, 4}) add(Real(std::int64_t{0x4001} << 16), shift);
  add(Real(12345678), 0);
  add(Real(-(std::int64_t{1} << 30)), -3);
  add(Real(0), 0);
  return list;
}

std::vector<ProbeParameters> scale_list(const OpRoles& roles) {
  if (roles.find(RoleKind::multiplier, false) != nullptr) return factor_list();
  std::vector<ProbeParameters> list;
  std::size_t inputs = 0, results = 0;
  for (const OperandRole& role : roles.operands) {
    if (role.kind == RoleKind::scale) ++(role.of_result ? results : inputs);
    if (role.expressed) ++inputs;
  }
  if (roles.result && roles.result->expressed) ++results;
  if (inputs + results == 0) return {ProbeParameters{}};
  if (inputs + results == 1) {
    for (const char* text : single_scales) {
      ProbeParameters parameters;
      (results == 1 ? parameters.result : parameters.first) = real_number(text);
      list.push_back(parameters);
    }
    return list;
  }
  for (const Scales& scales : three_scales) {
    ProbeParameters parameters;
    parameters.first = inputs == 2 ? real_number(scales.first) : real_number(scales.first) * real_number(scales.second);
    parameters.second = real_number(scales.second);
    parameters.result = real_number(scales.result);
    list.push_back(parameters);
  }
  return list;
}

std::vector<Real> zero_point_choices(const OperandRole* role, const ElementType& codes) {
  if (role == nullptr || role->type.is_float()) return {Real(0)};
  Real low = max(role->type.min(), codes.is_integer() ? codes.min() : role->type.min());
  Real high = min(role->type.max(), codes.is_integer() ? codes.max() : role->type.max());
  std::vector<Real> list{0, 3, 10, low, high, Real(-5)};
  std::erase_if(list, [&](const Real& v) { return v < low || v > high; });
  return list;
}

const OperandRole* zero_point_of(const OpRoles& roles, bool of_result) {
  if (of_result && roles.result && roles.result->expressed) return &*roles.result;
  if (!of_result && roles.data()[0]->expressed) return roles.data()[0];
  return roles.find(RoleKind::zero_point, of_result);
}

Real middle(const ElementType& type) { return type.is_integer() && !type.integer().is_signed ? Real::power_of_two(type.bits() - 1) : Real(0); }

}  // namespace tiebreak
