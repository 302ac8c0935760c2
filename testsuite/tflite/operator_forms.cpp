// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/operator_forms.hpp"

#include <vector>

namespace tiebreak::tflite {
namespace {

/// What a form adds to the operator of this word.
struct Row {
  std::string_view word;
  Decline decline;
  int int8_version = 2;
  int filter = -1;
  int bias = -1;
  ScaleLimit limit = ScaleLimit::none;
  int state = -1;
};

constexpr Row rows[] = {
    {"ABS", Decline::ranks},
    {"ADD", Decline::activation, 2, -1, -1, ScaleLimit::sum},
    {"ARG_MAX", Decline::runtime_numbers},
    {"AVERAGE_POOL_2D", Decline::activation},
    {"BATCH_MATMUL", Decline::nothing},
    {"BATCH_TO_SPACE_ND", Decline::runtime_numbers},
    {"CONCATENATION", Decline::ranks},
    {"CONV_2D", Decline::runtime_filter, 3, 1, 2, ScaleLimit::factor},
    {"DEPTHWISE_CONV_2D", Decline::runtime_filter, 3, 1, 2, ScaleLimit::factor},
    {"DEQUANTIZE", Decline::ranks},
    {"DIV", Decline::nothing},
    {"ELU", Decline::ranks, 1},
    {"EQUAL", Decline::nothing},
    {"EXP", Decline::ranks},
    {"FAKE_QUANT", Decline::nothing},
    {"FULLY_CONNECTED", Decline::runtime_filter, 4, 1, 2, ScaleLimit::factor},
    {"GATHER", Decline::nothing},
    {"GELU", Decline::ranks},
    {"GREATER", Decline::nothing},
    {"GREATER_EQUAL", Decline::nothing},
    {"HARD_SWISH", Decline::ranks, 1},
    {"L2_NORMALIZATION", Decline::nothing},
    {"LEAKY_RELU", Decline::ranks, 2, -1, -1, ScaleLimit::slopes},
    {"LESS", Decline::nothing},
    {"LESS_EQUAL", Decline::nothing},
    {"LOG", Decline::ranks},
    {"LOGISTIC", Decline::ranks},
    {"LOG_SOFTMAX", Decline::ranks},
    {"MAXIMUM", Decline::ranks},
    {"MAX_POOL_2D", Decline::activation},
    {"MEAN", Decline::runtime_numbers},
    {"MINIMUM", Decline::ranks},
    {"MUL", Decline::activation, 2, -1, -1, ScaleLimit::product},
    {"NOT_EQUAL", Decline::nothing},
    {"PAD", Decline::runtime_numbers},
    {"PADV2", Decline::runtime_numbers},
    {"PRELU", Decline::ranks, 1},
    {"QUANTIZE", Decline::ranks},
    {"REDUCE_MAX", Decline::runtime_numbers},
    {"REDUCE_MIN", Decline::runtime_numbers},
    {"REDUCE_PROD", Decline::runtime_numbers},
    {"RELU", Decline::ranks},
    {"RELU6", Decline::ranks},
    {"RELU_N1_TO_1", Decline::ranks, 1},
    {"RESHAPE", Decline::runtime_numbers, 1},
    {"RESIZE_BILINEAR", Decline::runtime_numbers},
    {"RESIZE_NEAREST_NEIGHBOR", Decline::runtime_numbers},
    {"RSQRT", Decline::ranks},
    {"SHAPE", Decline::nothing, 1},
    {"SLICE", Decline::runtime_numbers},
    {"SOFTMAX", Decline::ranks},
    {"SPACE_TO_BATCH_ND", Decline::runtime_numbers},
    {"SPACE_TO_DEPTH", Decline::nothing},
    {"SQRT", Decline::ranks},
    {"SQUARED_DIFFERENCE", Decline::ranks},
    {"SQUEEZE", Decline::nothing},
    {"SUB", Decline::activation, 2, -1, -1, ScaleLimit::sum},
    {"SUM", Decline::runtime_numbers},
    {"SVDF", Decline::nothing, 3, 1, -1, ScaleLimit::none, 4},
    {"TANH", Decline::ranks},
    {"TRANSPOSE", Decline::runtime_numbers},
    {"TRANSPOSE_CONV", Decline::runtime_filter, 2, 1, 3},
};

std::vector<OperatorForm> all_forms() {
  std::vector<OperatorForm> forms;
  for (const Row& row : rows) forms.push_back({*find_schema(row.word), row.decline, row.int8_version, row.filter, row.bias, row.limit, row.state});
  return forms;
}

}  // namespace

std::span<const OperatorForm> operator_forms() {
  static const std::vector<OperatorForm> forms = all_forms();
  return forms;
}

}  // namespace tiebreak::tflite
