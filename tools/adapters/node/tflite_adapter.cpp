// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/node/tflite_adapter.hpp"

#include <algorithm>

#include "testsuite/tflite/lower_program.hpp"
#include "testsuite/tflite/script.hpp"
#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak::node {
namespace {

constexpr const char* delegate_word = "XNNPack";

Result<tflite::OpCall> call_of(const ExchangeCase& request) {
  TIEBREAK_TRY(op, single_op(request));
  if (request.outputs.empty()) return fail(Errc::unsupported, "an op without results");
  tflite::OpCall call{op.op, op.attributes, op.operands, request.outputs[0].tensor.type()};
  for (std::size_t i = 1; i < request.outputs.size(); ++i) call.further.push_back(request.outputs[i].tensor.type());
  return call;
}

std::vector<ExchangeTensor> host_inputs(const std::vector<Tensor>& tensors) {
  std::vector<ExchangeTensor> inputs;
  for (const Tensor& tensor : tensors) {
    ExchangeTensor input;
    input.tensor = tensor;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// What the model's outputs are in the page's types; all came back as bytes.
Result<AdapterAnswer> answer_of(const ExchangeCase& request, const std::vector<TensorType>& results, const Worker::Answer& answered) {
  if (answered.outputs.size() != results.size())
    return fail(Errc::backend, "the model has " + std::to_string(answered.outputs.size()) + " outputs, not " + std::to_string(results.size()));
  std::vector<ExchangeTensor> outputs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    tflite::Lowered one;
    one.result = results[i];
    one.as_bytes = true;
    TIEBREAK_TRY(tensor, tflite::result_of(one, answered.outputs[i].tensor));
    ExchangeTensor output;
    output.name = request.outputs[i].name;
    output.tensor = std::move(tensor);
    outputs.push_back(std::move(output));
  }
  AdapterAnswer result = AdapterAnswer::ok(std::move(outputs));
  result.reason = answered.remark;
  return result;
}

}  // namespace

Result<bool> wants_builtin(const std::string& word) {
  if (word != "delegate" && word != "builtin") return fail(Errc::usage, "--kernel is delegate or builtin, not '" + word + "'");
  return word == "builtin";
}

Result<BackendDescription> TfliteAdapter::describe() {
  TIEBREAK_TRY(identity, worker_.identity());
  BackendDescription description{backend_.name, identity.version, backend_.profile, tflite::lowered_ops(), backend_.details};
  std::erase_if(description.ops, [&](const std::string& op) { return std::ranges::find(backend_.lacks, op) != backend_.lacks.end(); });
  description.details.insert(identity.details.begin(), identity.details.end());
  tflite::describe_options(backend_.lowering, description.details);
  description.details["layout"] = "NHWC, transposed by the adapter";
  description.details["threads"] = "1";
  return description;
}

AdapterAnswer TfliteAdapter::run(const ExchangeCase& request) {
  auto answered = answer(request);
  return answered ? std::move(*answered) : AdapterAnswer::from(answered.error());
}

Result<AdapterAnswer> TfliteAdapter::answer(const ExchangeCase& request) {
  if (backend_.runs_models) {
    TIEBREAK_TRY(program, program_of(request));
    if (program.operations.size() > 1) return answer_to_model(request, program);
  }
  TIEBREAK_TRY(call, call_of(request));
  TIEBREAK_TRY(lowered, tflite::lower(call, backend_.lowering));
  TIEBREAK_TRY(model, tflite::write_model(lowered.model));
  TIEBREAK_TRY(answered, worker_.run(model, host_inputs(lowered.inputs)));
  const bool delegated = answered.remark.find(delegate_word) != std::string::npos;
  if (backend_.names_kernels && delegated == backend_.lowering.builtin_kernels)
    return fail(Errc::unsupported, "not the kernel that was asked for: " + answered.remark + " ran");
  if (!lowered.further.empty()) {
    std::vector<TensorType> results{lowered.result};
    results.insert(results.end(), lowered.further.begin(), lowered.further.end());
    return answer_of(request, results, answered);
  }
  if (answered.outputs.size() != 1) return fail(Errc::backend, "the model has several outputs");
  TIEBREAK_TRY(tensor, tflite::result_of(lowered, answered.outputs[0].tensor));
  ExchangeTensor output;
  output.name = request.outputs[0].name;
  output.tensor = std::move(tensor);
  AdapterAnswer result = AdapterAnswer::ok({std::move(output)});
  result.reason = answered.remark;
  return result;
}

Result<AdapterAnswer> TfliteAdapter::answer_to_model(const ExchangeCase& request, const Program& program) {
  TIEBREAK_TRY(inputs, inputs_of(program, request));
  std::vector<TensorType> results;
  for (const ExchangeTensor& output : request.outputs) results.push_back(output.tensor.type());
  TIEBREAK_TRY(lowered, tflite::lower_program(program, inputs, results, backend_.lowering));
  TIEBREAK_TRY(model, tflite::write_model(lowered.model));
  TIEBREAK_TRY(answered, worker_.run(model, host_inputs(lowered.inputs)));
  return answer_of(request, results, answered);
}

}  // namespace tiebreak::node
