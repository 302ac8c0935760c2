// SPDX-License-Identifier: Apache-2.0
// Damaged files are found, and their damage is placed.
#include <gtest/gtest.h>

#include <cstring>

#include "testsuite/exchange/crc_table.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/golden.hpp"
#include "testsuite/exchange/hdf5_file.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/exchange/whole_file.hpp"
#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak {
namespace {

using Image = std::vector<std::byte>;

Image small_image() { return *exchange_image(sample::small_golden()); }

TEST(CrcTable, Crc32OfTheUsualText) {
  EXPECT_EQ(crc32(std::as_bytes(std::span("123456789", 9))), 0xCBF43926U);
  EXPECT_EQ(crc32({}), 0U);
}

TEST(CrcTable, UserBlockGrowsWithTheFile) {
  EXPECT_EQ(user_block_bytes(1), 512U);
  EXPECT_EQ(user_block_bytes(120 * 4096), 512U);
  EXPECT_EQ(user_block_bytes(120 * 4096 + 1), 1024U);
  for (std::size_t size : {0U, 4095U, 4096U, 4097U, 600'000U}) {
    const std::size_t user_block = user_block_bytes(size);
    Image file(user_block + size, std::byte{0x5a});
    write_user_block(file, user_block);
    EXPECT_TRUE(check_crcs(file, "file")) << size;
    if (size == 0) continue;
    file.back() ^= std::byte{1};
    EXPECT_FALSE(check_crcs(file, "file")) << size;
  }
}

/// Exhaustive: every bit of a whole golden file, one at a time.
TEST(Damage, EveryFlippedBitIsFound) {
  Image image = small_image();
  std::size_t missed = 0;
  for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
    const auto mask = static_cast<std::byte>(1U << (bit % 8));
    image[bit / 8] ^= mask;
    const bool is_found = file_form(image) != FileForm::with_crcs || !check_crcs(image, "image");
    if (!is_found) ++missed;
    image[bit / 8] ^= mask;
  }
  EXPECT_EQ(missed, 0U) << "of " << image.size() * 8;
  EXPECT_GT(image.size(), 4096U);  // more than one block
  EXPECT_TRUE(check_crcs(image, "image"));
}

TEST(Damage, FlipsAreErrorsOfTheReader) {
  Image image = small_image();
  for (std::size_t bit = 0; bit < image.size() * 8; bit += 211) {
    const auto mask = static_cast<std::byte>(1U << (bit % 8));
    image[bit / 8] ^= mask;
    const auto read = parse_exchange_image(image, "image", Trust::crcs);
    ASSERT_FALSE(read) << bit;
    EXPECT_EQ(read.error().code, Errc::corrupt);
    image[bit / 8] ^= mask;
  }
}

TEST(Damage, TruncatedAndExtended) {
  const Image image = small_image();
  for (std::size_t size = 0; size < image.size(); size += 97) {
    const auto read = parse_exchange_image(std::span(image).first(size), "cut.h5", Trust::crcs);
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().code, Errc::corrupt);
    if (size < 512) continue;
    EXPECT_EQ(read.error().what, "truncated or extended: the file is " + std::to_string(size) + " bytes, " + std::to_string(image.size()) + " were written");
  }
  Image longer = image;
  longer.push_back({});
  EXPECT_FALSE(parse_exchange_image(longer, "long.h5", Trust::crcs));
}

TEST(Damage, IsPlaced) {
  const sample::Folder folder;
  const std::string path = folder.file("golden.h5");
  Image image = small_image();
  // Four bytes of x in the second case: 7.0f stands nowhere else.
  const float seven = 7;
  std::size_t at = 0;
  while (std::memcmp(image.data() + at, &seven, sizeof seven) != 0) ++at;
  image[at] ^= std::byte{0x10};
  ASSERT_TRUE(replace_file(path, image));
  const Status status = verify_golden(path);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where, path + ":/cases/onnx.QuantizeLinear/ties/1");
  const std::size_t block = 512 + (at - 512) / 4096 * 4096;
  EXPECT_NE(status.error().what.find("byte range " + std::to_string(block) + ".."), std::string::npos) << status.error().what;

  image = small_image();
  std::memset(image.data() + 512, 0x5a, 64);  // HDF5's own superblock
  ASSERT_TRUE(replace_file(path, image));
  const Status superblock = verify_golden(path);
  ASSERT_FALSE(superblock);
  EXPECT_EQ(superblock.error().where, path);
  EXPECT_NE(superblock.error().hint.find("HDF5's own structures"), std::string::npos) << superblock.error().hint;
}

/// A golden file of the format before: no checksum of it is compared, and its CRC-32 still cover every byte.
TEST(Damage, EarlierFormatIsReadAndItsDamageFound) {
  const sample::Folder folder;
  StoredGroup tree = *encode_file(sample::small_golden());
  tree.attributes["format"] = StoredArray::text(earlier_exchange_format);
  tree.attributes["checksum"] = StoredArray::text("0123456789abcdef");
  const std::vector<FoundCase> cases = *find_cases(tree, "tree");
  for (const FoundCase& one : cases) one.group->attributes["checksum"] = StoredArray::text("0123456789abcdef");
  Image image = *write_hdf5(tree, 512, Hdf5Lock());
  write_user_block(image, 512);
  ASSERT_TRUE(replace_file(folder.file("earlier.h5"), image));
  const Status whole = verify_golden(folder.file("earlier.h5"));
  EXPECT_TRUE(whole) << to_text(whole.error());
  const float seven = 7;
  std::size_t at = 0;
  while (std::memcmp(image.data() + at, &seven, sizeof seven) != 0) ++at;
  image[at] ^= std::byte{0x10};
  ASSERT_TRUE(replace_file(folder.file("earlier.h5"), image));
  const Status damaged = verify_golden(folder.file("earlier.h5"));
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().where, folder.file("earlier.h5"));
  EXPECT_EQ(damaged.error().hint, "which case is damaged cannot be told in a file of format tiebreak.exchange/1");
}

TEST(Damage, WholeFilesVerify) {
  const sample::Folder folder;
  ASSERT_TRUE(write_exchange(sample::full_golden(), folder.file("golden.h5")));
  const Status status = verify_golden(folder.file("golden.h5"));
  EXPECT_TRUE(status) << to_text(status.error());
  const auto summary = summarize_golden(folder.file("golden.h5"));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->cases, 3U);
  EXPECT_EQ(summary->ops.at("onnx.QuantizeLinear"), 2U);
  EXPECT_EQ(summary->elements, 4 + 1 + 1);
  EXPECT_EQ(summary->undefined, 2);
  EXPECT_EQ(summary->context.at("seed"), "1");
  EXPECT_EQ(summary->checksum.size(), 64U);
}

TEST(Damage, OtherFilesAreRefused) {
  const sample::Folder folder;
  const auto code = [&](const std::string& name) {
    const Status status = verify_golden(folder.file(name));
    return status ? Errc::internal : status.error().code;
  };
  sample::write_text(folder.file("text"), "not HDF5 at all, but long enough to hold a signature somewhere");
  sample::write_text(folder.file("empty"), "");
  ExchangeFile request = sample::small_golden();
  request.kind = "request";
  ASSERT_TRUE(write_exchange(request, folder.file("request")));
  EXPECT_EQ(code("text"), Errc::corrupt);
  EXPECT_EQ(code("empty"), Errc::corrupt);
  EXPECT_EQ(code("request"), Errc::corrupt);
  EXPECT_EQ(code("absent"), Errc::io);
  EXPECT_EQ(code("."), Errc::io);
}

TEST(Difference, NamesPartElementAndBytes) {
  const sample::Folder folder;
  ExchangeFile file = sample::full_golden();
  ASSERT_TRUE(write_exchange(file, folder.file("a.h5")));
  ASSERT_TRUE(write_exchange(file, folder.file("same.h5")));
  file.context["seed"] = "2";
  file.cases[0].outputs[0].tensor.set_code(2, 6);
  file.cases[0].outputs[0].before[1].second = 1e-30;
  file.cases[2].attributes["axis"] = {Real(0)};
  file.cases[1].id = "onnx.QuantizeLinear/ties/3";
  ASSERT_TRUE(write_exchange(file, folder.file("b.h5")));
  const auto same = diff_golden(folder.file("a.h5"), folder.file("same.h5"));
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->empty());
  const auto found = diff_golden(folder.file("a.h5"), folder.file("b.h5"));
  ASSERT_TRUE(found);
  std::string text;
  for (const StoredDifference& difference : *found) text += to_text(difference) + "\n";
  EXPECT_EQ(text,
            "context seed: 1 and 2\n"
            "onnx.QuantizeLinear/ties/2 outputs/y[2]: 0x05 (5) and 0x06 (6), first bytes 2..2\n"
            "onnx.QuantizeLinear/ties/2 before/y[1]: 0x1.8p+0 + 0x0p+0 and 0x1.8p+0 + 0x1.4484bfeebc2ap-100, first bytes 16..31\n"
            "onnx.QuantizeLinear/ties/1 case: present and absent\n"
            "types/all attribute axis: -1 and 0\n"
            "onnx.QuantizeLinear/ties/3 case: absent and present\n");
}

}  // namespace
}  // namespace tiebreak
