// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/program_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hint.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// Something that every page takes: ones, or what of the type comes next to it.
Result<Tensor> ones(TensorType type) {
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  Real value(1);
  if (tensor.type().quantized) value = std::clamp(value, tensor.type().quantized->storage_min, tensor.type().quantized->storage_max);
  const std::uint64_t code = tensor.element().is_boolean() ? 1 : tensor.element().encode(value).value_or(0);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, code);
  return tensor;
}

}  // namespace

TensorType closed(TensorType type) {
  for (std::int64_t& extent : type.shape) extent = extent < 0 ? 1 : extent;
  return type;
}

Result<ProgramInputs> inputs_of(const Program& program, const std::vector<GivenInput>& given) {
  ProgramInputs inputs;
  std::vector<std::string> names;
  for (const ValueId id : program.inputs) {
    names.push_back(bare_name(program, id));
    TIEBREAK_TRY(tensor, ones(closed(*program.values[static_cast<std::size_t>(id)].type)));
    inputs.roles.push_back(InputRole::free);
    inputs.codes.emplace_back();
    const auto found = std::ranges::find(given, names.back(), &GivenInput::name);
    if (found != given.end()) {
      for (const Real& value : found->values) {
        const auto code = tensor.element().encode(value);
        if (!code) return fail(Errc::type, fmt::format("{} is no value of {}", value_text(value), tensor.element().name()), "--input " + names.back());
        inputs.codes.back().push_back(*code);
      }
      inputs.roles.back() = found->values.size() > 1 ? InputRole::shared : InputRole::fixed;
      for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, inputs.codes.back().front());
    }
    inputs.tensors.push_back(std::move(tensor));
  }
  for (const GivenInput& one : given)
    if (std::ranges::find(names, one.name) == names.end())
      return fail(Errc::unknown_name, "the programs have no input '" + one.name + "'", "--input " + one.name, did_you_mean(one.name, names));
  return inputs;
}

LeafDomain domain_of(const ProgramInputs& inputs, const Leaf& leaf) {
  TensorType type = inputs.tensors[leaf.input].type();
  type.shape.clear();
  return {.type = std::move(type), .codes = inputs.codes[leaf.input]};
}

}  // namespace tiebreak
