// SPDX-License-Identifier: Apache-2.0
// The types of results that nobody states: as the page of the operation gives them for the types of the operands.
#pragma once
#include <optional>
#include <vector>

#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// Of one operation, whose operands have types; nothing is evaluated. `stated`: types that results are to have, open dimensions left to the page. Errors are
/// those of binding the call: types that do not fit, a result whose type must be stated, places that depend on values.
Result<std::vector<TensorType>> result_types_of(const Semantics& semantics, const Program& program, const Operation& operation,
                                                const std::vector<std::optional<TensorType>>& stated = {});

/// States the types of all results that can be had so; the others stay as they are.
void state_result_types(const Semantics& semantics, Program& program);

}  // namespace tiebreak
