// SPDX-License-Identifier: Apache-2.0
// Codes that share bytes: the first lies in the lowest bits, signed ones as they are stored.
#include <gtest/gtest.h>

#include "interpreter/tensor/packed_codes.hpp"

namespace tiebreak {
namespace {

Tensor codes(const char* word, const std::vector<std::uint64_t>& values) {
  Tensor tensor = *Tensor::zeros(TensorType{*ElementType::parse(word), {static_cast<std::int64_t>(values.size())}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), values[i]);
  return tensor;
}

std::vector<int> packed(const Tensor& tensor) {
  std::vector<int> bytes;
  for (std::byte byte : pack_codes(tensor)) bytes.push_back(std::to_integer<int>(byte));
  return bytes;
}

TEST(PackedCodes, TheFirstLiesInTheLowestBits) {
  EXPECT_EQ(packed(codes("u4", {1, 2, 15})), (std::vector<int>{0x21, 0x0F}));
  EXPECT_EQ(packed(codes("u2", {0, 1, 2, 3, 2})), (std::vector<int>{0xE4, 0x02}));
  EXPECT_EQ(packed(codes("i4", {0xF, 0x7})), (std::vector<int>{0x7F}));  // -1, 7
  EXPECT_EQ(packed(codes("f4e2m1", {0x8, 0x7})), (std::vector<int>{0x78}));
  EXPECT_TRUE(pack_codes(codes("u4", {})).empty());
}

TEST(PackedCodes, ComeBack) {
  for (const char* word : {"u2", "i2", "u4", "i4", "f4e2m1"})
    for (std::int64_t count : {1, 2, 3, 4, 5, 17}) {
      const ElementType element = *ElementType::parse(word);
      std::vector<std::uint64_t> values;
      for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<std::uint64_t>(7 * i + 3) & ((1U << element.bits()) - 1));
      const Tensor tensor = codes(word, values);
      const std::vector<std::byte> bytes = pack_codes(tensor);
      EXPECT_EQ(bytes.size(), packed_size(tensor));
      Tensor again = *Tensor::zeros(tensor.type());
      unpack_codes(bytes, again);
      for (std::int64_t i = 0; i < count; ++i) EXPECT_TRUE(again.value(i).identical(tensor.value(i))) << word << " " << i;
    }
}

TEST(PackedCodes, OtherTypesHaveBytesOfTheirOwn) {
  for (const char* word : {"u8", "i3", "f6e2m3", "i16", "f32", "bool"}) EXPECT_EQ(codes_a_byte(*ElementType::parse(word)), 1) << word;
}

}  // namespace
}  // namespace tiebreak
