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
  unsigned data = 0;
  int version = 1;
};

constexpr unsigned all_data = ~0U;

/// One that moves elements of any type.
constexpr Row moving(std::string_view word, Decline decline, int int8_version, unsigned data = 1U, int version = 1) {
  return {word, decline, int8_version, -1, -1, ScaleLimit::none, -1, data, version};
}

constexpr Row rows[] = {
    {"ABS", Decline::ranks},
    {"ADD", Decline::activation, 2, -1, -1, ScaleLimit::sum},
    moving("ARG_MAX", Decline::runtime_numbers, 2),
    moving("ARG_MIN", Decline::runtime_numbers, 2),
    {"AVERAGE_POOL_2D", Decline::activation},
    {"BATCH_MATMUL", Decline::nothing},
    moving("BATCH_TO_SPACE_ND", Decline::runtime_numbers, 2),
    moving("BROADCAST_TO", Decline::runtime_numbers, 2, 1U, 2),
    moving("CAST", Decline::ranks, 1),
    moving("CEIL", Decline::ranks, 1),
    moving("CONCATENATION", Decline::ranks, 2, all_data),
    {"CONV_2D", Decline::runtime_filter, 3, 1, 2, ScaleLimit::factor},
    {"DEPTHWISE_CONV_2D", Decline::runtime_filter, 3, 1, 2, ScaleLimit::factor},
    moving("DEPTH_TO_SPACE", Decline::nothing, 2),
    {"DEQUANTIZE", Decline::ranks},
    {"DIV", Decline::nothing},
    {"ELU", Decline::ranks, 1},
    {"EQUAL", Decline::nothing},
    {"EXP", Decline::ranks},
    moving("EXPAND_DIMS", Decline::runtime_numbers, 1),
    {"FAKE_QUANT", Decline::nothing},
    moving("FILL", Decline::nothing, 2, 2U),
    moving("FLOOR", Decline::ranks, 1),
    {"FULLY_CONNECTED", Decline::runtime_filter, 4, 1, 2, ScaleLimit::factor},
    moving("GATHER", Decline::nothing, 2),
    moving("GATHER_ND", Decline::nothing, 2),
    {"GELU", Decline::ranks},
    {"GREATER", Decline::nothing},
    {"GREATER_EQUAL", Decline::nothing},
    {"HARD_SWISH", Decline::ranks, 1},
    {"L2_NORMALIZATION", Decline::nothing},
    {"LEAKY_RELU", Decline::ranks, 2, -1, -1, ScaleLimit::slopes},
    {"LESS", Decline::nothing},
    {"LESS_EQUAL", Decline::nothing},
    {"LOG", Decline::ranks},
    moving("LOGICAL_AND", Decline::nothing, 1, all_data),
    moving("LOGICAL_NOT", Decline::nothing, 1),
    moving("LOGICAL_OR", Decline::nothing, 1, all_data),
    {"LOGISTIC", Decline::ranks},
    {"LOG_SOFTMAX", Decline::ranks},
    {"MAXIMUM", Decline::ranks},
    {"MAX_POOL_2D", Decline::activation},
    {"MEAN", Decline::runtime_numbers},
    {"MINIMUM", Decline::ranks},
    moving("MIRROR_PAD", Decline::runtime_numbers, 2),
    {"MUL", Decline::activation, 2, -1, -1, ScaleLimit::product},
    {"NOT_EQUAL", Decline::nothing},
    moving("PACK", Decline::nothing, 2, all_data),
    moving("PAD", Decline::runtime_numbers, 2),
    moving("PADV2", Decline::runtime_numbers, 2, 5U),
    {"PRELU", Decline::ranks, 1},
    {"QUANTIZE", Decline::ranks},
    moving("RANGE", Decline::nothing, 1, all_data),
    {"REDUCE_MAX", Decline::runtime_numbers},
    {"REDUCE_MIN", Decline::runtime_numbers},
    {"REDUCE_PROD", Decline::runtime_numbers},
    {"RELU", Decline::ranks},
    {"RELU6", Decline::ranks},
    {"RELU_N1_TO_1", Decline::ranks, 1},
    moving("RESHAPE", Decline::runtime_numbers, 1),
    {"RESIZE_BILINEAR", Decline::runtime_numbers},
    {"RESIZE_NEAREST_NEIGHBOR", Decline::runtime_numbers},
    moving("REVERSE_V2", Decline::nothing, 3),
    moving("ROUND", Decline::ranks, 1),
    {"RSQRT", Decline::ranks},
    moving("SELECT", Decline::nothing, 1, all_data),
    moving("SELECT_V2", Decline::nothing, 1, all_data),
    moving("SHAPE", Decline::nothing, 1),
    moving("SIGN", Decline::ranks, 1),
    moving("SLICE", Decline::runtime_numbers, 2),
    {"SOFTMAX", Decline::ranks},
    moving("SPACE_TO_BATCH_ND", Decline::runtime_numbers, 2),
    moving("SPACE_TO_DEPTH", Decline::nothing, 2),
    moving("SPLIT", Decline::runtime_numbers, 2, 2U),
    moving("SPLIT_V", Decline::runtime_numbers, 2),
    {"SQRT", Decline::ranks},
    {"SQUARED_DIFFERENCE", Decline::ranks},
    moving("SQUEEZE", Decline::nothing, 2),
    moving("STRIDED_SLICE", Decline::runtime_numbers, 2),
    {"SUB", Decline::activation, 2, -1, -1, ScaleLimit::sum},
    {"SUM", Decline::runtime_numbers},
    {"SVDF", Decline::nothing, 3, 1, -1, ScaleLimit::none, 4},
    {"TANH", Decline::ranks},
    moving("TILE", Decline::runtime_numbers, 2),
    moving("TRANSPOSE", Decline::runtime_numbers, 2),
    {"TRANSPOSE_CONV", Decline::runtime_filter, 2, 1, 3},
    moving("UNPACK", Decline::nothing, 2),
};

std::vector<OperatorForm> all_forms() {
  std::vector<OperatorForm> forms;
  for (const Row& row : rows)
    forms.push_back({*find_schema(row.word), row.decline, row.int8_version, row.filter, row.bias, row.limit, row.state, row.data, row.version});
  return forms;
}

}  // namespace

std::span<const OperatorForm> operator_forms() {
  static const std::vector<OperatorForm> forms = all_forms();
  return forms;
}

}  // namespace tiebreak::tflite
