// SPDX-License-Identifier: Apache-2.0
// System calls whose failures become errors with the system's reason, a full disk included.
#include "testsuite/exchange/whole_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

tl::unexpected<Error> system_failure(const std::string& what, const std::string& path) { return fail(Errc::io, what + ": " + std::strerror(errno), path); }

/// Of a file that was opened.
Result<std::size_t> size_of(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return system_failure("cannot read the file", path);
  if (!S_ISREG(status.st_mode)) return fail(Errc::io, "not a regular file", path);
  if (std::cmp_greater(status.st_size, exchange_limit::file_bytes)) return fail(Errc::limit, "more than 4 GiB", path);
  return static_cast<std::size_t>(status.st_size);
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// A name beside `path` that no file has yet. Not mkstemp: its files are for the owner alone, whatever the umask says.
int create_beside(const std::string& path, std::string& name) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name = path + "." + std::to_string(::getpid()) + "." + std::to_string(attempt) + ".tmp";
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

Result<std::vector<std::byte>> read_whole_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  TIEBREAK_TRY(size, size_of(file, path));
  std::vector<std::byte> bytes(size);
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure("cannot read the file", path);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  TIEBREAK_TRY(size, size_of(file, path));
  if (size == 0) return MappedFile({});
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (mapped == MAP_FAILED) return system_failure("cannot read the file", path);
  return MappedFile({static_cast<const std::byte*>(mapped), size});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Status replace_file(const std::string& path, std::span<const std::byte> bytes, Durability durability) {
  const bool on_disk = durability == Durability::on_disk;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return fail(Errc::io, "not a regular file: it is not replaced", path);
  std::string temporary;
  Descriptor file(create_beside(path, temporary));
  if (file.number() < 0) return system_failure("cannot write beside the file", path);
  const bool is_written = write_all(file.number(), bytes) && (!on_disk || ::fsync(file.number()) == 0);
  if (!is_written || !file.close() || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    return system_failure("cannot write the file", path);
  }
  if (!on_disk) return {};
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) ::fsync(folder.number());  // the new name, too; a file system that cannot is no failure
  return {};
}

}  // namespace tiebreak
