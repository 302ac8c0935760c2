// SPDX-License-Identifier: Apache-2.0
// One cause for one defect: the smallest set of choices that gives what a backend gave in several failing cases at once.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/semantics/library.hpp"
#include "testsuite/causes/fusion.hpp"

namespace tiebreak {

struct Case;
struct Observation;

struct DiagnosedClause {
  std::string choice;    ///< tie, requantize.code; with several ops in the program onnx.QLinearConv/requantize.code
  std::string expected;  ///< alternative in force
  std::string found;     ///< alternative that explains
  std::string place;     ///< spec/onnx/QuantizeLinear.md:37, of the latter
  std::string words{};   ///< rounds halves away from zero where the profile rounds them to even
};

/// A case that fails, and what the backend gave for it: one answer for each output, of the expected type and shape.
struct FailingCase {
  const Case* test = nullptr;
  std::vector<ResultTensor> expectation{};
  std::vector<Tensor> answers{};
};

/// Semantics that give what the backend gave.
struct CauseReading {
  std::string name;                    ///< a profile, or `onnx but tie=away`
  std::vector<std::string> members{};  ///< others that give the same by the same clauses, the named one first
  std::vector<DiagnosedClause> clauses{};
  std::size_t against = 0;  ///< conforming cases in which they give something else than the backend did
};

struct FoundCause {
  std::vector<std::size_t> cases{};      ///< places among the failing ones, ascending
  std::vector<CauseReading> readings{};  ///< the likeliest first: against no conforming case, declared, fewest clauses, same system
  Profile profile{};                     ///< of the first reading: what was expected, with its clauses changed
  std::size_t agreeing = 0;              ///< conforming cases that were looked at and give no witness against the first reading
  std::vector<Fusion> fusions{};         ///< the cause is that these operations of the program are one
};

struct CauseQuestion {
  const Library& library;
  const Profile& expected;
  std::string declared{};                        ///< by the backend; may be none
  std::vector<const FailingCase*> failing{};     ///< of programs with the same ops
  std::vector<const Case*> conforming{};         ///< of the same ops, in which the backend gave exactly what was expected
  const std::vector<Fusion>* fusions = nullptr;  ///< what runtimes are known to make of several operations
  std::function<bool()> interrupted{};
};

/// The least number of causes that this search finds: one that explains every case, else what explains the most cases and then the same of
/// the rest. What is in no cause has none. Tried are the expected profile with one choice changed, the other profiles, and where they need
/// more than two clauses, pairs of changes; of programs with several operations first what a runtime makes of them. An element that a
/// reading leaves undefined is not explained by it. The work is bounded by the size of each case.
std::vector<FoundCause> common_causes(const CauseQuestion& question);

/// The answers as evidence: what the expected semantics leaves undefined asks nothing of one that does so, too.
Observation observed(const FailingCase& failing);

/// The case as a runtime with these fusions has it.
Case fused_case(Case test, const std::vector<Fusion>& fusions);

/// Element evaluations that one evaluation of the case takes, about; and how many of them a search may spend on the case.
double evaluation_work(const FailingCase& failing);
std::size_t evaluations_allowed(const FailingCase& failing);

}  // namespace tiebreak
