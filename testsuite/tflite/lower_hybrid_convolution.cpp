// SPDX-License-Identifier: Apache-2.0
// CONV_2D and DEPTHWISE_CONV_2D of a float activation and int8 filters: the kernels quantize the activation by its own range, image by image.
#include <algorithm>
#include <numeric>

#include "testsuite/tflite/convolution.hpp"

namespace tiebreak::tflite {
namespace {

constexpr int hybrid_version_of_convolution = 2;
constexpr int hybrid_version_of_depthwise = 4;
constexpr int activation_of_convolution = 3;  // the fields of their options
constexpr int activation_of_depthwise = 4;

std::int64_t number(const OpCall& call, const std::string& name, std::int64_t otherwise) {
  const auto found = call.attributes.find(name);
  return found == call.attributes.end() ? otherwise : found->second.as_integer().value_or(otherwise);
}

/// The dimensions of one tensor as the op names them: `first`, the places, `last`.
std::vector<int> order_of(const OpCall& call, const std::string& first, const std::string& places, const std::string& last) {
  std::vector<int> order{static_cast<int>(number(call, first, -1))};
  for (std::int64_t axis : numbers(call, places, {})) order.push_back(static_cast<int>(axis));
  order.push_back(static_cast<int>(number(call, last, -1)));
  return order;
}

/// NHWC of an activation [N, W, C], OHWI of a filter [O, W, I].
Result<Tensor> in_two_dimensions(const Tensor& tensor) {
  if (tensor.shape().size() == 4) return tensor;
  return reshaped(tensor, {tensor.shape()[0], 1, tensor.shape()[1], tensor.shape()[2]});
}

/// What the operators have no word for.
Status check_windows(const OpCall& call, std::size_t places) {
  const std::vector<std::int64_t> ones(places, 1), zeros(places, 0);
  if (numbers(call, "lhs_dilation", ones) != ones) return fail(Errc::unsupported, "a dilated activation");
  if (numbers(call, "window_reversal", zeros) != zeros) return fail(Errc::unsupported, "a reversed filter");
  if (number(call, "batch_group_count", 1) != 1) return fail(Errc::unsupported, "groups of images");
  return {};
}

Result<Geometry> geometry_of(const OpCall& call, std::size_t places) {
  Geometry geometry{numbers(call, "window_strides", std::vector<std::int64_t>(places, 1)), numbers(call, "rhs_dilation", std::vector<std::int64_t>(places, 1)),
                    std::vector<std::int64_t>(places, 0), std::vector<std::int64_t>(places, 0)};
  const auto padding = call.attributes.find("padding");
  const auto* pairs = padding == call.attributes.end() ? nullptr : std::get_if<AttributeList>(&padding->second.value);
  for (std::size_t place = 0; pairs != nullptr && place < std::min(places, pairs->size()); ++place) {
    const auto pair = (*pairs)[place].as_integers().value_or(std::vector<std::int64_t>{0, 0});
    if (pair.size() != 2 || pair[0] < 0 || pair[1] < 0) return fail(Errc::unsupported, "padding that takes away");
    geometry.before[place] = pair[0];
    geometry.after[place] = pair[1];
  }
  if (places == 2) return geometry;
  for (auto* list : {&geometry.strides, &geometry.dilations}) list->insert(list->begin(), 1);
  for (auto* list : {&geometry.before, &geometry.after}) list->insert(list->begin(), 0);
  return geometry;
}

}  // namespace

Result<Lowered> lower_hybrid_convolution(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(lhs, operand(call, 0));
  TIEBREAK_TRY(rhs, operand(call, 1));
  if (lhs.element().name() != "f32" || !rhs.type().quantized || rhs.element().name() != "i8")
    return fail(Errc::unsupported, "only f32 by quantized i8 has a kernel");
  const std::size_t rank = lhs.shape().size();
  if (rank != 3 && rank != 4) return fail(Errc::unsupported, "a convolution of other than one or two spatial dimensions");
  if (lhs.size() == 0 || rhs.size() == 0) return fail(Errc::unsupported, "empty tensors");
  TIEBREAK_CHECK(check_windows(call, rank - 2));
  std::vector<int> channels_last(rank), channels_first(rank);
  std::iota(channels_last.begin(), channels_last.end(), 0);
  std::iota(channels_first.begin() + 1, channels_first.end() - 1, 2);
  channels_first.back() = 1;
  const auto result_order = order_of(call, "output_batch_dimension", "output_spatial_dimensions", "output_feature_dimension");
  if (result_order != channels_last && result_order != channels_first) return fail(Errc::unsupported, "a result with its channels neither first nor last");
  const auto input_order = order_of(call, "input_batch_dimension", "input_spatial_dimensions", "input_feature_dimension");
  const auto filter_order = order_of(call, "kernel_output_feature_dimension", "kernel_spatial_dimensions", "kernel_input_feature_dimension");
  TIEBREAK_TRY(activation, transposed(lhs, input_order));
  TIEBREAK_TRY(x, in_two_dimensions(activation));
  TIEBREAK_TRY(weights, transposed(rhs, filter_order));
  TIEBREAK_TRY(w, in_two_dimensions(weights));
  const std::int64_t channels = x.shape()[3], results = w.shape()[0], groups = number(call, "feature_group_count", 1);
  const bool depthwise = groups == channels && groups > 1;
  if (groups != 1 && !depthwise) return fail(Errc::unsupported, "groups of several channels");
  TIEBREAK_TRY(scales, weight_parameters(*rhs.type().quantized, filter_order.front(), results));
  if (depthwise) {
    TIEBREAK_TRY(outputs_last, transposed(w, {3, 1, 2, 0}));
    w = std::move(outputs_last);
    if (scales.scales.size() == 1) scales = {std::vector<float>(static_cast<std::size_t>(results), scales.scales[0]), {}, 0};  // the kernel reads one a channel
    scales.zero_points.assign(scales.scales.size(), 0);
    scales.axis = 3;
  }
  TIEBREAK_TRY(geometry, geometry_of(call, rank - 2));
  const bool same = is_same(geometry, x.shape(), w.shape());
  if (!same) {
    TIEBREAK_TRY(with_padding, padded(x, geometry, 0));  // 0.0, which is in every range already
    x = std::move(with_padding);
  }
  Options settings = convolution_options(geometry, same, depthwise ? results / channels : 0);
  if (options.builtin_kernels) settings.fields.push_back({depthwise ? activation_of_depthwise : activation_of_convolution, sign_bit});
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("lhs", x, std::nullopt));
  const int filter = graph.constant("rhs", w, scales);
  std::vector<int> inputs{source, filter};
  TIEBREAK_TRY(zeros, Tensor::zeros({lhs.element(), {results}, {}}));
  if (!options.absent_bias) inputs.push_back(graph.constant("bias", zeros, std::nullopt));
  std::vector<std::int64_t> shape{x.shape()[0]};
  for (std::size_t place = 1; place + 1 < rank; ++place) shape.push_back(call.result.shape[static_cast<std::size_t>(result_order[place])]);
  if (rank == 3) shape.insert(shape.begin() + 1, 1);
  shape.push_back(results);
  const int result = graph.value("y", {call.result.element, shape, {}}, std::nullopt);
  graph.node(depthwise ? Builtin::depthwise_conv_2d : Builtin::conv_2d, depthwise ? hybrid_version_of_depthwise : hybrid_version_of_convolution,
             std::move(inputs), result, std::move(settings));
  return graph.finish(result, call.result, result_order == channels_first);
}

}  // namespace tiebreak::tflite
