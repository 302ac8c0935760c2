// SPDX-License-Identifier: Apache-2.0
// Folders of pages and profiles to a library. A fault in the first folder is an error; a faulty file of a further folder is left out,
// and with it what depends on it.
#include <algorithm>
#include <filesystem>
#include <set>

#include "interpreter/notation/check.hpp"
#include "interpreter/notation/lexer.hpp"
#include "interpreter/semantics/data_files.hpp"
#include "interpreter/semantics/hidden_keys.hpp"
#include "interpreter/semantics/join_alternatives.hpp"
#include "interpreter/semantics/library.hpp"
#include "interpreter/semantics/page_loader.hpp"
#include "interpreter/semantics/profile_loader.hpp"
#include "interpreter/sha256.hpp"

namespace tiebreak {

namespace fs = std::filesystem;

/// One element of the path of folders.
struct SpecRoot {
  fs::path path;
  std::string shown;  ///< in messages: spec for the first, the whole path for others
};

using LeftOut = std::map<std::string, Error>;  ///< by file, with why

namespace {

struct SpecFile {
  std::string path;   ///< to open
  std::string shown;  ///< spec/onnx/QuantizeLinear.md
  std::string name;   ///< onnx.QuantizeLinear
};

/// Files below `folder` with this extension, by name: the order does not depend on the machine.
Result<std::vector<SpecFile>> spec_files(const SpecRoot& root, const fs::path& folder, const std::string& extension, const LeftOut& left_out) {
  std::vector<SpecFile> files;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return files;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().string().starts_with(".")) {
      if (entry->is_directory(error)) entry.disable_recursion_pending();
      continue;
    }
    if (path.extension() != extension || !entry->is_regular_file(error)) continue;
    const std::string relative = path.lexically_relative(root.path).generic_string();
    std::string name = relative.substr(0, relative.size() - extension.size());
    std::ranges::replace(name, '/', '.');
    std::ranges::replace(name, '-', '_');  // formulas name a page by its path
    if (!left_out.contains(root.shown + "/" + relative)) files.push_back({path.string(), root.shown + "/" + relative, std::move(name)});
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

void check_pages(const Library& library, std::vector<Error>& findings) {
  notation::CheckContext context;
  context.module = [&](const std::string& name) { return library.find_module(name); };
  context.op = [&](const std::string& path) -> const notation::Op* {
    const auto place = library.op_place(path);
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

/// The formulas as they are printed and the tables they name: prose may change without changing the meaning. An alternative counts where its choice
/// stands, wherever it is written.
std::string hash_of(const std::map<std::string, Page>& pages) {
  std::string text;
  for (const auto& [name, page] : pages) {
    notation::Module own = page.module;
    own.additions.clear();
    if (const std::string formulas = notation::print(own); !formulas.empty()) text += "page " + name + "\n" + formulas;
    for (const auto& [table, data] : page.tables) text += "data " + table + " " + data.digest + "\n";
  }
  return short_hash(text);
}

}  // namespace

/// One attempt: what is read, and the faults in it.
class LibraryLoader {
 public:
  LibraryLoader(const std::vector<SpecRoot>& roots, const LeftOut& left_out, Stop stop) : roots_(roots), left_out_(left_out) { library_->stop_ = stop; }

  Result<std::shared_ptr<Library>> run() {
    for (const SpecRoot& root : roots_) TIEBREAK_CHECK(load_pages(root));
    register_ops();
    if (!findings_.empty()) return library_;
    join_alternatives(*library_, findings_);
    check_pages(*library_, findings_);
    std::vector<Profile> profiles;
    for (const SpecRoot& root : roots_) {
      TIEBREAK_CHECK(load_profiles(root, root.path / "systems", profiles));
      TIEBREAK_CHECK(load_sources(root));
    }
    for (const Profile& profile : profiles) check_profile(profile, *library_, library_->sources_, findings_);
    std::map<std::string, std::vector<std::string>> own;
    for (const Profile& profile : profiles)
      for (const auto& [key, value] : profile.choices) own[profile.name].push_back(key);
    library_->profiles_ = inherit(std::move(profiles), findings_);
    const ModulesInReach reach(*library_);
    for (const auto& [name, keys] : own)
      if (const auto profile = library_->profiles_.find(name); profile != library_->profiles_.end())
        check_hidden_keys(profile->second, keys, *library_, reach, findings_);
    library_->hash_ = hash_of(library_->pages_);
    return library_;
  }

  const std::vector<Error>& findings() const { return findings_; }

 private:
  Status load_pages(const SpecRoot& root) {
    TIEBREAK_TRY(files, spec_files(root, root.path, ".md", left_out_));
    for (const SpecFile& file : files)
      if (Status status = load_page(file); !status) findings_.push_back(std::move(status).error());
    return {};
  }

  Status load_page(const SpecFile& file) {
    TIEBREAK_TRY(text, read_text(file.path, file.shown));
    TIEBREAK_TRY(page, read_page(std::move(text), file.name, file.shown));
    if (!page) return {};
    TIEBREAK_TRY(tables, read_data_files(*page, fs::path(file.path).parent_path()));
    page->tables = std::move(tables);
    for (const auto& [name, data] : page->tables) data_files_.insert((fs::path(file.path).parent_path() / name).lexically_normal());
    const auto [first, fresh] = library_->pages_.emplace(file.name, *std::move(page));
    if (!fresh) return fail(Errc::syntax, "N03 a second page '" + file.name + "', the first is " + first->second.file, file.shown + ":1:1");
    in_order_.push_back(&first->second);
    return {};
  }

  void register_ops() {
    for (const Page* page : in_order_)
      for (const notation::Op& op : page->module.ops)
        if (const auto [first, fresh] = library_->ops_.emplace(op.path, Library::OpPlace{page, &op}); !fresh)
          findings_.push_back(
              {Errc::syntax, "N03 a second op '" + op.path + "', the first is in " + first->second.page->file, notation::place(page->file, op.at), {}});
  }

  Status load_profiles(const SpecRoot& root, const fs::path& folder, std::vector<Profile>& profiles) {
    TIEBREAK_TRY(files, spec_files(root, folder, ".json", left_out_));
    for (const SpecFile& file : files) {
      if (data_files_.contains(fs::path(file.path).lexically_normal())) continue;
      TIEBREAK_TRY(text, read_text(file.path, file.shown));
      auto profile = read_profile(text, file.shown, findings_);
      if (!profile) continue;
      library_->profile_paths_.emplace(profile->name, file.path);
      profiles.push_back(*std::move(profile));
    }
    return {};
  }

  Status load_sources(const SpecRoot& root) {
    const fs::path path = root.path / "sources.json";
    const std::string shown = root.shown + "/sources.json";
    if (!fs::exists(path) || left_out_.contains(shown)) return {};
    const auto read = [&]() -> Status {
      TIEBREAK_TRY(text, read_text(path.string(), shown));
      TIEBREAK_TRY(ids, read_sources(text, shown));
      if (!library_->sources_) library_->sources_.emplace();
      library_->sources_->insert(ids.begin(), ids.end());
      return {};
    };
    if (Status status = read(); !status) findings_.push_back(std::move(status).error());
    return {};
  }

  const std::vector<SpecRoot>& roots_;
  const LeftOut& left_out_;
  std::shared_ptr<Library> library_ = std::make_shared<Library>();
  std::vector<Error> findings_{};
  std::set<fs::path> data_files_{};      ///< lists of numbers, which are no profiles
  std::vector<const Page*> in_order_{};  ///< the first folder's before others: of two ops with one name the second is the fault
};

namespace {

/// The file of a further folder in which a finding lies, "" for the first folder.
std::string further_file(const Error& finding, const std::vector<SpecRoot>& roots) {
  for (std::size_t i = 1; i < roots.size(); ++i)
    if (finding.where.starts_with(roots[i].shown + "/")) return finding.where.substr(0, finding.where.find(':'));
  return {};
}

Result<std::vector<SpecRoot>> roots_of(const std::vector<std::string>& directories) {
  std::vector<SpecRoot> roots;
  for (const std::string& directory : directories) {
    fs::path root = fs::path(directory).lexically_normal();
    if (!root.has_filename()) root = root.parent_path();
    std::error_code missing;
    if (!fs::is_directory(root, missing)) return fail(Errc::io, "no spec folder", directory, "TIEBREAK_SPEC names one");
    // What messages call it; an absolute path where a short one could be the first folder's.
    roots.push_back({root, roots.empty() ? root.filename().generic_string() : fs::absolute(root).lexically_normal().generic_string()});
  }
  if (roots.empty()) return fail(Errc::io, "no spec folder", {}, "TIEBREAK_SPEC names one");
  return roots;
}

}  // namespace

Result<std::shared_ptr<const Library>> Library::load(const std::string& directory, Stop stop) { return load(std::vector<std::string>{directory}, stop); }

Result<std::shared_ptr<const Library>> Library::load(const std::vector<std::string>& directories, Stop stop) {
  TIEBREAK_TRY(roots, roots_of(directories));
  LeftOut left_out;
  for (;;) {
    LibraryLoader loader(roots, left_out, stop);
    TIEBREAK_TRY(library, loader.run());
    std::vector<Error> findings = loader.findings();
    if (findings.empty()) {
      for (const auto& [file, why] : left_out) library->left_out_.push_back(why);
      return std::shared_ptr<const Library>(std::move(library));
    }
    // What else is wrong may follow from a file that is left out next.
    std::ranges::stable_sort(findings, notation::place_before);
    const std::size_t before = left_out.size();
    for (const Error& finding : findings)
      if (const std::string file = further_file(finding, roots); !file.empty()) left_out.emplace(file, finding);
    if (left_out.size() == before) return tl::unexpected<Error>(joined(std::move(findings)).error());
  }
}

}  // namespace tiebreak
