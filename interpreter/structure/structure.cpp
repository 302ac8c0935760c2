// SPDX-License-Identifier: Apache-2.0
#include "interpreter/structure/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interpreter/hint.hpp"
#include "interpreter/movement/listed_elements.hpp"
#include "interpreter/movement/movements.hpp"
#include "interpreter/structure/builders.hpp"

namespace tiebreak {
namespace {

using Builder = Result<Geometry> (*)(const StructureRequest&);
struct Entry {
  const char* path;
  Builder build;
};
constexpr Entry structures[] = {
    {"elementwise", structure::elementwise},
    {"rows", structure::rows},
    {"dot.onnx", structure::dot_onnx},
    {"dot.stablehlo", structure::dot_stablehlo},
    {"convolution.onnx", structure::convolution_onnx},
    {"convolution.stablehlo", structure::convolution_stablehlo},
    {"dot.migraphx", structure::dot_migraphx},
    {"convolution.migraphx", structure::convolution_migraphx},
    {"window.onnx", structure::window_onnx},
    {"window.stablehlo", structure::window_stablehlo},
    {"concat", structure::concat},
    {"gather", structure::gather},
    {"regroup", structure::regroup},
    {"dot.qnn", structure::dot_qnn},
    {"convolution.qnn", structure::convolution_qnn},
    {"transposed_convolution.qnn", structure::transposed_convolution_qnn},
    {"window.qnn", structure::window_qnn},
    {"move.reshape_onnx", structure::move_reshape_onnx},
    {"move.flatten_onnx", structure::move_flatten_onnx},
    {"move.squeeze_onnx", structure::move_squeeze_onnx},
    {"move.unsqueeze_onnx", structure::move_unsqueeze_onnx},
    {"move.transpose_onnx", structure::move_transpose_onnx},
    {"move.slice_onnx", structure::move_slice_onnx},
    {"move.split_onnx", structure::move_split_onnx},
    {"move.pad_onnx", structure::move_pad_onnx},
    {"move.expand_onnx", structure::move_expand_onnx},
    {"move.resize_onnx", structure::move_resize_onnx},
    {"move.top_onnx", structure::move_top_onnx},
    {"move.depth_to_space_onnx", structure::move_depth_to_space},
    {"move.space_to_depth_onnx", structure::move_space_to_depth},
    {"move.tile_onnx", structure::move_tile_onnx},
    {"move.fill_onnx", structure::move_fill_onnx},
    {"move.range_onnx", structure::move_range_onnx},
    {"move.line", structure::move_line},
    {"elementwise.onnx", structure::elementwise_onnx},
    {"transposed_convolution.onnx", structure::transposed_convolution_onnx},
    {"rows.onnx", structure::rows_onnx},
    {"convolution.tosa", structure::convolution_tosa},
    {"depthwise_convolution.tosa", structure::depthwise_convolution_tosa},
    {"transposed_convolution.tosa", structure::transposed_convolution_tosa},
    {"window.tosa", structure::window_tosa},
    {"resize.tosa", structure::resize_tosa},
    {"resize.qnn", structure::resize_qnn},
    {"resize.onnx", structure::resize_onnx},
    {"gather.tosa", structure::gather_tosa},
    {"scatter.tosa", structure::scatter_tosa},
    {"move.reshape_tosa", structure::move_reshape_tosa},
    {"move.slice_tosa", structure::move_slice_tosa},
    {"move.pad_tosa", structure::move_pad_tosa},
    {"move.tile_tosa", structure::move_tile_tosa},
    {"move.reverse_tosa", structure::move_reverse_tosa},
    {"move.transpose_tosa", structure::move_transpose_tosa},
    {"move.reshape_relay", structure::move_reshape_relay},
    {"move.transpose_relay", structure::move_transpose_relay},
    {"move.pad_relay", structure::move_pad_relay},
    {"move.expand_dims_relay", structure::move_expand_dims_relay},
    {"move.squeeze_relay", structure::move_squeeze_relay},
    {"move.slice_relay", structure::move_slice_relay},
    {"move.split_relay", structure::move_split_relay},
    {"move.take_relay", structure::move_take_relay},
    {"move.top_relay", structure::move_top_relay},
    {"move.depth_to_space_relay", structure::move_depth_to_space},
    {"move.space_to_depth_relay", structure::move_space_to_depth},
    {"convolution.tflite", structure::convolution_tflite},
    {"depthwise_convolution.tflite", structure::depthwise_convolution_tflite},
    {"transposed_convolution.tflite", structure::transposed_convolution_tflite},
    {"window.tflite", structure::window_tflite},
    {"dot.tflite", structure::dot_tflite},
    {"rows.tflite", structure::rows_tflite},
    {"rows.torch", structure::rows_torch},
    {"gather.torch", structure::gather_torch},
    {"bags.torch", structure::bags_torch},
    {"rows.svdf", structure::rows_svdf},
    {"resize.tflite", structure::resize_tflite},
    {"dot.packed", structure::dot_packed},
    {"window.nhwc", structure::window_nhwc},
    {"convolution.torch", structure::convolution_torch},
    {"transposed_convolution.torch", structure::transposed_convolution_torch},
    {"dot.torch", structure::dot_torch},
    {"window.torch", structure::window_torch},
    {"move.reshape_tflite", structure::move_reshape_tflite},
    {"move.pad_tflite", structure::move_pad_tflite},
    {"move.slice_tflite", structure::move_slice_tflite},
    {"move.transpose_tflite", structure::move_transpose_tflite},
    {"move.space_to_batch_tflite", structure::move_space_to_batch_tflite},
    {"move.batch_to_space_tflite", structure::move_batch_to_space_tflite},
    {"move.space_to_depth_tflite", structure::move_space_to_depth},
    {"move.depth_to_space_tflite", structure::move_depth_to_space},
    {"move.strided_slice_tflite", structure::move_strided_slice_tflite},
    {"move.split_tflite", structure::move_split_tflite},
    {"move.unpack_tflite", structure::move_unpack_tflite},
    {"move.pack_tflite", structure::move_pack_tflite},
    {"move.reverse_tflite", structure::move_reverse_tflite},
    {"move.mirror_pad_tflite", structure::move_mirror_pad_tflite},
    {"move.gather_nd_tflite", structure::move_gather_nd_tflite},
    {"move.expand_tflite", structure::move_expand_onnx},
    {"move.broadcast_in_dim", structure::move_broadcast_in_dim},
    {"move.concatenate", structure::move_concatenate},
    {"move.dynamic_slice", structure::move_dynamic_slice},
    {"move.dynamic_update_slice", structure::move_dynamic_update_slice},
    {"move.each", structure::move_each},
    {"move.gather", structure::move_gather},
    {"move.iota", structure::move_iota},
    {"move.pad", structure::move_pad},
    {"move.reshape", structure::move_reshape},
    {"move.reverse", structure::move_reverse},
    {"move.slice", structure::move_slice},
    {"move.transpose", structure::move_transpose},
};

std::string dimension_text(const StructureOperand& operand, const std::string& index, std::int64_t extent) {
  return fmt::format("{} has shape {}, expected one value or {} along {}", operand.name, to_text(operand.type.shape), extent, index);
}

/// The parameter has one dimension for the index: [n], or the operand's own rank with all other dimensions 1 or the cell's.
Result<Access> along_index(const Geometry& geometry, const StructureRequest& request, const StructureOperand& operand, const std::string& name) {
  const Shape& shape = operand.type.shape;
  const Affine& position = geometry.indices.at(name);
  const std::int64_t extent = geometry.extents.at(name);
  if (shape.size() == 1) {
    if (shape[0] != extent) return structure::malformed(request, "", dimension_text(operand, name, extent));
    return make_access(shape, {position});
  }
  // The shape of the whole operand with the reduced dimension 1, as QLinearMatMul's per-row scales have it: [batch..., rows, 1].
  std::size_t own = name == "row" ? shape.size() - 2 : shape.size() - 1;
  std::vector<Affine> positions(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (d == own && shape[d] == extent) {
      positions[d] = position;
      continue;
    }
    // A batch dimension: aligned with the cell's batch coordinates from the back.
    std::size_t from_back = shape.size() - 2 - d;
    std::size_t batch = geometry.extents.contains("batch rank") ? static_cast<std::size_t>(geometry.extents.at("batch rank")) : 0;
    if (d >= shape.size() - 2 || from_back > batch || geometry.cell_extents[batch - from_back] != shape[d])
      return structure::malformed(request, "", dimension_text(operand, name, extent));
    positions[d] = structure::at_cell(static_cast<int>(batch - from_back));
  }
  return make_access(shape, std::move(positions));
}

/// A dimension of extent one that every cell reads, because it broadcasts: the cells' extent and coordinate there. nullopt for all other dimensions.
std::optional<std::pair<std::int64_t, Affine>> broadcast_dimension(const Geometry& geometry, const Access& elements, const Shape& shape, std::size_t axis) {
  if (geometry.has_bag || shape[axis] != 1 || geometry.cell_extents.size() < shape.size()) return std::nullopt;
  if (!elements.dimensions[axis].position.cell.empty()) return std::nullopt;
  const std::size_t cell = geometry.cell_extents.size() - shape.size() + axis;
  return std::pair{geometry.cell_extents[cell], structure::at_cell(static_cast<int>(cell))};
}

/// [axis] and [axis by n]: one value, a vector along the axis, or the operand's shape with the axis divided into blocks. Where one entry of the
/// operand holds several elements, the axis counts elements. Of operands that broadcast, the axis is a dimension of the first and as long as the result's.
Result<Access> along_axis(const Geometry& geometry, const StructureRequest& request, const StructureOperand& operand, const ParameterIndex& index) {
  const Shape& shape = operand.type.shape;
  TIEBREAK_TRY(first, structure::argument_operand(request, 0));
  Shape whole = first->type.shape;
  if (index.axis < 0 || index.axis >= static_cast<std::int64_t>(whole.size()))
    return structure::malformed(request, "", fmt::format("axis {} is outside the rank {} of {}", index.axis, whole.size(), first->name));
  const std::size_t axis = static_cast<std::size_t>(index.axis);
  const Access& elements = geometry.operands.at(first->name);
  for (std::size_t d = 0; d < whole.size(); ++d)
    if (elements.dimensions[d].division == Division::floor) whole[d] *= elements.dimensions[d].divisor;
  if (index.block <= 0) {
    if (const auto broadcast = broadcast_dimension(geometry, elements, whole, axis); broadcast && shape.size() == 1 && shape[0] == broadcast->first)
      return make_access(shape, {broadcast->second});
    if (shape.size() != 1 || shape[0] != whole[axis])
      return structure::malformed(request, "", dimension_text(operand, fmt::format("axis {}", axis), whole[axis]));
    return make_access(shape, {elements.dimensions[axis].position});
  }
  const std::int64_t blocks = (whole[axis] + index.block - 1) / index.block;
  Shape expected = whole;
  expected[axis] = blocks;
  if (shape != expected)
    return structure::malformed(
        request, "", fmt::format("{} has shape {}, blocks of {} along axis {} need {}", operand.name, to_text(shape), index.block, axis, to_text(expected)));
  std::vector<Affine> positions;
  for (const AccessDimension& dimension : elements.dimensions) positions.push_back(dimension.position);
  Access access = make_access(shape, std::move(positions));
  for (std::size_t d = 0; d < whole.size(); ++d) access.dimensions[d].listed = elements.dimensions[d].listed;
  access.dimensions[axis].divisor = index.block;
  return access;
}

/// [feature] where rows have several dimensions: a shape that broadcasts to the whole operand's, aligned at the back.
Result<Access> over_elements(const Geometry& geometry, const StructureRequest& request, const StructureOperand& operand) {
  const Shape& shape = operand.type.shape;
  const Shape& whole = geometry.item_result_shape;
  std::vector<Affine> positions(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::size_t from_back = shape.size() - d;
    const bool fits = from_back <= whole.size() && (shape[d] == 1 || shape[d] == whole[whole.size() - from_back]);
    if (!fits)
      return structure::malformed(request, "", fmt::format("{} has shape {}, expected what broadcasts to {}", operand.name, to_text(shape), to_text(whole)));
    if (shape[d] != 1) positions[d] = geometry.item_result.dimensions[whole.size() - from_back].position;
  }
  return make_access(shape, std::move(positions));
}

}  // namespace

std::vector<std::string> structure_names() {
  std::vector<std::string> names;
  for (const Entry& entry : structures) names.emplace_back(entry.path);
  return names;
}

Result<Geometry> build_geometry(const StructureRequest& request) {
  for (const Entry& entry : structures)
    if (request.path == entry.path) return entry.build(request);
  std::vector<std::string> names = structure_names();
  return fail(Errc::unknown_name, fmt::format("N01 unknown structure '{}'", request.path), request.where, did_you_mean(request.path, names));
}

Status add_parameter(Geometry& geometry, const StructureRequest& request, const StructureOperand& operand, const std::vector<ParameterIndex>& indices) {
  TIEBREAK_TRY(count, element_count(operand.type.shape));
  Access access;  // one value
  const bool blocked = indices.size() == 1 && indices[0].block > 0;
  if (count != 1 || (blocked && !operand.type.shape.empty() && operand.type.shape.size() != 1)) {
    if (indices.empty())
      return structure::malformed(request, "", fmt::format("{} has shape {}, expected one value", operand.name, to_text(operand.type.shape)));
    if (indices.size() == 1 && indices[0].name == "feature" && indices[0].block < 0 && !geometry.indices.contains("feature") &&
        !geometry.item_result.dimensions.empty()) {
      TIEBREAK_TRY(broadcast, over_elements(geometry, request, operand));
      geometry.operands[operand.name] = std::move(broadcast);
      return {};
    }
    if (indices.size() == 1 && indices[0].name == "*") {  // a table: no cell sees an element of it
      geometry.operands[operand.name] = Access{};
      return {};
    }
    for (const ParameterIndex& index : indices)
      if (index.name != "axis" && !geometry.indices.contains(index.name))
        return fail(Errc::unknown_name, fmt::format("N01 structure {} has no index '{}'", request.path, index.name), request.where);
    const ParameterIndex& index = indices[0];
    TIEBREAK_TRY(found, indices.size() > 1     ? structure::over_indices(geometry, request, operand, indices)
                        : index.name == "axis" ? along_axis(geometry, request, operand, index)
                                               : along_index(geometry, request, operand, index.name));
    access = std::move(found);
  }
  geometry.operands[operand.name] = std::move(access);
  return {};
}

Access quantized_parameter_access(const Access& elements, const QuantizedType& type) {
  Access access;
  std::vector<std::int64_t> strides = row_major_strides(type.parameter_shape);
  for (std::size_t d = 0; d < type.dimensions.size(); ++d) {
    AccessDimension dimension = elements.dimensions[static_cast<std::size_t>(type.dimensions[d].axis)];
    dimension.divisor *= type.dimensions[d].block;  // a block of a dilated axis counts places, holes between them too
    dimension.size = type.parameter_shape[d];
    dimension.stride = strides[d];
    access.dimensions.push_back(std::move(dimension));
  }
  access.may_miss = elements.may_miss;
  return access;
}

}  // namespace tiebreak
