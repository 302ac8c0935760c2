// SPDX-License-Identifier: Apache-2.0
// The backend `xnnpack`: ops that an XNNPACK operator computes, each case one operator on one thread.
#include <cpuinfo.h>
#include <xnnpack.h>

#include "tools/adapters/xnnpack/kernels.hpp"

namespace tiebreak::xnnpack {
namespace {

/// The features by which the library chooses kernels, as cpuinfo sees them.
std::string isa_text() {
  std::string text;
  const auto add = [&](bool present, const char* name) {
    if (present) text += (text.empty() ? "" : " ") + std::string(name);
  };
#if CPUINFO_ARCH_X86_64
  add(cpuinfo_has_x86_sse4_1(), "sse4.1");
  add(cpuinfo_has_x86_avx(), "avx");
  add(cpuinfo_has_x86_f16c(), "f16c");
  add(cpuinfo_has_x86_fma3(), "fma3");
  add(cpuinfo_has_x86_avx2(), "avx2");
  add(cpuinfo_has_x86_avx512f(), "avx512f");
#elif CPUINFO_ARCH_ARM64
  add(true, "neon");
  add(cpuinfo_has_arm_neon_dot(), "dotprod");
#endif
  return text;
}

OpCalls calls() {
  OpCalls table = contraction_calls();
  table.merge(elementwise_calls());
  table.merge(pooling_calls());
  return table;
}

class XnnpackAdapter : public Adapter {
 public:
  Result<BackendDescription> describe() override {
#if CPUINFO_ARCH_X86_64
    const std::string profile = "xnnpack-x64", architecture = "x86-64";
#elif CPUINFO_ARCH_ARM64
    const std::string profile = "xnnpack-arm64", architecture = "arm64";
#else
    const std::string profile, architecture = "other";
#endif
    BackendDescription description{"xnnpack", TIEBREAK_PACKAGE_VERSION, profile, names_of(table_), {}};
    description.details = {{"architecture", architecture}, {"isa", isa_text()}, {"layout", "NHWC, transposed by the adapter"}, {"threads", "1"}};
    return description;
  }
  AdapterAnswer run(const ExchangeCase& request) override { return answer_by(table_, request); }

 private:
  OpCalls table_ = calls();
};

}  // namespace
}  // namespace tiebreak::xnnpack

int main(int argc, char** argv) {
  using namespace tiebreak;
  return adapter_main(argc, argv, {}, [](const AdapterArguments&) -> Result<std::unique_ptr<Adapter>> {
    if (xnn_initialize(nullptr) != xnn_status_success) return fail(Errc::backend, "xnn_initialize failed: the processor is not supported");
    cpuinfo_initialize();
    return std::make_unique<xnnpack::XnnpackAdapter>();
  });
}
