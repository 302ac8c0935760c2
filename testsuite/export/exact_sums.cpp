// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/exact_sums.hpp"

#include <algorithm>

#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/orders/integer_sum.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_single_sums = 65536;  // each of these is evaluated by itself, over its whole window

using Sums = std::vector<std::int64_t>;

/// What a whole number of the sum is multiplied by in the page, the same for all of its terms: scales, or what they are where they are one number.
std::string units_text(const Formula& formula, const std::vector<NodeId>& units) {
  std::vector<std::string> texts;
  for (const NodeId unit : units) {
    const Node& node = formula[unit];
    if (node.op == NodeOp::constant && node.constant.is_number()) texts.push_back(value_text(node.constant.number()));
    else if (node.op == NodeOp::element) texts.push_back(formula.sources[static_cast<std::size_t>(node.source)].name);
    else texts.push_back(node.text);
  }
  return joined_words(texts, " * ");
}

/// Sums of products, by their polynomials.
Result<std::optional<Sums>> sums_of_products(const Formula& formula, std::size_t result, std::int64_t count, std::vector<std::string>& notes) {
  Result<IntegerSum> sum = IntegerSum::find(formula, result, {});
  if (!sum) return std::optional<Sums>();
  Sums sums;
  Sums terms;
  for (std::int64_t cell = 0; cell < count; ++cell) {
    TIEBREAK_CHECK(formula.stop.check());
    if (!sum->terms(cell, terms)) return std::optional<Sums>();
    __int128 total = 0;
    for (const std::int64_t term : terms) total += term;
    if (total < INT64_MIN || total > INT64_MAX) return std::optional<Sums>();
    sums.push_back(static_cast<std::int64_t>(total));
  }
  notes.push_back(sum->text() + " (" + sum->place() + "), before it wraps, saturates or is scaled");
  if (!sum->units().empty()) notes.push_back("each stands for itself times " + units_text(formula, sum->units()));
  if (sum->leaves_out_rounding()) notes.emplace_back("the page adds floats: these are the whole numbers that they stand for");
  return std::optional(std::move(sums));
}

void collect_aggregates(const Formula& formula, NodeId id, std::vector<bool>& seen, std::vector<NodeId>& found) {
  if (seen[static_cast<std::size_t>(id)]) return;
  seen[static_cast<std::size_t>(id)] = true;
  if (formula[id].op == NodeOp::aggregate) found.push_back(id);
  for (NodeId arg : formula[id].args) collect_aggregates(formula, arg, seen, found);
}

/// The aggregate that leads to the result. -1 where there are several: none of them alone is what the result is made of.
NodeId only_aggregate(const Formula& formula, NodeId root) {
  std::vector<bool> seen(formula.nodes.size(), false);
  std::vector<NodeId> found;
  collect_aggregates(formula, root, seen, found);
  return found.size() == 1 ? found.front() : -1;
}

/// Sums of averages and reductions: of whole numbers, whose partial sums are kept in no format.
Result<std::optional<Sums>> single_sums(const Formula& formula, NodeId sum, std::int64_t count, std::vector<std::string>& notes) {
  const Aggregate& aggregate = formula[sum].aggregate;
  const bool is_plain_sum = formula[sum].integer && aggregate.kind == AggregateKind::sum && aggregate.step < 0 && aggregate.blocks == 0;
  if (!is_plain_sum || count > most_single_sums) return std::optional<Sums>();
  ExactEvaluator evaluator(formula);
  Sums sums;
  for (std::int64_t cell = 0; cell < count; ++cell) {
    TIEBREAK_CHECK(formula.stop.check());
    evaluator.set_cell(cell);
    const Result<Value> value = evaluator.at(sum);
    const auto whole = value && value->is_number() ? value->number().to_int64() : std::nullopt;
    if (!whole) return std::optional<Sums>();
    sums.push_back(*whole);
  }
  notes.push_back(formula[sum].text + " (" + formula[sum].file + ":" + std::to_string(formula[sum].place.line) + ")");
  return std::optional(std::move(sums));
}

Result<Tensor> tensor_of_sums(const Sums& sums, const Shape& shape) {
  const bool fits = std::ranges::all_of(sums, [](std::int64_t sum) { return sum >= INT32_MIN && sum <= INT32_MAX; });
  TIEBREAK_TRY(tensor, Tensor::zeros({ElementType(IntegerFormat{true, fits ? 32 : 64}), shape}));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto code = static_cast<std::uint64_t>(sums[i]);
    tensor.set_code(static_cast<std::int64_t>(i), fits ? code & 0xffffffffU : code);
  }
  return std::move(tensor);
}

}  // namespace

Result<std::optional<ExactSums>> exact_sums(const Formula& formula, std::size_t result) {
  if (result >= formula.results.size() || !formula.geometry.has_bag) return std::optional<ExactSums>();
  const FormulaResult& own = formula.results[result];
  if (own.per_item || own.single) return std::optional<ExactSums>();
  const NodeId aggregate = only_aggregate(formula, own.node);
  if (aggregate < 0) return std::optional<ExactSums>();
  TIEBREAK_TRY(count, element_count(own.type.shape));
  std::vector<std::string> notes;
  TIEBREAK_TRY(products, sums_of_products(formula, result, count, notes));
  std::optional<Sums> sums = std::move(products);
  if (!sums) {
    TIEBREAK_TRY(single, single_sums(formula, aggregate, count, notes));
    sums = std::move(single);
  }
  if (!sums || sums->empty()) return std::optional<ExactSums>();
  TIEBREAK_TRY(tensor, tensor_of_sums(*sums, own.type.shape));
  if (tensor.element().bits() == 64) notes.emplace_back("some sum needs more than 32 bits");
  return std::optional(ExactSums{std::move(tensor), std::move(notes)});
}

}  // namespace tiebreak
