// SPDX-License-Identifier: Apache-2.0
#include "testsuite/exchange/compressed_text.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

namespace tiebreak {
namespace {

class CompressedText : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  std::string compressed(const std::string& text) const {
    gzFile file = gzopen(path_.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string fault(std::size_t most = most_compressed_text) const {
    const auto text = read_compressed_text(path_, most);
    return text ? "" : text.error().what;
  }

  std::string path_ = (std::filesystem::temp_directory_path() / ("tiebreak-compressed-" + std::to_string(getpid()) + ".gz")).string();
};

TEST_F(CompressedText, IsTheText) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919 % 256) + ", ";
  write(compressed(text));
  const auto read = read_compressed_text(path_);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(*read, text);
}

TEST_F(CompressedText, DamageIsOneErrorWithItsPlace) {
  const std::string whole = compressed(std::string(10'000, 'x') + "the end");
  write(whole.substr(0, whole.size() / 2));
  EXPECT_EQ(fault(), "the compressed file is cut off");
  write(whole.substr(0, whole.size() - 3));
  EXPECT_EQ(fault(), "the compressed file is cut off");
  std::string changed = whole;
  changed[whole.size() - 6] ^= 1;  // of the checksum
  write(changed);
  EXPECT_NE(fault().find("the compressed file is damaged"), std::string::npos) << fault();
  write("{\"schema\": 1}");
  EXPECT_EQ(fault(), "no gzip file");
  EXPECT_EQ(read_compressed_text("/nowhere/x.gz").error().code, Errc::io);
}

TEST_F(CompressedText, HasALimit) {
  write(compressed(std::string(200'000, ' ')));
  EXPECT_EQ(fault(200'000), "");
  EXPECT_NE(fault(199'999).find("holds more than 199999 bytes"), std::string::npos) << fault(199'999);
}

}  // namespace
}  // namespace tiebreak
