// SPDX-License-Identifier: Apache-2.0
#include "testsuite/compare/histogram.hpp"

#include <cmath>

namespace tiebreak {
namespace {

constexpr std::array<const char*, 12> bucket_order{"<=-4", "-3", "-2", "-1", "sign of zero", "1", "2", "3", ">=4", "-inf", "inf", "nan"};
constexpr std::size_t zero_bucket = 4, farthest = 4, minus_infinity = 9, plus_infinity = 10, not_a_number = 11;

std::size_t bucket_of(double difference) {
  if (std::isnan(difference)) return not_a_number;
  if (std::isinf(difference)) return difference < 0 ? minus_infinity : plus_infinity;
  if (difference <= -4) return zero_bucket - farthest;
  if (difference >= 4) return zero_bucket + farthest;
  return static_cast<std::size_t>(static_cast<int>(zero_bucket) + static_cast<int>(difference));
}

}  // namespace

std::string histogram_bucket(double difference) { return bucket_order[bucket_of(difference)]; }

std::vector<std::pair<std::string, std::int64_t>> histogram_order(const std::map<std::string, std::int64_t>& histogram) {
  std::vector<std::pair<std::string, std::int64_t>> ordered;
  for (const char* bucket : bucket_order) {
    if (auto found = histogram.find(bucket); found != histogram.end()) ordered.emplace_back(found->first, found->second);
  }
  return ordered;
}

void DifferenceCounts::add(double difference) { ++counts_[bucket_of(difference)]; }

std::map<std::string, std::int64_t> DifferenceCounts::histogram() const {
  std::map<std::string, std::int64_t> histogram;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket)
    if (counts_[bucket] > 0) histogram.emplace(bucket_order[bucket], counts_[bucket]);
  return histogram;
}

}  // namespace tiebreak
