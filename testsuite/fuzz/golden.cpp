// SPDX-License-Identifier: Apache-2.0
// Exchange files from anywhere, and what is inside them: an input goes to the layer that it looks like. Files to the whole reader, `{` to
// the text of attributes, everything else to the plain form in which the reading child answers.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "testsuite/exchange/attribute_text.hpp"
#include "testsuite/exchange/crc_table.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/exchange/tree_bytes.hpp"

namespace {

using namespace tiebreak;

/// What was read can be written, and then reads back.
void check_round_trip(const Result<ExchangeFile>& file) {
  if (!file) return;
  const auto tree = encode_file(*file);
  if (tree && !decode_file(*tree, "again")) std::abort();
}

void check_text(const std::string& text) {
  const auto attributes = parse_attribute_map(text, {}, "fuzz");
  if (!attributes) return;
  StoredTensors stored;
  const auto printed = attribute_map_text(*attributes, stored);
  if (printed && !parse_attribute_map(*printed, stored, "again")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (file_form(bytes) != FileForm::foreign) {
    check_round_trip(parse_exchange_image(bytes, "fuzz", Trust::crcs, 10));
  } else if (text.starts_with("{")) {
    check_text(text);
  } else if (auto tree = parse_tree(bytes, "fuzz")) {
    check_round_trip(decode_file(std::move(*tree), "fuzz"));
  }
  return 0;
}
