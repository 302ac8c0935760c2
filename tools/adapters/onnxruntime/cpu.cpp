// SPDX-License-Identifier: Apache-2.0
// Asks the processor itself: /proc/cpuinfo shows the host's under user-mode emulation, the instruction shows the emulated one's.
#include "tools/adapters/onnxruntime/cpu.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace tiebreak::ort {

std::string to_text(const Cpu& cpu) {
  std::string text = cpu.architecture;
  for (const std::string& feature : cpu.features) text += ' ' + feature;
  return text;
}

#if defined(__x86_64__)

Cpu detect_cpu() {
  Cpu cpu{"x64", {}};
  unsigned a = 0, b = 0, c = 0, d = 0;
  const auto add = [&](const char* name, unsigned word, int bit) {
    if ((word >> bit & 1U) != 0) cpu.features.emplace_back(name);
  };
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) {
    add("sse4.1", c, 19);
    add("avx", c, 28);
    add("fma", c, 12);
  }
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) {
    add("avx2", b, 5);
    add("avx512f", b, 16);
    add("avx512bw", b, 30);
    add("avx512_vnni", c, 11);
    add("amx_tile", d, 24);
    add("amx_int8", d, 25);
  }
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) add("avx_vnni", a, 4);
  return cpu;
}

#elif defined(__aarch64__)

Cpu detect_cpu() {
  Cpu cpu{"arm64", {}};
  const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
  const auto add = [&](const char* name, unsigned long word, int bit) {
    if ((word >> bit & 1UL) != 0) cpu.features.emplace_back(name);
  };
  add("asimd", first, 1);
  add("asimddp", first, 20);
  add("sve", first, 22);
  add("i8mm", second, 13);
  return cpu;
}

#else

Cpu detect_cpu() { return {"other", {}}; }

#endif

}  // namespace tiebreak::ort
