// SPDX-License-Identifier: Apache-2.0
// Long folds by what their body is: one operation that is associative and commutative gives the same in every order, but for start values that are taken
// in more or less often; a float sum lies within its bound for any order.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/orders/legal_fold.hpp"
#include "interpreter/orders/sum_interval.hpp"

namespace tiebreak::regions {
namespace {

using Elements = std::vector<std::optional<LegalElement>>;

/// The one operation of a body of two scalars that are not quantized, on both of them; "" for any other body.
std::string only_operation(const FoldCells& cells) {
  const Program& body = cells.body->program();
  if (cells.starts.size() != 1 || body.operations.size() != 1 || cells.body->parameter(0).quantized || body.inputs.size() != 2) return "";
  const Operation& operation = body.operations.front();
  const bool both =
      operation.operands == std::vector<ValueId>{body.inputs[0], body.inputs[1]} || operation.operands == std::vector<ValueId>{body.inputs[1], body.inputs[0]};
  return both && operation.results == body.outputs ? operation.op : "";
}

Result<ResultTensor> one_value(const TensorType& scalar, std::uint64_t code) {
  TensorType type = scalar;
  type.shape = {1};
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  tensor.set_code(0, code);
  return ResultTensor{.name = "", .tensor = std::move(tensor)};
}

/// Whether an integer sum or product that leaves its type comes back at the other end, as modular arithmetic has it.
Result<bool> wraps(const FoldCells& cells) {
  const TensorType& type = cells.body->parameter(0);
  if (type.element.name() == "bool") return true;
  const Real most = type.element.max();
  TIEBREAK_TRY(left, one_value(type, *type.element.encode(most)));
  TIEBREAK_TRY(right, one_value(type, *type.element.encode(most)));
  TIEBREAK_TRY(results, cells.body->run_lanes({left, right}, 1));
  const Real value = results[0].tensor.value(0);  // max + max is -2, or 2^n - 2; max * max is 1
  return !results[0].is_undefined(0) && (value == Real(1) || value == Real(-2) || value == most - Real(1));
}

Result<bool> order_is_free(const FoldCells& cells, const std::string& operation) {
  const ElementType& element = cells.body->parameter(0).element;
  if (operation == "stablehlo.maximum" || operation == "stablehlo.minimum") return true;
  if (element.is_float()) return false;
  if (operation == "stablehlo.and" || operation == "stablehlo.or" || operation == "stablehlo.xor") return true;
  if (operation != "stablehlo.add" && operation != "stablehlo.multiply") return false;
  return wraps(cells);
}

bool is_same(const ResultTensor& a, const ResultTensor& b, std::int64_t i) {
  return a.is_undefined(i) == b.is_undefined(i) && a.tensor.code(i) == b.tensor.code(i);
}

/// The items alone, then with one start value more each time, until nothing new comes.
Status start_by_start(const FoldCells& cells, Elements& elements, std::string& why) {
  constexpr int most_rounds = 256;
  TIEBREAK_TRY(alone, run_fold(cells, {.has_start = false}));
  ResultTensor current = reshaped(alone.front(), {static_cast<std::int64_t>(cells.cells())});
  for (std::size_t i = 0; i < cells.cells(); ++i)
    if (cells.items_of(i).empty()) put(current, {static_cast<std::int64_t>(i)}, reshaped(*pick(cells.starts[0], {static_cast<std::int64_t>(i)}), {1}));
  std::vector<ResultTensor> seen{current};
  std::vector<std::uint8_t> settled(cells.cells(), 0);
  std::vector<std::vector<std::vector<std::uint64_t>>> members(cells.cells());
  for (std::size_t i = 0; i < cells.cells(); ++i) members[i].push_back({current.tensor.code(static_cast<std::int64_t>(i))});
  for (int round = 0; round < most_rounds && std::ranges::find(settled, 0) != settled.end(); ++round) {
    TIEBREAK_TRY(next, cells.body->run_lanes({current, cells.starts[0]}, static_cast<std::int64_t>(cells.cells())));
    for (std::size_t i = 0; i < cells.cells(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (settled[i] != 0) continue;
      settled[i] = std::ranges::any_of(seen, [&](const ResultTensor& before) { return is_same(before, next[0], at); }) ? 1 : 0;
      if (settled[i] == 0) members[i].push_back({next[0].tensor.code(at)});
    }
    current = next[0];
    seen.push_back(current);
  }
  for (std::size_t i = 0; i < cells.cells(); ++i) {
    if (elements[i]) continue;
    elements[i] = LegalElement{.kind = settled[i] == 0         ? LegalElement::Kind::unknown
                                       : members[i].size() > 1 ? LegalElement::Kind::set
                                                               : LegalElement::Kind::unique,
                               .members = std::move(members[i])};
    if (settled[i] == 0) why = "each further start value gives another result, and any number of them is allowed";
  }
  return {};
}

/// The distance of a sum in any order from the exact one, for each cell.
Status float_sums(const FoldCells& cells, Elements& elements, std::string& why) {
  const FloatFormat& format = cells.body->parameter(0).element.floating();
  const bool permuted = cells.order.set == FoldSet::permutations;
  for (std::size_t i = 0; i < cells.cells(); ++i) {
    if (elements[i]) continue;
    const Real start = cells.starts[0].tensor.value(static_cast<std::int64_t>(i));
    if (!permuted && !(start == Real(0))) continue;
    Real exact = permuted ? start : Real(0), size = abs(exact);
    for (std::int64_t item : cells.items_of(i)) {
      const Real value = item < 0 ? cells.holes[0].tensor.value(0) : cells.sources[0].tensor.value(item);
      exact = exact + value;
      size = size + abs(value);
    }
    if (size.is_nan()) {
      elements[i] = LegalElement{};  // no order loses a nan
      continue;
    }
    const Real bound = size.is_finite() ? any_order_bound(format, static_cast<std::int64_t>(cells.items_of(i).size()) + 1, size) : Real::infinity();
    if (!bound.is_finite()) continue;
    const auto low = round_to(exact - bound, format, Rounding::up), high = round_to(exact + bound, format, Rounding::down);
    elements[i] = LegalElement{.kind = LegalElement::Kind::interval, .low = *low, .high = *high};
    why = fmt::format("float sums: the exact one, and how far any order may be from it, rounded to {} at every step", format.name);
  }
  return {};
}

}  // namespace

Status judge_by_body(const FoldCells& cells, Elements& elements, std::string& why) {
  const std::string operation = only_operation(cells);
  if (operation.empty()) return {};
  TIEBREAK_TRY(free, order_is_free(cells, operation));
  if (free && cells.order.set == FoldSet::trees) return start_by_start(cells, elements, why);
  if (free)
    for (auto& element : elements)
      if (!element) element = LegalElement{};
  if (operation == "stablehlo.add" && cells.body->parameter(0).element.is_float()) return float_sums(cells, elements, why);
  return {};
}

}  // namespace tiebreak::regions
