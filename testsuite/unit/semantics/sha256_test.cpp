// SPDX-License-Identifier: Apache-2.0
// The published vectors of SHA-256, and every length around the block boundaries against the same bytes in one piece.
#include "interpreter/sha256.hpp"

#include <gtest/gtest.h>

#include <set>

#include "interpreter/sha256_blocks.hpp"

namespace tiebreak {
namespace {

TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, BytesAndTextAgree) {
  const std::string text("\0\xff z", 4);
  EXPECT_EQ(sha256_hex(std::as_bytes(std::span(text.data(), text.size()))), sha256_hex(text));
}

TEST(Sha256, LengthsAroundTheBlockDiffer) {
  std::set<std::string> seen;
  for (std::size_t length = 0; length < 200; ++length) seen.insert(sha256_hex(std::string(length, 'a')));
  EXPECT_EQ(seen.size(), 200u);
}

TEST(Sha256, PiecesOfAnyLengthGiveTheSame) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (std::size_t piece : {1U, 3U, 55U, 63U, 64U, 65U, 129U, 299U}) {
    Sha256 digest;
    for (std::size_t begin = 0; begin < text.size(); begin += piece) digest.add(std::string_view(text).substr(begin, piece));
    EXPECT_EQ(digest.hex(), sha256_hex(text)) << piece;
  }
}

TEST(Sha256, NumberIsTheFirstEightBytes) { EXPECT_EQ(hash_number("abc"), 0xba7816bf8f01cfeaU); }

TEST(Sha256, TheProcessorsInstructionsAndThePlainWayAgree) {
  std::vector<std::byte> blocks(64 * 9);
  std::uint32_t seed = 1;
  for (std::byte& byte : blocks) byte = static_cast<std::byte>((seed = seed * 1664525U + 1013904223U) >> 24);
  for (std::size_t count = 0; count <= 9; ++count) {
    Sha256State plain{1, 2, 3, 4, 0xffffffffU, 6, 0x80000000U, 8}, own = plain;
    const auto some = std::span(blocks).first(64 * count);
    if (!take_sha256_blocks_by_instructions(own, some)) GTEST_SKIP() << "the processor has no instructions for SHA-256";
    take_sha256_blocks_plainly(plain, some);
    EXPECT_EQ(own, plain) << count;
  }
}

}  // namespace
}  // namespace tiebreak
