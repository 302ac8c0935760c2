// SPDX-License-Identifier: Apache-2.0
// Sources become cases: case files, node tests, pages, folders; ids, filters, selection.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "testsuite/case/request.hpp"
#include "testsuite/examples/spec_verify.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

class LoadCases : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  void SetUp() override {
    folder = fs::temp_directory_path() / ("tiebreak-load-" + std::to_string(::getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder);
    ::setenv("TIEBREAK_CASES", TIEBREAK_SOURCE_DIR "/testsuite/cases", 1);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string write(const std::string& name, const std::string& content) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << content;
    return (folder / name).string();
  }
  static inline std::shared_ptr<const Library> library;
  fs::path folder;
};

TEST_F(LoadCases, EveryCaseOfTheTreeLoadsAndIdsAreUnique) {
  Result<std::vector<Case>> cases = select_cases(*library, {});
  ASSERT_TRUE(cases) << to_text(cases.error());
  std::set<std::string> ids;
  for (const Case& test : *cases) {
    EXPECT_TRUE(ids.insert(test.id).second) << test.id;
    EXPECT_EQ(test.inputs.size(), test.program.inputs.size()) << test.id;
  }
  EXPECT_GT(ids.size(), 100u);
  std::vector<std::string> listed = *list_cases(*library, {});
  EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()), ids);
}

TEST_F(LoadCases, ForMakesACaseForEachCombination) {
  auto file = [&](const std::string& entry) {
    return write("for.json", R"({"schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [)" + entry + "]}");
  };
  const std::string inputs =
      R"("inputs": {"x": {"type": "f32", "shape": ["$n"], "rule": "stairs", "profile": "$P"}, "y_scale": {"type": "f32", "shape": [], "data": ["0x1p-$n"]},
    "y_zero_point": {"type": "$Q", "shape": [], "data": ["$n"]}})";
  Result<std::vector<Case>> cases =
      load_cases(*library, file(R"({"name": "$P/$Q-$n", "for": {"P": ["onnx", "onnxruntime-x64"], "Q": ["u8", "i8"], "n": "2 .. 4"}, )" + inputs + "}"));
  ASSERT_TRUE(cases) << to_text(cases.error());
  ASSERT_EQ(cases->size(), 12u);
  EXPECT_EQ((*cases)[0].id, "onnx.QuantizeLinear/onnx/u8-2");
  EXPECT_EQ((*cases)[11].id, "onnx.QuantizeLinear/onnxruntime-x64/i8-4");
  EXPECT_EQ((*cases)[11].inputs[0].size(), 4);
  EXPECT_EQ((*cases)[11].inputs[1].value(0), Real::power_of_two(-4));
  EXPECT_EQ((*cases)[11].inputs[2].value(0), Real(4));
  auto what = [&](const std::string& entry) {
    Result<std::vector<Case>> read = load_cases(*library, file(entry));
    return read ? std::string("accepted") : to_text(read.error());
  };
  EXPECT_NE(what(R"({"name": "same", "for": {"P": ["onnx"], "Q": ["u8"], "n": [1, 2]}, )" + inputs + "}").find("appears twice"), std::string::npos);
  EXPECT_NE(what(R"({"name": "a$n", "for": {"n": []}, )" + inputs + "}").find("empty"), std::string::npos);
  EXPECT_NE(what(R"({"name": "a$n", "for": {"n": "9 .. 1"}, )" + inputs + "}").find("range"), std::string::npos);
  EXPECT_NE(what(R"({"name": "a$n", "for": {"n": "1 .. 100", "m": "1 .. 100"}, )" + inputs + "}").find("4096"), std::string::npos);
  EXPECT_NE(what(R"({"name": "a$n", "for": ["n"], )" + inputs + "}").find("object"), std::string::npos);
}

TEST_F(LoadCases, StairsOfAnotherOpTakeTheCasesInputs) {
  auto cases_of = [&](const std::string& rule) {
    return load_cases(*library, write("stairs.json", R"({"schema": "tiebreak.case/1", "op": "onnx.Mul", "cases": [{"name": "a", "inputs": {
      "A": {"type": "i32", "shape": [64], "rule": "stairs", )" +
                                                         rule + R"(}, "B": {"type": "i32", "shape": [], "data": [4]}}}]})"));
  };
  // The other input is the zero point here: ties to even around it.
  Result<std::vector<Case>> cases = cases_of(R"("op": "quant.requantize", "varied": "acc", "operands": {"y_zero_point": "B", "x_scale": "B"})");
  EXPECT_FALSE(cases) << "an integer is no scale";
  EXPECT_NE(to_text(cases_of(R"("op": "quant.requantise")").error()).find("quant.requantize"), std::string::npos);
  EXPECT_NE(to_text(cases_of(R"("op": "quant.requantize", "varied": "acc", "operands": {"y_zero_poin": "B"})").error()).find("y_zero_point"),
            std::string::npos);
  EXPECT_NE(to_text(cases_of(R"("profil": "onnx")").error()).find("did you mean 'profile'"), std::string::npos);
}

TEST_F(LoadCases, AbsentOptionalOperandsStayAbsent) {
  std::string path = write("a.json", R"({"schema": "tiebreak.case/1", "op": "onnx.QLinearConv", "cases": [{"name": "no-bias", "inputs": {
    "x": {"type": "u8", "shape": [1, 1, 2, 2], "rule": "random", "seed": 3}, "x_scale": {"type": "f32", "shape": [], "data": [1]}, "x_zero_point": {"type": "u8", "shape": [], "data": [0]},
    "w": {"type": "u8", "shape": [1, 1, 1, 1], "data": [2]}, "w_scale": {"type": "f32", "shape": [], "data": [1]}, "w_zero_point": {"type": "u8", "shape": [], "data": [0]},
    "y_scale": {"type": "f32", "shape": [], "data": [1]}, "y_zero_point": {"type": "u8", "shape": [], "data": [0]}, "B": null}}]})");
  Result<std::vector<Case>> cases = load_cases(*library, path);
  ASSERT_TRUE(cases) << to_text(cases.error());
  EXPECT_EQ(cases->at(0).id, "onnx.QLinearConv/no-bias");
  EXPECT_EQ(cases->at(0).program.inputs.size(), 8u);
  Result<std::vector<ResultTensor>> outputs = evaluate({*library, **library->find_profile("onnx")}, cases->at(0).program, cases->at(0).inputs);
  ASSERT_TRUE(outputs) << to_text(outputs.error());
}

TEST_F(LoadCases, SeedsShiftGeneratedInputsOnly) {
  std::string path = write("a.json", R"({"schema": "tiebreak.case/1", "op": "onnx.Add", "cases": [{"name": "a", "inputs": {
    "A": {"type": "f32", "shape": [8], "rule": "random"}, "B": {"type": "f32", "shape": [], "data": [1]}}}]})");
  auto first_codes = [&](std::uint64_t seed) {
    Case test = load_cases(*library, path, {}, seed)->at(0);
    return std::pair{test.inputs[0].code(0), test.inputs[1].code(0)};
  };
  EXPECT_EQ(first_codes(0), first_codes(0));
  EXPECT_NE(first_codes(0).first, first_codes(1).first);
  EXPECT_EQ(first_codes(0).second, first_codes(1).second);
}

TEST_F(LoadCases, NodeTestsAreReadWithTheirOutputs) {
  Case source =
      load_cases(*library, write("a.json", R"({"schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [{"name": "a", "version": 13, "inputs": {
    "x": {"type": "f32", "shape": [3], "data": [0.5, 1.5, 9]}, "y_scale": {"type": "f32", "shape": [], "data": [1]}, "y_zero_point": {"type": "u8", "shape": [], "data": [0]}}}]})"))
          ->at(0);
  std::vector<ResultTensor> outputs = *evaluate({*library, **library->find_profile("onnx")}, source.program, source.inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) source.program.values[static_cast<std::size_t>(source.program.outputs[i])].type = outputs[i].tensor.type();
  Result<std::vector<std::byte>> model = write_onnx_model(source.program);
  ASSERT_TRUE(model) << to_text(model.error());
  write("test_demo/model.onnx", std::string(reinterpret_cast<const char*>(model->data()), model->size()));
  // A TensorProto by hand: dims (1), data_type (2), raw_data (9).
  auto tensor = [](const std::string& dimensions, char type, const std::string& raw) {
    return dimensions + '\x10' + type + '\x4a' + static_cast<char>(raw.size()) + raw;
  };
  auto raw = [](const Tensor& t) { return std::string(reinterpret_cast<const char*>(t.bytes().data()), t.bytes().size()); };
  const std::string three("\x08\x03", 2);
  write("test_demo/test_data_set_0/input_0.pb", tensor(three, 1, raw(source.inputs[0])));
  write("test_demo/test_data_set_0/input_1.pb", tensor("", 1, raw(source.inputs[1])));
  write("test_demo/test_data_set_0/input_2.pb", tensor("", 2, raw(source.inputs[2])));
  write("test_demo/test_data_set_0/output_0.pb", tensor(three, 2, std::string("\x00\x02\x09", 3)));
  fs::remove(folder / "a.json");
  for (const std::string& path : {(folder / "test_demo").string(), folder.string(), (folder / "test_demo" / "model.onnx").string()}) {
    Result<std::vector<Case>> cases = load_cases(*library, path);
    ASSERT_TRUE(cases) << path << ": " << to_text(cases.error());
    ASSERT_EQ(cases->size(), 1u);
    const Case& test = cases->at(0);
    EXPECT_EQ(test.id, "onnx.QuantizeLinear/test_demo");
    ASSERT_FALSE(test.unusable) << test.unusable->what;
    EXPECT_EQ(test.inputs[0].code(1), source.inputs[0].code(1));
    ASSERT_EQ(test.literals.at("").size(), 1u);
    EXPECT_EQ(test.literals.at("")[0].code(2), 9u);
  }
  fs::remove(folder / "test_demo/test_data_set_0/input_2.pb");
  EXPECT_FALSE(load_cases(*library, (folder / "test_demo").string())) << "a missing input is an error of the data";
  Result<std::vector<Case>> many = load_cases(*library, folder.string());
  ASSERT_TRUE(many) << "one damaged test does not hide the others";
  EXPECT_EQ(many->at(0).unusable->code, Errc::type);
}

TEST_F(LoadCases, OneIdFromTwoSourcesIsAnError) {
  const char* content =
      R"({"schema": "tiebreak.case/1", "op": "onnx.Neg", "cases": [{"name": "a", "inputs": {"X": {"type": "f32", "shape": [], "data": [1]}}}]})";
  std::string a = write("a.json", content), b = write("b.json", content);
  EXPECT_EQ(select_cases(*library, {{a, a}, {}})->size(), 1u) << "the same file twice is harmless";
  Result<std::vector<Case>> both = select_cases(*library, {{a, b}, {}});
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().what.find("a.json"), std::string::npos);
  EXPECT_NE(both.error().what.find("b.json"), std::string::npos);
}

TEST_F(LoadCases, FilesOfOpsThatAreNotWantedAreNotRead) {
  const std::string inputs = R"("inputs": {"X": {"type": "f32", "shape": [], "data": [1]}})";
  write("good.json", R"({"schema": "tiebreak.case/1", "op": "onnx.Neg", "cases": [{"name": "a/b", )" + inputs + "}]}");
  write("broken.json", R"({"schema": "tiebreak.case/1", "op": "onnx.Abs", "cases": [{"name": "a", "inputs": 7}, )");
  auto count = [&](Selection selection) {
    selection.sources = {folder.string()};
    const Result<std::vector<Case>> cases = select_cases(*library, selection);
    const Result<std::vector<std::string>> ids = list_cases(*library, selection);
    EXPECT_EQ(cases.has_value(), ids.has_value());
    return cases && ids && ids->size() == cases->size() ? static_cast<int>(cases->size()) : -1;
  };
  EXPECT_EQ(count({}), -1) << "the broken file is met";
  for (const char* glob : {"onnx.Neg/*", "onnx.Neg/a/b", "onnx.N*b", "onnx.Neg*"}) EXPECT_EQ(count({.globs = {glob}}), 1) << glob;
  EXPECT_EQ(count({.globs = {"tosa.*"}}), 0) << "a family may have no cases here";
  for (const char* glob : {"onnx.Nega/*", "onnx.Ne/*"}) {
    const Result<std::vector<Case>> none = select_cases(*library, {.sources = {folder.string()}, .globs = {glob}});
    EXPECT_EQ(none ? "" : none.error().what, "no case matches '" + std::string(glob) + "'") << "and the broken file is not met";
  }
  for (const char* glob : {"*/b", "onnx.?eg/*", "onnx.*", "onnx.Abs/*"}) EXPECT_EQ(count({.globs = {glob}}), -1) << glob;
  EXPECT_EQ(count({.globs = {"onnx.Abs/*", "onnx.Neg/*"}}), -1) << "any of the globs";
  EXPECT_EQ(count({.ops = [](const std::string& op) { return op == "onnx.Neg"; }}), 1);
  EXPECT_EQ(count({.ops = [](const std::string& op) { return op == "onnx.Abs"; }}), -1);
}

TEST_F(LoadCases, PagesByNameAndByFile) {
  for (const char* source : {"onnx.QuantizeLinear", TIEBREAK_SOURCE_DIR "/spec/onnx/QuantizeLinear.md"}) {
    Result<std::vector<Case>> cases = load_cases(*library, source);
    ASSERT_TRUE(cases) << to_text(cases.error());
    EXPECT_GT(cases->size(), 5u);
    EXPECT_EQ(cases->at(0).id, "onnx.QuantizeLinear/example-1");
    EXPECT_TRUE(cases->at(0).stated.contains("reference"));
  }
}

TEST_F(LoadCases, ChoicesOfAnOpIncludeThoseOfItsModules) {
  std::vector<OpChoice> choices = choices_of(*library, "onnx.QuantizeLinear");
  auto tie = std::find_if(choices.begin(), choices.end(), [](const OpChoice& choice) { return choice.name == "tie"; });
  ASSERT_NE(tie, choices.end());
  EXPECT_EQ(tie->key, "onnx.QuantizeLinear/tie");
  std::vector<OpChoice> conv = choices_of(*library, "onnx.QLinearConv");
  auto of_module = std::find_if(conv.begin(), conv.end(), [](const OpChoice& choice) { return !choice.alias.empty(); });
  ASSERT_NE(of_module, conv.end());
  EXPECT_EQ(of_module->name, of_module->alias + "." + of_module->own_name);
  EXPECT_EQ(of_module->key, "onnx.QLinearConv/" + of_module->name);
}

}  // namespace
}  // namespace tiebreak
