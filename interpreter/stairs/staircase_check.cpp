// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/staircase_check.hpp"

#include <algorithm>

#include "interpreter/exact/magnitude.hpp"
#include "interpreter/stairs/monotone_pieces.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t asked_at_once = 4096;
constexpr std::uint64_t small_domain = 1 << 16;

/// Asks in chunks and stops at the first chunk with a difference.
class Asked {
 public:
  Asked(ScalarFunction& function, StairCheck& result) : function_(function), result_(result) {}

  Status add(std::int64_t input, std::int64_t expected) {
    inputs_.push_back(input);
    expected_.push_back(expected);
    return inputs_.size() < asked_at_once ? Status{} : flush();
  }
  Status flush() {
    values_.resize(inputs_.size());
    TIEBREAK_CHECK(function_.evaluate(inputs_, values_));
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (values_[i] == expected_[i] || (result_.differs_at && magnitude(*result_.differs_at) <= magnitude(inputs_[i]))) continue;
      result_.differs_at = inputs_[i];
      result_.value = values_[i];
    }
    inputs_.clear();
    expected_.clear();
    return {};
  }
  bool found() const { return result_.differs_at.has_value(); }

 private:
  ScalarFunction& function_;
  StairCheck& result_;
  std::vector<std::int64_t> inputs_{}, values_{}, expected_{};
};

/// Every input, or both ends of every step.
Status ask_steps(Asked& asked, const Staircase& known, bool whole) {
  for (std::size_t i = 0; i < known.starts.size() && !asked.found(); ++i) {
    const std::int64_t first = known.starts[i], last = i + 1 < known.starts.size() ? known.starts[i + 1] - 1 : known.input.last;
    TIEBREAK_CHECK(asked.add(first, known.values[i]));
    if (whole)
      for (std::int64_t input = first; input < last;) TIEBREAK_CHECK(asked.add(++input, known.values[i]));
    else if (last != first) TIEBREAK_CHECK(asked.add(last, known.values[i]));
  }
  return asked.flush();
}

/// Of a small domain, the difference nearest to zero.
Status find_nearest(ScalarFunction& function, const Staircase& known, StairCheck& result) {
  result.differs_at.reset();
  Asked asked(function, result);
  const OrderedType& input = known.input;
  for (std::int64_t m = 0; !asked.found() && (m <= input.last || -m > input.first); ++m)
    for (const std::int64_t at : {m, -m - 1})
      if (at >= input.first && at <= input.last) TIEBREAK_CHECK(asked.add(at, known.at(at)));
  return asked.flush();
}

/// Constant between the inputs that were asked: monotone there. The ends of its own pieces are asked as well.
Status prove_between(ScalarFunction& function, const Staircase& known, const StaircaseLimits& limits, Asked& asked, StairCheck& result) {
  TIEBREAK_TRY(found, monotone_pieces(function.parts(), static_cast<std::size_t>(limits.pieces)));
  if (!found.obstacle.empty()) {
    result.reason = found.obstacle;
    return {};
  }
  for (const MonotonePiece& piece : found.pieces) {
    for (const std::int64_t end : {piece.first, piece.last}) {
      const std::int64_t value = known.at(end);
      if (piece.direction != 0 && is_special(value)) result.reason = "a monotone piece begins or ends without a number";
      TIEBREAK_CHECK(asked.add(end, value));
    }
  }
  return asked.flush();
}

}  // namespace

Result<StairCheck> check_stairs(ScalarFunction& function, const Staircase& known, const StaircaseLimits& limits) {
  StairCheck result;
  const OrderedType& input = function.input();
  if (input.first != known.input.first || input.last != known.input.last || !(input.type == known.input.type))
    return fail(Errc::internal, "stairs of another type", input.type.name());
  Asked asked(function, result);
  TIEBREAK_CHECK(ask_steps(asked, known, false));
  if (result.differs_at && input.count() <= small_domain) TIEBREAK_CHECK(find_nearest(function, known, result));
  if (result.differs_at) return result;
  if (known.at_nan) {
    TIEBREAK_TRY(at_nan, function.at_nan());
    if (at_nan != *known.at_nan) {
      result.differs_at_nan = true;
      result.value = at_nan;
      return result;
    }
  }
  if (known.proof == StairProof::sampled) {
    result.reason = known.reason.empty() ? "not known to be monotone" : known.reason;
    return result;
  }
  TIEBREAK_CHECK(prove_between(function, known, limits, asked, result));
  if (!result.differs_at && !result.reason.empty() && input.count() <= small_domain) {
    result.reason.clear();
    TIEBREAK_CHECK(ask_steps(asked, known, true));
  }
  result.equal = !result.differs_at && result.reason.empty();
  return result;
}

Result<StairCheck> check_samples(ScalarFunction& first, ScalarFunction& second) {
  constexpr std::int64_t each = 4096;
  const OrderedType& input = first.input();
  std::vector<std::int64_t> inputs;
  const std::uint64_t step = std::max<std::uint64_t>(1, input.count() / each);
  for (std::int64_t i = 0; i < each && static_cast<std::uint64_t>(i) * step < input.count(); ++i) {
    const std::uint64_t jitter = static_cast<std::uint64_t>(i) * 2654435761u % step;
    inputs.push_back(input.first + static_cast<std::int64_t>(static_cast<std::uint64_t>(i) * step + jitter));
  }
  for (std::int64_t i = 0; i < each; ++i)
    for (const std::int64_t at : {i / 2, -i / 2, input.first + i / 4, input.last - i / 4})
      if (at >= input.first && at <= input.last) inputs.push_back(at);
  std::vector<std::int64_t> expected(inputs.size());
  TIEBREAK_CHECK(first.evaluate(inputs, expected));
  StairCheck result;
  Asked asked(second, result);
  for (std::size_t i = 0; i < inputs.size() && !asked.found(); ++i) TIEBREAK_CHECK(asked.add(inputs[i], expected[i]));
  if (!asked.found()) TIEBREAK_CHECK(asked.flush());
  result.reason = "compared at samples only";
  return result;
}

}  // namespace tiebreak
