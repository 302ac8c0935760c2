// SPDX-License-Identifier: Apache-2.0
// An alternative that stands in another page than its choice, made ready to be read where the choice stands.
#pragma once
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

/// Where a choice stands: its module, and its op if it is one of an op.
struct ChoiceHome {
  const Module& module;
  const Op* op;
  const Choice& choice;
};

/// The alternative with the names of its own page, `page`, written as full paths: all other names mean what they mean to the choice. N03 for a
/// name that means something in both, and for a `use` with readings, which would not hold there.
Alternative attach(const Alternative& alternative, const Module& page, const ChoiceHome& home, std::vector<Error>& findings);

}  // namespace tiebreak::notation
