// SPDX-License-Identifier: Apache-2.0
// Same answers, same bytes: files by op, cases by digest, and nothing in them of a time or of the order in which was asked.
#include "testsuite/backends/record_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "interpreter/sha256.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/exchange/whole_file.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;
constexpr const char* programs_file = "programs.h5";

tl::unexpected<Error> cannot_write(const std::string& path) { return fail(Errc::io, std::string("cannot write the record: ") + std::strerror(errno), path); }

/// Programs of several ops, and ops whose names are no names of files, share one.
std::string file_of(const std::string& op) {
  const Result<std::vector<std::string>> parts = id_parts(op);
  return parts && parts->size() == 1 ? op + ".h5" : programs_file;
}

Result<std::set<std::string>> names_in(const std::string& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) names.insert(entry->path().filename().string());
  if (error) return fail(Errc::io, "cannot read the folder: " + error.message(), folder);
  return names;
}

/// What lies there may be replaced: nothing, or a record.
Status check_replaceable(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  if (!fs::is_directory(path, error)) return fail(Errc::usage, "a record is a folder, and a file lies there", path);
  TIEBREAK_TRY(names, names_in(path));
  const bool is_record = names.contains(record_description_name);
  for (const std::string& name : names)
    if (!is_record || (name != record_description_name && !name.ends_with(".h5")))
      return fail(Errc::usage, "the folder is not empty and no record alone: " + name + " lies in it", path, "name another folder");
  return {};
}

Result<RecordedFile> write_answers(const std::string& folder, const std::string& name, const std::string& op, std::vector<ExchangeCase> answers) {
  RecordedFile file{name, op, static_cast<std::int64_t>(answers.size())};
  ExchangeFile content;
  content.kind = "response";
  content.cases = std::move(answers);
  TIEBREAK_TRY(image, exchange_image(content));
  file.sha256 = sha256_hex(image);
  TIEBREAK_CHECK(replace_file(folder + "/" + name, image));
  return file;
}

/// Exchanges two folders in one step where the file system can; else the old one is away for a moment.
bool take_place(const std::string& made, const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return ::rename(made.c_str(), path.c_str()) == 0;
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return true;
  const std::string away = made + ".old";
  if (::rename(path.c_str(), away.c_str()) != 0) return false;
  if (::rename(made.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::rename(away.c_str(), path.c_str());
    errno = reason;
    return false;
  }
  return ::rename(away.c_str(), made.c_str()) == 0;  // what lies under `made` is removed
}

Status check_file(const std::string& path, const RecordedFile& listed, const ExchangeFile& file, std::span<const std::byte> image) {
  if (sha256_hex(image) != listed.sha256) return fail(Errc::corrupt, "not the file that recorded.json names: its digest is another", path);
  if (file.kind != "response") return fail(Errc::corrupt, "a record has responses, and this is a " + file.kind, path);
  if (std::cmp_not_equal(file.cases.size(), listed.requests))
    return fail(Errc::corrupt, std::to_string(file.cases.size()) + " answers, and recorded.json says " + std::to_string(listed.requests), path);
  return {};
}

bool is_digest(const std::string& id) { return id.size() == 64 && id.find_first_not_of("0123456789abcdef") == std::string::npos; }

Status read_answers(const std::string& folder, const RecordedFile& listed, Record& record) {
  const std::string path = folder + "/" + listed.file;
  TIEBREAK_TRY(image, read_whole_file(path));
  TIEBREAK_TRY(file, parse_exchange_image(image, path, Trust::crcs));
  TIEBREAK_CHECK(check_file(path, listed, file, image));
  for (ExchangeCase& answer : file.cases) {
    const std::string id = answer.id, place = path + ":/cases/" + id;
    if (!is_digest(id)) return fail(Errc::corrupt, "not the digest of a request", place);
    if (answer.status == "error") return fail(Errc::corrupt, "an error is no answer", place);
    if (!record.answers.emplace(id, std::move(answer)).second) return fail(Errc::corrupt, "a second answer to one request", place);
  }
  return {};
}

}  // namespace

Result<Record> read_record(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return fail(Errc::io, fs::exists(folder, error) ? "a record is a folder" : "no such recorded folder", folder);
  TIEBREAK_TRY(names, names_in(folder));
  if (!names.erase(record_description_name)) return fail(Errc::corrupt, "not a recorded folder: recorded.json is missing", folder, "check --record makes one");
  Record record;
  TIEBREAK_TRY(description, read_record_description(folder + "/" + record_description_name));
  record.description = std::move(description);
  for (const RecordedFile& file : record.description.files) {
    if (!names.erase(file.file)) return fail(Errc::corrupt, "a file of the record is missing", folder + "/" + file.file);
    TIEBREAK_CHECK(read_answers(folder, file, record));
  }
  if (!names.empty()) return fail(Errc::corrupt, "a file that recorded.json does not name", folder + "/" + *names.begin());
  return record;
}

RecordFolder::RecordFolder(std::string path, std::string temporary) : path_(std::move(path)), temporary_(std::move(temporary)) {}

RecordFolder::RecordFolder(RecordFolder&& other) noexcept : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

RecordFolder::~RecordFolder() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

Result<RecordFolder> RecordFolder::open(const std::string& named) {
  std::string path = named;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  TIEBREAK_CHECK(check_replaceable(path));
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::string temporary = path + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(attempt);
    if (::mkdir(temporary.c_str(), 0777) == 0) return RecordFolder(std::move(path), std::move(temporary));
    if (errno != EEXIST) break;
  }
  return cannot_write(path);
}

Result<RecordDescription> RecordFolder::write(Record record) {
  std::map<std::string, std::vector<ExchangeCase>> by_file;
  for (auto& [digest, answer] : record.answers) by_file[file_of(answer.op)].push_back(std::move(answer));
  record.description.files.clear();
  for (auto& [name, answers] : by_file) {
    const std::string op = name == programs_file ? "" : answers.front().op;
    TIEBREAK_TRY(file, write_answers(temporary_, name, op, std::move(answers)));
    record.description.files.push_back(std::move(file));
  }
  const std::string text = record_description_text(record.description);
  TIEBREAK_CHECK(replace_file(temporary_ + "/" + record_description_name, std::as_bytes(std::span(text))));
  TIEBREAK_CHECK(check_replaceable(path_));  // what lies there may have come since
  if (!take_place(temporary_, path_)) return cannot_write(path_);
  return std::move(record.description);
}

}  // namespace tiebreak
