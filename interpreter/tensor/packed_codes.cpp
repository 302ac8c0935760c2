// SPDX-License-Identifier: Apache-2.0
#include "interpreter/tensor/packed_codes.hpp"

namespace tiebreak {

int codes_a_byte(const ElementType& element) { return element.bits() == 2 || element.bits() == 4 ? 8 / element.bits() : 1; }

std::size_t packed_size(const Tensor& tensor) {
  const auto share = static_cast<std::size_t>(codes_a_byte(tensor.element()));
  return (static_cast<std::size_t>(tensor.size()) + share - 1) / share;
}

std::vector<std::byte> pack_codes(const Tensor& tensor) {
  const int share = codes_a_byte(tensor.element()), bits = tensor.element().bits();
  std::vector<std::byte> bytes(packed_size(tensor));
  for (std::int64_t i = 0; i < tensor.size(); ++i) bytes[static_cast<std::size_t>(i / share)] |= static_cast<std::byte>(tensor.code(i) << (bits * (i % share)));
  return bytes;
}

void unpack_codes(std::span<const std::byte> bytes, Tensor& tensor) {
  const int share = codes_a_byte(tensor.element()), bits = tensor.element().bits();
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set_code(i, std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(i / share)]) >> (bits * (i % share)) & ((1U << bits) - 1));
}

}  // namespace tiebreak
