// SPDX-License-Identifier: Apache-2.0
// Which reader a source belongs to, and where an installation keeps its cases.
#include "testsuite/sources/load_cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "interpreter/lite/lite.hpp"
#include "testsuite/recover/recover.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/text_parts.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

/// NAME.json or NAME.json.gz.
bool is_case_file_name(const fs::path& path) { return path.extension() == ".json" || (path.extension() == ".gz" && path.stem().extension() == ".json"); }

Result<CaseList> load_file(const Library& library, const fs::path& path, const CaseFilter& wanted, std::uint64_t seed, const OpFilter& wanted_ops,
                           const InputShapes& shapes = {}) {
  std::string extension = path.extension().string();
  if (is_case_file_name(path)) return read_case_file(library, path.string(), wanted, seed, wanted_ops);
  if (extension == ".h5") return read_golden_cases(path.string(), wanted);
  if (extension == ".onnx") return read_node_test(path.has_parent_path() ? path.parent_path() : fs::path("."), wanted);
  if (is_tflite_path(path.string())) return read_tflite_cases(path.string(), wanted, seed, shapes, library.stop());
  if (extension == ".mlir" || extension == ".mlirbc" || extension == ".relay") return read_program_cases(path.string(), wanted, library.stop());
  if (extension == ".md") {
    if (const Page* page = find_page(library, path.string())) return read_page_cases(*page, wanted);
    return fail(Errc::unknown_name, "not a page of the spec folder in use", path.string(), "set TIEBREAK_SPEC to the folder the page belongs to");
  }
  return fail(Errc::usage, "unknown kind of source", path.string(),
              "a source is a .json, .json.gz, .h5, .onnx, .tflite, .mlir, .mlirbc, .relay or .md file, a folder of such, or an op");
}

/// Files and node tests below a folder, sorted by path. Manifests describe golden files and are no cases.
std::vector<fs::path> case_sources_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  auto walk = fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const fs::path& path = walk->path();
    std::error_code ignored;
    if (walk->is_directory(ignored)) {
      if (is_node_test(path)) {
        found.push_back(path);
        walk.disable_recursion_pending();
      }
      if (fs::exists(path / "recorded.json", ignored)) walk.disable_recursion_pending();  // what a backend answered is no case
      continue;
    }
    static const std::set<std::string> extensions{".h5", ".mlir", ".relay", ".md"};
    std::string name = path.filename().string();
    if ((is_case_file_name(path) || extensions.contains(path.extension().string())) && name != "manifest.json" && name != "README.md" && !name.starts_with("."))
      found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<CaseList> load_folder(const Library& library, const fs::path& folder, const CaseFilter& wanted, std::uint64_t seed, const OpFilter& wanted_ops) {
  std::vector<fs::path> found = case_sources_below(folder);
  if (found.empty())
    return fail(Errc::usage, "no cases in this folder", folder.string(),
                "case files (.json, .json.gz), golden files (.h5), node tests, .mlir and .relay files, pages");
  CaseList cases;
  for (const fs::path& path : found) {
    std::error_code error;
    // Pages without examples and definitions lie in the same folders: a page that cannot be found is an error only when named.
    TIEBREAK_TRY(loaded, fs::is_directory(path, error) ? read_node_test(path, wanted, true) : load_file(library, path, wanted, seed, wanted_ops));
    for (Case& test : loaded) cases.push_back(std::move(test));
  }
  return cases;
}

Result<CaseList> load_source(const Library& library, const std::string& source, const CaseFilter& wanted, std::uint64_t seed, const OpFilter& wanted_ops,
                             const InputShapes& shapes) {
  std::error_code error;
  fs::path path(source);
  if (fs::is_directory(path, error)) return is_node_test(path) ? read_node_test(path, wanted) : load_folder(library, path, wanted, seed, wanted_ops);
  if (fs::exists(path, error)) return load_file(library, path, wanted, seed, wanted_ops, shapes);
  if (const Page* page = find_page(library, source)) return read_page_cases(*page, wanted);
  std::vector<std::string> known = library.op_paths();
  for (const auto& [name, page] : library.pages()) known.push_back(name);
  std::string near = nearest(source, known);
  return fail(Errc::unknown_name, "'" + source + "' is no file, folder, op or page", "", near.empty() ? "tiebreak spec list" : "did you mean '" + near + "'?");
}

/// Annotations that contradict a type or an operand would go into requests and golden files.
Status check_annotations(const Library& library, const CaseList& cases) {
  for (const Case& test : cases) {
    if (!has_annotations(test.program)) continue;
    if (const auto found = recover_parameters(library, test.program, {.inputs = &test.inputs}); !found) return tl::unexpected<Error>(found.error());
  }
  return {};
}

std::string beside_spec(const char* variable, const std::vector<std::string>& names) {
  if (const char* value = *variable != '\0' ? std::getenv(variable) : nullptr; value != nullptr && *value != '\0') return value;
  std::error_code error;
  fs::path spec = fs::weakly_canonical(Library::default_directory(), error);
  if (!spec.has_filename()) spec = spec.parent_path();  // written with a slash at the end
  for (const std::string& name : names) {
    if (fs::path candidate = spec.parent_path() / name; fs::is_directory(candidate, error)) return candidate.string();
  }
  return "";
}

}  // namespace

Result<std::vector<Case>> load_cases(const Library& library, const std::string& source, const CaseFilter& wanted, std::uint64_t seed,
                                     const OpFilter& wanted_ops, const InputShapes& shapes) {
  TIEBREAK_TRY(cases, load_source(library, source, wanted, seed, wanted_ops, shapes));
  TIEBREAK_CHECK(check_annotations(library, cases));
  return std::move(cases);
}

const Page* find_page(const Library& library, const std::string& word) {
  if (auto found = library.pages().find(word); found != library.pages().end()) return &found->second;
  if (Result<Library::OpPlace> place = library.find_op(word)) return place->page;
  for (const auto& [name, page] : library.pages()) {
    if (page.file == word) return &page;  // as messages write it, from any folder
  }
  std::error_code error;
  fs::path wanted = fs::weakly_canonical(word, error);
  if (!fs::exists(wanted, error)) return nullptr;
  fs::path spec = fs::weakly_canonical(Library::default_directory(), error);  // pages of further folders stand under their whole path
  for (const auto& [name, page] : library.pages()) {
    // Page::file is written for messages; it may stand for the file itself or start at the spec folder's name.
    for (const fs::path& candidate : {fs::path(page.file), spec.parent_path() / page.file, spec / page.file}) {
      if (fs::weakly_canonical(candidate, error) == wanted) return &page;
    }
  }
  return nullptr;
}

std::string default_case_folder() { return beside_spec("TIEBREAK_CASES", {"testsuite/cases", "cases"}); }
std::string default_mutant_folder() { return std::getenv("TIEBREAK_CASES") != nullptr ? "" : beside_spec("", {"testsuite/mutants", "mutants"}); }
std::string further_case_folder(const std::string& name) {
  return std::getenv("TIEBREAK_CASES") != nullptr ? "" : beside_spec("", {"testsuite/" + name, name});
}
std::string default_golden_folder() { return beside_spec("TIEBREAK_GOLDEN", {"golden"}); }

std::string id_part(const std::string& text) {
  std::string part = text.empty() ? "-" : text;
  for (char& c : part) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && std::string("_.+-").find(c) == std::string::npos) c = '-';
  }
  return part;
}

}  // namespace tiebreak
