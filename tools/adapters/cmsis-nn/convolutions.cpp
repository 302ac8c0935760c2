// SPDX-License-Identifier: Apache-2.0
// Convolutions. Codes are brought to channels last; padding at the ends is what the extents of the result leave.
#include "tools/adapters/cmsis-nn/kernels.hpp"

namespace tiebreak::cmsis_nn {
namespace {

/// A convolution as the functions take it.
struct Layer {
  cmsis_nn_dims x{}, w{}, bias{}, y{};
  std::vector<std::int8_t> codes{}, weights{}, result{};
  std::vector<std::int32_t> biases{};
  Factors factors{};
  cmsis_nn_per_channel_quant_params factor_params() { return {factors.mantissas.data(), factors.exponents.data()}; }
};

Status check(const ImageOp& op) {
  if (!op.y.is_signed) return fail(Errc::unsupported, "y of type u8: the functions give i8 alone");
  for (std::int32_t zero_point : op.w.as.zero_points)
    if (zero_point != 0) return fail(Errc::unsupported, "zero points of the weights");
  for (std::size_t axis = 0; axis < 2; ++axis)
    if (op.pads_begin[axis] < 0 || op.pads_end[axis] < 0) return fail(Errc::unsupported, "negative padding");
  return {};
}

/// One channel a group is the depthwise function's, whose weights have the features last.
bool is_depthwise(const ImageOp& op) { return op.w.shape[1] == 1 && op.x.shape[1] != 1 && op.groups == op.x.shape[1]; }

Result<Layer> layer_of(const ImageOp& op) {
  TIEBREAK_CHECK(check(op));
  TIEBREAK_TRY(x, signed_codes(op.x, "x"));
  TIEBREAK_TRY(w, signed_codes(op.w, "w"));
  TIEBREAK_TRY(factors, factors_of(op.x.as, op.w.as, op.y));
  const Shape &image = op.x.shape, &kernel = op.w.shape;
  const auto features = static_cast<std::size_t>(kernel[0]);
  if (factors.mantissas.size() == 1) {
    factors.mantissas.resize(features, factors.mantissas[0]);
    factors.exponents.resize(features, factors.exponents[0]);
  }
  Layer layer;
  const bool depthwise = is_depthwise(op);
  layer.x = {extent(image[0]), extent(image[2]), extent(image[3]), extent(image[1])};
  layer.w = {extent(kernel[0]), extent(kernel[2]), extent(kernel[3]), extent(kernel[1])};
  if (depthwise) layer.w = {1, extent(kernel[2]), extent(kernel[3]), extent(kernel[0])};
  layer.bias = {1, 1, 1, extent(kernel[0])};
  layer.y = {extent(op.result[0]), extent(op.result[2]), extent(op.result[3]), extent(op.result[1])};
  layer.codes = permuted(x, image, {0, 2, 3, 1});
  layer.weights = depthwise ? permuted(w, kernel, {1, 2, 3, 0}) : permuted(w, kernel, {0, 2, 3, 1});
  layer.biases = op.bias.empty() ? std::vector<std::int32_t>(features, 0) : op.bias;
  layer.factors = std::move(factors);
  layer.result.resize(static_cast<std::size_t>(op.result[0] * op.result[1] * op.result[2] * op.result[3]));
  if (options().small_weights) {
    TIEBREAK_TRY(halves, packed(layer.weights));
    layer.weights = std::move(halves);
  }
  return layer;
}

cmsis_nn_tile tile(const std::vector<std::int64_t>& values) { return {extent(values[1]), extent(values[0])}; }

template <class Params, class Size, class Run>
Status run(const Params& params, Layer& layer, const std::string& name, Size size, Run function) {
  std::vector<std::int8_t> room(static_cast<std::size_t>(std::max(0, size(&params, &layer.x, &layer.w, &layer.y))) + 16);
  const cmsis_nn_context context{room.data(), static_cast<std::int32_t>(room.size())};
  const cmsis_nn_per_channel_quant_params factors = layer.factor_params();
  return checked(function(&context, &params, &factors, &layer.x, layer.codes.data(), &layer.w, layer.weights.data(), &layer.bias, layer.biases.data(), &layer.y,
                          layer.result.data()),
                 name);
}

Status run_depthwise(const ImageOp& op, Layer& layer, std::string& name) {
  const std::int64_t times = op.w.shape[0] / op.x.shape[1];
  const cmsis_nn_dw_conv_params params{-op.x.as.zero_point(), op.y.zero_point(),  extent(times), tile(op.strides),
                                       tile(op.pads_begin),   tile(op.dilations), {-128, 127}};
  name = options().small_weights ? "arm_depthwise_conv_wrapper_s4" : "arm_depthwise_conv_wrapper_s8";
  if (options().small_weights) return run(params, layer, name, arm_depthwise_conv_wrapper_s4_get_buffer_size, arm_depthwise_conv_wrapper_s4);
  return run(params, layer, name, arm_depthwise_conv_wrapper_s8_get_buffer_size, arm_depthwise_conv_wrapper_s8);
}

Status run_plain(const ImageOp& op, Layer& layer, std::string& name) {
  const cmsis_nn_conv_params params{-op.x.as.zero_point(), op.y.zero_point(), tile(op.strides), tile(op.pads_begin), tile(op.dilations), {-128, 127}};
  name = options().small_weights ? "arm_convolve_wrapper_s4" : "arm_convolve_wrapper_s8";
  if (options().small_weights) {
    if (op.groups != 1) return fail(Errc::unsupported, "groups, with weights of 4 bits");
    return run(params, layer, name, arm_convolve_wrapper_s4_get_buffer_size, arm_convolve_wrapper_s4);
  }
  return run(params, layer, name, arm_convolve_wrapper_s8_get_buffer_size, arm_convolve_wrapper_s8);
}

Result<OpAnswer> q_linear_conv(const SingleOp& single) {
  TIEBREAK_TRY(op, image_op(single));
  TIEBREAK_TRY(layer, layer_of(op));
  std::string name;
  TIEBREAK_CHECK(is_depthwise(op) ? run_depthwise(op, layer, name) : run_plain(op, layer, name));
  return answer_of(permuted(layer.result, {op.result[0], op.result[2], op.result[3], op.result[1]}, {0, 3, 1, 2}), name);
}

}  // namespace

OpCalls convolution_calls() { return {{"onnx.QLinearConv", q_linear_conv}}; }

}  // namespace tiebreak::cmsis_nn
