// SPDX-License-Identifier: Apache-2.0
// How messages name places of a model: FILE: subgraph 0, operator 3 (CONV_2D v3), tensor 7 "name".
#pragma once
#include "interpreter/lite/model.hpp"

namespace tiebreak::tflite {

std::string subgraph_place(const std::string& file, std::size_t index);
std::string operator_place(const std::string& subgraph, std::size_t index, const ModelOperator& entry);
std::string tensor_place(const std::string& before, std::size_t index, const std::string& name);

}  // namespace tiebreak::tflite
