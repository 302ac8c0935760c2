// SPDX-License-Identifier: Apache-2.0
// Long folds of narrow integers whose body rises in both arguments, as a sum that saturates does: the least of all trees is made of the least of their
// parts. So two numbers stand for the set of each range, and both ends of the interval are given by some tree.
#include <algorithm>

#include "interpreter/orders/legal_fold.hpp"

namespace tiebreak::regions {
namespace {

constexpr std::size_t most_sorted = 400;
constexpr std::size_t most_work = std::size_t{1} << 28;

/// The body over all pairs of a type's values, by their places in ascending order.
struct NarrowBody {
  std::vector<Real> values{};
  std::vector<std::uint16_t> joined{};  ///< [a * size + b]
  std::size_t size() const { return values.size(); }
  std::size_t at(std::size_t a, std::size_t b) const { return joined[a * size() + b]; }
  std::size_t place(const Real& value) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(values, value, [](const Real& a, const Real& b) { return a < b; }) - values.begin());
  }
};

Result<ResultTensor> column(const TensorType& scalar, const std::vector<std::uint64_t>& codes) {
  TensorType type = scalar;
  type.shape = {static_cast<std::int64_t>(codes.size())};
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), codes[i]);
  return ResultTensor{.name = "", .tensor = std::move(tensor)};
}

/// Nothing for bodies of other types, and where a pair is undefined or the body falls somewhere.
Result<std::optional<NarrowBody>> rising_body(const FoldCells& cells) {
  const TensorType& type = cells.body->parameter(0);
  if (cells.starts.size() != 1 || !type.element.is_integer() || type.element.bits() > 8) return std::optional<NarrowBody>();
  NarrowBody body;
  const Real last = type.quantized ? type.quantized->storage_max : type.element.max();
  for (Real value = type.quantized ? type.quantized->storage_min : type.element.min(); value <= last; value = value + Real(1)) body.values.push_back(value);
  std::vector<std::uint64_t> left, right;
  for (const Real& a : body.values)
    for (const Real& b : body.values) {
      left.push_back(*type.element.encode(a));
      right.push_back(*type.element.encode(b));
    }
  TIEBREAK_TRY(l, column(type, left));
  TIEBREAK_TRY(r, column(type, right));
  TIEBREAK_TRY(results, cells.body->run_lanes({l, r}, static_cast<std::int64_t>(left.size())));
  if (std::ranges::find(results[0].undefined, 1) != results[0].undefined.end()) return std::optional<NarrowBody>();
  for (std::size_t i = 0; i < left.size(); ++i)
    body.joined.push_back(static_cast<std::uint16_t>(body.place(results[0].tensor.value(static_cast<std::int64_t>(i)))));
  for (std::size_t a = 0; a < body.size(); ++a)
    for (std::size_t b = 0; b < body.size(); ++b)
      if ((a > 0 && body.at(a - 1, b) > body.at(a, b)) || (b > 0 && body.at(a, b - 1) > body.at(a, b))) return std::optional<NarrowBody>();
  return std::optional(std::move(body));
}

/// The least (or greatest) that trees over all items give.
std::size_t end_of_trees(const NarrowBody& body, std::size_t start, const std::vector<std::size_t>& items, bool greatest) {
  const auto better = [&](std::size_t a, std::size_t b) { return greatest ? std::max(a, b) : std::min(a, b); };
  const auto settled = [&](std::size_t value, std::size_t beside) {
    for (std::size_t next = value;; value = next) {
      next = better(value, better(body.at(value, beside), body.at(beside, value)));
      if (next == value) return value;
    }
  };
  std::size_t alone = start;
  for (std::size_t next = better(alone, body.at(alone, alone)); next != alone; next = better(alone, body.at(alone, alone))) alone = next;
  const std::size_t n = items.size();
  std::vector<std::size_t> ends(n * n);
  for (std::size_t last = 0; last < n; ++last)
    for (std::size_t first = last + 1; first-- > 0;) {
      std::size_t end = first == last ? items[first] : body.at(ends[first * n + first], ends[(first + 1) * n + last]);
      for (std::size_t k = first; k < last; ++k) end = better(end, body.at(ends[first * n + k], ends[(k + 1) * n + last]));
      ends[first * n + last] = settled(end, alone);
    }
  return ends[n - 1];
}

}  // namespace

Status judge_narrow(const FoldCells& cells, std::vector<std::optional<LegalElement>>& elements, std::string& why) {
  TIEBREAK_TRY(body, rising_body(cells));
  std::size_t work = 0;
  for (std::size_t i = 0; body && i < cells.cells(); ++i) {
    const std::size_t n = cells.items_of(i).size();
    if (elements[i] || n == 0 || n > most_sorted || (work += n * n * n / 3) > most_work) continue;
    std::vector<std::size_t> items;
    for (std::int64_t item : cells.items_of(i)) items.push_back(body->place(item < 0 ? cells.holes[0].tensor.value(0) : cells.sources[0].tensor.value(item)));
    const std::size_t start = body->place(cells.starts[0].tensor.value(static_cast<std::int64_t>(i)));
    const std::size_t low = end_of_trees(*body, start, items, false), high = end_of_trees(*body, start, items, true);
    elements[i] = low == high ? LegalElement{} : LegalElement{.kind = LegalElement::Kind::interval, .low = body->values[low], .high = body->values[high]};
    why = "the body rises with both of its arguments; some order gives each end";
  }
  return {};
}

}  // namespace tiebreak::regions
