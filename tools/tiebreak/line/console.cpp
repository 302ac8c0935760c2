// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "testsuite/text/output_file.hpp"

namespace tiebreak::command {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::size_t columns_of(int descriptor) {
  constexpr std::size_t otherwise = 120;
  winsize size{};
  const bool known = ::isatty(descriptor) == 1 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : otherwise;
}

}  // namespace

Status print(const std::string& text) { return write_descriptor(STDOUT_FILENO, text, "standard output"); }

// What cannot be said on standard error cannot be said at all.
void print_note(const std::string& text) { (void)write_descriptor(STDERR_FILENO, text.ends_with('\n') ? text : text + "\n", "standard error"); }

void print_error(const Error& error) {
  print_note("tiebreak: " + to_text(error));
  if (error.code == Errc::internal) print_note("  this is a defect of tiebreak: please report it with the command and its input");
}

Result<bool> use_colour(const std::string& mode) {
  if (mode == "always") return true;
  if (mode == "never") return false;
  if (mode != "auto") {
    std::string near = nearest(mode, std::vector<std::string>{"auto", "always", "never"});
    return fail(Errc::usage, "unknown colour mode '" + mode + "'", "--color", near.empty() ? "one of auto always never" : "did you mean '" + near + "'?");
  }
  if (is_set("NO_COLOR")) return false;
  if (is_set("CLICOLOR_FORCE")) return true;
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && terminal != nullptr && std::string(terminal) != "dumb";
}

std::size_t output_width() { return columns_of(STDOUT_FILENO); }

Progress::Progress(std::string verb, bool enabled) : verb_(std::move(verb)), enabled_(enabled && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (enabled_ && shown_ > 0) (void)write_descriptor(STDERR_FILENO, "\r" + std::string(shown_, ' ') + "\r", "standard error");
  shown_ = 0;
}

void Progress::operator()(std::size_t done, std::size_t total) {
  if (enabled_) show(verb_ + " " + std::to_string(done) + " of " + std::to_string(total));
}

void Progress::show(const std::string& text) {
  if (!enabled_) return;
  const std::string line = text.substr(0, columns_of(STDERR_FILENO) - 1);  // the cursor needs one, too
  std::string padding(shown_ > line.size() ? shown_ - line.size() : 0, ' ');
  shown_ = line.size();
  (void)write_descriptor(STDERR_FILENO, "\r" + line + padding, "standard error");
}

}  // namespace tiebreak::command
