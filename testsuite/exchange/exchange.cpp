// SPDX-License-Identifier: Apache-2.0
// From cases to a file and back: the layers of this room in their order.
#include "testsuite/exchange/exchange.hpp"

#include "testsuite/exchange/crc_table.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/hdf5_file.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/exchange/read_in_child.hpp"
#include "testsuite/exchange/whole_file.hpp"

namespace tiebreak {

namespace {

Result<std::vector<std::byte>> image_of(const StoredGroup& tree) {
  // How much room the table wants is known once the file is made. It has more bytes than its data: few files are made twice.
  std::size_t user_block = user_block_bytes(stored_bytes(tree));
  for (;;) {
    TIEBREAK_TRY(image, write_hdf5(tree, user_block, Hdf5Lock()));
    const std::size_t wanted = user_block_bytes(image.size() - user_block);
    if (wanted <= user_block) {
      write_user_block(image, user_block);
      return std::move(image);
    }
    user_block = wanted;
  }
}

}  // namespace

Result<std::vector<std::byte>> exchange_image(const ExchangeFile& file) {
  TIEBREAK_TRY(tree, encode_file(file));
  return image_of(tree);
}

namespace {

/// Whether the file has a CRC table, by which it is whole then.
Result<bool> has_crcs(std::span<const std::byte> image, const std::string& where) {
  const FileForm form = file_form(image);
  if (form == FileForm::foreign) {
    return fail(Errc::corrupt, image.empty() ? "the file is empty" : "neither a Tiebreak file nor HDF5: the first bytes are foreign or damaged", where);
  }
  if (form == FileForm::with_crcs) TIEBREAK_CHECK(check_crcs(image, where));
  return form == FileForm::with_crcs;
}

}  // namespace

Result<ExchangeFile> parse_exchange_image(std::span<const std::byte> image, const std::string& where, Trust trust, double timeout_seconds) {
  TIEBREAK_TRY(whole, has_crcs(image, where));
  TIEBREAK_TRY(tree, whole && trust == Trust::crcs ? read_hdf5(image, where, Hdf5Lock()) : read_hdf5_isolated(image, where, timeout_seconds));
  TIEBREAK_TRY(file, decode_file(std::move(tree), where));
  if (file.kind == "golden" && !whole) return fail(Errc::corrupt, "a golden file without its CRC table: not written by Tiebreak", where);
  return std::move(file);
}

Status write_exchange(const ExchangeFile& file, const std::string& path, Durability durability) {
  TIEBREAK_TRY(image, exchange_image(file));
  return replace_file(path, image, durability);
}

Status write_request(const std::vector<ExchangeCase>& cases, const std::string& path) {
  ExchangeFile frame;
  frame.kind = "request";
  std::vector<std::byte> image;
  {
    TIEBREAK_TRY(tree, encode_file(frame, cases));
    TIEBREAK_TRY(made, image_of(tree));
    image = std::move(made);
  }
  return replace_file(path, image, Durability::at_hand);
}

Result<ExchangeFile> read_exchange(const std::string& path) {
  TIEBREAK_TRY(image, read_whole_file(path));
  return parse_exchange_image(image, path, Trust::crcs);
}

/// The child opens the file, so that this process never holds its bytes.
Result<ExchangeFile> read_exchange_isolated(const std::string& path, double timeout_seconds) {
  const auto read = [&path](const Hdf5Lock& lock) -> Result<StoredGroup> {
    TIEBREAK_TRY(mapped, MappedFile::open(path));
    TIEBREAK_TRY(whole, has_crcs(mapped.bytes(), path));
    TIEBREAK_TRY(tree, read_hdf5(mapped.bytes(), path, lock));
    const auto kind = tree.attributes.find("kind");
    if (!whole && kind != tree.attributes.end() && kind->second.as_text() == "golden")
      return fail(Errc::corrupt, "a golden file without its CRC table: not written by Tiebreak", path);
    return std::move(tree);
  };
  TIEBREAK_TRY(tree, read_isolated(read, path, timeout_seconds));
  return decode_file(std::move(tree), path);
}

}  // namespace tiebreak
