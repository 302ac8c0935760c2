// SPDX-License-Identifier: Apache-2.0
// Each format of one tensor, byte for byte.
#include <gtest/gtest.h>

#include "testsuite/export/data_files.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace tiebreak {
namespace {

ExportedCase one_case() { return {.id = "onnx.Add/x", .profile = "onnx", .tensors = {}}; }

ExportedTensor exported(ExportRole role, const std::string& of, Tensor tensor) {
  return {.role = role, .of = of, .name = std::string(to_word(role)) + "_" + of, .tensor = std::move(tensor)};
}

TEST(DataFiles, MemhHasTwosComplementInTheDigitsOfTheWidth) {
  EXPECT_EQ(memh_text(codes_tensor("i8", {4}, {0, 1, -1, -128})), "00\n01\nff\n80\n");
  EXPECT_EQ(memh_text(codes_tensor("i4", {3}, {7, -1, -8})), "7\nf\n8\n");
  EXPECT_EQ(memh_text(codes_tensor("u2", {2}, {3, 0})), "3\n0\n");
  EXPECT_EQ(memh_text(codes_tensor("i32", {2}, {-2, 65536})), "fffffffe\n00010000\n");
  EXPECT_EQ(memh_text(floats_tensor({2}, {1.0F, -0.0F})), "3f800000\n80000000\n");
}

TEST(DataFiles, MifHasRunsOfEqualWords) {
  const ExportedTensor tensor = exported(ExportRole::table, "y", codes_tensor("i8", {6}, {-86, 3, 3, 3, 0, 0}));
  EXPECT_EQ(mif_text(one_case(), tensor),
            "-- table y of onnx.Add/x, profile onnx\n"
            "-- i8 [6], row-major\n"
            "WIDTH = 8;\n"
            "DEPTH = 6;\n"
            "ADDRESS_RADIX = UNS;\n"
            "DATA_RADIX = HEX;\n"
            "CONTENT BEGIN\n"
            "  0 : AA;\n"
            "  [1..3] : 03;\n"
            "  [4..5] : 00;\n"
            "END;\n");
}

TEST(DataFiles, CsvHasPlacesValuesAndBits) {
  ExportedTensor tensor = exported(ExportRole::expected, "y", floats_tensor({2, 3}, {0.5F, -1.0F, 0.1F, 7.0F, 0.0F, 2.0F}));
  tensor.undefined = {0, 0, 0, 1, 0, 0};
  EXPECT_EQ(csv_text(tensor),
            "index0,index1,value,code\n"
            "0,0,0.5,0x3f000000\n"
            "0,1,-1,0xbf800000\n"
            "0,2,0x1.99999ap-4,0x3dcccccd\n"
            "1,0,undefined,0x40e00000\n"
            "1,1,0,0x00000000\n"
            "1,2,2,0x40000000\n");
  EXPECT_EQ(csv_text(exported(ExportRole::input, "s", codes_tensor("u8", {}, {200}))), "value,code\n200,0xc8\n");
}

TEST(DataFiles, HeaderHasSizesParametersAndAlignment) {
  Tensor tensor = codes_tensor("i8", {1, 3}, {-128, 0, 127});
  TensorType type = tensor.type();
  type.quantized =
      QuantizedType{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {{Real::from_double(0.5)}}, {{Real(-3)}}};
  tensor.set_type(type);
  EXPECT_EQ(c_header_text(one_case(), exported(ExportRole::input, "x", tensor)),
            "/*\n"
            " * in x of onnx.Add/x, profile onnx\n"
            " * i8 [1, 3], row-major\n"
            " * scale 0.5; zero point -3\n"
            " */\n"
            "#ifndef TIEBREAK_IN_X_H\n"
            "#define TIEBREAK_IN_X_H\n"
            "#include <stdint.h>\n"
            "\n"
            "#ifndef TIEBREAK_ALIGNED\n"
            "#if defined(__GNUC__)\n"
            "#define TIEBREAK_ALIGNED(bytes) __attribute__((aligned(bytes)))\n"
            "#elif defined(_MSC_VER)\n"
            "#define TIEBREAK_ALIGNED(bytes) __declspec(align(bytes))\n"
            "#else\n"
            "#define TIEBREAK_ALIGNED(bytes)\n"
            "#endif\n"
            "#endif\n"
            "\n"
            "#define IN_X_SIZE 3\n"
            "#define IN_X_RANK 2\n"
            "#define IN_X_DIM0 1\n"
            "#define IN_X_DIM1 3\n"
            "#define IN_X_SCALE 0x1p-1\n"
            "#define IN_X_ZERO_POINT (-3)\n"
            "\n"
            "TIEBREAK_ALIGNED(64) static const int8_t in_x[IN_X_SIZE] = {\n"
            "  -128, 0, 127\n"
            "};\n"
            "\n"
            "#endif\n");
}

}  // namespace
}  // namespace tiebreak
