// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/quantized/requantize_twins.hpp"

#include <cmath>
#include <vector>

#include "testsuite/oracle/quantized/requantize_variant.hpp"

namespace tiebreak::oracle {

double ratio_f64(const RequantizeParameters& p) { return static_cast<double>(p.x_scale) * static_cast<double>(p.w_scale) / static_cast<double>(p.y_scale); }
double ratio_f64_of_f32(const RequantizeParameters& p) {
  const float product = p.x_scale * p.w_scale;
  return static_cast<double>(product) / static_cast<double>(p.y_scale);
}
float ratio_f32(const RequantizeParameters& p) {
  const float product = p.x_scale * p.w_scale;
  return product / p.y_scale;
}

void to_q31(double factor, PreparedRequantize& p) {
  if (factor == 0) return;
  const double fraction = std::frexp(factor, &p.exponent);
  p.mantissa = static_cast<std::int64_t>(std::round(fraction * 0x1p31));
  if (p.mantissa == std::int64_t{1} << 31) {
    p.mantissa /= 2;
    ++p.exponent;
  }
}

void flush_far(PreparedRequantize& p) {
  if (p.exponent < -31) p.mantissa = p.exponent = 0;
}

void to_mantissa(float factor, PreparedRequantize& p) {
  const float fraction = std::frexp(factor, &p.exponent);
  p.mantissa = static_cast<std::int64_t>(fraction * 0x1p24f) << 7;
}

std::span<const RequantizeTwin> requantize_twins() {
  static const std::vector<RequantizeTwin> all = [] {
    std::vector<RequantizeTwin> twins;
    for (auto family : {requantize_fixed_twins(), requantize_wide_twins(), requantize_float_twins()}) twins.insert(twins.end(), family.begin(), family.end());
    return twins;
  }();
  return all;
}

const RequantizeTwin* requantize_twin(std::string_view profile) {
  for (const RequantizeTwin& twin : requantize_twins())
    if (twin.profile == profile) return &twin;
  return nullptr;
}

}  // namespace tiebreak::oracle
