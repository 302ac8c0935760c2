// SPDX-License-Identifier: Apache-2.0
// Feeds every file of a corpus folder, and a few inputs made from each, to a fuzzer: any compiler can run it, so CI needs no libFuzzer.
// It proves that known inputs are survived; it searches for nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;
namespace fs = std::filesystem;

/// Regular files below `folder`, in the order of their names on every machine.
std::vector<fs::path> corpus_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file(error)) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Bytes read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

/// The copy on the heap has no byte to spare, so that a sanitizer sees a read past the end. As with libFuzzer, no bytes are not no address.
void feed(const Bytes& bytes) {
  const std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  LLVMFuzzerTestOneInput(copy.get(), bytes.size());
}

/// Damage that real files suffer: cut off at an eighth, two eighths ..., one bit flipped at the same places.
std::size_t feed_damaged(const Bytes& bytes) {
  std::size_t runs = 0;
  for (std::size_t eighth = 0; eighth < 8 && !bytes.empty(); ++eighth) {
    const std::size_t place = bytes.size() * eighth / 8;
    feed(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(place)));
    Bytes flipped(bytes);
    flipped[place] ^= static_cast<std::uint8_t>(1U << eighth);
    feed(flipped);
    runs += 2;
  }
  return runs;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
    return 2;
  }
  const std::vector<fs::path> files = corpus_files(argv[1]);
  if (files.empty()) {
    std::fprintf(stderr, "no files below %s: a fuzzer without a corpus proves nothing\n", argv[1]);
    return 1;
  }
  std::size_t runs = 0;
  for (const fs::path& file : files) {
    std::fprintf(stderr, "%s\n", file.filename().c_str());  // the last name printed is the one that crashed
    const Bytes bytes = read(file);
    feed(bytes);
    runs += 1 + feed_damaged(bytes);
  }
  std::printf("%zu files, %zu inputs\n", files.size(), runs);
  return 0;
}
