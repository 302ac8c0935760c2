// SPDX-License-Identifier: Apache-2.0
// ONNX models: the installed node tests, hand-made ones of every kind of defect, and all data types.
#include <gtest/gtest.h>

#include <filesystem>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/program/onnx_wire.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> node_tests() {
  std::vector<fs::path> folders;
  const fs::path root = "/usr/share/libonnx-testdata/data/node";
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(root, code)) {
    const std::string name = entry.path().filename().string();
    if (name.find("quant") != std::string::npos || name.find("qlinear") != std::string::npos || name.find("integer") != std::string::npos)
      folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

TEST(OnnxNodeTests, ModelsAndTheirDataRead) {
  const auto folders = node_tests();
  if (folders.empty()) GTEST_SKIP() << "the ONNX node tests are not installed";
  EXPECT_EQ(folders.size(), 17U);
  for (const fs::path& folder : folders) {
    const auto program = read_onnx_file(folder / "model.onnx");
    ASSERT_TRUE(program) << to_text(program.error());
    EXPECT_FALSE(program->operations.empty()) << folder;
    for (const Operation& operation : program->operations) EXPECT_TRUE(operation.op.starts_with("onnx.") && operation.version >= 10) << operation.op;
    for (std::size_t i = 0; i < program->inputs.size(); ++i) {
      std::string name;
      const auto tensor = read_onnx_tensor_file(folder / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb"), &name);
      ASSERT_TRUE(tensor) << to_text(tensor.error());
      const ProgramValue& value = program->values[static_cast<std::size_t>(program->inputs[i])];
      EXPECT_EQ(name, value.name);
      ASSERT_TRUE(value.type);
      EXPECT_TRUE(same_type(*value.type, tensor->type())) << folder << " " << name;
    }
    for (std::size_t i = 0; i < program->outputs.size(); ++i) {
      const auto tensor = read_onnx_tensor_file(folder / "test_data_set_0" / ("output_" + std::to_string(i) + ".pb"));
      ASSERT_TRUE(tensor) << to_text(tensor.error());
    }
    const std::string text = print_mlir(*program);
    const auto parsed = parse_mlir(text, "printed");
    ASSERT_TRUE(parsed) << to_text(parsed.error()) << "\n" << text;
    EXPECT_EQ(print_mlir(parsed->functions[0]), text);
    const auto bytes = write_onnx_model(*program);
    ASSERT_TRUE(bytes) << to_text(bytes.error());
    const auto again = read_onnx(*bytes, program->file);
    ASSERT_TRUE(again) << to_text(again.error());
    EXPECT_EQ(print_mlir(*again), text);
  }
}

TEST(OnnxNodeTests, EveryTruncationEndsInAnError) {
  const auto folders = node_tests();
  if (folders.empty()) GTEST_SKIP() << "the ONNX node tests are not installed";
  const auto program = read_onnx_file(folders.back() / "model.onnx");
  ASSERT_TRUE(program);
  const auto bytes = *write_onnx_model(*program);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = read_onnx(std::span(bytes).first(size), "cut.onnx");
    EXPECT_TRUE(cut || !cut.error().where.empty());
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int flip : {1, 0x80, 0xFF}) {
      auto changed = bytes;
      changed[at] ^= static_cast<std::byte>(flip);
      static_cast<void>(read_onnx(changed, "changed.onnx"));
    }
  }
}

Result<Tensor> initializer(const std::vector<std::int64_t>& dims, int type, const std::string& data) {
  const std::string graph = wire::block(5, wire::tensor("c", dims, type, data)) + wire::block(12, wire::value_info("c"));
  TIEBREAK_TRY(program, read_onnx(wire::bytes(wire::model(graph)), "m.onnx"));
  return *program.values.at(0).constant;
}

TEST(OnnxTensor, SubByteTypesArePackedLowBitsFirst) {
  const auto codes = [](const Result<Tensor>& tensor) {
    std::vector<std::uint64_t> result;
    if (!tensor) ADD_FAILURE() << to_text(tensor.error());
    for (std::int64_t i = 0; tensor && i < tensor->size(); ++i) result.push_back(tensor->code(i));
    return result;
  };
  using ElementCodes = std::vector<std::uint64_t>;
  for (int type : {21, 22, 23}) {
    EXPECT_EQ(codes(initializer({3}, type, wire::raw("\x21\x0F"))), (ElementCodes{1, 2, 15})) << type;
    EXPECT_EQ(codes(initializer({3}, type, wire::int32s({0x21, 0xF}))), (ElementCodes{1, 2, 15})) << type;
  }
  for (int type : {25, 26}) {
    EXPECT_EQ(codes(initializer({5}, type, wire::raw("\xE4\x02"))), (ElementCodes{0, 1, 2, 3, 2})) << type;
    EXPECT_EQ(codes(initializer({5}, type, wire::int32s({0xE4, 2}))), (ElementCodes{0, 1, 2, 3, 2})) << type;
  }
  EXPECT_EQ(codes(initializer({2}, 17, wire::raw("\x7E\xFF"))), (ElementCodes{0x7E, 0xFF}));
  EXPECT_EQ(codes(initializer({2}, 24, wire::int32s({127, 255}))), (ElementCodes{127, 255}));
  EXPECT_EQ(codes(initializer({2}, 10, wire::int32s({0x3C00, 0xFC00}))), (ElementCodes{0x3C00, 0xFC00}));
  EXPECT_EQ(codes(initializer({2}, 3, wire::int32s({-128, 127}))), (ElementCodes{0x80, 0x7F}));
}

TEST(OnnxTensor, DataThatDoesNotFitIsRefused) {
  const std::vector<std::pair<const char*, Result<Tensor>>> tensors{
      {"short raw", initializer({3}, 3, wire::raw("ab"))},
      {"short packed", initializer({3}, 21, wire::raw("a"))},
      {"long packed", initializer({2}, 21, wire::raw("ab"))},
      {"no data", initializer({3}, 1, "")},
      {"giant", initializer({1'000'000'000}, 1, "")},
      {"too large", initializer({1'000'000'000, 1'000'000'000}, 1, "")},
      {"negative dimension", initializer({-1}, 3, wire::raw("a"))},
      {"out of range", initializer({1}, 3, wire::int32s({200}))},
      {"negative bits", initializer({1}, 10, wire::int32s({-1}))},
      {"wide bits", initializer({1}, 17, wire::int32s({256}))},
      {"truth of 2", initializer({1}, 9, wire::raw("\x02"))},
      {"string", initializer({1}, 8, wire::block(6, "x"))},
      {"unknown type", initializer({1}, 99, wire::raw("a"))},
      {"undefined type", initializer({1}, 0, wire::raw("a"))},
      {"external", initializer({1}, 3, wire::block(13, wire::block(1, "location") + wire::block(2, "/etc/passwd")))},
      {"external by location", initializer({1}, 3, wire::integer(14, 1))},
      {"wrong field", initializer({1}, 1, wire::int32s({1}))},
  };
  for (const auto& [name, tensor] : tensors) {
    ASSERT_FALSE(tensor) << name;
    EXPECT_TRUE(tensor.error().where.starts_with("m.onnx: tensor 'c'")) << name << ": " << tensor.error().where;
  }
}

Result<Program> graph(const std::string& nodes, int opset = 21) {
  return read_onnx(wire::bytes(wire::model(nodes + wire::block(11, wire::value_info("x")) + wire::block(12, wire::value_info("y")), opset)), "m.onnx");
}

TEST(OnnxGraph, NodesAreSorted) {
  const auto program = graph(wire::node("B", {"h"}, {"y"}) + wire::node("A", {"x"}, {"h"}));
  ASSERT_TRUE(program) << to_text(program.error());
  EXPECT_EQ(program->operations.at(0).op, "onnx.A");
  EXPECT_EQ(program->operations.at(1).op, "onnx.B");
  EXPECT_EQ(program->operations.at(1).where, "m.onnx: node 'B_node' (B)");
  EXPECT_EQ(program->operations.at(1).version, 21);
  EXPECT_FALSE(program->values.at(0).type);
}

TEST(OnnxGraph, Defects) {
  struct Defect {
    std::string name;
    std::string nodes;
    Errc code;
    std::string what;
    std::string where;
  };
  const std::string subgraph = wire::attribute("body", wire::integer(20, 5) + wire::block(6, ""));
  const std::vector<Defect> defects{
      {"cycle", wire::node("Z", {"x"}, {"z"}) + wire::node("A", {"b", "z"}, {"a"}) + wire::node("B", {"a"}, {"b"}) + wire::node("C", {"b"}, {"y"}),
       Errc::corrupt, "this node reads its own result", "m.onnx: node 'A_node' (A)"},
      {"reads itself", wire::node("A", {"y"}, {"y"}), Errc::corrupt, "this node reads its own result", "m.onnx: node 'A_node' (A)"},
      {"missing input", wire::node("A", {"q"}, {"y"}), Errc::corrupt, "'q' is not defined", "m.onnx: node 'A_node' (A)"},
      {"output twice", wire::node("A", {"x"}, {"y"}) + wire::node("B", {"x"}, {"y"}), Errc::corrupt, "'y' is defined twice", "m.onnx: node 'B_node' (B)"},
      {"output is an input", wire::node("A", {"x"}, {"x"}), Errc::corrupt, "'x' is defined twice", "m.onnx: node 'A_node' (A)"},
      {"no output", wire::node("A", {"x"}, {"z"}), Errc::corrupt, "the output 'y' is not defined", "m.onnx"},
      {"subgraph", wire::node("If", {"x"}, {"y"}, subgraph), Errc::unsupported, "the operator has no graph 'body'", "m.onnx: node 'If_node' (If)"},
      {"domain", wire::node("A", {"x"}, {"y"}, wire::block(7, "my.domain")), Errc::corrupt, "the model imports no opset of the domain 'my.domain'",
       "m.onnx: node 'A_node' (A)"},
      {"unknown dtype", wire::node("Cast", {"x"}, {"y"}, wire::attribute("to", wire::integer(20, 2) + wire::integer(3, 77))), Errc::unsupported,
       "the data type 77", "m.onnx: node 'Cast_node' (Cast): attribute 'to'"},
      {"attribute twice", wire::node("A", {"x"}, {"y"}, wire::attribute("a", wire::integer(3, 1)) + wire::attribute("a", wire::integer(3, 1))), Errc::corrupt,
       "the attribute 'a' stands twice", "m.onnx: node 'A_node' (A)"},
      {"nameless attribute", wire::node("A", {"x"}, {"y"}, wire::attribute("", wire::integer(3, 1))), Errc::corrupt, "an attribute without a name",
       "m.onnx: node 'A_node' (A): attribute ''"},
      {"empty attribute", wire::node("A", {"x"}, {"y"}, wire::attribute("a", "")), Errc::corrupt, "an attribute without a type",
       "m.onnx: node 'A_node' (A): attribute 'a'"},
  };
  for (const Defect& defect : defects) {
    const auto program = graph(defect.nodes);
    ASSERT_FALSE(program) << defect.name;
    EXPECT_TRUE(program.error().what.starts_with(defect.what)) << defect.name << ": " << program.error().what;
    EXPECT_EQ(program.error().where, defect.where) << defect.name;
    EXPECT_EQ(to_word(program.error().code), std::string(to_word(defect.code))) << defect.name;
  }
}

TEST(OnnxGraph, ForeignFiles) {
  EXPECT_EQ(read_onnx({}, "m").error().code, Errc::corrupt);
  EXPECT_EQ(read_onnx(wire::bytes("this is not a model"), "m").error().code, Errc::corrupt);
  EXPECT_EQ(read_onnx(wire::bytes(wire::integer(1, 10)), "m").error().code, Errc::corrupt);
  EXPECT_EQ(read_onnx(wire::bytes(wire::integer(1, 10) + wire::block(25, "")), "m").error().code, Errc::corrupt);
  EXPECT_EQ(read_onnx_file("/nonexistent/model.onnx").error().code, Errc::io);
  EXPECT_EQ(read_onnx_file("/").error().code, Errc::io);
}

/// TypeProto with one of its other kinds, each of which has a message of its own.
TEST(OnnxGraph, ValuesThatAreNoTensors) {
  const std::vector<std::pair<int, std::string>> kinds{
      {4, "a sequence"}, {5, "a map"}, {8, "a sparse tensor"}, {9, "an optional value"}, {7, "an opaque value"}};
  for (const auto& [field, kind] : kinds) {
    for (const auto& [place, word] : std::vector<std::pair<int, std::string>>{{11, "input"}, {12, "output"}}) {
      const std::string graph = wire::node("Identity", {"x"}, {"y"}) + wire::block(place, wire::block(1, "v") + wire::block(2, wire::block(field, "")));
      const auto program = read_onnx(wire::bytes(wire::model(graph)), "m.onnx");
      ASSERT_FALSE(program);
      EXPECT_EQ(program.error().code, Errc::unsupported);
      EXPECT_EQ(program.error().what, "it is " + kind + ": of a model's inputs and outputs only tensors are supported");
      EXPECT_EQ(program.error().where, "m.onnx: " + word + " 'v'");
    }
  }
}

TEST(OnnxGraph, ConstantsAndAttributes) {
  const std::string constant =
      wire::node("Constant", {}, {"c"}, wire::attribute("value", wire::integer(20, 4) + wire::block(5, wire::tensor("", {2}, 3, wire::raw("ab")))));
  const std::string numbers =
      wire::node("Constant", {}, {"d"}, wire::attribute("value_ints", wire::integer(20, 7) + wire::integer(8, 5) + wire::integer(8, -6)));
  const std::string use =
      wire::node("A", {"c", "", "d"}, {"y", ""},
                 wire::attribute("to", wire::integer(20, 2) + wire::integer(3, 22)) + wire::attribute("precision", wire::integer(20, 2) + wire::integer(3, 0)) +
                     wire::attribute("alpha", wire::integer(20, 1) + std::string("\x15\x00\x00\x80\x3E", 5)) +
                     wire::attribute("mode", wire::integer(20, 3) + wire::block(4, "linear")));
  const auto program = graph(constant + numbers + use);
  ASSERT_TRUE(program) << to_text(program.error());
  ASSERT_EQ(program->operations.size(), 1U);
  const Operation& operation = program->operations[0];
  EXPECT_EQ(operation.operands.at(1), -1);
  EXPECT_EQ(operation.results.size(), 1U);
  EXPECT_EQ(to_text(operation.attributes.at("to")), "i4");
  EXPECT_TRUE(operation.attributes.at("precision").is_none());
  EXPECT_EQ(to_text(operation.attributes.at("alpha")), "1/4");
  EXPECT_EQ(operation.attributes.at("mode").as_string(), "linear");
  const auto& listed = *program->values[static_cast<std::size_t>(operation.operands[2])].constant;
  EXPECT_EQ(to_text(listed.type()), "tensor<2xi64>");
  EXPECT_EQ(listed.value(1).to_int64(), -6);
}

}  // namespace
}  // namespace tiebreak
