// SPDX-License-Identifier: Apache-2.0
// The terminal: results on standard output, everything else on standard error. Colour and progress only where a person looks.
#pragma once
#include <string>

#include "interpreter/error.hpp"

namespace tiebreak::command {

/// Writes to standard output; a full disk or a closed pipe is Errc::io.
Status print(const std::string& text);
/// `tiebreak: what (where)` and the hint, on standard error.
void print_error(const Error& error);
void print_note(const std::string& text);  ///< as a line, or as lines that end themselves

/// `auto`: a terminal, NO_COLOR unset or empty, TERM not dumb; CLICOLOR_FORCE turns it on. `always`, `never`.
Result<bool> use_colour(const std::string& mode);

/// Columns of the terminal that standard output is; 120 where it is none.
std::size_t output_width();

/// One line on standard error that is written over; nothing at all unless it is a terminal.
class Progress {
 public:
  Progress(std::string verb, bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void operator()(std::size_t done, std::size_t total);
  /// Writes this over the line; what the terminal has no columns for is left out.
  void show(const std::string& line);
  void clear();
  bool is_shown() const { return enabled_; }

 private:
  std::string verb_;
  bool enabled_;
  std::size_t shown_ = 0;
};

}  // namespace tiebreak::command
