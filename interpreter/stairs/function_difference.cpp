// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/function_difference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stairs/input_segments.hpp"
#include "interpreter/stairs/piece_analysis.hpp"

namespace tiebreak {
namespace {

/// A side of the comparison on one segment of inputs, looked at by places.
class Side {
 public:
  Side(ScalarFunction& function, const InputSegment& segment) : parts_(function.parts()), segment_(segment), whole_(function.output().is_integer()) {}

  Result<Value> at(const Real& input) {
    PointValues values(parts_.formula, *parts_.known, parts_.varied_source, input);
    for (const FormulaRequire& requirement : parts_.formula.requires_) {
      TIEBREAK_TRY(held, values.at(requirement.node));
      if (!held.is_truth() || !held.truth()) return Value();
    }
    return values.at(parts_.root);
  }
  Result<Value> at(std::int64_t place) { return at(segment_.value(place)); }

  bool same(const Value& a, const Value& b) const {
    if (!a.is_number() || !b.is_number()) return a.is_undefined() && b.is_undefined();
    return whole_ ? a.number() == b.number() : a.number().identical(b.number());
  }

  InputRun run(std::int64_t first, std::int64_t last) const {
    return {[segment = segment_](std::int64_t place) { return segment.value(place); }, first, last, segment_.step < Real(0)};
  }

  Result<std::vector<MonotonePiece>> pieces(std::int64_t first, std::int64_t last, std::size_t cuts) {
    TIEBREAK_TRY(found, monotone_pieces(parts_, run(first, last), cuts));
    if (!found.obstacle.empty()) return fail(Errc::unsupported, fmt::format("no proof where '{}' rises or falls", found.obstacle), parts_.input.type.name());
    return found.pieces;
  }

  /// c such that results grow by c every `period` places; results that pass zero have none, as the sign of zero would be lost.
  Result<std::optional<Real>> drift(std::int64_t first, std::int64_t last, std::int64_t period, std::size_t cuts) {
    PieceAnalysis analysis(parts_, run(first, last), cuts, true);
    TIEBREAK_TRY(settled, analysis.of(parts_.root));
    if (!settled.settled()) return std::optional<Real>{};
    TIEBREAK_TRY(drift, analysis.drift(parts_.root, segment_.step * Real(period)));
    if (!drift || drift->is_zero() || whole_) return drift;
    TIEBREAK_TRY(begin, at(first));
    TIEBREAK_TRY(end, at(last));
    if (!begin.is_number() || !end.is_number() || begin.number().sign() * end.number().sign() <= 0) return std::optional<Real>{};
    return drift;
  }

  /// The last place up to `last` with the value of `first`, of a piece that rises or falls.
  Result<std::int64_t> step_end(std::int64_t first, std::int64_t last, const Value& value) {
    std::int64_t low = first, reach = 1;
    std::int64_t high = last;  // looked at outward, twice as far each time, then bisected
    while (low < high) {
      const std::int64_t probe = reach < high - low ? low + reach : high;
      TIEBREAK_TRY(here, at(probe));
      if (!same(here, value)) {
        high = probe - 1;
        break;
      }
      low = probe;
      reach = reach > (std::int64_t{1} << 61) ? reach : reach * 2;
    }
    while (low < high) {
      const std::int64_t probe = low + (high - low + 1) / 2;
      TIEBREAK_TRY(here, at(probe));
      if (same(here, value)) low = probe;
      else high = probe - 1;
    }
    return low;
  }

 private:
  ScalarFunction::Parts& parts_;
  const InputSegment& segment_;
  bool whole_;
};

/// Where the result's type ends, and where its normal numbers begin.
struct Zones {
  Real least{}, largest{}, lowest{};
  const FloatFormat* format = nullptr;

  explicit Zones(const ElementType& type) {
    if (type.is_integer()) {
      largest = type.max();
      lowest = type.min();
      return;
    }
    format = &type.floating();
    largest = format->largest();
    lowest = format->kind == FloatClass::scale ? Real(0) : -largest;
    least = Real::power_of_two(1 - format->bias);
  }

  InputClass of(const Real& input) const {
    if (input.is_nan()) return InputClass::nan;
    if (input.is_infinite()) return InputClass::infinity;
    if (input.is_zero()) return InputClass::zero;
    if (input > largest || input < lowest) return InputClass::overflow;
    return format != nullptr && abs(input) < least ? InputClass::subnormal : InputClass::rounding;
  }

  /// The numbers of a run in one binade that lie halfway between two of the type.
  struct Ties {
    Real first{};
    Wide count = 0;
  };
  Ties ties(const Real& first, const Real& last, const Real& step) const {
    Real unit(1);
    if (format != nullptr) unit = Real::power_of_two(std::max<std::int64_t>(first.exponent(), 1 - format->bias) - format->fraction_bits);
    const Real begin = abs(first), end = abs(last), half = unit / Real(2);
    const Real tie = round_whole((begin - half) / unit, Rounding::up) * unit + half;
    if (tie > end || step.is_zero() || !((tie - begin) / step).is_whole()) return {};
    // Ties of the run's grid: each, or as many as the run is coarser.
    const Real apart = max(unit, abs(step));
    if (!(apart / unit).is_whole() || !(apart / step).is_whole()) return {};
    return {first < Real(0) ? -tie : tie, Wide{*round_whole((end - tie) / apart, Rounding::down).to_int64()} + 1};
  }
};

class CountedDifference {
 public:
  CountedDifference(ScalarFunction& first, ScalarFunction& second, const DifferenceLimits& limits)
      : first_(first), second_(second), limits_(limits), zones_(first.output().type) {}

  Result<FunctionDifference> all() {
    TIEBREAK_CHECK(first_.parts().make_plan());
    TIEBREAK_CHECK(second_.parts().make_plan());
    const ElementType& type = first_.input().type;
    for (const InputSegment& segment : input_segments(first_.input())) TIEBREAK_CHECK(walk(segment));
    if (const std::uint64_t codes = nan_codes(type); codes > 0) {
      const InputSegment single{Real::nan(), Real(0), 1};
      Side a(first_, single), b(second_, single);
      a_ = &a;
      b_ = &b;
      segment_ = &single;
      TIEBREAK_TRY(x, a.at(Real::nan()));
      TIEBREAK_TRY(y, b.at(Real::nan()));
      add(0, 0, static_cast<Wide>(codes), x, y);
    }
    return found_;
  }

 private:
  /// Zones are cut first, so that what differs on a piece is of one class.
  Status walk(const InputSegment& segment) {
    Side a(first_, segment), b(second_, segment);
    a_ = &a;
    b_ = &b;
    segment_ = &segment;
    for (std::int64_t place = 0; place < segment.count;) {
      const InputClass here = zones_.of(segment.value(place));
      std::int64_t low = place, high = segment.count - 1;  // zones are runs of a segment
      if (zones_.of(segment.value(high)) == here) low = high;
      while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (zones_.of(segment.value(middle)) == here ? low : high) = middle;
      }
      TIEBREAK_CHECK(compare(place, low, 1));
      place = low + 1;
    }
    return {};
  }

  Status compare(std::int64_t first, std::int64_t last, Wide times) {
    if (first == last) return compare_one(first, times);
    TIEBREAK_TRY(left, a_->pieces(first, last, limits_.cuts));
    TIEBREAK_TRY(right, b_->pieces(first, last, limits_.cuts));
    std::size_t i = 0, j = 0;
    while (first <= last) {
      const std::int64_t end = std::min(left[i].last, right[j].last);
      TIEBREAK_CHECK(compare_piece(first, end, left[i], right[j], times));
      if (left[i].last == end) ++i;
      if (right[j].last == end) ++j;
      first = end + 1;
    }
    return {};
  }

  Status compare_one(std::int64_t place, Wide times) {
    TIEBREAK_TRY(x, a_->at(place));
    TIEBREAK_TRY(y, b_->at(place));
    add(place, place, times, x, y);
    return {};
  }

  Status compare_piece(std::int64_t first, std::int64_t last, const MonotonePiece& left, const MonotonePiece& right, Wide times) {
    if (first == last) return compare_one(first, times);
    TIEBREAK_TRY(x, a_->at(first));
    TIEBREAK_TRY(y, b_->at(first));
    TIEBREAK_TRY(x_end, a_->at(last));
    TIEBREAK_TRY(y_end, b_->at(last));
    const bool x_stays = !left.periodic && (left.direction == 0 || a_->same(x, x_end)),
               y_stays = !right.periodic && (right.direction == 0 || b_->same(y, y_end));
    if (x_stays && y_stays) {
      add(first, last, times, x, y);
      return {};
    }
    const bool few = (x_stays || y_stays) && !left.periodic && !right.periodic;
    if (!few) {
      TIEBREAK_TRY(done, by_period(first, last, times));
      if (done) return {};
    }
    if (left.periodic || right.periodic) return fail(Errc::unsupported, "what wraps has no period that was proved", first_.input().type.name());
    // A side that stays is met by the other once at most.
    if (x_stays) return meet(first, last, times, x, *b_, y, y_end, right.direction, false);
    if (y_stays) return meet(first, last, times, y, *a_, x, x_end, left.direction, true);
    return by_steps(first, last, times);
  }

  /// The least power of two of places after which both sides repeat, up to the same constant.
  Result<bool> by_period(std::int64_t first, std::int64_t last, Wide times) {
    const std::uint64_t count = static_cast<std::uint64_t>(last - first) + 1;
    for (int log = 0; log < 62 && (std::uint64_t{2} << log) <= count; ++log) {
      const std::int64_t period = std::int64_t{1} << log;
      TIEBREAK_TRY(x, a_->drift(first, last, period, limits_.cuts));
      if (!x) continue;
      TIEBREAK_TRY(y, b_->drift(first, last, period, limits_.cuts));
      if (!y || *x != *y) continue;
      const std::uint64_t periods = count >> log;
      TIEBREAK_CHECK(compare(first, first + period - 1, times * static_cast<Wide>(periods)));
      const std::int64_t rest = first + static_cast<std::int64_t>(periods << log);
      if (rest <= last) TIEBREAK_CHECK(compare(rest, last, times));
      return true;
    }
    return false;
  }

  /// `still` against a side that rises or falls: before it, on it, after it.
  Status meet(std::int64_t first, std::int64_t last, Wide times, const Value& still, Side& moving, const Value& begin, const Value& end, int direction,
              bool moving_is_first) {
    auto note = [&](std::int64_t from, std::int64_t to, const Value& value) {
      if (from <= to) moving_is_first ? add(from, to, times, value, still) : add(from, to, times, still, value);
    };
    if (!still.is_number() || still.number().is_nan() || !begin.is_number() || !end.is_number()) {
      note(first, last, begin);
      return {};
    }
    // Places before the first that is not below `still`, in the direction of the side.
    auto before = [&](const Value& value) {
      if (moving.same(value, still)) return false;
      const auto order = value.number() <=> still.number();
      if (order == 0) return direction > 0 ? value.number().is_negative() : !value.number().is_negative();
      return direction > 0 ? order < 0 : order > 0;
    };
    std::int64_t low = first - 1, high = last + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      TIEBREAK_TRY(value, moving.at(middle));
      (before(value) ? low : high) = middle;
    }
    note(first, low, begin);
    if (high > last) return {};
    TIEBREAK_TRY(value, moving.at(high));
    std::int64_t stop = high - 1;
    if (moving.same(value, still)) {
      TIEBREAK_TRY(on, moving.step_end(high, last, value));
      note(high, on, value);
      stop = on;
    }
    if (stop < last) {
      TIEBREAK_TRY(next, moving.at(stop + 1));
      note(stop + 1, last, next);
    }
    return {};
  }

  Status by_steps(std::int64_t first, std::int64_t last, Wide times) {
    for (std::size_t steps = 0; first <= last; ++steps) {
      if (steps == limits_.steps)
        return fail(Errc::limit, fmt::format("more than {} steps on one piece, and no period", limits_.steps), first_.input().type.name());
      TIEBREAK_TRY(x, a_->at(first));
      TIEBREAK_TRY(y, b_->at(first));
      TIEBREAK_TRY(x_end, a_->step_end(first, last, x));
      TIEBREAK_TRY(end, b_->step_end(first, x_end, y));
      add(first, end, times, x, y);
      first = end + 1;
    }
    return {};
  }

  void add(std::int64_t first, std::int64_t last, Wide times, const Value& x, const Value& y) {
    const Wide count = (Wide{last} - first + 1) * times;
    found_.total += count;
    const bool open = x.is_undefined() || y.is_undefined();
    if (open) found_.undefined += count;
    if (open ? x.is_undefined() == y.is_undefined() : a_->same(x, y)) return;
    (open ? found_.one_sided : found_.differing) += count;
    const Real input = segment_->value(first);
    const InputClass kind = zones_.of(input);
    const FunctionDifference::Witness witness{input, x, y};
    if (!open && !found_.witness) found_.witness = witness;
    if (kind != InputClass::rounding) return note(kind, open, count, witness);
    const Zones::Ties ties = zones_.ties(input, segment_->value(last), segment_->step);
    if (ties.count > 0) note(InputClass::tie, open, ties.count * times, {ties.first, x, y});
    if (ties.count * times == count) return;
    const bool begins_with_tie = ties.count > 0 && ties.first == input;
    note(kind, open, count - ties.count * times, {begins_with_tie ? segment_->value(first + 1) : input, x, y});
  }

  void note(InputClass kind, bool open, Wide count, const FunctionDifference::Witness& witness) {
    const std::size_t place = static_cast<std::size_t>(kind);
    if (!found_.firsts[place]) found_.firsts[place] = witness;
    (open ? found_.one_sided_by_class : found_.by_class)[place] += count;
  }

  ScalarFunction& first_;
  ScalarFunction& second_;
  DifferenceLimits limits_;
  Zones zones_;
  Side* a_ = nullptr;
  Side* b_ = nullptr;
  const InputSegment* segment_ = nullptr;
  FunctionDifference found_{};
};

}  // namespace

const char* to_word(InputClass input_class) {
  switch (input_class) {
    case InputClass::rounding: return "rounding";
    case InputClass::tie: return "tie";
    case InputClass::subnormal: return "subnormal";
    case InputClass::overflow: return "overflow";
    case InputClass::infinity: return "infinity";
    case InputClass::nan: return "nan";
    case InputClass::zero: return "zero";
  }
  return "";
}

Result<FunctionDifference> compare_functions(ScalarFunction& first, ScalarFunction& second, const DifferenceLimits& limits) {
  return CountedDifference(first, second, limits).all();
}

}  // namespace tiebreak
