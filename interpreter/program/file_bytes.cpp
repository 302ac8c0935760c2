// SPDX-License-Identifier: Apache-2.0
#include "interpreter/program/file_bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace tiebreak {

Result<std::vector<std::byte>> file_bytes(const std::string& path) {
  constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  if (code) return fail(Errc::io, "cannot read the file: " + code.message(), path);
  if (size >= most_bytes) return fail(Errc::limit, "a file of 2 GiB or more", path);
  std::ifstream stream(path, std::ios::binary);
  std::vector<std::byte> bytes(size);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!stream) return fail(Errc::io, "cannot read the file", path);
  return bytes;
}

}  // namespace tiebreak
