// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/request.hpp"

#include "interpreter/program/printed_names.hpp"

namespace tiebreak {

ExchangeCase to_request(const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected) {
  ExchangeCase request;
  Program program = test.program;
  for (std::size_t i = 0; i < expected.size() && i < program.outputs.size(); ++i) {
    ProgramValue& value = program.values[static_cast<std::size_t>(program.outputs[i])];
    if (!value.type) value.type = expected[i].tensor.type();
  }
  request.id = test.id;
  if (program.operations.size() == 1) {
    request.op = program.operations[0].op;
    request.attributes = program.operations[0].attributes;
    request.version = program.operations[0].version;
  }
  request.program = print_mlir(program);
  const std::vector<std::string> names = printed_names(program);  // a model's own may have characters that MLIR's cannot
  request.profile = profile.name;
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    ExchangeTensor input;
    input.name = names[static_cast<std::size_t>(program.inputs[i])];
    input.tensor = test.inputs[i];
    request.inputs.push_back(std::move(input));
  }
  // Outputs are declared: name, type and shape, so that an adapter need not infer them and its answer can be checked.
  for (std::size_t i = 0; i < expected.size() && i < program.outputs.size(); ++i) {
    ExchangeTensor output;
    output.name = names[static_cast<std::size_t>(program.outputs[i])];
    if (auto zeros = Tensor::zeros(expected[i].tensor.type())) output.tensor = std::move(*zeros);
    request.outputs.push_back(std::move(output));
  }
  return request;
}

ExchangeCase to_golden(const Library& library, const Case& test, const Profile& profile, const std::vector<ResultTensor>& expected) {
  ExchangeCase golden = to_request(test, profile, expected);
  golden.clauses = clauses_of(library, profile, test.program);
  for (std::size_t i = 0; i < golden.outputs.size(); ++i) {
    ExchangeTensor& output = golden.outputs[i];
    output.tensor = expected[i].tensor;
    output.undefined = expected[i].undefined;
    output.before = expected[i].before;
    output.distance = expected[i].distance;
  }
  return golden;
}

}  // namespace tiebreak
