// SPDX-License-Identifier: Apache-2.0
// Codes of 2 and 4 bits as files and libraries store them: several share a byte, the first in the lowest bits; every tensor begins with a byte of its own.
#pragma once
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// 4 or 2 for types of 2 and 4 bits, 1 for all others.
int codes_a_byte(const ElementType& element);
std::size_t packed_size(const Tensor& tensor);
/// Of types whose codes share bytes; unused bits of the last byte are 0.
std::vector<std::byte> pack_codes(const Tensor& tensor);
/// As many bytes as packed_size says.
void unpack_codes(std::span<const std::byte> bytes, Tensor& tensor);

}  // namespace tiebreak
