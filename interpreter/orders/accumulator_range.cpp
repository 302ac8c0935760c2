// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/accumulator_range.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_terms = std::int64_t{1} << 36;

Affine cell_coordinate(std::size_t coordinate) {
  Affine affine;
  affine.cell.push_back({static_cast<int>(coordinate), 1});
  return affine;
}

/// A formula in which the accumulator is replaced by numbers, one a cell.
class Substituted {
 public:
  Substituted(const Formula& formula, const IntegerSum& sum, NodeId result, std::vector<Real> values) : formula_(formula), result_(result) {
    Source source{.name = "accumulator"};
    std::vector<Affine> positions;
    for (std::size_t c = 0; c < formula.geometry.cell_extents.size(); ++c) positions.push_back(cell_coordinate(c));
    source.access = make_access(formula.geometry.cell_extents, positions);
    source.values = std::move(values);
    Node& node = formula_.nodes[static_cast<std::size_t>(sum.node())];
    const std::uint64_t rate = node.rate;
    Node element{.op = NodeOp::element, .integer = node.integer};
    element.source = static_cast<int>(formula_.sources.size());
    element.rate = rate;
    element.text = node.text;
    node = std::move(element);
    formula_.sources.push_back(std::move(source));
    evaluator_.emplace(formula_);
  }
  Substituted(const Substituted&) = delete;
  Substituted& operator=(const Substituted&) = delete;

  Result<std::string> at(std::int64_t cell) {
    evaluator_->set_cell(cell);
    TIEBREAK_TRY(value, evaluator_->at(result_));
    if (value.is_undefined()) return std::string("undefined");
    if (value.is_truth()) return std::string(value.truth() ? "true" : "false");
    if (value.is_number()) return value.number().to_string();
    TIEBREAK_TRY(approximate, value.computable().approximate());
    return approximate.to_decimal(30);
  }

 private:
  Formula formula_;
  NodeId result_;
  std::optional<ExactEvaluator> evaluator_{};
};

class Surveyor {
 public:
  Surveyor(Formula& formula, IntegerSum& sum, const AccumulatorQuestion& question, AccumulatorReport& report)
      : formula_(formula), sum_(sum), question_(question), report_(report), narrow_values_(question.narrow.size()) {
    const Geometry& geometry = formula.geometry;
    if (auto found = geometry.indices.find("channel"); found != geometry.indices.end()) {
      channel_ = &found->second;
      report.worst_by_channel.resize(static_cast<std::size_t>(geometry.extents.at("channel")));
      if (question.has_data) report.observed_by_channel.resize(report.worst_by_channel.size());
    }
    for (const NarrowAccumulator& narrow : question.narrow) report.narrow.emplace_back().narrow = narrow;
    if (question.has_data) report.observed.emplace();
  }

  Status run() {
    const std::int64_t cells = formula_.geometry.cells();
    for (std::int64_t cell = 0; cell < cells; ++cell) TIEBREAK_CHECK(survey(cell));
    report_.outputs = cells;
    return question_.has_data ? compare_results() : Status{};
  }

 private:
  std::size_t channel_of(std::int64_t cell) const {
    std::vector<std::int64_t> place(formula_.geometry.cell_extents.size());
    unravel(cell, formula_.geometry.cell_extents, place);
    std::int64_t channel = channel_->base;
    for (const Affine::Part& part : channel_->cell) channel += part.coefficient * place[static_cast<std::size_t>(part.coordinate)];
    return static_cast<std::size_t>(channel);
  }

  static Status add(std::int64_t& total, std::int64_t term) {
    constexpr std::int64_t most = std::int64_t{1} << 61;
    if (__builtin_add_overflow(total, term, &total) || total > most || total < -most) return fail(Errc::limit, "a partial sum is beyond 62 bits");
    return {};
  }

  Status survey(std::int64_t cell) {
    TIEBREAK_CHECK(formula_.stop.check());
    TIEBREAK_CHECK(sum_.extremes(cell, extremes_));
    report_.terms = std::max(report_.terms, static_cast<std::int64_t>(extremes_.size()));
    AccumulatorSpan worst;
    std::int64_t low = 0, high = 0;
    for (const IntegerInterval& term : extremes_) {
      TIEBREAK_CHECK(add(low, term.low));
      TIEBREAK_CHECK(add(high, term.high));
      worst.running.include(IntegerInterval{low, high});
    }
    worst.total = {low, high};
    report_.worst.include(worst);
    if (channel_ != nullptr) report_.worst_by_channel[channel_of(cell)].include(worst);
    for (NarrowOutcome& outcome : report_.narrow) {
      const IntegerInterval reached = partial_sums(extremes_, outcome.narrow);
      outcome.at_risk += !reached.is_empty() && !(fits(Real(reached.low), outcome.narrow.format) && fits(Real(reached.high), outcome.narrow.format)) ? 1 : 0;
    }
    return question_.has_data ? observe(cell) : Status{};
  }

  Status observe(std::int64_t cell) {
    TIEBREAK_CHECK(sum_.terms(cell, terms_));
    AccumulatorSpan seen;
    std::int64_t total = 0;
    for (std::int64_t term : terms_) {
      TIEBREAK_CHECK(add(total, term));
      seen.running.include(total);
    }
    seen.total.include(total);
    report_.observed->include(seen);
    if (channel_ != nullptr) report_.observed_by_channel[channel_of(cell)].include(seen);
    exact_values_.push_back(total);
    for (std::size_t i = 0; i < report_.narrow.size(); ++i) {
      NarrowOutcome& outcome = report_.narrow[i];
      const NarrowSum narrowed = narrow_sum(terms_, outcome.narrow);
      narrow_values_[i].push_back(narrowed.value);
      outcome.left += narrowed.left_at >= 0 ? 1 : 0;
      outcome.sums_changed += narrowed.value != total ? 1 : 0;
      // The first that comes out changed; while there is none, the first that left and came back.
      const bool changed = narrowed.value != total, had_changed = outcome.first && outcome.first->exact != outcome.first->narrow;
      if (narrowed.left_at >= 0 && (!outcome.first || (changed && !had_changed))) outcome.first = {cell, total, narrowed.value, narrowed.left_at, "", ""};
    }
    return {};
  }

  /// The sums as the formula has them: times what a unit is worth in their cell.
  Result<std::vector<Real>> in_units(const std::vector<std::int64_t>& sums) {
    ExactEvaluator evaluator(formula_);
    std::vector<Real> values;
    for (std::size_t cell = 0; cell < sums.size(); ++cell) {
      Real value(sums[cell]);
      evaluator.set_cell(static_cast<std::int64_t>(cell));
      for (NodeId unit : sum_.units()) {
        TIEBREAK_TRY(worth, evaluator.at(unit));
        if (!worth.is_number()) return fail(Errc::unsupported, formula_.op + ": a factor of the sum is no number");
        value = value * worth.number();
      }
      values.push_back(std::move(value));
    }
    return values;
  }

  Status compare_results() {
    if (report_.narrow.empty()) return {};
    const FormulaResult& declared = formula_.results[question_.result];
    TIEBREAK_TRY(exact_sums, in_units(exact_values_));
    Substituted exact(formula_, sum_, declared.node, std::move(exact_sums));
    for (std::size_t i = 0; i < report_.narrow.size(); ++i) {
      NarrowOutcome& outcome = report_.narrow[i];
      if (outcome.left == 0) continue;
      TIEBREAK_TRY(narrow_sums, in_units(narrow_values_[i]));
      Substituted narrow(formula_, sum_, declared.node, std::move(narrow_sums));
      for (std::size_t cell = 0; cell < exact_values_.size(); ++cell) {
        const bool is_first = outcome.first && outcome.first->index == static_cast<std::int64_t>(cell);
        if (exact_values_[cell] == narrow_values_[i][cell] && !is_first) continue;
        TIEBREAK_TRY(expected, exact.at(static_cast<std::int64_t>(cell)));
        TIEBREAK_TRY(changed, narrow.at(static_cast<std::int64_t>(cell)));
        outcome.results_changed += expected != changed ? 1 : 0;
        if (is_first) {
          outcome.first->exact_result = expected;
          outcome.first->narrow_result = changed;
        }
      }
    }
    return {};
  }

  Formula& formula_;
  IntegerSum& sum_;
  const AccumulatorQuestion& question_;
  AccumulatorReport& report_;
  const Affine* channel_ = nullptr;
  std::vector<IntegerInterval> extremes_{};
  std::vector<std::int64_t> terms_{}, exact_values_{};
  std::vector<std::vector<std::int64_t>> narrow_values_;
};

Status check_question(const Formula& formula, const AccumulatorQuestion& question) {
  for (const OperandRange& range : question.ranges) {
    const auto source = std::ranges::find(formula.sources, range.operand, &Source::name);
    if (source == formula.sources.end() || source->tensor == nullptr) {
      std::vector<std::string> names;
      for (const Source& one : formula.sources) names.push_back(one.name);
      const std::string near = nearest(range.operand, names);
      return fail(Errc::unknown_name, fmt::format("{} has no operand '{}'", formula.op, range.operand), {}, near.empty() ? "" : "did you mean '" + near + "'?");
    }
    const ElementType& type = source->tensor->element();
    const auto& quantized = source->tensor->type().quantized;
    if (!type.is_integer())
      return fail(Errc::unsupported, fmt::format("{}: operand {} is {}, a range of codes needs integers", formula.op, range.operand, type.name()));
    const Real low = quantized ? quantized->storage_min : type.min(), high = quantized ? quantized->storage_max : type.max();
    if (range.codes.is_empty() || Real(range.codes.low) < low || high < Real(range.codes.high))
      return fail(Errc::usage, fmt::format("{} .. {} is no range of {}", range.codes.low, range.codes.high, range.operand), {},
                  fmt::format("codes are {} .. {}", low.to_string(), high.to_string()));
  }
  for (const NarrowAccumulator& narrow : question.narrow) {
    if (narrow.format.bits < 2 || narrow.format.bits > 62) return fail(Errc::usage, "an accumulator has 2 to 62 bits");
    if (narrow.order == NarrowOrder::blocks && narrow.block < 1) return fail(Errc::usage, "blocks have one term or more");
  }
  const std::int64_t cells = formula.geometry.cells(), items = std::max<std::int64_t>(formula.geometry.items(), 1);
  if (cells > most_terms / items) return fail(Errc::limit, fmt::format("{}: {} sums of {} terms are too many", formula.op, cells, items));
  return {};
}

}  // namespace

void AccumulatorSpan::include(const AccumulatorSpan& other) {
  total.include(other.total);
  running.include(other.running);
}

Result<AccumulatorReport> accumulator_range(const Semantics& semantics, const OpCall& call, const AccumulatorQuestion& question) {
  TIEBREAK_TRY(formula, bind(semantics, call));
  TIEBREAK_CHECK(check_question(formula, question));
  TIEBREAK_TRY(sum, IntegerSum::find(formula, question.result, question.ranges));
  AccumulatorReport report;
  report.op = formula.op;
  report.formula = sum.text();
  report.place = sum.place();
  report.leaves_out_rounding = sum.leaves_out_rounding();
  report.shape = formula.results[question.result].type.shape;
  TIEBREAK_CHECK(Surveyor(formula, sum, question, report).run());
  return report;
}

}  // namespace tiebreak
