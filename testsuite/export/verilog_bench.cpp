// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "testsuite/export/benches.hpp"
#include "testsuite/export/words.hpp"

namespace tiebreak {
namespace {

constexpr int longest_run = 10000000;  // cycles until the bench gives up

std::string memory(const ExportedTensor& tensor, const std::string& name) {
  return fmt::format("  logic [{}:0] {} [0:{}];  // {} {}\n", tensor.tensor.element().bits() - 1, name, tensor.tensor.size() - 1,
                     comment_text(tensor.tensor.element().name()), to_text(tensor.tensor.shape()));
}

std::string load(const std::string& file, const std::string& into) { return fmt::format("    $readmemh(\"{}.memh\", {});\n", file, into); }

std::string memories(const ExportedCase& exported) {
  std::string text = "  // Filled by the bench before `start`.\n";
  for (const ExportedTensor* input : bench_inputs(exported)) text += memory(*input, input->name);
  text += "  // Compared by the bench after `done`.\n";
  for (const BenchOutput& output : bench_outputs(exported)) text += memory(*output.expected, output.name);
  return text;
}

std::string reference_module(const ExportedCase& exported) {
  std::string text =
      "// Loads what is expected. Put an implementation in its place.\n`timescale 1ns/1ps\nmodule dut (input logic clk, input logic start, output logic "
      "done);\n";
  text += "`include \"dut_memories.svh\"\n  initial done = 0;\n  always @(posedge clk) if (start && !done) begin\n";
  for (const BenchOutput& output : bench_outputs(exported)) text += load(output.expected->name, output.name);
  return text + "    done <= 1;\n  end\nendmodule\n";
}

/// True where an element is wrong. An unknown bit is wrong, and two nans are the same.
std::string differs_expression(const BenchOutput& output) {
  const ElementType& element = output.expected->tensor.element();
  const std::string actual = "u_dut." + output.name + "[i]", expected = output.expected->name + "[i]";
  std::string text = fmt::format("{} !== {}", actual, expected);
  const std::string nan = nan_condition_verilog(element, actual);
  if (!nan.empty()) text += fmt::format(" && !((({}) && ({})) === 1'b1)", nan, nan_condition_verilog(element, expected));
  return output.mask == nullptr ? text : fmt::format("{}[i] !== 0 && ({})", output.mask->name, text);
}

std::string comparison_block(const BenchOutput& output) {
  std::string text = fmt::format("    for (i = 0; i < {}; i = i + 1)\n      if ({}) begin\n", output.expected->tensor.size(), differs_expression(output));
  for (const ExportedTensor* one : output.beside) {
    const bool is_input = one->role != ExportRole::accumulator;
    const std::string place = one->tensor.size() == 1 ? "0" : "i";
    text += fmt::format("        $display(\"  {}[%0d] = %h\", {}, {}{}[{}]);\n", one->name, place, is_input ? "u_dut." : "", one->name, place);
  }
  return text + fmt::format("        $fatal(1, \"{}[%0d]: expected %h, actual %h\", i, {}[i], u_dut.{}[i]);\n      end\n", output.name, output.expected->name,
                            output.name);
}

}  // namespace

std::vector<TextFile> verilog_bench(const ExportedCase& exported) {
  const std::vector<BenchOutput> outputs = bench_outputs(exported);
  std::string text = "// Runs the module dut once on the inputs of " + comment_text(exported.id) + ", and compares its outputs.\n";
  for (const std::string& note : exported.notes) text += "// " + comment_text(note) + "\n";
  text += "`timescale 1ns/1ps\nmodule bench;\n";
  text += "  logic clk = 0;\n  logic start = 0;\n  wire done;\n  integer i;\n  integer cycles;\n\n  dut u_dut (.clk(clk), .start(start), .done(done));\n\n";
  std::string loads;
  std::set<std::string> declared;  // a value that is an output twice has one accumulator
  for (const ExportedTensor* input : bench_inputs(exported)) loads += load(input->name, "u_dut." + input->name);
  for (const BenchOutput& output : outputs) {
    std::vector<const ExportedTensor*> own{output.expected};
    if (output.mask != nullptr) own.push_back(output.mask);
    for (const ExportedTensor* one : output.beside)
      if (one->role == ExportRole::accumulator) own.push_back(one);
    for (const ExportedTensor* one : own) {
      if (!declared.insert(one->name).second) continue;
      text += memory(*one, one->name);
      loads += load(one->name, one->name);
    }
  }
  text += "\n  always #5 clk = ~clk;\n\n  initial begin\n" + loads;
  text += fmt::format(
      "    @(negedge clk) start = 1;\n    cycles = 0;\n    while (done !== 1 && cycles < {}) begin\n      @(negedge clk) cycles = cycles + 1;\n    end\n",
      longest_run);
  text += "    if (done !== 1) $fatal(1, \"done is not given\");\n";
  for (const BenchOutput& output : outputs) text += comparison_block(output);
  text += "    $display(\"all outputs agree\");\n    $finish;\n  end\nendmodule\n";
  return {{"dut_memories.svh", memories(exported)}, {"bench.sv", text}, {"reference_dut.sv", reference_module(exported)}};
}

}  // namespace tiebreak
