// SPDX-License-Identifier: Apache-2.0
// Runs the chosen engine over all cells of a formula, and stores the results.
#include "interpreter/fast/run_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/fast/store_lanes.hpp"
#include "interpreter/formula/distribute.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/ranges/factor_out.hpp"
#include "interpreter/ranges/last_rounding.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t chunk = 4096;  // lanes at once: columns stay in the cache

std::string element_place(const OpCall& call, const FormulaResult& result, std::int64_t index) {
  return fmt::format("{}{}{}[{}]", call.where, call.where.empty() ? "" : ": ", result.name, index);
}

void mark_undefined(ResultTensor& result, std::int64_t index) {
  if (result.undefined.empty()) result.undefined.resize(static_cast<std::size_t>(result.tensor.size()));
  result.undefined[static_cast<std::size_t>(index)] = 1;
}

/// Puts a value into the result; a value the type cannot hold is a fault of the page.
Status store(const OpCall& call, const FormulaResult& declared, ResultTensor& result, std::int64_t index, const Value& value) {
  if (value.is_undefined()) return mark_undefined(result, index), Status{};
  if (value.is_truth()) return result.tensor.set_code(index, value.truth() ? 1 : 0), Status{};
  if (!value.is_number()) return fail(Errc::type, "N10 an irrational value is stored without a rounding", element_place(call, declared, index));
  const TensorType& type = declared.type;
  const Real& number = value.number();
  const bool inside = !type.quantized || ((number <=> type.quantized->storage_min) >= 0 && (number <=> type.quantized->storage_max) <= 0);
  auto code = type.element.encode(number);
  if (!code || !inside)
    return fail(Errc::type, fmt::format("N05 {} is no value of result {}: {}", number.to_decimal(12), declared.name, to_text(type)),
                element_place(call, declared, index), "round and saturate the result: sat.y(rne(...))");
  result.tensor.set_code(index, *code);
  return {};
}

class Runner {
 public:
  Runner(const OpCall& call, Formula& formula, const EvaluateOptions& options, const FillResult& at_once)
      : call_(call), formula_(formula), options_(options), at_once_(at_once) {}

  Result<std::vector<ResultTensor>> run(Engine engine) {
    std::vector<ResultTensor> results;
    for (const FormulaResult& declared : formula_.results) {
      TIEBREAK_TRY(tensor, Tensor::zeros(declared.type));
      ResultTensor result;
      result.name = declared.name;
      result.tensor = std::move(tensor);
      TIEBREAK_TRY(filled, fill_at_once(declared, result, engine));
      if (!filled) {
        TIEBREAK_CHECK(fill(declared, result, engine));
        TIEBREAK_CHECK(apply_requirements(declared, result));
      }
      if (options_.explain_values) TIEBREAK_CHECK(explain_values(declared, result));
      results.push_back(std::move(result));
    }
    return results;
  }

 private:
  Result<bool> fill_at_once(const FormulaResult& declared, ResultTensor& result, Engine engine) {
    if (engine == Engine::exact || !at_once_) return false;
    return at_once_(formula_, declared, result);
  }

  Status fill(const FormulaResult& declared, ResultTensor& result, Engine engine) {
    if (engine == Engine::exact) return fill_exact(declared, result);
    if (Status fast = fill_fast(declared, result)) return fast;
    // What the fast engine leaves over, the exact engine decides; true errors come back from it.
    TIEBREAK_TRY(tensor, Tensor::zeros(declared.type));
    result.tensor = std::move(tensor);
    result.undefined.clear();
    return fill_exact(declared, result);
  }

  /// Visits (element, cell, item) for each element of a result.
  template <class F>
  Status for_each_element(const FormulaResult& declared, F f) {
    const Geometry& geometry = formula_.geometry;
    const std::int64_t cells = declared.single ? 1 : geometry.cells();
    if (!declared.per_item) {
      for (std::int64_t cell = 0; cell < cells; ++cell) TIEBREAK_CHECK(f(cell, cell, std::int64_t{0}));
      return {};
    }
    std::vector<std::int64_t> place(geometry.cell_extents.size()), item_place(geometry.item_extents.size());
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      unravel(cell, geometry.cell_extents, place);
      for (std::int64_t item = 0; item < geometry.items(); ++item) {
        unravel(item, geometry.item_extents, item_place);
        const std::int64_t element = geometry.item_result.offset(place, item_place);
        if (element >= 0) TIEBREAK_CHECK(f(element, cell, item));
      }
    }
    return {};
  }

  Status fill_exact(const FormulaResult& declared, ResultTensor& result) {
    ExactEvaluator evaluator(formula_);
    return for_each_element(declared, [&](std::int64_t element, std::int64_t cell, std::int64_t item) -> Status {
      evaluator.set_cell(cell);
      evaluator.set_item(item);
      TIEBREAK_TRY(value, evaluator.at(declared.node));
      return store(call_, declared, result, element, value);
    });
  }

  Status store_column(const FormulaResult& declared, ResultTensor& result, const Column& column, std::size_t lane, std::int64_t element) {
    const TensorType& type = declared.type;
    if (column.carrier == Carrier::integer && type.element.is_integer() && !column.is_undefined(lane)) {
      const std::int64_t v = column.integers[column.at(lane)];
      const int bits = type.element.bits();
      const bool inside = type.element.integer().is_signed ? bits == 64 || (v >= -(std::int64_t{1} << (bits - 1)) && v < (std::int64_t{1} << (bits - 1)))
                                                           : v >= 0 && (bits >= 63 || v < (std::int64_t{1} << bits));
      if (inside && !type.quantized) return result.tensor.set_code(element, static_cast<std::uint64_t>(v)), Status{};
    }
    return store(call_, declared, result, element, column.value(lane));
  }

  Status fill_fast(const FormulaResult& declared, ResultTensor& result) {
    const Geometry& geometry = formula_.geometry;
    const NodeId node = factor_out(formula_, distribute(formula_, declared.node));
    FastEvaluator evaluator(formula_);
    const std::int64_t cells = geometry.cells() > 0 && declared.single ? 1 : geometry.cells();
    if (cells == 0 && declared.single) return fail(Errc::unsupported, "one value for the whole of an empty tensor: no lane computes it");
    if (declared.per_item) {
      for (std::int64_t cell = 0; cell < cells; ++cell)
        for (std::int64_t first = 0; first < geometry.items(); first += chunk) {
          const std::size_t count = static_cast<std::size_t>(std::min(chunk, geometry.items() - first));
          evaluator.set_items(cell, first, count);
          TIEBREAK_TRY(column, evaluator.at(node));
          for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t element = geometry.item_result.offset(evaluator.lanes().cell(i), evaluator.lanes().item(i));
            if (element >= 0) TIEBREAK_CHECK(store_column(declared, result, *column, i, element));
          }
        }
      return {};
    }
    for (std::int64_t first = 0; first < cells; first += chunk) {
      const std::size_t count = static_cast<std::size_t>(std::min(chunk, cells - first));
      evaluator.set_cells(first, count);
      TIEBREAK_TRY(column, evaluator.at(node));
      if (store_integers(*column, count, result.tensor, first) || store_floats(*column, count, result.tensor, first)) continue;
      for (std::size_t i = 0; i < count; ++i) TIEBREAK_CHECK(store_column(declared, result, *column, i, first + static_cast<std::int64_t>(i)));
    }
    return {};
  }

  /// Where a `require` of the page does not hold, the result is undefined.
  Status apply_requirements(const FormulaResult& declared, ResultTensor& result) {
    for (const FormulaRequire& requirement : formula_.requires_) {
      ExactEvaluator evaluator(formula_);
      TIEBREAK_CHECK(for_each_element(declared, [&](std::int64_t element, std::int64_t cell, std::int64_t item) -> Status {
        evaluator.set_cell(cell);
        evaluator.set_item(item);
        TIEBREAK_TRY(held, evaluator.at(requirement.node));
        if (!held.is_truth() || !held.truth()) mark_undefined(result, element);
        return {};
      }));
    }
    return {};
  }

  Status explain_values(const FormulaResult& declared, ResultTensor& result) {
    const LastRounding last = last_rounding(formula_, declared.node);
    const bool quantized = declared.type.quantized.has_value();
    const Real low = quantized ? declared.type.quantized->storage_min : declared.type.element.min();
    const Real high = quantized ? declared.type.quantized->storage_max : declared.type.element.max();
    result.before.resize(static_cast<std::size_t>(result.tensor.size()), {std::nan(""), 0});
    result.distance.resize(static_cast<std::size_t>(result.tensor.size()), std::nan(""));
    ExactEvaluator evaluator(formula_);
    bool informative = last.found;
    TIEBREAK_CHECK(for_each_element(declared, [&](std::int64_t element, std::int64_t cell, std::int64_t item) -> Status {
      if (options_.explained && !options_.explained->contains(element)) return {};
      evaluator.set_cell(cell);
      evaluator.set_item(item);
      TIEBREAK_TRY(value, evaluator.at(last.node));
      if (value.is_undefined() || value.is_truth()) return {};
      Real number;
      if (value.is_number()) {
        number = value.number();
      } else {
        const auto approximate = value.computable().approximate();
        if (!approximate && approximate.error().code == Errc::undecided) return {};  // exp(1e38): no digits of it are shown
        if (!approximate) return tl::unexpected<Error>(approximate.error());
        number = *approximate;
      }
      const std::size_t at = static_cast<std::size_t>(element);
      result.before[at] = number.to_double_pair();
      result.distance[at] = static_cast<double>(static_cast<float>(distance_to_boundary(number, last, low, high)));  // what golden files keep
      informative |= !number.identical(result.tensor.value(element));
      return {};
    }));
    // A result that no rounding, wrap or saturation has touched needs no second value.
    if (!informative) result.before.clear();
    if (!last.found) result.distance.clear();
    return {};
  }

  const OpCall& call_;
  Formula& formula_;
  const EvaluateOptions& options_;
  const FillResult& at_once_;
};

Status same_results(const OpCall& call, const std::vector<ResultTensor>& exact, const std::vector<ResultTensor>& fast) {
  for (std::size_t r = 0; r < exact.size(); ++r)
    for (std::int64_t i = 0; i < exact[r].tensor.size(); ++i) {
      const bool undefined = exact[r].is_undefined(i);
      const bool fast_undefined = fast[r].is_undefined(i);
      if (undefined == fast_undefined && (undefined || exact[r].tensor.code(i) == fast[r].tensor.code(i))) continue;
      return fail(
          Errc::internal,
          fmt::format("the engines differ: {}[{}] is {} by the exact engine, {} by the fast one", exact[r].name, i,
                      undefined ? "undefined" : exact[r].tensor.value(i).to_decimal(), fast_undefined ? "undefined" : fast[r].tensor.value(i).to_decimal()),
          call.where.empty() ? call.op : call.where);
    }
  return {};
}

}  // namespace

Result<std::vector<ResultTensor>> run_formula(Formula& formula, const OpCall& call, const EvaluateOptions& options, const FillResult& at_once) {
  Runner runner(call, formula, options, at_once);
  // The fast engine's columns have no place for operands with undefined elements.
  const bool whole = std::ranges::none_of(formula.sources, [](const Source& source) { return source.undefined != nullptr; });
  TIEBREAK_TRY(results, runner.run(whole ? options.engine : Engine::exact));
  if (options.engine != Engine::both) return std::move(results);
  TIEBREAK_TRY(exact, runner.run(Engine::exact));
  TIEBREAK_CHECK(same_results(call, exact, results));
  return std::move(exact);
}

}  // namespace tiebreak
