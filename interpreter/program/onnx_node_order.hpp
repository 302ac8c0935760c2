// SPDX-License-Identifier: Apache-2.0
// In which order the nodes of an ONNX graph run.
#pragma once
#include <functional>

#include "interpreter/program/onnx_proto.hpp"

namespace tiebreak::onnx_format {

/// `WHERE: node 'NAME' (OP)`, with its number where it has no name.
std::string node_place(const onnx::GraphProto& graph, int index, const std::string& where);
/// Indices of the nodes so that each comes after those it reads, graphs inside it included; files in order keep their order. `is_defined`: names that need no
/// node. Errc::corrupt: a name that is not defined or defined twice, a cycle.
Result<std::vector<int>> node_order(const onnx::GraphProto& graph, const std::string& where, const std::function<bool(const std::string&)>& is_defined);

}  // namespace tiebreak::onnx_format
