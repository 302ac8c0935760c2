// SPDX-License-Identifier: Apache-2.0
// One call of one op: which way its page is run, and the formulas that are bound and run for it.
#include "interpreter/evaluate/evaluate.hpp"

#include <fmt/format.h>

#include "interpreter/bind/binder.hpp"
#include "interpreter/elementwise/fill_result.hpp"
#include "interpreter/evaluate/regions.hpp"
#include "interpreter/fast/run_formula.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

/// The op takes any number of operands and gives as many results: each by itself.
bool repeats(const notation::Op& op) {
  return op.operands.size() == 1 && op.results.size() == 1 && op.operands.front().variadic && op.results.front().variadic;
}

/// Each operand by itself.
Result<std::vector<ResultTensor>> evaluate_members(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  if (!call.result_types.empty() && call.result_types.size() != call.operands.size())
    return fail(Errc::type, fmt::format("{}: {} results for {} operands", call.op, call.result_types.size(), call.operands.size()), call.where);
  std::vector<ResultTensor> results;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    OpCall one{.op = call.op, .operands = {call.operands[i]}, .attributes = call.attributes, .version = call.version, .where = call.where};
    if (!call.result_types.empty()) one.result_types = {call.result_types[i]};
    if (i < call.undefined.size()) one.undefined = {call.undefined[i]};
    TIEBREAK_TRY(result, evaluate_page(semantics, one, options));
    results.push_back(std::move(result.front()));
  }
  return results;
}

/// One formula for all results, or for one part.
Result<std::vector<ResultTensor>> evaluate_formula(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options, ResultPart part) {
  TIEBREAK_TRY(formula, bind(semantics, call, part));
  return run_formula(formula, call, options, fill_at_once);
}

/// Each result by itself.
Result<std::vector<ResultTensor>> evaluate_parts(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  std::vector<ResultTensor> results;
  for (std::size_t i = 0; i < call.result_types.size(); ++i) {
    const ResultPart part{i, call.result_types.size()};
    TIEBREAK_TRY(result, evaluate_formula(semantics, call_of_part(call, part), options, part));
    results.push_back(std::move(result.front()));
  }
  return results;
}

/// What a program states of its values holds for a kernel's results, too. An extent below zero is not stated.
Status check_stated_types(const OpCall& call, const std::vector<ResultTensor>& results) {
  for (std::size_t i = 0; i < call.result_types.size(); ++i) {
    if (!call.result_types[i]) continue;
    if (i >= results.size()) return fail(Errc::type, fmt::format("the kernel of {} gives {} results", call.op, results.size()), call.where);
    const TensorType found = results[i].tensor.type();
    TensorType stated = *call.result_types[i];
    if (stated.shape.size() == found.shape.size())
      for (std::size_t d = 0; d < stated.shape.size(); ++d)
        if (stated.shape[d] < 0) stated.shape[d] = found.shape[d];
    if (!same_type(stated, found))
      return fail(Errc::type, fmt::format("{}: result {} has type {}, the kernel gives {}", call.op, i, to_text(stated), to_text(found)), call.where);
  }
  return {};
}

}  // namespace

Result<std::vector<ResultTensor>> evaluate(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  if (!options.kernels) return evaluate_page(semantics, call, options);
  const auto kernel = options.kernels->find(call.op);
  if (kernel == options.kernels->end()) return evaluate_page(semantics, call, options);
  TIEBREAK_TRY(results, kernel->second(semantics, call, options));
  TIEBREAK_CHECK(check_stated_types(call, results));
  return std::move(results);
}

Result<std::vector<ResultTensor>> evaluate_page(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  const auto found = semantics.library.find_op(call.op);
  if (!found) return fail(found.error().code, found.error().what, call.where, found.error().hint);
  const notation::Op& op = *found->op;
  if (notation::is_run(op)) return evaluate_regions(semantics, call, options);
  if (repeats(op) && call.operands.size() != 1) return evaluate_members(semantics, call, options);
  if (gives_parts(op) && call.result_types.size() > 1) return evaluate_parts(semantics, call, options);
  return evaluate_formula(semantics, call, options, {});
}

}  // namespace tiebreak
