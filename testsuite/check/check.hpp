// SPDX-License-Identifier: Apache-2.0
// The conformance run: cases -> expectation (page, profile, exact) -> backend -> comparison -> report.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testsuite/backends/backend.hpp"
#include "testsuite/case/case.hpp"
#include "testsuite/causes/diagnose.hpp"
#include "testsuite/check/model_report.hpp"
#include "testsuite/compare/compare.hpp"
#include "testsuite/sources/division.hpp"

namespace tiebreak {

enum class CaseStatus : std::uint8_t {
  conform,
  fail,
  expected_fail,     ///< fails, and the baseline says so
  unexpected_pass,   ///< conforms, although the baseline says it fails
  unsupported,       ///< the backend, or this build, does not execute it
  not_recorded,      ///< the backend answers from a record, which has nothing on this case
  not_declared,      ///< answered, but the profile says nothing of an op of the program, so that there is nothing to judge by
  nothing_compared,  ///< answered with the right types and shapes, but no element has a value to compare: undefined, or there is none
  inconclusive,      ///< crashed, hung, answered garbage, or there is no expectation
  not_run,           ///< interrupted, or ill-formed on purpose
  invalid,           ///< the case itself is at fault: it does not fit its op, or contradicts the profile it names
};
const char* to_word(CaseStatus status);
/// In the order in which reports count them.
constexpr CaseStatus every_status[] = {CaseStatus::conform,      CaseStatus::fail,         CaseStatus::expected_fail, CaseStatus::unexpected_pass,
                                       CaseStatus::unsupported,  CaseStatus::not_recorded, CaseStatus::not_declared,  CaseStatus::nothing_compared,
                                       CaseStatus::inconclusive, CaseStatus::invalid,      CaseStatus::not_run};

struct CaseReport {
  std::string id;
  std::string op;  ///< ops of the program, joined by '+'
  std::string source;
  std::string asked{};  ///< digest of the program and its inputs; "" of layers, and of what was not computed
  std::string types{};  ///< element types of the first input and the first output: "f32 -> i8"
  std::string description{};
  CaseStatus status = CaseStatus::not_run;
  std::string reason{};                                       ///< of every status but conform
  std::vector<std::string> notes{};                           ///< what does not decide the status: a source that expects other values ...
  std::vector<std::pair<std::string, Comparison>> outputs{};  ///< name -> comparison
  std::vector<std::string> inputs_of_first{};                 ///< for each kept mismatch of the first failing output: "x=0.35 y_scale=0x1.99999ap-4"
  std::string reproduce{};                                    ///< command
  std::string explain{};                                      ///< command for the first mismatch, "" if there is none
  std::optional<Diagnosis> diagnosis{};                       ///< of failing cases: which semantics gives these outputs
};

/// What explains several failing cases of an op at once.
struct CommonCause {
  std::string op;                        ///< as in CaseReport
  std::vector<std::string> cases{};      ///< ids
  std::vector<CauseReading> readings{};  ///< each explains all of them, the likeliest first; never empty
  std::size_t agreeing = 0;              ///< conforming cases of the op that were looked at, and in which the first gives what the backend gave
  /// What all its clauses say: `rounds halves up where the profile rounds them away from zero`.
  std::string words() const;
};

class EarlierVerdicts;

/// Cases that go to one adapter process at most: a library that takes a second to start is started once for many.
inline constexpr std::size_t largest_chunk = 128;

struct CheckOptions {
  std::string profile = "reference";
  std::optional<Profile> semantics{};  ///< what `profile` stands for, where it is no profile of the library: onnx:tie=away
  std::string declared{};              ///< by the backend: check() fills it in; of profiles that explain a failure the first to be named
  Policy policy{};
  int jobs = 1;            ///< cases computed, and backends running, at the same time
  bool one_batch = false;  ///< few cases: one adapter process for up to 128 of them, instead of one for a part of the run
  int repeat = 1;          ///< how often each case is asked; answers that differ are a failure
  std::size_t show = 20;   ///< mismatches kept for each output
  EvaluateOptions evaluate{};
  std::map<std::string, std::string> context{};  ///< what else the report's context has: seed, engine, command
  std::string reproduce_arguments{};             ///< of the backend and the run, as typed: `--backend ort --backend-option=--level=0`
  bool diagnose = true;                          ///< look for the cause of failing cases
  const EarlierVerdicts* earlier = nullptr;      ///< of a run that was stopped, and goes on in this one
  bool allow_unsupported = false;                ///< unsupported cases, and those not recorded, do not make the run inconclusive, if some case was judged
  std::function<void(std::size_t done, std::size_t total)> progress{};
  std::function<bool()> interrupted{};
};

Result<const Profile*> profile_of(const Library& library, const CheckOptions& options);

struct CheckReport {
  std::map<std::string, std::string> context{};  ///< tool, spec, backend, versions, isa, profile, policy, seed, command
  /// What was run: for each op of the cases' programs the hash of the formulas, and choices as the profile takes them, that its values depend on. The
  /// context's spec_hash is their joined_hash(). nullopt in reports that are older.
  std::optional<std::map<std::string, std::string>> op_hashes{};
  std::vector<CaseReport> cases{};
  std::vector<CommonCause> causes{};   ///< of the failing cases, by op; what explains the most comes first
  std::vector<ModelReport> models{};   ///< of a run layer by layer; each layer is one of the cases
  std::optional<PlacesOfPart> part{};  ///< of a report of a part of a run: what the whole has, and where in it these cases stand
  bool incomplete = false;
  bool allow_unsupported = false;
  /// "" if the context has no such key.
  std::string context_of(const std::string& key) const;
  int exit_code() const;  ///< 2, 1, 6, 5, 4, 0 by docs/exit-codes.md
  std::map<CaseStatus, std::size_t> counts() const;
};

/// Fills in op_hashes and spec_hash.
void state_dependencies(const Semantics& semantics, const std::set<std::string>& ops, CheckReport& report);

/// Errc::internal from an evaluation ends the run; every other trouble is a status of its case.
Result<CheckReport> check(const Library& library, const std::vector<Case>& cases, Backend& backend, const CheckOptions& options);

}  // namespace tiebreak
