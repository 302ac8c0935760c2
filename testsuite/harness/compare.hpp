// SPDX-License-Identifier: Apache-2.0
// Policies and the element-by-element comparison of one output.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// exact · lsb:n · ulp:n, each optionally with a rate cap `@0.1%` (share of elements that may use it).
struct Policy {
  enum class Kind : std::uint8_t { exact, lsb, ulp } kind = Kind::exact;
  double bound = 0;
  std::optional<double> rate_cap{};  ///< 0.001 for 0.1%
  std::string text = "exact";
};
Result<Policy> parse_policy(const std::string& text);

struct Mismatch {
  std::int64_t index = 0;          ///< flat, row-major
  std::string expected, actual;    ///< decoded text; expected "undefined" never appears here
  std::string expected_bits, actual_bits;
  std::string before;              ///< exact value before the last rounding, "" if unknown
  std::string distance;            ///< to the rounding boundary, "" if none
  double difference = 0;           ///< actual - expected in LSB (integers) or ulp (floats); inf, nan possible
};

struct Comparison {
  std::int64_t compared = 0;       ///< elements judged
  std::int64_t undefined = 0;      ///< elements the semantics leaves undefined
  std::int64_t different = 0;      ///< not bit-equal (NaN equals NaN)
  std::int64_t excused = 0;        ///< different, within the policy
  bool conforms = false;
  std::string reason{};            ///< when it does not: shape, type, count ...
  std::map<std::string, std::int64_t> histogram{};  ///< "-1" -> n ... in LSB or ulp buckets; ordered for display by histogram_order()
  std::optional<std::int64_t> worst_index{};
  double worst = 0;
  std::vector<Mismatch> first{};   ///< up to `keep`
};
Comparison compare(const ResultTensor& expected, const Tensor& actual, const Policy& policy, std::size_t keep);

}  // namespace tiebreak
