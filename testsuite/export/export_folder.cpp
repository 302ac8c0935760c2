// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/export_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "interpreter/json/json_value.hpp"
#include "testsuite/arrays/npy.hpp"
#include "testsuite/export/benches.hpp"
#include "testsuite/export/data_files.hpp"
#include "testsuite/export/manifest.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/text_parts.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

constexpr const char* manifest_name = "export.json";
constexpr const char* manifest_schema = "tiebreak.export/1";

struct FormatWord {
  ExportFormat format;
  const char* word;
};
constexpr std::array<FormatWord, 7> format_words{{{ExportFormat::npy, "npy"},
                                                  {ExportFormat::memh, "memh"},
                                                  {ExportFormat::mif, "mif"},
                                                  {ExportFormat::c, "c"},
                                                  {ExportFormat::csv, "csv"},
                                                  {ExportFormat::c_test, "c-test"},
                                                  {ExportFormat::sv_test, "sv-test"}}};

tl::unexpected<Error> no_folder(const std::string& folder, const std::error_code& error) { return fail(Errc::io, "cannot write: " + error.message(), folder); }

Status check_target(const std::string& folder, bool replace) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  if (!fs::is_directory(folder, error)) return fail(Errc::usage, "it is no folder", folder, "name a folder that is not there");
  if (fs::is_empty(folder, error)) return {};
  if (!replace) return fail(Errc::usage, "the folder is not empty", folder, "name another one, or --force replaces an earlier export");
  const Result<std::string> text = read_text_file(folder + "/" + manifest_name);
  if (text && early_text(*text, "schema") == manifest_schema) return {};
  return fail(Errc::usage, "the folder is not empty, and no export: --force replaces an export alone", folder, "name another one");
}

}  // namespace

std::vector<std::string> export_format_words() {
  std::vector<std::string> words;
  for (const FormatWord& one : format_words) words.emplace_back(one.word);
  return words;
}

Result<std::set<ExportFormat>> parse_export_formats(const std::string& text) {
  std::set<ExportFormat> formats;
  if (text.empty())
    for (const FormatWord& one : format_words) formats.insert(one.format);
  for (std::size_t from = 0; !text.empty() && from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, to - from);
    const auto found = std::ranges::find(format_words, word, &FormatWord::word);
    if (found == format_words.end()) {
      const std::vector<std::string> words = export_format_words();
      const std::string near = nearest(word, words);
      return fail(Errc::usage, "unknown format '" + word + "'", "--format", near.empty() ? joined_words(words, ", ") : "did you mean '" + near + "'?");
    }
    formats.insert(found->format);
    from = to + 1;
  }
  if (formats.contains(ExportFormat::c_test)) formats.insert(ExportFormat::c);
  if (formats.contains(ExportFormat::sv_test)) formats.insert(ExportFormat::memh);
  return formats;
}

Status replace_folder(const std::string& made, const std::string& folder) {
  std::error_code error, unseen;
  const std::string old = made + ".old";
  const bool is_there = fs::exists(folder, error);
  if (is_there) fs::rename(folder, old, error);
  if (error) return no_folder(folder, error);
  fs::rename(made, folder, error);
  if (error && is_there) fs::rename(old, folder, unseen);
  if (unseen) return fail(Errc::io, "cannot write: " + error.message(), folder, "what was there is now " + old);
  if (error) return no_folder(folder, error);
  fs::remove_all(old, error);
  return {};
}

Result<ExportFolder> ExportFolder::open(const std::string& folder, std::set<ExportFormat> formats, bool replace) {
  fs::path path = fs::absolute(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  TIEBREAK_CHECK(check_target(path.string(), replace));
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return no_folder(folder, error);
  ExportFolder made;
  made.folder_ = path.string();
  const std::string temporary = path.string() + ".tmp" + std::to_string(::getpid());
  fs::remove_all(temporary, error);  // of a process of this number that was killed
  fs::create_directory(temporary, error);
  if (error) return no_folder(folder, error);
  made.temporary_ = temporary;
  made.formats_ = std::move(formats);
  made.manifest_.begin_object().member("schema", manifest_schema).key("cases").begin_array();
  return made;
}

ExportFolder::ExportFolder(ExportFolder&& other) noexcept
    : folder_(std::move(other.folder_)),
      temporary_(std::exchange(other.temporary_, {})),
      formats_(std::move(other.formats_)),
      names_(std::move(other.names_)),
      left_out_(std::move(other.left_out_)),
      manifest_(std::move(other.manifest_)) {}

ExportFolder::~ExportFolder() {
  std::error_code error;
  if (!temporary_.empty()) fs::remove_all(temporary_, error);
}

Result<std::size_t> ExportFolder::add_tensor(const ExportedCase& exported, const ExportedTensor& tensor) {
  const std::string path = temporary_ + "/" + exported.folder + "/" + tensor.name;
  std::map<std::string, std::string> files;
  const auto write = [&](ExportFormat format, const std::string& word, const std::function<std::string()>& text) -> Status {
    if (!has(format)) return {};
    files[word] = exported.folder + "/" + tensor.name + "." + word;
    return write_file(path + "." + word, text());
  };
  TIEBREAK_CHECK(write(ExportFormat::npy, "npy", [&] { return npy_bytes(tensor.tensor); }));
  TIEBREAK_CHECK(write(ExportFormat::memh, "memh", [&] { return memh_text(tensor.tensor); }));
  TIEBREAK_CHECK(write(ExportFormat::mif, "mif", [&] { return mif_text(exported, tensor); }));
  TIEBREAK_CHECK(write(ExportFormat::c, "h", [&] { return c_header_text(exported, tensor); }));
  TIEBREAK_CHECK(write(ExportFormat::csv, "csv", [&] { return csv_text(tensor); }));
  write_manifest_tensor(tensor, files, manifest_);
  return files.size();
}

Result<std::size_t> ExportFolder::add(ExportedCase& exported) {
  exported.folder = names_.unique_folder(exported.id);
  std::error_code error;
  fs::create_directory(temporary_ + "/" + exported.folder, error);
  if (error) return no_folder(folder_, error);
  begin_manifest_case(exported, manifest_);
  std::size_t files = 0;
  for (const ExportedTensor& tensor : exported.tensors) {
    TIEBREAK_TRY(written, add_tensor(exported, tensor));
    files += written;
  }
  std::map<std::string, std::vector<std::string>> benches;
  for (const auto& [format, word, make] : {std::tuple(ExportFormat::c_test, "c", &c_bench), std::tuple(ExportFormat::sv_test, "sv", &verilog_bench)}) {
    if (!has(format)) continue;
    for (const TextFile& file : make(exported)) {
      TIEBREAK_CHECK(write_file(temporary_ + "/" + exported.folder + "/" + file.name, file.text));
      benches[word].push_back(exported.folder + "/" + file.name);
      ++files;
    }
  }
  end_manifest_case(benches, manifest_);
  return files;
}

Status ExportFolder::finish() {
  manifest_.end_array();
  if (!left_out_.empty()) manifest_.member("left_out", left_out_);
  manifest_.end_object();
  TIEBREAK_CHECK(write_file(temporary_ + "/" + manifest_name, manifest_.text()));
  TIEBREAK_CHECK(replace_folder(temporary_, folder_));
  temporary_.clear();
  return {};
}

}  // namespace tiebreak
