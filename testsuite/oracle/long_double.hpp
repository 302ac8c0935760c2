// SPDX-License-Identifier: Apache-2.0
// Real functions for results in f32: a long double has at least eleven bits more than a double, so that rounding it once is rounding the exact result
// but where that lies within 2^-38 of a tie.
#pragma once

namespace tiebreak::oracle::onnx {

using Long = long double;

inline float rounded_once(Long v) { return static_cast<float>(v); }

}  // namespace tiebreak::oracle::onnx
