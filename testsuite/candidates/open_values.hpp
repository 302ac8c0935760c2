// SPDX-License-Identifier: Apache-2.0
// What follows, through a program, from operations whose results are not unique. A result that may be one of several members is a choice; what is computed
// from choices alone is found by taking them, each member with each other where they meet. What comes of an interval lies in an interval.
#pragma once
#include <functional>
#include <memory>

#include "interpreter/orders/legal_results.hpp"

namespace tiebreak {

/// A program on its inputs, and which of its operations may leave something open.
struct OpenProgram {
  const Semantics& semantics;
  const Program& program;
  const std::vector<Tensor>& inputs;
  std::function<bool(const std::string& op)> may_be_open;
  bool any_order = false;  ///< orders that the profile binds are open as well
};

/// Of one output of a program.
struct OpenOutput {
  std::shared_ptr<const LegalResults> legal{};
  std::size_t result = 0;  ///< which of the results that are judged together
};

/// One entry an output; without results where nothing is open before it. At most `most_taken` ways to take the choices are tried: beyond that intervals
/// stand for sets, and what has none is unknown.
Result<std::vector<OpenOutput>> open_outputs(const OpenProgram& open, std::uint64_t most_taken = 4096);

}  // namespace tiebreak
