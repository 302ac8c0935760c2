// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/onnx_results.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "testsuite/oracle/long_double.hpp"

namespace tiebreak::oracle::onnx {
namespace {

std::pair<Long, Long> mean_and_variance(const std::vector<float>& values) {
  Long sum = 0, squares = 0;
  for (float v : values) sum += static_cast<Long>(v);
  const Long mean = sum / static_cast<Long>(values.size());
  for (float v : values) squares += (static_cast<Long>(v) - mean) * (static_cast<Long>(v) - mean);
  return {mean, squares / static_cast<Long>(values.size())};
}

}  // namespace

std::vector<std::int64_t> places_of_maxima(const MaxPool& how, const std::vector<std::int8_t>& x) {
  std::vector<std::int64_t> places;
  for (std::int64_t plane = 0; plane < how.planes; ++plane)
    for (std::int64_t i = 0; i < how.extent(how.height); ++i)
      for (std::int64_t j = 0; j < how.extent(how.width); ++j) {
        std::int64_t best_row = -1, best_column = -1, greatest = -1000;
        for (std::int64_t k = 0; k < how.kernel; ++k)
          for (std::int64_t l = 0; l < how.kernel; ++l) {
            const std::int64_t row = i * how.stride - how.pad + k * how.dilation, column = j * how.stride - how.pad + l * how.dilation;
            if (row < 0 || row >= how.height || column < 0 || column >= how.width) continue;
            const std::int64_t value = x[static_cast<std::size_t>((plane * how.height + row) * how.width + column)];
            if (value <= greatest) continue;
            greatest = value;
            best_row = row;
            best_column = column;
          }
        const std::int64_t within = how.by_columns ? best_column * how.height + best_row : best_row * how.width + best_column;
        places.push_back(plane * how.height * how.width + within);
      }
  return places;
}

Statistics statistics(const std::vector<float>& values, float epsilon) {
  const auto [mean, variance] = mean_and_variance(values);
  return {rounded_once(mean), rounded_once(variance), rounded_once(1 / std::sqrt(variance + static_cast<Long>(epsilon)))};
}

Statistics running_statistics(const std::vector<float>& values, float mean, float variance, float momentum) {
  const auto [own_mean, own_variance] = mean_and_variance(values);
  const Long kept = static_cast<Long>(momentum);
  return {rounded_once(static_cast<Long>(mean) * kept + own_mean * (1 - kept)), rounded_once(static_cast<Long>(variance) * kept + own_variance * (1 - kept)),
          0};
}

std::vector<float> normalized(const std::vector<float>& values, float epsilon, float scale, float shift) {
  const auto [mean, variance] = mean_and_variance(values);
  const Long root = std::sqrt(variance + static_cast<Long>(epsilon));
  std::vector<float> result;
  for (float v : values) result.push_back(rounded_once((static_cast<Long>(v) - mean) / root * static_cast<Long>(scale) + static_cast<Long>(shift)));
  return result;
}

}  // namespace tiebreak::oracle::onnx
