// SPDX-License-Identifier: Apache-2.0
// Two formulas of one element, over everything that their leaves may be.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/stairs/scalar_slots.hpp"
#include "testsuite/equal/element_formula.hpp"

namespace tiebreak {

/// What a leaf may be: the values listed, the integers of a range, or every value of its type.
struct LeafDomain {
  TensorType type{};                                             ///< of one element, without a shape
  std::vector<std::uint64_t> codes{};                            ///< listed; empty: all
  std::optional<std::pair<std::int64_t, std::int64_t>> range{};  ///< of integers: from, to
  Wide count() const;
  /// In ascending order of codes.
  std::vector<std::uint64_t> all_codes() const;
  /// Near which roundings decide: ends and neighbours of the type, and for the numbers c in `steps` the values around (k + 1/2) * c. All that are listed.
  std::vector<std::uint64_t> codes_at_ties(const std::vector<Real>& steps) const;
};

enum class Verdict : std::uint8_t { equal, differ, undecided };
const char* to_word(Verdict verdict);

struct ElementQuestion {
  std::map<Leaf, LeafDomain> domains{};
  std::uint64_t combinations = std::uint64_t{1} << 24;  ///< of inputs, that are looked at one by one
  std::uint64_t runs = std::uint64_t{1} << 16;          ///< of both programs whole, where no formula of an element can be had
  std::uint64_t samples = std::uint64_t{1} << 16;       ///< where nothing else decides
  std::uint64_t seed = 0;
};

/// Inputs on which two results differ.
struct ElementWitness {
  std::vector<std::pair<Leaf, Real>> inputs{};
  std::string first{}, second{};          ///< `undefined`, or the value
  double magnitude = 0;                   ///< sum of the inputs' magnitudes: the smallest witness has the least
  std::optional<std::int64_t> element{};  ///< of the output, where the inputs are those of one run of the programs
};

/// Differing inputs looked at, by what enters the roundings to whole numbers there.
struct TieCount {
  std::uint64_t looked_at = 0;
  std::uint64_t first = 0, second = 0;  ///< of these that side rounds a half
};

struct ElementVerdict {
  Verdict verdict = Verdict::undecided;
  std::string way{};                 ///< how it is known, or why it is not
  bool counted = true;               ///< every input was considered: `differing` is of all of them
  Wide inputs = 0;                   ///< that were considered
  Wide differing = 0;                ///< where both are defined
  Wide saturated = 0;                ///< of the differing ones: a result is at the end of its type
  Wide undefined = 0;                ///< on a side or both
  Wide refused = 0;                  ///< by a constraint of a page, on a side or both
  Wide minus_one = 0, plus_one = 0;  ///< second minus first, in codes of the result
  Wide largest = 0;                  ///< greatest distance in codes; 0 where classes were counted
  std::optional<ElementWitness> witness{};
  std::vector<ElementWitness> some{};  ///< of the differing inputs, at most `most_kept`
  TieCount ties{};
};
constexpr std::size_t most_kept = 64;
constexpr std::size_t most_looked_through = 256;  // nodes of both formulas

/// At how many of them a rounding to a whole number meets a half.
TieCount ties_among(const ElementFormula& first, const ElementFormula& second, const std::vector<ElementWitness>& differing);

/// Equal formulas, then every combination if there are few, then stairs along the leaf with the largest domain for every combination of the others; what is
/// left is sampled at ties.
Result<ElementVerdict> compare_elements(const ElementFormula& first, const ElementFormula& second, const ElementQuestion& question);

/// Not equal but undecided, where every input is undefined on a side.
ElementVerdict unless_empty(ElementVerdict verdict);

/// Whether both are one graph of operations, sums and products in either order.
bool same_graph(const ElementFormula& first, const ElementFormula& second);

/// nan is beyond every number.
double magnitude_of(const Real& value);

}  // namespace tiebreak
