// SPDX-License-Identifier: Apache-2.0
// Tensors of values written as text, as a test has them.
#pragma once
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// Every value must be one of the type.
inline Tensor text_tensor(const char* type, Shape shape, const std::vector<const char*>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), std::nullopt});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), *tensor.element().encode(*Real::parse(values[i])));
  return tensor;
}

}  // namespace tiebreak
