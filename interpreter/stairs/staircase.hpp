// SPDX-License-Identifier: Apache-2.0
// A scalar function as its steps: where each begins and what it is worth. Complete for every input, found by bisection between
// places where the formula is known to be monotone.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/stairs/scalar_function.hpp"

namespace tiebreak {

/// How the steps are known to be all of them.
enum class StairProof : std::uint8_t {
  monotone,  ///< the formula rises (or falls) over the whole domain
  pieces,    ///< it does between cuts that were found by bisection: where a value wraps, changes sign or takes another branch
  table,     ///< every input was evaluated
  sampled,   ///< no proof: monotone at all sampled inputs. Counts from such stairs are no proofs either, and are marked
};
const char* to_word(StairProof proof);

struct Staircase {
  OrderedType input{}, output{};
  std::vector<std::int64_t> starts{};  ///< ascending; the first is input.first
  std::vector<std::int64_t> values{};  ///< of [starts[i], starts[i + 1]): ordinals of the output, or outcome_*; neighbours differ
  std::optional<std::int64_t> at_nan{};
  StairProof proof = StairProof::monotone;
  std::string reason{};  ///< of pieces, table and sampled: the formula that is not monotone

  std::size_t step_of(std::int64_t input_ordinal) const;
  std::int64_t at(std::int64_t input_ordinal) const { return values[step_of(input_ordinal)]; }
};

struct StaircaseLimits {
  std::int64_t steps = 1 << 20;   ///< more steps than this: Errc::limit
  std::int64_t table = 1 << 17;   ///< domains up to this are evaluated whole where the formula is not monotone
  std::int64_t pieces = 1 << 12;  ///< more cuts than this: no proof is tried
  bool samples = true;            ///< without a proof, what is monotone at samples has stairs; false: Errc::unsupported
};
/// `hint`: stairs of a similar function; its steps are tried first.
Result<Staircase> staircase(ScalarFunction& function, const Staircase* hint = nullptr, const StaircaseLimits& limits = {});

/// Where two functions of the same input differ, over the whole domain.
struct Disagreement {
  std::uint64_t count = 0;                                       ///< inputs with different results; undefined on either side does not count
  std::uint64_t undefined = 0;                                   ///< inputs where one side or both are undefined
  std::uint64_t one_sided = 0;                                   ///< of these, where the other side is not
  std::uint64_t total = 0;                                       ///< inputs in all
  std::optional<std::int64_t> witness{};                         ///< of least magnitude
  std::int64_t witness_first = 0, witness_second = 0;            ///< results there
  std::uint64_t by_minus_one = 0, by_plus_one = 0, by_more = 0;  ///< second minus first
  std::int64_t largest = 0;                                      ///< largest absolute difference, in ordinals
  std::uint64_t unsaturated = 0;                                 ///< inputs where neither result is its type's end
  std::uint64_t unsaturated_by_one = 0;                          ///< of these, where the results are one apart: what a rounding moves
  std::uint64_t saturated = 0;                                   ///< differing inputs where a result is its type's end
  bool nan_differs = false;
  bool proved = true;  ///< both staircases are
  bool equal() const { return count == 0 && !nan_differs; }
};
Disagreement compare(const Staircase& first, const Staircase& second);

/// Runs of inputs [first, last] where results differ, in order, at most `limit`.
struct DifferingRun {
  std::int64_t first, last;
  std::int64_t first_value, second_value;
};
std::vector<DifferingRun> differing_runs(const Staircase& first, const Staircase& second, std::size_t limit = SIZE_MAX);

}  // namespace tiebreak
