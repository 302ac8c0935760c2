// SPDX-License-Identifier: Apache-2.0
// Tables of other projects as sources, on small ones written here: how they are recognised, what a row becomes, and that nothing is left out in
// silence.
#include "testsuite/sources/case_table.hpp"

#include <gtest/gtest.h>

#include "testsuite/check/expectation.hpp"

namespace tiebreak {
namespace {

class CaseTable : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  CaseList read(const std::string& text) {
    auto root = parse_json(text, "table.json");
    EXPECT_TRUE(root) << to_text(root.error());
    const TableReader reader = root ? table_reader(*root) : nullptr;
    EXPECT_NE(reader, nullptr) << text;
    if (reader == nullptr) return {};
    auto cases = reader(*library, *root, "table.json", {});
    EXPECT_TRUE(cases) << to_text(cases.error());
    return cases ? *std::move(cases) : CaseList{};
  }
  /// What the source contradicts under the profile, or "".
  std::string contradiction(const Case& test, const std::string& profile) {
    const auto given = expect({*library, **library->find_profile(profile)}, test, {});
    return given ? given->contradiction : to_text(given.error());
  }
  std::shared_ptr<const Library> library;
};

TEST_F(CaseTable, OthersAreNoTables) {
  for (const char* text :
       {R"({"schema": "tiebreak.case/1", "op": "onnx.Add", "cases": []})", R"({"schema": "mlir-quant/2", "cases": []})", R"({"meta": {}, "notes": {}})", "[]"})
    EXPECT_EQ(table_reader(*parse_json(text, "other.json")), nullptr) << text;
}

TEST_F(CaseTable, KindsOfRows) {
  const CaseList cases = read(R"table({"schema": "mlir-quant/1", "note": "", "cases": [
    {"id": "constant", "kind": "quantize_const", "attrs": {"storage": "u8", "scale": 0.5, "zero_point": 3, "storage_min": 0, "storage_max": 255}, "input": [0.25, 9], "expected": [4, 21], "source": "here"},
    {"id": "wrong", "kind": "quantize_const", "attrs": {"storage": "u8", "scale": 0.5, "zero_point": 3, "storage_min": 0, "storage_max": 255}, "input": [0.25], "expected": [5]},
    {"id": "bound", "kind": "activation_range", "scale": 0.5, "expected": [{"zero_point": 1, "rmin": 0, "rmax": null, "qmin": 1, "qmax": 127}]},
    {"id": "solver", "kind": "historical_solver", "expected": [{"min": 0, "max": 1}]},
    {"id": "new", "kind": "a_new_kind"},
    {"id": "short", "kind": "bias_scale", "attrs": {"input_scale": 0.5}, "expected": {"scale": 1}}]})table");
  ASSERT_EQ(cases.size(), 6u);
  EXPECT_EQ(cases[0].description, "here");
  EXPECT_EQ(cases[0].program.operations.front().op, "quant.quantize");
  EXPECT_EQ(contradiction(cases[0], "mlir-const"), "");
  EXPECT_NE(contradiction(cases[1], "mlir-const"), "") << "an expectation that is not computed is seen";
  EXPECT_EQ(contradiction(cases[1], "coreml"), "") << "it belongs to its own profile alone";
  EXPECT_EQ(cases[2].id, "bound/0");
  EXPECT_EQ(contradiction(cases[2], "litert-converter"), "");
  EXPECT_EQ(cases[3].unusable->what, "parameters found by bisection have no page");
  EXPECT_EQ(cases[4].unusable->what, "rows of the kind 'a_new_kind' have no page");
  EXPECT_EQ(cases[5].unusable->what, "key 'weight_scale' is missing");
}

TEST_F(CaseTable, ModelsWithFeeds) {
  const CaseList cases = read(R"table({"meta": {}, "cases": [
    {"id": "quantize", "source": "here", "feeds": {"map": {"x": {"data": [0.5, 2.5]}}}, "gold": [2, 4], "gold_ctype": "int8_t",
     "model": {"opset": [["", 19]], "nodes": [{"op": "QuantizeLinear", "inputs": ["x", "s", "z"], "outputs": ["y"], "attrs": {"axis": 0}}],
               "initializers": [{"name": "s", "dtype": "float32", "shape": [], "data": [1]}, {"name": "z", "dtype": "int8", "shape": [], "data": [2]}, {"name": "unread", "dtype": "int8", "shape": [], "data": [2]}],
               "inputs": [{"name": "x", "dtype": "float32", "shape": [2]}], "outputs": [{"name": "y"}]}},
    {"id": "two_nodes", "feeds": {"map": {"x": {"data": [0.5, -2.5]}}}, "gold": null,
     "model": {"nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["r"]}, {"op": "Relu", "inputs": ["r"], "outputs": ["y"]}],
               "initializers": [], "inputs": [{"name": "x", "dtype": "float32", "shape": [2]}], "outputs": [{"name": "y"}]}},
    {"id": "words", "feeds": {"map": {"x": {"data": {"expression": "range(2)"}}}},
     "model": {"nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "initializers": [], "inputs": [{"name": "x", "dtype": "float32", "shape": [2]}], "outputs": [{"name": "y"}]}},
    {"id": "foreign", "feeds": {"map": {"x": {"data": [1]}}},
     "model": {"nodes": [{"op": "NoSuchOp", "inputs": ["x"], "outputs": ["y"]}], "initializers": [], "inputs": [{"name": "x", "dtype": "float32", "shape": [1]}], "outputs": [{"name": "y"}]}}]})table");
  ASSERT_EQ(cases.size(), 4u);
  ASSERT_FALSE(cases[0].unusable) << to_text(*cases[0].unusable);
  EXPECT_EQ(cases[0].inputs.size(), 3u);
  EXPECT_EQ(cases[0].program.operations.front().version, 19);
  EXPECT_EQ(contradiction(cases[0], "migraphx-ref"), "");
  EXPECT_EQ(cases[1].program.operations.size(), 2u);
  EXPECT_TRUE(cases[1].stated.empty());
  EXPECT_EQ(contradiction(cases[1], "onnx"), "");
  EXPECT_EQ(cases[2].unusable->what, "numbers that the table leaves out");
  EXPECT_TRUE(cases[3].unusable->what.starts_with("unknown op 'microsoft.NoSuchOp'")) << cases[3].unusable->what;
}

TEST_F(CaseTable, SectionsOfRows) {
  const CaseList cases = read(
      R"table({"meta": {}, "quantization_util": {"source": "here", "multiply_by_quantized_multiplier_int32": [{"x": 10000, "real": 0.00097656, "expected": 10}],
      "choose_quantization_params_uint8": [{"rmin": -10.0, "rmax": 30.0, "zero_point": 64, "scale": 0.156863}, {"rmin": -10.0, "rmax": 30.0, "zero_point": 64, "scale": 0.156864}]},
    "ml_dtypes": {"source": ["here"], "conversions": [{"type": "float8_e4m3fn", "op": "ConvertFrom(sat=0,trunc=0)", "x_hex": "0x1.cp-8", "code": 4}, {"type": "float8_e4m3fn", "op": "ConvertFrom(sat=0,trunc=1)", "x_hex": "0x1.cp-8", "code": 3}],
      "limits": {"float8_e5m2": [1, 2]}}})table");
  ASSERT_EQ(cases.size(), 6u);
  EXPECT_EQ(cases[0].id, "quantization_util/multiply_by_quantized_multiplier_int32/0");
  EXPECT_EQ(contradiction(cases[0], "tflite-ref-double"), "");
  EXPECT_EQ(contradiction(cases[1], "tflite-quantize-ref"), "");
  EXPECT_NE(contradiction(cases[2], "tflite-quantize-ref"), "") << "six digits are six digits";
  EXPECT_EQ(contradiction(cases[3], "stablehlo-spec"), "");
  EXPECT_EQ(cases[4].unusable->what, "a conversion that cuts is no op of a page");
  EXPECT_EQ(cases[5].id, "ml_dtypes/limits");
  EXPECT_EQ(cases[5].unusable->what, "facts that are no rows of a call");
}

}  // namespace
}  // namespace tiebreak
