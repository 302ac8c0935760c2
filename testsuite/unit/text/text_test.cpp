// SPDX-License-Identifier: Apache-2.0
// Globs, literals, values, tables, quoting and output files.
#include <gtest/gtest.h>

#include <filesystem>

#include "testsuite/case/literal_text.hpp"
#include "testsuite/check/expectation.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/sources/selection.hpp"
#include "testsuite/text/json_value.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(matches_glob("*", "a/b"));
  EXPECT_TRUE(matches_glob("*/ties/*", "onnx.QuantizeLinear/ties/f32-u8"));
  EXPECT_TRUE(matches_glob("a?c*", "abcd"));
  EXPECT_TRUE(matches_glob("a.b/[x]", "a.b/[x]"));
  EXPECT_TRUE(matches_glob("*a*b*c", "xxaxxbxxabc"));
  EXPECT_FALSE(matches_glob("*/ties", "onnx/ties/f32"));
  EXPECT_FALSE(matches_glob("a?c", "ac"));
  EXPECT_FALSE(matches_glob("", "a"));
}

TEST(Literal, PartsShapesAndElements) {
  EXPECT_EQ(literal_part("[1, -3, 585]          with scales 1 * 1 / 4"), "[1, -3, 585]");
  EXPECT_EQ(literal_part(" 2.0  the scale"), "2.0");
  EXPECT_EQ(literal_part("dense<[1, 2]> : words"), "dense<[1, 2]>");
  StatedOutput set = stated_output("y", "[[undefined, 3 .. 4], [0x1p-3, -0]]", "f:1");
  EXPECT_EQ(set.elements, (std::vector<std::string>{"undefined", "3 .. 4", "0x1p-3", "-0"}));
  EXPECT_TRUE(stated_output("y", "dense<7>", "f:1").splat);
  EXPECT_EQ(*shape_of_literal("[[1, 2, 3], [4, 5, 6]]", ""), (Shape{2, 3}));
  EXPECT_EQ(*shape_of_literal("3", ""), Shape{});
  EXPECT_EQ(*shape_of_literal("[]", ""), (Shape{0}));
  for (const char* uneven : {"[[1], [2, 3]]", "[1, [2]]", "[1, 2", "1]"}) EXPECT_FALSE(shape_of_literal(uneven, "")) << uneven;
}

TEST(Literal, ValuesGoToTheNearestUnlessTheyAreExact) {
  ElementType f32 = *ElementType::parse("f32"), i8 = *ElementType::parse("i8");
  EXPECT_EQ(*element_value("0.1", f32, ""), *Real::parse("0x1.99999ap-4"));
  EXPECT_TRUE(element_value("-0", f32, "")->is_negative());
  EXPECT_FALSE(element_value("0x1.000001p0", f32, ""));
  EXPECT_FALSE(element_value("1e39", f32, ""));
  EXPECT_FALSE(element_value("128", i8, ""));
  EXPECT_FALSE(element_value("0.5", i8, ""));
  EXPECT_FALSE(element_value("x", i8, ""));
}

TEST(Literal, StatedOutputsAreComparedElementByElement) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), {4}, std::nullopt});
  tensor.set_code(0, 0x80000000);
  tensor.set_code(1, 0x40600000);  // 3.5
  tensor.set_code(2, 0x7fc00000);
  ResultTensor result{"y", tensor, {0, 0, 0, 1}, {}, {}};
  EXPECT_FALSE(*compare_stated(stated_output("y", "[-0, 3 .. 4, nan, undefined]", ""), result));
  auto first = [&](const char* text) { return (*compare_stated(stated_output("y", text, ""), result))->index; };
  EXPECT_EQ(first("[0, 3.5, nan, undefined]"), 0);
  EXPECT_EQ(first("[-0, 4 .. 5, nan, undefined]"), 1);
  EXPECT_EQ(first("[-0, 3.5, 1, undefined]"), 2);
  EXPECT_EQ(first("[-0, 3.5, nan, 0]"), 3);
  EXPECT_FALSE(compare_stated(stated_output("y", "[1, 2]", ""), result));
}

TEST(ValueText, IsExactAndReadsBack) {
  EXPECT_EQ(value_text(Real::dyadic(3, -1)), "1.5");
  EXPECT_EQ(value_text(*Real::parse("0x1.99999ap-4")), "0x1.99999ap-4");
  EXPECT_EQ(value_text(Real::nan()), "nan");
  for (std::uint64_t code = 0; code < 65536; ++code) {
    Real v = decode(code, *find_float_format("f16"));
    EXPECT_TRUE(Real::parse(value_text(v))->identical(v)) << code << " " << value_text(v);
  }
  Tensor tensor = *Tensor::zeros({*ElementType::parse("i8"), {2, 2}, std::nullopt});
  tensor.set_code(3, 0xff);
  EXPECT_EQ(tensor_text(tensor), "[[0, 0], [0, -1]]");
  EXPECT_EQ(bits_text(tensor, 3), "0xff");
  EXPECT_EQ(index_text({2, 3, 4}, 23), "[1, 2, 3]");
  EXPECT_EQ(index_text({}, 0), "[]");
}

TEST(Shell, QuotedWordsReadBack) {
  EXPECT_EQ(shell_quoted("onnx.QuantizeLinear/ties-1"), "onnx.QuantizeLinear/ties-1");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("*"), "'*'");
}

TEST(Labels, AreWords) {
  EXPECT_TRUE(names_label("stablehlo.dot_general C15", "C15"));
  EXPECT_TRUE(names_label("(C1): x", "C1"));
  EXPECT_FALSE(names_label("C15 does not hold", "C1"));
  EXPECT_FALSE(names_label("output_dtype_x", "output_dtype"));
}

TEST(Table, AlignsAndLeavesEmptyColumnsOut) {
  TextTable table({"name", "count", "note"}, {false, true, false});
  table.add({"a", "5", ""});
  table.add({"longer", "1000", ""});
  EXPECT_EQ(table.text("  "), "  name    count\n  a           5\n  longer   1000\n");
}

TEST(OutputFile, IsWholeOrAbsent) {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("tiebreak-output-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::string path = (folder / "r.json").string();
  ASSERT_TRUE(write_file(path, "first"));
  ASSERT_TRUE(write_file(path, "second"));
  EXPECT_EQ(*read_text_file(path), "second");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1u) << "a temporary file is left";
  Status nowhere = write_file((folder / "no" / "r.json").string(), "x");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, Errc::io);
  if (std::filesystem::exists("/dev/full")) {
    Status full = write_file("/dev/full", "x");
    ASSERT_FALSE(full);
    EXPECT_NE(full.error().what.find("No space left"), std::string::npos) << full.error().what;
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device must never be replaced";
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tiebreak
