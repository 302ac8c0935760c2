// SPDX-License-Identifier: Apache-2.0
// Two semantics of one op compared over every value of one operand, for one set of parameters or a sweep; or many semantics, pair by pair.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "interpreter/stairs/function_difference.hpp"
#include "interpreter/stairs/staircase.hpp"
#include "testsuite/diff/sweep.hpp"

namespace tiebreak {

/// The op, its varied operand and the sweep of its parameters.
struct DiffQuestion {
  OpCall call{};  ///< every operand with one element; what the sweep sets is replaced
  std::string varied{};
  Sweep sweep{{}};
  int jobs = 1;
  std::vector<std::string> reproduce{};  ///< arguments of `eval` that the sweep does not set
  std::function<bool()> interrupted{};
};

struct DiffPoint {
  std::uint64_t set = 0;  ///< of the sweep
  Disagreement disagreement{};
  std::uint64_t steps = 0;                      ///< stairs of the first semantics
  std::optional<FunctionDifference> classes{};  ///< where results are too many for stairs, or wrap: counted by class instead
};

/// How the share of differing inputs depends on the steepness: rate = factor * steepness^exponent, steepness in result codes an input, over inputs
/// on which neither saturates. exponent 1: so many differing inputs a stair whatever the scale, as when one of two roundings moves every stair.
struct RateLaw {
  bool known = false;
  double factor = 0, exponent = 0;
  double a_stair = 0;  ///< differing inputs a stair, mean over the sets that differ
};

struct DiffReport {
  std::string first, second;
  OrderedType input{}, output{};
  std::vector<std::string> parting{};  ///< `code: two_stages (spec/...:51) | one_stage (spec/...:50)`
  std::vector<DiffPoint> points{};
  std::uint64_t differing_sets = 0;
  Disagreement total{};  ///< sums; the witness of least magnitude over all sets
  std::uint64_t witness_set = 0, worst_set = 0;
  std::vector<std::string> proofs{};  ///< how the stairs are known, each once: `monotone`, `monotone in pieces (wrap.i32(...))`
  RateLaw law{};
  std::optional<FunctionDifference> classes{};  ///< sums, if all sets have them; the witness is that of `witness_set`
  Wide inputs = 0, differing = 0;               ///< over all sets, with the codes of nan
  bool incomplete = false;                      ///< interrupted: only `points` were compared, not every set of the sweep
};

Result<DiffReport> diff_semantics(const Library& library, const Profile& first, const Profile& second, const DiffQuestion& question);

struct DiffMatrix {
  std::vector<std::vector<std::string>> classes{};              ///< names of semantics that are equal, and undefined, on the same inputs of all sets
  std::vector<std::vector<std::uint64_t>> counts{};             ///< class by class: inputs that differ, over all sets; undefined on a side does not count
  std::vector<std::pair<std::string, std::string>> left_out{};  ///< name, reason
  std::uint64_t inputs = 0;                                     ///< in all
  std::map<std::string, std::string> without_proof{};           ///< name -> the formula whose direction is not known
  std::uint64_t sets = 0;                                       ///< that were compared
  bool incomplete = false;                                      ///< interrupted before every set was
  bool proved() const { return without_proof.empty(); }
};
Result<DiffMatrix> diff_matrix(const Library& library, const std::vector<Profile>& semantics, const DiffQuestion& question);

/// What they choose differently for the op, with the places of the alternatives.
std::vector<std::string> parting_choices(const Library& library, const std::string& op, const Profile& first, const Profile& second);

std::string diff_text(const DiffReport& report, const DiffQuestion& question, std::size_t show);
std::string diff_json(const DiffReport& report, const DiffQuestion& question, std::size_t show);
/// A heat map: the last axis of the sweep to the right, the others downwards; one colour a set, by the logarithm of the rate.
std::string diff_svg(const DiffReport& report, const DiffQuestion& question);
std::string matrix_text(const DiffMatrix& matrix, const DiffQuestion& question);
std::string matrix_json(const DiffMatrix& matrix, const DiffQuestion& question);
std::string matrix_svg(const DiffMatrix& matrix, const DiffQuestion& question);

}  // namespace tiebreak
