// SPDX-License-Identifier: Apache-2.0
// How a scalar plan holds the values of a node for many inputs at once, and what is proved of them beforehand.
#pragma once
#include <cstdint>
#include <vector>

#include "interpreter/operations/value.hpp"

namespace tiebreak {

__extension__ using Wide = __int128;

enum class SlotKind : std::uint8_t {
  constant,  ///< the same for every input
  integer,   ///< whole numbers times one unit, within 64 bits
  wide,      ///< the same within 128 bits
  real,      ///< a double is the value
  truth,
  exact,  ///< everything else
};

struct Slot {
  SlotKind kind = SlotKind::exact;
  std::size_t place = 0;  ///< of its lanes in the frame
  Value constant{};
  // integer, wide: the value is n * unit, with low <= n <= high.
  Real unit = Real(1);
  Wide low = 0, high = 0;
  bool tails = false;  ///< an n beyond +-tail_limit stands for any number at least as far out, infinities included
  // real: at most `precision` significant bits, finite values below 2^top in size and multiples of 2^bottom.
  int precision = 53, top = 1024, bottom = -1074;
  bool may_be_infinite = false;
  bool zero_has_sign = true;      ///< false: a zero may have the wrong sign
  bool may_be_undefined = false;  ///< or an error of the page
  bool is_scaled() const { return kind == SlotKind::integer || kind == SlotKind::wide; }
  bool is_unit_one() const { return is_scaled() && unit == Real(1); }
};

/// What `Lanes::undefined` says of a lane. An error counts only where the value is asked for: a branch that is not taken may hold one.
constexpr std::uint8_t lane_undefined = 1, lane_error = 2;

constexpr std::int64_t tail_value = std::int64_t{1} << 61;
constexpr std::int64_t tail_limit = std::int64_t{1} << 60;

/// The lanes of every slot. Only the vectors of a slot's kind have a size.
struct Lanes {
  std::vector<std::int64_t> integers{};
  std::vector<Wide> wides{};
  std::vector<double> reals{};
  std::vector<std::uint8_t> truths{};
  std::vector<Value> values{};
  std::vector<std::uint8_t> undefined{};  ///< lane_undefined, lane_error, both, or 0
  Wide whole(std::size_t lane) const { return integers.empty() ? wides[lane] : Wide{integers[lane]}; }
};

struct Frame {
  std::size_t count = 0;                 ///< lanes in use
  const std::int64_t* inputs = nullptr;  ///< ordinals
  std::vector<Lanes> lanes{};
};

constexpr std::size_t frame_lanes = 256;

}  // namespace tiebreak
