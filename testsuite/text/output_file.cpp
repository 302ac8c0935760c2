// SPDX-License-Identifier: Apache-2.0
#include "testsuite/text/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace tiebreak {
namespace {

tl::unexpected<Error> failed(const std::string& path) {
  std::string hint = errno == ENOSPC ? "free some space, or write elsewhere" : "";
  return fail(Errc::io, std::string("cannot write: ") + std::strerror(errno), path, hint);
}

bool is_special_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

Status write_descriptor(int descriptor, const std::string& content, const std::string& name) {
  std::size_t done = 0;
  while (done < content.size()) {
    ssize_t count = ::write(descriptor, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(name);
    done += static_cast<std::size_t>(count);
  }
  return {};
}

Result<OutputFiles::Opened> OutputFiles::open_one(const std::string& path) {
  Opened file{path, "", -1};
  if (is_special_file(path)) {
    file.descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else if (std::error_code error; std::filesystem::is_directory(path, error)) {
    errno = EISDIR;
  } else {
    file.temporary = path + ".tmp" + std::to_string(::getpid());
    file.descriptor = ::open(file.temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (file.descriptor < 0) return failed(path);
  return file;
}

Result<OutputFiles> OutputFiles::open(const std::vector<std::string>& paths) {
  OutputFiles files;
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    if (std::ranges::find(files.files_, path, &Opened::path) != files.files_.end()) return fail(Errc::usage, "two results go to one file", path);
    TIEBREAK_TRY(file, open_one(path));
    files.files_.push_back(std::move(file));
  }
  return files;
}

OutputFiles::~OutputFiles() {
  for (const Opened& file : files_) {
    if (file.descriptor < 0) continue;
    ::close(file.descriptor);
    if (!file.temporary.empty()) ::unlink(file.temporary.c_str());
  }
}

Status OutputFiles::write(const std::string& path, const std::string& content) {
  const auto file = std::ranges::find(files_, path, &Opened::path);
  if (file == files_.end()) return {};
  const int descriptor = std::exchange(file->descriptor, -1);
  if (descriptor < 0) return fail(Errc::internal, "written a second time", path);
  Status written = write_descriptor(descriptor, content, path);
  if (::close(descriptor) != 0 && written) written = failed(path);
  if (file->temporary.empty()) return written;
  if (written && ::rename(file->temporary.c_str(), path.c_str()) != 0) written = failed(path);
  if (!written) ::unlink(file->temporary.c_str());
  return written;
}

Status write_file(const std::string& path, const std::string& content) {
  TIEBREAK_TRY(files, OutputFiles::open({path}));
  return files.write(path, content);
}

Status make_output_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Errc::io, "cannot make the folder: " + error.message(), folder);
  if (::access(folder.c_str(), W_OK) != 0) return failed(folder);
  return {};
}

}  // namespace tiebreak
