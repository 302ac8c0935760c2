// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's LSTM of codes in machine integers, a sequence of one image, step by step as the kernel computes it.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace tiebreak::oracle {

/// Weights row by row; a list that the network does not have is empty. Factors are those of the requantizations.
struct TfliteLstmGate {
  std::vector<int> input_weights{}, hidden_weights{}, peephole{}, coefficients{}, bias{};
  float input_factor = 1, hidden_factor = 1, cell_factor = 1, coefficient_scale = 1;
};

struct TfliteLstm {
  std::array<TfliteLstmGate, 4> gates{};  ///< input, forget, cell, output; coupled where the first has no weights
  int inputs = 1, cells = 1, hidden = 1;
  int input_zero_point = 0, state_zero_point = 0, shown_zero_point = 0, output_zero_point = 0;
  int cell_power = -11;                ///< the cell is in steps of 2^cell_power
  int cell_limit = 0, code_limit = 0;  ///< 0: none
  float shown_factor = 1, projection_factor = 1;
  std::vector<int> projection{}, projection_bias{};
};

/// Codes of the output, step by step. `hidden` and `cell` are the states before the first.
std::vector<int> tflite_lstm(const TfliteLstm& network, const std::vector<int>& input, std::vector<int> hidden, std::vector<int> cell);
/// The functions of a gate, of a number with `integer_bits` before the point.
std::int16_t tflite_logistic16(std::int16_t a, int integer_bits);
std::int16_t tflite_tangent16(std::int16_t a, int integer_bits);

}  // namespace tiebreak::oracle
