// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/deciding_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {
namespace {

/// Sums of integers, their corrections and what keeps them in a range. A product with a number of the page or of a type is the first step
/// beyond.
class IntegerSums {
 public:
  explicit IntegerSums(const Formula& formula) : formula_(formula), known_(formula.nodes.size()) {}

  bool is_sum(NodeId id) { return facts_of(id).integers && facts_of(id).sums; }

 private:
  struct Facts {
    bool integers = true;  ///< throughout
    bool sums = false;     ///< an aggregate is part of it
  };

  Facts facts_of(NodeId id) {
    auto& known = known_[static_cast<std::size_t>(id)];
    if (!known) known = find(id);
    return *known;
  }

  Facts find(NodeId id) {
    const Node& node = formula_[id];
    Facts facts{node.integer || node.truth, node.op == NodeOp::aggregate};
    if (node.op == NodeOp::round_whole) facts.integers = false;
    for (NodeId arg : node.args) {
      const Facts part = node.op == NodeOp::element ? Facts{} : facts_of(arg);
      facts.integers = facts.integers && part.integers;
      facts.sums = facts.sums || part.sums;
    }
    const bool scales = node.op == NodeOp::multiply && std::ranges::any_of(node.args, [this](NodeId arg) { return formula_.is_constant(arg); });
    if (scales && facts.sums && node.op != NodeOp::aggregate) facts.integers = false;
    // Which way is taken depends on the sum: what comes of it is no longer the sum.
    if (node.op == NodeOp::conditional && facts_of(node.args[0]).sums) facts.integers = false;
    return facts;
  }

  const Formula& formula_;
  std::vector<std::optional<Facts>> known_;
};

const char* word_of(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::sum: return "sum";
    case AggregateKind::product: return "product";
    case AggregateKind::minimum: return "min";
    case AggregateKind::maximum: return "max";
    case AggregateKind::fold: return "fold";
  }
  return "";
}

class Collector {
 public:
  Collector(const Formula& formula, ExactEvaluator& evaluator) : formula_(formula), evaluator_(evaluator), sums_(formula) {}

  Status visit_result(NodeId id) {
    result_ = id;
    return visit(id, false);
  }

  std::vector<DecidingValue> found{};

 private:
  Status visit(NodeId id, bool within_sum) {
    if (formula_.is_constant(id) || !seen_.insert(id).second) return {};
    const Node& node = formula_[id];
    if (!within_sum && id != result_) {
      const bool is_accumulator = !node.truth && sums_.is_sum(id);
      if (is_accumulator || node.op == NodeOp::aggregate) {
        TIEBREAK_CHECK(add(is_accumulator ? "accumulator" : word_of(node.aggregate.kind), id));
        within_sum = true;
      }
    }
    if (node.op == NodeOp::element) return is_one_value(node) ? add(formula_.sources[static_cast<std::size_t>(node.source)].name, id) : Status{};
    // What is not needed is not looked at, as far as one can say without going through the items.
    if (node.op == NodeOp::conditional && !within_sum) {
      TIEBREAK_CHECK(visit(node.args[0], false));
      TIEBREAK_TRY(condition, evaluator_.at(node.args[0]));
      if (condition.is_truth()) return visit(node.args[condition.truth() ? 1 : 2], false);
      return {};
    }
    for (NodeId arg : node.args) TIEBREAK_CHECK(visit(arg, within_sum || node.op == NodeOp::aggregate));
    return {};
  }

  static bool is_one_value(const Node& node) { return (node.rate & (rate_item | rate_block | rate_carried)) == 0; }

  Status add(const std::string& name, NodeId id) {
    if (std::ranges::find(found, name, &DecidingValue::name) != found.end()) return {};
    TIEBREAK_TRY(value, evaluator_.at(id));
    if (value.is_number()) found.push_back({name, value.number()});
    return {};
  }

  const Formula& formula_;
  ExactEvaluator& evaluator_;
  IntegerSums sums_;
  NodeId result_ = -1;
  std::set<NodeId> seen_{};
};

}  // namespace

struct DecidingValues::Bound {
  Formula formula;
  std::size_t result = 0;
};

DecidingValues::DecidingValues(std::unique_ptr<Bound> bound) : bound_(std::move(bound)) {}
DecidingValues::DecidingValues(DecidingValues&&) noexcept = default;
DecidingValues& DecidingValues::operator=(DecidingValues&&) noexcept = default;
DecidingValues::~DecidingValues() = default;

Result<DecidingValues> DecidingValues::bind_to(const Semantics& semantics, const OpCall& call, std::size_t result) {
  TIEBREAK_TRY(formula, bind(semantics, call));
  if (result >= formula.results.size() || formula.results[result].per_item || formula.results[result].single)
    return fail(Errc::unsupported, "a result whose elements are not cells of their own", call.where);
  return DecidingValues(std::make_unique<Bound>(Bound{std::move(formula), result}));
}

Result<std::vector<DecidingValue>> DecidingValues::at(std::int64_t element) const {
  const FormulaResult& result = bound_->formula.results[bound_->result];
  TIEBREAK_TRY(count, element_count(result.type.shape));
  if (element < 0 || element >= count) return fail(Errc::usage, fmt::format("result {} has {} elements, there is no [{}]", result.name, count, element));
  ExactEvaluator evaluator(bound_->formula);
  evaluator.set_cell(element);
  Collector collector(bound_->formula, evaluator);
  TIEBREAK_CHECK(collector.visit_result(result.node));
  return std::move(collector.found);
}

}  // namespace tiebreak
