// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/compare_forms.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

/// One operation as a program of its own, with a plan for it: what it reads are inputs, or the constants that it reads.
struct SingleOperation {
  std::shared_ptr<Program> program = std::make_shared<Program>();
  Plan plan{};
  std::vector<ValueId> inputs{};  ///< in the whole program
};

SingleOperation cut_out(const Plan& whole, std::size_t index) {
  SingleOperation cut;
  const Program& source = *whole.source;
  Program& program = *cut.program;
  program.file = source.file;
  program.name = "operation";
  const bool onnx = has_onnx_operators(source);
  std::map<ValueId, ValueId> moved;
  const auto move = [&](ValueId id, bool is_result) -> ValueId {
    if (id < 0) return id;
    if (const auto found = moved.find(id); found != moved.end()) return found->second;
    const ProgramValue& value = source.values[static_cast<std::size_t>(id)];
    const auto made = static_cast<ValueId>(program.values.size());
    program.values.push_back({bare_name(value.name), value.constant || !onnx ? value.type : std::nullopt, value.constant});
    cut.plan.types.push_back(whole.types[static_cast<std::size_t>(id)]);
    cut.plan.from.push_back(whole.from[static_cast<std::size_t>(id)]);
    cut.plan.coded.push_back(is_result && whole.coded[static_cast<std::size_t>(id)]);
    if (!is_result && !value.constant) {
      program.inputs.push_back(made);
      cut.inputs.push_back(id);
    }
    moved[id] = made;
    return made;
  };
  Operation operation = source.operations[index];
  for (ValueId& id : operation.operands) id = move(id, false);
  for (ValueId& id : operation.results) id = move(id, true);
  program.outputs = {operation.results.front()};
  program.operations.push_back(operation);
  cut.plan.source = cut.program.get();
  cut.plan.operations = {whole.operations[index]};
  cut.plan.opset = whole.opset;
  return cut;
}

std::optional<ValueId> find_value(const Program& program, const std::string& name) {
  const auto found = std::ranges::find_if(program.values, [&](const ProgramValue& value) { return bare_name(value.name) == name; });
  if (found == program.values.end()) return std::nullopt;
  return static_cast<ValueId>(found - program.values.begin());
}

/// What one form of the operation gives: its codes, or real numbers where it has none, and its accumulator.
struct Answer {
  ResultTensor result;
  std::optional<ResultTensor> sum{};
};

class Comparer {
 public:
  Comparer(const Semantics& semantics, const Semantics& derivation, const QuantizedForms& made) : semantics_(semantics), derivation_(derivation), made_(made) {}

  Status batch(const std::vector<Tensor>& inputs) {
    const Program& program = made_.forms.at(Form::qdq).program;
    TIEBREAK_TRY(calls, reach_calls(semantics_, program, inputs));
    std::map<std::string, Tensor> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) values[bare_name(program, program.inputs[i])] = inputs[i];
    for (std::size_t c = 0; c < calls.size(); ++c)
      for (std::size_t r = 0; r < program.operations[c].results.size(); ++r)
        values[bare_name(program, program.operations[c].results[r])] = std::move(calls[c].results[r].tensor);
    const Plan& plan = made_.plan;
    comparison.operations = 0;
    for (std::size_t i = 0; i < plan.operations.size(); ++i) {
      const Placement placement = plan.operations[i].placement;
      if (placement == Placement::left || placement == Placement::half) continue;
      ++comparison.operations;
      TIEBREAK_CHECK(operation(i, values));
    }
    return {};
  }

  FormComparison comparison{};

 private:
  Status operation(std::size_t index, const std::map<std::string, Tensor>& values) {
    const SingleOperation cut = cut_out(made_.plan, index);
    std::vector<Tensor> inputs;
    for (const ValueId id : cut.inputs) {
      const auto found = values.find(bare_name(*made_.plan.source, id));
      if (found == values.end()) return {};  // nothing in real space reads it: a list of a region's operator
      inputs.push_back(found->second);
    }
    TIEBREAK_TRY(integer, answer(cut, {Form::integer, false}, inputs, true));
    const bool sums = cut.plan.operations[0].rule->kind == OperatorKind::contraction;
    if (sums) {
      TIEBREAK_TRY(separate, answer(cut, {Form::integer, true}, inputs, false));
      integer.sum = separate.sum;
      if (integer.sum) widen(cut, integer.sum->tensor);
    }
    for (const Form form : {Form::simulated, Form::fake, Form::qdq}) {
      TIEBREAK_TRY(other, answer(cut, {form, false}, inputs, false));
      compare(cut, form, other, integer);
    }
    return {};
  }

  Result<Answer> answer(const SingleOperation& cut, const FormRequest& request, const std::vector<Tensor>& inputs, bool explain) {
    TIEBREAK_TRY(written, write_form(derivation_, cut.plan, request));
    const std::string name = bare_name(*cut.program, cut.program->outputs[0]);
    Program& program = written.program;
    const auto codes = find_value(program, name + ".q"), sum = find_value(program, name + ".acc");
    if (codes) program.outputs = {*codes};
    if (sum) program.outputs.push_back(*sum);
    TIEBREAK_TRY(results, evaluate(semantics_, program, inputs, {.engine = Engine::fast, .explain_values = explain, .kernels = nullptr}));
    Answer made{std::move(results[0]), {}};
    if (sum) made.sum = std::move(results[1]);
    return made;
  }

  void widen(const SingleOperation& cut, const Tensor& sum) {
    const std::string name = bare_name(*cut.program, cut.program->outputs[0]);
    auto found = std::ranges::find(comparison.sums, name, &WidestSum::value);
    if (found == comparison.sums.end()) {
      if (sum.size() == 0) return;
      comparison.sums.push_back({name, cut.program->operations[0].op, sum.value(0), sum.value(0)});
      found = comparison.sums.end() - 1;
    }
    for (std::int64_t i = 0; i < sum.size(); ++i) {
      const Real value = sum.value(i);
      if (value < found->least) found->least = value;
      if (value > found->greatest) found->greatest = value;
    }
  }

  void compare(const SingleOperation& cut, Form form, const Answer& other, const Answer& integer) {
    const std::string name = bare_name(*cut.program, cut.program->outputs[0]);
    const auto known = std::ranges::find_if(comparison.partings, [&](const Parting& parting) { return parting.value == name && parting.form == form; });
    Parting parting{.value = name, .op = cut.program->operations[0].op, .form = form};
    Parting& into = known == comparison.partings.end() ? parting : *known;
    for (std::int64_t i = 0; i < integer.result.tensor.size(); ++i) {
      ++into.elements;
      const Real a = other.result.tensor.value(i), b = integer.result.tensor.value(i);
      if (a == b || (a.is_nan() && b.is_nan())) continue;
      ++into.different;
      if (into.first < 0) describe(cut, i, other, integer, into);
    }
    if (known == comparison.partings.end()) comparison.partings.push_back(parting);
  }

  static void describe(const SingleOperation& cut, std::int64_t at, const Answer& other, const Answer& integer, Parting& parting) {
    const Real a = other.result.tensor.value(at), b = integer.result.tensor.value(at);
    parting.first = at;
    parting.code = a.to_decimal(9);
    parting.integer_code = b.to_decimal(9);
    const auto& type = cut.plan.types[static_cast<std::size_t>(cut.program->outputs[0])];
    const auto is_end = [&](const Real& code) { return type && (code == type->storage_min || code == type->storage_max); };
    if (is_end(a) || is_end(b)) parting.cause = PartingCause::saturation;
    if (integer.sum) parting.sum = integer.sum->tensor.value(at).to_string();
    if (other.sum) parting.simulated_sum = other.sum->tensor.value(at).to_string();
    if (other.sum && integer.sum && !(other.sum->tensor.value(at) == integer.sum->tensor.value(at))) parting.cause = PartingCause::wide_sum;
    if (const auto& distance = integer.result.distance; !distance.empty() && !std::isnan(distance[static_cast<std::size_t>(at)]))
      parting.distance = distance[static_cast<std::size_t>(at)];
  }

  const Semantics& semantics_;
  const Semantics& derivation_;
  const QuantizedForms& made_;
};

}  // namespace

const char* to_word(PartingCause cause) {
  switch (cause) {
    case PartingCause::rounding: return "at a rounding";
    case PartingCause::saturation: return "at a saturation";
    case PartingCause::wide_sum: return "beyond 2^24 in the simulated sum";
  }
  return "";
}

Result<FormComparison> compare_forms(const Semantics& semantics, const Semantics& derivation, const QuantizedForms& made, const std::vector<Batch>& batches) {
  Comparer comparer(semantics, derivation, made);
  for (const Batch& batch : batches) TIEBREAK_CHECK(comparer.batch(batch.inputs));
  return std::move(comparer.comparison);
}

}  // namespace tiebreak
