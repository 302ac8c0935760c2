// SPDX-License-Identifier: Apache-2.0
// How many elements differ by how much, in few buckets: single steps near zero, all that is farther together.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tiebreak {

/// Bucket of a difference: "-3" ... "3", "<=-4", ">=4", "sign of zero", "inf", "nan".
std::string histogram_bucket(double difference);
/// The histogram from the most negative bucket to the most positive one, the special ones last.
std::vector<std::pair<std::string, std::int64_t>> histogram_order(const std::map<std::string, std::int64_t>& histogram);

/// Counts differences by bucket; a bucket gets its word at the end.
class DifferenceCounts {
 public:
  void add(double difference);
  std::map<std::string, std::int64_t> histogram() const;  ///< without buckets that nothing fell into

 private:
  std::array<std::int64_t, 12> counts_{};
};

}  // namespace tiebreak
