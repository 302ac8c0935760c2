// SPDX-License-Identifier: Apache-2.0
// Checks inside of programs: what they compare, how near is near enough, and what becomes of the file's functions.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testsuite/compare/program_checks.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {
namespace {

/// The sentence about the only check of a function whose outputs are its constants' values.
std::string check_sentence(const std::string& type, const std::string& actual, const std::string& expected, const std::string& check) {
  const std::string text = "func.func @f() {\n%a = stablehlo.constant dense<" + actual + "> : tensor<" + type + ">\n%b = stablehlo.constant dense<" + expected +
                           "> : tensor<" + type + ">\n" + check + " : (tensor<" + type + ">, tensor<" + type + ">) -> ()\nreturn\n}";
  auto parsed = parse_mlir(text, "t.mlir");
  if (!parsed) return to_text(parsed.error());
  auto checks = take_checks(parsed->functions.at(0));
  if (!checks) return to_text(checks.error());
  if (checks->size() != 1) return "not one check";
  return failed_check(checks->front(), {});
}

struct Judgement {
  const char* type;
  const char* actual;
  const char* expected;
  const char* check;
  bool holds;
};

TEST(ProgramChecks, HoldWithinTheirTolerance) {
  const std::string eq = "check.expect_eq %a, %b", almost = "check.expect_almost_eq %a, %b", close = "check.expect_close %a, %b, max_ulp_difference = 3";
  const std::string call_eq = "stablehlo.custom_call @check.eq(%a, %b)", call_close = "stablehlo.custom_call @check.expect_close(%a, %b)";
  const std::string call_exact = "stablehlo.custom_call @check.expect_eq(%a, %b)", call_almost = "stablehlo.custom_call @check.expect_almost_eq(%a, %b)";
  const std::vector<Judgement> all{
      {"2xi8", "[1, 2]", "[1, 2]", eq.c_str(), true},
      {"2xi8", "[1, 2]", "[1, 3]", eq.c_str(), false},
      {"2xi8", "[1, 2]", "[1, 3]", almost.c_str(), false},
      {"f32", "0.0", "-0.0", eq.c_str(), false},
      {"f32", "nan", "-nan", eq.c_str(), true},
      {"f64", "5.0", "5.0001", almost.c_str(), true},
      {"f64", "5.0", "5.00011", almost.c_str(), false},
      {"f64", "5.0", "5.1", "check.expect_almost_eq %a, %b, tolerance = 0.1", true},
      {"f64", "5.0", "5.2", "check.expect_almost_eq %a, %b, tolerance = 0.1", false},
      {"f32", "0.0", "0.00009", almost.c_str(), true},
      {"f32", "inf", "inf", almost.c_str(), true},
      {"f32", "inf", "3.0e38", almost.c_str(), false},
      {"f32", "nan", "nan", almost.c_str(), true},
      {"f32", "nan", "0.0", almost.c_str(), false},
      {"f16", "5.0", "5.010", close.c_str(), true},
      {"f16", "5.0", "5.02", close.c_str(), false},
      {"f16", "0x0001", "0x8002", close.c_str(), true},
      {"f16", "0x0002", "0x8002", close.c_str(), false},
      {"f16", "0x7BFF", "inf", close.c_str(), false},
      {"f16", "5.0", "5.0", "check.expect_close %a, %b, max_ulp_difference = 3, min_ulp_difference = 1", false},
      {"f16", "5.0", "5.010", "check.expect_close %a, %b, max_ulp_difference = 3, min_ulp_difference = 1", true},
      {"f32", "1.0", "1.00009", call_eq.c_str(), true},
      {"f32", "1.0", "1.0002", call_eq.c_str(), false},
      {"f32", "1.0", "1.0009", call_almost.c_str(), true},
      {"f32", "1.0", "1.002", call_almost.c_str(), false},
      {"i32", "1", "2", call_eq.c_str(), false},
      {"f32", "0x3F800000", "0x3F800003", call_close.c_str(), true},
      {"f32", "0x3F800000", "0x3F800004", call_close.c_str(), false},
      {"f32", "0x3F800000", "0x3F800001", call_exact.c_str(), false},
  };
  for (const Judgement& test : all) {
    const std::string sentence = check_sentence(test.type, test.actual, test.expected, test.check);
    EXPECT_EQ(sentence.empty(), test.holds) << test.type << " " << test.actual << " " << test.expected << " " << test.check << ": " << sentence;
  }
}

TEST(ProgramChecks, SayWhatDiffers) {
  EXPECT_EQ(check_sentence("2x2xi8", "[[1, 2], [3, 4]]", "[[1, 2], [5, 6]]", "check.expect_eq %a, %b"),
            "check.expect_eq (t.mlir:4:1) does not hold: 2 of 4 differ under exact, first at [1, 0]: expected 5, computed 3");
}

TEST(ProgramChecks, WhatTheyCompareBecomesAnOutput) {
  auto parsed = parse_mlir(R"(func.func @f(%x: tensor<i8>) -> (tensor<i1>, tensor<i8>) {
    %c = stablehlo.constant dense<1> : tensor<i8>
    %0 = stablehlo.abs %x : tensor<i8>
    %1 = stablehlo.negate %x : tensor<i8>
    %2 = stablehlo.custom_call @check.eq(%c, %1) : (tensor<i8>, tensor<i8>) -> tensor<i1>
    check.expect_eq %0, %1 : tensor<i8>
    check.expect_eq_const %0, dense<7> : tensor<i8>
    return %2, %0 : tensor<i1>, tensor<i8>
  })",
                           "t.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  Program& program = parsed->functions.at(0);
  auto checks = take_checks(program);
  ASSERT_TRUE(checks) << to_text(checks.error());
  ASSERT_EQ(checks->size(), 3U);
  EXPECT_EQ(program.operations.size(), 2U);
  EXPECT_EQ(program.values.size(), 3U);  // the constant is the check's own
  ASSERT_EQ(program.outputs.size(), 2U);
  EXPECT_EQ((*checks)[0].actual.output, 1U);  // whichever side the constant stands on
  EXPECT_EQ((*checks)[0].expected.constant.value(0), Real(1));
  EXPECT_EQ((*checks)[1].expected.output, 1U);
  EXPECT_EQ((*checks)[2].expected.constant.value(0), Real(7));
}

TEST(ProgramChecks, ThatCannotBeJudgedAreRefused) {
  const auto refused = [](const std::string& line) {
    auto parsed = parse_mlir("func.func @f(%x: tensor<i8>) -> tensor<i8> {\n" + line + "\nreturn %x : tensor<i8>\n}", "t.mlir");
    if (!parsed) return to_text(parsed.error());
    const auto checks = take_checks(parsed->functions.at(0));
    return checks ? std::string("taken") : checks.error().what;
  };
  EXPECT_EQ(refused("\"check.expect_serialized_eq\"(%x) : (tensor<i8>) -> ()"), "the check check.expect_serialized_eq is not supported");
  EXPECT_EQ(refused("check.expect_eq %x : tensor<i8>"), "check.expect_eq has 2 operands, not 1");
  EXPECT_EQ(refused("check.expect_eq_const %x : tensor<i8>"), "check.expect_eq_const needs a value = dense<...> : tensor<...>");
  EXPECT_EQ(refused("check.expect_almost_eq %x, %x, tolerance = \"a\" : tensor<i8>"), "tolerance of check.expect_almost_eq is not a number of at least 0");
  EXPECT_EQ(refused("%r = stablehlo.custom_call @check.eq(%x, %x) : (tensor<i8>, tensor<i8>) -> tensor<i1>\n%s = my.a %r : tensor<i1>"),
            "the result of a check is used by the program");
}

TEST(ProgramChecks, AFunctionOfAFileIsACase) {
  const auto path = std::filesystem::temp_directory_path() / ("tiebreak-checks-" + std::to_string(::getpid()) + ".mlir");
  std::ofstream(path) << R"(func.func @main() {
    %0 = call @inputs() : () -> tensor<f32>
    %1 = call @twice(%0) : (tensor<f32>) -> tensor<f32>
    check.expect_eq_const %1, dense<3.0> : tensor<f32>
    return
  }
  func.func private @inputs() -> tensor<f32> {
    %c = stablehlo.constant dense<1.5> : tensor<f32>
    return %c : tensor<f32>
  }
  func.func @twice(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %x, %x : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @empty() { return }
  func.func @lonely(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
  // -----
  func.func @main() -> tensor<2xcomplex<f32>> { return }
  // -----
  nonsense
)";
  const auto cases = read_program_cases(path.string(), {});
  std::filesystem::remove(path);
  ASSERT_TRUE(cases) << to_text(cases.error());
  const std::string stem = path.stem().string();
  ASSERT_EQ(cases->size(), 5U);
  EXPECT_EQ((*cases)[0].id, stem + "/main");
  EXPECT_FALSE((*cases)[0].unusable);
  EXPECT_EQ((*cases)[0].checks.size(), 1U);
  EXPECT_EQ((*cases)[1].id, stem + "/empty");
  EXPECT_EQ((*cases)[1].unusable->what, "@empty returns nothing and checks nothing");
  EXPECT_EQ((*cases)[2].id, stem + "/lonely");
  EXPECT_EQ((*cases)[2].unusable->what, "@lonely takes arguments, and the file gives no values for them");
  EXPECT_EQ((*cases)[3].id, stem + "/main-2");
  EXPECT_EQ((*cases)[3].unusable->what, "the type 'complex' is not supported");
  EXPECT_EQ((*cases)[4].id, stem + "/part");
  EXPECT_EQ((*cases)[4].unusable->code, Errc::syntax);
}

}  // namespace
}  // namespace tiebreak
