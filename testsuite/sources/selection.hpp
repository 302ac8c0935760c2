// SPDX-License-Identifier: Apache-2.0
// Which cases run: sources, globs on ids, a limit.
#pragma once
#include "testsuite/sources/load_cases.hpp"

namespace tiebreak {

/// `*` any characters, `/` included; `?` one character. Everything else stands for itself.
bool matches_glob(const std::string& glob, const std::string& text);
bool matches_any(const std::vector<std::string>& globs, const std::string& text);
/// What one of the globs matches; empty, which is all, where there are none.
CaseFilter filter_of(std::vector<std::string> globs);

/// How long a run may take. `smoke`: of each op a few of the cases selected, seconds in all. `full`: where no source is named, the cases
/// of testsuite/stairs and testsuite/deep, too.
enum class Level : std::uint8_t { smoke, standard, full };

/// Whether the glob may match the id of some case of the op.
bool may_match(const std::string& glob, const std::string& op);

struct Selection {
  std::vector<std::string> sources{};  ///< empty: the cases of this installation. An op, an id or a glob of such cases may stand here, too
  std::vector<std::string> globs{};    ///< -k: any of them; empty: all
  std::size_t most = 0;                ///< 0: no limit
  std::uint64_t seed = 0;              ///< added to the seeds of case files
  InputShapes input_shapes{};          ///< of models that leave some open
  std::string preferred_profile{};     ///< of two golden cases with one id the one for this profile is taken
  CaseFilter only{};                   ///< beside the globs: the failures of an earlier run; empty: all
  OpFilter ops{};                      ///< cases whose ids begin with another op are left out, and their files are not read; empty: all
  CaseFilter part{};                   ///< the part that runs, after `most` has counted: a shard; empty: all
  Level level = Level::standard;
  bool golden = false;  ///< the default cases are those that golden files have: without the mutants' cases
};

/// `onnx.Add` of `onnx.Add/plain/3`.
std::string op_of_id(const std::string& id);

/// In which order a smoke run takes the cases of an op, the least first: those whose names have the types that every library has, and no others;
/// then by the digest of the id, so that others do not change them.
std::pair<bool, std::uint64_t> smoke_place(const std::string& id);

/// Loads what is selected, in the order of sources. Two different cases with one id are an error; so is an id or glob that no case of the sources
/// matches, with the nearest one as a hint, unless it is that of an op, which may have no cases. An empty selection is none.
Result<std::vector<Case>> select_cases(const Library& library, const Selection& selection);
/// Only the ids, without making the cases.
Result<std::vector<std::string>> list_cases(const Library& library, const Selection& selection);

}  // namespace tiebreak
