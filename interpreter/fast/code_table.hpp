// SPDX-License-Identifier: Apache-2.0
// A node that depends on one operand of 8-bit codes, as a table of its value for each code.
#pragma once
#include <array>
#include <optional>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

class CodeTable {
 public:
  /// Nothing where a code is longer than a byte, or where the node is undefined, or no integer of 16 bits, for some code. All other sources that the node
  /// reads are read at one place.
  static std::optional<CodeTable> of(const Formula& formula, NodeId node, int source);

  /// The values at `count` elements from `first`; where `first` is negative, of places without an element.
  void look_up(std::int64_t first, std::size_t count, std::int16_t* out) const;
  /// The least of all values, that of places without an element included, where no value is more than 255 above it.
  std::optional<std::int16_t> byte_base() const;
  /// The values less byte_base().
  void look_up(std::int64_t first, std::size_t count, std::uint8_t* out) const;

 private:
  template <class Number>
  void look_up(std::int64_t first, std::size_t count, std::int16_t base, Number* out) const;

  const std::uint8_t* codes_ = nullptr;
  std::array<std::int16_t, 256> values_{};  ///< by stored byte
  std::int16_t outside_ = 0, least_ = 0, greatest_ = 0;
  enum class Line : std::uint8_t { none, of_unsigned, of_signed } line_ = Line::none;  ///< the value is the code plus a constant
};

}  // namespace tiebreak
