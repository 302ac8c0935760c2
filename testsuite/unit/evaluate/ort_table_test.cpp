// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's own unit tests, under profile onnxruntime-x64: every expected output equal, every expected refusal refused.
#include "testsuite/unit/evaluate/published_tables.hpp"

#include <cmath>
#include <map>
#include <set>

namespace tiebreak {
namespace {

const std::set<std::string> ops{"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger"};

/// What the library refuses although the text of the op allows it; the interpreter executes the text.
const std::map<std::string, std::string> legal_refusals{
    {"MatMulInteger_PerRow_A_ZeroPoint_Rejected", "the text allows a zero point for each row of A; the library has no kernel for it"}};

/// Expected outputs that are not what the library computes; the source's own tolerance (1e-5 absolute, 1e-4 relative for f32) lets them pass there.
const std::map<std::string, std::string> rounded_expectations{
    {"ort/dynamic_quantize_linear_test/0001 1", "the scale 4 / 255 is written as 0.0156862792, two ulp beside f32(4 / 255)"},
    {"ort/dynamic_quantize_linear_test/0002 1", "the scale 4 / 255 is written as 0.0156862792, two ulp beside f32(4 / 255)"}};

bool within_source_tolerance(const Tensor& actual, const Tensor& expected) {
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double a = actual.value(i).to_double(), e = expected.value(i).to_double();
    if (!(std::fabs(a - e) <= 1e-5 + 1e-4 * std::fabs(e))) return false;
  }
  return true;
}

OpCall call_of(const json& entry) {
  OpCall call;
  call.op = "onnx." + entry["op"].get<std::string>();
  call.version = entry["opset"].get<int>();
  call.where = entry["id"].get<std::string>();
  for (const json& input : entry["inputs"]) {
    if (input.is_null())
      call.operands.emplace_back();
    else
      call.operands.emplace_back(table_tensor(input["dtype"], input["shape"].get<Shape>(), input["data"]));
  }
  for (const auto& [name, value] : entry["attrs"].items()) call.attributes[name] = table_attribute(value);
  return call;
}

TEST(OrtTable, EveryCaseOfTheQuantizedOps) {
  if (!std::filesystem::exists(table_path("ort_cases.json"))) GTEST_SKIP() << "the table of ONNX Runtime cases is not beside this checkout";
  auto library = spec_pages();
  ASSERT_TRUE(library);
  auto profile = library->find_profile("onnxruntime-x64");
  ASSERT_TRUE(profile);
  const json table = read_table("ort_cases.json");
  std::map<std::string, int> equal, refused;
  for (const json& entry : table["cases"]) {
    const std::string op = entry["op"];
    if (entry["domain"] != "" || !ops.contains(op)) continue;
    const OpCall call = call_of(entry);
    auto results = evaluate(*library, **profile, call);
    if (entry["expect"] == "failure") {
      const std::string source = entry["source"];
      const std::string test = source.substr(source.rfind('.') + 1);
      if (auto legal = legal_refusals.find(test); legal != legal_refusals.end()) {
        EXPECT_TRUE(results) << call.where << ": " << legal->second;
        continue;
      }
      EXPECT_FALSE(results) << call.where << " " << source;
      ++refused[op];
      continue;
    }
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::size_t r = 0; r < entry["outputs"].size(); ++r) {
      const json& output = entry["outputs"][r];
      const Tensor expected = table_tensor(output["dtype"], output["shape"].get<Shape>(), output["data"]);
      const std::string place = call.where + " " + std::to_string(r);
      if (auto rounded = rounded_expectations.find(place); rounded != rounded_expectations.end()) {
        EXPECT_TRUE(within_source_tolerance((*results)[r].tensor, expected)) << place;
        std::printf("  exception %s: %s\n", place.c_str(), rounded->second.c_str());
      } else {
        EXPECT_EQ(differing((*results)[r], expected), 0) << place;
      }
    }
    ++equal[op];
  }
  for (const auto& [op, count] : equal) std::printf("  %-22s %4d cases equal, %d refused as expected\n", op.c_str(), count, refused[op]);
  EXPECT_EQ(equal.size(), ops.size());
}

}  // namespace
}  // namespace tiebreak
