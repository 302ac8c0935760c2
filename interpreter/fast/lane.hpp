// SPDX-License-Identifier: Apache-2.0
// The values of one node in many places at once. A lane column of length one stands for all places.
#pragma once
#include <cstdint>
#include <vector>

#include "interpreter/formula/formula.hpp"
#include "interpreter/ranges/bounds.hpp"

namespace tiebreak {

struct Column {
  Carrier carrier = Carrier::exact;
  bool uniform = false;  ///< one value for all lanes
  std::vector<std::int64_t> integers{};
  std::vector<std::int32_t> short_integers{};  ///< of a table, in place of the others where all are such
  std::vector<double> reals{};
  std::vector<std::uint8_t> truths{};
  std::vector<Value> values{};
  std::vector<std::uint8_t> undefined{};  ///< empty: none is
  std::size_t at(std::size_t lane) const { return uniform ? 0 : lane; }
  bool is_undefined(std::size_t lane) const {
    return (!undefined.empty() && undefined[at(lane)] != 0) || (carrier == Carrier::exact && values[at(lane)].is_undefined());
  }
  bool may_be_undefined() const { return !undefined.empty() || carrier == Carrier::exact; }
  std::size_t size() const;
  void resize(std::size_t count);
  void set_undefined(std::size_t lane) {
    undefined.resize(size());
    undefined[at(lane)] = 1;
  }
  Value value(std::size_t lane) const;  ///< exact
  double real(std::size_t lane) const;  ///< of integer and real carriers
};

/// The places of the lanes: coordinates of each, and offsets into operands derived from them.
struct LaneSet {
  std::size_t count = 0;
  std::size_t cell_rank = 0, item_rank = 0;
  std::vector<std::int64_t> cells{};  ///< count * cell_rank, or cell_rank: all lanes are of one cell
  std::vector<std::int64_t> items{};  ///< count * item_rank, or item_rank: all lanes are at one item; empty: no item
  std::int64_t first_cell = -1;       ///< lanes are consecutive cells from here; -1: they are not
  std::int64_t first_item = -1;       ///< lanes are consecutive items from here, of one cell; of consecutive cells, the item of all of them
  std::span<const std::int64_t> cell(std::size_t lane) const { return {cells.data() + (cells.size() == cell_rank ? 0 : lane * cell_rank), cell_rank}; }
  std::span<const std::int64_t> item(std::size_t lane) const {
    return items.empty() ? std::span<const std::int64_t>() : std::span(items.data() + (items.size() == item_rank ? 0 : lane * item_rank), item_rank);
  }
};

}  // namespace tiebreak
