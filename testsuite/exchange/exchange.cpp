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

Result<std::vector<std::byte>> exchange_image(const ExchangeFile& file) {
  TIEBREAK_TRY(tree, encode_file(file));
  // How much room the table wants is known once the file is made; most files fit the least user block, others are made twice.
  std::size_t user_block = user_block_bytes(0);
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

Result<ExchangeFile> parse_exchange_image(std::span<const std::byte> image, const std::string& where, Trust trust, double timeout_seconds) {
  const FileForm form = file_form(image);
  if (form == FileForm::foreign) {
    return fail(Errc::corrupt, image.empty() ? "the file is empty" : "neither a Tiebreak file nor HDF5: the first bytes are foreign or damaged", where);
  }
  const bool has_crcs = form == FileForm::with_crcs;
  if (has_crcs) TIEBREAK_CHECK(check_crcs(image, where));
  TIEBREAK_TRY(tree, has_crcs && trust == Trust::crcs ? read_hdf5(image, where, Hdf5Lock()) : read_hdf5_isolated(image, where, timeout_seconds));
  TIEBREAK_TRY(file, decode_file(std::move(tree), where));
  if (file.kind == "golden" && !has_crcs) return fail(Errc::corrupt, "a golden file without its CRC table: not written by Tiebreak", where);
  return std::move(file);
}

Status write_exchange(const ExchangeFile& file, const std::string& path) {
  TIEBREAK_TRY(image, exchange_image(file));
  return replace_file(path, image);
}

Result<ExchangeFile> read_exchange(const std::string& path) {
  TIEBREAK_TRY(image, read_whole_file(path));
  return parse_exchange_image(image, path, Trust::crcs);
}

Result<ExchangeFile> read_exchange_isolated(const std::string& path, double timeout_seconds) {
  TIEBREAK_TRY(image, read_whole_file(path));
  return parse_exchange_image(image, path, Trust::none, timeout_seconds);
}

}  // namespace tiebreak
