// SPDX-License-Identifier: Apache-2.0
// Operations of StableHLO that name another one: custom_call by its target, composite by its name.
#pragma once
#include <string>

#include "interpreter/formula/call.hpp"
#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The op of a page that such a call names, with the attributes that its dictionary holds; any other call as it is. A custom call whose target no page has is
/// an error; a composite whose name no page has stands for its decomposition.
Result<OpCall> named_call(const Library& library, OpCall call);
/// The op that an operation of a program stands for: what it names, where a page has that, else itself.
std::string named_op(const Library& library, const Operation& operation);
/// A composite that is to be run by its decomposition, its only body.
bool is_decomposed(const OpCall& call);

}  // namespace tiebreak
