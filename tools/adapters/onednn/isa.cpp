// SPDX-License-Identifier: Apache-2.0
// The instruction set that kernels are made for: read, and limited. The library takes a limit once, before its first primitive.
#include <oneapi/dnnl/dnnl.h>

#include <map>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "tools/adapters/onednn/dnnl_calls.hpp"

namespace tiebreak::onednn {
namespace {

/// The words of ONEDNN_MAX_CPU_ISA that this version knows and a profile may depend on.
const std::map<std::string, dnnl_cpu_isa_t>& caps() {
  static const std::map<std::string, dnnl_cpu_isa_t> table = {{"SSE41", dnnl_cpu_isa_sse41},
                                                              {"AVX2", dnnl_cpu_isa_avx2},
                                                              {"AVX2_VNNI", dnnl_cpu_isa_avx2_vnni},
                                                              {"AVX512_CORE", dnnl_cpu_isa_avx512_core},
                                                              {"AVX512_CORE_VNNI", dnnl_cpu_isa_avx512_core_vnni}};
  return table;
}

}  // namespace

#if defined(__aarch64__)

/// The library has no word for this machine. With SVE it has other kernels.
std::string effective_isa() { return (getauxval(AT_HWCAP) >> 22 & 1UL) != 0 ? "sve" : "neon"; }

#else

std::string effective_isa() {
  switch (dnnl_get_effective_cpu_isa()) {
    case dnnl_cpu_isa_sse41: return "sse41";
    case dnnl_cpu_isa_avx: return "avx";
    case dnnl_cpu_isa_avx2: return "avx2";
    case dnnl_cpu_isa_avx2_vnni: return "avx2_vnni";
    case dnnl_cpu_isa_avx512_core: return "avx512_core";
    case dnnl_cpu_isa_avx512_core_vnni: return "avx512_core_vnni";
    case dnnl_cpu_isa_avx512_core_bf16: return "avx512_core_bf16";
    case dnnl_cpu_isa_avx512_core_amx: return "avx512_core_amx";
    default: return "other";
  }
}

#endif

std::string isa_caps() {
  std::string text;
  for (const auto& [name, isa] : caps()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Status limit_isa(const std::string& cap) {
  const auto found = caps().find(cap);
  if (found == caps().end()) return fail(Errc::unknown_name, "--isa " + cap + " is none of " + isa_caps());
  if (dnnl_set_max_cpu_isa(found->second) != dnnl_success) return fail(Errc::backend, "the library took no limit " + cap);
  return {};
}

}  // namespace tiebreak::onednn
