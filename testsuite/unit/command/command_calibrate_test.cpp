// SPDX-License-Identifier: Apache-2.0
// tiebreak calibrate: constraints and accumulators on the command line, and what is refused.
#include <gtest/gtest.h>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CalibrateCommand : public CommandTest {
 protected:
  CommandOutcome calibrate(const std::vector<std::string>& more) {
    const std::string model = write("layer.mlir", R"(func.func @layer(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = stablehlo.constant dense<[[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [1.0, -1.0]]> : tensor<4x2xf32>
  %dot = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  %y = stablehlo.tanh %dot : tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
)");
    std::vector<std::string> words{"calibrate", model, "--batches", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void refused(const std::vector<std::string>& words, const std::string& says) {
    const CommandOutcome outcome = calibrate(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  }
};

/// Codes 127 and -127 of four weights, by -128 .. 127 of x: 4 * 127 * 128 needs 17 bits.
TEST_F(CalibrateCommand, AccumulatorsAreMarkedOrRefused) {
  const std::vector<std::string> symmetric{"--profile", "litert-converter-weights", "--narrow"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), symmetric.begin(), symmetric.end());
    return more;
  };
  const CommandOutcome marked = calibrate(with({"--accumulator", "16"}));
  ASSERT_EQ(marked.code, 0) << marked.err;
  EXPECT_NE(marked.out.find("4  -64516     64516    17  may overflow i16 by 1 bit"), std::string::npos) << marked.out;
  const CommandOutcome wide = calibrate(with({"--accumulator", "17", "--refuse"}));
  EXPECT_EQ(wide.code, 0) << wide.err;
  EXPECT_EQ(wide.out.find("may overflow"), std::string::npos);
  refused(with({"--accumulator", "16", "--refuse", "-o", path("found.json")}),
          "sums of 4 terms reach -64516 .. 64516: 17 bits, the accumulator has 16 (layer.mlir: 'dot')");
  EXPECT_FALSE(std::filesystem::exists(path("found.json")));
  refused({"--refuse"}, "--refuse has no use without --accumulator");
  refused({"--accumulator", "64"}, "an accumulator has 2 to 62 bits");
}

TEST_F(CalibrateCommand, ConstraintsAreNamedAndCompared) {
  const CommandOutcome both = calibrate({"--constraints", "tflite", "--against", "mlir-quantizer", "-o", path("found.json")});
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_NE(both.out.find("2 batches, by min_max, constraints of tflite"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("fixed: tanh"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("tflite and mlir-quantizer give"), std::string::npos) << both.out;
  EXPECT_NE(read("found.json").find("\"type\": \"!quant.uniform<i8:f32, 0.0078125>\""), std::string::npos) << read("found.json");
  refused({"--against", "tflite"}, "--against compares with --constraints");
  refused({"--constraints", "tflit"}, "did you mean 'tflite'?");
  refused({"--constraints", write("own.json", R"({"system": "own", "solved": "in_order", "alik": []})")}, "own.json:/alik");
  refused({"--constraints", "mlir-quantizer", "--errors", "propagate"}, "errors cannot be propagated");
  refused({"--constraints", "mlir-quantizer", "--provider", "tensorrt_divergence:bins=64"}, "the search begins at bin 128 of 64");
}

}  // namespace
}  // namespace tiebreak
