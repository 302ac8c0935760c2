// SPDX-License-Identifier: Apache-2.0
#include "testsuite/recover/constants.hpp"

#include <algorithm>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak::recover {
namespace {

constexpr std::int64_t most_elements = 1 << 14;  // scales are small; a weight that is dequantized here is not wanted

}  // namespace

const Tensor* Constants::find(ValueId id) const {
  if (id < 0) return nullptr;
  if (const auto& constant = program_->values[static_cast<std::size_t>(id)].constant) return &*constant;
  const auto made = made_.find(id);
  return made == made_.end() ? nullptr : &made->second;
}

Result<Constants> Constants::of(const Semantics& semantics, const Program& program) {
  Constants constants;
  constants.program_ = &program;
  for (const Operation& operation : program.operations) {
    TIEBREAK_CHECK(semantics.library.stop().check());
    if (!operation.regions.empty() || operation.operands.empty()) continue;
    OpCall call{.op = operation.op, .attributes = operation.attributes, .version = operation.version, .where = operation.where};
    std::int64_t elements = 0;
    bool is_known = true;
    for (const ValueId id : operation.operands) {
      const Tensor* tensor = constants.find(id);
      is_known &= id < 0 || tensor != nullptr;
      if (tensor != nullptr) elements += tensor->size();
      if (elements > most_elements || !is_known) break;
      call.operands.push_back(tensor == nullptr ? std::nullopt : std::optional(*tensor));
    }
    if (!is_known || elements > most_elements) continue;
    for (const ValueId id : operation.results) {
      const auto& type = program.values[static_cast<std::size_t>(id)].type;
      if (type) elements = std::max(elements, element_count(type->shape).value_or(0));
      call.result_types.push_back(type);
    }
    if (elements > most_elements) continue;
    // What cannot be computed is no constant: a page that is missing, a choice that is open.
    const auto results = evaluate(semantics, call);
    for (std::size_t i = 0; results && i < results->size() && i < operation.results.size(); ++i)
      if ((*results)[i].undefined.empty()) constants.made_.emplace(operation.results[i], (*results)[i].tensor);
  }
  return constants;
}

Along one_number(const Real& number) { return {{number}, 0}; }

std::optional<Along> along(const Tensor& tensor) {
  if (tensor.size() == 0) return std::nullopt;
  std::vector<Real> values;
  bool are_alike = true;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    values.push_back(tensor.value(i));
    are_alike &= tensor.code(i) == tensor.code(0);
  }
  if (are_alike) return one_number(values[0]);
  const Shape& shape = tensor.shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == tensor.size()) return Along{std::move(values), static_cast<int>(shape.size() - axis)};
  return std::nullopt;
}

}  // namespace tiebreak::recover
