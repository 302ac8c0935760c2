// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_normalization.hpp"

#include <cmath>

namespace tiebreak::oracle::stablehlo {
namespace {

float average(std::span<const float> values) { return sum(values) / static_cast<float>(values.size()); }

}  // namespace

float sum(std::span<const float> values) {
  float total = 0;
  for (const float v : values) total += v;
  return total;
}

std::vector<float> normalize(std::span<const float> operand, const Feature& feature, float epsilon) {
  const float deviation = std::sqrt(feature.variance + epsilon);
  std::vector<float> result;
  for (const float x : operand) {
    const float normalized = (x - feature.mean) / deviation;
    const float scaled = feature.scale * normalized;
    result.push_back(scaled + feature.offset);
  }
  return result;
}

Training train(std::span<const float> operand, float scale, float offset, float epsilon) {
  Training found;
  found.mean = average(operand);
  std::vector<float> squares;
  for (const float x : operand) squares.push_back((x - found.mean) * (x - found.mean));
  found.variance = average(squares);
  found.output = normalize(operand, {scale, offset, found.mean, found.variance}, epsilon);
  return found;
}

Gradient gradient(std::span<const float> operand, std::span<const float> output, const Feature& feature, float epsilon) {
  const float spread = feature.variance + epsilon, deviation = std::sqrt(spread), elements = static_cast<float>(operand.size());
  std::vector<float> centered_products, normalized_products;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const float centered = operand[i] - feature.mean;
    centered_products.push_back(output[i] * centered);
    normalized_products.push_back(output[i] * (centered / deviation));
  }
  Gradient found{.operand = {}, .scale = sum(normalized_products), .offset = sum(output)};
  const float products = sum(centered_products), factor = feature.scale / deviation / elements;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const float correction = products * (operand[i] - feature.mean) / spread;
    found.operand.push_back(factor * (output[i] * elements - found.offset - correction));
  }
  return found;
}

}  // namespace tiebreak::oracle::stablehlo
