// SPDX-License-Identifier: Apache-2.0
// QLinearMatMul as fully connected, QLinearConv as convolution2d in qs8, qc8 and qu8. The library makes its factor from the scales.
#include "tools/adapters/xnnpack/kernels.hpp"

namespace tiebreak::xnnpack {
namespace {

/// i8 by i8 to i8, or u8 by u8 to u8.
Status one_type(const Quantization& x, const Quantization& w, const Quantization& y) {
  if (x.is_signed != w.is_signed || x.is_signed != y.is_signed) return fail(Errc::unsupported, "no kernel has operands and result of several types");
  return {};
}

Status no_weight_zero_point(const Quantization& w) {
  for (std::int32_t code : w.zero_points) {
    if (code != 0) return fail(Errc::unsupported, "kernels with i8 weights have no zero point for them");
  }
  return {};
}

Status once(const Quantization& x, const Quantization& w, const Quantization& y) {
  TIEBREAK_CHECK(one_type(x, w, y));
  TIEBREAK_CHECK(one_scale(x, "x"));
  TIEBREAK_CHECK(one_scale(y, "y"));
  return x.is_signed ? no_weight_zero_point(w) : one_scale(w, "w");
}

std::int8_t small(std::int32_t code) { return static_cast<std::int8_t>(code); }
std::uint8_t byte(std::int32_t code) { return static_cast<std::uint8_t>(code); }

Result<OpAnswer> matrix_signed(const MatrixOp& op) {
  TIEBREAK_CHECK(one_scale(op.b.as, "b"));
  const auto a = with_room(as_signed(op.a.bytes)), b = as_signed(op.b.bytes);
  std::vector<std::int8_t> y(size(op.rows * op.columns));
  TIEBREAK_CHECK(run_operator(
      "fully_connected_nc_qs8",
      [&](xnn_operator_t* out) {
        return xnn_create_fully_connected_nc_qs8(size(op.depth), size(op.columns), size(op.depth), size(op.columns), small(op.a.as.zero_point()),
                                                 op.a.as.scale(), op.b.as.scale(), b.data(), nullptr, small(op.y.zero_point()), op.y.scale(), -128, 127,
                                                 XNN_FLAG_TRANSPOSE_WEIGHTS, out);
      },
      [&](xnn_operator_t made) { return xnn_setup_fully_connected_nc_qs8(made, size(op.rows), a.data(), y.data(), nullptr); }));
  return answer_of(y, "fully_connected_nc_qs8");
}

Result<OpAnswer> matrix_unsigned(const MatrixOp& op) {
  const auto a = with_room(op.a.bytes);
  std::vector<std::uint8_t> y(size(op.rows * op.columns));
  TIEBREAK_CHECK(run_operator(
      "fully_connected_nc_qu8",
      [&](xnn_operator_t* out) {
        return xnn_create_fully_connected_nc_qu8(size(op.depth), size(op.columns), size(op.depth), size(op.columns), byte(op.a.as.zero_point()),
                                                 op.a.as.scale(), byte(op.b.as.zero_point()), op.b.as.scale(), op.b.bytes.data(), nullptr,
                                                 byte(op.y.zero_point()), op.y.scale(), 0, 255, XNN_FLAG_TRANSPOSE_WEIGHTS, out);
      },
      [&](xnn_operator_t made) { return xnn_setup_fully_connected_nc_qu8(made, size(op.rows), a.data(), y.data(), nullptr); }));
  return answer_of(y, "fully_connected_nc_qu8");
}

Result<OpAnswer> q_linear_mat_mul(const SingleOp& single) {
  TIEBREAK_TRY(op, matrix_op(single));
  TIEBREAK_CHECK(once(op.a.as, op.b.as, op.y));
  return op.a.as.is_signed ? matrix_signed(op) : matrix_unsigned(op);
}

/// What the three convolutions share: data in the library's layout and the extents of the result in it.
struct Image {
  std::vector<std::uint8_t> x{}, w{};
  Shape result_nhwc{};
  std::size_t channels = 0, features = 0, group_channels = 0, group_features = 0;
  const std::int32_t* bias = nullptr;
};

Image laid_out(const ImageOp& op) {
  Image image;
  image.x = with_room(permuted(op.x.bytes, op.x.shape, {0, 2, 3, 1}));
  image.w = permuted(op.w.bytes, op.w.shape, {0, 2, 3, 1});
  image.result_nhwc = {op.result[0], op.result[2], op.result[3], op.result[1]};
  image.channels = size(op.x.shape[1]);
  image.features = size(op.w.shape[0]);
  image.group_channels = size(op.w.shape[1]);
  image.group_features = image.features / size(op.groups);
  image.bias = op.bias.empty() ? nullptr : op.bias.data();
  return image;
}

/// The first thirteen arguments of every creation, in the library's order, followed by those that differ.
template <class Function, class... Rest>
xnn_status created(Function function, const ImageOp& op, const Image& image, Rest... rest) {
  return function(word(op.pads_begin[0]), word(op.pads_end[1]), word(op.pads_end[0]), word(op.pads_begin[1]), word(op.w.shape[2]), word(op.w.shape[3]),
                  word(op.strides[0]), word(op.strides[1]), word(op.dilations[0]), word(op.dilations[1]), word(op.groups), image.group_channels,
                  image.group_features, image.channels, image.features, rest...);
}

template <class Code, class Create, class Setup>
Result<OpAnswer> convolved(const std::string& name, const ImageOp& op, const Image& image, Create&& create, Setup setup) {
  std::vector<Code> y(image.features * size(op.result[0] * op.result[2] * op.result[3]));
  const auto* x = reinterpret_cast<const Code*>(image.x.data());
  TIEBREAK_CHECK(run_operator(
      name, create, [&](xnn_operator_t made) { return setup(made, size(op.x.shape[0]), size(op.x.shape[2]), size(op.x.shape[3]), x, y.data(), nullptr); }));
  return answer_of(permuted(y, image.result_nhwc, {0, 3, 1, 2}), name);
}

Result<OpAnswer> image_unsigned(const ImageOp& op, const Image& image) {
  return convolved<std::uint8_t>(
      "convolution2d_nhwc_qu8", op, image,
      [&](xnn_operator_t* out) {
        return created(xnn_create_convolution2d_nhwc_qu8, op, image, byte(op.x.as.zero_point()), op.x.as.scale(), byte(op.w.as.zero_point()), op.w.as.scale(),
                       image.w.data(), image.bias, byte(op.y.zero_point()), op.y.scale(), byte(0), byte(255), 0U, out);
      },
      xnn_setup_convolution2d_nhwc_qu8);
}

/// One scale goes to qs8, several go to qc8: two kernels, and on arm64 two arithmetics.
Result<OpAnswer> image_signed(const ImageOp& op, const Image& image) {
  const auto w = as_signed(image.w);
  const auto create = [&](auto function, auto w_scale, xnn_operator_t* out) {
    return created(function, op, image, small(op.x.as.zero_point()), op.x.as.scale(), w_scale, w.data(), image.bias, small(op.y.zero_point()), op.y.scale(),
                   small(-128), small(127), 0U, out);
  };
  if (op.w.as.per_channel()) {
    return convolved<std::int8_t>(
        "convolution2d_nhwc_qc8", op, image, [&](xnn_operator_t* out) { return create(xnn_create_convolution2d_nhwc_qc8, op.w.as.scales.data(), out); },
        xnn_setup_convolution2d_nhwc_qc8);
  }
  return convolved<std::int8_t>(
      "convolution2d_nhwc_qs8", op, image, [&](xnn_operator_t* out) { return create(xnn_create_convolution2d_nhwc_qs8, op.w.as.scale(), out); },
      xnn_setup_convolution2d_nhwc_qs8);
}

Result<OpAnswer> q_linear_conv(const SingleOp& single) {
  TIEBREAK_TRY(op, image_op(single));
  TIEBREAK_CHECK(once(op.x.as, op.w.as, op.y));
  const Image image = laid_out(op);
  return op.x.as.is_signed ? image_signed(op, image) : image_unsigned(op, image);
}

}  // namespace

OpCalls contraction_calls() { return {{"onnx.QLinearConv", q_linear_conv}, {"onnx.QLinearMatMul", q_linear_mat_mul}}; }

}  // namespace tiebreak::xnnpack
