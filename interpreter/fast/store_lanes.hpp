// SPDX-License-Identifier: Apache-2.0
// Many codes at once into a result.
#pragma once
#include "interpreter/fast/lane.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// Stores a column's lanes as consecutive elements from `first`. False where a lane is no integer that the type holds: then what stands there is no matter.
bool store_integers(const Column& column, std::size_t count, Tensor& tensor, std::int64_t first);
/// The same for numbers of a column of reals and a tensor of f32 or f64.
bool store_floats(const Column& column, std::size_t count, Tensor& tensor, std::int64_t first);

}  // namespace tiebreak
