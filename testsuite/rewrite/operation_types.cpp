// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rewrite/operation_types.hpp"

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "testsuite/equal/program_inputs.hpp"

namespace tiebreak {
namespace {

/// The call with constants as they are, and something that every page takes in place of what is computed.
Result<OpCall> call_of(const Program& program, const Operation& operation) {
  OpCall call{.op = operation.op, .attributes = operation.attributes, .version = operation.version, .where = operation.where};
  for (const ValueId id : operation.operands) {
    if (id < 0) {
      call.operands.emplace_back();
      continue;
    }
    const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    if (value.constant) {
      call.operands.emplace_back(value.constant);
      continue;
    }
    if (!value.type || is_open(value.type->shape)) return fail(Errc::type, "the type of '" + value.name + "' is not known", operation.where);
    Program alone{.name = {}, .file = program.file, .values = {value}, .inputs = {0}, .outputs = {}, .operations = {}};
    TIEBREAK_TRY(inputs, inputs_of(alone, {}));
    call.operands.emplace_back(std::move(inputs.tensors.front()));
  }
  return call;
}

}  // namespace

Result<std::vector<TensorType>> result_types_of(const Semantics& semantics, const Program& program, const Operation& operation,
                                                const std::vector<std::optional<TensorType>>& stated) {
  if (!operation.regions.empty()) return fail(Errc::unsupported, operation.op + " runs regions", operation.where);
  TIEBREAK_TRY(place, semantics.library.find_op(operation.op));
  TIEBREAK_TRY(call, call_of(program, operation));
  call.result_types = stated;
  call.result_types.resize(operation.results.size());
  std::vector<TensorType> types;
  const std::size_t parts = gives_parts(*place.op) ? operation.results.size() : 1;
  for (std::size_t part = 0; part < parts; ++part) {
    const ResultPart one{part, parts};
    const OpCall asked = parts > 1 ? call_of_part(call, one) : call;
    TIEBREAK_TRY(formula, bind(semantics, asked, one));
    for (const FormulaResult& result : formula.results) types.push_back(result.type);
  }
  types.resize(std::min(types.size(), operation.results.size()));
  if (types.size() < operation.results.size()) return fail(Errc::type, operation.op + " gives fewer results", operation.where);
  return types;
}

void state_result_types(const Semantics& semantics, Program& program) {
  for (const Operation& operation : program.operations) {
    const auto is_known = [&](ValueId id) { return id < 0 || program.values[static_cast<std::size_t>(id)].type.has_value(); };
    if (std::ranges::all_of(operation.results, is_known)) continue;
    const auto types = result_types_of(semantics, program, operation);
    if (!types) continue;
    for (std::size_t i = 0; i < types->size(); ++i)
      if (operation.results[i] >= 0) program.values[static_cast<std::size_t>(operation.results[i])].type = (*types)[i];
  }
}

}  // namespace tiebreak
