// SPDX-License-Identifier: Apache-2.0
// For readers that take a path: the input as a file that goes with the process.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tiebreak {

class InputFile {
 public:
  /// `name` has the extension that the reader looks at.
  explicit InputFile(const std::string& name) {
    std::string folder = (std::filesystem::temp_directory_path() / "tiebreak-fuzz-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) std::abort();
    folder_ = folder;
    path_ = (folder_ / name).string();
  }
  ~InputFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& holding(const std::uint8_t* data, std::size_t size) {
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    if (!stream.flush()) std::abort();
    return path_;
  }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace tiebreak
