// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's own unit tests, all of them, under profile onnxruntime-x64: every expected output equal, every expected refusal refused. Where the
// source states a tolerance and the numbers differ, the case is named with its cause.
#include "testsuite/unit/helpers/published_tables.hpp"

#include <cmath>
#include <map>

namespace tiebreak {
namespace {

/// What the library refuses although the text of the op allows it; the interpreter executes the text.
const std::map<std::string, std::string> legal_refusals{
    {"MatMulInteger_PerRow_A_ZeroPoint_Rejected", "the text allows a zero point for each row of A; the library has no kernel for it"}};

/// Why expected outputs of an op may differ from what the library computes, within the tolerance that the source states.
const std::map<std::string, std::string> stated_tolerances{
    {"DynamicQuantizeLinear", "the scale 4 / 255 is written as 0.0156862792, two ulp beside f32(4 / 255)"},
    {"MatMulIntegerToFloat", "the source's helper sums dequantized products in f32"},
    {"QGemm", "the source's helper sums dequantized products in f32; quantized results are equal"},
    {"QLinearAveragePool", "the source's helper pools floats and rounds elsewhere; it allows one code"},
    {"QLinearGlobalAveragePool", "the source's helper pools floats and rounds elsewhere; it allows one code"}};

/// Attributes that the table does not have as the source has them.
const std::map<std::string, std::map<std::string, double>> attributes_of_the_source{
    {"QLinearLeakyRelu", {{"alpha", 0.1}}}};  // the table has the integer part, 0

struct OrtTally {
  int equal = 0, refused = 0, close = 0;
};

std::string page_of(const json& entry) { return (entry["domain"] == "" ? "onnx." : "microsoft.") + entry["op"].get<std::string>(); }

/// The call, or an error where the table names a type that there is not.
Result<OpCall> table_call(const json& entry) {
  OpCall call;
  call.op = page_of(entry);
  call.version = entry["opset"].get<int>();
  call.where = entry["id"].get<std::string>();
  for (const json& input : entry["inputs"]) {
    if (input.is_null()) {
      call.operands.emplace_back();
      continue;
    }
    if (!ElementType::parse(input["dtype"].get<std::string>())) return fail(Errc::type, "the table does not name the type", call.where);
    call.operands.emplace_back(table_tensor(input["dtype"], input["shape"].get<Shape>(), input["data"]));
  }
  for (const auto& [name, value] : entry["attrs"].items()) call.attributes[name] = table_attribute(value);
  if (auto found = attributes_of_the_source.find(entry["op"]); found != attributes_of_the_source.end())
    for (const auto& [name, value] : found->second) {
      std::printf("  exception %s: %s is %g in the source, %s in the table\n", call.where.c_str(), name.c_str(), value, entry["attrs"][name].dump().c_str());
      call.attributes[name] = Attribute{Real::from_double(value)};
    }
  return call;
}

/// The tolerance of the source: one code in pools, else its checker's for floats.
bool within_source_tolerance(const json& entry, const Tensor& actual, const Tensor& expected) {
  if (actual.shape() != expected.shape()) return false;
  const bool codes = actual.element().is_integer();
  if (codes && !entry.contains("tolerance")) return false;
  const double absolute = codes ? 1 : entry.value("abs_err", 1e-5), relative = codes ? 0 : entry.value("rel_err", 1e-4);
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double a = actual.value(i).to_double(), e = expected.value(i).to_double();
    if (!(std::fabs(a - e) <= absolute + relative * std::fabs(e))) return false;
  }
  return true;
}

void expect_refusal(const json& entry, const Result<std::vector<ResultTensor>>& results, OrtTally& tally) {
  const std::string source = entry["source"];
  const std::string test = source.substr(source.rfind('.') + 1);
  if (auto legal = legal_refusals.find(test); legal != legal_refusals.end()) {
    EXPECT_TRUE(results) << source << ": " << legal->second;
    std::printf("  exception %s: %s\n", entry["id"].get<std::string>().c_str(), legal->second.c_str());
    return;
  }
  EXPECT_FALSE(results) << entry["id"] << " " << source;
  ++tally.refused;
}

void expect_outputs(const json& entry, const std::vector<ResultTensor>& results, OrtTally& tally) {
  bool equal = true;
  for (std::size_t r = 0; r < entry["outputs"].size(); ++r) {
    const json& output = entry["outputs"][r];
    const Tensor expected = table_tensor(output["dtype"], output["shape"].get<Shape>(), output["data"]);
    const std::int64_t different = differing(results[r], expected);
    if (different == 0) continue;
    equal = false;
    const std::string place = entry["id"].get<std::string>() + " " + std::to_string(r);
    const auto cause = stated_tolerances.find(entry["op"]);
    ASSERT_TRUE(cause != stated_tolerances.end() && within_source_tolerance(entry, results[r].tensor, expected))
        << place << " " << entry["source"] << ": " << different << " of " << expected.size() << " differ";
    std::printf("  exception %s: %d of %d elements, %s\n", place.c_str(), static_cast<int>(different), static_cast<int>(expected.size()),
                cause->second.c_str());
  }
  ++(equal ? tally.equal : tally.close);
}

TEST(OrtTable, EveryCase) {
  if (!std::filesystem::exists(table_path("ort_cases.json"))) GTEST_SKIP() << "the table of ONNX Runtime cases is not beside this checkout";
  auto library = spec_pages();
  ASSERT_TRUE(library);
  auto profile = library->find_profile("onnxruntime-x64");
  ASSERT_TRUE(profile);
  const json table = read_table("ort_cases.json");
  const int legal = static_cast<int>(legal_refusals.size());
  std::map<std::string, OrtTally> tallies;
  for (const json& entry : table["cases"]) {
    OrtTally& tally = tallies[page_of(entry)];
    auto call = table_call(entry);
    auto results = call ? evaluate({*library, **profile}, *call) : tl::unexpected<Error>(call.error());
    if (entry["expect"] == "failure") {
      expect_refusal(entry, results, tally);
      continue;
    }
    EXPECT_TRUE(results) << to_text(results.error()) << " " << entry["source"];
    if (results) expect_outputs(entry, *results, tally);
  }
  OrtTally all;
  for (const auto& [op, tally] : tallies) {
    std::printf("  %-34s %4d equal, %3d refused as expected, %2d within the source's tolerance\n", op.c_str(), tally.equal, tally.refused, tally.close);
    all = {all.equal + tally.equal, all.refused + tally.refused, all.close + tally.close};
  }
  EXPECT_EQ(all.equal + all.refused + all.close + legal, static_cast<int>(table["cases"].size()));
  std::printf("  all: %d equal, %d refused as expected, %d within the source's tolerance, of %d\n", all.equal, all.refused, all.close,
              static_cast<int>(table["cases"].size()));
}

}  // namespace
}  // namespace tiebreak
