// SPDX-License-Identifier: Apache-2.0
// Outlined and inlined again a program is the same but for names; outlined, inlined and as it was it gives the same.
#include "testsuite/regions/regions.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/equal/compare_programs.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

Semantics reference() { return {pages(), **pages().find_profile("reference")}; }

Program parsed(const std::string& text) {
  auto read = parse_mlir(text, "p.mlir");
  if (!read) ADD_FAILURE() << to_text(read.error()) << text;
  return read ? read->functions.at(0) : Program{};
}

/// What a value is computed from, without names: alike for two programs that are the same but for names and the order of independent operations.
std::string shape_of(const Program& program, ValueId id, std::map<ValueId, std::string>& known) {
  if (const auto found = known.find(id); found != known.end()) return found->second;
  std::string text = "?";
  const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    if (program.inputs[i] == id) text = "in" + std::to_string(i);
  for (const Operation& operation : program.operations)
    for (std::size_t i = 0; i < operation.results.size(); ++i) {
      if (operation.results[i] != id) continue;
      text = operation.op + "#" + std::to_string(i) + "(";
      for (const ValueId operand : operation.operands) text += shape_of(program, operand, known) + ",";
      text += ")" + to_text(*value.type);
    }
  return known[id] = text;
}

std::string shape_of(const Program& program) {
  std::map<ValueId, std::string> known;
  std::string text = std::to_string(program.operations.size()) + ": ";
  for (const ValueId id : program.outputs) text += shape_of(program, id, known) + " ";
  return text;
}

OutlinedProgram outlined(const Program& program, const OutlineQuestion& question = {}) {
  auto made = outline_regions(reference(), program, question);
  if (!made) ADD_FAILURE() << to_text(made.error());
  return made ? *made : OutlinedProgram{};
}

Program inlined(const Program& program, Casts casts = Casts::quant) {
  auto made = inline_regions(program, casts);
  if (!made) ADD_FAILURE() << to_text(made.error());
  return made ? made->program : Program{};
}

std::string kernel_of(const Operation& operation) { return *std::get<AttributeMap>(operation.attributes.at("config").value).at("logical_kernel").as_string(); }

/// The draft's own tests: each of these becomes a region with a kernel.
TEST(Regions, OneOperationEach) {
  for (const auto& [op, kernel] :
       std::map<std::string, std::string>{{"add", "BINARY_ADD"}, {"divide", "BINARY_DIV"}, {"multiply", "BINARY_MUL"}, {"subtract", "BINARY_SUB"}}) {
    const Program program = parsed("func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo." + op +
                                   " %a, %b : tensor<4xf32>\n return %0 : tensor<4xf32> }");
    EXPECT_EQ(outlined(program).regions, 0u) << "no codes beside it";
    const OutlinedProgram made = outlined(program, {.each = true});
    ASSERT_EQ(made.regions, 1u) << op;
    EXPECT_EQ(made.program.operations[0].op, "iree_compress.quant_region");
    EXPECT_EQ(kernel_of(made.program.operations[0]), kernel);
    EXPECT_EQ(made.program.operations[0].regions[0].program.operations[0].op, "stablehlo." + op);
    EXPECT_EQ(print_mlir(inlined(made.program)), print_mlir(program));
  }
  const OutlinedProgram chosen = outlined(parsed(R"(func.func @f(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
    %1 = stablehlo.reverse %0, dims = [0] : tensor<4xf32>
    return %1 : tensor<4xf32> })"),
                                          {.each = true});
  ASSERT_EQ(chosen.regions, 2u);
  EXPECT_NE(print_mlir(chosen.program).find("transform_constraint = \"PREDICATE\""), std::string::npos) << print_mlir(chosen.program);
  EXPECT_EQ(kernel_of(chosen.program.operations[1]), "GENERIC");
}

TEST(Regions, WhatReadsTheValueOutsideStaysOutside) {
  // %p is returned: it is no part of the region of %y, but one of its own.
  const Program program = parsed(R"(!q = !quant.uniform<i8:f32, 0.5>
  func.func @f(%a.q: tensor<2x!q>) -> (tensor<2x!q>, tensor<2xf32>) {
    %a = "quant.dcast"(%a.q) : (tensor<2x!q>) -> tensor<2xf32>
    %p = stablehlo.multiply %a, %a : tensor<2xf32>
    %s = stablehlo.add %p, %a : tensor<2xf32>
    %y = "quant.qcast"(%s) : (tensor<2xf32>) -> tensor<2x!q>
    return %y, %p : tensor<2x!q>, tensor<2xf32> })");
  const OutlinedProgram made = outlined(program);
  EXPECT_EQ(made.regions, 2u);
  EXPECT_EQ(made.operations, 2u);
  EXPECT_EQ(print_mlir(inlined(made.program)), print_mlir(program));
}

TEST(Regions, ARegionThatItsPageRefusesIsNotInlined) {
  const auto error_of = [](const std::string& argument, const std::string& operand, const std::string& result) {
    const auto made = inline_regions(parsed("%r = \"iree_compress.quant_region\"(%a) ({\n^bb0(%x: " + argument + "):\n\"iree_compress.return\"(%x) : (" +
                                            argument + ") -> ()\n}) : (" + operand + ") -> " + result));
    return made ? std::string() : made.error().what + " at " + made.error().where;
  };
  const std::string codes = "tensor<2x!quant.uniform<i8:f32, 0.5>>";
  EXPECT_EQ(error_of("tensor<2xf32>", codes, codes), "");
  EXPECT_NE(error_of("tensor<2xf16>", codes, "tensor<2xf16>").find("W1: operand 0"), std::string::npos);
  EXPECT_NE(error_of("tensor<2xf32>", "tensor<2xf32>", "tensor<2xf16>").find("W2: result 0"), std::string::npos);
  EXPECT_NE(error_of("tensor<2xf16>", codes, "tensor<2xf16>").find(" at p.mlir:1:"), std::string::npos);
}

/// Floats between codes: some operands dequantized, some results quantized, each with other parameters.
std::string random_program(std::mt19937& random, const std::string& dequantize, const std::string& quantize) {
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const std::vector<std::string> types{"tensor<2x!quant.uniform<i8:f32, 0.5>>", "tensor<2x!quant.uniform<i8:f32, 0.25:-3>>",
                                       "tensor<2x!quant.uniform<u8:f32, 2.0:7>>"};
  std::string text = "func.func @f(", body;
  std::vector<std::string> floats;
  const std::size_t inputs = 1 + pick(3);
  for (std::size_t i = 0; i < inputs; ++i) {
    const std::string name = "%a" + std::to_string(i), &type = types[pick(3)];
    text += (i ? ", " : "") + name + ": " + type;
    body += name + "f = \"" + dequantize + "\"(" + name + ") : (" + type + ") -> tensor<2xf32>\n";
    floats.push_back(name + "f");
  }
  std::vector<std::string> outputs, output_types;
  for (std::size_t i = 0, count = 1 + pick(6); i < count; ++i) {
    const std::string name = "%f" + std::to_string(i);
    body += name + " = stablehlo." + std::vector<std::string>{"add", "multiply", "subtract", "maximum"}[pick(4)] + " " + floats[pick(floats.size())] + ", " +
            floats[pick(floats.size())] + " : tensor<2xf32>\n";
    floats.push_back(name);
    if (pick(3) != 0 && i + 1 < count) continue;
    const std::string& type = types[pick(3)];
    body += "%q" + std::to_string(i) + " = \"" + quantize + "\"(" + name + ") : (tensor<2xf32>) -> " + type + "\n";
    outputs.push_back("%q" + std::to_string(i));
    output_types.push_back(type);
    if (pick(4) == 0) {
      outputs.push_back(name);
      output_types.push_back("tensor<2xf32>");
    }
  }
  std::string names, list;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    names += (i ? ", " : "") + outputs[i];
    list += (i ? ", " : "") + output_types[i];
  }
  return text + ") -> (" + list + ") {\n" + body + "return " + names + " : " + list + "\n}\n";
}

/// Operations that nothing reads are no part of what a program gives.
Program without_idle_operations(Program program) {
  for (bool changed = true; changed;) {
    changed = false;
    std::set<ValueId> read(program.outputs.begin(), program.outputs.end());
    for (const Operation& operation : program.operations) read.insert(operation.operands.begin(), operation.operands.end());
    const auto is_idle = [&](const Operation& operation) { return !read.contains(operation.results[0]); };
    changed = std::erase_if(program.operations, is_idle) > 0;
  }
  drop_unused_values(program);
  return program;
}

TEST(Regions, RandomProgramsComeBackAndGiveTheSame) {
  std::mt19937 random(7);
  std::size_t regions = 0;
  for (int round = 0; round < 150; ++round) {
    const Casts casts = round % 2 == 0 ? Casts::quant : Casts::stablehlo;
    const Program program = without_idle_operations(parsed(random_program(random, casts == Casts::quant ? "quant.dcast" : "stablehlo.uniform_dequantize",
                                                                          casts == Casts::quant ? "quant.qcast" : "stablehlo.uniform_quantize")));
    const OutlinedProgram made = outlined(program, {.casts = casts, .each = round % 3 == 0});
    regions += made.regions;
    const auto printed = parse_mlir(print_mlir(made.program), "printed.mlir");
    ASSERT_TRUE(printed) << to_text(printed.error()) << print_mlir(made.program);
    const Program back = inlined(printed->functions.at(0), casts);
    EXPECT_FALSE(has_quant_regions(back));
    EXPECT_EQ(shape_of(back), shape_of(program)) << print_mlir(program) << print_mlir(made.program) << print_mlir(back);

    std::vector<Tensor> inputs;
    for (const ValueId id : program.inputs) {
      Tensor tensor = *Tensor::zeros(*program.values[static_cast<std::size_t>(id)].type);
      for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, random() % 256);
      inputs.push_back(std::move(tensor));
    }
    const auto first = evaluate(reference(), program, inputs), second = evaluate(reference(), made.program, inputs),
               third = evaluate(reference(), back, inputs);
    ASSERT_TRUE(first && second && third) << print_mlir(made.program);
    for (std::size_t output = 0; output < first->size(); ++output) {
      EXPECT_TRUE(std::ranges::equal((*first)[output].tensor.bytes(), (*third)[output].tensor.bytes())) << print_mlir(back);
      // A region's casts are quant.dcast and quant.qcast: uniform_quantize may round a tie otherwise.
      if (casts == Casts::quant) {
        EXPECT_TRUE(std::ranges::equal((*first)[output].tensor.bytes(), (*second)[output].tensor.bytes())) << print_mlir(made.program);
      }
    }
  }
  EXPECT_GT(regions, 150u);
}

TEST(Regions, EqualConfirmsOnAllInputs) {
  std::mt19937 random(11);
  for (int round = 0; round < 5; ++round) {
    const Program program = parsed(random_program(random, "quant.dcast", "quant.qcast"));
    const Program back = inlined(outlined(program).program);
    const Profile& profile = **pages().find_profile("reference");
    const auto report = compare_programs({pages(), profile, program, "a"}, {pages(), profile, back, "b"}, {});
    ASSERT_TRUE(report) << to_text(report.error());
    EXPECT_EQ(report->verdict, Verdict::equal) << print_mlir(program);
  }
}

TEST(Regions, AnnotationsStayWithTheirValues) {
  const Program program = parsed(R"(func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
    %x = "quant.dcast"(%a) {quantize_info = {from = "of x", scale = 0.5}} : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
    %y = "stablehlo.negate"(%x) {quantize_info = {from = "of y", scale = 0.5}} : (tensor<2xf32>) -> tensor<2xf32>
    %q = "quant.qcast"(%y) {quantize_info = {from = "of q", scale = 0.5}} : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
    return %q : tensor<2x!quant.uniform<i8:f32, 0.5>>
  })");
  const auto origins = [](const Program& of) {
    std::string text;
    for (const ProgramValue& value : of.values)
      if (!value.quantize_info.empty()) text += *value.quantize_info.at("from").as_string() + ", ";
    return text;
  };
  const OutlinedProgram made = outlined(program);
  ASSERT_EQ(made.regions, 1u) << print_mlir(made.program);
  EXPECT_EQ(origins(made.program), "of x, of q, ") << "what is said of x holds for its codes";
  EXPECT_EQ(origins(made.program.operations[0].regions[0].program), "of x, of y, ");
  const Program printed = parsed(print_mlir(made.program));
  EXPECT_EQ(origins(printed), "of x, of q, ");
  const std::string back = origins(inlined(printed));
  for (const char* each : {"of x", "of y", "of q"}) EXPECT_NE(back.find(each), std::string::npos) << back;
}

}  // namespace
}  // namespace tiebreak
