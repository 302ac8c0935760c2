// SPDX-License-Identifier: Apache-2.0
// The values of a swept parameter, and the parameter sets that several sweeps make together.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {

struct SweepAxis {
  std::string name;            ///< y_scale, y_zero_point, x.scale
  std::string type;            ///< its word: f32
  std::vector<Real> values{};  ///< of the parameter's type, each once, in the order of the text
};

/// `4`, `0.1,0.3,7`, `-128..127` (every integer), `-128..127/5` (5 of them, ends included), `0.01..10/200` (200 floats in geometric steps).
/// Decimals go to the nearest value of the type.
Result<std::vector<Real>> parse_values(const std::string& text, const ElementType& type, const std::string& where);

/// The n-th combination, the last axis fastest.
class Sweep {
 public:
  explicit Sweep(std::vector<SweepAxis> axes) : axes_(std::move(axes)) {}
  const std::vector<SweepAxis>& axes() const { return axes_; }
  std::uint64_t size() const;
  const Real& value(std::uint64_t set, std::size_t axis) const;
  /// `y_scale=0.25 y_zero_point=3`
  std::string text(std::uint64_t set) const;

 private:
  std::vector<SweepAxis> axes_;
};

}  // namespace tiebreak
