// SPDX-License-Identifier: Apache-2.0
// How much a form of a program differs from its reference, value by value: signal to noise, errors, saturation, ties, codes, and how a step of one code grows.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testsuite/case/case.hpp"
#include "testsuite/parameters/parameters.hpp"
#include "testsuite/sources/batches.hpp"
#include "testsuite/statistics/exact_sum.hpp"

namespace tiebreak {

/// A program under a profile, with the name that reports have for it.
struct StatisticsSide {
  std::string name;
  Program program;
  Profile profile;
};
struct StatisticsOptions {
  EvaluateOptions evaluate{};
  std::optional<std::int64_t> axis{};  ///< of the arg max; none: the last one
  bool ties = true;                    ///< asks the exact evaluator for the numbers before the last rounding of codes
  bool growth = false;
  std::size_t growth_elements = 8;  ///< elements that get one code more, one at a time
};

/// Counts of values in bins of one width, a power of two: the same whatever the order of the values.
class BinCounts {
 public:
  void add(double value);
  std::map<std::int64_t, std::int64_t> bins{};  ///< bin b holds b * 2^exponent <= value < (b + 1) * 2^exponent
  int exponent = 0;

 private:
  void widen(int to);
  bool empty_ = true;
};

/// Where an element is.
struct ElementPlace {
  std::size_t batch = 0;
  std::int64_t element = 0;
  std::string index{};  ///< [0, 3]
};
struct CodeStatistics {
  std::string from{};  ///< the value that has the codes: x.q
  Real low, high;      ///< ends of the range
  std::int64_t elements = 0, at_low = 0, at_high = 0;
  std::int64_t tie_known = 0, tied = 0, near_tie = 0;  ///< elements with a known distance; exactly at a tie; within 1e-9 codes of one, those at it left out
  std::set<std::int64_t> used{};
  std::int64_t range() const;
};
/// One value of one form against the same value of the reference, over all batches.
struct NodeStatistics {
  std::string node, op, where{};
  std::size_t form = 0;
  std::string from{};  ///< value of the form: x, or x.q read by its parameters
  std::string type{};
  std::int64_t elements = 0, different = 0, skipped = 0;  ///< skipped: undefined, nan or infinite on a side
  ExactSum signal{}, cross{}, form_power{}, reference_sum{}, form_sum{};
  double greatest = -1;  ///< |form - reference|, rounded to a double
  double reference_there = 0, form_there = 0;
  ElementPlace place{};
  std::optional<CodeStatistics> codes{};
  std::int64_t rows = 0, arg_max_changed = 0;
  Real noise() const { return signal.value() - Real(2) * cross.value() + form_power.value(); }
  Real error_sum() const { return form_sum.value() - reference_sum.value(); }
  std::string sqnr() const;
  std::string mean_error() const;
  Real greatest_error() const;
};
/// A value of the reference itself.
struct TensorPicture {
  std::string node, op;
  BinCounts histogram{};
  std::optional<Real> low{}, high{};  ///< real numbers that the codes' ends stand for, where parameters are given per tensor
};
/// What becomes of one output when codes of `node` are one more.
struct GrowthLine {
  std::size_t form = 0;
  std::string node, output, unit;  ///< unit: codes, or `value` where the output has none
  std::int64_t moved = 0;          ///< elements that could be one more: not at the upper end
  std::int64_t elements = 0, all_changed = 0;
  Real all_greatest{};                      ///< greatest change when all of them are
  std::int64_t tried = 0, one_changed = 0;  ///< one element at a time: how often the output changed in some element
  Real one_greatest{};
};
struct StatisticsReport {
  std::string reference, reference_profile;
  std::vector<std::pair<std::string, std::string>> forms{};  ///< name, profile
  std::vector<std::string> batches{};
  std::vector<NodeStatistics> nodes{};  ///< in the order of the reference's operations, then of forms
  std::vector<TensorPicture> pictures{};
  std::vector<GrowthLine> growth{};
  std::vector<std::string> notes{};
};

/// Batches of the reference; forms take its inputs by name, else by place.
Result<StatisticsReport> collect_statistics(const Library& library, const StatisticsSide& reference, const std::vector<StatisticsSide>& forms,
                                            const ParameterSet& parameters, const std::vector<Batch>& batches, const StatisticsOptions& options);

/// `first`: the first node of each form at which it leaves the reference.
std::string statistics_text(const StatisticsReport& report);
std::string statistics_json(const StatisticsReport& report);
std::string statistics_markdown(const StatisticsReport& report);
std::string statistics_html(const StatisticsReport& report);

}  // namespace tiebreak
