// SPDX-License-Identifier: Apache-2.0
#include "testsuite/exchange/compressed_text.hpp"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace tiebreak {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 10U;

struct Closer {
  void operator()(gzFile file) const { gzclose(file); }
};

}  // namespace

Result<std::string> read_compressed_text(const std::string& path, std::size_t most) {
  errno = 0;
  const std::unique_ptr<gzFile_s, Closer> file(gzopen(path.c_str(), "rb"));
  if (!file) return fail(Errc::io, std::string("cannot read file: ") + std::strerror(errno), path);
  std::string text;
  std::array<char, chunk_bytes> chunk{};
  while (true) {
    const int count = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
    if (count > 0 && gzdirect(file.get()) != 0) return fail(Errc::corrupt, "no gzip file", path, "without the ending .gz a file is read as it stands");
    int code = Z_OK;
    const char* reason = gzerror(file.get(), &code);
    if (count < 0 || code != Z_OK) {
      if (code == Z_ERRNO) return fail(Errc::io, std::string("cannot read file: ") + std::strerror(errno), path);
      return fail(Errc::corrupt, code == Z_BUF_ERROR ? "the compressed file is cut off" : std::string("the compressed file is damaged: ") + reason, path);
    }
    if (count == 0) return text;
    if (text.size() + static_cast<std::size_t>(count) > most)
      return fail(Errc::corrupt, "the compressed file holds more than " + std::to_string(most) + " bytes", path, "split it");
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace tiebreak
