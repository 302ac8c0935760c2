// SPDX-License-Identifier: Apache-2.0
// What this processor offers of the instructions by which ONNX Runtime chooses its kernels: a part of a backend's identity.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

namespace tiebreak::ort {

struct Cpu {
  std::string architecture;           ///< x64, arm64, other
  std::vector<std::string> features;  ///< of those that matter, in order
  bool has(const std::string& feature) const { return std::find(features.begin(), features.end(), feature) != features.end(); }
};
Cpu detect_cpu();
std::string to_text(const Cpu& cpu);  ///< x64 sse4.1 avx2 fma avx_vnni

}  // namespace tiebreak::ort
