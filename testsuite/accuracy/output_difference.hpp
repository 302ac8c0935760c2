// SPDX-License-Identifier: Apache-2.0
// One output of a model under two semantics: what differs, by how much, and whether that decides anything. Of one input first, then of all, added up.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// Sums over inputs. Exact, so that the order in which inputs are added changes nothing but which of equals is the first.
struct OutputDifference {
  std::string output{}, element{}, unit{};  ///< the output's name; its element type: u8; the unit of differences: code, ulp
  Shape shape{};                            ///< of the first input's
  std::int64_t inputs = 0, inputs_different = 0;
  std::int64_t elements = 0, different = 0;  ///< compared; not the same (nan is the same as nan, -0 is not +0)
  std::int64_t undefined = 0;                ///< elements that one side leaves undefined: not compared
  std::map<std::string, std::int64_t> histogram{};
  /// The greatest difference, the first of equals.
  struct Farthest {
    double difference = 0;  ///< other - first, in the unit; nan and infinities where one side has them
    std::size_t input = 0;
    std::int64_t element = 0;
    std::string index{}, first{}, other{};  ///< [0, 3]; the two values
  };
  std::optional<Farthest> farthest{};
  std::int64_t no_number = 0;  ///< elements that are nan or infinite on a side: not in the ratio
  Real signal{}, noise{};      ///< sums of x^2 and of (x - y)^2, x of the first, quantized types as the numbers that they stand for
  std::int64_t rows = 0, arg_max_changed = 0, arg_max_tied = 0;  ///< rows of at least two places; of those that changed: a tie on a side
  std::vector<std::size_t> arg_max_inputs{};                     ///< in which some row changed, in order

  /// 10 log10(signal / noise) with four digits; "" where no element has a number on both sides.
  std::string sqnr() const;
  /// What another input has, behind those that are here.
  void add(const OutputDifference& next);
};

/// One input's. `axis` of the arg max: none is the last one. Errc::type where the results have other types or shapes.
Result<OutputDifference> output_difference(const ResultTensor& first, const ResultTensor& other, std::size_t input, std::optional<std::int64_t> axis);

/// The place of the greatest value where the result has one row of at least two places along the axis; nullopt: there are none, or several.
std::optional<std::int64_t> only_arg_max(const ResultTensor& result, std::optional<std::int64_t> axis);
/// Places along the axis; 0 where the result has no such axis.
std::int64_t places_along(const Shape& shape, std::optional<std::int64_t> axis);

}  // namespace tiebreak
