// SPDX-License-Identifier: Apache-2.0
// See the header. Each function is the sequence of float operations of its system, in the formats that the system computes in.
#include "testsuite/oracle/quantized/parameter_variants.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::oracle {
namespace {

using Derived = DerivedParameters;
constexpr float least_scale = 6.1e-5f;

std::optional<std::int64_t> clamped_number(double rounded, CodeRange codes) {
  if (std::isnan(rounded)) return std::nullopt;
  return static_cast<std::int64_t>(std::clamp(rounded, static_cast<double>(codes.min), static_cast<double>(codes.max)));
}

/// The end with the smaller error, which is estimated by the sum of magnitudes (sign 1) or their difference (sign -1).
double smaller_error(double low, double high, double scale, CodeRange codes, double sign) {
  const auto least = static_cast<double>(codes.min), greatest = static_cast<double>(codes.max);
  const double from_low = std::fabs(least) + sign * std::fabs(low / scale), from_high = std::fabs(greatest) + sign * std::fabs(high / scale);
  return from_low < from_high ? least - low / scale : greatest - high / scale;
}

Derived tflite_from_range(float low, float high, CodeRange codes) {
  const double least = std::min(low, 0.0f), greatest = std::max(high, 0.0f);
  const double scale = (greatest - least) / static_cast<double>(codes.max - codes.min);
  if (least == greatest) return {scale, 0};
  return {scale, clamped_number(std::round(smaller_error(least, greatest, scale, codes, 1)), codes)};
}

Derived tflite_asymmetric_from_range(float low, float high, CodeRange codes) {
  if (std::min(low, 0.0f) == std::max(high, 0.0f)) return {1, 0};
  Derived derived = tflite_from_range(low, high, codes);
  derived.scale = static_cast<double>(static_cast<float>(derived.scale));
  return derived;
}

Derived tflite_symmetric_from_range(float low, float high, CodeRange codes) {
  const float magnitude = std::max(std::fabs(low), std::fabs(high));
  if (magnitude == 0) return {1, 0};
  return {static_cast<double>((magnitude + magnitude) / static_cast<float>(codes.max - codes.min)), 0};
}

Derived stretched(float least, float greatest, double scale, CodeRange codes, double sign) {
  const auto steps = static_cast<float>(codes.max - codes.min);
  if (scale < static_cast<double>(least_scale)) {
    const float amplifier = least_scale / static_cast<float>(scale);
    scale = static_cast<double>(least_scale);
    if (least == 0) {
      greatest = least_scale * steps;
    } else if (greatest == 0) {
      least = -least_scale * steps;
    } else {
      least *= amplifier;
      greatest *= amplifier;
    }
  }
  return {scale, clamped_number(std::nearbyint(smaller_error(static_cast<double>(least), static_cast<double>(greatest), scale, codes, sign)), codes)};
}

Derived pytorch_from_range(float low, float high, CodeRange codes) {
  const float least = std::min(low, 0.0f), greatest = std::max(high, 0.0f);
  double scale = (static_cast<double>(greatest) - static_cast<double>(least)) / static_cast<double>(codes.max - codes.min);
  if (static_cast<float>(scale) == 0.0f || std::isinf(1.0f / static_cast<float>(scale))) scale = 0.1;
  return stretched(least, greatest, scale, codes, -1);
}

Derived fbgemm_from_range(float low, float high, CodeRange codes) {
  const float least = std::min(low, 0.0f), greatest = std::max(high, 0.0f);
  auto scale = static_cast<float>((static_cast<double>(greatest) - static_cast<double>(least)) / static_cast<double>(codes.max - codes.min));
  if (scale == 0.0f || std::isinf(1.0f / scale)) scale = 0.1f;
  return stretched(least, greatest, static_cast<double>(scale), codes, 1);
}

Derived onnx_from_range_with(float low, float high, CodeRange codes, bool one_if_empty) {
  const float least = std::min(low, 0.0f), greatest = std::max(high, 0.0f);
  const float scale = one_if_empty && least == greatest ? 1.0f : (greatest - least) / static_cast<float>(codes.max - codes.min);
  const float zero = static_cast<float>(codes.min) - least / scale;
  return {static_cast<double>(scale), clamped_number(std::nearbyint(zero), codes)};
}
Derived onnx_from_range(float low, float high, CodeRange codes) { return onnx_from_range_with(low, high, codes, false); }
Derived onnxruntime_from_range(float low, float high, CodeRange codes) { return onnx_from_range_with(low, high, codes, true); }

Derived onnxruntime_tool_from_range(float low, float high, CodeRange codes) {
  const double least = std::min(low, 0.0f), greatest = std::max(high, 0.0f);
  const double scale = (greatest - least) / static_cast<double>(codes.max - codes.min);
  if (scale < 0x1p-126) return {1, 0};
  return {scale, clamped_number(std::nearbyint(static_cast<double>(codes.min) - least / scale), codes)};
}

/// By the sign of the sum of both errors.
float signed_error(float least, float greatest, float inverse, float lowest, float highest) {
  const float at_least = lowest + least * inverse, at_greatest = highest + greatest * inverse;
  return at_least + at_greatest > 0 ? lowest - least * inverse : highest - greatest * inverse;
}

Derived xnnpack_from_range(float low, float high, CodeRange codes) {
  const float least = std::min(low, 0.0f), greatest = std::max(high, 0.0f);
  const float inverse = least == greatest ? 1.0f : static_cast<float>(codes.max - codes.min) / (greatest - least);
  const float zero = signed_error(least, greatest, inverse, static_cast<float>(codes.min), static_cast<float>(codes.max));
  return {static_cast<double>(1.0f / inverse), clamped_number(std::nearbyint(zero), codes)};
}

Derived ynnpack_from_range(float low, float high, CodeRange codes) {
  const float least = std::min(low, 0.0f), greatest = std::max(high, 0.0f), steps = static_cast<float>(codes.max - codes.min);
  const float scale = least == greatest ? 1.0f : (greatest - least) / steps, inverse = least == greatest ? 1.0f : steps / (greatest - least);
  const float zero = signed_error(least, greatest, inverse, 0.0f, steps);
  return {static_cast<double>(scale), clamped_number(std::trunc(static_cast<double>(zero + 0.5f)) + static_cast<double>(codes.min), codes)};
}

Derived mlir_from_doubles(double low, double high, CodeRange codes) {
  if (std::fabs(high - low) < 0x1p-52) return {1, codes.min};
  const double scale = (high - low) / static_cast<double>(codes.max - codes.min);
  return {scale, clamped_number(std::round(smaller_error(low, high, scale, codes, 1)), codes)};
}
Derived mlir_from_range(float low, float high, CodeRange codes) { return mlir_from_doubles(static_cast<double>(low), static_cast<double>(high), codes); }

Derived litert_from_range(float low, float high, CodeRange codes) {
  double least = static_cast<double>(low), greatest = static_cast<double>(high);
  if (!(greatest - least > 1e-6)) {
    least = std::min(least, -5e-7);
    greatest = std::max(greatest, 5e-7);
  }
  if (codes.max - codes.min >= 254) return mlir_from_doubles(least, greatest, codes);
  const CodeRange eight = codes.min < 0 ? CodeRange{-128, 127} : CodeRange{0, 255};
  const Derived wide = mlir_from_doubles(least, greatest, eight);
  const double rate = static_cast<double>(eight.max - eight.min) / static_cast<double>(codes.max - codes.min);
  const double zero = static_cast<double>(codes.max) - std::round(static_cast<double>(eight.max - *wide.zero_point) / rate);
  return {wide.scale * rate, static_cast<std::int64_t>(zero)};
}

Derived litert_weights_from_range(float low, float high, CodeRange codes) {
  const double magnitude = std::max(std::fabs(static_cast<double>(low)), std::fabs(static_cast<double>(high)));
  return {(magnitude + magnitude) / static_cast<double>(codes.max - codes.min), 0};
}

Derived awq_from_range(float low, float high, CodeRange codes) {
  const float scale = std::max(high - low, 1e-5f) / static_cast<float>(codes.max - codes.min);
  return {static_cast<double>(scale), clamped_number(std::nearbyint(static_cast<float>(codes.min) - low / scale), codes)};
}

Derived torchao_from_range(float low, float high, CodeRange codes) {
  const float least = std::min(low, 0.0f), greatest = std::max(high, 0.0f);
  const float scale = (greatest - least) / static_cast<float>(codes.max - codes.min);
  return {static_cast<double>(scale), clamped_number(static_cast<double>(codes.min) - static_cast<double>(std::nearbyint(least / scale)), codes)};
}

constexpr ParameterVariant parameter_variant_table[] = {{"tflite-quantize-ref", tflite_from_range},
                                                        {"tflite-hybrid-asym-portable", tflite_asymmetric_from_range},
                                                        {"tflite-hybrid-sym", tflite_symmetric_from_range},
                                                        {"pytorch-cpu-quantize", pytorch_from_range},
                                                        {"fbgemm", fbgemm_from_range},
                                                        {"onnx", onnx_from_range},
                                                        {"gptq", onnx_from_range},
                                                        {"onnxruntime-x64", onnxruntime_from_range},
                                                        {"onnxruntime-tool", onnxruntime_tool_from_range},
                                                        {"xnnpack-quantize", xnnpack_from_range},
                                                        {"ynnpack", ynnpack_from_range},
                                                        {"mlir-const", mlir_from_range},
                                                        {"litert-converter", litert_from_range},
                                                        {"litert-converter-weights", litert_weights_from_range},
                                                        {"awq", awq_from_range},
                                                        {"torchao-affine", torchao_from_range}};

}  // namespace

std::span<const ParameterVariant> parameter_variants() { return parameter_variant_table; }

DerivedParameters bisected_parameters(double low, double high, int steps, int least_code) {
  low = std::min(low, 0.0);
  high = std::max(high, 0.0);
  // How far whole steps of this size reach beyond the range; negative where one end is not covered.
  auto excess = [&](double step) {
    const double first = step * std::floor(low / step), above = first + steps * step - high, below = low - first;
    return above < 0 ? above : below < 0 ? below : std::max(above, below);
  };
  double small = (high - low) / steps, large = (steps * small + 2 * small) / steps, middle = 0, previous = 0;
  for (int count = 0; count < 60; ++count) {
    middle = (small + large) / 2;
    const double at_middle = excess(middle);
    if (at_middle == 0 || (at_middle > 0 && std::fabs(middle - previous) < 1e-15)) break;
    ((at_middle > 0) == (excess(small) > 0) ? small : large) = middle;
    previous = middle;
  }
  return {middle, static_cast<std::int64_t>(std::round(least_code - middle * std::floor(low / middle) / middle))};
}

}  // namespace tiebreak::oracle
