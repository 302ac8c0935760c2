// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/stored_parameters.hpp"

#include <algorithm>

#include "interpreter/hint.hpp"
#include "testsuite/exchange/exchange.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {
namespace {

/// Of a dataset: what stands at it, or its type.
std::optional<TensorParameters> parameters_of(const ExchangeTensor& tensor) {
  if (tensor.parameters) return TensorParameters{tensor.parameters->tensor, tensor.parameters->type, tensor.parameters->from};
  const auto& type = tensor.tensor.type().quantized;
  if (!type || type->scales.empty()) return std::nullopt;
  return TensorParameters{tensor.name, *type, "recovered: the type of " + tensor.name};
}

Result<RecoveredParameters> of_program(const Library& library, const ExchangeCase& stored, const std::string& where) {
  if (stored.program.empty()) return RecoveredParameters{};
  TIEBREAK_TRY(program, stored_program(stored, where));
  std::vector<Tensor> inputs;
  for (const ExchangeTensor& input : stored.inputs) inputs.push_back(input.tensor);
  return recover_parameters(library, program, {.inputs = &inputs});
}

/// A number in real space and its codes may both be stored: one row where they agree, and else the second one under the name of its dataset.
void add_row(RecoveredParameters& made, RecoveredTensor row, const std::string& dataset) {
  const auto earlier = std::ranges::find_if(made.tensors, [&](const RecoveredTensor& each) { return each.parameters.tensor == row.parameters.tensor; });
  if (earlier == made.tensors.end()) return made.tensors.push_back(std::move(row));
  if (to_text(earlier->parameters.type) == to_text(row.parameters.type)) return;
  row.parameters.tensor = dataset;
  made.tensors.push_back(std::move(row));
}

Result<RecoveredParameters> of_case(const Library& library, const ExchangeCase& stored, const std::string& path) {
  const std::string where = path + ":/cases/" + stored.id;
  TIEBREAK_TRY(found, of_program(library, stored, where));
  RecoveredParameters made;
  const auto take = [&](const std::vector<ExchangeTensor>& tensors, const char* group) {
    for (const ExchangeTensor& tensor : tensors) {
      const auto parameters = parameters_of(tensor);
      if (!parameters) continue;
      const auto same = [&](const RecoveredTensor& each) { return each.codes == tensor.name || each.parameters.tensor == parameters->tensor; };
      const auto known = std::ranges::find_if(found.tensors, same);
      RecoveredTensor row{*parameters, tensor.name, where + "/" + group + "/" + tensor.name};
      if (known != found.tensors.end()) {
        if (!tensor.parameters) row.parameters = known->parameters;  // with the name in real space
        row.codes = known->codes;
        found.tensors.erase(known);
      }
      add_row(made, std::move(row), tensor.name);
    }
  };
  take(stored.inputs, "inputs");
  take(stored.outputs, "outputs");
  std::ranges::move(found.tensors, std::back_inserter(made.tensors));
  made.lost = std::move(found.lost);
  return made;
}

void add(RecoveredParameters& all, RecoveredParameters one, const std::string& prefix) {
  for (RecoveredTensor& tensor : one.tensors) {
    tensor.parameters.tensor = prefix + tensor.parameters.tensor;
    all.tensors.push_back(std::move(tensor));
  }
  for (LostParameter& lost : one.lost) {
    lost.tensor = prefix + lost.tensor;
    all.lost.push_back(std::move(lost));
  }
}

}  // namespace

Result<RecoveredParameters> stored_parameters(const Library& library, const std::string& path, const std::string& id) {
  TIEBREAK_TRY(file, read_exchange(path));
  if (!id.empty()) {
    std::vector<std::string> ids;
    for (const ExchangeCase& one : file.cases) ids.push_back(one.id);
    if (std::ranges::find(ids, id) == ids.end()) return fail(Errc::unknown_name, "the file has no case '" + id + "'", path, did_you_mean(id, ids));
    std::erase_if(file.cases, [&](const ExchangeCase& one) { return one.id != id; });
  }
  RecoveredParameters all{path};
  for (const ExchangeCase& stored : file.cases) {
    TIEBREAK_CHECK(library.stop().check());
    TIEBREAK_TRY(one, of_case(library, stored, path));
    add(all, std::move(one), file.cases.size() == 1 ? "" : stored.id + ":");
  }
  return all;
}

}  // namespace tiebreak
