// SPDX-License-Identifier: Apache-2.0
// Executes one op of a page, or a program of such ops, under a profile.
#pragma once
#include <string>
#include <vector>

#include "interpreter/formula/call.hpp"
#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// By the kernel that the options have for the op, else by its page. A kernel's result of another type than the stated one is an error.
Result<std::vector<ResultTensor>> evaluate(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options = {});
/// By the page, even where the options have a kernel for this op: for kernels that change a call or its results. Ops in its regions are answered by kernels.
Result<std::vector<ResultTensor>> evaluate_page(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options = {});

/// One line of a trace.
struct TraceStep {
  std::string text;     ///< formula as written
  std::string value;    ///< exact text (rational or hex float), `undefined`, true/false
  std::string decimal;  ///< decimal of it
  std::string place;    ///< page:line
  std::string choice;   ///< choice=alternative that led here, or ""
  int depth = 0;
};
/// Every step of one result element, in order of evaluation.
Result<std::vector<TraceStep>> explain(const Semantics& semantics, const OpCall& call, std::size_t result, std::int64_t element);

/// Runs a whole program; `inputs` follow program.inputs. Returns results for program.outputs.
Result<std::vector<ResultTensor>> evaluate(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs,
                                           const EvaluateOptions& options = {});

/// Runs a region of the call on all of its operands, then on what the region captures. An absent operand is an error.
Result<std::vector<ResultTensor>> evaluate_region(const Semantics& semantics, const OpCall& call, std::size_t region, const EvaluateOptions& options);

/// The region that an operation runs of several: a truth value chooses the first or the second, an index the region of that number, or the last where there is
/// none. `index` has one element.
std::size_t chosen_region(const Tensor& index, std::size_t regions);

/// The call that operation number `operation` of a program makes, after running those before it. Its regions are the program's.
Result<OpCall> reach_call(const Semantics& semantics, const Program& program, std::size_t operation, const std::vector<Tensor>& inputs);

/// A call that a program makes, and what it gave.
struct ReachedCall {
  OpCall call;
  std::vector<ResultTensor> results{};
};
/// All of them, in the order of the program's operations.
Result<std::vector<ReachedCall>> reach_calls(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs);

}  // namespace tiebreak
