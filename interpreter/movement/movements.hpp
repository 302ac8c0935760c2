// SPDX-License-Identifier: Apache-2.0
// Structures that move elements: one builder each.
#pragma once
#include "interpreter/geometry/request_parts.hpp"

namespace tiebreak::structure {

Result<Geometry> concat(const StructureRequest& request);
Result<Geometry> gather(const StructureRequest& request);
Result<Geometry> regroup(const StructureRequest& request);
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
Result<Geometry> gather_tosa(const StructureRequest& request);
Result<Geometry> gather_torch(const StructureRequest& request);
Result<Geometry> bags_torch(const StructureRequest& request);
Result<Geometry> scatter_tosa(const StructureRequest& request);
Result<Geometry> move_reshape_tosa(const StructureRequest& request);
Result<Geometry> move_slice_tosa(const StructureRequest& request);
Result<Geometry> move_pad_tosa(const StructureRequest& request);
Result<Geometry> move_tile_tosa(const StructureRequest& request);
Result<Geometry> move_reverse_tosa(const StructureRequest& request);
Result<Geometry> move_transpose_tosa(const StructureRequest& request);
Result<Geometry> move_reshape_relay(const StructureRequest& request);
Result<Geometry> move_transpose_relay(const StructureRequest& request);
Result<Geometry> move_pad_relay(const StructureRequest& request);
Result<Geometry> move_expand_dims_relay(const StructureRequest& request);
Result<Geometry> move_squeeze_relay(const StructureRequest& request);
Result<Geometry> move_slice_relay(const StructureRequest& request);
Result<Geometry> move_split_relay(const StructureRequest& request);
Result<Geometry> move_take_relay(const StructureRequest& request);
Result<Geometry> move_reshape_tflite(const StructureRequest& request);
Result<Geometry> move_pad_tflite(const StructureRequest& request);
Result<Geometry> move_slice_tflite(const StructureRequest& request);
Result<Geometry> move_transpose_tflite(const StructureRequest& request);
Result<Geometry> move_space_to_batch_tflite(const StructureRequest& request);
Result<Geometry> move_batch_to_space_tflite(const StructureRequest& request);
Result<Geometry> move_strided_slice_tflite(const StructureRequest& request);
Result<Geometry> move_split_tflite(const StructureRequest& request);
Result<Geometry> move_unpack_tflite(const StructureRequest& request);
Result<Geometry> move_pack_tflite(const StructureRequest& request);
Result<Geometry> move_reverse_tflite(const StructureRequest& request);
Result<Geometry> move_mirror_pad_tflite(const StructureRequest& request);
Result<Geometry> move_gather_nd_tflite(const StructureRequest& request);
Result<Geometry> move_line(const StructureRequest& request);
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

}  // namespace tiebreak::structure
