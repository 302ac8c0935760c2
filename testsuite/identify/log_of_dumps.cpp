// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/log_of_dumps.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "testsuite/case/value_name.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/layers/model_values.hpp"

namespace tiebreak {
namespace {

/// Every value that was dumped, the model's inputs among them.
Result<std::vector<std::optional<Tensor>>> dumped_values(const Model& model, const Dumps& dumps) {
  const Program& program = model.test.program;
  std::vector<std::optional<Tensor>> values(program.values.size());
  for (std::size_t i = 0; i < program.inputs.size(); ++i) values[value_place(program.inputs[i])] = model.test.inputs[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    if (values[i] || !dumps.has(id)) continue;
    TIEBREAK_TRY(tensor, dumps.tensor(id, program.values[i].type));
    values[i] = std::move(tensor);
  }
  return values;
}

struct LayerCall {
  Case test;
  std::vector<Tensor> results;
  std::vector<std::string> fixed;  ///< operands that are constants of the model
};

std::optional<LayerCall> call_of(const Library& library, const Program& program, std::size_t layer, const std::vector<std::optional<Tensor>>& known) {
  const Operation& operation = program.operations[layer];
  std::optional<Case> test = call_case(library, program, layer, known);
  if (!test) return std::nullopt;
  LayerCall call{std::move(*test), {}, {}};
  for (ValueId id : named_results(operation)) {
    if (!known[value_place(id)]) return std::nullopt;
    call.results.push_back(*known[value_place(id)]);
  }
  std::size_t input = 0;
  for (ValueId id : operation.operands) {
    if (id < 0) continue;
    if (program.values[value_place(id)].constant) call.fixed.push_back(input_name(call.test, input));
    ++input;
  }
  return call;
}

Observation observed(const Library& library, const LayerCall& call) {
  Observation observation;
  observation.test = call.test;
  std::vector<Shape> shapes;
  for (std::size_t r = 0; r < call.results.size(); ++r) {
    observation.answers.push_back({.name = output_name(call.test, r), .tensor = call.results[r]});
    observation.left_out.emplace_back();
    shapes.push_back(call.results[r].shape());
  }
  auto test = std::make_shared<const Case>(call.test);
  observation.inputs = [&library, test, shapes](std::size_t output, std::int64_t element) { return inputs_at(library, *test, shapes[output], element); };
  return observation;
}

}  // namespace

Result<ObservedLog> log_of_dumps(const Library& library, const Model& model, const Dumps& dumps, const CaseFilter& wanted, const std::string& op) {
  const Program& program = model.test.program;
  TIEBREAK_TRY(known, dumped_values(model, dumps));
  ObservedLog log;
  log.parts.push_back({"", Evidence(library)});
  std::set<std::string> ops;
  std::string example;
  for (std::size_t layer = 0; layer < program.operations.size(); ++layer) {
    const std::string id = model.test.id + "/" + layer_word(program, layer);
    if ((wanted && !wanted(id)) || (!op.empty() && program.operations[layer].op != op)) continue;
    std::optional<LayerCall> call = call_of(library, program, layer, known);
    if (!call) continue;
    call->test.id = id;
    if (ops.insert(program.operations[layer].op).second && example.empty()) example = id;
    log.parts.front().evidence.add(observed(library, *call));
    log.cases.push_back({std::move(call->test), std::move(call->fixed)});
  }
  if (ops.empty())
    return fail(Errc::usage, "of no layer that is selected everything was dumped: what it reads, and what it gives", model.test.source,
                "tiebreak check " + model.test.source + " --dumps ... names the tensors without a dump");
  if (ops.size() > 1) {
    std::string names;
    for (const std::string& name : ops) names += (names.empty() ? "" : ", ") + name;
    return fail(Errc::usage, "the dumps are of several ops: " + names, model.test.source, "--op " + *ops.begin() + ", or --layer " + example);
  }
  log.ops = {*ops.begin()};
  return log;
}

}  // namespace tiebreak
