// SPDX-License-Identifier: Apache-2.0
// A model that is a chain of one operator: x, then v0, v1 ... each made of the one before.
#pragma once
#include <string>

#include "testsuite/layers/model.hpp"

namespace tiebreak {

/// Of i32 values of `size` elements, the input all zero. `stated`: whether the program says the type of each value, or only of x.
inline Model chain_model(const std::string& op, int length, std::int64_t size, bool stated) {
  Model model;
  model.test.id = "chain";
  Program& program = model.test.program;
  const TensorType type{*ElementType::parse("i32"), {size}, {}};
  program.values = {{"x", type, {}}};
  program.inputs = {0};
  for (int i = 0; i < length; ++i) {
    program.values.push_back({"v" + std::to_string(i), stated ? std::optional(type) : std::nullopt, {}});
    program.operations.push_back({op, {i}, {i + 1}, {}, 0, ""});
  }
  program.outputs = {length};
  model.test.inputs = {*Tensor::zeros(type)};
  return model;
}

}  // namespace tiebreak
