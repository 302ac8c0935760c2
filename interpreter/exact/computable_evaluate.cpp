// SPDX-License-Identifier: Apache-2.0
// Decides roundings of irrational values. A value is enclosed; where both ends round alike, that is the result. Where they
// do not, the expression is examined for an exact rational value, then the precision is doubled, up to 2^14 bits.
#include "interpreter/exact/computable_evaluate.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

using Node = Computable::Node;
constexpr mpfr_prec_t first_precision = 64;
constexpr mpfr_prec_t last_precision = 1 << 14;
constexpr mpfr_prec_t patience = 256;         // precision after which a tie is suspected
constexpr std::int64_t leaf_limit = 1 << 19;  // all literals, 1e100000 included

// An argument is enclosed more tightly than its function: exp, sin and their like turn its absolute error into a relative one.
mpfr_prec_t leaf_precision(const Real& v, mpfr_prec_t precision) {
  if (!v.is_finite() || v.is_zero()) return precision;
  return precision + static_cast<mpfr_prec_t>(std::clamp<std::int64_t>(v.exponent() + 64, 64, leaf_limit));
}

ExponentKind kind_of(const Node& exponent) {
  if (exponent.kind != NodeKind::exact || !exponent.value.is_whole()) return ExponentKind::other;
  return round_whole(exponent.value * Real::dyadic(1, -1), Rounding::down) * Real(2) == exponent.value ? ExponentKind::even : ExponentKind::odd;
}

Enclosure enclose_node(const Node& node, const Enclosure* a, const Enclosure* b, mpfr_prec_t precision) {
  switch (node.kind) {
    case NodeKind::exact: return enclose(node.value, leaf_precision(node.value, precision));
    case NodeKind::add: return add(*a, *b, precision);
    case NodeKind::subtract: return subtract(*a, *b, precision);
    case NodeKind::multiply: return multiply(*a, *b, precision);
    case NodeKind::divide: return divide(*a, *b, precision);
    case NodeKind::function: break;
  }
  if (node.function == RealFunction::pow) return power(*a, *b, kind_of(*node.children[1]), precision);
  if (node.function == RealFunction::atan2) return atan2(*a, *b, precision);
  return apply(node.function, *a, precision);
}

std::shared_ptr<const Enclosure> stored(const Node& node, mpfr_prec_t precision) {
  auto last = node.last.load();
  const mpfr_prec_t wanted = node.kind == NodeKind::exact ? leaf_precision(node.value, precision) : precision;
  return last && mpfr_get_prec(last->lo.get()) == wanted ? last : nullptr;
}

// Children before parents, without recursion; what is known at this precision is not visited again.
std::shared_ptr<const Enclosure> enclose_tree(const Node& root, mpfr_prec_t precision) {
  std::vector<const Node*> pending{&root};
  while (!pending.empty()) {
    const Node& node = *pending.back();
    std::array<std::shared_ptr<const Enclosure>, 2> parts;
    bool ready = true;
    for (std::size_t i = 0; i < 2; ++i) {
      if (!node.children[i]) continue;
      parts[i] = stored(*node.children[i], precision);
      if (!parts[i]) {
        pending.push_back(node.children[i].get());
        ready = false;
      }
    }
    if (!ready) continue;
    auto result = std::make_shared<const Enclosure>(enclose_node(node, parts[0].get(), parts[1].get(), precision));
    node.last.store(result);
    pending.pop_back();
    if (pending.empty()) return result;
  }
  return nullptr;
}

// A number just inside an open end: beyond it, but before any other multiple of 2^(quantum - 1), where roundings change.
Real inside(const Real& end, int direction, std::int64_t quantum) {
  if (!end.is_finite()) return end;
  std::int64_t last = quantum - 1;
  if (!end.is_zero()) last = std::min(last, RealAccess::scale(end));
  return end + Real::dyadic(direction, last - 1);
}

struct Bounds {
  Real lower;
  Real upper;
};

Bounds bounds_of(const Enclosure& enclosure, bool irrational, std::int64_t quantum) {
  Bounds result{lower_end(enclosure), upper_end(enclosure)};
  if (irrational || enclosure.lo_open) result.lower = inside(result.lower, 1, quantum);
  if (irrational || enclosure.hi_open) result.upper = inside(result.upper, -1, quantum);
  return result;
}

tl::unexpected<Error> undecided() {
  return fail(Errc::undecided, "16384 bits do not decide a rounding of an irrational value", {},
              "the value lies on a boundary of the rounding, or so near it that it cannot be told from it");
}

// Raises the precision until round(bounds) gives something. `round` gives an empty optional where the ends differ.
template <class Value, class RoundExact, class RoundBounds>
Result<Value> decide(const Node& root, std::int64_t quantum, RoundExact round_exact, RoundBounds round_bounds) {
  bool irrational = root.irrational;
  bool examined = irrational;
  for (mpfr_prec_t precision = first_precision; precision <= last_precision; precision *= 2) {
    const auto enclosure = enclose_tree(root, precision);
    if (enclosure->known == Known::nan) return round_exact(Real::nan());
    if (enclosure->known == Known::bounds)
      if (auto value = round_bounds(bounds_of(*enclosure, irrational, quantum))) return *value;
    if (precision < patience || examined) continue;
    examined = true;
    const Resolution resolution = resolve(root);
    if (resolution.value) return round_exact(*resolution.value);
    irrational = resolution.irrational;
  }
  return undecided();
}

}  // namespace

int sign_of(const Node& root) {
  bool examined = false;
  for (mpfr_prec_t precision = first_precision; precision <= 4 * patience; precision *= 2) {
    const auto enclosure = enclose_tree(root, precision);
    if (enclosure->known == Known::nan) return 0;
    if (const int sign = certain_sign(*enclosure); sign != 0) return sign;
    if (precision < patience || examined) continue;
    examined = true;
    if (const auto value = resolve(root).value) return value->sign();
  }
  return 0;
}

Result<Real> round_node_whole(const Node& root, Rounding rounding) {
  return decide<Real>(
      root, 0, [&](const Real& v) { return round_whole(v, rounding); },
      [&](const Bounds& bounds) -> std::optional<Real> {
        if (!bounds.lower.is_finite() || !bounds.upper.is_finite()) return std::nullopt;
        Real lower = round_whole(bounds.lower, rounding);
        return lower.identical(round_whole(bounds.upper, rounding)) ? std::optional<Real>(std::move(lower)) : std::nullopt;
      });
}

Result<std::optional<Real>> round_node_to(const Node& root, const FloatFormat& format, Rounding rounding, Overflow overflow) {
  const std::int64_t quantum = std::min<std::int64_t>(1 - format.bias - format.fraction_bits, -format.bias);
  const Real beyond = Real::dyadic(1, format.largest().exponent() + 4);
  // An infinite end stands for values without bound, not for an infinity: a directed rounding stops those at the largest value.
  const auto ordinary = [&](const Real& end) { return end.is_infinite() ? (end.is_negative() ? -beyond : beyond) : end; };
  return decide<std::optional<Real>>(
      root, quantum, [&](const Real& v) { return round_to(v, format, rounding, overflow); },
      [&](const Bounds& bounds) -> std::optional<std::optional<Real>> {
        std::optional<Real> lower = round_to(ordinary(bounds.lower), format, rounding, overflow);
        const std::optional<Real> upper = round_to(ordinary(bounds.upper), format, rounding, overflow);
        const bool equal = lower.has_value() == upper.has_value() && (!lower || lower->identical(*upper));
        // nan and nothing stand for both sides of an overflow: then the ends must lie on one side of zero.
        const bool one_result = lower && !lower->is_nan();
        if (!equal || (!one_result && bounds.lower.sign() != bounds.upper.sign())) return std::nullopt;
        return std::optional<std::optional<Real>>(std::move(lower));
      });
}

Result<Real> approximate_node(const Node& root, int bits) {
  const Real tolerance = Real::power_of_two(-std::clamp(bits, 1, 1 << 13));
  const Real least = Real::power_of_two(-(std::int64_t{1} << 20));  // below this, the size is all that is reported
  for (mpfr_prec_t precision = first_precision; precision <= last_precision; precision *= 2) {
    const auto enclosure = enclose_tree(root, precision);
    if (enclosure->known == Known::nan) return Real::nan();
    if (enclosure->known == Known::bounds) {
      const Real lower = lower_end(*enclosure);
      const Real upper = upper_end(*enclosure);
      const Real middle = (lower + upper) * Real::dyadic(1, -1);
      if (upper - lower <= min(abs(lower), abs(upper)) * tolerance) return middle;
      if (abs(lower) <= least && abs(upper) <= least) return middle;
    }
    if (precision != patience) continue;
    if (const auto value = resolve(root).value) return *value;
  }
  return undecided();
}

}  // namespace tiebreak
