// SPDX-License-Identifier: Apache-2.0
// Movement whose places are counted out: the elements of the result are listed one by one.
#pragma once
#include <functional>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

/// Element i of the result, counted in row-major order, is the operand's element at places[i].
Result<Geometry> listed_elements(const StructureRequest& request, const StructureOperand& operand, const Shape& wanted, std::vector<std::int64_t> places);

/// Place i of the result along dimension d is the operand's at place(d, i). `label` is the constraint that a stated shape other than `wanted` breaks.
Result<Geometry> listed_along(const StructureRequest& request, const StructureOperand& operand, const Shape& wanted, const std::string& label,
                              const std::function<std::int64_t(std::size_t, std::int64_t)>& place);

Result<Geometry> move_top_onnx(const StructureRequest& request);
Result<Geometry> move_top_relay(const StructureRequest& request);
Result<Geometry> move_depth_to_space(const StructureRequest& request);  ///< as ONNX, Relay and TensorFlow Lite steer it, by the request's path
Result<Geometry> move_space_to_depth(const StructureRequest& request);
Result<Geometry> move_tile_onnx(const StructureRequest& request);
Result<Geometry> move_fill_onnx(const StructureRequest& request);
Result<Geometry> move_range_onnx(const StructureRequest& request);

}  // namespace tiebreak::structure
