// SPDX-License-Identifier: Apache-2.0
// Every value of every format of 16 bits and fewer into every such format, and every midpoint with its neighbours, under
// every rounding and overflow policy, against the oracle's tables.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "interpreter/exact/float_format.hpp"
#include "testsuite/oracle/float_oracle.hpp"

namespace tiebreak {
namespace {

constexpr const char* names[] = {"f16",        "bf16",          "f8e5m2", "f8e4m3", "f8e3m4", "f8e4m3fn", "f8e4m3fnuz",
                                 "f8e5m2fnuz", "f8e4m3b11fnuz", "f6e3m2", "f6e2m3", "f4e2m1", "f8e8m0"};
constexpr const char* roundings[] = {"rne", "rna", "rhu", "rhd", "rnz", "rtz", "floor", "ceil", "odd"};
struct Policy {
  const char* word;
  Overflow overflow;
};
constexpr Policy policies[] = {{"format", Overflow::format}, {"saturate", Overflow::saturate}, {"nan", Overflow::nan}};

// One input into one format under one rounding and policy; nan codes count as equal.
bool agrees(double v, const FloatFormat& target, const oracle::FloatTable& table, const char* rounding, const Policy& policy) {
  const auto expected = table.round(v, rounding, policy.word);
  const auto actual = round_to(Real::from_double(v), target, *find_rounding(rounding), policy.overflow);
  if (!expected || !actual) return expected.has_value() == actual.has_value();
  const auto code = encode(*actual, target);
  return code && (*code == *expected || (actual->is_nan() && std::isnan(table.value(*expected))));
}

void check_all_ways(double v, const FloatFormat& target, const oracle::FloatTable& table) {
  for (const char* rounding : roundings)
    for (const Policy& policy : policies)
      ASSERT_TRUE(agrees(v, target, table, rounding, policy)) << std::hexfloat << v << " -> " << target.name << " " << rounding << " " << policy.word;
}

class IntoFormat : public testing::TestWithParam<const char*> {
 protected:
  const FloatFormat& target = *find_float_format(GetParam());
  oracle::FloatTable table{GetParam()};
};

TEST_P(IntoFormat, CodesMeanTheSame) {
  for (std::uint64_t code = 0; code < std::uint64_t{1} << target.bits(); ++code) {
    const double expected = table.value(code);
    ASSERT_TRUE(decode(code, target).identical(Real::from_double(expected))) << GetParam() << " " << code;
  }
}

TEST_P(IntoFormat, EveryMidpointAndItsNeighbours) {
  const auto& grid = table.grid();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < grid.size() && !HasFatalFailure(); ++i) {
    const double middle = (grid[i] + grid[i + 1]) / 2;
    for (const double centre : {grid[i], middle, grid[i + 1]})
      for (const double v : {centre, std::nextafter(centre, infinity), std::nextafter(centre, 0.0)})
        for (const double input : {v, -v}) check_all_ways(input, target, table);
  }
  for (const double v : {0.0, 1e-300, 1e30, 1e300, grid.back() * 4, infinity, std::numeric_limits<double>::quiet_NaN()})
    for (const double input : {v, -v}) check_all_ways(input, target, table);
}

TEST_P(IntoFormat, EveryValueOfEveryFormat) {
  for (const char* source : names) {
    const FloatFormat& from = *find_float_format(source);
    const oracle::FloatTable values(source);
    for (std::uint64_t code = 0; code < std::uint64_t{1} << from.bits() && !HasFatalFailure(); ++code) {
      const double v = values.value(code);
      for (const char* rounding : roundings) ASSERT_TRUE(agrees(v, target, table, rounding, policies[0])) << source << " " << code << " " << rounding;
      for (const Policy& policy : policies) ASSERT_TRUE(agrees(v, target, table, "rne", policy)) << source << " " << code << " " << policy.word;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, IntoFormat, testing::ValuesIn(names), [](const auto& entry) { return std::string(entry.param); });

}  // namespace
}  // namespace tiebreak
