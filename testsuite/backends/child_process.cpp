// SPDX-License-Identifier: Apache-2.0
// fork and exec by hand: between the two, a process of several threads may call little more than system calls, so everything that
// allocates is prepared before.
#include "testsuite/backends/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>

#include "testsuite/backends/adapter_search.hpp"

extern char** environ;

namespace tiebreak {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t output_limit = std::size_t{1} << 20;
constexpr std::size_t tail_limit = 4096;
constexpr rlim_t file_limit = rlim_t{4} << 30;          // of any file it writes, so that it cannot fill the disk
constexpr auto grace = std::chrono::milliseconds(500);  // between SIGTERM and SIGKILL
constexpr int tick_milliseconds = 20;                   // how often time and interruption are looked at

/// The environment of an adapter: the caller's, one thread, no telemetry, temporary files in a folder that is removed, and the module for Python.
std::vector<std::string> adapter_environment(const std::string& folder) {
  std::map<std::string, std::string> entries;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string text = *entry;
    entries[text.substr(0, text.find('='))] = text;
  }
  for (const std::string& text : {std::string("ORT_DISABLE_TELEMETRY=1"), std::string("OMP_NUM_THREADS=1"), "TMPDIR=" + folder}) {
    entries[text.substr(0, text.find('='))] = text;
  }
  if (const std::string module = python_module_folder(); !module.empty()) {
    std::string& path = entries["PYTHONPATH"];
    path = (path.empty() || path == "PYTHONPATH=" ? "PYTHONPATH=" : path + ":") + module;
  }
  std::vector<std::string> environment;
  for (auto& [name, text] : entries) environment.push_back(std::move(text));
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) read_end = ends[0], write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

struct Plan {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::uint64_t memory_limit_mib = 0;
  pid_t parent = 0;
  const char* input = "/dev/null";
};

/// In the child. Only what is safe after fork in a process of several threads.
[[noreturn]] void become(const Plan& plan, int output, int error, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it does not outlive us, however we end
  if (::getppid() != plan.parent) ::_exit(127);
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = ::open(plan.input, O_RDONLY);
  if (input != STDIN_FILENO) ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  if (input > STDERR_FILENO) ::close(input);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlimit files{file_limit, file_limit};
  ::setrlimit(RLIMIT_FSIZE, &files);
  if (plan.memory_limit_mib > 0) {
    const rlim_t bytes = plan.memory_limit_mib << 20;
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  ::execve(plan.arguments[0], plan.arguments.data(), plan.environment.data());
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = ::write(failure, &reason, sizeof reason);
  ::_exit(127);
}

/// The reason why exec failed, 0 if it did not.
int exec_failure(int failure_pipe) {
  int reason = 0;
  ssize_t got = 0;
  do {
    got = ::read(failure_pipe, &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == sizeof reason ? reason : 0;
}

/// One process group: watched, told to end, made to end, reaped.
class Watch {
 public:
  Watch(pid_t child, Pipe& output, Pipe& error, const ChildOptions& options) : child_(child), output_(output), error_(error), options_(options) {}

  ChildOutcome until_end() {
    const auto limit = std::chrono::duration<double>(std::clamp(options_.timeout_seconds, 0.0, 1e8));
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
    ChildOutcome outcome;
    while (!has_ended()) {
      if (options_.interrupted && options_.interrupted()) {
        outcome.kind = ChildOutcome::Kind::interrupted;
      } else if (Clock::now() >= deadline) {
        outcome.kind = ChildOutcome::Kind::timed_out;
      } else {
        collect(tick_milliseconds, outcome);
        continue;
      }
      terminate(outcome);
      break;
    }
    ::kill(-child_, SIGKILL);  // what it started; it is not reaped yet, so the number is still its own
    reap(outcome);
    drain(outcome);
    return outcome;
  }

 private:
  /// Without reaping: the process number stays taken.
  bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child_;
  }

  void terminate(ChildOutcome& outcome) {
    ::kill(-child_, SIGTERM);
    const auto patience = Clock::now() + grace;
    while (!has_ended() && Clock::now() < patience) collect(tick_milliseconds, outcome);
    ::kill(-child_, SIGKILL);
  }

  void reap(ChildOutcome& outcome) const {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    if (outcome.kind != ChildOutcome::Kind::exited) return;
    if (WIFSIGNALED(status)) {
      outcome.kind = ChildOutcome::Kind::signalled;
      outcome.number = WTERMSIG(status);
    } else {
      outcome.number = WEXITSTATUS(status);
    }
  }

  /// Reads what has come, waiting at most so long for anything.
  bool collect(int milliseconds, ChildOutcome& outcome) {
    std::array<pollfd, 2> waited{{{output_.read_end, POLLIN, 0}, {error_.read_end, POLLIN, 0}}};
    const bool is_open = output_.read_end >= 0 || error_.read_end >= 0;
    // Once both pipes are closed the end is near: look for it often.
    const int ready = ::poll(waited.data(), waited.size(), is_open ? milliseconds : std::min(milliseconds, 1));
    if (ready <= 0) return false;
    if (waited[0].revents != 0) take(output_.read_end, outcome.standard_output, false);
    if (waited[1].revents != 0) take(error_.read_end, outcome.error_tail, true);
    return true;
  }

  static void take(int& descriptor, std::string& target, bool keep_tail) {
    std::array<char, 65536> chunk{};
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) return Pipe::close_end(descriptor);
    target.append(chunk.data(), static_cast<std::size_t>(got));
    if (keep_tail && target.size() > tail_limit) target.erase(0, target.size() - tail_limit);
    if (!keep_tail && target.size() > output_limit) target.resize(output_limit);
  }

  /// What still lies in the pipes. Something that left the process group may hold them open: no waiting for it.
  void drain(ChildOutcome& outcome) {
    for (int reads = 0; reads < 64 && (output_.read_end >= 0 || error_.read_end >= 0); ++reads) {
      if (!collect(0, outcome)) return;
    }
  }

  pid_t child_;
  Pipe& output_;
  Pipe& error_;
  const ChildOptions& options_;
};

std::string signal_name(int number) {
  const char* abbreviation = ::sigabbrev_np(number);
  return abbreviation ? std::string("SIG") + abbreviation : "signal " + std::to_string(number);
}

}  // namespace

Result<ChildOutcome> run_child(const std::vector<std::string>& command, const std::string& folder, const ChildOptions& options) {
  if (command.empty()) return fail(Errc::internal, "no command");
  std::vector<std::string> arguments = command;
  std::vector<std::string> environment = adapter_environment(folder);
  const Plan plan{pointers(arguments), pointers(environment), options.memory_limit_mib, ::getpid(),
                  options.input_file.empty() ? "/dev/null" : options.input_file.c_str()};
  Pipe output;
  Pipe error;
  Pipe failure;
  if (output.read_end < 0 || error.read_end < 0 || failure.read_end < 0) {
    return fail(Errc::backend, std::string("cannot start the adapter: ") + std::strerror(errno), command.front());
  }
  const pid_t child = ::fork();
  if (child == 0) become(plan, output.write_end, error.write_end, failure.write_end);
  if (child < 0) return fail(Errc::backend, std::string("cannot start the adapter: ") + std::strerror(errno), command.front());
  ::setpgid(child, child);  // in both processes, so that it is done whoever comes first
  for (Pipe* pipe : {&output, &error, &failure}) Pipe::close_end(pipe->write_end);
  const int reason = exec_failure(failure.read_end);
  const ChildOutcome outcome = Watch(child, output, error, options).until_end();
  if (reason == 0) return outcome;
  return fail(Errc::backend, std::string("cannot start the adapter: ") + std::strerror(reason), command.front());
}

std::string to_text(const ChildOutcome& outcome, double timeout_seconds) {
  std::string text;
  switch (outcome.kind) {
    case ChildOutcome::Kind::exited: text = "exited with status " + std::to_string(outcome.number); break;
    case ChildOutcome::Kind::signalled: text = "crashed with " + signal_name(outcome.number); break;
    case ChildOutcome::Kind::interrupted: text = "interrupted"; break;
    case ChildOutcome::Kind::timed_out: {
      std::string seconds = std::to_string(timeout_seconds);
      seconds.erase(seconds.find_last_not_of('0') + 1);
      if (seconds.back() == '.') seconds.pop_back();
      text = "no answer after " + seconds + " s";
    }
  }
  return text;
}

}  // namespace tiebreak
