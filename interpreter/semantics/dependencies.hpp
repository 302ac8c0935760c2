// SPDX-License-Identifier: Apache-2.0
// What the values of an op depend on under a profile. Golden files and reports carry its hash: another page, another profile, or an alternative
// that the profile does not take leaves it as it is.
#pragma once
#include <map>
#include <set>
#include <string>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The op and the ops of its stages, every definition and choice that their formulas reach, and the digests of data files. Of a choice there is what
/// the profile binds it to, and the alternatives that may be taken then. Claims, prose and places are not among it.
std::string dependencies(const Library& library, const Profile& profile, const std::string& op);
/// 16 hex digits of that, by op.
std::map<std::string, std::string> dependency_hashes(const Library& library, const Profile& profile, const std::set<std::string>& ops);
/// Several of them as one.
std::string joined_hash(const std::map<std::string, std::string>& hashes);

}  // namespace tiebreak
