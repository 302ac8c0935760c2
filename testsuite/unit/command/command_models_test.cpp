// SPDX-License-Identifier: Apache-2.0
// tiebreak check --per-layer on the small models: the reference backend gives what the pages say in every layer; one layer made wrong is found
// and named; a layer without a page is taken from the backend; reports read back.
#include <nlohmann/json.hpp>

#include "interpreter/program/onnx_tensor_file.hpp"
#include "interpreter/program/program.hpp"
#include "testsuite/models/small_models.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandModels : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    if (IsSkipped()) return;
    auto written = models::write_small_models(folder_.string());
    ASSERT_TRUE(written) << to_text(written.error());
  }
  std::vector<std::string> per_layer(const std::string& model, const std::string& backend, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"check", path(model + ".onnx"), "--per-layer", "--backend", backend};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  nlohmann::json report(const std::string& name) { return nlohmann::json::parse(read(name)); }
};

TEST_F(CommandModels, TheReferenceBackendIsTheReferenceInEveryLayer) {
  for (const models::SmallModel& model : models::small_models()) {
    CommandOutcome outcome =
        run(per_layer(model.name, "reference", {"--profile", "onnx", "--backend-option=--profile", "--backend-option=onnx", "--json=" + path("r.json")}));
    EXPECT_EQ(outcome.code, 0) << model.name << "\n" << outcome.out << outcome.err;
    nlohmann::json found = report("r.json");
    ASSERT_EQ(found["models"].size(), 1U);
    EXPECT_EQ(found["models"][0]["run"], "graph");
    EXPECT_FALSE(found["models"][0].contains("first_local"));
    EXPECT_EQ(found["models"][0]["layers"].size() + 1, found["cases"].size());
    EXPECT_EQ(found["counts"]["conform"], found["cases"].size()) << outcome.out;
  }
}

TEST_F(CommandModels, SomeChoicesMayBeTakenOtherwise) {
  const std::string word = "onnx:onnx.QuantizeLinear/tie=zero";
  CommandOutcome same = run(per_layer("cnn.qdq", "reference", {"--profile", word, "--json=" + path("r.json")}));
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_EQ(report("r.json")["context"]["profile"], word);
  CommandOutcome parted =
      run(per_layer("cnn.qdq", "reference",
                    {"--profile", word, "--backend-option=--profile", "--backend-option=onnx", "--layer-cases", path("wrong"), "--json=" + path("r.json")}));
  EXPECT_EQ(parted.code, 1) << parted.out << parted.err;
  EXPECT_GT(report("r.json")["counts"].value("fail", 0), 4) << "each quantization that cuts something off";
  for (const auto& file : std::filesystem::directory_iterator(path("wrong"))) {
    CommandOutcome again = run({"check", file.path().string(), "--backend", "reference", "--profile", word});
    EXPECT_EQ(again.code, 0) << "a layer's file is read as any other\n" << again.out << again.err;
  }
  EXPECT_EQ(run(per_layer("cnn.qdq", "reference", {"--profile", "onnx:requantize.tie=away"})).code, 2) << "no op of the model has it";
}

/// What became an operand is an attribute in older operator sets.
std::string forms_of(int opset) { return models::older_forms(opset).name; }

TEST_F(CommandModels, EveryOperatorSetHasItsOwnForms) {
  for (int opset = models::oldest_forms; opset <= models::newest_forms; ++opset) {
    CommandOutcome outcome =
        run(per_layer(forms_of(opset), "reference", {"--profile", "onnx", "--backend-option=--profile", "--backend-option=onnx", "--json=" + path("r.json")}));
    EXPECT_EQ(outcome.code, 0) << opset << "\n" << outcome.out << outcome.err;
    const nlohmann::json found = report("r.json");
    EXPECT_EQ(found["counts"]["conform"], found["cases"].size()) << opset << "\n" << outcome.out;
  }
}

TEST_F(CommandModels, OnnxRuntimeTakesTheFormsOfEveryOperatorSet) {
  if (run({"backend", "info", "onnxruntime"}).code != 0) GTEST_SKIP() << "ONNX Runtime is not installed";
  for (int opset = models::oldest_forms; opset <= models::newest_forms; ++opset) {
    // Kernels add in orders of their own; nothing is left out, and no layer differs by more.
    CommandOutcome outcome = run(per_layer(forms_of(opset), "onnxruntime", {"--profile", "onnx", "--policy", "absolute:0.0001", "--json=" + path("r.json")}));
    EXPECT_LE(outcome.code, 1) << opset << "\n" << outcome.out << outcome.err;
    const nlohmann::json found = report("r.json");
    EXPECT_EQ(found["models"][0]["run"], "graph") << opset;
    EXPECT_EQ(found["counts"]["conform"], found["cases"].size()) << opset << "\n" << outcome.out;
  }
}

TEST_F(CommandModels, AFormThatAPageDoesNotDescribeIsUnsupported) {
  // A node test with outputs is a valid model: not the case is at fault, but the page says nothing of sines of whole numbers. Without outputs nobody vouches.
  Program program;
  const TensorType type{*ElementType::parse("i32"), {2}, {}};
  program.values = {ProgramValue{"x", type}, ProgramValue{"y", type}};
  program.inputs = {0};
  program.outputs = {1};
  program.operations = {Operation{"onnx.Sin", {0}, {1}, {}, 22, ""}};
  const auto text = [](const std::vector<std::byte>& bytes) { return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
  std::filesystem::create_directories(path("test_sin/test_data_set_0"));
  write("test_sin/model.onnx", text(*write_onnx_model(program)));
  write("test_sin/test_data_set_0/input_0.pb", text(*write_onnx_tensor(*Tensor::zeros(type), "x")));
  const std::vector<std::string> check{"check", path("test_sin"), "--backend", "reference", "--profile", "onnx"};
  EXPECT_EQ(run(check).code, 2);
  write("test_sin/test_data_set_0/output_0.pb", text(*write_onnx_tensor(*Tensor::zeros(type), "y")));
  const CommandOutcome outcome = run(check);
  EXPECT_EQ(outcome.code, 5) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("the page does not describe it: onnx.Sin"), std::string::npos) << outcome.out;
}

TEST_F(CommandModels, ThePlantedDifferenceIsInTheLayerThatHasIt) {
  // The backend adds the bias to the rounded sum: against the exact one, convolutions are wrong by themselves, and nothing else is, although values behind
  // them differ.
  const std::string spec = path("spec");
  std::filesystem::copy(TIEBREAK_SOURCE_DIR "/spec", spec, std::filesystem::copy_options::recursive);
  write("spec/systems/onnx/planted.json",
        R"({"name": "planted", "extends": "onnx", "title": "bias after the sum", "system": "onnx", "versions": "1", "isa": [], "sources": ["onnx-nn"],
    "choices": {"onnx.Conv/bias": "after"}})");
  CommandOutcome outcome = run(per_layer("cnn.qdq", "reference",
                                         {"--profile", "onnx:order=exact", "--backend-option=--spec", "--backend-option=" + spec, "--backend-option=--profile",
                                          "--backend-option=planted", "--json=" + path("r.json"), "--html", path("r.html"), "--layer-cases", path("layers")}));
  ASSERT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  nlohmann::json found = report("r.json");
  EXPECT_EQ(found["models"][0]["first_local"], "cnn.qdq/04.stem-conv") << outcome.out;
  for (const auto& test : found["cases"]) {
    if (test["status"] != "fail" || std::string(test["id"]).ends_with("/outputs")) continue;
    EXPECT_EQ(test["op"], "onnx.Conv") << test["id"];
    EXPECT_EQ(test["cause"]["clauses"][0]["choice"], "bias") << test["cause"];
  }
  const nlohmann::json& relu = found["models"][0]["layers"][5]["values"][0];
  EXPECT_EQ(relu["local"]["different"], 0);
  EXPECT_GT(relu["accumulated"]["different"], 0);
  EXPECT_NE(read("r.html").find("cnn.qdq/04.stem-conv"), std::string::npos);
  // The layer is a case of its own that fails in the same way.
  EXPECT_EQ(run({"check", path("layers/04.stem-conv.json"), "--backend", "reference", "--profile", "onnx:order=exact", "--backend-option=--spec",
                 "--backend-option=" + spec, "--backend-option=--profile", "--backend-option=planted"})
                .code,
            1);
  // The stored report makes the same page again.
  EXPECT_EQ(run({"report", "show", path("r.json"), "--html", path("again.html")}).code, 0);
  EXPECT_EQ(read("again.html"), read("r.html"));
}

TEST_F(CommandModels, ALayerWithoutAPageIsTakenFromTheBackend) {
  // The command has no page of Flatten; the backend, which has, computes it.
  const std::string spec = path("fewer");
  std::filesystem::copy(TIEBREAK_SOURCE_DIR "/spec", spec, std::filesystem::copy_options::recursive);
  std::filesystem::remove(spec + "/onnx/Flatten.md");
  auto program = models::cnn_qdq();
  for (Operation& operation : program.operations) {  // an output states its type, as shape inference does of every value
    if (operation.op != "onnx.Flatten") continue;
    program.values[static_cast<std::size_t>(operation.results[0])].type = TensorType{*ElementType::parse("f32"), {1, 16}, {}};
    program.outputs.push_back(operation.results[0]);
  }
  auto bytes = write_onnx_model(program);
  ASSERT_TRUE(bytes);
  write("typed.onnx", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  environment = {"TIEBREAK_SPEC=" + spec};
  CommandOutcome outcome = run({"check", path("typed.onnx"), "--per-layer", "--profile", "onnx", "--backend", "reference", "--backend-option=--spec",
                                "--backend-option=" TIEBREAK_SOURCE_DIR "/spec", "--backend-option=--profile", "--backend-option=onnx", "--allow-unsupported"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("no page: taken from the backend"), std::string::npos) << outcome.out;
}

TEST_F(CommandModels, InputsComeFromFilesOrASeed) {
  CommandOutcome first = run(per_layer("cnn.qoperator", "reference", {"--profile", "onnx", "-k", "*/outputs", "--seed", "3"}));
  EXPECT_NE(first.out.find("generated, seed 3"), std::string::npos) << first.out << first.err;
  EXPECT_EQ(run(per_layer("cnn.qoperator", "reference", {"--profile", "onnx", "--inputs", path("nothing.pb")})).code, 2);
  EXPECT_EQ(run({"check", "--per-layer", "--backend", "reference", TIEBREAK_SOURCE_DIR "/spec"}).code, 2);
  CommandOutcome list = run({"check", path("cnn.qoperator.onnx"), "--per-layer", "--list", "-k", "*conv"});
  EXPECT_EQ(list.out, "cnn.qoperator/01.stem-conv\ncnn.qoperator/03.body-conv\ncnn.qoperator/04.side-conv\n") << list.err;
}

TEST_F(CommandModels, OnnxRuntimeRunsThemAll) {
  if (run({"backend", "info", "onnxruntime"}).code != 0) GTEST_SKIP() << "ONNX Runtime is not installed";
  for (const models::SmallModel& model : models::small_models()) {
    CommandOutcome outcome = run(per_layer(model.name, "onnxruntime", {"--profile", "onnx", "--json=" + path("r.json")}));
    EXPECT_LE(outcome.code, 1) << model.name << "\n" << outcome.out << outcome.err;
    nlohmann::json found = report("r.json");
    EXPECT_EQ(found["models"][0]["run"], "graph") << model.name;
    EXPECT_EQ(found["counts"]["unsupported"], 0) << outcome.out;
    // What follows from float sums in any order through a whole model may not be known; of each layer by itself it is.
    for (const auto& test : found["cases"]) EXPECT_TRUE(test["status"] != "inconclusive" || test["id"] == model.name + "/outputs") << outcome.out;
  }
}

}  // namespace
}  // namespace tiebreak
