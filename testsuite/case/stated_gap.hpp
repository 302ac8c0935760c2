// SPDX-License-Identifier: Apache-2.0
// How far a value that a source states lies from the computed one: in steps of the type, relative, and whether rounding can explain it.
#pragma once
#include <optional>
#include <string>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

/// Steps of the type beyond which a mark is set: two float evaluations of one formula differ by a few ulp, two integer ones by one.
inline constexpr double few_ulp = 4, few_lsb = 1;

/// `1 LSB`, `3 ulp, relative error 3.6e-07`, `1.7e+06 ulp, relative error 0.2, more than rounding explains`. A nan or an infinity on one side is
/// more than rounding explains, whatever the other is.
std::string gap_text(const Real& stated, const Real& computed, const ElementType& type);

/// Of elements that differ, the one that is farthest off and how far.
class LargestGap {
 public:
  void add(std::int64_t index, const Real& stated, const Real& computed, const ElementType& type);
  /// `; farthest at [5]: stated 7, computed 1 (6 LSB, more than rounding explains)`, "" if that is element `first`.
  std::string text(std::int64_t first, const Shape& shape) const;

 private:
  struct Entry {
    std::int64_t index;
    double steps;  ///< absolute; infinite where a side is nan or an infinity
    std::string words;
  };
  std::optional<Entry> largest_{};
};

}  // namespace tiebreak
