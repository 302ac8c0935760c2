// SPDX-License-Identifier: Apache-2.0
// MIGraphX's ONNX tests, every row: equal under profile migraphx-ref, and for the ops of ONNX under profile onnx too, unless the table says that
// the row contradicts ONNX: then the text must give something else. Rows without numbers are counted with their reason.
#include "testsuite/unit/evaluate/published_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tiebreak {
namespace {

/// Rows that are no calls of the op as its text has it.
const std::map<std::string, std::string> not_the_text{
    {"clip_args_type_mismatch", "bounds with shapes and of another type than the operand; the text has scalars of one type"}};

struct Row {
  std::optional<OpCall> call{};
  std::string reason{};  ///< why there is none
};

bool has_data(const json& tensor) { return tensor.contains("data") && tensor["data"].is_array(); }

/// Tensors of a row by name: initializers and feeds. The reason where numbers are left out.
std::string read_values(const json& entry, std::map<std::string, Tensor>& values) {
  const json& model = entry["model"];
  for (const json& initializer : model["initializers"]) {
    if (!has_data(initializer)) return "initializer " + initializer["name"].get<std::string>() + " is left out of the table";
    values[initializer["name"]] = table_tensor(initializer["dtype"], initializer["shape"].get<Shape>(), initializer["data"]);
  }
  if (entry["feeds"].empty()) return model["inputs"].empty() ? "" : "no inputs in the table";
  for (const auto& [name, feed] : entry["feeds"].begin()->items()) {
    if (!has_data(feed)) return "input " + name + " is an expression";
    for (const json& input : model["inputs"])
      if (input["name"] == name) values[name] = table_tensor(input["dtype"], input["shape"].get<Shape>(), feed["data"]);
  }
  return "";
}

/// Operands in the node's order.
Row row_of(const json& entry, const Library& library) {
  if (entry["gold"].is_null()) return {.reason = "no expected output in the table"};
  if (!entry["gold"].is_array()) return {.reason = "the expected output is an expression"};
  std::map<std::string, Tensor> values;
  if (std::string reason = read_values(entry, values); !reason.empty()) return {.reason = reason};
  const json& node = entry["model"]["nodes"][0];
  const std::string name = node["op"];
  OpCall call;
  call.op = library.find_op("onnx." + name) ? "onnx." + name : "microsoft." + name;
  if (!library.find_op(call.op)) return {.reason = "no page for " + name};
  call.where = entry["id"].get<std::string>();
  for (const json& input : node["inputs"]) {
    const std::string text = input.get<std::string>();
    if (text.empty()) {
      call.operands.emplace_back();
      continue;
    }
    if (!values.contains(text)) return {.reason = "no numbers for " + text};
    call.operands.emplace_back(values[text]);
  }
  for (const auto& [key, value] : node["attrs"].items()) call.attributes[key] = table_attribute(value);
  return {.call = std::move(call)};
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

class MigraphxTable : public ::testing::Test {
 protected:
  /// True where the call gives the expected output under the profile.
  bool agrees(const OpCall& call, const std::string& profile, const json& expected) {
    auto found = library->find_profile(profile);
    auto results = found ? evaluate(*library, **found, call) : tl::unexpected<Error>(found.error());
    EXPECT_TRUE(results) << to_text(results.error());
    if (!results) return false;
    const Tensor& tensor = results->front().tensor;
    EXPECT_EQ(static_cast<std::size_t>(tensor.size()), expected.size()) << call.where;
    const Tensor gold = table_tensor(tensor.element().name(), tensor.shape(), expected);
    const std::int64_t different = differing(results->front(), gold);
    if (different == 0) return true;
    if (!tensor.element().is_float() || !within_source_tolerance(tensor, gold)) return false;
    std::printf("  exception %s, %s: %d of %d elements differ in their last digits, within the source's 80 epsilon\n", call.where.c_str(), profile.c_str(),
                static_cast<int>(different), static_cast<int>(gold.size()));
    return true;
  }

  std::shared_ptr<const Library> library = spec_pages();
};

TEST_F(MigraphxTable, EveryRow) {
  if (!std::filesystem::exists(table_path("migraphx_cases.json"))) GTEST_SKIP() << "the table of MIGraphX cases is not beside this checkout";
  ASSERT_TRUE(library);
  const json table = read_table("migraphx_cases.json");
  int equal = 0, contradicting = 0, left_out = 0, other = 0;
  for (const json& entry : table["cases"]) {
    const std::string id = entry["id"];
    const std::string name = id.substr(id.rfind('/') + 1);
    if (!entry.contains("model")) {
      std::printf("  left out %s: no model, the calls stand as text\n", id.c_str());
      ++left_out;
      continue;
    }
    const Row row = row_of(entry, *library);
    if (!row.call) {
      std::printf("  left out %s: %s\n", id.c_str(), row.reason.c_str());
      ++left_out;
      continue;
    }
    if (auto cause = not_the_text.find(name); cause != not_the_text.end()) {
      EXPECT_FALSE(evaluate(*library, **library->find_profile("onnx"), *row.call)) << id;
      std::printf("  exception %s: refused, %s\n", id.c_str(), cause->second.c_str());
      ++other;
      continue;
    }
    EXPECT_TRUE(agrees(*row.call, "migraphx-ref", entry["gold"])) << id;
    const bool contradicts = entry["contradicts_onnx"];
    if (contradicts || row.call->op.starts_with("onnx.")) {
      EXPECT_EQ(agrees(*row.call, "onnx", entry["gold"]), !contradicts) << id;
    }
    ++(contradicts ? contradicting : equal);
  }
  std::printf("  %d equal under migraphx-ref, %d more that contradict the text as stated, %d refused, %d left out, of %d\n", equal, contradicting, other, left_out,
              static_cast<int>(table["cases"].size()));
  EXPECT_EQ(equal + contradicting + other + left_out, static_cast<int>(table["cases"].size()));
}

}  // namespace
}  // namespace tiebreak
