// SPDX-License-Identifier: Apache-2.0
// Result files appear whole or not at all: written beside their final name, flushed, renamed.
#pragma once
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

/// Files that results will go to, opened before there are any: what cannot be written is known before a long computation, and one that ends early leaves
/// the old files as they were.
class OutputFiles {
 public:
  /// "" (no file is wanted) and "-" (standard output) are left out. Errc::io for a path that cannot be written, Errc::usage for one that is named twice.
  static Result<OutputFiles> open(const std::vector<std::string>& paths);

  OutputFiles(OutputFiles&&) noexcept = default;
  OutputFiles& operator=(OutputFiles&&) = delete;
  /// Removes what was opened and not written.
  ~OutputFiles();

  /// Gives the file its content and its name; nothing for a path that was left out. A full disk is Errc::io with the system's reason.
  Status write(const std::string& path, const std::string& content);

 private:
  struct Opened {
    std::string path, temporary;  ///< no temporary: a pipe or a device, which is written directly
    int descriptor = -1;
  };
  OutputFiles() = default;
  static Result<Opened> open_one(const std::string& path);
  std::vector<Opened> files_{};
};

/// Opened, written and closed at once.
Status write_file(const std::string& path, const std::string& content);
/// The same for text on a descriptor that is open already (1: standard output).
Status write_descriptor(int descriptor, const std::string& content, const std::string& name);

/// Makes the folder where it is missing. Errc::io where that is impossible, or where nothing may be written into it.
Status make_output_folder(const std::string& folder);

}  // namespace tiebreak
