// SPDX-License-Identifier: Apache-2.0
// A sum in a format that may be too narrow for it, exactly.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "interpreter/orders/accumulator_range.hpp"

namespace tiebreak {
namespace {

class Narrower {
 public:
  explicit Narrower(const NarrowAccumulator& how)
      : how_(how),
        low_(how.format.is_signed ? -(std::int64_t{1} << (how.format.bits - 1)) : 0),
        high_((std::int64_t{1} << (how.format.bits - (how.format.is_signed ? 1 : 0))) - 1) {}

  /// `terms_in` is how many terms the value is the sum of, counted from the first.
  std::int64_t narrow(std::int64_t v, std::int64_t terms_in) {
    if (v >= low_ && v <= high_) return v;
    if (left_at < 0) left_at = terms_in;
    if (how_.overflow == NarrowOverflow::saturate) return v < low_ ? low_ : high_;
    const std::int64_t modulus = std::int64_t{1} << how_.format.bits;
    const std::int64_t rest = ((v % modulus) + modulus) % modulus;
    return rest > high_ ? rest - modulus : rest;
  }

  std::int64_t pairwise(std::span<const std::int64_t> terms, std::int64_t before) {
    const auto count = static_cast<std::int64_t>(terms.size());
    if (count == 1) return narrow(terms[0], before + 1);
    const std::size_t half = (terms.size() + 1) / 2;
    const std::int64_t left = pairwise(terms.first(half), before);
    const std::int64_t right = pairwise(terms.subspan(half), before + static_cast<std::int64_t>(half));
    return narrow(left + right, before + count);
  }

  std::int64_t left_at = -1;

 private:
  NarrowAccumulator how_;
  std::int64_t low_, high_;
};

IntegerInterval sum_of(std::span<const IntegerInterval> terms) {
  IntegerInterval total{0, 0};
  for (const IntegerInterval& term : terms) total = {total.low + term.low, total.high + term.high};
  return total;
}

void halves(std::span<const IntegerInterval> terms, IntegerInterval& reached) {
  reached.include(sum_of(terms));
  if (terms.size() < 2) return;
  const std::size_t half = (terms.size() + 1) / 2;
  halves(terms.first(half), reached);
  halves(terms.subspan(half), reached);
}

}  // namespace

std::string to_text(const NarrowAccumulator& narrow) {
  const char* overflow = narrow.overflow == NarrowOverflow::wrap ? "wraps" : "saturates";
  switch (narrow.order) {
    case NarrowOrder::end: return fmt::format("{} {} at the end", narrow.format.name(), overflow);
    case NarrowOrder::step: return fmt::format("{} {} at each step", narrow.format.name(), overflow);
    case NarrowOrder::pairwise: return fmt::format("{} {} pairwise", narrow.format.name(), overflow);
    case NarrowOrder::blocks: return fmt::format("{} {} in blocks of {}", narrow.format.name(), overflow, narrow.block);
  }
  return {};
}

IntegerInterval partial_sums(const std::vector<IntegerInterval>& terms, const NarrowAccumulator& narrow) {
  IntegerInterval reached;
  if (terms.empty()) return reached;
  switch (narrow.order) {
    case NarrowOrder::end: return sum_of(terms);
    case NarrowOrder::pairwise: halves(terms, reached); return reached;
    case NarrowOrder::step: {
      IntegerInterval total{0, 0};
      for (const IntegerInterval& term : terms) reached.include(total = {total.low + term.low, total.high + term.high});
      return reached;
    }
    case NarrowOrder::blocks:
      for (std::size_t first = 0; first < terms.size(); first += static_cast<std::size_t>(narrow.block))
        reached.include(sum_of(std::span(terms).subspan(first, std::min(static_cast<std::size_t>(narrow.block), terms.size() - first))));
      return reached;
  }
  return reached;
}

NarrowSum narrow_sum(const std::vector<std::int64_t>& terms, const NarrowAccumulator& narrow) {
  Narrower narrower(narrow);
  std::int64_t total = 0;
  const auto count = static_cast<std::int64_t>(terms.size());
  switch (narrow.order) {
    case NarrowOrder::end:
      for (std::int64_t term : terms) total += term;
      total = narrower.narrow(total, count);
      break;
    case NarrowOrder::step:
      for (std::int64_t i = 0; i < count; ++i) total = narrower.narrow(total + terms[static_cast<std::size_t>(i)], i + 1);
      break;
    case NarrowOrder::pairwise:
      if (count > 0) total = narrower.pairwise(terms, 0);
      break;
    case NarrowOrder::blocks:
      for (std::int64_t first = 0; first < count; first += narrow.block) {
        const std::int64_t last = std::min(first + narrow.block, count);
        std::int64_t run = 0;
        for (std::int64_t i = first; i < last; ++i) run += terms[static_cast<std::size_t>(i)];
        total += narrower.narrow(run, last);
      }
      break;
  }
  return {total, narrower.left_at};
}

}  // namespace tiebreak
