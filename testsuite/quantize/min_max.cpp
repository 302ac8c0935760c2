// SPDX-License-Identifier: Apache-2.0
// Parameters from the least and greatest number that each value has on the batches.
#include "testsuite/case/value_name.hpp"
#include "testsuite/quantize/quantize.hpp"

namespace tiebreak {
namespace {

using SeenRanges = std::map<std::string, Range>;

void look(const std::string& name, const Tensor& tensor, SeenRanges& seen) {
  if (!(tensor.element() == f32_type())) return;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const Real value = tensor.value(i);
    if (!value.is_finite()) continue;
    const auto [place, is_first] = seen.try_emplace(name, Range{value, value});
    if (value < place->second.low) place->second.low = value;
    if (value > place->second.high) place->second.high = value;
  }
}

}  // namespace

Result<ParameterSet> min_max_parameters(const Semantics& semantics, const Semantics& derivation, const Program& program, const Recipe& recipe,
                                        const std::vector<Batch>& batches) {
  SeenRanges seen;
  for (const Batch& batch : batches) {
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) look(bare_name(program, program.inputs[i]), batch.inputs[i], seen);
    TIEBREAK_TRY(calls, reach_calls(semantics, program, batch.inputs));
    for (std::size_t c = 0; c < calls.size(); ++c)
      for (std::size_t r = 0; r < program.operations[c].results.size(); ++r)
        look(bare_name(program, program.operations[c].results[r]), calls[c].results[r].tensor, seen);
  }
  ParameterSet set{program.file, {}};
  const auto derive = [&](const std::string& name, const NodeRecipe& how) -> Status {
    const auto found = seen.find(name);
    const ElementType storage = how.storage.value_or(IntegerFormat{true, 8});
    if (found == seen.end() || storage.is_float()) return {};
    TIEBREAK_TRY(type, derive_parameters(derivation, {{found->second.low}, {found->second.high}}, {storage, how.symmetric, how.narrow}, {}, {}, name));
    set.tensors.push_back({name, std::move(type), "min_max", found->second});
    return {};
  };
  for (const ValueId id : program.inputs) TIEBREAK_CHECK(derive(bare_name(program, id), recipe.of_input(bare_name(program, id))));
  for (const Operation& operation : program.operations)
    for (const ValueId id : operation.results)
      TIEBREAK_CHECK(derive(bare_name(program, id), recipe.of(operation.op, bare_name(program, operation.results[0]))));
  return set;
}

}  // namespace tiebreak
