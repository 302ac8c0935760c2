// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D and MAX_POOL_2D of 8-bit codes. The operators know two paddings, SAME and VALID, and one pair of parameters for both sides.
#include <algorithm>

#include "testsuite/tflite/graph.hpp"

namespace tiebreak::tflite {
namespace {

constexpr int table_of_pooling = 5;
constexpr int same_padding = 0, valid_padding = 1;

bool is_set(const OpCall& call, const std::string& name) {
  const auto found = call.attributes.find(name);
  return found != call.attributes.end() && !found->second.is_none() && found->second.as_integer().value_or(0) != 0;
}
std::string word(const OpCall& call, const std::string& name, const std::string& otherwise) {
  const auto found = call.attributes.find(name);
  return found == call.attributes.end() || found->second.is_none() ? otherwise : found->second.as_string().value_or(otherwise);
}

struct Windows {
  std::vector<std::int64_t> extent{}, strides{}, pads{};  ///< pads: before each dimension, then behind each
};

/// Which of the two paddings the pads are.
Result<int> padding_of(const Windows& windows, const std::vector<std::int64_t>& image) {
  if (std::ranges::all_of(windows.pads, [](std::int64_t pad) { return pad == 0; })) return valid_padding;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t stride = windows.strides[axis];
    const std::int64_t total = std::max<std::int64_t>(0, ((image[axis] + stride - 1) / stride - 1) * stride + windows.extent[axis] - image[axis]);
    if (windows.pads[axis] != total / 2 || windows.pads[axis + 2] != total - total / 2)
      return fail(Errc::unsupported, "a padding that is neither SAME nor VALID");
  }
  return same_padding;
}

/// x with channels last; `channels_first` says that it and the result are not.
Result<Lowered> pooled(const OpCall& call, Builtin builtin, const Tensor& x, const Windows& windows, const Quantization& parameters, bool channels_first,
                       const LowerOptions& options) {
  if (windows.extent.size() != 2 || windows.strides.size() != 2 || windows.pads.size() != 4 || x.shape().size() != 4)
    return fail(Errc::unsupported, "not two spatial dimensions");
  TIEBREAK_TRY(padding, padding_of(windows, {x.shape()[1], x.shape()[2]}));
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("x", x, parameters));
  const Shape& to = call.result.shape;
  const Shape shape = channels_first ? Shape{to[0], to[2], to[3], to[1]} : to;
  const int result = graph.value("y", {call.result.element, shape, {}}, parameters);
  const auto wide = [](int number, std::int64_t value) { return OptionField{number, static_cast<std::int32_t>(value)}; };
  Options table{table_of_pooling,
                {{0, static_cast<std::int8_t>(padding)},
                 wide(1, windows.strides[1]),
                 wide(2, windows.strides[0]),
                 wide(3, windows.extent[1]),
                 wide(4, windows.extent[0])}};
  if (options.builtin_kernels) table.fields.push_back({5, sign_bit});
  graph.node(builtin, x.element().name() == "u8" ? 1 : 2, {source}, result, std::move(table));
  return graph.finish(result, call.result, channels_first);
}

bool has_parameters_of_both_sides(const OpCall& call) {
  for (const auto& [one, other] : {std::pair{1, 3}, std::pair{2, 4}})
    if (call.operands[static_cast<std::size_t>(one)]->code(0) != call.operands[static_cast<std::size_t>(other)]->code(0)) return false;
  return true;
}

}  // namespace

Result<Lowered> lower_average_pool(const OpCall& call, const LowerOptions& options) {
  for (std::size_t i = 0; i < 5; ++i) TIEBREAK_CHECK(operand(call, i));
  const Tensor& data = *call.operands[0];
  if (!is_eight_bits(data.element())) return fail(Errc::unsupported, "AVERAGE_POOL_2D of " + data.element().name());
  if (!has_parameters_of_both_sides(call)) return fail(Errc::unsupported, "AVERAGE_POOL_2D has one pair of parameters for both sides");
  if (is_set(call, "ceil_mode") || is_set(call, "count_include_pad")) return fail(Errc::unsupported, "ceil_mode or count_include_pad");
  const std::string layout = word(call, "layout", "NCHW");
  if (layout != "NCHW" && layout != "NHWC") return fail(Errc::unsupported, "the layout " + layout);
  if (std::ranges::any_of(numbers(call, "dilation", {1, 1}), [](std::int64_t step) { return step != 1; })) return fail(Errc::unsupported, "dilation");
  TIEBREAK_TRY(parameters, whole_parameters(call, 1, 2, data.element()));
  if (data.shape().size() != 4) return fail(Errc::unsupported, "not two spatial dimensions");
  const auto spread = [](std::vector<std::int64_t> values) {  // 1 or 2 numbers hold for both sides
    if (values.size() == 1) values.push_back(values[0]);
    if (values.size() == 2) values.insert(values.end(), {values[0], values[1]});
    return values;
  };
  const Windows windows{numbers(call, "pool_size", {1, 1}), numbers(call, "strides", {1, 1}), spread(numbers(call, "padding", {0, 0, 0, 0}))};
  const bool first = layout == "NCHW";
  TIEBREAK_TRY(x, transposed(data, first ? std::vector<int>{0, 2, 3, 1} : std::vector<int>{0, 1, 2, 3}));
  return pooled(call, Builtin::average_pool_2d, x, windows, parameters, first, options);
}

Result<Lowered> lower_max_pool(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(data, operand(call, 0));
  if (!is_eight_bits(data.element())) return fail(Errc::unsupported, "MAX_POOL_2D of " + data.element().name());
  if (is_set(call, "ceil_mode") || word(call, "auto_pad", "NOTSET") != "NOTSET") return fail(Errc::unsupported, "ceil_mode or auto_pad");
  if (std::ranges::any_of(numbers(call, "dilations", {1, 1}), [](std::int64_t step) { return step != 1; })) return fail(Errc::unsupported, "dilations");
  if (data.shape().size() != 4) return fail(Errc::unsupported, "not two spatial dimensions");
  const Windows windows{numbers(call, "kernel_shape", {}), numbers(call, "strides", {1, 1}), numbers(call, "pads", {0, 0, 0, 0})};
  TIEBREAK_TRY(x, transposed(data, {0, 2, 3, 1}));
  return pooled(call, Builtin::max_pool_2d, x, windows, {{1.0f}, {0}, 0}, true, options);
}

}  // namespace tiebreak::tflite
