// SPDX-License-Identifier: Apache-2.0
#include "testsuite/compare/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "interpreter/sha256.hpp"
#include "testsuite/compare/difference.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::array<const char*, 12> bucket_order{"<=-4", "-3", "-2", "-1", "sign of zero", "1", "2", "3", ">=4", "-inf", "inf", "nan"};

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

bool excused_by_steps(std::uint64_t expected, std::uint64_t actual, const ElementType& type, const Policy& policy) {
  const double steps = difference(expected, actual, type);
  return std::isfinite(steps) && abs(Real::from_double(steps)) <= policy.bound;
}

bool same_code(std::uint64_t expected, std::uint64_t actual, const ElementType& type) {
  if (expected == actual) return true;
  if (type.is_float() && is_plain_number(expected, type.floating())) return false;
  return type.is_float() && type.decode(expected).is_nan() && type.decode(actual).is_nan();
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

void note_worst(Comparison& comparison, std::int64_t i, double distance) {
  if (!comparison.worst_index || size_of_difference(distance) > size_of_difference(comparison.worst)) {
    comparison.worst_index = i;
    comparison.worst = distance;
  }
}

void keep_mismatch(Comparison& comparison, Mismatch mismatch, std::vector<Mismatch>& excused, std::size_t keep) {
  std::vector<Mismatch>& list = mismatch.excused ? excused : comparison.first;
  if (list.size() < keep) list.push_back(std::move(mismatch));
}

}  // namespace

std::string histogram_bucket(double difference) {
  if (std::isnan(difference)) return "nan";
  if (std::isinf(difference)) return difference < 0 ? "-inf" : "inf";
  if (difference == 0) return "sign of zero";
  if (difference <= -4) return "<=-4";
  if (difference >= 4) return ">=4";
  return std::to_string(static_cast<int>(difference));
}

std::vector<std::pair<std::string, std::int64_t>> histogram_order(const std::map<std::string, std::int64_t>& histogram) {
  std::vector<std::pair<std::string, std::int64_t>> ordered;
  for (const char* bucket : bucket_order) {
    if (auto found = histogram.find(bucket); found != histogram.end()) ordered.emplace_back(found->first, found->second);
  }
  return ordered;
}

bool same_element(const Tensor& a, const Tensor& b, std::int64_t index) {
  return a.code(index) == b.code(index) || (a.element().is_float() && a.value(index).is_nan() && b.value(index).is_nan());
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
  std::vector<Mismatch> excused;
  comparison.places = places_of(wanted.shape());
  if (expected.undefined.empty() && std::ranges::equal(wanted.bytes(), actual.bytes())) {
    comparison.compared = wanted.size();
    comparison.conforms = true;
    return comparison;
  }
  for (std::int64_t i = 0; i < wanted.size(); ++i) {
    auto index = static_cast<std::size_t>(i);
    if (index < expected.undefined.size() && expected.undefined[index] != 0) {
      ++comparison.undefined;
      continue;
    }
    ++comparison.compared;
    std::uint64_t left = wanted.code(i), right = actual.code(i);
    if (same_code(left, right, type)) continue;
    ++comparison.different;
    note_place(comparison.places, i);
    double distance = difference(left, right, type);
    ++comparison.histogram[histogram_bucket(distance)];
    const Standing standing = latitude == nullptr ? Standing::wrong : latitude->standing(i);
    if (standing != Standing::right) note_worst(comparison, i, distance);
    bool within = false;
    if (policy.kind == Policy::Kind::lsb && type.is_integer()) within = excused_by_lsb(wanted.value(i), actual.value(i), policy);
    if (policy.kind == Policy::Kind::ulp && type.is_float())
      within = excused_by_ulp(expected, index, wanted.value(i), actual.value(i), type.floating(), policy);
    if (policy.kind == Policy::Kind::absolute && type.is_float()) within = excused_by_distance(wanted.value(i), actual.value(i), policy);
    if (policy.kind == Policy::Kind::steps && type.is_float()) within = excused_by_steps(left, right, type, policy);
    if (standing == Standing::right) ++comparison.right;
    if (standing == Standing::open && !within) ++comparison.open;
    within |= standing == Standing::right;
    if (within) ++comparison.excused;
    if ((within ? excused : comparison.first).size() < keep) {
      Mismatch mismatch = describe(expected, actual, i, distance);
      mismatch.excused = within;
      if (latitude != nullptr) mismatch.right = latitude->text(i);
      keep_mismatch(comparison, std::move(mismatch), excused, keep);
    }
  }
  for (Mismatch& mismatch : excused) {
    if (comparison.first.size() < keep) comparison.first.push_back(std::move(mismatch));
  }
  bool capped = policy.rate_cap && Real(comparison.excused - comparison.right) > *policy.rate_cap * Real(comparison.compared);
  if (capped) {
    comparison.reason = "the cap of " + policy.text + " allows " + round_whole(*policy.rate_cap * Real(comparison.compared), Rounding::down).to_string() +
                        " of " + std::to_string(comparison.compared) + ", " + std::to_string(comparison.excused - comparison.right) + " used";
  }
  comparison.conforms = comparison.different == comparison.excused && !capped;
  return comparison;
}

}  // namespace tiebreak
