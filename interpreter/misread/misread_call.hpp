// SPDX-License-Identifier: Apache-2.0
// A call as an implementation takes it that misreads an attribute or an operand which steers the structure: `structure move.slice[reversed(strides)]`.
// Pages have no such words; the mutants of a score do.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "interpreter/formula/call.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak {

enum class Misreading : std::uint8_t {
  none,          ///< the structure line has no word that changes a call
  inapplicable,  ///< a word that this kind of value does not have: a flag that is one more
  unchanged,     ///< the value is the same, read wrongly
  changed,
};

struct MisreadCall {
  Misreading state = Misreading::none;
  std::shared_ptr<const OpCall> call{};  ///< of changed
};

/// The words alone, for what goes through a structure.
std::vector<std::string> words_of(const notation::Structure& structure);
MisreadCall misread_call(const notation::Op& op, const OpCall& call);

}  // namespace tiebreak
