// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/function_pair.hpp"

#include "interpreter/stairs/input_segments.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string proof_text(const Staircase& stairs) {
  return std::string(to_word(stairs.proof)) + (stairs.reason.empty() ? "" : " (no proof for '" + stairs.reason + "')");
}

/// What stairs would say, as far as classes tell: numbers without nan, and no distances.
Disagreement numbers_of(const FunctionDifference& found, const OrderedType& input) {
  Disagreement d;
  const Wide nan = found.by_class[static_cast<std::size_t>(InputClass::nan)];
  d.count = capped(found.differing - nan);
  d.undefined = capped(found.undefined);
  d.one_sided = capped(found.one_sided);
  d.total = capped(found.total - static_cast<Wide>(nan_codes(input.type)));
  d.nan_differs = nan > 0;
  if (!found.witness || found.witness->input.is_nan()) return d;
  const Real& at = found.witness->input;
  d.witness = at.is_zero() && at.is_negative() ? -1 : input.ordinal_below(at);
  return d;
}

}  // namespace

std::string outcome_text(const OrderedType& type, std::int64_t outcome) {
  if (outcome == outcome_undefined) return "undefined";
  return outcome == outcome_nan ? "nan" : value_text(type.value(outcome));
}

std::string outcome_text(const Value& outcome) { return outcome.is_number() ? value_text(outcome.number()) : "undefined"; }

Result<FunctionPair> compare_pair(ScalarFunction& a, ScalarFunction& b) {
  auto stairs = staircase(a);
  auto other = stairs ? staircase(b, &*stairs) : Result<Staircase>(Staircase{});
  if (stairs && other && stairs->proof != StairProof::sampled && other->proof != StairProof::sampled)
    return FunctionPair{compare(*stairs, *other), stairs->starts.size(), std::nullopt, {proof_text(*stairs), proof_text(*other)}};
  for (const auto* made : {&stairs, &other})
    if (!*made && !has_no_stairs(made->error())) return tl::unexpected<Error>(made->error());
  if (auto found = compare_functions(a, b)) return FunctionPair{numbers_of(*found, a.input()), 0, *found, {"none; runs of equal steps, one period for all"}};
  else if (!stairs || !other || !has_no_stairs(found.error()))
    return tl::unexpected<Error>(stairs && other ? found.error() : stairs ? other.error() : stairs.error());
  return FunctionPair{compare(*stairs, *other), stairs->starts.size(), std::nullopt, {proof_text(*stairs), proof_text(*other)}};
}

}  // namespace tiebreak
