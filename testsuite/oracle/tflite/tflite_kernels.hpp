// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's reference kernels in machine integers: elementwise operators of codes, and averages.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace tiebreak::oracle {

struct TfliteTensor {
  float scale = 1;
  int zero_point = 0;
  int least = -128, greatest = 127;
};
/// Scales multiply and divide in f32 where the kernels do.
float tflite_quotient(float a, float b);

int tflite_abs(int code, const TfliteTensor& x, const TfliteTensor& y);
/// `low` and `high` as reals; no upper bound where there is none.
int tflite_relu(int code, const TfliteTensor& x, const TfliteTensor& y, float low, std::optional<float> high);
int tflite_leaky_relu(int code, const TfliteTensor& x, const TfliteTensor& y, float alpha);
int tflite_hard_swish(int code, const TfliteTensor& x, const TfliteTensor& y);
int tflite_add(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs, const TfliteTensor& y, int sign);
int tflite_mul(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs, const TfliteTensor& y);
int tflite_squared_difference(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs, const TfliteTensor& y);
/// -1, 0, 1: how the numbers compare to 8 bits behind the point.
int tflite_compare(int a, int b, const TfliteTensor& lhs, const TfliteTensor& rhs);
/// Of `count` codes whose sum this is.
int tflite_mean(std::int64_t sum, std::int64_t count, const TfliteTensor& x, const TfliteTensor& y);

}  // namespace tiebreak::oracle
