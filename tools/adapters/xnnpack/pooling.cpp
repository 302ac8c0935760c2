// SPDX-License-Identifier: Apache-2.0
// MaxPool of 8-bit codes, and the mean of a whole image.
#include "tools/adapters/xnnpack/kernels.hpp"

namespace tiebreak::xnnpack {
namespace {

std::size_t size(std::int64_t extent) { return static_cast<std::size_t>(extent); }
std::uint32_t word(std::int64_t extent) { return static_cast<std::uint32_t>(extent); }

/// Images of one or two spatial dimensions, one written as two, with windows over them.
struct Windows {
  bool is_signed = false;
  Shape shape{};  ///< [n, channels, height, width]
  std::vector<std::uint8_t> bytes{};
  std::vector<std::int64_t> kernel{}, strides{}, dilations{}, pads_begin{}, pads_end{};
  Shape result{};
};

Result<Windows> windows_of(const SingleOp& op) {
  TIEBREAK_TRY(x, op.required(0, "X"));
  const std::string type = x->element().name();
  if (type != "i8" && type != "u8") return fail(Errc::unsupported, "X of type " + type + ", not of 8 bits");
  if (op.outputs.size() != 1) return fail(Errc::unsupported, "the indices of the greatest elements");
  if (op.integer("ceil_mode", 0) != 0) return fail(Errc::unsupported, "ceil_mode");
  const std::vector<std::int64_t> kernel = op.integers("kernel_shape", {});
  if (kernel.empty() || kernel.size() > 2 || x->shape().size() != kernel.size() + 2) return fail(Errc::unsupported, "not one or two spatial dimensions");
  // A window has the geometry of a convolution's kernel over the same channels.
  Shape as_kernel{x->shape()[1], x->shape()[1]};
  as_kernel.insert(as_kernel.end(), kernel.begin(), kernel.end());
  TIEBREAK_TRY(geometry, convolution_attributes(op, x->shape(), as_kernel));
  const auto two = [](std::vector<std::int64_t> values, std::int64_t neutral) {
    if (values.size() == 1) values.insert(values.begin(), neutral);
    return values;
  };
  Windows windows{type == "i8", x->shape(), {}, two(kernel, 1), two(geometry.strides, 1), two(geometry.dilations, 1), two(geometry.pads_begin, 0),
                  two(geometry.pads_end, 0), {}};
  if (windows.shape.size() == 3) windows.shape.insert(windows.shape.begin() + 2, 1);
  for (std::byte one : x->bytes()) windows.bytes.push_back(std::to_integer<std::uint8_t>(one));
  windows.result = {windows.shape[0], windows.shape[1]};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t reach = (windows.kernel[axis] - 1) * windows.dilations[axis] + 1;
    const std::int64_t room = windows.shape[axis + 2] + windows.pads_begin[axis] + windows.pads_end[axis] - reach;
    if (windows.pads_begin[axis] < 0 || windows.pads_end[axis] < 0 || room < 0) return fail(Errc::unsupported, "negative padding, or a window beyond the image");
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
                      word(op.strides[0]), word(op.strides[1]), word(op.dilations[0]), word(op.dilations[1]), channels, channels, channels, least, most, 0U, out);
      },
      [&](xnn_operator_t made) {
        return setup(made, size(op.shape[0]), size(op.shape[2]), size(op.shape[3]), reinterpret_cast<const Code*>(x.data()), y.data(), nullptr);
      }));
  return answer_of(permuted(y, {op.result[0], op.result[2], op.result[3], op.result[1]}, {0, 3, 1, 2}), name);
}

Result<OpAnswer> max_pool(const SingleOp& single) {
  TIEBREAK_TRY(op, windows_of(single));
  if (op.is_signed) return greatest<std::int8_t>("max_pooling2d_nhwc_s8", op, -128, 127, xnn_create_max_pooling2d_nhwc_s8, xnn_setup_max_pooling2d_nhwc_s8);
  return greatest<std::uint8_t>("max_pooling2d_nhwc_u8", op, 0, 255, xnn_create_max_pooling2d_nhwc_u8, xnn_setup_max_pooling2d_nhwc_u8);
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
        return create(channels, channels, channels, static_cast<Code>(op.x.as.zero_point()), op.x.as.scale(), static_cast<Code>(op.y.zero_point()), op.y.scale(),
                      static_cast<Code>(op.y.least()), static_cast<Code>(op.y.greatest()), 0U, out);
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

OpCalls pooling_calls() { return {{"microsoft.QLinearGlobalAveragePool", global_average_pool}, {"onnx.MaxPool", max_pool}}; }

}  // namespace tiebreak::xnnpack
