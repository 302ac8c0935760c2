// SPDX-License-Identifier: Apache-2.0
// "inputs" and "attributes" of a case file as tensors and attributes.
#pragma once
#include "testsuite/case/op_program.hpp"
#include "testsuite/sources/case_stairs.hpp"
#include "testsuite/text/json_value.hpp"

namespace tiebreak {

Result<AttributeMap> read_attributes(const JsonValue& object);
/// All inputs, in the order written; those that rules refer to are made first. `null` leaves an optional operand out. `seed` is added
/// to every seed.
Result<std::vector<NamedTensor>> read_inputs(const JsonValue& object, const AttributeMap& attributes, std::uint64_t seed, const InputContext& context = {});
/// A tensor of {"type": ..., "shape": [...], "data": [...]}.
Result<Tensor> read_tensor(const JsonValue& object);

}  // namespace tiebreak
