// SPDX-License-Identifier: Apache-2.0
// Operations between codes and the numbers that they stand for.
#pragma once
#include "testsuite/regions/regions.hpp"

namespace tiebreak::regions_detail {

inline constexpr const char* region_op = "iree_compress.quant_region";

inline const char* widening(Casts casts) { return casts == Casts::quant ? "quant.dcast" : "stablehlo.uniform_dequantize"; }
inline const char* narrowing(Casts casts) { return casts == Casts::quant ? "quant.qcast" : "stablehlo.uniform_quantize"; }

/// From a quantized type to its expressed type.
inline bool widens(const std::optional<TensorType>& from, const std::optional<TensorType>& to) {
  return from && to && from->quantized && !to->quantized && from->quantized->expressed == to->element && from->shape == to->shape;
}

}  // namespace tiebreak::regions_detail
