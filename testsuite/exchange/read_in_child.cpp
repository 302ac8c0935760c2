// SPDX-License-Identifier: Apache-2.0
// The child parses and sends the tree, or its error, through a pipe in the plain form of tree_bytes.hpp; the parent checks what arrives.
#include "testsuite/exchange/read_in_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <vector>

#include "testsuite/exchange/hdf5_file.hpp"
#include "testsuite/exchange/tree_bytes.hpp"

namespace tiebreak {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::byte tree_follows{1};
constexpr std::byte error_follows{2};
constexpr std::size_t received_limit = 3 * exchange_limit::total_bytes / 2;  // data, and names and shapes around it

/// Buffers small pieces; stops quietly once the parent is gone.
class PipeWriter {
 public:
  explicit PipeWriter(int descriptor) : descriptor_(descriptor) { buffer_.reserve(capacity); }

  void add(std::span<const std::byte> bytes) {
    if (buffer_.size() + bytes.size() > capacity) flush();
    if (bytes.size() > capacity) {
      send(bytes);
    } else {
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }
  }
  void flush() {
    send(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  void send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::write(descriptor_, bytes.data(), bytes.size());
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) _exit(1);
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }

  int descriptor_;
  std::vector<std::byte> buffer_{};
};

/// The child owes nothing to the parent's handlers: a crash must end it, silently.
void become_expendable(double timeout_seconds) {
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGPIPE}) ::signal(number, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto seconds = static_cast<rlim_t>(timeout_seconds) + 2;
  const rlimit processor_time{seconds, seconds};
  ::setrlimit(RLIMIT_CPU, &processor_time);
  if (const int nothing = ::open("/dev/null", O_WRONLY); nothing >= 0) ::dup2(nothing, STDERR_FILENO);
}

[[noreturn]] void read_in_child(std::span<const std::byte> image, const std::string& where, const Hdf5Lock& lock, int descriptor, double timeout_seconds) {
  become_expendable(timeout_seconds);
  try {
    const Result<StoredGroup> tree = read_hdf5(image, where, lock);
    PipeWriter writer(descriptor);
    if (tree) {
      writer.add(std::span(&tree_follows, 1));
      write_tree(*tree, [&](std::span<const std::byte> bytes) { writer.add(bytes); });
    } else {
      const auto code = static_cast<std::byte>(tree.error().code);
      const std::string text = tree.error().what + '\0' + tree.error().where;
      writer.add(std::array{error_follows, code});
      writer.add(std::as_bytes(std::span(text)));
    }
    writer.flush();
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

/// Everything the child sends until it closes the pipe; false when the time is over or it sends too much.
bool receive(int descriptor, double timeout_seconds, std::vector<std::byte>& received) {
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_seconds));
  std::vector<std::byte> chunk(std::size_t{1} << 16);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || received.size() > received_limit) return false;
    pollfd waited{descriptor, POLLIN, 0};
    if (::poll(&waited, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    received.insert(received.end(), chunk.begin(), chunk.begin() + got);
  }
}

Result<StoredGroup> interpret(std::span<const std::byte> received, int status, const std::string& where) {
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || received.empty()) {
    const std::string how = WIFSIGNALED(status) ? std::string(": ") + ::strsignal(WTERMSIG(status)) : std::string();
    return fail(Errc::corrupt, "the file crashes the HDF5 reader" + how, where);
  }
  if (received[0] == tree_follows) return parse_tree(received.subspan(1), where);
  if (received.size() < 2) return fail(Errc::corrupt, "the reader's answer is cut off", where);
  const std::string text(reinterpret_cast<const char*>(received.data()) + 2, received.size() - 2);
  const std::size_t middle = text.find('\0');
  return fail(static_cast<Errc>(received[1]), text.substr(0, middle), middle == std::string::npos ? where : text.substr(middle + 1));
}

}  // namespace

Result<StoredGroup> read_hdf5_isolated(std::span<const std::byte> image, const std::string& where, double timeout_seconds) {
  timeout_seconds = std::clamp(timeout_seconds, 0.0, 1e6);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(Errc::io, std::string("no pipe: ") + std::strerror(errno), where);
  pid_t child = -1;
  {
    const Hdf5Lock lock;  // held across fork: the child needs a library that nobody is using
    child = ::fork();
    if (child == 0) read_in_child(image, where, lock, ends[1], timeout_seconds);
  }
  const int fork_error = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return fail(Errc::io, std::string("no child process: ") + std::strerror(fork_error), where);
  }
  std::vector<std::byte> received;
  const bool is_complete = receive(ends[0], timeout_seconds, received);
  ::close(ends[0]);
  if (!is_complete) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!is_complete) return fail(Errc::corrupt, "the file could not be read in time", where);
  return interpret(received, status, where);
}

}  // namespace tiebreak
