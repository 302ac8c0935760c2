// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tiebreak {
namespace {

tl::unexpected<Error> failed(const std::string& path) {
  std::string hint = errno == ENOSPC ? "free some space, or write elsewhere" : "";
  return fail(Errc::io, std::string("cannot write: ") + std::strerror(errno), path, hint);
}

bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Status write_and_close(int descriptor, const std::string& content, const std::string& path) {
  Status written = write_descriptor(descriptor, content, path);
  if (::close(descriptor) != 0 && written) return failed(path);
  return written;
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

Status write_file(const std::string& path, const std::string& content) {
  if (is_special(path)) {
    int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return failed(path);
    return write_and_close(descriptor, content, path);
  }
  std::string temporary = path + ".tmp" + std::to_string(::getpid());
  int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return failed(path);
  Status written = write_and_close(descriptor, content, path);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) written = failed(path);
  if (!written) ::unlink(temporary.c_str());
  return written;
}

}  // namespace tiebreak
