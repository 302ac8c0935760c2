// SPDX-License-Identifier: Apache-2.0
// The exact text of an op's attributes, which reads back to the same values whatever HDF5 type stands beside it.
#pragma once
#include <string>
#include <string_view>

#include "interpreter/tensor/attribute.hpp"

namespace tiebreak {

/// Tensors that have a dataset of their own: the text says `stored`.
using StoredTensors = std::map<std::string, Tensor>;

/// {axis = 1, mode = "round", scale = 3/7, to = type(u8), value = stored}. Tensors at the top are moved to `stored`; deeper ones are
/// spelled out as tensor(i8, [2], 01ff).
Result<std::string> attribute_map_text(const AttributeMap& attributes, StoredTensors& stored);
Result<AttributeMap> parse_attribute_map(std::string_view text, const StoredTensors& stored, const std::string& where);

}  // namespace tiebreak
