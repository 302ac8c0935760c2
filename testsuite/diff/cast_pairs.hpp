// SPDX-License-Identifier: Apache-2.0
// What systems do in one conversion, from one element type to another, against the text.
#pragma once
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"
#include "interpreter/stairs/function_difference.hpp"

namespace tiebreak {

struct CastPair {
  ElementType from{}, to{};
  bool saturate = true;
};

/// Systems whose conversion is one function, and how that differs from the text's.
struct CastClass {
  std::vector<std::string> systems{};
  FunctionDifference difference{};
  std::string unknown{};  ///< why it is not known, "" where it is
};

Result<ScalarFunction> cast_function(const Library& library, const Profile& profile, const CastPair& pair);

/// Classes that differ from the text or define what it leaves open, in the order of their first system. `systems`: profiles to look at.
Result<std::vector<CastClass>> cast_classes(const Library& library, const std::vector<const Profile*>& systems, const CastPair& pair);

}  // namespace tiebreak
