// SPDX-License-Identifier: Apache-2.0
// Values and tensors as reports show them: exact, and as short as exactness allows.
#pragma once
#include <functional>
#include <string>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// A decimal of at most nine digits where that is the value exactly, else a hex float. Reads back to the same value.
std::string value_text(const Real& v);
/// The storage code: 0x3b.
std::string bits_text(const Tensor& tensor, std::int64_t index);
/// [i, j] of a flat row-major index.
std::string index_text(const Shape& shape, std::int64_t index);
/// `[1, 2.5, undefined]` in nested lists; a scalar stands alone.
std::string tensor_text(const Tensor& tensor, const std::vector<std::uint8_t>& undefined = {});
/// Texts of elements in nested lists; of a scalar the text alone.
std::string nested_text(const Shape& shape, const std::function<std::string(std::int64_t)>& element);
/// A number with about `digits` significant digits, for people: 59.493794.
std::string decimal_text(double v, int digits = 12);

}  // namespace tiebreak
