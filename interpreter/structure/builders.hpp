// SPDX-License-Identifier: Apache-2.0
// One builder a structure; structure.cpp chooses by path.
#pragma once
#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

/// The largest extent of a window, stride, dilation or padding: with it no position leaves 64 bits.
constexpr std::int64_t far = std::int64_t{1} << 30;

const StructureOperand* find_operand(const StructureRequest& request, const std::string& name);
/// The argument operand at `position`, or an error that names it.
Result<const StructureOperand*> argument_operand(const StructureRequest& request, std::size_t position);
/// An attribute as integers; `fallback` when absent or none.
Result<Shape> integers(const StructureRequest& request, const std::string& name, const Shape& fallback);
Result<std::int64_t> integer(const StructureRequest& request, const std::string& name, std::int64_t fallback);
/// A malformed shape: `label` is the constraint of the source, or "".
tl::unexpected<Error> malformed(const StructureRequest& request, const std::string& label, const std::string& what);
bool is_misread(const StructureRequest& request, std::string_view word);
Affine at_cell(int coordinate, std::int64_t coefficient = 1);
Affine at_item(int coordinate, std::int64_t coefficient = 1);
Affine constant(std::int64_t base);

Result<Geometry> elementwise(const StructureRequest& request);
Result<Geometry> rows(const StructureRequest& request);
Result<Geometry> dot_onnx(const StructureRequest& request);
Result<Geometry> dot_stablehlo(const StructureRequest& request);
Result<Geometry> convolution_onnx(const StructureRequest& request);
Result<Geometry> convolution_stablehlo(const StructureRequest& request);
Result<Geometry> window_onnx(const StructureRequest& request);
Result<Geometry> window_stablehlo(const StructureRequest& request);
Result<Geometry> concat(const StructureRequest& request);
Result<Geometry> gather(const StructureRequest& request);
Result<Geometry> regroup(const StructureRequest& request);
Result<Geometry> dot_qnn(const StructureRequest& request);
Result<Geometry> convolution_qnn(const StructureRequest& request);
Result<Geometry> transposed_convolution_qnn(const StructureRequest& request);
Result<Geometry> window_qnn(const StructureRequest& request);
Result<Geometry> move_reshape_onnx(const StructureRequest& request);
Result<Geometry> move_flatten_onnx(const StructureRequest& request);
Result<Geometry> move_squeeze_onnx(const StructureRequest& request);
Result<Geometry> move_unsqueeze_onnx(const StructureRequest& request);
Result<Geometry> move_transpose_onnx(const StructureRequest& request);
Result<Geometry> move_slice_onnx(const StructureRequest& request);
Result<Geometry> move_split_onnx(const StructureRequest& request);
Result<Geometry> move_pad_onnx(const StructureRequest& request);
Result<Geometry> move_expand_onnx(const StructureRequest& request);
Result<Geometry> move_resize_onnx(const StructureRequest& request);
Result<Geometry> move_line(const StructureRequest& request);
Result<Geometry> elementwise_onnx(const StructureRequest& request);
Result<Geometry> transposed_convolution_onnx(const StructureRequest& request);
Result<Geometry> rows_onnx(const StructureRequest& request);
Result<Geometry> move_broadcast_in_dim(const StructureRequest& request);
Result<Geometry> move_concatenate(const StructureRequest& request);
Result<Geometry> move_dynamic_slice(const StructureRequest& request);
Result<Geometry> move_dynamic_update_slice(const StructureRequest& request);
Result<Geometry> move_each(const StructureRequest& request);
Result<Geometry> move_gather(const StructureRequest& request);
Result<Geometry> move_iota(const StructureRequest& request);
Result<Geometry> move_pad(const StructureRequest& request);
Result<Geometry> move_reshape(const StructureRequest& request);
Result<Geometry> move_reverse(const StructureRequest& request);
Result<Geometry> move_slice(const StructureRequest& request);
Result<Geometry> move_transpose(const StructureRequest& request);

/// One value where the indices leave all but one dimension 1, else a broadcast against the extents of several indices, from the back.
Result<Access> over_indices(const Geometry& geometry, const StructureRequest& request, const StructureOperand& operand, const std::vector<ParameterIndex>& indices);

}  // namespace tiebreak::structure
