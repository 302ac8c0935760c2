// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/onednn/mapping.hpp"

#include <algorithm>

#include "tools/adapters/single_op/linear_ops.hpp"

namespace tiebreak::onednn {
namespace {

Result<Storage> storage_of(const ElementType& element) {
  const std::string name = element.name();
  if (name == "u8") return Storage::u8;
  if (name == "i8") return Storage::s8;
  if (name == "i32") return Storage::s32;
  return fail(Errc::unsupported, "the primitive has no elements of type " + name);
}

Result<Storage> code_storage(const ElementType& element) {
  TIEBREAK_TRY(storage, storage_of(element));
  if (storage == Storage::s32) return fail(Errc::unsupported, "the primitive quantizes to 8 bits, not to i32");
  return storage;
}

/// The one zero point that a primitive takes; 0 where the operand is absent.
Result<std::int32_t> one_zero_point(const Tensor* tensor, const std::string& name) {
  if (tensor == nullptr) return 0;
  TIEBREAK_TRY(codes, codes_of(*tensor));
  if (codes.empty()) return fail(Errc::type, name + " is empty");
  for (std::int32_t code : codes) {
    if (code != codes[0]) return fail(Errc::unsupported, "the primitive takes one zero point, and " + name + " has several");
  }
  return codes[0];
}

Result<float> one_scale(const SingleOp& op, std::size_t index, const std::string& name) {
  TIEBREAK_TRY(values, scales_of(op, index, name));
  if (values.size() != 1) return fail(Errc::unsupported, "the primitive takes one scale, and " + name + " has several");
  return values[0];
}

Result<Operand> operand(const SingleOp& op, std::size_t index, const std::string& name, std::int32_t zero_point) {
  TIEBREAK_TRY(tensor, op.required(index, name));
  TIEBREAK_TRY(storage, storage_of(tensor->element()));
  if (tensor->size() == 0) return fail(Errc::unsupported, name + " is empty");
  return Operand{storage, tensor->shape(), {tensor->bytes().begin(), tensor->bytes().end()}, zero_point};
}

/// f32(f32(x_scale * w_scale) / y_scale) for each weight scale; a matrix product calls the operands a and b.
Result<std::vector<float>> multipliers(const SingleOp& op) {
  const bool is_matrix = op.op == "onnx.QLinearMatMul";
  TIEBREAK_TRY(x_scale, one_scale(op, 1, is_matrix ? "a_scale" : "x_scale"));
  TIEBREAK_TRY(w_scales, scales_of(op, 4, is_matrix ? "b_scale" : "w_scale"));
  TIEBREAK_TRY(y_scale, one_scale(op, 6, "y_scale"));
  std::vector<float> result;
  for (float w_scale : w_scales) {
    const float product = x_scale * w_scale;
    result.push_back(product / y_scale);
  }
  return result;
}

Result<Finish> finish_quantized(const SingleOp& op) {
  Finish finish;
  TIEBREAK_TRY(zero_point_operand, op.required(7, "y_zero_point"));
  TIEBREAK_TRY(storage, code_storage(zero_point_operand->element()));
  TIEBREAK_TRY(factors, multipliers(op));
  TIEBREAK_TRY(zero_point, one_zero_point(zero_point_operand, "y_zero_point"));
  finish.storage = storage;
  finish.multipliers = factors;
  finish.zero_point = zero_point;
  if (const Tensor* bias = op.operand(8)) {
    TIEBREAK_TRY(codes, codes_of(*bias));
    finish.bias = codes;
  }
  return finish;
}

/// Operand shapes of one rank, as the primitive wants them: vectors become matrices, missing batch dimensions 1.
struct MatmulShapes {
  Shape a, b, result;
};
MatmulShapes matmul_shapes(Shape a, Shape b) {
  if (a.size() == 1) a.insert(a.begin(), 1);
  if (b.size() == 1) b.push_back(1);
  while (a.size() < b.size()) a.insert(a.begin(), 1);
  while (b.size() < a.size()) b.insert(b.begin(), 1);
  Shape result;
  for (std::size_t axis = 0; axis + 2 < a.size(); ++axis) result.push_back(std::max(a[axis], b[axis]));
  result.push_back(a[a.size() - 2]);
  result.push_back(b.back());
  return {std::move(a), std::move(b), std::move(result)};
}

struct Indices {
  std::size_t a, b, a_zero_point, b_zero_point;
};

Result<OpAnswer> matmul_op(const SingleOp& op, const Indices& at, const Finish& finish) {
  TIEBREAK_TRY(a_zero_point, one_zero_point(op.operand(at.a_zero_point), "a_zero_point"));
  TIEBREAK_TRY(b_zero_point, one_zero_point(op.operand(at.b_zero_point), "b_zero_point"));
  TIEBREAK_TRY(a, operand(op, at.a, "a", a_zero_point));
  TIEBREAK_TRY(b, operand(op, at.b, "b", b_zero_point));
  if (a.shape.empty() || b.shape.empty()) return fail(Errc::type, "a matrix product of scalars");
  MatmulShapes shapes = matmul_shapes(a.shape, b.shape);
  a.shape = shapes.a;
  b.shape = shapes.b;
  if (finish.multipliers.size() > 1 && finish.multipliers.size() != static_cast<std::size_t>(shapes.result.back())) {
    return fail(Errc::type, "b_scale has not one number a column");
  }
  return matmul(a, b, shapes.result, finish);
}

Result<OpAnswer> convolution_op(const SingleOp& op, const Indices& at, const Finish& finish) {
  TIEBREAK_TRY(w_zero_point, one_zero_point(op.operand(at.b_zero_point), "w_zero_point"));
  if (w_zero_point != 0) return fail(Errc::unsupported, "the primitive has no zero point of the weights");
  TIEBREAK_TRY(x_zero_point, one_zero_point(op.operand(at.a_zero_point), "x_zero_point"));
  TIEBREAK_TRY(x, operand(op, at.a, "x", x_zero_point));
  TIEBREAK_TRY(w, operand(op, at.b, "w", 0));
  TIEBREAK_TRY(attributes, convolution_attributes(op, x.shape, w.shape));
  const auto features = static_cast<std::size_t>(w.shape[0]);
  if (finish.multipliers.size() > 1 && finish.multipliers.size() != features) return fail(Errc::type, "w_scale has not one number a channel");
  if (!finish.bias.empty() && finish.bias.size() != features) return fail(Errc::type, "the bias has not one number a channel");
  Shape result{x.shape[0], w.shape[0]};
  for (std::size_t axis = 0; axis < attributes.kernel.size(); ++axis) {
    const std::int64_t reach = (attributes.kernel[axis] - 1) * attributes.dilations[axis] + 1;
    const std::int64_t room = x.shape[axis + 2] + attributes.pads_begin[axis] + attributes.pads_end[axis] - reach;
    if (room < 0) return fail(Errc::unsupported, "the kernel is larger than the padded input");
    result.push_back(room / attributes.strides[axis] + 1);
  }
  const Geometry geometry{attributes.groups, attributes.strides, attributes.dilations, attributes.pads_begin, attributes.pads_end};
  return convolution(x, w, result, geometry, finish);
}

Result<OpAnswer> quantize_linear(const SingleOp& op) {
  TIEBREAK_TRY(x, op.required(0, "x"));
  if (x->element().name() != "f32") return fail(Errc::unsupported, "x of type " + x->element().name());
  if (op.integer("block_size", 0) != 0) return fail(Errc::unsupported, "blocked scales");
  if (x->size() == 0) return fail(Errc::unsupported, "x is empty");
  TIEBREAK_TRY(type, op.output_type(0));
  TIEBREAK_TRY(storage, code_storage(type.element));
  TIEBREAK_TRY(y_scale, scales_of(op, 1, "y_scale"));
  TIEBREAK_TRY(zero_point, one_zero_point(op.operand(2), "y_zero_point"));
  const auto rank = static_cast<std::int64_t>(x->shape().size());
  std::int64_t axis = op.integer("axis", 1);
  if (axis < 0) axis += rank;
  if (y_scale.size() > 1 && (axis < 0 || axis >= rank || x->shape()[static_cast<std::size_t>(axis)] != static_cast<std::int64_t>(y_scale.size()))) {
    return fail(Errc::type, "y_scale does not fit the axis");
  }
  std::vector<float> factors;
  for (float scale : y_scale) factors.push_back(1.0f / scale);
  Finish finish;
  finish.storage = storage;
  finish.zero_point = zero_point;
  TIEBREAK_TRY(values, floats_of(*x));
  const Shape shape = x->shape().empty() ? Shape{1} : x->shape();
  return quantize(values, shape, factors, static_cast<int>(std::max<std::int64_t>(axis, 0)), finish);
}

Result<OpAnswer> q_linear_mat_mul(const SingleOp& op) {
  TIEBREAK_TRY(finish, finish_quantized(op));
  return matmul_op(op, {0, 3, 2, 5}, finish);
}
Result<OpAnswer> q_linear_conv(const SingleOp& op) {
  TIEBREAK_TRY(finish, finish_quantized(op));
  return convolution_op(op, {0, 3, 2, 5}, finish);
}
Result<OpAnswer> mat_mul_integer(const SingleOp& op) { return matmul_op(op, {0, 1, 2, 3}, Finish{}); }
Result<OpAnswer> conv_integer(const SingleOp& op) { return convolution_op(op, {0, 1, 2, 3}, Finish{}); }

}  // namespace

OpCalls calls() {
  return {{"onnx.ConvInteger", conv_integer},
          {"onnx.MatMulInteger", mat_mul_integer},
          {"onnx.QLinearConv", q_linear_conv},
          {"onnx.QLinearMatMul", q_linear_mat_mul},
          {"onnx.QuantizeLinear", quantize_linear}};
}

}  // namespace tiebreak::onednn
