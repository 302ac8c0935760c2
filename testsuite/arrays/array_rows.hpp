// SPDX-License-Identifier: Apache-2.0
// An array that holds many tensors of one type along its leading dimension.
#pragma once
#include "testsuite/arrays/array_of_file.hpp"

namespace tiebreak {

/// How many tensors of `type`, an input's of a model, the array holds one behind the other. It is cut along its leading dimension where that is one more than
/// the type has, a multiple of the type's own, or where the type leaves the first of several dimensions open (then each tensor has 1 there). An array of the
/// type's shape, but for dimensions of extent 1, is one tensor; bytes without a shape are as many as there are. Errc::type for any other shape.
Result<std::size_t> row_count(const ArrayOfFile& array, const TensorType& type);
/// Tensor number `row` of so many, with the numbers of the array (tensor_of) and the parameters of the type.
Result<Tensor> row_of(const ArrayOfFile& array, const TensorType& type, std::size_t rows, std::size_t row);

}  // namespace tiebreak
