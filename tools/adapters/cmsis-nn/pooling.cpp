// SPDX-License-Identifier: Apache-2.0
// Means and greatest codes of windows. Codes are brought to channels last; padding at the ends is what the extents of the result leave.
#include <algorithm>

#include "tools/adapters/cmsis-nn/kernels.hpp"

namespace tiebreak::cmsis_nn {
namespace {

/// Images [n, height, width, channels] with windows over them; pads: before each dimension, then behind each.
struct Windows {
  Shape shape{};
  std::vector<std::int8_t> codes{};
  std::vector<std::int64_t> extents{}, strides{}, pads{};
};

using Pool = arm_cmsis_nn_status (*)(const cmsis_nn_context*, const cmsis_nn_pool_params*, const cmsis_nn_dims*, const std::int8_t*, const cmsis_nn_dims*,
                                     const cmsis_nn_dims*, std::int8_t*);

Result<std::vector<std::int8_t>> pooled(const Windows& windows, Shape& result, Pool pool, const std::string& name) {
  if (windows.extents.size() != 2 || windows.strides.size() != 2 || windows.pads.size() != 4) return fail(Errc::unsupported, "not two spatial dimensions");
  result = windows.shape;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t before = windows.pads[axis], behind = windows.pads[axis + 2], room = windows.shape[axis + 1] + before + behind - windows.extents[axis];
    if (before < 0 || behind < 0 || room < 0) return fail(Errc::unsupported, "negative padding, or a window beyond the image");
    if (before >= windows.extents[axis] || behind >= windows.extents[axis]) return fail(Errc::unsupported, "windows outside the image");
    result[axis + 1] = room / windows.strides[axis] + 1;
  }
  const auto tile = [](const std::vector<std::int64_t>& values) { return cmsis_nn_tile{extent(values[1]), extent(values[0])}; };
  const auto dims = [](const Shape& s) { return cmsis_nn_dims{extent(s[0]), extent(s[1]), extent(s[2]), extent(s[3])}; };
  const cmsis_nn_pool_params params{tile(windows.strides), tile(windows.pads), {-128, 127}};
  const cmsis_nn_dims x = dims(windows.shape), y = dims(result), window{1, extent(windows.extents[0]), extent(windows.extents[1]), 1};
  std::vector<std::int8_t> codes(static_cast<std::size_t>(result[0] * result[1] * result[2] * result[3]));
  std::vector<std::int8_t> room(static_cast<std::size_t>(std::max(0, arm_avgpool_s8_get_buffer_size(y.w, x.c))) + 16);
  const cmsis_nn_context context{room.data(), static_cast<std::int32_t>(room.size())};
  TIEBREAK_CHECK(checked(pool(&context, &params, &x, windows.codes.data(), &window, &y, codes.data()), name));
  return codes;
}

/// An operand of i8 codes of four dimensions, channels last.
Result<Windows> windows_over(const SingleOp& op, const std::string& name, bool channels_first) {
  TIEBREAK_TRY(x, op.required(0, name));
  if (x->element().name() != "i8") return fail(Errc::unsupported, name + " of type " + std::string(x->element().name()) + ": the functions take i8 alone");
  if (x->shape().size() != 4) return fail(Errc::unsupported, "not two spatial dimensions");
  Windows windows;
  const Shape& s = x->shape();
  windows.shape = channels_first ? Shape{s[0], s[2], s[3], s[1]} : s;
  for (std::byte one : x->bytes()) windows.codes.push_back(static_cast<std::int8_t>(one));
  if (channels_first) windows.codes = permuted(windows.codes, s, {0, 2, 3, 1});
  return windows;
}

std::string word_of(const SingleOp& op, const std::string& name, const std::string& otherwise) {
  const auto found = op.attributes.find(name);
  return found == op.attributes.end() ? otherwise : found->second.as_string().value_or(otherwise);
}

OpAnswer answer(const std::vector<std::int8_t>& codes, const Shape& shape, bool channels_first, const std::string& name) {
  return answer_of(channels_first ? permuted(codes, shape, {0, 3, 1, 2}) : codes, name);
}

Result<OpAnswer> max_pool(const SingleOp& single) {
  const std::string name = "arm_max_pool_s8";
  if (single.outputs.size() != 1) return fail(Errc::unsupported, "the indices of the greatest elements");
  if (single.integer("ceil_mode", 0) != 0) return fail(Errc::unsupported, "ceil_mode");
  if (word_of(single, "auto_pad", "NOTSET") != "NOTSET") return fail(Errc::unsupported, "auto_pad");
  if (std::ranges::any_of(single.integers("dilations", {1, 1}), [](std::int64_t step) { return step != 1; })) return fail(Errc::unsupported, "dilations");
  TIEBREAK_TRY(windows, windows_over(single, "X", true));
  windows.extents = single.integers("kernel_shape", {});
  windows.strides = single.integers("strides", {1, 1});
  windows.pads = single.integers("pads", {0, 0, 0, 0});
  Shape shape;
  TIEBREAK_TRY(codes, pooled(windows, shape, arm_max_pool_s8, name));
  return answer(codes, shape, true, name);
}

Status check_average(const SingleOp& op) {
  if (op.integer("ceil_mode", 0) != 0 || op.integer("count_include_pad", 0) != 0) return fail(Errc::unsupported, "ceil_mode or count_include_pad");
  if (std::ranges::any_of(op.integers("dilation", {1, 1}), [](std::int64_t step) { return step != 1; })) return fail(Errc::unsupported, "dilation");
  for (const auto& [one, other] : {std::pair{1, 3}, std::pair{2, 4}}) {
    TIEBREAK_TRY(from, op.required(static_cast<std::size_t>(one), "parameters of the operand"));
    TIEBREAK_TRY(to, op.required(static_cast<std::size_t>(other), "parameters of the result"));
    if (from->code(0) != to->code(0)) return fail(Errc::unsupported, "other parameters of the result than of the operand");
  }
  return {};
}

Result<OpAnswer> average_pool(const SingleOp& single) {
  const std::string name = "arm_avgpool_s8", layout = word_of(single, "layout", "NCHW");
  TIEBREAK_CHECK(check_average(single));
  if (layout != "NCHW" && layout != "NHWC") return fail(Errc::unsupported, "the layout " + layout);
  TIEBREAK_TRY(windows, windows_over(single, "data", layout == "NCHW"));
  windows.extents = single.integers("pool_size", {1, 1});
  windows.strides = single.integers("strides", {1, 1});
  windows.pads = single.integers("padding", {0, 0, 0, 0});
  if (windows.pads.size() == 1) windows.pads.push_back(windows.pads[0]);  // one or two numbers hold for both ends
  if (windows.pads.size() == 2) windows.pads = {windows.pads[0], windows.pads[1], windows.pads[0], windows.pads[1]};
  Shape shape;
  TIEBREAK_TRY(codes, pooled(windows, shape, arm_avgpool_s8, name));
  return answer(codes, shape, layout == "NCHW", name);
}

}  // namespace

OpCalls pooling_calls() { return {{"onnx.MaxPool", max_pool}, {"qnn.avg_pool2d", average_pool}}; }

}  // namespace tiebreak::cmsis_nn
