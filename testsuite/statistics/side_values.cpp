// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/side_values.hpp"

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"
#include "testsuite/case/program_part.hpp"
#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

constexpr int widest_codes = 16;  // bits; wider integers are sums and indices

Result<std::vector<ResultTensor>> run_part(const Semantics& semantics, const Case& part, const StatisticsOptions& options) {
  TIEBREAK_CHECK(semantics.library.stop().check());
  TIEBREAK_TRY(results, evaluate(semantics, part.program, part.inputs, options.evaluate));
  if (!options.ties || std::ranges::none_of(results, [](const ResultTensor& result) { return has_codes(result.tensor); })) return std::move(results);
  EvaluateOptions explained = options.evaluate;
  explained.explain_values = true;
  return evaluate(semantics, part.program, part.inputs, explained);
}

}  // namespace

bool has_codes(const Tensor& tensor) {
  return tensor.type().quantized.has_value() || (tensor.element().is_integer() && tensor.element().bits() <= widest_codes);
}

Result<SideValues> side_values(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs, const StatisticsOptions& options) {
  SideValues values(program.values.size());
  std::vector<std::optional<Tensor>> known(program.values.size());
  auto keep = [&](ValueId id, ResultTensor value) {
    known[static_cast<std::size_t>(id)] = value.tensor;
    values[static_cast<std::size_t>(id)] = std::move(value);
  };
  for (std::size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].constant) keep(static_cast<ValueId>(i), {.name = program.values[i].name, .tensor = *program.values[i].constant});
  for (std::size_t i = 0; i < inputs.size(); ++i) keep(program.inputs[i], {.name = "", .tensor = inputs[i]});
  Case whole;
  whole.program = program;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    const auto part = part_of(whole, known, i, i + 1);
    if (!part) return fail(Errc::type, operation.op + " reads a value that is not known", operation.where);
    TIEBREAK_TRY(results, run_part(semantics, *part, options));
    for (std::size_t r = 0; r < operation.results.size() && r < results.size(); ++r)
      if (operation.results[r] >= 0) keep(operation.results[r], std::move(results[r]));
  }
  return values;
}

Result<std::vector<Tensor>> inputs_of_form(const Program& reference, const Batch& batch, const Program& form, const std::string& name) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    std::size_t place = i;
    for (std::size_t r = 0; r < reference.inputs.size(); ++r)
      if (bare_name(reference, reference.inputs[r]) == bare_name(form, form.inputs[i])) place = r;
    if (place >= batch.inputs.size())
      return fail(Errc::type, "input '" + bare_name(form, form.inputs[i]) + "' is none of the reference", name, "both programs must take the same inputs");
    const auto& type = form.values[static_cast<std::size_t>(form.inputs[i])].type;
    if (type && !is_open(type->shape) && !same_type(*type, batch.inputs[place].type()))
      return fail(Errc::type, "input '" + bare_name(form, form.inputs[i]) + "' is " + to_text(*type) + ", the data are " + to_text(batch.inputs[place].type()),
                  name);
    inputs.push_back(batch.inputs[place]);
  }
  return inputs;
}

ValueId value_named(const Program& program, const std::string& name) {
  for (std::size_t i = program.values.size(); i > 0; --i)
    if (bare_name(program.values[i - 1].name) == name) return static_cast<ValueId>(i) - 1;
  return -1;
}

std::vector<double> real_values(const Tensor& tensor, const QuantizedType* parameters) {
  if (tensor.type().quantized) parameters = &*tensor.type().quantized;
  std::vector<double> values(static_cast<std::size_t>(tensor.size()));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    Real value = tensor.value(i);
    if (parameters != nullptr) {
      const std::size_t found = parameter_place(i, tensor.shape(), parameters->dimensions, parameters->parameter_shape);
      const std::size_t place = std::min(found, parameters->scales.size() - 1);  // parameters that were recovered may be of another shape
      value = (value - parameters->zero_points[place].value) * parameters->scales[place].value;
    }
    values[static_cast<std::size_t>(i)] = value.to_double();
  }
  return values;
}

std::vector<double> code_values(const Tensor& tensor) {
  std::vector<double> values(static_cast<std::size_t>(tensor.size()));
  for (std::int64_t i = 0; i < tensor.size(); ++i) values[static_cast<std::size_t>(i)] = tensor.value(i).to_double();
  return values;
}

}  // namespace tiebreak
