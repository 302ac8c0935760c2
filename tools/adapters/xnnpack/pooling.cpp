// SPDX-License-Identifier: Apache-2.0
// The greatest codes and the means of windows, and the mean of a whole image.
#include "tools/adapters/xnnpack/kernels.hpp"

namespace tiebreak::xnnpack {
namespace {

/// Images of one or two spatial dimensions, one written as two, with windows over them.
struct Windows {
  bool is_signed = false;
  Shape shape{};  ///< [n, channels, height, width]
  std::vector<std::uint8_t> bytes{};
  std::vector<std::int64_t> kernel{}, strides{}, dilations{}, pads_begin{}, pads_end{};
  Shape result{};
};

/// The codes have their channels second.
Result<Windows> windows_over(const SingleOp& op, bool is_signed, const Shape& shape, std::vector<std::uint8_t> bytes) {
  if (op.outputs.size() != 1) return fail(Errc::unsupported, "the indices of the greatest elements");
  if (op.integer("ceil_mode", 0) != 0) return fail(Errc::unsupported, "ceil_mode");
  const std::vector<std::int64_t> kernel = op.integers("kernel_shape", {});
  if (kernel.empty() || kernel.size() > 2 || shape.size() != kernel.size() + 2) return fail(Errc::unsupported, "not one or two spatial dimensions");
  // A window has the geometry of a convolution's kernel over the same channels.
  Shape as_kernel{shape[1], shape[1]};
  as_kernel.insert(as_kernel.end(), kernel.begin(), kernel.end());
  TIEBREAK_TRY(geometry, convolution_attributes(op, shape, as_kernel));
  const auto two = [](std::vector<std::int64_t> values, std::int64_t neutral) {
    if (values.size() == 1) values.insert(values.begin(), neutral);
    return values;
  };
  Windows windows{is_signed,
                  shape,
                  std::move(bytes),
                  two(kernel, 1),
                  two(geometry.strides, 1),
                  two(geometry.dilations, 1),
                  two(geometry.pads_begin, 0),
                  two(geometry.pads_end, 0),
                  {}};
  if (windows.shape.size() == 3) windows.shape.insert(windows.shape.begin() + 2, 1);
  windows.result = {windows.shape[0], windows.shape[1]};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t reach = (windows.kernel[axis] - 1) * windows.dilations[axis] + 1;
    const std::int64_t room = windows.shape[axis + 2] + windows.pads_begin[axis] + windows.pads_end[axis] - reach;
    if (windows.pads_begin[axis] < 0 || windows.pads_end[axis] < 0 || room < 0)
      return fail(Errc::unsupported, "negative padding, or a window beyond the image");
    windows.result.push_back(room / windows.strides[axis] + 1);
  }
  return windows;
}

template <class Code, class Create, class Setup>
Result<OpAnswer> greatest(const std::string& name, const Windows& op, Code least, Code most, Create create, Setup setup) {
  const auto x = with_room(permuted(op.bytes, op.shape, {0, 2, 3, 1}));
  const std::size_t channels = size(op.shape[1]);
  std::vector<Code> y(channels * size(op.result[0] * op.result[2] * op.result[3]));
  TIEBREAK_CHECK(run_operator(
      name,
      [&](xnn_operator_t* out) {
        return create(word(op.pads_begin[0]), word(op.pads_end[1]), word(op.pads_end[0]), word(op.pads_begin[1]), word(op.kernel[0]), word(op.kernel[1]),
                      word(op.strides[0]), word(op.strides[1]), word(op.dilations[0]), word(op.dilations[1]), channels, channels, channels, least, most, 0U,
                      out);
      },
      [&](xnn_operator_t made) {
        return setup(made, size(op.shape[0]), size(op.shape[2]), size(op.shape[3]), reinterpret_cast<const Code*>(x.data()), y.data(), nullptr);
      }));
  return answer_of(permuted(y, {op.result[0], op.result[2], op.result[3], op.result[1]}, {0, 3, 1, 2}), name);
}

Result<OpAnswer> max_pool(const SingleOp& single) {
  TIEBREAK_TRY(x, single.required(0, "X"));
  const std::string type = x->element().name();
  if (type != "i8" && type != "u8") return fail(Errc::unsupported, "X of type " + type + ", not of 8 bits");
  std::vector<std::uint8_t> bytes;
  for (std::byte one : x->bytes()) bytes.push_back(std::to_integer<std::uint8_t>(one));
  TIEBREAK_TRY(op, windows_over(single, type == "i8", x->shape(), std::move(bytes)));
  if (op.is_signed) return greatest<std::int8_t>("max_pooling2d_nhwc_s8", op, -128, 127, xnn_create_max_pooling2d_nhwc_s8, xnn_setup_max_pooling2d_nhwc_s8);
  return greatest<std::uint8_t>("max_pooling2d_nhwc_u8", op, 0, 255, xnn_create_max_pooling2d_nhwc_u8, xnn_setup_max_pooling2d_nhwc_u8);
}

/// What the operator cannot do, or does by another kernel than the one that the page describes.
Status check_average(const SingleOp& single, const AverageOp& op, const Windows& windows) {
  if (op.x.as.is_signed) return fail(Errc::unsupported, "X of type i8: the operator averages windows of u8 alone");
  bool padded = false, one_window = true;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t pads = windows.pads_begin[axis] + windows.pads_end[axis];
    padded |= pads != 0;
    one_window &= windows.shape[axis + 2] + pads == windows.kernel[axis];
    if (windows.dilations[axis] != 1) return fail(Errc::unsupported, "dilations");
  }
  const bool counted = single.integer("count_include_pad", 0) != 0;
  if (padded && !counted) return fail(Errc::unsupported, "padding that does not count: the operator divides by the whole window");
  if (padded && one_window) return fail(Errc::unsupported, "padding around an image of one window, which is averaged as a whole image");
  return {};
}

Result<OpAnswer> average_pool(const SingleOp& single) {
  TIEBREAK_TRY(op, average_op(single));
  TIEBREAK_CHECK(one_scale(op.x.as, "x"));
  TIEBREAK_CHECK(one_scale(op.y, "y"));
  Shape shape = op.x.shape;
  if (op.channels_last) {
    shape.insert(shape.begin() + 1, shape.back());
    shape.pop_back();
  }
  const std::int64_t places = static_cast<std::int64_t>(op.x.bytes.size()) / (shape[0] * op.channels);
  auto bytes = op.channels_last ? permuted(op.x.bytes, {shape[0], places, op.channels}, {0, 2, 1}) : op.x.bytes;
  TIEBREAK_TRY(windows, windows_over(single, op.x.as.is_signed, shape, std::move(bytes)));
  TIEBREAK_CHECK(check_average(single, op, windows));
  const std::string name = "average_pooling2d_nhwc_qu8";
  const auto x = with_room(permuted(windows.bytes, windows.shape, {0, 2, 3, 1}));
  const std::size_t channels = size(op.channels);
  std::vector<std::uint8_t> y(channels * size(windows.result[0] * windows.result[2] * windows.result[3]));
  TIEBREAK_CHECK(run_operator(
      name,
      [&](xnn_operator_t* out) {
        return xnn_create_average_pooling2d_nhwc_qu8(word(windows.pads_begin[0]), word(windows.pads_end[1]), word(windows.pads_end[0]),
                                                     word(windows.pads_begin[1]), word(windows.kernel[0]), word(windows.kernel[1]), word(windows.strides[0]),
                                                     word(windows.strides[1]), channels, channels, channels, static_cast<std::uint8_t>(op.x.as.zero_point()),
                                                     op.x.as.scale(), static_cast<std::uint8_t>(op.y.zero_point()), op.y.scale(), 0, 255, 0, out);
      },
      [&](xnn_operator_t made) {
        const Shape& image = windows.shape;
        return xnn_setup_average_pooling2d_nhwc_qu8(made, size(image[0]), size(image[2]), size(image[3]), x.data(), y.data(), nullptr);
      }));
  if (op.channels_last) return answer_of(y, name);
  return answer_of(permuted(y, {windows.result[0], windows.result[2], windows.result[3], windows.result[1]}, {0, 3, 1, 2}), name);
}

template <class Code, class Create, class Setup>
Result<OpAnswer> mean(const std::string& name, const AverageOp& op, Create create, Setup setup) {
  const Shape& shape = op.x.shape;
  const std::size_t batches = size(shape[0]), channels = size(op.channels), places = op.x.bytes.size() / (batches * channels);
  const auto count = static_cast<std::int64_t>(places);
  const auto x = with_room(op.channels_last ? op.x.bytes : permuted(op.x.bytes, {shape[0], op.channels, count}, {0, 2, 1}));
  std::vector<Code> y(batches * channels);
  TIEBREAK_CHECK(run_operator(
      name,
      [&](xnn_operator_t* out) {
        return create(channels, channels, channels, static_cast<Code>(op.x.as.zero_point()), op.x.as.scale(), static_cast<Code>(op.y.zero_point()),
                      op.y.scale(), static_cast<Code>(op.y.least()), static_cast<Code>(op.y.greatest()), 0U, out);
      },
      [&](xnn_operator_t made) { return setup(made, batches, places, reinterpret_cast<const Code*>(x.data()), y.data(), nullptr); }));
  return answer_of(y, name);
}

Result<OpAnswer> global_average_pool(const SingleOp& single) {
  TIEBREAK_TRY(op, average_op(single));
  TIEBREAK_CHECK(one_scale(op.x.as, "x"));
  TIEBREAK_CHECK(one_scale(op.y, "y"));
  if (op.x.as.is_signed)
    return mean<std::int8_t>("global_average_pooling_nwc_qs8", op, xnn_create_global_average_pooling_nwc_qs8, xnn_setup_global_average_pooling_nwc_qs8);
  return mean<std::uint8_t>("global_average_pooling_nwc_qu8", op, xnn_create_global_average_pooling_nwc_qu8, xnn_setup_global_average_pooling_nwc_qu8);
}

}  // namespace

OpCalls pooling_calls() {
  return {{"microsoft.QLinearAveragePool", average_pool}, {"microsoft.QLinearGlobalAveragePool", global_average_pool}, {"onnx.MaxPool", max_pool}};
}

}  // namespace tiebreak::xnnpack
