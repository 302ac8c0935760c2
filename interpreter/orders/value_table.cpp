// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/value_table.hpp"

#include <algorithm>

namespace tiebreak::regions {
namespace {

constexpr std::size_t most_lanes = 1 << 16;
constexpr BodyValue absent = ~BodyValue{0}, pending = absent - 1;
constexpr std::size_t few = 512;

std::uint64_t key_of(BodyValue a, BodyValue b) { return (std::uint64_t{a} << 32) | b; }

}  // namespace

BodyValue ValueTable::number(Entry entry) {
  const auto [found, fresh] = numbers_.try_emplace(std::move(entry), static_cast<BodyValue>(values_.size()));
  if (fresh) values_.push_back(found->first);
  return found->second;
}

BodyValue ValueTable::number(const std::vector<ResultTensor>& members, std::int64_t index) {
  if (types_.empty())
    for (const ResultTensor& member : members) types_.push_back(member.tensor.type());
  Entry entry;
  for (const ResultTensor& member : members) {
    const bool undefined = member.is_undefined(index);
    entry.undefined |= undefined;
    entry.codes.push_back(undefined ? 0 : member.tensor.code(index));
  }
  return number(std::move(entry));
}

BodyValue& ValueTable::place_of(BodyValue a, BodyValue b) {
  if (a >= few || b >= few) return joined_.try_emplace(key_of(a, b), absent).first->second;
  if (few_.empty()) few_.resize(few * few, absent);
  return few_[a * few + b];
}

std::optional<BodyValue> ValueTable::joined(BodyValue a, BodyValue b) {
  BodyValue& place = place_of(a, b);
  if (place < pending) return place;
  if (place == pending) return std::nullopt;
  ++pairs_;
  place = pending;
  if (values_[a].undefined || values_[b].undefined) {
    // What is made of an undefined value is undefined: one number for all of it.
    place = number(Entry{std::vector<std::uint64_t>(types_.size(), 0), true});
    return place;
  }
  wanted_.emplace_back(a, b);
  return std::nullopt;
}

Status ValueTable::run_wanted() {
  const std::vector<std::pair<BodyValue, BodyValue>> pairs = std::move(wanted_);
  wanted_.clear();
  for (std::size_t begin = 0; begin < pairs.size(); begin += most_lanes) {
    const std::size_t count = std::min(most_lanes, pairs.size() - begin);
    std::vector<ResultTensor> arguments;
    for (const bool right : {false, true})
      for (std::size_t member = 0; member < types_.size(); ++member) {
        TensorType type = types_[member];
        type.shape = {static_cast<std::int64_t>(count)};
        TIEBREAK_TRY(lanes, Tensor::zeros(std::move(type)));
        for (std::size_t i = 0; i < count; ++i) {
          const auto& [a, b] = pairs[begin + i];
          lanes.set_code(static_cast<std::int64_t>(i), values_[right ? b : a].codes[member]);
        }
        arguments.push_back({.name = "", .tensor = std::move(lanes)});
      }
    TIEBREAK_TRY(results, body_.run_lanes(arguments, static_cast<std::int64_t>(count)));
    for (std::size_t i = 0; i < count; ++i) place_of(pairs[begin + i].first, pairs[begin + i].second) = number(results, static_cast<std::int64_t>(i));
  }
  return {};
}

}  // namespace tiebreak::regions
