// SPDX-License-Identifier: Apache-2.0
// What the values of an op depend on under a profile. Golden files and reports carry its hash: another page, another profile, or an alternative
// that the profile does not take leaves it as it is.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The op and the ops of its stages, every definition and choice that their formulas reach, and the digests of data files. Of a choice there is what
/// the profile binds it to, and the alternatives that may be taken then. Claims, prose and places are not among it.
std::string dependencies(const Library& library, const Profile& profile, const std::string& op);
/// 16 hex digits of that, by op.
std::map<std::string, std::string> dependency_hashes(const Library& library, const Profile& profile, const std::set<std::string>& ops);
/// Several of them as one.
std::string joined_hash(const std::map<std::string, std::string>& hashes);

/// Whether the profile says something of the op: it, or one that it extends, binds a choice that the op reaches; or there is nothing to say, as the op reaches
/// no choice; or it is a text's own profile. What it says nothing of is computed as the pages read, which is no statement about the system.
bool is_declared(const Library& library, const Profile& profile, const std::string& op);
/// Those of the ops of which the profile says nothing.
std::vector<std::string> undeclared_ops(const Library& library, const Profile& profile, const std::set<std::string>& ops);
/// `profile xnnpack-x64 says nothing of quant.requantize: the pages' own readings are computed`; "" where it says something of every op.
std::string undeclared_text(const Library& library, const Profile& profile, const std::set<std::string>& ops);

}  // namespace tiebreak
