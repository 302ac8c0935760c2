// SPDX-License-Identifier: Apache-2.0
#include "interpreter/semantics/library.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "interpreter/notation/check.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/semantics/page_loader.hpp"
#include "interpreter/semantics/profile_loader.hpp"
#include "interpreter/semantics/sha256.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

struct SpecFile {
  std::string path;   ///< to open
  std::string shown;  ///< spec/onnx/QuantizeLinear.md
  std::string name;   ///< onnx.QuantizeLinear
};

/// Files below `folder` with this extension, by name: the order does not depend on the machine.
Result<std::vector<SpecFile>> spec_files(const fs::path& root, const fs::path& folder, const std::string& extension) {
  std::vector<SpecFile> files;
  std::error_code error;
  fs::path base = fs::path(root).lexically_normal();
  if (!base.has_filename()) base = base.parent_path();
  const std::string shown = base.filename().generic_string();
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().string().starts_with(".")) {
      if (entry->is_directory(error)) entry.disable_recursion_pending();
      continue;
    }
    if (path.extension() != extension || !entry->is_regular_file(error)) continue;
    const std::string relative = path.lexically_relative(root).generic_string();
    std::string name = relative.substr(0, relative.size() - extension.size());
    std::ranges::replace(name, '/', '.');
    files.push_back({path.string(), shown + "/" + relative, std::move(name)});
  }
  if (error) return fail(Errc::io, "cannot read the folder: " + error.message(), folder.generic_string());
  std::ranges::sort(files, {}, &SpecFile::shown);
  return files;
}

/// All findings in one error: the first by place, and how many more there are.
Status joined(std::vector<Error> findings) {
  if (findings.empty()) return {};
  std::ranges::stable_sort(findings, notation::place_before);
  Error first = findings.front();
  if (findings.size() > 1) first.what += " (and " + std::to_string(findings.size() - 1) + " more)";
  return tl::unexpected<Error>(std::move(first));
}

void load_pages(const std::vector<SpecFile>& files, std::map<std::string, Page>& pages, std::vector<Error>& findings) {
  for (const SpecFile& file : files) {
    const auto keep = [&]() -> Status {
      TIEBREAK_TRY(text, read_text(file.path, file.shown));
      TIEBREAK_TRY(page, read_page(std::move(text), file.name, file.shown));
      if (page) pages.emplace(file.name, *std::move(page));
      return {};
    };
    if (Status status = keep(); !status) findings.push_back(std::move(status).error());
  }
}

void check_pages(const Library& library, std::vector<Error>& findings) {
  notation::CheckContext context;
  context.module = [&](const std::string& name) { return library.find_module(name); };
  context.op = [&](const std::string& path) -> const notation::Op* {
    const auto place = library.find_op(path);
    return place ? place->op : nullptr;
  };
  for (const auto& entry : library.pages()) context.module_names.push_back(entry.first);
  std::vector<notation::ModuleReferences> references;
  for (const auto& [name, page] : library.pages()) {
    notation::CheckResult result = notation::check(page.module, context);
    findings.insert(findings.end(), result.findings.begin(), result.findings.end());
    references.push_back({&page.module, std::move(result.references)});
  }
  for (Error& circle : notation::check_circles(references)) findings.push_back(std::move(circle));
}

/// The formulas as they are printed and the tables they name: prose may change without changing the meaning.
std::string hash_of(const std::map<std::string, Page>& pages, const fs::path& root) {
  std::string text;
  for (const auto& [name, page] : pages) {
    text += "page " + name + "\n" + notation::print(page.module);
    std::set<std::string> tables;
    notation::walk(page.module, [&](const notation::Expr& one) {
      if (one.kind == notation::ExprKind::data) tables.insert(one.text);
    });
    const fs::path folder = root.parent_path() / fs::path(page.file).parent_path();
    for (const std::string& table : tables)
      if (const auto content = read_text((folder / table).string(), table)) text += "data " + table + " " + sha256_hex(*content) + "\n";
  }
  return short_hash(text);
}

Result<std::vector<Profile>> load_profiles(const fs::path& root, std::vector<Error>& findings) {
  std::vector<Profile> profiles;
  if (!fs::is_directory(root / "profiles")) return profiles;
  TIEBREAK_TRY(files, spec_files(root, root / "profiles", ".json"));
  for (const SpecFile& file : files) {
    TIEBREAK_TRY(text, read_text(file.path, file.shown));
    if (auto profile = read_profile(text, file.shown, findings)) profiles.push_back(*std::move(profile));
  }
  return profiles;
}

Result<SourceIds> load_sources(const fs::path& root) {
  const fs::path path = root / "sources.json";
  if (!fs::exists(path)) return SourceIds{};
  const std::string shown = root.filename().generic_string() + "/sources.json";
  TIEBREAK_TRY(text, read_text(path.string(), shown));
  TIEBREAK_TRY(ids, read_sources(text, shown));
  return SourceIds(std::move(ids));
}

}  // namespace

Result<std::shared_ptr<const Library>> Library::load(const std::string& directory, Stop stop) {
  fs::path root = fs::path(directory).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();
  std::error_code missing;
  if (!fs::is_directory(root, missing)) return fail(Errc::io, "no spec folder", directory, "TIEBREAK_SPEC names one");
  auto library = std::make_shared<Library>();
  library->stop_ = stop;
  std::vector<Error> findings;
  TIEBREAK_TRY(files, spec_files(root, root, ".md"));
  load_pages(files, library->pages_, findings);
  for (const auto& [name, page] : library->pages_)
    for (const notation::Op& op : page.module.ops)
      if (const auto [first, fresh] = library->ops_.emplace(op.path, OpPlace{&page, &op}); !fresh)
        findings.push_back({Errc::syntax,
                            "N03 a second op '" + op.path + "', the first is in " + first->second.page->file,
                            page.file + ":" + std::to_string(op.at.line) + ":" + std::to_string(op.at.column),
                            {}});
  TIEBREAK_CHECK(joined(findings));
  check_pages(*library, findings);
  TIEBREAK_TRY(profiles, load_profiles(root, findings));
  TIEBREAK_TRY(sources, load_sources(root));
  for (const Profile& profile : profiles) check_profile(profile, *library, sources, findings);
  library->profiles_ = inherit(std::move(profiles), findings);
  TIEBREAK_CHECK(joined(std::move(findings)));
  library->hash_ = hash_of(library->pages_, root);
  return std::shared_ptr<const Library>(std::move(library));
}

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

Result<Library::OpPlace> Library::find_op(const std::string& path) const {
  if (const auto found = ops_.find(path); found != ops_.end()) return found->second;
  const std::string near = nearest(path, op_paths());
  return fail(Errc::unknown_name, "unknown op '" + path + "'", {}, near.empty() ? "" : "did you mean '" + near + "'?");
}

Result<const Profile*> Library::find_profile(const std::string& name) const {
  if (const auto found = profiles_.find(name); found != profiles_.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& entry : profiles_) names.push_back(entry.first);
  const std::string near = nearest(name, names);
  return fail(Errc::unknown_name, "unknown profile '" + name + "'", {}, near.empty() ? "" : "did you mean '" + near + "'?");
}

std::vector<std::string> Library::op_paths() const {
  std::vector<std::string> paths;
  for (const auto& entry : ops_) paths.push_back(entry.first);
  return paths;
}

}  // namespace tiebreak
