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
  unsigned states = 0;
  unsigned data = 0;
  int version = 1;
  int activation_version = 0;
  unsigned constants = 0;
};

constexpr unsigned all_data = ~0U;
constexpr unsigned lstm_states = 3U << 18;

/// One whose data the host gives, whatever its type.
constexpr Row of_any_type(std::string_view word, Decline decline, int int8_version, unsigned data = 1U, int version = 1) {
  return {word, decline, int8_version, -1, -1, ScaleLimit::none, 0, data, version};
}

constexpr Row rows[] = {
    {"ABS", Decline::ranks},
    {"ADD", Decline::activation, 2, -1, -1, ScaleLimit::sum},
    of_any_type("ARG_MAX", Decline::runtime_numbers, 2),
    of_any_type("ARG_MIN", Decline::runtime_numbers, 2),
    {"AVERAGE_POOL_2D", Decline::activation},
    {"BATCH_MATMUL", Decline::nothing},
    of_any_type("BATCH_TO_SPACE_ND", Decline::runtime_numbers, 2),
    of_any_type("BROADCAST_TO", Decline::runtime_numbers, 2, 1U, 2),
    of_any_type("CAST", Decline::ranks, 1),
    of_any_type("CEIL", Decline::ranks, 1),
    of_any_type("CONCATENATION", Decline::ranks, 2, all_data),
    {"CONV_2D", Decline::runtime_filter, 3, 1, 2, ScaleLimit::factor},
    {"DEPTHWISE_CONV_2D", Decline::runtime_filter, 3, 1, 2, ScaleLimit::factor},
    of_any_type("DEPTH_TO_SPACE", Decline::nothing, 2),
    {"DEQUANTIZE", Decline::ranks},
    {"DIV", Decline::float_activation},
    {"ELU", Decline::ranks, 1},
    {"EQUAL", Decline::nothing},
    {"EXP", Decline::ranks},
    of_any_type("EXPAND_DIMS", Decline::runtime_numbers, 1),
    {"FAKE_QUANT", Decline::nothing},
    of_any_type("FILL", Decline::nothing, 2, 2U),
    of_any_type("FLOOR", Decline::ranks, 1),
    {"FULLY_CONNECTED", Decline::runtime_filter, 4, 1, 2, ScaleLimit::factor},
    of_any_type("GATHER", Decline::nothing, 2),
    of_any_type("GATHER_ND", Decline::nothing, 2),
    {"GELU", Decline::ranks},
    {"GREATER", Decline::nothing},
    {"GREATER_EQUAL", Decline::nothing},
    {"HARD_SWISH", Decline::ranks, 1},
    {"L2_NORMALIZATION", Decline::nothing},
    {"LEAKY_RELU", Decline::ranks, 2, -1, -1, ScaleLimit::slopes},
    {"LESS", Decline::nothing},
    {"LESS_EQUAL", Decline::nothing},
    {"LOG", Decline::ranks},
    of_any_type("LOGICAL_AND", Decline::nothing, 1, all_data),
    of_any_type("LOGICAL_NOT", Decline::nothing, 1),
    of_any_type("LOGICAL_OR", Decline::nothing, 1, all_data),
    {"LOGISTIC", Decline::ranks},
    {"LOG_SOFTMAX", Decline::ranks},
    {"MAXIMUM", Decline::ranks},
    {"MAX_POOL_2D", Decline::activation},
    {"MEAN", Decline::runtime_numbers},
    {"MINIMUM", Decline::ranks},
    of_any_type("MIRROR_PAD", Decline::runtime_numbers, 2),
    {"MUL", Decline::activation, 2, -1, -1, ScaleLimit::product},
    {"NOT_EQUAL", Decline::nothing},
    of_any_type("PACK", Decline::nothing, 2, all_data),
    of_any_type("PAD", Decline::runtime_numbers, 2),
    of_any_type("PADV2", Decline::runtime_numbers, 2, 5U),
    {"PRELU", Decline::ranks, 1},
    {"QUANTIZE", Decline::ranks},
    of_any_type("RANGE", Decline::nothing, 1, all_data),
    {"REDUCE_MAX", Decline::runtime_numbers},
    {"REDUCE_MIN", Decline::runtime_numbers},
    {"REDUCE_PROD", Decline::runtime_numbers},
    {"RELU", Decline::ranks},
    {"RELU6", Decline::ranks},
    {"RELU_N1_TO_1", Decline::ranks, 1},
    of_any_type("RESHAPE", Decline::runtime_numbers, 1),
    {"RESIZE_BILINEAR", Decline::runtime_numbers},
    {"RESIZE_NEAREST_NEIGHBOR", Decline::runtime_numbers},
    of_any_type("REVERSE_V2", Decline::nothing, 3),
    of_any_type("ROUND", Decline::ranks, 1),
    {"RSQRT", Decline::ranks},
    of_any_type("SELECT", Decline::nothing, 1, all_data),
    of_any_type("SELECT_V2", Decline::nothing, 1, all_data),
    of_any_type("SHAPE", Decline::nothing, 1),
    of_any_type("SIGN", Decline::ranks, 1),
    of_any_type("SLICE", Decline::runtime_numbers, 2),
    {"SOFTMAX", Decline::beta},
    of_any_type("SPACE_TO_BATCH_ND", Decline::runtime_numbers, 2),
    of_any_type("SPACE_TO_DEPTH", Decline::nothing, 2),
    of_any_type("SPLIT", Decline::runtime_numbers, 2, 2U),
    of_any_type("SPLIT_V", Decline::runtime_numbers, 2),
    {"SQRT", Decline::ranks},
    {"SQUARED_DIFFERENCE", Decline::ranks},
    of_any_type("SQUEEZE", Decline::nothing, 2),
    of_any_type("STRIDED_SLICE", Decline::runtime_numbers, 2),
    {"SUB", Decline::activation, 2, -1, -1, ScaleLimit::sum},
    {"SUM", Decline::runtime_numbers},
    {"SVDF", Decline::nothing, 3, 1, -1, ScaleLimit::none, 1U << 4},
    {"TANH", Decline::ranks},
    of_any_type("TILE", Decline::runtime_numbers, 2),
    of_any_type("TRANSPOSE", Decline::runtime_numbers, 2),
    {"TRANSPOSE_CONV", Decline::runtime_filter, 2, 1, 3, ScaleLimit::none, 0, 0, 1, 4},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM", Decline::nothing, 1, -1, -1, ScaleLimit::none, lstm_states, 0, 1, 0, ~(lstm_states | 1U)},
    of_any_type("UNPACK", Decline::nothing, 2),
};

std::vector<OperatorForm> all_forms() {
  std::vector<OperatorForm> forms;
  for (const Row& row : rows)
    forms.push_back({*find_schema(row.word), row.decline, row.int8_version, row.filter, row.bias, row.limit, row.states, row.data, row.version,
                     row.activation_version, row.constants});
  return forms;
}

}  // namespace

std::span<const OperatorForm> operator_forms() {
  static const std::vector<OperatorForm> forms = all_forms();
  return forms;
}

}  // namespace tiebreak::tflite
