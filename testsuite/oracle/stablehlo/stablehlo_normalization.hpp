// SPDX-License-Identifier: Apache-2.0
// StableHLO's batch norms on the elements of one feature, in machine floats: one operation after the other, each rounded to f32.
#pragma once
#include <span>
#include <vector>

namespace tiebreak::oracle::stablehlo {

/// From left to right, starting at zero.
float sum(std::span<const float> values);

struct Feature {
  float scale = 1, offset = 0, mean = 0, variance = 1;
};
std::vector<float> normalize(std::span<const float> operand, const Feature& feature, float epsilon);

struct Training {
  std::vector<float> output;
  float mean = 0, variance = 0;
};
Training train(std::span<const float> operand, float scale, float offset, float epsilon);

struct Gradient {
  std::vector<float> operand;
  float scale = 0, offset = 0;
};
Gradient gradient(std::span<const float> operand, std::span<const float> output, const Feature& feature, float epsilon);

}  // namespace tiebreak::oracle::stablehlo
