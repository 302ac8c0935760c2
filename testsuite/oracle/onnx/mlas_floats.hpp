// SPDX-License-Identifier: Apache-2.0
// The real functions of ONNX Runtime's f32 kernels, on machine floats: with fused multiply-adds, and without.
#pragma once
#include <string>

namespace tiebreak::oracle {

/// Tanh Sigmoid Erf Exp Gelu GeluTanh.
float mlas_function(const std::string& op, float x, bool fused);

}  // namespace tiebreak::oracle
