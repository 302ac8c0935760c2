// SPDX-License-Identifier: Apache-2.0
// One builder a structure; structure.cpp chooses by path. Those that move elements: movement/movements.hpp.
#pragma once
#include "interpreter/geometry/request_parts.hpp"
#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

Result<Geometry> elementwise(const StructureRequest& request);
Result<Geometry> rows(const StructureRequest& request);
Result<Geometry> dot_onnx(const StructureRequest& request);
Result<Geometry> dot_stablehlo(const StructureRequest& request);
Result<Geometry> convolution_onnx(const StructureRequest& request);
Result<Geometry> convolution_stablehlo(const StructureRequest& request);
Result<Geometry> dot_migraphx(const StructureRequest& request);
Result<Geometry> convolution_migraphx(const StructureRequest& request);
Result<Geometry> window_onnx(const StructureRequest& request);
Result<Geometry> window_stablehlo(const StructureRequest& request);
Result<Geometry> dot_qnn(const StructureRequest& request);
Result<Geometry> convolution_qnn(const StructureRequest& request);
Result<Geometry> transposed_convolution_qnn(const StructureRequest& request);
Result<Geometry> window_qnn(const StructureRequest& request);
Result<Geometry> elementwise_onnx(const StructureRequest& request);
Result<Geometry> transposed_convolution_onnx(const StructureRequest& request);
Result<Geometry> convolution_tosa(const StructureRequest& request);
Result<Geometry> depthwise_convolution_tosa(const StructureRequest& request);
Result<Geometry> transposed_convolution_tosa(const StructureRequest& request);
Result<Geometry> window_tosa(const StructureRequest& request);
Result<Geometry> resize_tosa(const StructureRequest& request);
Result<Geometry> resize_qnn(const StructureRequest& request);
Result<Geometry> resize_onnx(const StructureRequest& request);
Result<Geometry> rows_onnx(const StructureRequest& request);
Result<Geometry> convolution_tflite(const StructureRequest& request);
Result<Geometry> depthwise_convolution_tflite(const StructureRequest& request);
Result<Geometry> transposed_convolution_tflite(const StructureRequest& request);
Result<Geometry> window_tflite(const StructureRequest& request);
Result<Geometry> dot_tflite(const StructureRequest& request);
Result<Geometry> rows_tflite(const StructureRequest& request);
Result<Geometry> rows_torch(const StructureRequest& request);
Result<Geometry> rows_svdf(const StructureRequest& request);
Result<Geometry> resize_tflite(const StructureRequest& request);
Result<Geometry> dot_packed(const StructureRequest& request);
Result<Geometry> window_nhwc(const StructureRequest& request);
Result<Geometry> convolution_torch(const StructureRequest& request);
Result<Geometry> transposed_convolution_torch(const StructureRequest& request);
Result<Geometry> dot_torch(const StructureRequest& request);
Result<Geometry> window_torch(const StructureRequest& request);

/// Rows of `depth` numbers, each with every one of `units`: the cells are row and unit, the items lie along the depth. Without operands and result shape.
Geometry rows_by_units(std::int64_t rows, std::int64_t depth, std::int64_t units);
/// One value where the indices leave all but one dimension 1, else a broadcast against the extents of several indices, from the back.
Result<Access> over_indices(const Geometry& geometry, const StructureRequest& request, const StructureOperand& operand,
                            const std::vector<ParameterIndex>& indices);

}  // namespace tiebreak::structure
