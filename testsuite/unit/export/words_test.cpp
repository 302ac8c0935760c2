// SPDX-License-Identifier: Apache-2.0
// Elements as text of C and SystemVerilog, and names.
#include "testsuite/export/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testsuite/export/identifiers.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace tiebreak {
namespace {

ElementType element(const char* word) { return *ElementType::parse(word); }

TEST(Words, TypesThatCLacksAreInTheSmallestWordThatHoldsThem) {
  EXPECT_EQ(c_type(element("i8")), "int8_t");
  EXPECT_EQ(c_type(element("u16")), "uint16_t");
  EXPECT_EQ(c_type(element("i64")), "int64_t");
  EXPECT_EQ(c_type(element("f32")), "float");
  EXPECT_EQ(c_type(element("f64")), "double");
  EXPECT_EQ(c_type(ElementType::boolean()), "uint8_t");
  EXPECT_EQ(storage_text(element("u8")), "u8");
  EXPECT_EQ(storage_text(element("i4")), "i4, each in an int8_t");
  EXPECT_EQ(storage_text(element("u4")), "u4, each in a uint8_t");
  EXPECT_EQ(storage_text(element("bf16")), "bf16, each as its bits in a uint16_t");
  EXPECT_EQ(storage_text(element("f8e4m3fn")), "f8e4m3fn, each as its bits in a uint8_t");
}

TEST(Words, ConstantsOfCHaveTheValueItself) {
  const Tensor longs = codes_tensor("i64", {2}, {INT64_MIN, -5});
  EXPECT_EQ(c_literal(longs, 0), "INT64_MIN");
  EXPECT_EQ(c_literal(longs, 1), "INT64_C(-5)");
  EXPECT_EQ(c_literal(codes_tensor("u64", {1}, {-1}), 0), "UINT64_C(18446744073709551615)");
  EXPECT_EQ(c_literal(codes_tensor("u32", {1}, {4294967295}), 0), "4294967295u");
  EXPECT_EQ(c_literal(codes_tensor("i4", {1}, {-8}), 0), "-8");
  EXPECT_EQ(c_literal(codes_tensor("bf16", {1}, {0x3f80}), 0), "0x3f80");
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor floats = floats_tensor({6}, {0.1F, -0.0F, infinity, -infinity, std::nanf(""), 1e-45F});
  const std::vector<std::string> texts{"0x1.99999ap-4f", "-0x0p+0f", "INFINITY", "-INFINITY", "NAN", "0x1p-149f"};
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(c_literal(floats, static_cast<std::int64_t>(i)), texts[i]);
}

TEST(Words, NansAreToldByTheirBits) {
  EXPECT_EQ(nan_condition_c(element("f32"), "v"), "(v & 0x7fffffffu) > 0x7f800000u");
  EXPECT_EQ(nan_condition_verilog(element("f16"), "v"), "(v & 16'h7fff) > 16'h7c00");
  EXPECT_EQ(nan_condition_c(element("f8e4m3fn"), "v"), "v == 0x7fu || v == 0xffu");
  EXPECT_EQ(nan_condition_verilog(element("f8e4m3fnuz"), "v"), "v == 8'h80");
  EXPECT_EQ(nan_condition_c(element("i8"), "v"), "");
}

/// A beginning within a comment is a warning of C compilers.
TEST(Words, CommentsCannotBeEndedOrBegun) {
  EXPECT_EQ(comment_text("a*/b\n\\\xc3\xa9"), "a*?b????");
  EXPECT_EQ(comment_text("cases/*.json, */*"), "cases/?.json, *?*");
}

TEST(Words, CapitalsAreOfLettersAlone) { EXPECT_EQ(in_capitals("in_xz_0f{\xe9"), "IN_XZ_0F{\xe9"); }

TEST(Identifiers, AreWordsOfCAndUniqueWithoutCase) {
  Identifiers names;
  EXPECT_EQ(names.unique(ExportRole::input, "input"), "in_input");
  EXPECT_EQ(names.unique(ExportRole::constant, "/conv/w.0"), "const__conv_w_0");
  EXPECT_EQ(names.unique(ExportRole::constant, "/conv/w:0"), "const__conv_w_0_2");
  EXPECT_EQ(names.unique(ExportRole::constant, "/CONV/w:0"), "const__CONV_w_0_3");
  EXPECT_EQ(names.unique(ExportRole::input, std::string(300, 'a')).size(), 100U);
  Identifiers folders;
  EXPECT_EQ(folders.unique_folder("onnx.Add/x/0"), "onnx.Add_x_0");
  EXPECT_EQ(folders.unique_folder("onnx.Add/x_0"), "onnx.Add_x_0_2");
  EXPECT_EQ(folders.unique_folder("../up"), "_.._up");
  EXPECT_EQ(macro_name("in_x_2"), "IN_X_2");
}

}  // namespace
}  // namespace tiebreak
