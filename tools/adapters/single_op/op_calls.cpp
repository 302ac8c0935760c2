// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak {

std::vector<std::string> names_of(const OpCalls& calls) {
  std::vector<std::string> names;
  for (const auto& [name, call] : calls) names.push_back(name);
  return names;
}

AdapterAnswer answer_by(const OpCalls& calls, const ExchangeCase& request) {
  auto op = single_op(request);
  if (!op) return AdapterAnswer::from(op.error());
  const auto found = calls.find(op->op);
  if (found == calls.end()) return AdapterAnswer::unsupported("no kernel stands for " + op->op);
  auto type = op->output_type(0);
  if (!type) return AdapterAnswer::from(type.error());
  auto answer = found->second(*op);
  if (!answer) return AdapterAnswer::from(answer.error());
  auto tensor = Tensor::from_bytes(*type, std::move(answer->bytes), op->outputs[0].name);
  if (!tensor) return AdapterAnswer::from(tensor.error());
  ExchangeTensor output;
  output.name = op->outputs[0].name;
  output.tensor = std::move(*tensor);
  AdapterAnswer result = AdapterAnswer::ok({std::move(output)});
  result.reason = answer->kernel;
  return result;
}

}  // namespace tiebreak
