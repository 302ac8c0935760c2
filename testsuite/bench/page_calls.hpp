// SPDX-License-Identifier: Apache-2.0
// What benchmarks of ops take: the pages of the installation, operands with one element, and operands of which every bit is as good as drawn.
#pragma once
#include "interpreter/semantics/library.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

inline const Library& pages() {
  static const auto library = *Library::load(Library::default_directory());
  return *library;
}

inline Tensor scalar(const char* type, const Real& value) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {}, {}});
  tensor.set_code(0, *tensor.element().encode(value));
  return tensor;
}

inline std::uint64_t next_state(std::uint64_t state) { return state * 6364136223846793005u + 1442695040888963407u; }

inline Tensor noise(const char* type, Shape shape, std::uint64_t state) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::byte& byte : tensor.bytes()) byte = static_cast<std::byte>((state = next_state(state)) >> 56);
  return tensor;
}

}  // namespace tiebreak
