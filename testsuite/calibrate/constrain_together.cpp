// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/constrain_together.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "testsuite/calibrate/bisection.hpp"
#include "testsuite/calibrate/constrained_types.hpp"
#include "testsuite/text/text_parts.hpp"

namespace tiebreak {
namespace {

/// Places in Calibration::tensors, each with the first of its class.
class Classes {
 public:
  explicit Classes(std::size_t count) : first_(count) { std::iota(first_.begin(), first_.end(), std::size_t{0}); }
  std::size_t first_of(std::size_t place) const {
    while (first_[place] != place) place = first_[place];
    return place;
  }
  void join(std::size_t a, std::size_t b) {
    const auto [low, high] = std::minmax({first_of(a), first_of(b)});
    first_[high] = low;
  }
  std::map<std::size_t, std::vector<std::size_t>> members() const {
    std::map<std::size_t, std::vector<std::size_t>> all;
    for (std::size_t place = 0; place < first_.size(); ++place) all[first_of(place)].push_back(place);
    return all;
  }

 private:
  std::vector<std::size_t> first_;
};

class Together {
 public:
  Together(const Constraints& constraints, const Semantics& parameters, const Program& program, Calibration& found)
      : constraints_(constraints), parameters_(parameters), program_(program), found_(found), classes_(found.tensors.size()) {}

  Status run() {
    for (const Operation& operation : program_.operations) TIEBREAK_CHECK(relate(operation));
    for (const auto& [first, members] : classes_.members()) TIEBREAK_CHECK(solve(members));
    for (const Operation& operation : program_.operations)
      for (std::size_t i = 0; i < operation.operands.size(); ++i)
        if (const BiasRule* rule = constraints_.bias_rule(operation, i)) TIEBREAK_CHECK(take_bias(operation, *rule, operation.operands[i]));
    return {};
  }

 private:
  std::vector<std::size_t> places(const Operation& operation) const {
    std::vector<std::size_t> all;
    std::vector<ValueId> ids = operation.operands;
    ids.insert(ids.end(), operation.results.begin(), operation.results.end());
    for (const ValueId id : ids)
      if (const CalibratedTensor* tensor = id < 0 ? nullptr : found_.find(id)) all.push_back(static_cast<std::size_t>(tensor - found_.tensors.data()));
    return all;
  }

  Status relate(const Operation& operation) {
    if (constraints_.alike_rule(operation) != nullptr) {
      const std::vector<std::size_t> related = places(operation);
      for (std::size_t i = 1; i < related.size(); ++i) classes_.join(related[0], related[i]);
    }
    const FixedRule* rule = constraints_.fixed_rule(operation);
    const CalibratedTensor* result = rule == nullptr || operation.results.empty() ? nullptr : found_.find(operation.results[0]);
    if (result == nullptr) return {};
    TIEBREAK_TRY(type, fixed_type(parameters_, rule->function, result->codes.storage, result->parameters.type.expressed, result->parameters.tensor));
    fixed_[static_cast<std::size_t>(result - found_.tensors.data())] = {std::move(type), "fixed: " + rule->function};
    return {};
  }

  struct Solution {
    QuantizedType type{};
    std::string from{};
  };

  Status solve(const std::vector<std::size_t>& members) {
    const std::string where = names_of(members);
    if (members.size() == 1 && !constraints_.bisection && !fixed_.contains(members[0])) return {};
    if (members.size() == 1 && !tensor(members[0]).type.is_per_tensor()) return {};  // channels of weights: no other tensor is related to them
    if (members.size() == 1 && !fixed_.contains(members[0]) && !has_width(tensor(members[0]))) return {};
    TIEBREAK_TRY(solution, solution_of(members, where));
    for (const std::size_t member : members) {
      TensorParameters& own = tensor(member);
      own.type = solution.type;
      if (!solution.from.empty()) own.from = solution.from;
    }
    return {};
  }

  Result<Solution> solution_of(const std::vector<std::size_t>& members, const std::string& where) const {
    Solution solution;
    std::optional<Range> range;
    const CalibratedTensor& first = found_.tensors[members[0]];
    for (const std::size_t member : members) {
      const CalibratedTensor& own = found_.tensors[member];
      if (const auto fixed = fixed_.find(member); fixed != fixed_.end()) {
        if (!solution.from.empty() && !same_parameters(solution.type, fixed->second.type))
          return fail(Errc::constraint, "tensors that must be alike have the ranges " + solution.from + " and " + fixed->second.from, where);
        solution = fixed->second;
      }
      if (!own.parameters.type.is_per_tensor()) return fail(Errc::constraint, own.parameters.tensor + " has a scale for each channel", where, "no --per-axis");
      if (!(own.codes == first.codes))
        return fail(Errc::constraint, "tensors that must be alike have codes of different types", where, "--weights as --storage");
      if (own.parameters.range)
        range = range ? Range{min(range->low, own.parameters.range->low), max(range->high, own.parameters.range->high)} : own.parameters.range;
      else if (solution.from.empty())
        return fail(Errc::constraint, "provider " + found_.provider + " gives " + own.parameters.tensor + " no range that could be joined", where,
                    "a provider of ranges: --provider min_max");
    }
    if (!solution.from.empty()) return solution;
    if (members.size() > 1) solution.from = "joined: " + where;
    TIEBREAK_TRY(type, type_of(*range, first, where));
    solution.type = std::move(type);
    return solution;
  }

  Result<QuantizedType> type_of(const Range& range, const CalibratedTensor& first, const std::string& where) const {
    Provided provided{.range = {{range.low, range.high}}};
    const CodeFormat& codes = first.codes;
    if (constraints_.bisection) {
      const Real least = codes.storage.min() + Real(codes.narrow ? 1 : 0);
      const auto solved = bisected_parameters(range.low.to_double(), range.high.to_double(), least.to_double(), (codes.storage.max() - least).to_double());
      if (!solved) return fail(Errc::constraint, "the bisection finds no scale for the empty range of 0", where, "data that are not 0 everywhere");
      provided = {.range = {}, .parameters = {{Real::from_double(solved->first), Real::from_double(solved->second)}}};
    }
    return type_of_ranges(parameters_, {provided}, first.parameters.type.expressed, codes, {}, where);
  }

  Status take_bias(const Operation& operation, const BiasRule& rule, ValueId id) {
    CalibratedTensor* bias = id < 0 ? nullptr : found_.find(id);
    if (bias == nullptr || !bias->is_constant) return {};
    if (rule.of_result) {
      const CalibratedTensor* result = operation.results.empty() ? nullptr : found_.find(operation.results[0]);
      if (result == nullptr || !result->parameters.type.is_per_tensor()) return {};
      bias->parameters.type = accumulator_type(bias->parameters.type.expressed, {result->parameters.type.scales[0].value}, false);
      bias->parameters.from = "bias: " + result->parameters.tensor;
      return {};
    }
    const CalibratedTensor *x = found_.find(operation.operands[0]), *w = found_.find(operation.operands[1]);
    if (x == nullptr || w == nullptr || !x->parameters.type.is_per_tensor()) return {};
    TIEBREAK_TRY(type, product_type(parameters_, x->parameters.type, w->parameters.type, bias->parameters.tensor));
    bias->parameters.type = std::move(type);
    bias->parameters.from = "bias: " + x->parameters.tensor + " * " + w->parameters.tensor;
    return {};
  }

  /// The bisection has no solution where all is 0, and a scale that was given has no range: what a tensor has by itself stays.
  bool has_width(const TensorParameters& own) {
    if (own.range && (own.range->low.sign() < 0 || own.range->high.sign() > 0)) return true;
    found_.notes.push_back(own.tensor + " keeps the parameters that it has by itself: it has no range but 0");
    return false;
  }

  std::string names_of(const std::vector<std::size_t>& members) const {
    std::vector<std::string> names;
    for (const std::size_t member : members) names.push_back(found_.tensors[member].parameters.tensor);
    return joined_words(names, ", ");
  }
  TensorParameters& tensor(std::size_t place) { return found_.tensors[place].parameters; }

  const Constraints& constraints_;
  const Semantics& parameters_;
  const Program& program_;
  Calibration& found_;
  Classes classes_;
  std::map<std::size_t, Solution> fixed_{};
};

}  // namespace

Status solve_together(const Constraints& constraints, const Semantics& parameters, const Program& program, Calibration& found) {
  return Together(constraints, parameters, program, found).run();
}

}  // namespace tiebreak
