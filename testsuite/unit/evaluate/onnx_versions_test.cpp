// SPDX-License-Identifier: Apache-2.0
// Every ONNX operator that has a page, in every version since opset 7: its attributes, operands and results are the page's, or are refused for a reason that
// stands here.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/notation/attribute_names.hpp"

namespace tiebreak {
namespace {

using nlohmann::json;

/// What a page does not take, in which versions, and why.
struct Refused {
  std::string op, what;
  int first, last;
  std::string reason;
};
const std::vector<Refused> refused = {
    {"BatchNormalization", "results", 7, 13, "the five results of training: opset 14 gave training another form"},
    {"CastLike", "round_mode", 24, 25, "the page hands on saturate alone"},
    {"Scan", "directions", 8, 8, "the first axis was a batch: the page describes opset 9 and newer"},
};

class OnnxVersions : public testing::Test {
 protected:
  OnnxVersions() : library_(*Library::load(TIEBREAK_SOURCE_DIR "/spec")) {
    std::ifstream file(TIEBREAK_SOURCE_DIR "/testsuite/models/operator_versions.json");
    rows_ = json::parse(file)["versions"];
  }
  const notation::Op* page_of(const json& row) const {
    const auto place = library_->find_op("onnx." + std::string(row["op"]));
    return place ? place->op : nullptr;
  }
  static std::string place_of(const json& row) { return std::string(row["op"]) + "-" + std::to_string(int(row["since"])); }
  static bool is_refused(const json& row, const std::string& what) {
    const int since = row["since"];
    return std::ranges::any_of(refused, [&](const Refused& one) { return one.op == row["op"] && one.what == what && one.first <= since && since <= one.last; });
  }

  std::shared_ptr<const Library> library_;
  json rows_;
};

bool is_variadic(const json& names) { return !names.empty() && std::string(names.back()).ends_with("..."); }

TEST_F(OnnxVersions, EachFormIsThePagesOrIsRefusedForAReason) {
  int checked = 0;
  for (const json& row : rows_) {
    const notation::Op* page = page_of(row);
    if (page == nullptr || row["removed"]) continue;
    ++checked;
    std::set<std::string> attributes;
    for (const notation::Operand& one : page->attributes) attributes.insert(notation::program_name(one.name));
    attributes.insert(page->regions.begin(), page->regions.end());
    for (const auto& [name, kind] : row["attributes"].items()) EXPECT_TRUE(attributes.contains(name) || is_refused(row, name)) << place_of(row) << " " << name;
    const bool takes_many = std::ranges::any_of(page->operands, &notation::Operand::variadic);
    const bool gives_many = std::ranges::any_of(page->results, &notation::Operand::variadic);
    EXPECT_TRUE(takes_many || (!is_variadic(row["inputs"]) && row["inputs"].size() <= page->operands.size()) || is_refused(row, "operands")) << place_of(row);
    EXPECT_TRUE(gives_many || (!is_variadic(row["outputs"]) && row["outputs"].size() <= page->results.size()) || is_refused(row, "results")) << place_of(row);
    const auto needed =
        std::ranges::count_if(page->operands, [](const notation::Operand& one) { return !one.optional && !one.variadic && !one.default_value; });
    EXPECT_LE(static_cast<std::size_t>(needed), row["inputs"].size()) << place_of(row);
  }
  EXPECT_GT(checked, 250);
}

TEST_F(OnnxVersions, NoPageHasAnAttributeThatNoVersionHas) {
  std::map<std::string, std::set<std::string>> known;
  for (const json& row : rows_)
    for (const auto& [name, kind] : row["attributes"].items()) known[row["op"]].insert(name);
  for (const json& row : rows_) {
    const notation::Op* page = page_of(row);
    if (page == nullptr) continue;
    for (const notation::Operand& one : page->attributes)
      EXPECT_TRUE(known[row["op"]].contains(notation::program_name(one.name))) << place_of(row) << " " << one.name;
  }
}

}  // namespace
}  // namespace tiebreak
