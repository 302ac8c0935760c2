// SPDX-License-Identifier: Apache-2.0
// MIGraphX's ONNX tests for the quantized ops, under profile onnx (the text). Where the table says that an expected output contradicts ONNX,
// the interpreter must differ from it.
#include "testsuite/unit/evaluate/published_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tiebreak {
namespace {

const std::set<std::string> ops{"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger"};

bool has_data(const json& tensor) { return tensor["data"].is_array(); }

/// Operands in the node's order from initializers and feeds, or nullopt where the table lacks numbers.
std::optional<OpCall> call_of(const json& entry) {
  const json& model = entry["model"];
  const json& node = model["nodes"][0];
  std::map<std::string, Tensor> values;
  for (const json& initializer : model["initializers"]) {
    if (!has_data(initializer)) return std::nullopt;
    values[initializer["name"]] = table_tensor(initializer["dtype"], initializer["shape"].get<Shape>(), initializer["data"]);
  }
  if (!entry["feeds"].empty())
    for (const auto& [name, feed] : entry["feeds"].begin()->items()) {
      if (!has_data(feed)) return std::nullopt;
      for (const json& input : model["inputs"])
        if (input["name"] == name) values[name] = table_tensor(input["dtype"], input["shape"].get<Shape>(), feed["data"]);
    }
  OpCall call;
  call.op = "onnx." + node["op"].get<std::string>();
  call.where = entry["id"].get<std::string>();
  for (const json& name : node["inputs"]) {
    const std::string text = name.get<std::string>();
    if (!text.empty() && !values.contains(text)) return std::nullopt;
    if (text.empty())
      call.operands.emplace_back();
    else
      call.operands.emplace_back(values[text]);
  }
  for (const auto& [name, value] : node["attrs"].items()) call.attributes[name] = table_attribute(value);
  return call;
}

/// The source's own measure for float outputs: root mean square of the differences over the largest magnitude, at most 80 epsilon.
bool within_source_tolerance(const Tensor& actual, const Tensor& gold) {
  double squares = 0, largest = 0;
  for (std::int64_t i = 0; i < gold.size(); ++i) {
    const double a = actual.value(i).to_double(), g = gold.value(i).to_double();
    squares += (a - g) * (a - g);
    largest = std::max({largest, std::fabs(a), std::fabs(g)});
  }
  return std::sqrt(squares / static_cast<double>(gold.size())) <= 80 * 0x1p-23 * largest;
}

TEST(MigraphxTable, LiteralCasesOfTheQuantizedOps) {
  if (!std::filesystem::exists(table_path("migraphx_cases.json"))) GTEST_SKIP() << "the table of MIGraphX cases is not beside this checkout";
  auto library = spec_pages();
  ASSERT_TRUE(library);
  auto profile = library->find_profile("onnx");
  ASSERT_TRUE(profile);
  const json table = read_table("migraphx_cases.json");
  int equal = 0, contradicting = 0, without_numbers = 0;
  for (const json& entry : table["cases"]) {
    if (!entry.contains("model") || entry["model"]["nodes"].size() != 1 || !ops.contains(entry["model"]["nodes"][0]["op"])) continue;
    auto call = call_of(entry);
    if (!call || !entry["gold"].is_array()) {
      ++without_numbers;
      std::printf("  no numbers in the table: %s\n", entry["id"].get<std::string>().c_str());
      continue;
    }
    auto results = evaluate(*library, **profile, *call);
    ASSERT_TRUE(results) << to_text(results.error());
    const Tensor& tensor = results->front().tensor;
    ASSERT_EQ(static_cast<std::size_t>(tensor.size()), entry["gold"].size()) << call->where;
    const Tensor gold = table_tensor(tensor.element().name(), tensor.shape(), entry["gold"]);
    if (entry["contradicts_onnx"].get<bool>()) {
      EXPECT_NE(differing(results->front(), gold), 0) << call->where << " is said to contradict ONNX";
      ++contradicting;
    } else if (tensor.element().is_float() && differing(results->front(), gold) != 0) {
      // The table writes decimals such as 14.4 where the product of two f32 numbers is the number beside it.
      EXPECT_TRUE(within_source_tolerance(tensor, gold)) << call->where;
      std::printf("  exception %s: %d elements differ in their last digits, within the source's 80 epsilon\n", call->where.c_str(), static_cast<int>(differing(results->front(), gold)));
    } else {
      EXPECT_EQ(differing(results->front(), gold), 0) << call->where;
      ++equal;
    }
  }
  std::printf("  %d equal, %d contradict the text as stated, %d without numbers\n", equal, contradicting, without_numbers);
  EXPECT_GT(equal, 10);
}

}  // namespace
}  // namespace tiebreak
