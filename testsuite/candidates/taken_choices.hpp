// SPDX-License-Identifier: Apache-2.0
// Choices among the members of results that are not unique, taken in all ways that matter, and what the rest of a program makes of them.
#pragma once
#include <memory>
#include <set>

#include "testsuite/candidates/open_values.hpp"

namespace tiebreak {

/// One element of an operation's results that may be any of its members, or undefined.
struct OpenChoice {
  std::size_t operation = 0, group = 0, element = 0;
  std::shared_ptr<const LegalResults> legal{};  ///< of the group: all results of the operation, or one
  LegalElement right{};                         ///< what it may be
  std::size_t ways() const { return right.members.size() + (right.may_be_undefined ? 1 : 0); }
};

/// An output of which members are wanted, and for each element the choices that lead to it; only where `by_choices` says that these alone decide it.
struct WantedOutput {
  ValueId value = -1;
  const std::vector<std::set<std::size_t>>& choices;
  const std::vector<std::uint8_t>& by_choices;
};

/// For each wanted output and element all that the choices give, each once; nothing where they do not decide it alone, or where there are more than
/// `most_taken` ways. Choices that meet in no element are taken at once.
Result<std::vector<std::vector<std::optional<LegalElement>>>> take_choices(const OpenProgram& open, const std::vector<OpenChoice>& choices,
                                                                           const std::vector<WantedOutput>& wanted, std::uint64_t most_taken);

}  // namespace tiebreak
