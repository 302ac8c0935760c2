// SPDX-License-Identifier: Apache-2.0
// From ranges to a quantized type: the one place where `quant.parameters` is asked for a scale and a zero point.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// A range from which `quant.parameters` makes a scale and a zero point, or these two themselves.
struct Provided {
  std::optional<std::pair<Real, Real>> range{};
  std::optional<std::pair<Real, Real>> parameters{};  ///< scale, zero point
};

/// The codes that a tensor gets.
struct CodeFormat {
  ElementType storage{};
  bool narrow = false;     ///< without the least code
  bool symmetric = false;  ///< ranges are made symmetric about zero first, whatever the profile does
  bool operator==(const CodeFormat&) const = default;
};

/// Along which dimensions a tensor has parameters, and the shape of these. Without dimensions: one scale for the tensor.
struct ParameterPlaces {
  std::vector<QuantizedDimension> dimensions{};
  Shape shape{};
};
/// One scale for each of `count` places along `axis`; for the tensor where the axis is negative.
ParameterPlaces places_along(int axis, std::size_t count);

/// Storage, its range, scales and zero points are the same.
bool same_parameters(const QuantizedType& a, const QuantizedType& b);

/// Scales and zero points of ranges, one for each place, by `quant.parameters` under the profile. `where` names the tensor. Errc::type where a range has
/// no scale, or the zero point is no code.
Result<QuantizedType> type_of_ranges(const Semantics& parameters, const std::vector<Provided>& provided, const ElementType& expressed, const CodeFormat& format,
                                     const ParameterPlaces& places, const std::string& where);

}  // namespace tiebreak
