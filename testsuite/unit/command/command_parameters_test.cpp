// SPDX-License-Identifier: Apache-2.0
// Parameters from a program into a golden file and a record, and back out of both.
#include <cstdlib>

#include "testsuite/exchange/exchange.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandParameters : public CommandTest {
 protected:
  /// Codes that an annotation speaks of, and codes that a folded multiplication makes.
  std::string program(const std::string& info = "clip_max = 127, clip_min = -127, from = \"kl on calib.h5\", scale = 0.5") {
    return write("net.mlir", R"(// %a: [1, -2]
// %x: [0.5, -0.25]
func.func @main(%a: tensor<2xi8> {quantize_info = {)" +
                                 info +
                                 R"(}}, %x: tensor<2xf32>) -> (tensor<2xi8>, tensor<2xi8>) {
  %m = stablehlo.constant dense<64.0> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %m : tensor<2xf32>
  %1 = stablehlo.round_nearest_even %0 : tensor<2xf32>
  %y = stablehlo.convert %1 : (tensor<2xf32>) -> tensor<2xi8>
  %b = stablehlo.negate %a : tensor<2xi8>
  return %y, %b : tensor<2xi8>, tensor<2xi8>
}
)");
  }
  std::string golden() {
    const CommandOutcome outcome = run({"golden", "build", program(), "-o", path("golden")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const auto& entry : std::filesystem::directory_iterator(path("golden")))
      if (entry.path().extension() == ".h5") return entry.path().string();
    return "";
  }
};

TEST_F(CommandParameters, OfAGoldenFileAreThoseOfItsProgram) {
  const CommandOutcome source = run({"parameters", program()}), stored = run({"parameters", golden()});
  EXPECT_EQ(source.code, 0) << source.out << source.err;
  EXPECT_EQ(stored.code, 0) << stored.out << stored.err;
  for (const char* words :
       {"a  ", "0.5 ", "i8 -127 .. 127", "annotation: kl on calib.h5", "x  ", "0.015625", "recovered: 1 / 64", "2 tensors recovered, 0 parameters lost"}) {
    EXPECT_NE(source.out.find(words), std::string::npos) << words << "\n" << source.out;
    EXPECT_NE(stored.out.find(words), std::string::npos) << words << "\n" << stored.out;
  }
  EXPECT_NE(stored.out.find("/cases/net/main/inputs/a"), std::string::npos) << stored.out;
  const CommandOutcome json = run({"parameters", path("golden/") + std::filesystem::path(golden()).filename().string() + "@net/main", "--json"});
  EXPECT_NE(json.out.find("\"schema\": \"tiebreak.recovered/1\""), std::string::npos) << json.out << json.err;
  EXPECT_NE(json.out.find("!quant.uniform<i8<-127:127>:f32, 0.5>"), std::string::npos) << json.out;
  const CommandOutcome unknown = run({"parameters", golden() + "@net/mian"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("the file has no case 'net/mian'"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("did you mean 'net/main'?"), std::string::npos) << unknown.err;
}

TEST_F(CommandParameters, OnesThatMovedAreFoundByVerifyAndDiff) {
  const std::string file = golden();
  EXPECT_EQ(run({"golden", "verify", file}).code, 0);
  const auto read = read_exchange(file);
  ASSERT_TRUE(read) << to_text(read.error());
  ExchangeFile content = *read;
  ExchangeFile older = content;
  ASSERT_TRUE(content.cases[0].inputs[0].parameters);
  content.cases[0].inputs[0].parameters->type.storage_min = Real(-126);
  ASSERT_TRUE(write_exchange(content, path("moved.h5")));
  const CommandOutcome verified = run({"golden", "verify", path("moved.h5")});
  EXPECT_EQ(verified.code, 1) << verified.out;
  const std::string moved = "net/main: a: parameters are a: !quant.uniform<i8<-126:127>:f32, 0.5> from annotation: kl on calib.h5 and ";
  EXPECT_NE(verified.out.find(moved), std::string::npos) << verified.out;
  const CommandOutcome different = run({"golden", "diff", path("moved.h5"), file});
  EXPECT_EQ(different.code, 1) << different.out;
  EXPECT_NE(different.out.find(moved), std::string::npos) << different.out;
  for (ExchangeTensor& tensor : older.cases[0].inputs) tensor.parameters.reset();
  for (ExchangeTensor& tensor : older.cases[0].outputs) tensor.parameters.reset();
  ASSERT_TRUE(write_exchange(older, path("older.h5")));
  EXPECT_EQ(run({"golden", "verify", path("older.h5")}).code, 0) << "a file from before parameters were written";
  EXPECT_EQ(run({"golden", "diff", path("older.h5"), file}).code, 1);
}

TEST_F(CommandParameters, OfARecordAreThoseOfWhatWasAsked) {
  const CommandOutcome checked = run({"check", quantize_cases(), "--backend", "reference", "--profile", "onnx", "--record", path("record")});
  ASSERT_EQ(checked.code, 0) << checked.out << checked.err;
  const CommandOutcome found = run({"parameters", path("record/onnx.QuantizeLinear.h5")});
  EXPECT_EQ(found.code, 0) << found.out << found.err;
  EXPECT_NE(found.out.find("recovered: y_scale of onnx.QuantizeLinear"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("2 tensors recovered, 0 parameters lost"), std::string::npos) << found.out;
}

TEST_F(CommandParameters, AnAdapterInPythonSeesThem) {
  std::string python;
  for (const char* each : {"/usr/bin/python3", "python3"})
    if (python.empty() && std::system((std::string(each) + " -c 'import h5py, numpy' 2>/dev/null").c_str()) == 0) python = each;
  if (python.empty()) GTEST_SKIP() << "no Python with h5py (package python3-h5py)";
  write("adapter.py", R"(from exchange_case import Unsupported, main
class Reader:
    def describe(self):
        return {"name": "reader", "version": "1", "ops": []}
    def run(self, case):
        known = case.outputs[0].known
        raise Unsupported(f"{known['clip_min']} .. {known['clip_max']} at {known['scale'][0]} {known['zero_point'][0]}, {known['from']}; {case.inputs[1].known}")
main({}, lambda options: Reader())
)");
  const std::string backend = write("reader", "#!/bin/sh\nexec " + python + " " + path("adapter.py") + " \"$@\"\n");
  std::filesystem::permissions(backend, std::filesystem::perms::owner_all);
  run({"check", quantize_cases(), "--backend", backend, "--profile", "onnx", "--json=" + path("report.json")});
  EXPECT_NE(read("report.json").find("-128 .. 127 at 0.125 3, recovered: y_scale of onnx.QuantizeLinear; None"), std::string::npos) << read("report.json");
}

TEST_F(CommandParameters, AnAnnotationThatContradictsIsOneErrorWithBothPlaces) {
  const std::string file = write("bad.mlir", R"(// %x: [1.0, 2.0]
func.func @main(%x: tensor<2xf32>) -> tensor<2xui8> {
  %s = stablehlo.constant dense<0.5> : tensor<f32>
  %q = "onnx.QuantizeLinear"(%x, %s) <{version = 13 : i64}> {quantize_info = {scale = 0.25}} : (tensor<2xf32>, tensor<f32>) -> tensor<2xui8>
  return %q : tensor<2xui8>
}
)");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"parameters", file}, {"golden", "build", file, "-o", path("golden")}, {"check", file, "--backend", "reference", "--profile", "onnx"}}) {
    const CommandOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words[0] << outcome.out;
    EXPECT_NE(outcome.err.find("the annotation of q says scale 0.25, and onnx.QuantizeLinear says 0.5 (" + file + ":4:8)"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("onnx.QuantizeLinear stands at " + file + ":4:8"), std::string::npos) << outcome.err;
  }
}

/// From calibration to a golden file: where a range comes from is said at every step.
TEST_F(CommandParameters, AProvidersNameReachesTheGoldenFile) {
  const std::string layer = write("layer.mlir", R"(func.func @layer(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = stablehlo.constant dense<[[3.5, -4.0], [1.0, 0.5]]> : tensor<2x2xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
)");
  const std::string recipe = write("recipe.json", R"({"schema": "tiebreak.recipe/1", "nodes": [{"operator": "dot_general"}]})");
  const std::string parameters = write("parameters.json", R"({"schema": "tiebreak.parameters/1", "model": "layer.mlir", "tensors": [
    {"tensor": "x", "type": "!quant.uniform<i8:f32, 0.03125:7>", "from": "entropy"}, {"tensor": "y", "type": "!quant.uniform<i8:f32, 0.25>", "from": "min_max"}]})");
  const CommandOutcome made = run({"quantize", layer, "--recipe", recipe, "--parameters", parameters, "-o", path("forms"), "--annotate"});
  ASSERT_EQ(made.code, 0) << made.err;
  write("qdq.mlir", "// %x: [[1.0, 2.0], [0.5, -1.0]]\n" + read("forms/qdq.mlir"));
  ASSERT_EQ(run({"golden", "build", path("qdq.mlir"), "-o", path("golden")}).code, 0);
  for (const auto& entry : std::filesystem::directory_iterator(path("golden"))) {
    if (entry.path().extension() != ".h5") continue;
    const CommandOutcome found = run({"parameters", entry.path().string()});
    EXPECT_EQ(found.code, 0) << found.out << found.err;
    EXPECT_NE(found.out.find("annotation: entropy"), std::string::npos) << found.out;
    EXPECT_NE(found.out.find("annotation: min_max"), std::string::npos) << found.out;
    EXPECT_EQ(run({"golden", "verify", entry.path().string()}).code, 0);
  }
}

}  // namespace
}  // namespace tiebreak
