// SPDX-License-Identifier: Apache-2.0
// The semantics that a version's kernels were seen to follow on a processor; "" where no profile is known (docs/backends.md).
#pragma once
#include <algorithm>
#include <charconv>

#include "tools/adapters/onnxruntime/cpu.hpp"

namespace tiebreak::ort {

/// With AVX-512 but without VNNI the sums are those of AVX2.
inline std::string declared_profile(const Cpu& cpu, const std::string& version) {
  if (cpu.architecture == "arm64") return "onnxruntime-arm64";
  if (cpu.architecture != "x64") return "";
  const bool dot_products = cpu.has("avx512_vnni") || cpu.has("avx_vnni");
  const std::string newest = dot_products ? "onnxruntime-x64" : cpu.has("avx2") ? "onnxruntime-x64-avx2" : "onnxruntime-x64-sse";
  int minor = 0;
  std::from_chars(version.data() + std::min(version.find('.') + 1, version.size()), version.data() + version.size(), minor);
  return version.starts_with("1.") && minor >= 14 && minor <= 22 ? newest + "-1.22" : newest;
}

}  // namespace tiebreak::ort
