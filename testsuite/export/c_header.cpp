// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "testsuite/export/data_files.hpp"
#include "testsuite/export/identifiers.hpp"
#include "testsuite/export/words.hpp"

namespace tiebreak {
namespace {

constexpr int alignment = 64;  // of a cache line, and of the widest vectors there are
constexpr std::size_t widest_source_line = 100;

constexpr const char* aligned_macro =
    "#ifndef TIEBREAK_ALIGNED\n"
    "#if defined(__GNUC__)\n"
    "#define TIEBREAK_ALIGNED(bytes) __attribute__((aligned(bytes)))\n"
    "#elif defined(_MSC_VER)\n"
    "#define TIEBREAK_ALIGNED(bytes) __declspec(align(bytes))\n"
    "#else\n"
    "#define TIEBREAK_ALIGNED(bytes)\n"
    "#endif\n"
    "#endif\n";

/// Sizes, and of a type with one scale its parameters.
std::string definitions(const std::string& macro, const TensorType& type, std::int64_t size) {
  std::string text = fmt::format("#define {}_SIZE {}\n#define {}_RANK {}\n", macro, size, macro, type.shape.size());
  for (std::size_t d = 0; d < type.shape.size(); ++d) text += fmt::format("#define {}_DIM{} {}\n", macro, d, type.shape[d]);
  if (!type.quantized || !type.quantized->is_per_tensor()) return text;
  text += fmt::format("#define {}_SCALE {}\n", macro, type.quantized->scales[0].value.to_hex_float());
  return text + fmt::format("#define {}_ZERO_POINT ({})\n", macro, type.quantized->zero_points[0].value.to_string());
}

std::string literals(const Tensor& tensor) {
  std::string text, line = " ";
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const std::string one = " " + c_literal(tensor, i) + (i + 1 < tensor.size() ? "," : "");
    if (line.size() + one.size() > widest_source_line) {
      text += line + "\n";
      line = " ";
    }
    line += one;
  }
  return text + line + "\n";
}

}  // namespace

std::string c_header_text(const ExportedCase& exported, const ExportedTensor& tensor) {
  const std::string macro = macro_name(tensor.name), guard = "TIEBREAK_" + macro + "_H";
  std::string text = "/*\n";
  for (const std::string& line : tensor_lines(exported, tensor)) text += " * " + line + "\n";
  text += fmt::format(" */\n#ifndef {}\n#define {}\n", guard, guard);
  if (tensor.tensor.element().is_float()) text += "#include <math.h>\n";
  text += "#include <stdint.h>\n\n" + std::string(aligned_macro) + "\n" + definitions(macro, tensor.tensor.type(), tensor.tensor.size());
  text += fmt::format("\nTIEBREAK_ALIGNED({}) static const {} {}[{}_SIZE] = {{\n", alignment, c_type(tensor.tensor.element()), tensor.name, macro);
  return text + literals(tensor.tensor) + "};\n\n#endif\n";
}

}  // namespace tiebreak
