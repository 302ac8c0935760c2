// SPDX-License-Identifier: Apache-2.0
// tiebreak check --dumps: what a device wrote is judged layer by layer; an error of one code in one element is found where it is.
#include <nlohmann/json.hpp>

#include "interpreter/evaluate/regions.hpp"
#include "interpreter/program/program.hpp"
#include "testsuite/arrays/npy.hpp"
#include "testsuite/unit/helpers/small_model_commands.hpp"

namespace tiebreak {
namespace {

/// The tensors of a small model, as the reference computes them, in files as a device would write them.
class CommandDumps : public SmallModelCommands {
 protected:
  void SetUp() override {
    SmallModelCommands::SetUp();
    if (IsSkipped()) return;
    const auto program = read_onnx_file(path("cnn.qdq.onnx"));
    ASSERT_TRUE(program) << to_text(program.error());
    program_ = *program;
    std::filesystem::create_directories(path("device"));
    const auto library = Library::load(std::string(TIEBREAK_SOURCE_DIR "/spec"));
    ASSERT_TRUE(library) << to_text(library.error());
    const auto profile = (*library)->find_profile("onnx");
    ASSERT_TRUE(profile);
    Program all = program_;
    all.outputs.clear();
    for (const Operation& operation : all.operations)
      for (ValueId id : operation.results) all.outputs.push_back(id);
    auto image = Tensor::zeros(*program_.values[static_cast<std::size_t>(program_.inputs[0])].type);
    ASSERT_TRUE(image);
    for (std::int64_t i = 0; i < image->size(); ++i) image->set_code(i, *image->element().encode(Real(i * 37 % 64 - 32) * *Real::parse("0.03125")));
    dump("image/pixels", *image);
    const std::vector<ResultTensor> inputs{ResultTensor{.name = "", .tensor = *image}};
    const auto results = evaluate_values(Semantics{**library, **profile}, all, inputs, {});
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::size_t i = 0; i < all.outputs.size(); ++i) dump(all.values[static_cast<std::size_t>(all.outputs[i])].name, (*results)[i].tensor);
  }
  static std::string file_of(std::string name) {
    std::ranges::replace(name, '/', '_');
    return "device/" + name + ".npy";
  }
  void dump(const std::string& name, const Tensor& tensor) {
    tensors_.insert_or_assign(name, tensor);
    write(file_of(name), npy_bytes(tensor));
  }
  CommandOutcome check(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"check", path("cnn.qdq.onnx"), "--dumps", path("device"), "--profile", "onnx", "--json=" + path("r.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CommandOutcome outcome = run(arguments);
    if (outcome.code <= 1) report_ = nlohmann::json::parse(read("r.json"));
    return outcome;
  }
  std::vector<std::string> failing() const {
    std::vector<std::string> ids;
    for (const auto& test : report_["cases"])
      if (test["status"] == "fail") ids.push_back(test["id"]);
    return ids;
  }

  Program program_{};
  std::map<std::string, Tensor> tensors_{};
  nlohmann::json report_{};
};

using Ids = std::vector<std::string>;

TEST_F(CommandDumps, OfTheReferenceConform) {
  const CommandOutcome outcome = check();
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(report_["counts"]["conform"], report_["cases"].size()) << outcome.out;
  EXPECT_EQ(report_["models"][0]["run"], "dumps");
}

TEST_F(CommandDumps, OneCodeOfOneElementIsFoundInItsLayer) {
  Tensor wrong = tensors_.at("/body/out_q");
  const std::int64_t at = 517;
  wrong.set_code(at, wrong.code(at) + 1);
  dump("/body/out_q", wrong);
  const CommandOutcome outcome = check();
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(failing(), (Ids{"cnn.qdq/18.body-out_q", "cnn.qdq/19.body-out_dq"})) << "what was dumped behind it no longer fits it";
  EXPECT_EQ(report_["models"][0]["first_local"], "cnn.qdq/18.body-out_q");
  EXPECT_NE(outcome.out.find("1 of 1024 differ   +1: 1  LSB"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("[0, 8, 0, 5]"), std::string::npos) << outcome.out;
}

TEST_F(CommandDumps, BetweenTwoDumpsTheReferenceGoesOn) {
  for (const auto& [name, tensor] : tensors_)
    if (!name.ends_with("_q") && name != "image/pixels") std::filesystem::remove(path(file_of(name)));
  EXPECT_EQ(check().code, 0);
  EXPECT_EQ(report_["counts"]["not_run"], 27) << "26 layers, and the model as it is: its output was not dumped";
  Tensor wrong = tensors_.at("/stem/pooled_q");
  wrong.set_code(0, wrong.code(0) ^ 1U);
  dump("/stem/pooled_q", wrong);
  const CommandOutcome outcome = check();
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(failing().front(), "cnn.qdq/09.stem-pooled_q");
  EXPECT_NE(
      outcome.out.find("judged together with what stands before it and was not dumped: 07.stem-out_dq (onnx.DequantizeLinear), 08.stem-pool (onnx.MaxPool)"),
      std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("no dump of /image/input_dq"), std::string::npos) << "missing ones are named\n" << outcome.out;
}

TEST_F(CommandDumps, CodesMayBeWiderAndCarryNoType) {
  const Tensor& codes = tensors_.at("/stem/out_q");
  Tensor wide = *Tensor::zeros({*ElementType::parse("i64"), codes.shape()});
  for (std::int64_t i = 0; i < codes.size(); ++i) wide.set_code(i, codes.code(i));
  dump("/stem/out_q", wide);
  std::filesystem::remove(path(file_of("/body/relu")));
  const auto raw = tensors_.at("/body/relu").bytes();
  write("device/body_relu.raw", {reinterpret_cast<const char*>(raw.data()), raw.size()});
  const CommandOutcome outcome = check();
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(report_["counts"]["conform"], report_["cases"].size());
}

TEST_F(CommandDumps, AMapGivesNamesTypesAndOrders) {
  const Tensor& conv = tensors_.at("/stem/conv");  // 1 x 8 x 32 x 32, dumped with the channels last
  Tensor turned = *Tensor::zeros({conv.element(), {1, 32, 32, 8}});
  for (std::int64_t c = 0; c < 8; ++c)
    for (std::int64_t place = 0; place < 1024; ++place) turned.set_code(place * 8 + c, conv.code(c * 1024 + place));
  std::filesystem::remove(path(file_of("/stem/conv")));
  write("device/07.npy", npy_bytes(turned));
  write("map.json", R"({ "schema": "tiebreak.dumps/1", "tensors": { "/stem/conv": { "file": "device/07.npy", "transpose": [0, 3, 1, 2] } } })");
  EXPECT_EQ(check().code, 0) << "without the map it is no tensor's";
  EXPECT_EQ(report_["counts"]["not_run"], 1);
  const CommandOutcome outcome = check({"--dump-map", path("map.json")});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(report_["counts"]["conform"], report_["cases"].size());
}

TEST_F(CommandDumps, TellWhoseArithmeticAnOperatorHas) {
  const std::vector<std::string> identify{"identify", "--model", path("cnn.qdq.onnx"), "--dumps", path("device")};
  const auto with = [&identify](std::vector<std::string> more) {
    more.insert(more.begin(), identify.begin(), identify.end());
    return more;
  };
  const CommandOutcome outcome = run(with({"--op", "onnx.QuantizeLinear"}));
  EXPECT_NE(outcome.out.find("onnx"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 5) << outcome.out << outcome.err;
  const CommandOutcome several = run(identify);
  EXPECT_EQ(several.code, 2);
  EXPECT_NE(several.err.find("the dumps are of several ops: onnx.Add, onnx.Conv"), std::string::npos) << several.err;
  Tensor wrong = tensors_.at("/side/out_q");
  for (std::int64_t i = 0; i < wrong.size(); ++i) wrong.set_code(i, (wrong.code(i) * 7 + 3) & 0xff);
  dump("/side/out_q", wrong);
  const CommandOutcome none = run(with({"--layer", "*side-out_q"}));
  EXPECT_EQ(none.code, 1) << "no profile explains such codes\n" << none.out << none.err;
  EXPECT_EQ(run({"identify", "--dumps", path("device")}).code, 2);
  EXPECT_EQ(run(with({"--layer", "*nowhere"})).code, 2);
}

TEST_F(CommandDumps, FaultsNameTheirPlace) {
  const auto fault = [this](const std::vector<std::string>& more = {}) {
    const CommandOutcome outcome = check(more);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    return outcome.err;
  };
  write("map.json", R"({ "schema": "tiebreak.dumps/1", "tensors": { "/stem/konv": "device/_stem_conv.npy" } })");
  EXPECT_NE(fault({"--dump-map", path("map.json")}).find("did you mean '/stem/conv'?"), std::string::npos);
  write("map.json", R"({ "schema": "tiebreak.dumps/1", "tensors": { "/stem/conv": { "file": "device/_stem_conv.npy", "transpose": [0, 1] } } })");
  EXPECT_NE(fault({"--dump-map", path("map.json")}).find("the transposition [0, 1] does not fit"), std::string::npos);
  dump("/stem/relu", tensors_.at("/stem/pool"));
  EXPECT_NE(fault().find("the array has the shape [1, 8, 16, 16], the tensor [1, 8, 32, 32]"), std::string::npos);
  dump("/stem/relu", tensors_.at("/stem/conv"));
  write("device/stem_relu.npy", npy_bytes(tensors_.at("/stem/conv")));
  EXPECT_NE(fault().find("two dumps of tensor '/stem/relu'"), std::string::npos);
  std::filesystem::remove(path("device/stem_relu.npy"));
  std::filesystem::remove(path(file_of("image/pixels")));
  EXPECT_NE(fault().find("neither a dump nor a file has this input"), std::string::npos);
  std::filesystem::create_directories(path("empty"));
  EXPECT_NE(run({"check", path("cnn.qdq.onnx"), "--dumps", path("empty"), "--profile", "onnx"}).err.find("no dump of a tensor in this folder"),
            std::string::npos);
}

}  // namespace
}  // namespace tiebreak
