// SPDX-License-Identifier: Apache-2.0
// A dense row-major tensor of codes in storage type. Sub-byte elements take one byte each (signed ones sign-extended).
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

class Tensor {
 public:
  Tensor() = default;
  /// All codes zero. Errc::limit beyond the element limit.
  static Result<Tensor> zeros(TensorType type);
  /// From raw little-endian storage bytes (size must match); codes of narrow integers are checked to fit their width.
  static Result<Tensor> from_bytes(TensorType type, std::vector<std::byte> bytes, const std::string& where);

  const TensorType& type() const { return type_; }
  const Shape& shape() const { return type_.shape; }
  const ElementType& element() const { return type_.element; }
  std::int64_t size() const { return size_; }
  std::uint64_t code(std::int64_t index) const;  ///< low `bits` bits
  void set_code(std::int64_t index, std::uint64_t code);
  Real value(std::int64_t index) const;  ///< of the code itself (quantized tensors: the code, not dequantized)
  std::span<const std::byte> bytes() const { return bytes_; }
  std::span<std::byte> bytes() { return bytes_; }
  void set_type(TensorType type) { type_ = std::move(type); }  ///< same element width and shape; adds or drops quantization

 private:
  TensorType type_{};
  std::int64_t size_ = 0;
  std::vector<std::byte> bytes_{};
};

}  // namespace tiebreak
