// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score_cells.hpp"

#include <algorithm>
#include <tuple>

#include "testsuite/case/op_program.hpp"
#include "testsuite/text/parallel.hpp"

namespace tiebreak {
namespace {

/// i8, or quant<i8:f32>: without scales, which are values.
std::string type_word(const TensorType& type) {
  if (!type.quantized) return std::string(type.element.name());
  return "quant<" + std::string(type.element.name()) + ":" + std::string(type.quantized->expressed.name()) + ">";
}

std::string input_types(const Case& test) {
  std::string text;
  for (const Tensor& input : test.inputs) text += (text.empty() ? "" : " ") + type_word(input.type());
  return text;
}

std::string output_types(const std::vector<ResultTensor>& outputs) {
  std::string text;
  for (const ResultTensor& output : outputs) text += (text.empty() ? "" : " ") + type_word(output.tensor.type());
  return text;
}

ScoredCase prepare_case(const Semantics& semantics, const Case& test) {
  ScoredCase ready{.test = &test};
  if (test.unusable) {
    ready.left_out = test.unusable->what;
  } else if (!test.expected_error.empty()) {
    ready.left_out = "ill-formed on purpose";
  } else if (std::ranges::any_of(test.program.operations, [&](const Operation& one) { return !semantics.library.op_place(one.op); })) {
    ready.left_out = "an op without a page";
  }
  if (!ready.left_out.empty()) return ready;
  Result<std::vector<ResultTensor>> outputs = evaluate(semantics, test.program, test.inputs);
  if (!outputs) {
    ready.left_out = semantics.library.stop().is_requested()     ? "interrupted"
                     : outputs.error().code == Errc::unsupported ? "not executed yet"
                                                                 : "does not fit its op";
    return ready;
  }
  ready.outputs = std::move(*outputs);
  if (std::ranges::any_of(test.program.operations, [](const Operation& one) { return !one.regions.empty(); }))
    if (auto legal = legal_outputs(semantics, test)) ready.legal = *std::move(legal);
  if (test.program.operations.size() == 1)
    if (Result<CallOfOutput> call = call_of_output(semantics, test, 0))
      if (auto bound = BoundCall::bind(semantics, std::move(call->call))) ready.call = *bound;
  for (std::size_t i = 0; !ready.call && i < test.program.operations.size(); ++i)
    if (Result<OpCall> call = reach_call(semantics, test.program, i, test.inputs)) ready.calls.push_back(std::move(*call));
  return ready;
}

bool tensors_differ(const ResultTensor& a, const ResultTensor& b) {
  if (a.tensor.shape() != b.tensor.shape() || !(a.tensor.element() == b.tensor.element())) return true;
  for (std::int64_t i = 0; i < a.tensor.size(); ++i) {
    const bool undefined = a.is_undefined(i);
    if (undefined != b.is_undefined(i)) return true;
    if (undefined || a.tensor.code(i) == b.tensor.code(i)) continue;
    if (!(a.tensor.value(i).is_nan() && b.tensor.value(i).is_nan())) return true;
  }
  return false;
}

}  // namespace

std::int64_t ScoredCase::elements() const {
  std::int64_t count = 0;
  for (const Tensor& input : test->inputs) count += input.size();
  for (const ResultTensor& output : outputs) count += output.tensor.size();
  return count;
}

bool has_op(const Case& test, const std::string& op) {
  return op.empty() || std::ranges::any_of(test.program.operations, [&](const Operation& one) { return one.op == op; });
}

std::vector<ScoredCase> prepare_cases(const Semantics& semantics, const std::vector<Case>& cases, const ScoreOptions& options) {
  std::vector<ScoredCase> ready(cases.size());
  const auto stop = [&] { return options.interrupted && options.interrupted(); };
  for_each_index(options.jobs, cases.size(), stop, [&](std::size_t i) {
    if (has_op(cases[i], options.op)) ready[i] = prepare_case(semantics, cases[i]);
  });
  return ready;
}

std::vector<CellPlan> cells_of(const std::vector<ScoredCase>& cases, const std::string& only_op) {
  std::map<std::tuple<std::string, std::string, std::string>, CellPlan> cells;
  for (const ScoredCase& one : cases) {
    if (one.test == nullptr || !one.left_out.empty()) continue;
    const std::string inputs = input_types(*one.test), outputs = output_types(one.outputs);
    for (const Operation& operation : one.test->program.operations) {
      if (!only_op.empty() && operation.op != only_op) continue;
      CellPlan& cell = cells[{operation.op, inputs, outputs}];
      cell.op = operation.op;
      cell.inputs = inputs;
      cell.outputs = outputs;
      if (cell.cases.empty() || cell.cases.back() != &one) cell.cases.push_back(&one);
    }
  }
  std::vector<CellPlan> plans;
  for (auto& [key, cell] : cells) {
    std::ranges::stable_sort(cell.cases, {}, &ScoredCase::elements);
    plans.push_back(std::move(cell));
  }
  return plans;
}

bool all_right(const ScoredCase& one, const std::vector<ResultTensor>& mutant) {
  if (one.legal.empty() || mutant.size() != one.outputs.size()) return false;
  std::vector<const Tensor*> answers;
  for (const ResultTensor& output : mutant) answers.push_back(&output.tensor);
  for (std::size_t o = 0; o < mutant.size(); ++o) {
    const ResultTensor &own = one.outputs[o], &other = mutant[o];
    if (!one.legal[o]) {
      if (tensors_differ(own, other)) return false;
      continue;
    }
    const Standings standings(one.legal, answers, o);
    for (std::int64_t i = 0; i < own.tensor.size(); ++i) {
      if (own.is_undefined(i)) continue;
      if (other.is_undefined(i) || (own.tensor.code(i) != other.tensor.code(i) && standings.at(i) == Standing::wrong)) return false;
    }
  }
  return true;
}

bool results_differ(const std::vector<ResultTensor>& original, const std::vector<ResultTensor>& mutant) {
  if (original.size() != mutant.size()) return true;
  for (std::size_t i = 0; i < original.size(); ++i)
    if (tensors_differ(original[i], mutant[i])) return true;
  return false;
}

}  // namespace tiebreak
