// SPDX-License-Identifier: Apache-2.0
// Policies and the element-by-element comparison of one output.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/compare/difference_grid.hpp"
#include "testsuite/compare/histogram.hpp"

namespace tiebreak {

/// exact · lsb:n · ulp:n · absolute:n · steps:n, each optionally with a rate cap `@0.1%` (share of elements that may use it). docs/policies.md defines them.
struct Policy {
  enum class Kind : std::uint8_t { exact, lsb, ulp, absolute, steps } kind = Kind::exact;
  Real bound{};
  std::optional<Real> rate_cap{};  ///< 1/1000 for 0.1%
  std::string text = "exact";
};
Result<Policy> parse_policy(const std::string& text);

struct Mismatch {
  std::int64_t index = 0;        ///< flat, row-major
  std::string expected, actual;  ///< decoded text; expected "undefined" never appears here
  std::string expected_bits, actual_bits;
  std::string before;     ///< exact value before the last rounding, "" if unknown
  std::string distance;   ///< to the rounding boundary, "" if none
  double difference = 0;  ///< actual - expected in LSB (integers) or ulp (floats); inf, nan possible
  bool excused = false;   ///< within the policy, or right
  std::string right{};    ///< what is right where that is not one value: `{77, 127}`, `0.5 .. 0.75`, `?`; "" where it is
};

struct Comparison {
  std::int64_t compared = 0;   ///< elements judged
  std::int64_t undefined = 0;  ///< elements the semantics leaves undefined
  std::int64_t different = 0;  ///< not bit-equal (NaN equals NaN)
  std::int64_t excused = 0;    ///< different, within the policy or right
  std::int64_t right = 0;      ///< of those: right by another order or alternative that the profile leaves open
  std::int64_t open = 0;       ///< different, and not known to be wrong: one member of what is right is all that is known
  bool conforms = false;
  std::string reason{};                             ///< when it does not: shape, type, count ...
  Shape shape{};                                    ///< of the expected output
  std::string unit{};                               ///< of the histogram: "LSB" or "ulp"
  std::map<std::string, std::int64_t> histogram{};  ///< "-1" -> n ... in LSB or ulp buckets; ordered for display by histogram_order()
  std::optional<std::int64_t> worst_index{};
  double worst = 0;
  std::string element{};          ///< type of the expected output: i8
  std::string digest{};           ///< of the answer's bytes: tells two runs apart where no mismatch is kept
  Places places{};                ///< where the different elements lie, all of them
  std::vector<Mismatch> first{};  ///< up to `keep`; those the policy does not excuse come first
};
/// Where a value stands among what is right.
enum class Standing : std::uint8_t {
  right,
  wrong,
  open,  ///< nothing is known but one member
};

/// What is right besides the expected value, element by element.
struct Latitude {
  std::function<Standing(std::int64_t)> standing;
  std::function<std::string(std::int64_t)> text;
};
/// The digest is left to the caller.
Comparison compare(const ResultTensor& expected, const Tensor& actual, const Policy& policy, std::size_t keep, const Latitude* latitude = nullptr);
/// Of the answer's bytes, 16 hex digits.
std::string digest_of(const Tensor& answer);
/// The exact values of the mismatches that are kept, from the same expectation with exact values.
void state_exact_values(const ResultTensor& expected, Comparison& comparison);

/// The same value, nan being nan whatever its code.
bool same_element(const Tensor& a, const Tensor& b, std::int64_t index);

}  // namespace tiebreak
