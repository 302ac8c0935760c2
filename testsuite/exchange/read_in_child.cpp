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
#include <span>
#include <vector>

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

using Read = std::function<Result<StoredGroup>(const Hdf5Lock& lock)>;

[[noreturn]] void read_in_child(const Read& read, const Hdf5Lock& lock, int descriptor, double timeout_seconds) {
  become_expendable(timeout_seconds);
  try {
    const Result<StoredGroup> tree = read(lock);
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

/// What the child sends, until it closes the pipe or the time is over.
class PipeReader {
 public:
  PipeReader(int descriptor, double timeout_seconds)
      : descriptor_(descriptor), deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_seconds))) {}

  bool is_late() const { return is_late_; }
  bool has_ended() const { return has_ended_; }

  /// False where less comes. Small pieces are taken from a buffer, large ones go where they stay.
  bool fill(std::span<std::byte> target) {
    const std::size_t known = std::min(target.size(), buffered_.size());
    std::ranges::copy(buffered_.first(known), target.begin());
    buffered_ = buffered_.subspan(known);
    target = target.subspan(known);
    while (!target.empty()) {
      if (target.size() < buffer_.size()) {
        const std::size_t got = receive(buffer_);
        if (got == 0) return false;
        buffered_ = std::span(buffer_).first(got);
        return fill(target);
      }
      const std::size_t got = receive(target);
      if (got == 0) return false;
      target = target.subspan(got);
    }
    return true;
  }

  /// Whatever still comes, of which so many bytes are kept.
  std::vector<std::byte> rest(std::size_t most) {
    std::vector<std::byte> bytes(buffered_.begin(), buffered_.end());
    buffered_ = {};
    while (bytes.size() < most) {
      const std::size_t got = receive(buffer_);
      if (got == 0) break;
      bytes.insert(bytes.end(), buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(got));
    }
    return bytes;
  }

 private:
  /// At least one byte; none at the end.
  std::size_t receive(std::span<std::byte> target) {
    while (!has_ended_ && !is_late_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      is_late_ = left <= 0;
      pollfd waited{descriptor_, POLLIN, 0};
      if (is_late_ || ::poll(&waited, 1, static_cast<int>(left)) <= 0) continue;
      const ssize_t got = ::read(descriptor_, target.data(), target.size());
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) return static_cast<std::size_t>(got);
      has_ended_ = true;
    }
    return 0;
  }

  int descriptor_;
  Clock::time_point deadline_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(std::size_t{1} << 16);
  std::span<const std::byte> buffered_{};
  bool has_ended_ = false, is_late_ = false;
};

/// The tree, or the error, that the child sends, and nothing behind it.
Result<StoredGroup> interpret(PipeReader& reader, const std::string& where) {
  std::byte first{};
  if (!reader.fill(std::span(&first, 1))) return fail(Errc::corrupt, "the reader's answer is cut off", where);
  if (first == tree_follows) {
    TIEBREAK_TRY(tree, read_tree([&reader](std::span<std::byte> target) { return reader.fill(target); }, received_limit, where));
    if (!reader.rest(1).empty()) return fail(Errc::corrupt, "bytes are left over", where);
    return std::move(tree);
  }
  const std::vector<std::byte> received = reader.rest(std::size_t{1} << 20);
  if (received.empty()) return fail(Errc::corrupt, "the reader's answer is cut off", where);
  const std::string text(reinterpret_cast<const char*>(received.data()) + 1, received.size() - 1);
  const std::size_t middle = text.find('\0');
  return fail(static_cast<Errc>(received[0]), text.substr(0, middle), middle == std::string::npos ? where : text.substr(middle + 1));
}

}  // namespace

Result<StoredGroup> read_isolated(const Read& read, const std::string& where, double timeout_seconds) {
  timeout_seconds = std::clamp(timeout_seconds, 0.0, 1e6);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(Errc::io, std::string("no pipe: ") + std::strerror(errno), where);
  pid_t child = -1;
  {
    const Hdf5Lock lock;  // held across fork: the child needs a library that nobody is using
    child = ::fork();
    if (child == 0) read_in_child(read, lock, ends[1], timeout_seconds);
  }
  const int fork_error = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return fail(Errc::io, std::string("no child process: ") + std::strerror(fork_error), where);
  }
  PipeReader reader(ends[0], timeout_seconds);
  Result<StoredGroup> tree = interpret(reader, where);
  ::close(ends[0]);
  const bool has_ended = reader.has_ended();
  if (!has_ended) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (reader.is_late()) return fail(Errc::corrupt, "the file could not be read in time", where);
  if (has_ended && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    const std::string how = WIFSIGNALED(status) ? std::string(": ") + ::strsignal(WTERMSIG(status)) : std::string();
    return fail(Errc::corrupt, "the file crashes the HDF5 reader" + how, where);
  }
  return tree;
}

Result<StoredGroup> read_hdf5_isolated(std::span<const std::byte> image, const std::string& where, double timeout_seconds) {
  return read_isolated([&](const Hdf5Lock& lock) { return read_hdf5(image, where, lock); }, where, timeout_seconds);
}

}  // namespace tiebreak
