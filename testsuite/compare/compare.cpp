// SPDX-License-Identifier: Apache-2.0
#include "testsuite/compare/compare.hpp"

#include <algorithm>
#include <cmath>

#include "interpreter/sha256.hpp"
#include "testsuite/compare/difference.hpp"
#include "testsuite/compare/differing_elements.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

Real exact_value(const std::pair<double, double>& before) { return Real::from_double(before.first) + Real::from_double(before.second); }

bool excused_by_lsb(const Real& expected, const Real& actual, const Policy& policy) { return abs(actual - expected) <= policy.bound; }

/// Against the exact value where it is known, else against the expected value. A nan or an infinity matches itself only.
bool excused_by_ulp(const ResultTensor& result, std::size_t i, const Real& expected, const Real& actual, const FloatFormat& format, const Policy& policy) {
  if (!expected.is_finite() || !actual.is_finite()) return false;
  Real reference = expected;
  if (i < result.before.size()) {
    if (Real exact = exact_value(result.before[i]); exact.is_finite()) reference = exact;
  }
  return abs(actual - reference) <= policy.bound * ulp_at(reference, format);
}

/// Between the values themselves. A nan or an infinity matches itself only.
bool excused_by_distance(const Real& expected, const Real& actual, const Policy& policy) {
  return expected.is_finite() && actual.is_finite() && abs(actual - expected) <= policy.bound;
}

bool excused_by_steps(double steps, const Policy& policy) { return std::isfinite(steps) && abs(Real::from_double(steps)) <= policy.bound; }

/// Whether the policy lets element i be what it is; `distance` is the difference of its codes.
bool excused(const ResultTensor& expected, const Tensor& actual, std::int64_t i, double distance, const Policy& policy) {
  const Tensor& wanted = expected.tensor;
  const ElementType& type = wanted.element();
  if (policy.kind == Policy::Kind::lsb) return type.is_integer() && excused_by_lsb(wanted.value(i), actual.value(i), policy);
  if (!type.is_float()) return false;
  switch (policy.kind) {
    using enum Policy::Kind;
    case ulp: return excused_by_ulp(expected, static_cast<std::size_t>(i), wanted.value(i), actual.value(i), type.floating(), policy);
    case absolute: return excused_by_distance(wanted.value(i), actual.value(i), policy);
    case steps: return excused_by_steps(distance, policy);
    default: return false;
  }
}

/// Of codes that differ.
bool are_both_nan(std::uint64_t expected, std::uint64_t actual, const ElementType& type) {
  if (!type.is_float() || is_plain_number(expected, type.floating())) return false;
  return type.decode(expected).is_nan() && type.decode(actual).is_nan();
}

void state_exact_value(const ResultTensor& expected, Mismatch& mismatch) {
  const auto index = static_cast<std::size_t>(mismatch.index);
  if (index < expected.before.size()) mismatch.before = exact_value(expected.before[index]).to_decimal(17);
  if (index < expected.distance.size() && !std::isnan(expected.distance[index])) mismatch.distance = decimal_text(expected.distance[index], 6);
}

Mismatch describe(const ResultTensor& expected, const Tensor& actual, std::int64_t i, double distance) {
  Mismatch mismatch;
  mismatch.index = i;
  mismatch.expected = value_text(expected.tensor.value(i));
  mismatch.actual = value_text(actual.value(i));
  mismatch.expected_bits = bits_text(expected.tensor, i);
  mismatch.actual_bits = bits_text(actual, i);
  mismatch.difference = distance;
  state_exact_value(expected, mismatch);
  return mismatch;
}

std::string mismatch_of_types(const Tensor& expected, const Tensor& actual) {
  if (!(expected.element() == actual.element())) return "element type is " + actual.element().name() + ", expected " + expected.element().name();
  if (expected.shape() != actual.shape()) return "shape is " + to_text(actual.shape()) + ", expected " + to_text(expected.shape());
  return "";
}

/// One output, element by element: what is equal needs nothing.
class ElementComparison {
 public:
  ElementComparison(const ResultTensor& expected, const Tensor& actual, const Policy& policy, std::size_t keep, const Latitude* latitude,
                    Comparison& comparison)
      : expected_(expected),
        actual_(actual),
        policy_(policy),
        keep_(keep),
        latitude_(latitude),
        comparison_(comparison),
        difference_(expected.tensor.element()),
        places_(comparison.places) {}

  void run() {
    const std::vector<std::uint8_t>& undefined = expected_.undefined;
    const auto flags = std::min(undefined.size(), static_cast<std::size_t>(expected_.tensor.size()));
    comparison_.undefined = static_cast<std::int64_t>(flags) - std::count(undefined.begin(), undefined.begin() + static_cast<std::ptrdiff_t>(flags), 0);
    comparison_.compared = expected_.tensor.size() - comparison_.undefined;
    for_each_differing(expected_.tensor, actual_, [&](std::int64_t i, std::uint64_t left, std::uint64_t right) {
      const bool asked = static_cast<std::size_t>(i) >= flags || undefined[static_cast<std::size_t>(i)] == 0;
      if (asked && !are_both_nan(left, right, expected_.tensor.element())) differs(i, difference_(left, right));
      return true;
    });
    comparison_.histogram = counts_.histogram();
    for (Mismatch& mismatch : excused_)
      if (comparison_.first.size() < keep_) comparison_.first.push_back(std::move(mismatch));
  }

 private:
  void differs(std::int64_t i, double distance) {
    ++comparison_.different;
    places_.add(i);
    counts_.add(distance);
    const Standing standing = latitude_ == nullptr ? Standing::wrong : latitude_->standing(i);
    if (standing != Standing::right) note_worst(i, distance);
    bool within = policy_.kind != Policy::Kind::exact && excused(expected_, actual_, i, distance, policy_);
    if (standing == Standing::right) ++comparison_.right;
    if (standing == Standing::open && !within) ++comparison_.open;
    within |= standing == Standing::right;
    if (within) ++comparison_.excused;
    std::vector<Mismatch>& list = within ? excused_ : comparison_.first;
    if (list.size() >= keep_) return;
    Mismatch& mismatch = list.emplace_back(describe(expected_, actual_, i, distance));
    mismatch.excused = within;
    if (latitude_ != nullptr) mismatch.right = latitude_->text(i);
  }

  void note_worst(std::int64_t i, double distance) {
    if (comparison_.worst_index && size_of_difference(distance) <= size_of_difference(comparison_.worst)) return;
    comparison_.worst_index = i;
    comparison_.worst = distance;
  }

  const ResultTensor& expected_;
  const Tensor& actual_;
  const Policy& policy_;
  std::size_t keep_;
  const Latitude* latitude_;
  Comparison& comparison_;
  Differences difference_;
  PlaceCounter places_;
  DifferenceCounts counts_{};
  std::vector<Mismatch> excused_{};
};

}  // namespace

bool same_element(const Tensor& a, const Tensor& b, std::int64_t index) {
  return a.code(index) == b.code(index) || (a.element().is_float() && a.value(index).is_nan() && b.value(index).is_nan());
}

bool any_different(const ResultTensor& expected, const Tensor& actual) {
  const Tensor& wanted = expected.tensor;
  if (!mismatch_of_types(wanted, actual).empty()) return false;
  bool found = false;
  for_each_differing(wanted, actual, [&](std::int64_t i, std::uint64_t left, std::uint64_t right) {
    const auto at = static_cast<std::size_t>(i);
    const bool asked = at >= expected.undefined.size() || expected.undefined[at] == 0;
    found = asked && !are_both_nan(left, right, wanted.element());
    return !found;
  });
  return found;
}

std::string digest_of(const Tensor& answer) { return sha256_hex(answer.bytes()).substr(0, 16); }

void state_exact_values(const ResultTensor& expected, Comparison& comparison) {
  for (Mismatch& mismatch : comparison.first) state_exact_value(expected, mismatch);
}

Comparison compare(const ResultTensor& expected, const Tensor& actual, const Policy& policy, std::size_t keep, const Latitude* latitude) {
  Comparison comparison;
  const Tensor& wanted = expected.tensor;
  const ElementType& type = wanted.element();
  comparison.shape = wanted.shape();
  comparison.unit = type.is_float() ? "ulp" : "LSB";
  comparison.element = type.name();
  comparison.reason = mismatch_of_types(wanted, actual);
  if (!comparison.reason.empty()) return comparison;
  comparison.places = places_of(wanted.shape());
  if (expected.undefined.empty() && std::ranges::equal(wanted.bytes(), actual.bytes())) {
    comparison.compared = wanted.size();
    comparison.conforms = true;
    return comparison;
  }
  ElementComparison(expected, actual, policy, keep, latitude, comparison).run();
  bool capped = policy.rate_cap && Real(comparison.excused - comparison.right) > *policy.rate_cap * Real(comparison.compared);
  if (capped) {
    comparison.reason = "the cap of " + policy.text + " allows " + round_whole(*policy.rate_cap * Real(comparison.compared), Rounding::down).to_string() +
                        " of " + std::to_string(comparison.compared) + ", " + std::to_string(comparison.excused - comparison.right) + " used";
  }
  comparison.conforms = comparison.different == comparison.excused && !capped;
  return comparison;
}

}  // namespace tiebreak
