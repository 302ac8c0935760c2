// SPDX-License-Identifier: Apache-2.0
// Two programs, or one under two profiles, on the same inputs: equal on all of them, different, or not decided.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "testsuite/equal/program_inputs.hpp"

namespace tiebreak {

struct ProgramSide {
  const Library& library;
  const Profile& profile;
  const Program& program;
  std::string name;                  ///< as the user wrote it
  std::vector<std::string> rules{};  ///< globs of those that were applied to the program of that name
  Semantics semantics() const { return {library, profile}; }
};

struct ProgramsQuestion {
  std::vector<GivenInput> given{};
  ElementQuestion limits{};  ///< without domains
};

/// Elements of an output with one pair of formulas up to which input elements they read.
struct ElementClass {
  std::size_t output = 0;
  std::vector<std::int64_t> elements{};
  ElementVerdict verdict{};
};

/// What one side does at the witness.
struct WitnessSide {
  std::vector<std::string> steps{};  ///< an operation each: its page's place, and its result
  std::string rounding{};            ///< the last rounding: the exact value that enters it, its formula, its place
  std::string again{};               ///< the command that computes it
};

struct ComparedTensor {
  std::string name;
  TensorType type{};
  std::string values{};  ///< of an input that the question gives
  bool shared = false;   ///< all its elements have one value
};

struct ProgramsReport {
  std::string first, second, first_profile, second_profile;
  Verdict verdict = Verdict::undecided;
  std::vector<ComparedTensor> inputs{}, outputs{};  ///< by the names that A has
  std::vector<ElementClass> classes{};
  std::vector<std::string> parting{};  ///< of one program under two profiles: `op: choice: a (place) | b (place)`
  std::optional<std::size_t> shown{};  ///< the class whose witness is shown
  WitnessSide first_side{}, second_side{};
};

/// Errc::type where inputs or outputs do not match.
Result<ProgramsReport> compare_programs(const ProgramSide& first, const ProgramSide& second, const ProgramsQuestion& question);

/// What both sides compute at a witness of an output's element.
struct WitnessAt {
  const ElementWitness& witness;
  std::size_t output = 0;
  std::int64_t element = 0;
};
Result<WitnessSide> side_at(const ProgramSide& side, const std::vector<Tensor>& inputs, const std::vector<InputRole>& roles, const WitnessAt& at);

std::string programs_text(const ProgramsReport& report);
std::string programs_json(const ProgramsReport& report);
std::string programs_markdown(const ProgramsReport& report);
/// `x[0, 1]`, `x` of a scalar or where all elements have one value.
std::string leaf_text(const ProgramsReport& report, const Leaf& leaf);
/// `y, all 6 elements alike`, `y[0, 1] and 5 more alike`.
std::string elements_text(const ProgramsReport& report, const ElementClass& one);

}  // namespace tiebreak
