// SPDX-License-Identifier: Apache-2.0
// What benchmarks of ops take: the pages of the installation, and operands with one element.
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

}  // namespace tiebreak
