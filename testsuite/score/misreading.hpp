// SPDX-License-Identifier: Apache-2.0
// Wrong readings of an op's calls, as somebody implements them who misreads what no formula says: an attribute, an operand that steers the structure,
// the places that a structure reads, the regions that it runs. The library knows nothing of them. A call is changed before it is evaluated, a bound
// formula's places before it is run, a loop is run here; a kernel (interpreter/formula/call.hpp) brings that into programs and regions.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/call.hpp"
#include "interpreter/notation/syntax.hpp"
#include "interpreter/program/program.hpp"

namespace tiebreak {

/// What is read wrongly.
enum class Misread : std::uint8_t {
  value,   ///< an attribute, or an operand that steers
  starts,  ///< start indices that lie outside
  bodies,  ///< which region runs, or what a comparator says
  places,  ///< the places that the bound formula reads
  loop,    ///< when a loop asks whether it goes on
};

/// One word of docs/score.md and what it is said of: reversed(strides), swapped(low, high), instead(mode, "A"), once.
struct Misreading {
  std::string word;
  Misread what = Misread::value;
  std::vector<std::string> names{};
  std::string text{};  ///< of `instead`
};
std::string to_text(const Misreading& misreading);

/// How far a misreading gets with a call.
enum class Reading : std::uint8_t {
  none,           ///< no call is known
  inapplicable,   ///< a word that this kind of value does not have: a flag that is one more
  unchanged,      ///< the same, read wrongly
  changed,        ///< another call
  run_otherwise,  ///< the same call: its formula reads other places, or its loop runs otherwise
};

struct MisreadCall {
  Reading state = Reading::none;
  std::shared_ptr<const OpCall> call{};                  ///< of changed
  std::vector<std::shared_ptr<const Program>> bodies{};  ///< to which it points
};

MisreadCall misread_call(const notation::Op& op, const Misreading& misreading, const OpCall& call);
/// Lets what is bound read other places, as a word of Misread::places says. One formula, or that of every part.
void misread_places(const notation::Op& op, const Misreading& misreading, const OpCall& call, std::vector<Formula>& parts);
/// Answers every call of an op as it is misread.
Kernel misread_kernel(const Misreading& misreading);

// The words for what steers no value of the header: misread_starts.cpp, misread_bodies.cpp.
/// from_end to_first to_end whole_windows of what moves slices: start indices that lie outside.
Reading misread_starts(const notation::Op& op, const std::string& word, OpCall& call);
/// bodies_reversed to_first to_end of a choice among regions, larger_first unstable of a comparator. Programs that are made are added to `bodies`.
Reading misread_bodies(const notation::Op& op, const std::string& word, OpCall& call, std::vector<std::shared_ptr<const Program>>& bodies);

// What they share: misread_call.cpp.
/// Positions of an operand or its members among the operands of a call.
std::vector<std::size_t> operand_positions(const notation::Op& op, std::size_t given, const std::string& name);
/// An attribute as given, else as the header has it.
Attribute attribute_value(const notation::Op& op, const OpCall& call, const std::string& name);

}  // namespace tiebreak
