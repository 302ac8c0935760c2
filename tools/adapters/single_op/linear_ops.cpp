// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/single_op/linear_ops.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

Result<bool> signedness(const ElementType& element, const std::string& name) {
  if (element.name() == "i8") return true;
  if (element.name() == "u8") return false;
  return fail(Errc::unsupported, name + " of type " + element.name() + ", not of 8 bits");
}

Result<std::vector<std::int32_t>> read_zero_points(const SingleOp& op, std::size_t index, const std::string& name) {
  if (op.operand(index) == nullptr) return std::vector<std::int32_t>{0};
  TIEBREAK_TRY(codes, codes_of(*op.operand(index)));
  if (codes.empty()) return fail(Errc::type, name + " is empty");
  return codes;
}

/// Scale and zero point stand behind the tensor that they belong to; `scale_at` 0 says that there is no scale.
Result<Codes> read_codes(const SingleOp& op, std::size_t at, std::size_t scale_at, std::size_t zero_point_at, const std::string& name) {
  TIEBREAK_TRY(tensor, op.required(at, name));
  TIEBREAK_TRY(is_signed, signedness(tensor->element(), name));
  if (tensor->size() == 0) return fail(Errc::unsupported, name + " is empty");
  Codes codes{{is_signed, {1.0f}, {}}, tensor->shape(), {}};
  if (scale_at != 0) {
    TIEBREAK_TRY(scales, scales_of(op, scale_at, name + "_scale"));
    codes.as.scales = scales;
  }
  TIEBREAK_TRY(zero_points, read_zero_points(op, zero_point_at, name + "_zero_point"));
  codes.as.zero_points = zero_points;
  for (std::byte byte : tensor->bytes()) codes.bytes.push_back(std::to_integer<std::uint8_t>(byte));
  return codes;
}

Result<Quantization> read_result(const SingleOp& op, std::size_t scale_at, std::size_t zero_point_at) {
  TIEBREAK_TRY(type, op.output_type(0));
  TIEBREAK_TRY(is_signed, signedness(type.element, "y"));
  TIEBREAK_TRY(scales, scales_of(op, scale_at, "y_scale"));
  TIEBREAK_TRY(zero_points, read_zero_points(op, zero_point_at, "y_zero_point"));
  return Quantization{is_signed, scales, zero_points};
}

Result<std::int64_t> scale_axis(const SingleOp& op, const Shape& shape, const std::vector<float>& scales) {
  if (op.integer("block_size", 0) != 0) return fail(Errc::unsupported, "blocked scales");
  const auto rank = static_cast<std::int64_t>(shape.size());
  std::int64_t axis = op.integer("axis", 1);
  if (axis < 0) axis += rank;
  if (scales.size() == 1) return 0;
  const bool inside = axis >= 0 && axis < rank;
  if (!inside || shape[static_cast<std::size_t>(axis)] != static_cast<std::int64_t>(scales.size())) {
    return fail(Errc::type, "the scales do not fit the axis");
  }
  return axis;
}

Result<MatrixOp> with_extents(MatrixOp op) {
  if (op.a.shape.empty() || op.b.shape.empty()) return fail(Errc::type, "a matrix product of scalars");
  for (std::size_t axis = 0; axis + 2 < op.b.shape.size(); ++axis) {
    if (op.b.shape[axis] != 1) return fail(Errc::unsupported, "the right operand is a batch of matrices");
  }
  op.depth = op.a.shape.back();
  op.columns = op.b.shape.size() == 1 ? 1 : op.b.shape.back();
  op.rows = static_cast<std::int64_t>(op.a.bytes.size()) / op.depth;
  if (static_cast<std::int64_t>(op.b.bytes.size()) != op.depth * op.columns) return fail(Errc::type, "the matrices do not fit");
  for (const Quantization* of : {&op.a.as, &op.y}) {
    if (of->scales.size() > 1 || of->zero_points.size() > 1) return fail(Errc::unsupported, "scales or zero points of rows");
  }
  if (op.b.as.per_channel() && static_cast<std::int64_t>(op.b.as.scales.size()) != op.columns) {
    return fail(Errc::type, "b_scale has not one number a column");
  }
  return op;
}

/// One spatial dimension becomes two, the first of extent 1.
void lift(Shape& shape) {
  if (shape.size() == 3) shape.insert(shape.begin() + 2, 1);
}

Status set_geometry(const SingleOp& op, ImageOp& image) {
  TIEBREAK_TRY(geometry, convolution_attributes(op, image.x.shape, image.w.shape));
  if (geometry.kernel.size() > 2) return fail(Errc::unsupported, "more than two spatial dimensions");
  const bool one = geometry.kernel.size() == 1;
  const auto lifted = [&](std::vector<std::int64_t> values, std::int64_t neutral) {
    if (one) values.insert(values.begin(), neutral);
    return values;
  };
  lift(image.x.shape);
  lift(image.w.shape);
  image.groups = geometry.groups;
  image.strides = lifted(geometry.strides, 1);
  image.dilations = lifted(geometry.dilations, 1);
  image.pads_begin = lifted(geometry.pads_begin, 0);
  image.pads_end = lifted(geometry.pads_end, 0);
  image.result = {image.x.shape[0], image.w.shape[0]};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t reach = (image.w.shape[axis + 2] - 1) * image.dilations[axis] + 1;
    const std::int64_t room = image.x.shape[axis + 2] + image.pads_begin[axis] + image.pads_end[axis] - reach;
    if (image.pads_begin[axis] < 0 || image.pads_end[axis] < 0) return fail(Errc::unsupported, "negative padding");
    if (room < 0) return fail(Errc::unsupported, "the kernel is larger than the padded input");
    image.result.push_back(room / image.strides[axis] + 1);
  }
  return {};
}

Result<Shape> broadcast(Shape a, Shape b) {
  while (a.size() < b.size()) a.insert(a.begin(), 1);
  while (b.size() < a.size()) b.insert(b.begin(), 1);
  Shape result;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    if (a[axis] != b[axis] && a[axis] != 1 && b[axis] != 1) return fail(Errc::type, "the shapes do not broadcast");
    result.push_back(a[axis] == 1 ? b[axis] : a[axis]);
  }
  return result;
}

}  // namespace

Result<std::vector<float>> scales_of(const SingleOp& op, std::size_t index, const std::string& name) {
  TIEBREAK_TRY(tensor, op.required(index, name));
  if (tensor->element().name() != "f32") return fail(Errc::unsupported, name + " of type " + tensor->element().name());
  if (tensor->shape().size() > 1) return fail(Errc::unsupported, name + " of rank above 1");
  if (tensor->size() == 0) return fail(Errc::type, name + " is empty");
  return floats_of(*tensor);
}

Result<QuantizeOp> quantize_op(const SingleOp& op) {
  TIEBREAK_TRY(x, op.required(0, "x"));
  if (x->element().name() != "f32") return fail(Errc::unsupported, "x of type " + x->element().name());
  if (x->size() == 0) return fail(Errc::unsupported, "x is empty");
  const auto precision = op.attributes.find("precision");
  if (precision != op.attributes.end() && !precision->second.is_none()) return fail(Errc::unsupported, "the attribute precision");
  TIEBREAK_TRY(y, read_result(op, 1, 2));
  TIEBREAK_TRY(axis, scale_axis(op, x->shape(), y.scales));
  TIEBREAK_TRY(values, floats_of(*x));
  return QuantizeOp{std::move(values), std::move(y), axis, x->shape()};
}

Result<DequantizeOp> dequantize_op(const SingleOp& op) {
  TIEBREAK_TRY(x, read_codes(op, 0, 1, 2, "x"));
  TIEBREAK_TRY(axis, scale_axis(op, x.shape, x.as.scales));
  TIEBREAK_TRY(type, op.output_type(0));
  if (type.element.name() != "f32") return fail(Errc::unsupported, "a result of type " + type.element.name());
  return DequantizeOp{std::move(x), axis};
}

Result<MatrixOp> matrix_op(const SingleOp& op) {
  TIEBREAK_TRY(a, read_codes(op, 0, 1, 2, "a"));
  TIEBREAK_TRY(b, read_codes(op, 3, 4, 5, "b"));
  TIEBREAK_TRY(y, read_result(op, 6, 7));
  return with_extents({std::move(a), std::move(b), std::move(y), 0, 0, 0});
}

Result<MatrixOp> integer_matrix_op(const SingleOp& op) {
  TIEBREAK_TRY(a, read_codes(op, 0, 0, 2, "A"));
  TIEBREAK_TRY(b, read_codes(op, 1, 0, 3, "B"));
  return with_extents({std::move(a), std::move(b), Quantization{true, {1.0f}, {0}}, 0, 0, 0});
}

Result<ImageOp> image_op(const SingleOp& op) {
  ImageOp image;
  TIEBREAK_TRY(x, read_codes(op, 0, 1, 2, "x"));
  TIEBREAK_TRY(w, read_codes(op, 3, 4, 5, "w"));
  TIEBREAK_TRY(y, read_result(op, 6, 7));
  image.x = std::move(x);
  image.w = std::move(w);
  image.y = std::move(y);
  TIEBREAK_CHECK(set_geometry(op, image));
  const auto features = static_cast<std::size_t>(image.w.shape[0]);
  if (const Tensor* bias = op.operand(8)) {
    TIEBREAK_TRY(codes, codes_of(*bias));
    image.bias = std::move(codes);
    if (image.bias.size() != features) return fail(Errc::type, "the bias has not one number a channel");
  }
  if (image.w.as.per_channel() && image.w.as.scales.size() != features) return fail(Errc::type, "w_scale has not one number a channel");
  return image;
}

Result<PairOp> pair_op(const SingleOp& op) {
  TIEBREAK_TRY(a, read_codes(op, 0, 1, 2, "a"));
  TIEBREAK_TRY(b, read_codes(op, 3, 4, 5, "b"));
  TIEBREAK_TRY(y, read_result(op, 6, 7));
  if (a.as.is_signed != b.as.is_signed || a.as.is_signed != y.is_signed) return fail(Errc::type, "operands and result of several types");
  TIEBREAK_TRY(shape, broadcast(a.shape, b.shape));
  return PairOp{std::move(a), std::move(b), std::move(y), std::move(shape)};
}

Result<AverageOp> average_op(const SingleOp& op) {
  TIEBREAK_TRY(x, read_codes(op, 0, 1, 2, "x"));
  TIEBREAK_TRY(y, read_result(op, 3, 4));
  if (x.as.is_signed != y.is_signed) return fail(Errc::type, "operand and result of two types");
  if (x.shape.size() < 3) return fail(Errc::unsupported, "an image without spatial dimensions");
  AverageOp average{std::move(x), std::move(y), 0, op.integer("channels_last", 0) != 0};
  average.channels = average.channels_last ? average.x.shape.back() : average.x.shape[1];
  return average;
}

Status one_scale(const Quantization& quantization, const std::string& name) {
  if (quantization.scales.size() > 1) return fail(Errc::unsupported, "the kernel takes one scale, and " + name + " has several");
  for (std::int32_t code : quantization.zero_points) {
    if (code != quantization.zero_points[0]) return fail(Errc::unsupported, "the kernel takes one zero point, and " + name + " has several");
  }
  return {};
}

}  // namespace tiebreak
