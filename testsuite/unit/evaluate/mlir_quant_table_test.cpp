// SPDX-License-Identifier: Apache-2.0
// Literal values of MLIR's and LiteRT's own tests: constants, fake-quant types, weight and bias scales, fixed ranges, activation ranges,
// the lowering. All 80 entries, bit for bit.
#include <cmath>
#include <map>

#include "testsuite/oracle/parameter_variants.hpp"
#include "testsuite/unit/evaluate/variant_calls.hpp"

namespace tiebreak {
namespace {

float f32_number(const json& value) { return static_cast<float>(value.get<double>()); }

Tensor floats(const std::string& type, Shape shape, const std::vector<double>& values) {
  Tensor flat = vector_tensor(type, values);
  Tensor tensor = *Tensor::zeros({flat.element(), std::move(shape), {}});
  for (std::int64_t i = 0; i < flat.size(); ++i) tensor.set_code(i, flat.code(i));
  return tensor;
}

class MlirTable : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(table_path("mlir_quant_cases.json")))
      GTEST_SKIP() << "the table of MLIR cases is not beside this checkout";
    table = read_table("mlir_quant_cases.json");
  }

  /// Runs `check` on every entry of a kind and prints their number.
  template <typename Check>
  void each(const std::string& kind, int expected_count, Check check) {
    int count = 0;
    for (const json& entry : table["cases"]) {
      if (entry["kind"] != kind) continue;
      SCOPED_TRACE(entry["id"].get<std::string>());
      check(entry);
      ++count;
    }
    EXPECT_EQ(count, expected_count);
    std::printf("  %-24s %2d entries\n", kind.c_str(), count);
  }

  static std::vector<ResultTensor> run(OpCall call, const std::string& profile) {
    auto results = run_profile(call, profile);
    EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
    return results ? *std::move(results) : std::vector<ResultTensor>{};
  }

  static std::int64_t quantized(double x, double scale, std::int64_t zero_point, const std::string& storage, const std::string& profile) {
    OpCall call{.op = "quant.quantize",
                .operands = {vector_tensor("f32", std::vector<double>{x}), scalar_tensor("f64", scale),
                             scalar_tensor("i32", static_cast<double>(zero_point))}};
    call.attributes["output_dtype"] = Attribute{*ElementType::parse(storage)};
    const auto results = run(call, profile);
    return results.empty() ? INT64_MIN : integer_at(results[0], 0).value_or(INT64_MIN);
  }

  /// Scale and zero point of a range as quant.parameters gives them.
  static void expect_parameters(double low, double high, const std::string& storage, bool narrow, const std::string& profile,
                                const json& expected) {
    OpCall call{.op = "quant.parameters", .operands = {scalar_tensor("f32", low), scalar_tensor("f32", high)}};
    call.attributes["storage"] = Attribute{*ElementType::parse(storage)};
    call.attributes["narrow"] = Attribute{narrow};
    const auto results = run(call, profile);
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(f64_at(results[0].tensor, 0), expected["scale"].get<double>());
    EXPECT_EQ(integer_at(results[1], 0), expected["zero_point"].get<std::int64_t>());
  }

  json table;
};

TEST_F(MlirTable, Constants) {
  each("quantize_const", 13, [](const json& entry) {
    const json& attrs = entry["attrs"];
    OpCall call{.op = "quant.quantize",
                .operands = {vector_tensor("f32", entry["input"].get<std::vector<double>>()), scalar_tensor("f64", attrs["scale"]),
                             scalar_tensor("i32", attrs["zero_point"])}};
    call.attributes["output_dtype"] = Attribute{*ElementType::parse(attrs["storage"].get<std::string>())};
    call.attributes["least"] = table_attribute(attrs["storage_min"]);
    call.attributes["greatest"] = table_attribute(attrs["storage_max"]);
    const auto results = run(call, "mlir-const");
    ASSERT_FALSE(results.empty());
    for (std::size_t i = 0; i < entry["expected"].size(); ++i)
      EXPECT_EQ(integer_at(results[0], static_cast<std::int64_t>(i)), entry["expected"][i].get<std::int64_t>());
  });
  each("quantize_const_per_axis", 2, [](const json& entry) {
    const json& attrs = entry["attrs"];
    std::vector<double> x;
    std::vector<std::int64_t> expected;
    for (const json& row : entry["input"])
      for (const json& value : row) x.push_back(value);
    for (const json& row : entry["expected"])
      for (const json& value : row) expected.push_back(value);
    OpCall call{.op = "quant.quantize",
                .operands = {floats("f32", {2, 3}, x), vector_tensor("f64", attrs["scales"].get<std::vector<double>>()),
                             vector_tensor("i32", attrs["zero_points"].get<std::vector<std::int64_t>>())}};
    call.attributes["axis"] = table_attribute(attrs["axis"]);
    const auto results = run(call, "mlir-const");
    ASSERT_FALSE(results.empty());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(integer_at(results[0], static_cast<std::int64_t>(i)), expected[i]);
  });
}

TEST_F(MlirTable, FakeQuantTypes) {
  auto check = [](const json& entry, const std::string& profile) {
    const json& attrs = entry["attrs"];
    const int bits = attrs["num_bits"];
    const std::string storage = (attrs["is_signed"].get<bool>() ? "i" : "u") + std::to_string(bits);
    const bool narrow = attrs["narrow_range"];
    expect_parameters(static_cast<double>(f32_number(attrs["min"])), static_cast<double>(f32_number(attrs["max"])), storage, narrow,
                      profile, entry["expected"]);
    const ElementType element = *ElementType::parse(storage);
    const oracle::CodeRange range = oracle::integer_range(element.integer().is_signed, bits);
    EXPECT_EQ(range.min + (narrow ? 1 : 0), entry["expected"]["storage_min"].get<std::int64_t>());
    EXPECT_EQ(range.max, entry["expected"]["storage_max"].get<std::int64_t>());
  };
  each("fake_quant_to_type", 20, [&](const json& entry) { check(entry, "mlir-const"); });
  each("fake_quant_low_bits", 4, [&](const json& entry) { check(entry, "litert-converter"); });
  each("fake_quant_near_zero", 1, [&](const json& entry) { check(entry, "litert-converter"); });
}

TEST_F(MlirTable, WeightAndBiasScales) {
  each("symmetric_weight_scale", 20, [](const json& entry) {
    const auto magnitude = static_cast<double>(f32_number(entry["attrs"]["max_abs"]));
    const std::string storage = entry["attrs"]["storage"];
    expect_parameters(-magnitude, magnitude / 2, storage.substr(0, storage.find('<')), true, "litert-converter-weights", entry["expected"]);
  });
  each("bias_scale", 15, [](const json& entry) {
    OpCall call{.op = "quant.bias",
                .operands = {scalar_tensor("f32", 0), scalar_tensor("f64", entry["attrs"]["input_scale"]),
                             scalar_tensor("f64", entry["attrs"]["weight_scale"])}};
    const auto results = run(call, "litert-converter");
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(f64_at(results[1].tensor, 0), entry["expected"]["scale"].get<double>());
  });
}

TEST_F(MlirTable, FixedAndActivationRanges) {
  each("fixed_output_range", 1, [](const json& entry) {
    for (const json& row : entry["expected"]) {
      OpCall call{.op = "quant.fixed_range", .operands = {scalar_tensor("f32", 0)}};
      call.attributes["function"] = Attribute{row["op"].get<std::string>().substr(4)};
      call.attributes["storage"] =
          Attribute{*ElementType::parse((row["signed"].get<bool>() ? "i" : "u") + std::to_string(row["bits"].get<int>()))};
      const auto results = run(call, "litert-converter");
      ASSERT_EQ(results.size(), 2u);
      EXPECT_EQ(f64_at(results[0].tensor, 0), row["scale"].get<double>()) << row;
      EXPECT_EQ(integer_at(results[1], 0), row["zero_point"].get<std::int64_t>()) << row;
    }
  });
  each("activation_range", 1, [](const json& entry) {
    for (const json& row : entry["expected"]) {
      const double low = row["rmin"].is_null() ? -INFINITY : row["rmin"].get<double>(),
                   high = row["rmax"].is_null() ? INFINITY : row["rmax"].get<double>();
      OpCall call{.op = "quant.activation_range",
                  .operands = {scalar_tensor("f32", low), scalar_tensor("f32", high), scalar_tensor("f64", entry["scale"]),
                               scalar_tensor("i32", row["zero_point"])}};
      const auto results = run(call, "litert-converter");
      ASSERT_EQ(results.size(), 2u);
      EXPECT_EQ(integer_at(results[0], 0), row["qmin"].get<std::int64_t>()) << row;
      EXPECT_EQ(integer_at(results[1], 0), row["qmax"].get<std::int64_t>()) << row;
    }
  });
}

TEST_F(MlirTable, LoweringAndTheTwoConstantPaths) {
  each("qcast_lowering_derived", 1, [](const json& entry) {
    for (const json& row : entry["expected"])
      for (const auto& [column, profile] : std::map<std::string, std::string>{{"lower_quant_ops_truncation", "mlir-lower-quant-ops"},
                                                                              {"half_away_then_zp", "armnn-cpuref"},
                                                                              {"rne_then_zp", "coreml"},
                                                                              {"half_away_after_zp", "tvm-0.8"}})
        EXPECT_EQ(quantized(row["x"], row["scale"], row["zero_point"], "i8", profile), row[column].get<std::int64_t>())
            << column << " " << row;
  });
  each("uniform_support_derived", 1, [](const json& entry) {
    for (const json& row : entry["expected"]) {
      EXPECT_EQ(quantized(row["x"], row["scale"], row["zero_point"], row["storage"], "mlir-const-generic"),
                row["generic_apfloat_path"].get<std::int64_t>())
          << row;
      EXPECT_EQ(quantized(row["x"], row["scale"], row["zero_point"], row["storage"], "mlir-const-8bit"),
                row["fast_8bit_f32_path"].get<std::int64_t>())
          << row;
    }
  });
}

/// The one exception: a bisection of up to 60 steps is no formula of the notation, so that the oracle alone computes it.
TEST_F(MlirTable, FirstQuantizersBisection) {
  each("historical_solver", 1, [](const json& entry) {
    std::printf("  exception %s: parameters by bisection, computed by the oracle without a page\n", entry["id"].get<std::string>().c_str());
    for (const json& row : entry["expected"]) {
      double low = row["min"], high = row["max"];
      if (low != -12.25) {  // literals of an f32 tensor in the test that they come from
        low = static_cast<double>(static_cast<float>(low));
        high = static_cast<double>(static_cast<float>(high));
      }
      const auto derived = oracle::bisected_parameters(low, high, entry["levels"][0], entry["levels"][1]);
      EXPECT_DOUBLE_EQ(derived.scale, row["scale"].get<double>()) << row;
      EXPECT_EQ(derived.zero_point, row["zero_point"].get<std::int64_t>()) << row;
    }
    const json& bias = entry["bias_example"];
    OpCall call{.op = "quant.bias",
                .operands = {vector_tensor("f32", bias["values"].get<std::vector<double>>()), scalar_tensor("f64", bias["scale"]),
                             scalar_tensor("f64", 1)}};
    const auto results = run(call, "litert-converter");
    ASSERT_EQ(results.size(), 2u);
    for (std::size_t i = 0; i < bias["expected"].size(); ++i)
      EXPECT_EQ(integer_at(results[0], static_cast<std::int64_t>(i)), bias["expected"][i].get<std::int64_t>());
  });
}

}  // namespace
}  // namespace tiebreak
