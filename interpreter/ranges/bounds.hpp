// SPDX-License-Identifier: Apache-2.0
// What is known of a node's values in advance: the proofs behind the fast engine. A node is carried as int64, as double or as truth only
// where every value it can take is exactly one; everything else is carried as an exact value.
#pragma once
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

enum class Carrier : std::uint8_t { integer, real, truth, exact };

struct Bounds {
  Carrier carrier = Carrier::exact;
  /// integer: all values lie in [low, high].
  std::int64_t low = 0, high = 0;
  /// real: at most `precision` significant bits, the highest bit at most 2^top, the lowest at least 2^bottom (infinities and nan beside).
  int precision = 53, top = 1023, bottom = -1074;
  bool whole = false;  ///< real: no fraction
};

/// A real's bounds seen as the bounds of a double: an integer below 2^53 in absolute value, or a real.
bool fits_double(const Bounds& bounds);
Bounds as_real(const Bounds& bounds);

class BoundsTable {
 public:
  explicit BoundsTable(const Formula& formula) : formula_(formula) {}
  const Bounds& of(NodeId node);

 private:
  Bounds compute(NodeId node);
  Bounds of_constant(const Node& node) const;
  static Bounds of_values(const Source& source);
  Bounds of_element(const Node& node);
  Bounds of_arithmetic(const Node& node);
  Bounds of_aggregate(const Node& node);
  Bounds of_conversion(const Node& node);
  const Formula& formula_;
  std::vector<Bounds> bounds_{};
  std::vector<bool> known_{};
};

/// Whole numbers of at most this magnitude are doubles.
constexpr std::int64_t double_limit = std::int64_t{1} << 53;

/// divide by a constant power of two is a multiplication; its exponent, or nullopt.
std::optional<int> divides_by_power_of_two(const Formula& formula, const Node& node);

}  // namespace tiebreak
