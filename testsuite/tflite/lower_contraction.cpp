// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED, CONV_2D and DEPTHWISE_CONV_2D: channels last, filters with their output channels first (last, for depthwise).
#include <algorithm>
#include <cmath>

#include "testsuite/tflite/convolution.hpp"

namespace tiebreak::tflite {
namespace {

Status check_types(const OpCall& call, const Tensor& x, const Tensor& w) {
  const std::string type = x.element().name();
  if ((type == "i8" || type == "u8") && w.element().name() == type && call.result.element.name() == type) return {};
  return fail(Errc::unsupported,
              "only i8 x i8 -> i8 and u8 x u8 -> u8 have kernels, not " + type + " x " + w.element().name() + " -> " + call.result.element.name());
}

/// int8 weights are symmetric, uint8 weights have one scale.
Status check_weights(const Tensor& w, const Quantization& parameters) {
  if (w.element().name() == "i8" && std::ranges::any_of(parameters.zero_points, [](std::int64_t zero_point) { return zero_point != 0; }))
    return fail(Errc::unsupported, "int8 weights with a zero point");
  if (w.element().name() == "u8" && parameters.scales.size() > 1) return fail(Errc::unsupported, "uint8 weights per channel");
  return {};
}

/// The unit of the accumulator is the scale of the bias, and must be one.
Status check_unit(const Quantization& x, const Quantization& w) {
  const bool is_scale = std::ranges::all_of(w.scales, [&](float scale) { return std::isnormal(x.scales[0] * scale); });
  return is_scale ? Status{} : fail(Errc::unsupported, "the product of both scales is no scale");
}

Result<int> filter(Graph& graph, const Tensor& weights, const Quantization& parameters) {
  if (graph.options().builtin_kernels && graph.options().unsigned_host && parameters.scales.size() > 1)
    return fail(Errc::unsupported, "QUANTIZE has one scale, so that weights per channel come in as a constant only");
  if (graph.options().builtin_kernels) return graph.input("w", weights, parameters);
  return graph.constant("w", weights, parameters);
}

/// The bias in units of both scales, which is also what the format says of it.
int bias(Graph& graph, const Tensor& values, const Quantization& x, const Quantization& w) {
  Quantization parameters{{}, std::vector<std::int64_t>(w.scales.size(), 0), 0};
  for (float scale : w.scales) parameters.scales.push_back(x.scales[0] * scale);
  return graph.constant("bias", values, parameters);
}

Result<Geometry> geometry_of(const OpCall& call, const Shape& x, const Shape& w) {
  const std::size_t rank = x.size() - 2;
  Geometry geometry{numbers(call, "strides", std::vector<std::int64_t>(rank, 1)), numbers(call, "dilations", std::vector<std::int64_t>(rank, 1)), {}, {}};
  const auto word = call.attributes.find("auto_pad");
  const std::string automatic = word == call.attributes.end() || word->second.is_none() ? "NOTSET" : word->second.as_string().value_or("NOTSET");
  const auto pads = numbers(call, "pads", std::vector<std::int64_t>(2 * rank, 0));
  if (geometry.strides.size() != rank || geometry.dilations.size() != rank || pads.size() != 2 * rank)
    return fail(Errc::type, "strides, dilations or pads of another rank");
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (geometry.strides[axis] < 1 || geometry.dilations[axis] < 1 || pads[axis] < 0 || pads[rank + axis] < 0)
      return fail(Errc::type, "strides and dilations start at 1, pads at 0");
    const std::int64_t extent = x[axis + 2], stride = geometry.strides[axis], reach = (w[axis + 2] - 1) * geometry.dilations[axis] + 1;
    const std::int64_t total = std::max<std::int64_t>(0, ((extent + stride - 1) / stride - 1) * stride + reach - extent);
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    const std::int64_t first = automatic == "SAME_LOWER" ? total - total / 2 : total / 2;
    geometry.before.push_back(same ? first : automatic == "VALID" ? 0 : pads[axis]);
    geometry.after.push_back(same ? total - first : automatic == "VALID" ? 0 : pads[rank + axis]);
  }
  return geometry;
}

/// [N, C, W] as [N, C, 1, W], and everything that goes with it.
struct Images {
  Tensor x{}, w{};
  Geometry geometry{};
  std::int64_t group = 1;
};

Result<Images> images_of(const OpCall& call) {
  TIEBREAK_TRY(x, operand(call, 0));
  TIEBREAK_TRY(w, operand(call, 3));
  TIEBREAK_CHECK(check_types(call, x, w));
  if (x.shape().size() != w.shape().size() || (x.shape().size() != 4 && x.shape().size() != 3))
    return fail(Errc::unsupported, "a convolution of other than one or two spatial dimensions");
  TIEBREAK_TRY(geometry, geometry_of(call, x.shape(), w.shape()));
  const auto group = call.attributes.find("group");
  Images images{x, w, geometry, group == call.attributes.end() ? 1 : group->second.as_integer().value_or(1)};
  if (x.shape().size() == 3) {
    TIEBREAK_TRY(flat_x, reshaped(x, {x.shape()[0], x.shape()[1], 1, x.shape()[2]}));
    TIEBREAK_TRY(flat_w, reshaped(w, {w.shape()[0], w.shape()[1], 1, w.shape()[2]}));
    images.x = flat_x;
    images.w = flat_w;
    images.geometry.strides.insert(images.geometry.strides.begin(), 1);
    images.geometry.dilations.insert(images.geometry.dilations.begin(), 1);
    images.geometry.before.insert(images.geometry.before.begin(), 0);
    images.geometry.after.insert(images.geometry.after.begin(), 0);
  }
  return images;
}

}  // namespace

Result<Lowered> lower_matmul(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(a, operand(call, 0));
  TIEBREAK_TRY(b, operand(call, 3));
  TIEBREAK_CHECK(check_types(call, a, b));
  if (b.shape().size() != 2 || a.shape().empty() || a.shape().back() != b.shape()[0])
    return fail(Errc::unsupported, "FULLY_CONNECTED has weights of two dimensions");
  if (a.size() == 0 || b.size() == 0) return fail(Errc::unsupported, "empty tensors");
  TIEBREAK_TRY(a_parameters, whole_parameters(call, 1, 2, a.element()));
  TIEBREAK_TRY(b_parameters, parameters(call, 4, 5, b.element(), 0));
  TIEBREAK_TRY(y_parameters, whole_parameters(call, 6, 7, call.result.element));
  TIEBREAK_CHECK(check_weights(b, b_parameters));
  TIEBREAK_CHECK(check_unit(a_parameters, b_parameters));
  const std::int64_t depth = b.shape()[0], columns = b.shape()[1], rows = a.size() / depth;
  TIEBREAK_TRY(flat, reshaped(a, {rows, depth}));
  TIEBREAK_TRY(weights, transposed(b, {1, 0}));
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("a", flat, a_parameters));
  TIEBREAK_TRY(weights_at, filter(graph, weights, b_parameters));
  const int result = graph.value("y", {call.result.element, {rows, columns}, {}}, y_parameters);
  const int version = b.element().name() == "u8" ? 1 : b_parameters.scales.size() > 1 ? 12 : 4;
  graph.node(Builtin::fully_connected, version, {source, weights_at}, result, {table_of_fully_connected, {}});
  return graph.finish(result, call.result);
}

Result<Lowered> lower_convolution(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(images, images_of(call));
  const std::int64_t channels = images.x.shape()[1], results = images.w.shape()[0];
  if (images.x.size() == 0 || images.w.size() == 0 || call.result.shape.size() < 3) return fail(Errc::unsupported, "empty tensors");
  const bool depthwise = images.group == channels && images.group > 1;
  if (images.group != 1 && !depthwise) return fail(Errc::unsupported, "groups of several channels");
  TIEBREAK_TRY(x_parameters, whole_parameters(call, 1, 2, images.x.element()));
  TIEBREAK_TRY(w_parameters, parameters(call, 4, 5, images.w.element(), depthwise ? 3 : 0));
  TIEBREAK_TRY(y_parameters, whole_parameters(call, 6, 7, call.result.element));
  TIEBREAK_CHECK(check_weights(images.w, w_parameters));
  TIEBREAK_CHECK(check_unit(x_parameters, w_parameters));
  TIEBREAK_TRY(x, transposed(images.x, {0, 2, 3, 1}));
  TIEBREAK_TRY(w, transposed(images.w, depthwise ? std::vector<int>{1, 2, 3, 0} : std::vector<int>{0, 2, 3, 1}));
  const bool same = is_same(images.geometry, x.shape(), w.shape());
  if (!same) {
    TIEBREAK_TRY(with_padding, padded(x, images.geometry, static_cast<std::uint64_t>(x_parameters.zero_points[0]) & 0xFFU));
    x = std::move(with_padding);
  }
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("x", x, x_parameters));
  TIEBREAK_TRY(weights, filter(graph, w, w_parameters));
  std::vector<int> inputs{source, weights};
  TIEBREAK_TRY(zeros, Tensor::zeros({*ElementType::parse("i32"), {results}, {}}));  // models have a bias, and some readers want one
  const bool has_bias = call.operands.size() > 8 && call.operands[8];
  if (has_bias || !options.absent_bias) inputs.push_back(bias(graph, has_bias ? *call.operands[8] : zeros, x_parameters, w_parameters));
  const Shape& shape = call.result.shape;
  const int result = graph.value("y", {call.result.element, {shape[0], shape.size() == 4 ? shape[2] : 1, shape.back(), results}, {}}, y_parameters);
  graph.node(depthwise ? Builtin::depthwise_conv_2d : Builtin::conv_2d, w.element().name() == "u8" ? 1 : 3, std::move(inputs), result,
             convolution_options(images.geometry, same, depthwise ? results / channels : 0));
  return graph.finish(result, call.result, true);
}

}  // namespace tiebreak::tflite
