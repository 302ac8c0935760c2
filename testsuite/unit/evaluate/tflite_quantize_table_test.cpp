// SPDX-License-Identifier: Apache-2.0
// Literal values of LiteRT's and TFLite Micro's own tests for QUANTIZE from floats, for the quantization of rows at run time, and for
// parameters of a range.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "testsuite/unit/evaluate/variant_calls.hpp"

namespace tiebreak {
namespace {

class TfliteTable : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(table_path("tflite_cases.json"))) GTEST_SKIP() << "the table of TFLite cases is not beside this checkout";
    table = read_table("tflite_cases.json");
  }
  static void expect_codes(const ResultTensor& result, const json& expected) {
    ASSERT_EQ(result.tensor.size(), static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(integer_at(result, static_cast<std::int64_t>(i)), expected[i].get<std::int64_t>()) << i;
  }
  json table;
};

ElementType storage_of(const std::string& name) {
  std::string word = name.starts_with("UINT") ? "u" + name.substr(4) : "i" + name.substr(3);
  return *ElementType::parse(word);
}

TEST_F(TfliteTable, QuantizeFromFloats) {
  int count = 0;
  for (const char* section : {"litert_quantize_op", "tflm_quantize_op"})
    for (const json& entry : table[section]["cases"]) {
      const bool per_channel = entry["op"] == "QUANTIZE_per_channel";
      if (entry["op"] != "QUANTIZE" && !per_channel) continue;
      SCOPED_TRACE(entry["test"].get<std::string>());
      const auto values = entry["input"].get<std::vector<double>>();
      Tensor x = vector_tensor("f32", values);
      OpCall call{.op = "quant.quantize", .operands = {x}};
      call.attributes["output_dtype"] = Attribute{storage_of(entry["output_type"])};
      if (per_channel) {  // the source's tensor has two rows
        Tensor rows = *Tensor::zeros({x.element(), {2, x.size() / 2}, {}});
        for (std::int64_t i = 0; i < x.size(); ++i) rows.set_code(i, x.code(i));
        call.operands = {rows, vector_tensor("f32", entry["scales"].get<std::vector<float>>()),
                         vector_tensor("i32", entry["zero_points"].get<std::vector<int>>())};
        call.attributes["axis"] = table_attribute(entry["axis"]);
      } else {
        call.operands.emplace_back(scalar_tensor("f32", static_cast<double>(entry["output_scale"].get<float>())));
        call.operands.emplace_back(scalar_tensor("i32", entry["output_zp"]));
      }
      auto results = run_profile(call, "tflite-quantize-ref");
      ASSERT_TRUE(results) << to_text(results.error());
      expect_codes(results->front(), entry["expected"]);
      ++count;
    }
  std::printf("  %d QUANTIZE cases\n", count);
  EXPECT_EQ(count, 12);
}

/// Parameters of the row from its least and greatest value, then its codes.
TEST_F(TfliteTable, RowsAtRunTime) {
  int count = 0;
  for (const auto& [section, profile, narrow] : {std::tuple{"symmetric_quantize_floats", "tflite-hybrid-sym", true},
                                                 std::tuple{"asymmetric_quantize_floats", "tflite-hybrid-asym-portable", false}})
    for (const json& entry : table["tensor_utils"][section]) {
      SCOPED_TRACE(std::string(section) + " " + std::to_string(count));
      const auto values = entry["input"].get<std::vector<float>>();
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      OpCall parameters{.op = "quant.parameters",
                        .operands = {scalar_tensor("f32", static_cast<double>(*low)), scalar_tensor("f32", static_cast<double>(*high))}};
      parameters.attributes["storage"] = Attribute{*ElementType::parse("i8")};
      parameters.attributes["narrow"] = Attribute{narrow};
      auto derived = run_profile(parameters, profile);
      ASSERT_TRUE(derived) << to_text(derived.error());
      const double scale = f64_at((*derived)[0].tensor, 0);
      if (entry.contains("scaling_factor")) {
        EXPECT_EQ(scale, entry["scaling_factor"].get<double>());
      }
      const float magnitude = std::max(std::fabs(*low), std::fabs(*high));
      OpCall call{.op = "quant.quantize",
                  .operands = {vector_tensor("f32", values), scalar_tensor("f32", scale),
                               scalar_tensor("i32", static_cast<double>(*integer_at((*derived)[1], 0))),
                               scalar_tensor("f32", magnitude == 0 ? 127 : static_cast<double>(magnitude))}};
      call.attributes["least"] = Attribute{Real(narrow ? -127 : -128)};
      auto results = run_profile(call, profile);
      ASSERT_TRUE(results) << to_text(results.error());
      expect_codes(results->front(), entry["expected"]);
      ++count;
    }
  std::printf("  %d rows\n", count);
  EXPECT_EQ(count, 7);
}

TEST_F(TfliteTable, ParametersOfU8Ranges) {
  int count = 0;
  for (const json& entry : table["quantization_util"]["choose_quantization_params_uint8"]) {
    OpCall call{.op = "quant.parameters", .operands = {scalar_tensor("f32", entry["rmin"]), scalar_tensor("f32", entry["rmax"])}};
    auto results = run_profile(call, "tflite-quantize-ref");
    ASSERT_TRUE(results) << to_text(results.error());
    EXPECT_EQ(integer_at((*results)[1], 0), entry["zero_point"].get<std::int64_t>());
    char scale[32];
    std::snprintf(scale, sizeof scale, "%.6g", f64_at((*results)[0].tensor, 0));  // the source compares six digits
    EXPECT_EQ(std::stod(scale), entry["scale"].get<double>());
    ++count;
  }
  EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace tiebreak
