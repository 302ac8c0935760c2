// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/evaluate/explain_difference.hpp"
#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/candidates/legal_outputs.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/export/code_table.hpp"
#include "testsuite/export/exact_sums.hpp"
#include "testsuite/export/identifiers.hpp"
#include "testsuite/export/scalings.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

class Collecting {
 public:
  Collecting(const Semantics& semantics, const Case& test) : semantics_(semantics), test_(test) {}

  Result<ExportedCase> run() {
    made_.id = test_.id;
    made_.profile = semantics_.profile.name;
    const std::set<std::string> ops = ops_with_regions(test_.program);
    made_.op_hashes = dependency_hashes(semantics_, ops);
    if (const std::string silent = undeclared_text(semantics_, ops); !silent.empty()) made_.notes.push_back(silent);
    take_inputs();
    TIEBREAK_TRY(reached, reach_calls(semantics_, test_.program, test_.inputs));
    TIEBREAK_CHECK(take_outputs(reached));
    TIEBREAK_CHECK(take_calls(reached));
    made_.clauses.assign(clauses_.begin(), clauses_.end());
    return std::move(made_);
  }

 private:
  void add(ExportedTensor tensor) {
    if (tensor.tensor.size() == 0) {
      made_.notes.push_back(std::string(to_word(tensor.role)) + " " + tensor.of + " has no element, and no file");
      return;
    }
    tensor.name = names_.unique(tensor.role, tensor.of);
    made_.tensors.push_back(std::move(tensor));
  }

  void take_inputs() {
    const Program& program = test_.program;
    for (std::size_t i = 0; i < test_.inputs.size(); ++i) add({.role = ExportRole::input, .of = input_name(test_, i), .tensor = test_.inputs[i]});
    for (const ProgramValue& value : program.values)
      if (value.constant) add({.role = ExportRole::constant, .of = bare_name(value.name), .tensor = *value.constant});
  }

  Status take_outputs(const std::vector<ReachedCall>& reached) {
    const Program& program = test_.program;
    const auto legal = legal_outputs(semantics_, test_);
    TIEBREAK_CHECK(semantics_.library.stop().check());
    for (std::size_t o = 0; o < program.outputs.size(); ++o) {
      TIEBREAK_TRY(output, output_of(reached, program.outputs[o]));
      ExportedTensor expected{.role = ExportRole::expected, .of = output_name(test_, o)};
      if (!legal) expected.notes.push_back("whether other results are right, too, is not known: " + legal.error().what);
      else if ((*legal)[o]) note_other_results(output, *(*legal)[o], expected);
      add_with_mask(std::move(expected), std::move(output));
    }
    return {};
  }

  /// What an operation gave; an input or a constant as it is.
  Result<ResultTensor> output_of(const std::vector<ReachedCall>& reached, ValueId id) const {
    const Program& program = test_.program;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::vector<ValueId>& results = program.operations[i].results;
      const auto at = static_cast<std::size_t>(std::ranges::find(results, id) - results.begin());
      if (at < results.size() && at < reached[i].results.size()) return reached[i].results[at];
    }
    const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    if (value.constant) return ResultTensor{.name = value.name, .tensor = *value.constant};
    for (std::size_t i = 0; i < test_.inputs.size(); ++i)
      if (program.inputs[i] == id) return ResultTensor{.name = value.name, .tensor = test_.inputs[i]};
    return fail(Errc::type, "output " + value.name + " is never computed", program.file);
  }

  void note_other_results(const ResultTensor& output, const LegalOutput& legal, ExportedTensor& expected) {
    std::int64_t several = 0;
    for (std::int64_t i = 0; i < output.tensor.size(); ++i)
      several += legal.text(i, output) != (output.is_undefined(i) ? "undefined" : value_text(output.tensor.value(i))) ? 1 : 0;
    if (several == 0) return;
    expected.notes.push_back(
        fmt::format("{} of {} elements have other right results, too: here stands the one that the profile names first", several, output.tensor.size()));
    made_.notes.push_back("expected " + expected.of + ": " + expected.notes.back());
  }

  void add_with_mask(ExportedTensor tensor, ResultTensor result) {
    tensor.tensor = std::move(result.tensor);
    if (std::ranges::find(result.undefined, 1) != result.undefined.end()) tensor.undefined = std::move(result.undefined);
    ExportedTensor mask{.role = ExportRole::defined, .of = tensor.of};
    const bool is_masked = !tensor.undefined.empty() && tensor.role == ExportRole::expected;
    if (is_masked) {
      mask.tensor = *Tensor::zeros({ElementType(IntegerFormat{false, 8}), tensor.tensor.shape()});
      for (std::size_t i = 0; i < tensor.undefined.size(); ++i) mask.tensor.set_code(static_cast<std::int64_t>(i), tensor.undefined[i] != 0 ? 0 : 1);
      mask.notes.emplace_back("1: the element is stated; 0: the profile leaves it undefined, and every value is right");
    }
    add(std::move(tensor));
    if (is_masked) add(std::move(mask));
  }

  Status take_calls(const std::vector<ReachedCall>& reached) {
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const OpCall& call = reached[i].call;
      if (const auto readings = readings_of(semantics_, call))
        for (const auto& [choice, alternative] : *readings) clauses_.insert(choice + "=" + alternative);
      const auto place = semantics_.library.find_op(call.op);
      if (!place || !call.regions.empty()) continue;
      const Result<Formula> formula = bind(semantics_, call);
      const std::vector<ValueId>& results = test_.program.operations[i].results;
      for (std::size_t r = 0; r < results.size() && r < reached[i].results.size(); ++r) {
        if (results[r] < 0) continue;
        const std::string name = bare_name(test_.program, results[r]);
        if (formula) TIEBREAK_CHECK(take_formula(*formula, *place->op, r, name));
        TIEBREAK_CHECK(take_table(call, r, name));
      }
    }
    return {};
  }

  Status take_formula(const Formula& formula, const notation::Op& op, std::size_t result, const std::string& name) {
    TIEBREAK_TRY(sums, exact_sums(formula, result));
    if (sums) add({.role = ExportRole::accumulator, .of = name, .tensor = std::move(sums->tensor), .notes = std::move(sums->notes)});
    return take_scalings(formula, op, result, name);
  }

  Status take_table(const OpCall& call, std::size_t result, const std::string& name) {
    TIEBREAK_TRY(table, code_table(semantics_, call, result));
    if (!table) return {};
    ExportedTensor entries{.role = ExportRole::table, .of = name};
    entries.notes.push_back("entry i is the result for the code of " + table->operand + " whose bits are i");
    add_with_mask(std::move(entries), std::move(table->values));
    return {};
  }

  Status take_scalings(const Formula& formula, const notation::Op& op, std::size_t result, const std::string& name) {
    const std::vector<Scaling> found = scalings(formula, op, result);
    std::set<std::string> starts;
    for (const Scaling& scaling : found) starts.insert(scaling.start);
    for (const Scaling& scaling : found) {
      ExportedTensor tensor{.role = scaling.role, .of = starts.size() > 1 ? name + "_" + scaling.start : name};
      TIEBREAK_TRY(numbers, tensor_of_scaling(scaling, tensor.notes));
      tensor.tensor = std::move(numbers);
      if (scaling.role == ExportRole::multiplier) tensor.notes.push_back("the " + scaling.start + " times multiplier * 2^(shift - 31)");
      else if (scaling.role != ExportRole::shift) tensor.notes.push_back("of the " + scaling.start);
      add(std::move(tensor));
    }
    return {};
  }

  const Semantics& semantics_;
  const Case& test_;
  ExportedCase made_{};
  Identifiers names_{};
  std::set<std::string> clauses_{};
};

}  // namespace

Result<ExportedCase> collect_case(const Semantics& semantics, const Case& test) {
  if (test.unusable) return tl::unexpected<Error>(*test.unusable);
  if (!test.expected_error.empty()) return fail(Errc::usage, "the case is ill-formed on purpose: it must be refused for " + test.expected_error, test.id);
  Result<ExportedCase> made = Collecting(semantics, test).run();
  if (!made && made.error().where.empty()) return fail(made.error().code, made.error().what, test.id, made.error().hint);
  return made;
}

bool has_no_output(const ExportedCase& exported) {
  return std::ranges::find(exported.tensors, ExportRole::expected, &ExportedTensor::role) == exported.tensors.end();
}

bool has_nothing_defined(const ExportedCase& exported) {
  return std::ranges::none_of(exported.tensors, [](const ExportedTensor& one) {
    const bool has_value = one.undefined.empty() || std::ranges::find(one.undefined, 0) != one.undefined.end();
    return one.role == ExportRole::expected && has_value;
  });
}

}  // namespace tiebreak
