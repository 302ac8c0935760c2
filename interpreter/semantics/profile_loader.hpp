// SPDX-License-Identifier: Apache-2.0
// Profiles: JSON to values, inheritance, and the check of every key against the pages.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The ids of spec/sources.json; nullopt where there is no such file.
using SourceIds = std::optional<std::set<std::string>>;
Result<std::set<std::string>> read_sources(const std::string& text, const std::string& file);

/// One profile as written: its own choices, no hash. Every fault goes to `findings`; nullopt where the text is no JSON object.
std::optional<Profile> read_profile(const std::string& text, const std::string& file, std::vector<Error>& findings);

/// Keys and alternatives that exist, static conditions, known sources.
void check_profile(const Profile& profile, const Library& library, const SourceIds& sources, std::vector<Error>& findings);

/// Adds `reference`, fills in what is inherited, and hashes. A cyclic or unknown `extends` is a finding.
std::map<std::string, Profile> inherit(std::vector<Profile> profiles, std::vector<Error>& findings);

/// Takes over what `parent`, which is complete, binds and the profile does not, and hashes.
void extend(Profile& profile, const Profile& parent);

/// file:/choices/key, with the key escaped as RFC 6901 says.
std::string choice_place(const std::string& file, const std::string& key);

}  // namespace tiebreak
