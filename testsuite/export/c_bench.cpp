// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "testsuite/export/benches.hpp"
#include "testsuite/export/identifiers.hpp"
#include "testsuite/export/words.hpp"

namespace tiebreak {
namespace {

std::string include_line(const ExportedTensor& tensor) { return fmt::format("#include \"{}.h\"\n", tensor.name); }

std::string pointer_list(const ExportedCase& exported, const std::string& names) {
  std::string text;
  std::size_t number = 0;
  const auto add = [&](const std::string& type, const std::string& comment) {
    text += fmt::format("{}\n    {}*{}{}", text.empty() ? "" : ",", type, names.empty() ? "" : fmt::format(" {}{}", names, number), comment);
    ++number;
  };
  for (const ExportedTensor* input : bench_inputs(exported))
    add("const " + c_type(input->tensor.element()), fmt::format(" /* {}[{}_SIZE] */", input->name, macro_name(input->name)));
  for (const BenchOutput& output : bench_outputs(exported))
    add(c_type(output.expected->tensor.element()), fmt::format(" /* {}[{}_SIZE] */", output.name, macro_name(output.expected->name)));
  return text;
}

std::string dut_header(const ExportedCase& exported) {
  std::string text = "/* What a device under test of " + comment_text(exported.id) + " computes: profile " + comment_text(exported.profile) + ". */\n";
  text += "#ifndef TIEBREAK_DUT_H\n#define TIEBREAK_DUT_H\n#include <stdint.h>\n\n";
  for (const ExportedTensor* input : bench_inputs(exported)) text += include_line(*input);
  for (const BenchOutput& output : bench_outputs(exported)) text += include_line(*output.expected);
  return text + "\nvoid dut(" + pointer_list(exported, "") + ");\n\n#endif\n";
}

/// Gives the expected outputs: it shows that the bench passes, and where an implementation goes.
std::string reference_dut(const ExportedCase& exported) {
  std::string text = "/* Copies what is expected. Put an implementation in its place. */\n#include <string.h>\n\n#include \"dut.h\"\n\nvoid dut(" +
                     pointer_list(exported, "p") + ") {\n";
  std::size_t number = 0;
  for (std::size_t i = 0; i < bench_inputs(exported).size(); ++i) text += fmt::format("  (void)p{};\n", number++);
  for (const BenchOutput& output : bench_outputs(exported))
    text += fmt::format("  memcpy(p{}, {}, sizeof {});\n", number++, output.expected->name, output.expected->name);
  return text + "}\n";
}

/// `bits(name[i])` of floats, the number itself of others.
std::string bits_of(const ElementType& element, const std::string& value) {
  if (!element.is_float() || !is_c_number(element)) return value;
  return fmt::format("bits_of_{}({})", c_type(element), value);
}

std::string print_value(const ElementType& element, const std::string& value) {
  if (element.is_float() && is_c_number(element)) return fmt::format("printf(\"%.17g (%a)\", (double){}, (double){})", value, value);
  if (element.is_float()) return fmt::format("printf(\"0x%lx\", (unsigned long){})", value);
  if (element.is_integer() && element.integer().is_signed) return fmt::format("printf(\"%lld\", (long long){})", value);
  return fmt::format("printf(\"%llu\", (unsigned long long){})", value);
}

std::string float_bits_functions(const std::vector<BenchOutput>& outputs) {
  std::string text;
  for (const auto& [type, word] : {std::pair("float", "uint32_t"), std::pair("double", "uint64_t")}) {
    bool is_used = false;
    for (const BenchOutput& output : outputs) is_used = is_used || c_type(output.expected->tensor.element()) == type;
    if (!is_used) continue;
    text += fmt::format("static {} bits_of_{}({} value) {{\n  {} bits;\n  memcpy(&bits, &value, sizeof bits);\n  return bits;\n}}\n\n", word, type, type, word);
  }
  return text;
}

/// True where the element is right. Two nans are the same, as in `tiebreak check`; zeros of both signs are not.
std::string same_expression(const BenchOutput& output) {
  const ElementType& element = output.expected->tensor.element();
  const std::string actual = bits_of(element, output.name + "[i]"), expected = bits_of(element, output.expected->name + "[i]");
  const std::string nan = nan_condition_c(element, actual);
  std::string text = fmt::format("{} == {}", actual, expected);
  if (!nan.empty()) text += fmt::format(" || (({}) && ({}))", nan, nan_condition_c(element, expected));
  return output.mask == nullptr ? text : fmt::format("!{}[i] || {}", output.mask->name, text);
}

std::string check_function(const BenchOutput& output) {
  const ExportedTensor& expected = *output.expected;
  const Shape& shape = expected.tensor.shape();
  std::string text = fmt::format("static int check_{}(void) {{\n  long i;\n  for (i = 0; i < {}_SIZE; ++i) {{\n    if ({}) continue;\n", output.name,
                                 macro_name(expected.name), same_expression(output));
  text += fmt::format("    printf(\"{}\");\n", output.name);
  std::int64_t stride = expected.tensor.size();
  for (const std::int64_t extent : shape) {
    stride /= extent;
    text += fmt::format("    printf(\"[%ld]\", i / {} % {});\n", stride, extent);
  }
  text += "    printf(\" (element %ld) differs\\n\", i);\n";
  for (const ExportedTensor* one : output.beside) {
    const std::string value = fmt::format("{}[{}]", one->name, one->tensor.size() == 1 ? "0" : "i");
    text += fmt::format("    printf(\"  {} = \");\n    {};\n    printf(\"\\n\");\n", one->name, print_value(one->tensor.element(), value));
  }
  for (const auto& [word, name] : {std::pair("expected", expected.name), std::pair("actual", output.name)})
    text += fmt::format("    printf(\"  {} \");\n    {};\n    printf(\"\\n\");\n", word, print_value(expected.tensor.element(), name + "[i]"));
  return text + "    return 1;\n  }\n  return 0;\n}\n\n";
}

/// Every byte is another one than what is expected, so that an element that is never written differs.
std::string main_function(const ExportedCase& exported, const std::vector<BenchOutput>& outputs) {
  std::string text = "/* Each byte another one than what is expected: an element that is never written differs. */\n";
  text += "static void spoil(void* to, const void* from, size_t size) {\n  unsigned char* bytes = to;\n  const unsigned char* expected = from;\n";
  text += "  size_t i;\n  for (i = 0; i < size; ++i) bytes[i] = (unsigned char)~expected[i];\n}\n\nint main(void) {\n";
  for (const BenchOutput& output : outputs) text += fmt::format("  spoil({}, {}, sizeof {});\n", output.name, output.expected->name, output.name);
  std::string arguments;
  for (const ExportedTensor* input : bench_inputs(exported)) arguments += (arguments.empty() ? "" : ", ") + input->name;
  for (const BenchOutput& output : outputs) arguments += (arguments.empty() ? "" : ", ") + output.name;
  text += "  dut(" + arguments + ");\n";
  for (const BenchOutput& output : outputs) text += fmt::format("  if (check_{}()) return 1;\n", output.name);
  return text + "  printf(\"all outputs agree\\n\");\n  return 0;\n}\n";
}

}  // namespace

std::vector<TextFile> c_bench(const ExportedCase& exported) {
  const std::vector<BenchOutput> outputs = bench_outputs(exported);
  std::string text = "/* Runs dut() once on the inputs of " + comment_text(exported.id) + ", and compares its outputs. */\n";
  for (const std::string& note : exported.notes) text += "/* " + comment_text(note) + " */\n";
  text += "#include \"dut.h\"\n\n#include <stdio.h>\n#include <string.h>\n\n";
  for (const BenchOutput& output : outputs) {
    if (output.mask != nullptr) text += include_line(*output.mask);
    for (const ExportedTensor* one : output.beside)
      if (one->role == ExportRole::accumulator) text += include_line(*one);
  }
  text += "\n";
  for (const BenchOutput& output : outputs)
    text += fmt::format("static {} {}[{}_SIZE];\n", c_type(output.expected->tensor.element()), output.name, macro_name(output.expected->name));
  text += "\n" + float_bits_functions(outputs);
  for (const BenchOutput& output : outputs) text += check_function(output);
  text += main_function(exported, outputs);
  return {{"dut.h", dut_header(exported)}, {"bench.c", text}, {"reference_dut.c", reference_dut(exported)}};
}

}  // namespace tiebreak
