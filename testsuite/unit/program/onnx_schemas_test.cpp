// SPDX-License-Identifier: Apache-2.0
// The table of operator versions is what ONNX's own library says, as far as the installed one goes; attributes are written in the kinds that it states.
#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

using Kind = onnx::AttributeProto;

nlohmann::json versions() {
  std::ifstream file(TIEBREAK_SOURCE_DIR "/testsuite/models/operator_versions.json");
  return nlohmann::json::parse(file)["versions"];
}

std::string kind_word(int kind) {
  switch (kind) {
    case Kind::FLOAT: return "float";
    case Kind::INT: return "int";
    case Kind::STRING: return "string";
    case Kind::TENSOR: return "tensor";
    case Kind::GRAPH: return "graph";
    case Kind::FLOATS: return "floats";
    case Kind::INTS: return "ints";
    case Kind::STRINGS: return "strings";
    case Kind::SPARSE_TENSOR: return "sparse_tensor";
    case Kind::TYPE_PROTO: return "type_proto";
    default: return std::to_string(kind);
  }
}

template <class Parameters>
nlohmann::json names_of(const Parameters& parameters) {
  nlohmann::json names = nlohmann::json::array();
  for (const auto& one : parameters) names.push_back(one.GetName() + (one.GetOption() == onnx::OpSchema::Variadic ? "..." : ""));
  return names;
}

TEST(OnnxSchemas, TheTableIsWhatTheLibrarySays) {
  const int newest = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  int compared = 0;
  for (const nlohmann::json& row : versions()) {
    const int since = row["since"];
    const std::string op = row["op"], place = op + "-" + std::to_string(since);
    if (since > newest || row["removed"]) continue;
    const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(op, since, "");
    ASSERT_NE(schema, nullptr) << place;
    EXPECT_EQ(schema->since_version(), since) << place;
    nlohmann::json attributes = nlohmann::json::object();
    for (const auto& [name, attribute] : schema->attributes()) attributes[name] = kind_word(attribute.type);
    EXPECT_EQ(attributes, row["attributes"]) << place;
    EXPECT_EQ(names_of(schema->inputs()), row["inputs"]) << place;
    EXPECT_EQ(names_of(schema->outputs()), row["outputs"]) << place;
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

/// The kind in which a model has the attribute.
std::string written_kind(const std::string& op, const std::string& name, Attribute attribute) {
  Program program;
  program.values = {ProgramValue{"x"}, ProgramValue{"y"}};
  program.inputs = {0};
  program.outputs = {1};
  program.operations = {Operation{"onnx." + op, {0}, {1}, {{name, std::move(attribute)}}, 0, "here"}};
  const auto bytes = write_onnx_model(program);
  if (!bytes) return to_text(bytes.error());
  onnx::ModelProto model;
  model.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()));
  return kind_word(model.graph().node(0).attribute(0).type());
}

TEST(OnnxSchemas, WholeNumbersAreWrittenInTheKindOfTheAttribute) {
  for (const nlohmann::json& row : versions()) {
    const std::string op = row["op"];
    for (const auto& [name, kind] : row["attributes"].items()) {
      const bool is_one = kind == "int" || kind == "float";
      if (!is_one && kind != "ints" && kind != "floats") continue;
      EXPECT_EQ(written_kind(op, name, is_one ? Attribute{Real(2)} : Attribute::integers({1, 2})), kind) << op << " " << name;
    }
  }
}

}  // namespace
}  // namespace tiebreak
