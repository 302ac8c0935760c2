// SPDX-License-Identifier: Apache-2.0
// What an annotation of a value states: `quantize_info = {scale = 0.5 : f32, zero_point = 3, clip_min = -127, clip_max = 127}`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "testsuite/parameters/parameters.hpp"

namespace tiebreak::recover {

/// What is not stated is empty.
struct Annotation {
  std::vector<Real> scales{}, zero_points{};
  std::string scale_tensor{}, zero_point_tensor{};  ///< a tensor of the program that has them, where it is no constant
  std::optional<Range> clip{};                      ///< of the codes
  std::optional<int> axis{};
  std::optional<ElementType> storage{};
  std::string from = "annotation";  ///< `annotation: min_max` where it says more
  std::string tensor{}, place{};    ///< whose, and where it stands
};

/// Errors name the value and the key: one that is not known, a number that is none, a scale that is not positive, a range upside down.
Result<Annotation> annotation_of(const ProgramValue& value, const std::string& name, const std::string& place);

}  // namespace tiebreak::recover
