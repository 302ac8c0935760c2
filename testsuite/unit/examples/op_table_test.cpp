// SPDX-License-Identifier: Apache-2.0
// Every StableHLO op that may take quantized tensors has a page, and an example that runs it with such types: per tensor, and per axis where the
// specification allows that. Ops that only communicate or move tokens are not among them.
#include <gtest/gtest.h>

#include <algorithm>

#include "testsuite/examples/op_table.hpp"

namespace tiebreak {
namespace {

constexpr const char* per_tensor[] = {"abs",
                                      "atan2",
                                      "batch_norm_grad",
                                      "batch_norm_inference",
                                      "batch_norm_training",
                                      "cbrt",
                                      "ceil",
                                      "cholesky",
                                      "clamp",
                                      "compare",
                                      "concatenate",
                                      "cosine",
                                      "divide",
                                      "dynamic_gather",
                                      "dynamic_iota",
                                      "dynamic_pad",
                                      "dynamic_slice",
                                      "dynamic_update_slice",
                                      "exponential",
                                      "exponential_minus_one",
                                      "floor",
                                      "gather",
                                      "iota",
                                      "is_finite",
                                      "log",
                                      "log_plus_one",
                                      "logistic",
                                      "map",
                                      "maximum",
                                      "minimum",
                                      "multiply",
                                      "negate",
                                      "optimization_barrier",
                                      "pad",
                                      "power",
                                      "reduce",
                                      "reduce_precision",
                                      "reduce_window",
                                      "remainder",
                                      "reverse",
                                      "round_nearest_afz",
                                      "round_nearest_even",
                                      "rsqrt",
                                      "scatter",
                                      "select",
                                      "select_and_scatter",
                                      "sign",
                                      "sine",
                                      "slice",
                                      "sort",
                                      "sqrt",
                                      "subtract",
                                      "tan",
                                      "tanh",
                                      "triangular_solve"};
constexpr const char* per_axis[] = {"add",
                                    "bitcast_convert",
                                    "broadcast_in_dim",
                                    "case",
                                    "convolution",
                                    "dot_general",
                                    "dynamic_broadcast_in_dim",
                                    "dynamic_conv",
                                    "dynamic_reshape",
                                    "get_dimension_size",
                                    "if",
                                    "reshape",
                                    "transpose",
                                    "uniform_dequantize",
                                    "uniform_quantize"};

TEST(StablehloCoverage, EveryOpIsShownWithQuantizedTypes) {
  auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library.has_value()) << to_text(library.error());
  const std::vector<OpShown> ops = shown_by_examples(**library, "stablehlo");
  auto expect_form = [&](const std::string& name, const char* form) {
    const auto op = std::ranges::find(ops, "stablehlo." + name, &OpShown::op);
    ASSERT_NE(op, ops.end()) << name << " has no page";
    EXPECT_EQ(op->failing, 0u) << name;
    EXPECT_TRUE(op->forms.contains(form)) << name << " is not shown " << form;
  };
  for (const char* name : per_tensor) expect_form(name, "per tensor");
  for (const char* name : per_axis) {
    expect_form(name, "per tensor");
    expect_form(name, "per axis");
  }
  for (const char* name : {"convolution", "dot_general", "dynamic_conv"}) expect_form(name, "hybrid");
  // Constants are read, not computed: they have a page of examples and no op.
  ASSERT_NE((*library)->find_module("stablehlo.constant"), nullptr);
  EXPECT_EQ(std::size(per_tensor) + std::size(per_axis) + 1, 71u);
}

}  // namespace
}  // namespace tiebreak
