// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/node/tflite_adapter.hpp"

#include <algorithm>

#include "testsuite/tflite/script.hpp"
#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak::node {
namespace {

constexpr const char* delegate_word = "XNNPack";

Result<tflite::OpCall> call_of(const ExchangeCase& request) {
  TIEBREAK_TRY(op, single_op(request));
  if (request.outputs.size() != 1) return fail(Errc::unsupported, "an op of several results");
  return tflite::OpCall{op.op, op.attributes, op.operands, request.outputs[0].tensor.type()};
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
  TIEBREAK_TRY(call, call_of(request));
  TIEBREAK_TRY(lowered, tflite::lower(call, backend_.lowering));
  TIEBREAK_TRY(model, tflite::write_model(lowered.model));
  std::vector<ExchangeTensor> inputs;
  for (const Tensor& tensor : lowered.inputs) {
    ExchangeTensor input;
    input.tensor = tensor;
    inputs.push_back(std::move(input));
  }
  TIEBREAK_TRY(answered, worker_.run(model, inputs));
  if (answered.outputs.size() != 1) return fail(Errc::backend, "the model has several outputs");
  const bool delegated = answered.remark.find(delegate_word) != std::string::npos;
  if (backend_.names_kernels && delegated == backend_.lowering.builtin_kernels)
    return fail(Errc::unsupported, "not the kernel that was asked for: " + answered.remark + " ran");
  TIEBREAK_TRY(tensor, tflite::result_of(lowered, answered.outputs[0].tensor));
  ExchangeTensor output;
  output.name = request.outputs[0].name;
  output.tensor = std::move(tensor);
  AdapterAnswer result = AdapterAnswer::ok({std::move(output)});
  result.reason = answered.remark;
  return result;
}

}  // namespace tiebreak::node
