// SPDX-License-Identifier: Apache-2.0
// One call of one op: which way its page is run, and the formulas that are bound and run for it.
#include "interpreter/evaluate/evaluate.hpp"

#include <fmt/format.h>

#include "interpreter/bind/binder.hpp"
#include "interpreter/evaluate/regions.hpp"
#include "interpreter/fast/run_formula.hpp"
#include "interpreter/misread/misread_call.hpp"
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
    TIEBREAK_TRY(result, evaluate(semantics, one, options));
    results.push_back(std::move(result.front()));
  }
  return results;
}

/// One formula for all results, or for one part.
Result<std::vector<ResultTensor>> evaluate_formula(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options, ResultPart part) {
  TIEBREAK_TRY(formula, bind(semantics, call, part));
  return run_formula(formula, call, options);
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

}  // namespace

Result<std::vector<ResultTensor>> evaluate(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  TIEBREAK_TRY(place, semantics.library.find_op(call.op));
  if (notation::is_run(*place.op)) return evaluate_regions(semantics, call, options);
  if (repeats(*place.op) && call.operands.size() != 1) {
    const MisreadCall misread = misread_call(*place.op, call);  // the order of the members is known here alone
    return evaluate_members(semantics, misread.call ? *misread.call : call, options);
  }
  if (gives_parts(*place.op) && call.result_types.size() > 1) return evaluate_parts(semantics, call, options);
  return evaluate_formula(semantics, call, options, {});
}

}  // namespace tiebreak
