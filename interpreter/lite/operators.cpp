// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/operators.hpp"

#include <algorithm>

namespace tiebreak::tflite {
namespace {

using enum FieldKind;

constexpr FieldForm fused[] = {{"fused_activation_function", 0, activation}};
constexpr FieldForm sums[] = {{"fused_activation_function", 0, activation}, {"pot_scale_int16", 1, stated, 1}};
constexpr FieldForm pool[] = {{"padding", 0, padding},    {"stride_w", 1, whole},      {"stride_h", 2, whole},
                              {"filter_width", 3, whole}, {"filter_height", 4, whole}, {"fused_activation_function", 5, activation}};
constexpr FieldForm convolution[] = {{"padding", 0, padding},
                                     {"stride_w", 1, whole},
                                     {"stride_h", 2, whole},
                                     {"fused_activation_function", 3, activation},
                                     {"dilation_w_factor", 4, whole, 1},
                                     {"dilation_h_factor", 5, whole, 1},
                                     {"", 6, bias_type}};
constexpr FieldForm depthwise[] = {{"padding", 0, padding},
                                   {"stride_w", 1, whole},
                                   {"stride_h", 2, whole},
                                   {"depth_multiplier", 3, whole},
                                   {"fused_activation_function", 4, activation},
                                   {"dilation_w_factor", 5, whole, 1},
                                   {"dilation_h_factor", 6, whole, 1}};
constexpr FieldForm transposed_convolution[] = {
    {"padding", 0, padding}, {"stride_w", 1, whole}, {"stride_h", 2, whole}, {"fused_activation_function", 3, activation}, {"", 4, bias_type}};
constexpr FieldForm fully_connected[] = {{"fused_activation_function", 0, activation},
                                         {"", 1, zero},
                                         {"keep_num_dims", 2, truth},
                                         {"asymmetric_quantize_inputs", 3, float_truth},
                                         {"", 4, bias_type}};
constexpr FieldForm memory[] = {{"rank", 0, whole}, {"fused_activation_function", 1, activation}, {"asymmetric_quantize_inputs", 2, float_truth}};
constexpr FieldForm sequence_lstm[] = {{"fused_activation_function", 0, activation},   {"cell_clip", 1, real}, {"proj_clip", 2, real}, {"time_major", 3, truth},
                                       {"asymmetric_quantize_inputs", 4, float_truth}, {"", 5, zero}};
constexpr FieldForm batch_matmul[] = {{"adj_x", 0, truth}, {"adj_y", 1, truth}, {"asymmetric_quantize_inputs", 2, float_truth}};
constexpr FieldForm softmax[] = {{"beta", 0, real}};
constexpr FieldForm concatenation[] = {{"axis", 0, whole}, {"fused_activation_function", 1, activation}};
constexpr FieldForm resize_bilinear[] = {{"align_corners", 2, truth}, {"half_pixel_centers", 3, truth}};
constexpr FieldForm resize_nearest[] = {{"align_corners", 0, truth}, {"half_pixel_centers", 1, truth}};
constexpr FieldForm reducer[] = {{"keep_dims", 0, truth}};
constexpr FieldForm block[] = {{"block_size", 0, whole}};
constexpr FieldForm gather[] = {{"axis", 0, whole}, {"batch_dims", 1, whole}};
constexpr FieldForm leaky[] = {{"alpha", 0, real}};
constexpr FieldForm gelu[] = {{"approximate", 0, truth}};
constexpr FieldForm fake_quant[] = {{"min", 0, real}, {"max", 1, real}, {"num_bits", 2, whole}, {"narrow_range", 3, truth}};
constexpr FieldForm reshape[] = {{"", 0, new_shape}};
constexpr FieldForm squeeze[] = {{"", 0, unread}};
constexpr FieldForm graphs[] = {{"", 0, whole}, {"", 1, whole}};
constexpr FieldForm places[] = {{"", 0, result_type}};
constexpr FieldForm strided_slice[] = {{"begin_mask", 0, whole},    {"end_mask", 1, whole},         {"ellipsis_mask", 2, whole},
                                       {"new_axis_mask", 3, whole}, {"shrink_axis_mask", 4, whole}, {"offset", 5, truth}};
constexpr FieldForm split[] = {{"num_splits", 0, whole}};
constexpr FieldForm pack[] = {{"values_count", 0, whole}, {"axis", 1, whole}};
constexpr FieldForm unpack[] = {{"num", 0, whole}, {"axis", 1, whole}};
constexpr FieldForm cast[] = {{"", 0, unread}, {"", 1, unread}};
constexpr FieldForm mirror_pad[] = {{"mode", 0, mirroring}};
constexpr std::span<const FieldForm> none{};

constexpr std::string_view activation_words[] = {"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH"};
constexpr std::string_view padding_words[] = {"SAME", "VALID"};
constexpr std::string_view mirroring_words[] = {"REFLECT", "SYMMETRIC"};

constexpr Builtin at(int number) { return static_cast<Builtin>(number); }

constexpr OperatorSchema schemas[] = {
    {"ABS", at(101), 78, none},
    {"ADD", Builtin::add, 11, sums},
    {"ARG_MAX", at(56), 40, places, 1},
    {"ARG_MIN", at(79), 57, places, 1},
    {"AVERAGE_POOL_2D", Builtin::average_pool_2d, 5, pool},
    {"BATCH_MATMUL", at(126), 101, batch_matmul},
    {"BATCH_TO_SPACE_ND", at(37), 24, none},
    {"BROADCAST_TO", at(130), 104, none},
    {"CAST", Builtin::cast, 37, cast},
    {"CEIL", at(104), 0, none},
    {"CONCATENATION", at(2), 10, concatenation},
    {"CONV_2D", Builtin::conv_2d, 1, convolution},
    {"DEPTHWISE_CONV_2D", Builtin::depthwise_conv_2d, 2, depthwise},
    {"DEPTH_TO_SPACE", at(5), 94, block},
    {"DEQUANTIZE", Builtin::dequantize, 38, none},
    {"DIV", at(42), 29, fused},
    {"ELU", at(111), 0, none},
    {"EQUAL", at(71), 53, none},
    {"EXP", at(47), 33, none},
    {"EXPAND_DIMS", at(70), 52, none, 1},
    {"FAKE_QUANT", at(80), 58, fake_quant},
    {"FILL", at(94), 68, none},
    {"FLOOR", at(8), 0, none},
    {"FULLY_CONNECTED", Builtin::fully_connected, 8, fully_connected},
    {"GATHER", at(36), 23, gather},
    {"GATHER_ND", at(107), 83, none},
    {"GELU", at(150), 116, gelu},
    {"GREATER", at(61), 44, none},
    {"GREATER_EQUAL", at(62), 45, none},
    {"HARD_SWISH", at(117), 91, none},
    {"IF", Builtin::choose, 92, graphs},
    {"L2_NORMALIZATION", at(11), 12, fused},
    {"LEAKY_RELU", at(98), 75, leaky},
    {"LESS", at(58), 41, none},
    {"LESS_EQUAL", at(63), 46, none},
    {"LOG", at(73), 0, none},
    {"LOGICAL_AND", at(86), 62, none},
    {"LOGICAL_NOT", at(87), 63, none},
    {"LOGICAL_OR", at(84), 60, none},
    {"LOGISTIC", at(14), 0, none},
    {"LOG_SOFTMAX", at(50), 36, none},
    {"MAXIMUM", at(55), 39, none},
    {"MAX_POOL_2D", Builtin::max_pool_2d, 5, pool},
    {"MEAN", at(40), 27, reducer, 1},
    {"MINIMUM", at(57), 39, none},
    {"MIRROR_PAD", at(100), 77, mirror_pad},
    {"MUL", Builtin::mul, 21, fused},
    {"NOT_EQUAL", at(72), 54, none},
    {"PACK", at(83), 59, pack},
    {"PAD", at(34), 22, none},
    {"PADV2", at(60), 43, none},
    {"PRELU", at(54), 0, none},
    {"QUANTIZE", Builtin::quantize, 89, none},
    {"RANGE", at(96), 73, none},
    {"REDUCE_MAX", at(82), 27, reducer, 1},
    {"REDUCE_MIN", at(89), 27, reducer, 1},
    {"REDUCE_PROD", at(81), 27, reducer, 1},
    {"RELU", at(19), 0, none},
    {"RELU6", at(21), 0, none},
    {"RELU_N1_TO_1", at(20), 0, none},
    {"RESHAPE", at(22), 17, reshape},
    {"RESIZE_BILINEAR", at(23), 15, resize_bilinear},
    {"RESIZE_NEAREST_NEIGHBOR", at(97), 74, resize_nearest},
    {"REVERSE_V2", at(105), 81, none, 1},
    {"ROUND", at(116), 0, none},
    {"RSQRT", at(76), 0, none},
    {"SELECT", at(64), 47, none},
    {"SELECT_V2", at(123), 98, none},
    {"SHAPE", at(77), 55, places},
    {"SIGN", at(158), 123, none},
    {"SLICE", at(65), 48, none},
    {"SOFTMAX", at(25), 9, softmax},
    {"SPACE_TO_BATCH_ND", at(38), 25, none},
    {"SPACE_TO_DEPTH", at(26), 19, block},
    {"SPLIT", at(49), 35, split, 0},
    {"SPLIT_V", at(102), 79, split, 2},
    {"SQRT", at(75), 0, none},
    {"SQUARED_DIFFERENCE", at(99), 76, none},
    {"SQUEEZE", at(43), 30, squeeze},
    {"STRIDED_SLICE", at(45), 32, strided_slice},
    {"SUB", at(41), 28, sums},
    {"SUM", at(74), 27, reducer, 1},
    {"SVDF", at(27), 6, memory},
    {"TANH", at(28), 0, none},
    {"TILE", at(69), 51, none},
    {"TRANSPOSE", at(39), 26, none},
    {"TRANSPOSE_CONV", at(67), 49, transposed_convolution},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM", at(44), 71, sequence_lstm, -1, true},
    {"UNPACK", at(88), 64, unpack},
    {"WHILE", Builtin::loop, 93, graphs},
};

}  // namespace

std::span<const std::string_view> words_of(FieldKind kind) {
  switch (kind) {
    case activation: return activation_words;
    case padding: return padding_words;
    case mirroring: return mirroring_words;
    default: return {};
  }
}

std::span<const OperatorSchema> operator_schemas() { return schemas; }

const OperatorSchema* find_schema(std::string_view word) {
  const auto* found = std::ranges::find(schemas, word, &OperatorSchema::word);
  return found == std::end(schemas) ? nullptr : found;
}

const OperatorSchema* find_schema(Builtin builtin) {
  const auto* found = std::ranges::find(schemas, builtin, &OperatorSchema::builtin);
  return found == std::end(schemas) ? nullptr : found;
}

}  // namespace tiebreak::tflite
