// SPDX-License-Identifier: Apache-2.0
// The calls of an op answered as they are misread, wherever in a program they stand.
#include "interpreter/bind/binder.hpp"
#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/fast/run_formula.hpp"
#include "testsuite/score/misreading.hpp"

namespace tiebreak {
namespace {

using MisreadResults = Result<std::vector<ResultTensor>>;

/// The formulas read elsewhere: one for all results, or one for each part.
MisreadResults run_places(const Semantics& semantics, const notation::Op& op, const Misreading& misreading, const OpCall& call,
                          const EvaluateOptions& options) {
  const std::size_t count = gives_parts(op) && call.result_types.size() > 1 ? call.result_types.size() : 1;
  std::vector<OpCall> calls;  // bound formulas refer to them
  for (std::size_t i = 0; i < count; ++i) calls.push_back(count == 1 ? call : call_of_part(call, {i, count}));
  std::vector<Formula> parts;
  for (std::size_t i = 0; i < count; ++i) {
    TIEBREAK_TRY(formula, bind(semantics, calls[i], {i, count}));
    parts.push_back(std::move(formula));
  }
  misread_places(op, misreading, call, parts);
  std::vector<ResultTensor> all;
  for (std::size_t i = 0; i < count; ++i) {
    TIEBREAK_TRY(results, run_formula(parts[i], calls[i], options));
    for (ResultTensor& result : results) all.push_back(std::move(result));
  }
  return all;
}

/// A loop: the region that says whether it goes on, and the one that makes the next state.
class Loop {
 public:
  Loop(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) : semantics_(semantics), call_(call), options_(options) {}

  /// The second region runs before the condition is asked; from then on the loop is right.
  MisreadResults body_first() const {
    TIEBREAK_TRY(state, run(1));
    OpCall next = call_;
    next.undefined.assign(state.size(), {});
    for (std::size_t i = 0; i < state.size(); ++i) next.operands[i] = state[i].tensor, next.undefined[i] = state[i].undefined;
    return evaluate_page(semantics_, next, options_);
  }

  /// The second region runs at most once.
  MisreadResults once() const {
    TIEBREAK_TRY(goes_on, run(0));
    if (goes_on.front().is_undefined(0) || goes_on.front().tensor.code(0) == 0) return evaluate_page(semantics_, call_, options_);
    return run(1);
  }

 private:
  MisreadResults run(std::size_t region) const { return evaluate_region(semantics_, call_, region, options_); }

  const Semantics& semantics_;
  const OpCall& call_;
  const EvaluateOptions& options_;
};

}  // namespace

Kernel misread_kernel(const Misreading& misreading) {
  return [misreading](const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) -> MisreadResults {
    TIEBREAK_TRY(place, semantics.library.find_op(call.op));
    if (misreading.what == Misread::places) return run_places(semantics, *place.op, misreading, call, options);
    if (misreading.what == Misread::loop) {
      TIEBREAK_CHECK(bind_header(semantics, call));
      const Loop loop(semantics, call, options);
      return misreading.word == "once" ? loop.once() : loop.body_first();
    }
    const MisreadCall misread = misread_call(*place.op, misreading, call);
    return evaluate_page(semantics, misread.call ? *misread.call : call, options);
  };
}

}  // namespace tiebreak
