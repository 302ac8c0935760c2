// SPDX-License-Identifier: Apache-2.0
// Finding the steps: all thresholds of a monotone piece are bisected side by side, so that the function is evaluated over many lanes at once.
#include "interpreter/stairs/staircase.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stairs/monotone_pieces.hpp"

namespace tiebreak {
namespace {

std::int64_t middle_of(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>((static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2);
}
std::uint64_t width(std::int64_t low, std::int64_t high) { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }

/// Thresholds of one piece. `rise(x)` is direction * f(x), which rises.
class ThresholdSearch {
 public:
  ThresholdSearch(ScalarFunction& function, const MonotonePiece& piece, std::int64_t least, std::int64_t greatest)
      : function_(function), piece_(piece), least_(least), thresholds_(static_cast<std::size_t>(greatest - least)) {}

  /// thresholds()[i] is the first input with rise >= least + 1 + i.
  const std::vector<std::int64_t>& thresholds() const { return thresholds_; }

  Status search() {
    std::vector<Segment> segments{{0, thresholds_.size(), piece_.first, piece_.last}};
    while (!segments.empty()) {
      std::vector<Bracket> brackets;
      for (const Segment& s : segments) brackets.push_back({(s.begin + s.end) / 2, s.low, s.high});
      TIEBREAK_CHECK(close(brackets));
      std::vector<Segment> next;
      for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment& s = segments[i];
        const std::size_t place = brackets[i].place;
        const std::int64_t threshold = thresholds_[place];
        if (place > s.begin) next.push_back({s.begin, place, s.low, threshold});
        if (place + 1 < s.end) next.push_back({place + 1, s.end, threshold - 1, s.high});
      }
      segments = std::move(next);
    }
    return {};
  }

  /// From guesses: a few steps each where the guess is near.
  Status search_near(const std::vector<std::int64_t>& guesses) {
    std::vector<Bracket> open(thresholds_.size());
    std::vector<std::int64_t> reach(thresholds_.size(), 1), inputs(thresholds_.size()), values(thresholds_.size());
    std::vector<std::size_t> active(thresholds_.size());
    std::vector<signed char> side(thresholds_.size(), 0);
    for (std::size_t i = 0; i < open.size(); ++i) {
      open[i] = {i, piece_.first, piece_.last};
      inputs[i] = std::clamp(guesses[i], piece_.first + 1, piece_.last);
      active[i] = i;
    }
    while (!active.empty()) {
      std::vector<std::int64_t> asked, answers(active.size());
      for (std::size_t i : active) asked.push_back(inputs[i]);
      TIEBREAK_CHECK(rise(asked, answers));
      std::vector<std::size_t> next;
      for (std::size_t a = 0; a < active.size(); ++a) {
        const std::size_t i = active[a];
        const bool above = answers[a] >= code(i);
        (above ? open[i].high : open[i].low) = inputs[i];
        const signed char now = above ? 1 : -1;
        if ((side[i] != 0 && side[i] != now) || width(open[i].low, open[i].high) <= 1) continue;
        side[i] = now;
        // Outward from the guess, twice as far each time.
        const std::int64_t room = above ? static_cast<std::int64_t>(std::min<std::uint64_t>(width(open[i].low, inputs[i]), INT64_MAX)) - 1
                                        : static_cast<std::int64_t>(std::min<std::uint64_t>(width(inputs[i], open[i].high), INT64_MAX)) - 1;
        const std::int64_t step = std::max<std::int64_t>(1, std::min(reach[i], room));
        inputs[i] += above ? -step : step;
        reach[i] = reach[i] > (INT64_MAX >> 4) ? reach[i] : reach[i] * 4;
        next.push_back(i);
      }
      active = std::move(next);
    }
    return close(open);
  }

 private:
  struct Segment {
    std::size_t begin, end;  ///< places of thresholds
    std::int64_t low, high;  ///< rise(low) lies below all of them, rise(high) at or above
  };
  struct Bracket {
    std::size_t place;
    std::int64_t low, high;
  };
  std::int64_t code(std::size_t place) const { return least_ + 1 + static_cast<std::int64_t>(place); }

  Status rise(const std::vector<std::int64_t>& inputs, std::vector<std::int64_t>& values) {
    TIEBREAK_CHECK(function_.evaluate(inputs, values));
    for (std::int64_t& value : values) {
      if (is_special(value)) return fail(Errc::internal, "a monotone piece has a place without a number", function_.output().type.name());
      value *= piece_.direction;
    }
    return {};
  }

  Status close(std::vector<Bracket>& brackets) {
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < brackets.size(); ++i)
      if (width(brackets[i].low, brackets[i].high) > 1) active.push_back(i);
    std::vector<std::int64_t> inputs, values;
    while (!active.empty()) {
      inputs.clear();
      for (std::size_t i : active) inputs.push_back(middle_of(brackets[i].low, brackets[i].high));
      values.resize(inputs.size());
      TIEBREAK_CHECK(rise(inputs, values));
      std::size_t kept = 0;
      for (std::size_t a = 0; a < active.size(); ++a) {
        Bracket& bracket = brackets[active[a]];
        (values[a] >= code(bracket.place) ? bracket.high : bracket.low) = inputs[a];
        if (width(bracket.low, bracket.high) > 1) active[kept++] = active[a];
      }
      active.resize(kept);
    }
    for (const Bracket& bracket : brackets) thresholds_[bracket.place] = bracket.high;
    return {};
  }

  ScalarFunction& function_;
  const MonotonePiece& piece_;
  std::int64_t least_;
  std::vector<std::int64_t> thresholds_;
};

class StairBuilder {
 public:
  explicit StairBuilder(Staircase& stairs) : stairs_(stairs) {}
  void step(std::int64_t start, std::int64_t value) {
    if (!stairs_.values.empty() && stairs_.values.back() == value) return;
    if (!stairs_.starts.empty() && stairs_.starts.back() == start) {
      stairs_.values.back() = value;
      if (stairs_.values.size() > 1 && stairs_.values[stairs_.values.size() - 2] == value) {
        stairs_.starts.pop_back();
        stairs_.values.pop_back();
      }
      return;
    }
    stairs_.starts.push_back(start);
    stairs_.values.push_back(value);
  }

 private:
  Staircase& stairs_;
};

Status add_table(ScalarFunction& function, Staircase& stairs) {
  StairBuilder builder(stairs);
  std::vector<std::int64_t> inputs(frame_lanes), values(frame_lanes);
  const std::uint64_t count = stairs.input.count();
  for (std::uint64_t done = 0; done < count; done += frame_lanes) {
    const std::size_t some = static_cast<std::size_t>(std::min<std::uint64_t>(frame_lanes, count - done));
    for (std::size_t i = 0; i < some; ++i) inputs[i] = stairs.input.first + static_cast<std::int64_t>(done + i);
    TIEBREAK_CHECK(function.evaluate(std::span(inputs).first(some), std::span(values).first(some)));
    for (std::size_t i = 0; i < some; ++i) builder.step(inputs[i], values[i]);
  }
  stairs.proof = StairProof::table;
  return {};
}

/// Guesses from the stairs of a similar function: where it reaches the same code.
std::vector<std::int64_t> guesses_from(const Staircase& hint, const MonotonePiece& piece, std::int64_t least, std::size_t count) {
  std::vector<std::int64_t> guesses(count, piece.last);
  std::size_t step = hint.step_of(piece.first);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t code = least + 1 + static_cast<std::int64_t>(i);
    while (step < hint.starts.size() && (is_special(hint.values[step]) || hint.values[step] * piece.direction < code) && hint.starts[step] <= piece.last)
      ++step;
    if (step >= hint.starts.size() || hint.starts[step] > piece.last) break;
    guesses[i] = hint.starts[step];
  }
  return guesses;
}

Status add_piece(ScalarFunction& function, const MonotonePiece& piece, const Staircase* hint, const StaircaseLimits& limits, Staircase& stairs) {
  StairBuilder builder(stairs);
  TIEBREAK_TRY(first, function.at(piece.first));
  builder.step(piece.first, first);
  if (piece.direction == 0) return {};
  TIEBREAK_TRY(last, function.at(piece.last));
  if (first == last) return {};
  if (is_special(first) || is_special(last)) return fail(Errc::internal, "a monotone piece begins or ends without a number", function.output().type.name());
  const std::int64_t least = first * piece.direction, greatest = last * piece.direction;
  if (greatest < least) return fail(Errc::internal, "a piece that was proved to rise falls", function.output().type.name());
  const std::uint64_t values = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);  // of f64 up to 2^64
  if (values > static_cast<std::uint64_t>(limits.steps))
    return fail(Errc::limit, fmt::format("the result takes more than {} values on one piece; stairs are made of at most {}", values, limits.steps), {},
                "choose a narrower result type");
  ThresholdSearch search(function, piece, least, greatest);
  if (hint != nullptr && hint->input.first == stairs.input.first && hint->input.last == stairs.input.last)
    TIEBREAK_CHECK(search.search_near(guesses_from(*hint, piece, least, static_cast<std::size_t>(greatest - least))));
  else TIEBREAK_CHECK(search.search());
  const std::vector<std::int64_t>& thresholds = search.thresholds();
  for (std::size_t i = 0; i < thresholds.size(); ++i)
    if (i + 1 == thresholds.size() || thresholds[i + 1] != thresholds[i])
      builder.step(thresholds[i], (least + 1 + static_cast<std::int64_t>(i)) * piece.direction);
  return {};
}

/// Without a proof: rising or falling at all of some thousand inputs, or not a staircase.
Result<MonotonePiece> sampled_piece(ScalarFunction& function, const std::string& obstacle) {
  constexpr std::uint64_t samples = 8192;
  const OrderedType& input = function.input();
  std::vector<std::int64_t> inputs, values(samples + 1);
  const std::uint64_t step = (input.count() - 1) / samples;
  for (std::uint64_t i = 0; i < samples; ++i)  // not evenly: a pattern in the low digits must not hide
    inputs.push_back(input.first + static_cast<std::int64_t>(i * step + (i == 0 ? 0 : i * 2654435761u % std::max<std::uint64_t>(1, step))));
  inputs.push_back(input.last);
  TIEBREAK_CHECK(function.evaluate(inputs, values));
  bool rises = true, falls = true;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (is_special(values[i]) || is_special(values[i - 1])) rises = falls = false;
    rises = rises && values[i] >= values[i - 1];
    falls = falls && values[i] <= values[i - 1];
  }
  if (!rises && !falls)
    return fail(Errc::unsupported, fmt::format("the function neither rises nor falls because of '{}', and has too many inputs for a table", obstacle),
                input.type.name());
  return MonotonePiece{inputs.front(), inputs.back(), rises ? 1 : -1};
}

}  // namespace

const char* to_word(StairProof proof) {
  switch (proof) {
    case StairProof::monotone: return "monotone";
    case StairProof::pieces: return "monotone in pieces";
    case StairProof::table: return "every input evaluated";
    case StairProof::sampled: return "monotone at samples only";
  }
  return "";
}

std::size_t Staircase::step_of(std::int64_t ordinal) const { return static_cast<std::size_t>(std::ranges::upper_bound(starts, ordinal) - starts.begin()) - 1; }

Result<Staircase> staircase(ScalarFunction& function, const Staircase* hint, const StaircaseLimits& limits) {
  Staircase stairs;
  stairs.input = function.input();
  stairs.output = function.output();
  if (!stairs.input.is_integer() && stairs.input.type.floating().has_nan()) {
    TIEBREAK_TRY(at_nan, function.at_nan());
    stairs.at_nan = at_nan;
  }
  constexpr std::uint64_t small_domain = 1 << 16;
  if (stairs.input.count() <= small_domain) {
    TIEBREAK_CHECK(add_table(function, stairs));
    return stairs;
  }
  TIEBREAK_TRY(found, monotone_pieces(function.parts(), static_cast<std::size_t>(limits.pieces)));
  if (!found.obstacle.empty()) {
    stairs.reason = found.obstacle;
    if (stairs.input.count() <= static_cast<std::uint64_t>(limits.table)) {
      TIEBREAK_CHECK(add_table(function, stairs));
      return stairs;
    }
    if (!limits.samples) return fail(Errc::unsupported, fmt::format("no proof where '{}' rises or falls", found.obstacle), stairs.input.type.name());
    TIEBREAK_TRY(piece, sampled_piece(function, found.obstacle));
    found.pieces = {piece};
    stairs.proof = StairProof::sampled;
  } else {
    stairs.proof = found.pieces.size() == 1 ? StairProof::monotone : StairProof::pieces;
  }
  for (const MonotonePiece& piece : found.pieces) {
    const Status added = add_piece(function, piece, hint, limits, stairs);
    if (!added && stairs.proof == StairProof::sampled && added.error().code == Errc::internal)
      return fail(Errc::unsupported, fmt::format("no proof where '{}' rises or falls: {}", found.obstacle, added.error().what), stairs.input.type.name());
    TIEBREAK_CHECK(added);
  }
  return stairs;
}

}  // namespace tiebreak
