// SPDX-License-Identifier: Apache-2.0
// Models to try `check --per-layer` on: small, made of what real quantized models are made of, with weights drawn from a fixed seed.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak::models {

/// A convolutional network for one image of 3 x 32 x 32, with a residual branch: QuantizeLinear and DequantizeLinear around float operators.
Program cnn_qdq();
/// The same network, weights and parameters, as quantized operators.
Program cnn_qoperator();
/// A U-Net for one image of 3 x 16 x 16 that gives each pixel a label: QuantizeLinear and DequantizeLinear around float operators.
Program segmenter_qdq();
/// Attention and feed-forward network on 8 tokens of 32 features: QuantizeLinear and DequantizeLinear around float operators.
Program transformer_qdq();
/// The same with activations that are quantized as they come: DynamicQuantizeLinear and MatMulInteger.
Program transformer_dynamic();
/// One float network on an image of 3 x 8 x 8, in the form that this operator set has for each of its operators; from opset 10 on with codes on the way.
Program older_forms(int opset);
constexpr int oldest_forms = 7, newest_forms = 25;

struct SmallModel {
  std::string name;
  std::function<Program()> make;
};
/// Their values have names with dots and slashes, as exporters write them.
std::vector<SmallModel> small_models();
/// Writes a model as FOLDER/NAME.onnx.
Status write_model(const std::string& folder, const Program& program);
/// Writes each, and the forms of each operator set.
Status write_small_models(const std::string& folder);

}  // namespace tiebreak::models
