// SPDX-License-Identifier: Apache-2.0
// How wide an accumulator a contraction needs: the exact range over all inputs of a range, the range that given data reach, and what a narrower
// accumulator would make of those data.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/orders/integer_sum.hpp"

namespace tiebreak {

enum class NarrowOverflow : std::uint8_t { wrap, saturate };
/// When a sum is brought into the narrow format.
enum class NarrowOrder : std::uint8_t {
  end,       ///< once, of the exact sum
  step,      ///< after every addition, in the order of the bag
  pairwise,  ///< after every addition; halves are combined, the first half the larger
  blocks,    ///< the sum of each run of n terms; the runs are added exactly
};
struct NarrowAccumulator {
  IntegerFormat format{};
  NarrowOverflow overflow = NarrowOverflow::wrap;
  NarrowOrder order = NarrowOrder::end;
  std::int64_t block = 0;  ///< n of blocks
  bool operator==(const NarrowAccumulator&) const = default;
};
/// `i16 saturate step`.
std::string to_text(const NarrowAccumulator& narrow);

/// What becomes of the terms of one sum.
struct NarrowSum {
  std::int64_t value = 0;
  std::int64_t left_at = -1;  ///< number of terms that were in the first partial sum beyond the format; -1: none was
};
/// Terms and all partial sums must be within 62 bits; formats have 2 to 62.
NarrowSum narrow_sum(const std::vector<std::int64_t>& terms, const NarrowAccumulator& narrow);
/// All values that can enter the narrow format on the way, where each term takes any value of its interval and nothing has left it before.
IntegerInterval partial_sums(const std::vector<IntegerInterval>& terms, const NarrowAccumulator& narrow);

/// The whole sum, and every partial sum in the order of the bag, the bias last.
struct AccumulatorSpan {
  IntegerInterval total{}, running{};
  void include(const AccumulatorSpan& other);
};

struct NarrowOutcome {
  NarrowAccumulator narrow{};
  std::int64_t at_risk = 0;  ///< outputs for which some input of the range leaves the format
  std::int64_t left = 0;     ///< outputs whose data leave it
  std::int64_t sums_changed = 0;
  std::int64_t results_changed = 0;
  struct First {             ///< of those whose sum changes; where none does, of those that leave it
    std::int64_t index = 0;  ///< flat, of the result
    std::int64_t exact = 0, narrow = 0;
    std::int64_t left_at = 0;
    std::string exact_result, narrow_result;
  };
  std::optional<First> first{};
};

struct AccumulatorReport {
  std::string op, formula, place;
  bool leaves_out_rounding = false;  ///< the page adds floats; these are the whole numbers they stand for
  std::int64_t outputs = 0;
  std::int64_t terms = 0;  ///< of the longest sum
  AccumulatorSpan worst{};
  std::vector<AccumulatorSpan> worst_by_channel{};  ///< empty where the structure has no channel
  std::optional<AccumulatorSpan> observed{};
  std::vector<AccumulatorSpan> observed_by_channel{};
  std::vector<NarrowOutcome> narrow{};
  Shape shape{};  ///< of the result
};

struct AccumulatorQuestion {
  std::size_t result = 0;
  std::vector<OperandRange> ranges{};
  bool has_data = true;  ///< the ranged operands' elements are data, not placeholders
  std::vector<NarrowAccumulator> narrow{};
};
Result<AccumulatorReport> accumulator_range(const Semantics& semantics, const OpCall& call, const AccumulatorQuestion& question);

}  // namespace tiebreak
