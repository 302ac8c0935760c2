// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/accumulators.hpp"

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "testsuite/calibrate/constrained_types.hpp"

namespace tiebreak {
namespace {

/// One operand: where its elements lie, and what they can be, less the zero point.
struct Factor {
  const Access* access = nullptr;
  IntegerInterval any{};               ///< of an operand that is no constant
  std::vector<std::int64_t> values{};  ///< of a constant

  IntegerInterval at(std::int64_t offset) const {
    if (values.empty()) return any;
    const std::int64_t value = values[static_cast<std::size_t>(offset)];
    return {value, value};
  }
};

IntegerInterval product_of(const IntegerInterval& a, const IntegerInterval& b) {
  IntegerInterval product;
  for (const std::int64_t x : {a.low, a.high})
    for (const std::int64_t y : {b.low, b.high}) product.include(x * y);
  return product;
}

/// The source of an element, through roundings; -1: it is none.
int element_source(const Formula& formula, NodeId id) {
  const Node* node = &formula[id];
  while (node->op == NodeOp::round_float) node = &formula[node->args[0]];
  return node->op == NodeOp::element && (node->rate & rate_item) != 0 ? node->source : -1;
}

/// Of the first sum whose terms are products of elements of two operands.
std::optional<std::pair<int, int>> summed_sources(const Formula& formula) {
  for (const Node& node : formula.nodes) {
    if (node.op != NodeOp::aggregate || node.aggregate.kind != AggregateKind::sum) continue;
    const Node* term = &formula[node.args[0]];
    while (term->op == NodeOp::round_float) term = &formula[term->args[0]];
    if (term->op != NodeOp::multiply) continue;
    const int first = element_source(formula, term->args[0]), second = element_source(formula, term->args[1]);
    if (first >= 0 && second >= 0 && first != second) return std::pair(first, second);
  }
  return std::nullopt;
}

/// Under `reference`, whose sums are sums, not folds in some order.
Result<Formula> bound(const Library& library, const OpCall& call) {
  TIEBREAK_TRY(reference, library.find_profile("reference"));
  return bind({library, *reference}, call);
}

class Sums {
 public:
  Sums(const Geometry& geometry, const Factor& first, const Factor& second, const Factor* bias)
      : geometry_(geometry), first_(first), second_(second), bias_(bias) {}

  Status run(AccumulatorNeed& need) {
    // Cells that read the same constants have the same sums: coordinates that no constant follows stay at 0.
    std::uint64_t rate = 0;
    for (const Factor* factor : {&first_, &second_, bias_})
      if (factor != nullptr && !factor->values.empty()) rate |= factor->access->cell_rate();
    Shape extents = geometry_.cell_extents;
    for (std::size_t c = 0; c < extents.size(); ++c)
      if ((rate >> c & 1) == 0) extents[c] = 1;
    std::vector<std::int64_t> cell(extents.size());
    for (std::int64_t i = 0; i < product(extents, 0, extents.size()); ++i) {
      unravel(i, extents, cell);
      TIEBREAK_CHECK(add_cell(cell, need));
    }
    return {};
  }

 private:
  Status add_cell(const std::vector<std::int64_t>& cell, AccumulatorNeed& need) {
    std::vector<std::int64_t> item(geometry_.item_extents.size());
    IntegerInterval reach{0, 0};  // every partial sum, in any order: what is below zero alone, and what is above it
    std::int64_t terms = 0;
    for (std::int64_t i = 0; i < geometry_.items(); ++i) {
      unravel(i, geometry_.item_extents, item);
      const std::int64_t a = first_.values.empty() ? 0 : first_.access->offset(cell, item), b = second_.values.empty() ? 0 : second_.access->offset(cell, item);
      if (a < 0 || b < 0) continue;
      ++terms;
      TIEBREAK_CHECK(add(reach, product_of(first_.at(a), second_.at(b))));
    }
    if (bias_ != nullptr) {
      const std::int64_t place = bias_->access->offset(cell, std::vector<std::int64_t>(geometry_.item_extents.size()));
      if (place >= 0) TIEBREAK_CHECK(add(reach, bias_->at(place)));
    }
    need.sums.include(reach);
    need.terms = std::max(need.terms, terms);
    return {};
  }

  static Status add(IntegerInterval& reach, const IntegerInterval& term) {
    constexpr std::int64_t most = std::int64_t{1} << 61;
    reach.low += std::min<std::int64_t>(term.low, 0);
    reach.high += std::max<std::int64_t>(term.high, 0);
    if (reach.low < -most || reach.high > most) return fail(Errc::limit, "a sum of products is beyond 62 bits");
    return {};
  }

  const Geometry& geometry_;
  const Factor &first_, &second_;
  const Factor* bias_;
};

class Need {
 public:
  Need(const Semantics& parameters, const ProductOfCodes& product, const notation::Op& op, const Formula& formula)
      : parameters_(parameters), product_(product), op_(op), formula_(formula) {}

  Result<std::optional<AccumulatorNeed>> run() {
    const auto sources = summed_sources(formula_);
    if (!sources) return std::nullopt;
    TIEBREAK_TRY(first, factor(operand_of(sources->first), 16));
    TIEBREAK_TRY(second, factor(operand_of(sources->second), 16));
    if (!first || !second) return std::nullopt;
    std::optional<Factor> bias;
    for (std::size_t i = 0; i < product_.types.size() && !bias; ++i)
      if (product_.constant[i] && product_.types[i] != nullptr && product_.types[i]->storage.bits() == 32) {
        TIEBREAK_TRY(found, factor(i, 32));
        bias = std::move(found);
      }
    AccumulatorNeed need{.tensor = {}, .op = product_.call.op};
    TIEBREAK_CHECK(Sums(formula_.geometry, *first, *second, bias ? &*bias : nullptr).run(need));
    return need;
  }

 private:
  std::optional<std::size_t> operand_of(int source) const {
    const std::string& name = formula_.sources[static_cast<std::size_t>(source)].name;
    const auto found = std::ranges::find(op_.operands, name, &notation::Operand::name);
    if (found == op_.operands.end() || found->variadic) return std::nullopt;
    return static_cast<std::size_t>(found - op_.operands.begin());
  }

  Result<std::optional<Factor>> factor(std::optional<std::size_t> operand, int most_bits) const {
    if (!operand || *operand >= product_.types.size() || product_.types[*operand] == nullptr) return std::nullopt;
    const QuantizedType& type = *product_.types[*operand];
    const auto access = formula_.geometry.operands.find(op_.operands[*operand].name);
    if (type.storage.bits() > most_bits || access == formula_.geometry.operands.end()) return std::nullopt;
    Factor factor{.access = &access->second};
    if (product_.constant[*operand]) {
      TIEBREAK_TRY(values, codes_less_zero_points(parameters_, *product_.call.operands[*operand], type, product_.call.where));
      factor.values = std::move(values);
      return factor;
    }
    for (const ZeroPoint& zero : type.zero_points) {
      factor.any.include(*(type.storage_min - zero.value).to_int64());
      factor.any.include(*(type.storage_max - zero.value).to_int64());
    }
    return factor;
  }

  const Semantics& parameters_;
  const ProductOfCodes& product_;
  const notation::Op& op_;
  const Formula& formula_;
};

}  // namespace

bool sums_products(const Library& library, const OpCall& call) {
  const auto formula = bound(library, call);
  return formula && formula->geometry.has_bag && summed_sources(*formula);
}

Result<std::optional<AccumulatorNeed>> accumulator_need(const Semantics& parameters, const ProductOfCodes& product) {
  const auto place = parameters.library.find_op(product.call.op);
  const auto formula = bound(parameters.library, product.call);
  if (!place || !formula || !formula->geometry.has_bag) return std::nullopt;
  return Need(parameters, product, *place->op, *formula).run();
}

}  // namespace tiebreak
