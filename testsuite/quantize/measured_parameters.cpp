// SPDX-License-Identifier: Apache-2.0
// Parameters for a recipe from data: calibrate measures and asks the provider, the recipe says what the codes are.
#include "testsuite/case/value_name.hpp"
#include "testsuite/quantize/quantize.hpp"

namespace tiebreak {
namespace {

/// Constants get theirs with the plan; what the recipe leaves in floats, and what is no f32, has none.
std::optional<CodeFormat> codes_of(const Program& program, const Recipe& recipe, const ReachedValue& value) {
  if (value.is_constant || !(value.batches.front().element() == f32_type())) return std::nullopt;
  const NodeRecipe how = value.operation == nullptr ? recipe.of_input(bare_name(program, value.id))
                                                    : recipe.of(value.operation->op, bare_name(program, value.operation->results[0]));
  const ElementType storage = how.storage.value_or(IntegerFormat{true, 8});
  if (storage.is_float()) return std::nullopt;
  return CodeFormat{.storage = storage, .narrow = how.narrow, .symmetric = how.symmetric};
}

}  // namespace

Result<ParameterSet> measured_parameters(const Semantics& semantics, const Semantics& derivation, const Program& program, const Recipe& recipe,
                                         const std::vector<Batch>& batches, const MeasureOptions& measure) {
  CalibrateOptions options{.provider = measure.provider, .parameters = &derivation.profile, .program = measure.program};
  options.codes = [&](const ReachedValue& value) { return codes_of(program, recipe, value); };
  TIEBREAK_TRY(found, calibrate(semantics, program, batches, options));
  ParameterSet set = found.parameters();
  for (TensorParameters& tensor : set.tensors) tensor.type = with_f32_scales(std::move(tensor.type));
  return set;
}

}  // namespace tiebreak
