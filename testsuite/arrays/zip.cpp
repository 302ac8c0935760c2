// SPDX-License-Identifier: Apache-2.0
// PKWARE's APPNOTE, 4.3: end record, directory, local headers. Sizes are believed of the directory alone, and only as far as the bytes are there.
#include "testsuite/arrays/zip.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

namespace tiebreak {
namespace {

constexpr std::size_t end_record_bytes = 22, directory_entry_bytes = 46, local_header_bytes = 30, longest_comment = 65535;
constexpr std::size_t most_inflated = std::size_t{2} << 30U;
constexpr std::size_t most_deflate_ratio = 1032;  // of zlib's format: a match of 258 bytes takes two bits at least
constexpr std::uint32_t end_mark = 0x06054b50, entry_mark = 0x02014b50, local_mark = 0x04034b50, beyond_32_bits = 0xffffffff;

class ZipBytes {
 public:
  ZipBytes(std::span<const std::byte> bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  Result<std::vector<ZipMember>> read() const {
    std::size_t end = bytes_.size() + 1;
    for (std::size_t tail = end_record_bytes; tail <= std::min(bytes_.size(), end_record_bytes + longest_comment); ++tail)
      if (number(bytes_.size() - tail, 4) == end_mark) {
        end = bytes_.size() - tail;
        break;
      }
    if (end > bytes_.size()) return fail(Errc::corrupt, "this is no .npz file, or it is cut off", where_);
    const std::size_t count = number(end + 10, 2);
    std::size_t at = number(end + 16, 4), total = 0;
    std::vector<ZipMember> members;
    for (std::size_t i = 0; i < count; ++i) {
      if (!has(at, directory_entry_bytes) || number(at, 4) != entry_mark) return damaged("its directory");
      const std::size_t name_length = number(at + 28, 2);
      if (!has(at + directory_entry_bytes, name_length)) return damaged("its directory");
      const std::string name(reinterpret_cast<const char*>(bytes_.data()) + at + directory_entry_bytes, name_length);
      total += number(at + 24, 4);
      if (total > most_inflated) return fail(Errc::limit, "the archive holds more than 2 GiB", where_);
      TIEBREAK_TRY(content, content_of(at, name));
      members.push_back({name, std::move(content)});
      at += directory_entry_bytes + name_length + number(at + 30, 2) + number(at + 32, 2);
    }
    return members;
  }

 private:
  bool has(std::size_t at, std::size_t count) const { return at <= bytes_.size() && count <= bytes_.size() - at; }
  std::uint32_t number(std::size_t at, std::size_t width) const {
    std::uint32_t value = 0;
    for (std::size_t i = width; i > 0; --i) value = value << 8U | std::to_integer<std::uint32_t>(bytes_[at + i - 1]);
    return value;
  }
  tl::unexpected<Error> damaged(const std::string& what) const { return fail(Errc::corrupt, "the archive is damaged: " + what, where_); }

  Result<std::vector<std::byte>> content_of(std::size_t entry, const std::string& name) const {
    const std::uint32_t flags = number(entry + 8, 2), method = number(entry + 10, 2), checksum = number(entry + 16, 4);
    const std::size_t packed = number(entry + 20, 4), size = number(entry + 24, 4), local = number(entry + 42, 4);
    const std::string place = where_ + ":" + name;
    if ((flags & 1U) != 0) return fail(Errc::unsupported, "the member is encrypted", place);
    if (packed == beyond_32_bits || size == beyond_32_bits || local == beyond_32_bits) return fail(Errc::unsupported, "a member of 4 GiB or more", place);
    if (method != 0 && method != Z_DEFLATED) return fail(Errc::unsupported, "the member is compressed by method " + std::to_string(method), place);
    if (!has(local, local_header_bytes) || number(local, 4) != local_mark) return damaged("member " + name);
    const std::size_t start = local + local_header_bytes + number(local + 26, 2) + number(local + 28, 2);
    if (!has(start, packed) || (method == 0 ? packed != size : size > packed * most_deflate_ratio + local_header_bytes)) return damaged("member " + name);
    std::vector<std::byte> content(size);
    if (method == 0) std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(start), size, content.begin());
    else if (!inflate_into(bytes_.subspan(start, packed), content)) return damaged("member " + name);
    if (crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()) != checksum) return damaged("the checksum of " + name);
    return content;
  }

  static bool inflate_into(std::span<const std::byte> packed, std::vector<std::byte>& content) {
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;  // negative: without zlib's own header
    std::byte nothing{};
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));  // NOLINT: zlib does not write there
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.empty() ? &nothing : content.data());
    stream.avail_out = static_cast<uInt>(content.empty() ? 1 : content.size());
    const int code = inflate(&stream, Z_FINISH);
    const bool is_whole = code == Z_STREAM_END && stream.total_out == content.size();
    inflateEnd(&stream);
    return is_whole;
  }

  std::span<const std::byte> bytes_;
  const std::string& where_;
};

}  // namespace

Result<std::vector<ZipMember>> read_zip(std::span<const std::byte> bytes, const std::string& where) { return ZipBytes(bytes, where).read(); }

}  // namespace tiebreak
