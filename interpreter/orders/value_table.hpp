// SPDX-License-Identifier: Apache-2.0
// The values that a body meets, by number, and what it makes of each pair of them. A pair is run once; pairs that are wanted together are run together.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {

using BodyValue = std::uint32_t;

class ValueTable {
 public:
  explicit ValueTable(RegionRun& body) : body_(body) {}

  /// Element `index` of each member, hole or not: a value has a code for each member, and whether that is undefined.
  BodyValue number(const std::vector<ResultTensor>& members, std::int64_t index);
  /// body(a, b) if it is known; else it is run by the next run_wanted().
  std::optional<BodyValue> joined(BodyValue a, BodyValue b);
  bool has_wanted() const { return !wanted_.empty(); }
  Status run_wanted();

  std::size_t size() const { return values_.size(); }
  std::size_t pairs() const { return pairs_; }  ///< known or wanted
  const std::vector<std::uint64_t>& codes(BodyValue id) const { return values_[id].codes; }
  bool is_undefined(BodyValue id) const { return values_[id].undefined; }

 private:
  struct Entry {
    std::vector<std::uint64_t> codes;
    bool undefined = false;  ///< some member is
    bool operator<(const Entry& other) const { return std::tie(undefined, codes) < std::tie(other.undefined, other.codes); }
  };
  BodyValue number(Entry entry);

  RegionRun& body_;
  std::vector<Entry> values_{};
  std::vector<TensorType> types_{};
  std::map<Entry, BodyValue> numbers_{};
  BodyValue& place_of(BodyValue a, BodyValue b);

  std::vector<BodyValue> few_{};  ///< pairs of the first values, in rows: narrow types have no others
  std::unordered_map<std::uint64_t, BodyValue> joined_{};
  std::size_t pairs_ = 0;
  std::vector<std::pair<BodyValue, BodyValue>> wanted_{};
};

}  // namespace tiebreak::regions
