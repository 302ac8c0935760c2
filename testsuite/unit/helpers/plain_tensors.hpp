// SPDX-License-Identifier: Apache-2.0
// Tensors of plain machine numbers, bit for bit.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

using Floats = std::vector<float>;

inline Tensor codes_tensor(const std::string& type, Shape shape, const std::vector<std::int64_t>& codes) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(codes[i]));
  return tensor;
}
inline Tensor codes32_tensor(const std::string& type, Shape shape, const std::vector<std::int32_t>& codes) {
  return codes_tensor(type, std::move(shape), {codes.begin(), codes.end()});
}

inline Tensor floats_tensor(Shape shape, const Floats& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), std::bit_cast<std::uint32_t>(values[i]));
  return tensor;
}
inline Tensor floats_line(const Floats& values) { return floats_tensor({static_cast<std::int64_t>(values.size())}, values); }

/// The type must have the value.
inline Tensor exact_scalar(const std::string& type, const Real& value) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {}, {}});
  tensor.set_code(0, *tensor.element().encode(value));
  return tensor;
}

inline float f32_at(const Tensor& tensor, std::int64_t index) {
  float value = 0;
  std::memcpy(&value, tensor.bytes().data() + index * 4, sizeof value);
  return value;
}

}  // namespace tiebreak
