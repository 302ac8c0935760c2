// SPDX-License-Identifier: Apache-2.0
// What a loaded library has. Loading is in load_library.cpp.
#include "interpreter/semantics/library.hpp"

#include <algorithm>
#include <filesystem>

#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/hidden_keys.hpp"
#include "interpreter/semantics/page_loader.hpp"
#include "interpreter/semantics/profile_loader.hpp"
#include "interpreter/sha256.hpp"

namespace tiebreak {

std::shared_ptr<const Library> Library::with_module(notation::Module module) const {
  auto other = std::make_shared<Library>();
  other->stop_ = stop_;
  for (const auto& [name, page] : pages_) {
    // Only what is executed is copied: no texts, and of each module the branches of its trees are shared.
    const bool replaced = name == module.name;
    Page copy{page.name, page.file, page.title, {}, replaced ? std::move(module) : page.module, {}};
    const Page& kept = other->pages_.emplace(name, std::move(copy)).first->second;
    if (replaced) other->hash_ = short_hash(hash_ + notation::print(kept.module));
    for (const notation::Op& op : kept.module.ops) other->ops_.emplace(op.path, OpPlace{&kept, &op});
  }
  // No profiles, which are large: those of this library hold for the other.
  return other;
}

const notation::Module* Library::find_module(const std::string& name) const {
  const auto found = pages_.find(name);
  return found == pages_.end() ? nullptr : &found->second.module;
}

std::optional<Library::OpPlace> Library::op_place(const std::string& path) const {
  const auto found = ops_.find(path);
  return found == ops_.end() ? std::nullopt : std::optional(found->second);
}

Result<Library::OpPlace> Library::find_op(const std::string& path) const {
  if (const auto place = op_place(path)) return *place;
  const std::string near = nearest(path, op_paths());
  return fail(Errc::unknown_name, "unknown op '" + path + "'", {}, near.empty() ? "" : "did you mean '" + near + "'?");
}

Result<const Profile*> Library::find_profile(const std::string& name) const {
  if (const auto found = profiles_.find(name); found != profiles_.end()) return &found->second;
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return profile_of_file(name);
  const std::scoped_lock lock(files_guard_);
  for (const auto& [path, profile] : profiles_of_files_)
    if (profile.name == name) return &profile;
  for (const Error& fault : left_out_)
    if (fault.where.find("/" + name + ".json") != std::string::npos)
      return fail(fault.code, "the profile '" + name + "' was left out: " + fault.what, fault.where, fault.hint);
  std::vector<std::string> names;
  for (const auto& entry : profiles_) names.push_back(entry.first);
  const std::string near = nearest(name, names);
  return fail(Errc::unknown_name, "unknown profile '" + name + "'", {}, near.empty() ? "" : "did you mean '" + near + "'?");
}

Result<const Profile*> Library::profile_of_file(const std::string& path) const {
  const std::scoped_lock lock(files_guard_);
  if (const auto found = profiles_of_files_.find(path); found != profiles_of_files_.end()) return &found->second;
  TIEBREAK_TRY(text, read_text(path, path));
  std::vector<Error> findings;
  std::optional<Profile> profile = read_profile(text, path, findings);
  if (profile) check_profile(*profile, *this, sources_, findings);
  const auto loaded = profile ? profile_paths_.find(profile->name) : profile_paths_.end();
  std::error_code missing;
  if (findings.empty() && loaded != profile_paths_.end() && std::filesystem::equivalent(path, loaded->second, missing)) return &profiles_.at(profile->name);
  if (profile && profiles_.contains(profile->name))
    findings.push_back({Errc::syntax, "N11 a second profile '" + profile->name + "', the first is " + profiles_.at(profile->name).file, path + ":/name", {}});
  const std::string parent = !profile || profile->extends.empty() ? "reference" : profile->extends;
  const auto base = profiles_.find(parent);
  if (base == profiles_.end()) findings.push_back({Errc::unknown_name, "N11 unknown profile '" + parent + "'", path + ":/extends", {}});
  if (!findings.empty()) return tl::unexpected<Error>(findings.front());
  std::vector<std::string> own;
  for (const auto& [key, value] : profile->choices) own.push_back(key);
  extend(*profile, base->second);
  check_hidden_keys(*profile, own, *this, ModulesInReach(*this), findings);
  if (!findings.empty()) return tl::unexpected<Error>(findings.front());
  return &profiles_of_files_.emplace(path, *std::move(profile)).first->second;
}

std::vector<std::string> Library::op_paths() const {
  std::vector<std::string> paths;
  for (const auto& entry : ops_) paths.push_back(entry.first);
  return paths;
}

}  // namespace tiebreak
