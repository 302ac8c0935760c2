// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/operator_forms.hpp"

namespace tiebreak::tflite {
namespace {

using enum FieldKind;

constexpr FieldForm fused[] = {{"fused_activation_function", 0, activation}};
constexpr FieldForm sums[] = {{"fused_activation_function", 0, activation}, {"pot_scale_int16", 1, truth}};
constexpr FieldForm pool[] = {{"padding", 0, padding},    {"stride_w", 1, whole},      {"stride_h", 2, whole},
                              {"filter_width", 3, whole}, {"filter_height", 4, whole}, {"fused_activation_function", 5, activation}};
constexpr FieldForm convolution[] = {{"padding", 0, padding},         {"stride_w", 1, whole},
                                     {"stride_h", 2, whole},          {"fused_activation_function", 3, activation},
                                     {"dilation_w_factor", 4, whole}, {"dilation_h_factor", 5, whole}};
constexpr FieldForm depthwise[] = {{"padding", 0, padding},
                                   {"stride_w", 1, whole},
                                   {"stride_h", 2, whole},
                                   {"depth_multiplier", 3, whole},
                                   {"fused_activation_function", 4, activation},
                                   {"dilation_w_factor", 5, whole},
                                   {"dilation_h_factor", 6, whole}};
constexpr FieldForm transposed_convolution[] = {
    {"padding", 0, padding}, {"stride_w", 1, whole}, {"stride_h", 2, whole}, {"fused_activation_function", 3, activation}};
constexpr FieldForm fully_connected[] = {{"fused_activation_function", 0, activation}, {"keep_num_dims", 2, truth}, {"asymmetric_quantize_inputs", 3, truth}};
constexpr FieldForm batch_matmul[] = {{"adj_x", 0, truth}, {"adj_y", 1, truth}, {"asymmetric_quantize_inputs", 2, truth}};
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
constexpr FieldForm places[] = {{"", 0, result_type}};
constexpr std::span<const FieldForm> none{};

constexpr Builtin at(int number) { return static_cast<Builtin>(number); }

constexpr OperatorForm forms[] = {
    {"ABS", at(101), 78, none, Decline::ranks},
    {"ADD", Builtin::add, 11, sums, Decline::activation, 2, -1, -1, ScaleLimit::sum},
    {"ARG_MAX", at(56), 40, places, Decline::runtime_numbers},
    {"AVERAGE_POOL_2D", Builtin::average_pool_2d, 5, pool, Decline::activation},
    {"BATCH_MATMUL", at(126), 101, batch_matmul, Decline::nothing},
    {"BATCH_TO_SPACE_ND", at(37), 24, none, Decline::runtime_numbers},
    {"CONCATENATION", at(2), 10, concatenation, Decline::ranks},
    {"CONV_2D", Builtin::conv_2d, 1, convolution, Decline::runtime_filter, 3, 1, 2},
    {"DEPTHWISE_CONV_2D", Builtin::depthwise_conv_2d, 2, depthwise, Decline::runtime_filter, 3, 1, 2},
    {"DEQUANTIZE", Builtin::dequantize, 38, none, Decline::ranks},
    {"DIV", at(42), 29, fused, Decline::nothing},
    {"ELU", at(111), 0, none, Decline::ranks, 1},
    {"EQUAL", at(71), 53, none, Decline::nothing},
    {"EXP", at(47), 33, none, Decline::ranks},
    {"FAKE_QUANT", at(80), 58, fake_quant, Decline::nothing},
    {"FULLY_CONNECTED", Builtin::fully_connected, 8, fully_connected, Decline::runtime_filter, 4, 1, 2},
    {"GATHER", at(36), 23, gather, Decline::nothing},
    {"GELU", at(150), 116, gelu, Decline::ranks},
    {"GREATER", at(61), 44, none, Decline::nothing},
    {"GREATER_EQUAL", at(62), 45, none, Decline::nothing},
    {"HARD_SWISH", at(117), 91, none, Decline::ranks, 1},
    {"L2_NORMALIZATION", at(11), 12, fused, Decline::nothing},
    {"LEAKY_RELU", at(98), 75, leaky, Decline::ranks, 2, -1, -1, ScaleLimit::slopes},
    {"LESS", at(58), 41, none, Decline::nothing},
    {"LESS_EQUAL", at(63), 46, none, Decline::nothing},
    {"LOG", at(73), 0, none, Decline::ranks},
    {"LOGISTIC", at(14), 0, none, Decline::ranks},
    {"LOG_SOFTMAX", at(50), 36, none, Decline::ranks},
    {"MAXIMUM", at(55), 39, none, Decline::ranks},
    {"MAX_POOL_2D", Builtin::max_pool_2d, 5, pool, Decline::activation},
    {"MEAN", at(40), 27, reducer, Decline::runtime_numbers},
    {"MINIMUM", at(57), 39, none, Decline::ranks},
    {"MUL", Builtin::mul, 21, fused, Decline::activation, 2, -1, -1, ScaleLimit::product},
    {"NOT_EQUAL", at(72), 54, none, Decline::nothing},
    {"PAD", at(34), 22, none, Decline::runtime_numbers},
    {"PADV2", at(60), 43, none, Decline::runtime_numbers},
    {"PRELU", at(54), 0, none, Decline::ranks, 1},
    {"QUANTIZE", Builtin::quantize, 89, none, Decline::ranks},
    {"REDUCE_MAX", at(82), 27, reducer, Decline::runtime_numbers},
    {"REDUCE_MIN", at(89), 27, reducer, Decline::runtime_numbers},
    {"REDUCE_PROD", at(81), 27, reducer, Decline::runtime_numbers},
    {"RELU", at(19), 0, none, Decline::ranks},
    {"RELU6", at(21), 0, none, Decline::ranks},
    {"RELU_N1_TO_1", at(20), 0, none, Decline::ranks, 1},
    {"RESHAPE", at(22), 0, none, Decline::runtime_numbers, 1},
    {"RESIZE_BILINEAR", at(23), 15, resize_bilinear, Decline::runtime_numbers},
    {"RESIZE_NEAREST_NEIGHBOR", at(97), 74, resize_nearest, Decline::runtime_numbers},
    {"RSQRT", at(76), 0, none, Decline::ranks},
    {"SHAPE", at(77), 55, places, Decline::nothing, 1},
    {"SLICE", at(65), 48, none, Decline::runtime_numbers},
    {"SOFTMAX", at(25), 9, softmax, Decline::ranks},
    {"SPACE_TO_BATCH_ND", at(38), 25, none, Decline::runtime_numbers},
    {"SPACE_TO_DEPTH", at(26), 19, block, Decline::nothing},
    {"SQRT", at(75), 0, none, Decline::ranks},
    {"SQUARED_DIFFERENCE", at(99), 76, none, Decline::ranks},
    {"SQUEEZE", at(43), 30, none, Decline::nothing},
    {"SUB", at(41), 28, sums, Decline::activation, 2, -1, -1, ScaleLimit::sum},
    {"SUM", at(74), 27, reducer, Decline::runtime_numbers},
    {"TANH", at(28), 0, none, Decline::ranks},
    {"TRANSPOSE", at(39), 26, none, Decline::runtime_numbers},
    {"TRANSPOSE_CONV", at(67), 49, transposed_convolution, Decline::runtime_filter, 2, 1, 3},
};

}  // namespace

std::span<const OperatorForm> operator_forms() { return forms; }

}  // namespace tiebreak::tflite
