// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/mlas_floats.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace tiebreak::oracle {
namespace {

float step(float a, float b, float c, bool fused) { return fused ? std::fma(a, b, c) : a * b + c; }

/// The first coefficient belongs to the highest power.
float polynomial(std::initializer_list<float> coefficients, float x, bool fused) {
  float value = *coefficients.begin();
  for (const float* next = coefficients.begin() + 1; next != coefficients.end(); ++next) value = step(value, x, *next, fused);
  return value;
}

float quotient(float x, float top, float bottom) { return top * x / bottom; }

float tangent(float v, bool fused) {
  if (std::isnan(v)) return v;
  const float x = std::clamp(v, -9.0f, 9.0f), s = x * x;
  return quotient(x,
                  polynomial({-2.76076847742355e-16f, 2.00018790482477e-13f, -8.60467152213735e-11f, 5.12229709037114e-08f, 1.48572235717979e-05f,
                              6.37261928875436e-04f, 4.89352455891786e-03f},
                             s, fused),
                  polynomial({1.19825839466702e-06f, 1.18534705686654e-04f, 2.26843463243900e-03f, 4.89352518554385e-03f}, s, fused));
}

float sigmoid(float v, bool fused) {
  if (std::isnan(v)) return v;
  const float x = std::clamp(v, -18.0f, 18.0f), s = x * x;
  const float odd = quotient(
      x, polynomial({4.37031012579801e-11f, 1.15627324459942e-07f, 6.08574864600143e-05f, 8.51377133304701e-03f, 2.48287947061529e-01f}, s, fused),
      polynomial({6.10247389755681e-13f, 5.76102136993427e-09f, 6.29106785017040e-06f, 1.70198817374094e-03f, 1.16817656904453e-01f, 9.93151921023180e-01f}, s,
                 fused));
  return std::clamp(odd + 0.5f, 0.0f, 1.0f);
}

struct Reduced {
  float rest = 0;
  int power = 0;
};
Reduced reduced_argument(float x, bool fused) {
  const float whole = step(x, 1.44269504088896341f, 12582912.0f, fused) - 12582912.0f;
  const float once = step(whole, -6.93145752e-1f, x, fused);
  return {step(whole, -1.42860677e-6f, once, fused), static_cast<int>(whole)};
}

float exponential(float v, bool fused) {
  if (std::isnan(v)) return v;
  const Reduced part = reduced_argument(std::clamp(v, -103.9720840454f, 88.7762626647950f), fused);
  const int inside = std::clamp(part.power, -126, 127);
  const float beyond = std::ldexp(1.0f, part.power - inside);
  const float series = polynomial({0x1.694p-10f, 0x1.125edcp-7f, 0x1.555b5ap-5f, 0x1.55545p-3f, 0x1.fffff6p-2f, 1.0f}, part.rest, fused);
  return step(series, part.rest * beyond, beyond, fused) * std::ldexp(1.0f, inside);
}

float error_function(float v, bool fused) {
  if (std::isnan(v)) return v;
  const float a = std::min(std::abs(v), 3.925f);
  if (a <= 0.921875f) {
    const float series = polynomial({-5.99104969e-4f, 4.99339588e-3f, -2.67667342e-2f, 1.12818025e-1f, -3.76124859e-1f, 1.28379151e-1f}, a * a, fused);
    return std::copysign(step(series, a, a, fused), v);
  }
  const float power = polynomial({1.72948930e-5f, -3.83208680e-4f, 3.88393435e-3f, -2.42545605e-2f, 1.06777847e-1f, 6.34846687e-1f, 1.28717512e-1f}, a, fused);
  const Reduced part = reduced_argument(-step(power, a, a, fused), fused);
  const float series = polynomial({1.38319808e-3f, 8.37550033e-3f, 4.16689515e-2f, 1.66664466e-1f, 4.99999851e-1f, 1.0f, 1.0f}, part.rest, fused);
  return std::copysign(1.0f - series * std::ldexp(1.0f, part.power), v);
}

}  // namespace

float mlas_function(const std::string& op, float x, bool fused) {
  if (op == "Tanh") return tangent(x, fused);
  if (op == "Sigmoid") return sigmoid(x, fused);
  if (op == "Exp") return exponential(x, fused);
  if (op == "Erf") return error_function(x, fused);
  if (op == "Gelu") return 0.5f * x * (error_function(x * 0.70710678118654752f, fused) + 1.0f);
  return 0.5f * x * (tangent(x * (0.035677408136300125f * x * x + 0.7978845608028654f), fused) + 1.0f);
}

}  // namespace tiebreak::oracle
