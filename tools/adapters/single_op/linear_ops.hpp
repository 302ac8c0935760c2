// SPDX-License-Identifier: Apache-2.0
// Operands of the ops whose vendors' kernels look alike (quantize, matrix products, convolutions, add and multiply), read from a single op
// and checked: 8-bit codes, scales, zero points, geometry. What a kernel cannot do is its adapter's to refuse.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak {

/// How codes of 8 bits stand for numbers: one scale and zero point, or one a channel.
struct Quantization {
  bool is_signed = false;
  std::vector<float> scales{};
  std::vector<std::int32_t> zero_points{};

  bool per_channel() const { return scales.size() > 1; }
  std::int32_t zero_point() const { return zero_points[0]; }
  float scale() const { return scales[0]; }
  std::int32_t least() const { return is_signed ? -128 : 0; }
  std::int32_t greatest() const { return is_signed ? 127 : 255; }
};

/// An operand of f32 scales, one or a row of them.
Result<std::vector<float>> scales_of(const SingleOp& op, std::size_t index, const std::string& name);

/// A tensor of 8-bit codes. The bytes are those of i8 or u8, row-major.
struct Codes {
  Quantization as{};
  Shape shape{};
  std::vector<std::uint8_t> bytes{};
};

/// f32 numbers to codes, or codes to f32 numbers.
struct QuantizeOp {
  std::vector<float> x{};
  Quantization y{};
  std::int64_t axis = 0;  ///< of the scales, where there are several
  Shape shape{};
};
Result<QuantizeOp> quantize_op(const SingleOp& op);
struct DequantizeOp {
  Codes x{};
  std::int64_t axis = 0;
};
Result<DequantizeOp> dequantize_op(const SingleOp& op);

/// The product of matrices [rows, depth] and [depth, columns]; vectors are matrices with one row or column, a batch of the left one is rows.
/// A batch of the right one is unsupported. `plain` ops have int32 results, so y has no scale.
struct MatrixOp {
  Codes a{}, b{};
  Quantization y{};
  std::int64_t rows = 0, depth = 0, columns = 0;
};
Result<MatrixOp> matrix_op(const SingleOp& op);          ///< onnx.QLinearMatMul
Result<MatrixOp> integer_matrix_op(const SingleOp& op);  ///< onnx.MatMulInteger

/// A convolution with one or two spatial dimensions, one written as two. x is [n, channels, height, width], w [features, channels / groups,
/// height, width]. More dimensions are unsupported.
struct ImageOp {
  Codes x{}, w{};
  Quantization y{};
  std::vector<std::int32_t> bias{};  ///< one a feature, or none
  std::int64_t groups = 1;
  std::vector<std::int64_t> strides{}, dilations{}, pads_begin{}, pads_end{};
  Shape result{};
};
Result<ImageOp> image_op(const SingleOp& op);  ///< onnx.QLinearConv

/// Two tensors of codes and a third, elementwise: quant.add, quant.mul.
struct PairOp {
  Codes a{}, b{};
  Quantization y{};
  Shape result{};
};
Result<PairOp> pair_op(const SingleOp& op);

/// The mean of each channel over a whole image: microsoft.QLinearGlobalAveragePool.
struct AverageOp {
  Codes x{};
  Quantization y{};
  std::int64_t channels = 0;
  bool channels_last = false;
};
Result<AverageOp> average_op(const SingleOp& op);

/// The same elements with the axes in another order: result axis i is source axis order[i].
template <class Number>
std::vector<Number> permuted(const std::vector<Number>& source, const Shape& shape, const std::vector<std::size_t>& order) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  std::vector<Number> result;
  result.reserve(source.size());
  std::vector<std::int64_t> place(shape.size(), 0);
  for (std::size_t count = 0; count < source.size(); ++count) {
    std::int64_t index = 0;
    for (std::size_t axis = 0; axis < order.size(); ++axis) index += place[axis] * strides[order[axis]];
    result.push_back(source[static_cast<std::size_t>(index)]);
    for (std::size_t axis = order.size(); axis-- > 0;) {
      if (++place[axis] < shape[order[axis]]) break;
      place[axis] = 0;
    }
  }
  return result;
}

/// Errc::unsupported unless there is one scale and one zero point; `name` says of what.
Status one_scale(const Quantization& quantization, const std::string& name);

}  // namespace tiebreak
