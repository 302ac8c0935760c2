// SPDX-License-Identifier: Apache-2.0
// The backend `onednn`: ops whose arithmetic a oneDNN primitive has, each case one primitive on one thread.
#include <dlfcn.h>

#include <cstdlib>

#include "tools/adapters/common/adapter.hpp"
#include "tools/adapters/onednn/mapping.hpp"

namespace tiebreak::onednn {
namespace {

/// OpenMP reads its environment before main begins; its own function is the way to one thread afterwards.
void use_one_thread() {
  if (auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) set(1);
}

/// The kernel of an i8 convolution with windows of one place. With VNNI in 512 bits processors differ in it, by their caches, and the kernels in their sums.
std::string kernel_of_one_tap() {
  const Operand codes{Storage::s8, {1, 64, 1}, std::vector<std::byte>(64), 0};
  const Result<OpAnswer> answer = convolution(codes, codes, {1, 1, 1}, {1, {1}, {1}, {0}, {0}}, {});
  return answer ? answer->kernel : "";
}

/// Each group of kernels has sums of its own (docs/backends.md): AMX, VNNI in 512 and in 256 bits, and those without dot products of four bytes,
/// which add pairs in saturating 16 bits.
std::string profile_of(const std::string& isa) {
  if (isa == "neon") return "onednn-arm64";
  if (isa == "avx512_core_amx") return "onednn-x64";
  if (isa == "avx512_core_vnni" || isa == "avx512_core_bf16") return kernel_of_one_tap().starts_with("brgconv") ? "onednn-x64-vnni-brgemm" : "onednn-x64-vnni";
  if (isa == "avx2_vnni") return "onednn-x64-avx2-vnni";
  if (isa == "avx512_core") return "onednn-x64-avx512";
  return isa == "sse41" || isa == "avx2" ? "onednn-x64-avx2" : "";
}

class OneDnnAdapter : public Adapter {
 public:
  explicit OneDnnAdapter(std::string cap) : cap_(std::move(cap)) {}
  Result<BackendDescription> describe() override {
    const std::string isa = effective_isa();
    const char* in_environment = std::getenv("ONEDNN_MAX_CPU_ISA");
    const std::string cap = !cap_.empty() ? cap_ : in_environment == nullptr ? "" : in_environment;
    BackendDescription description{"onednn", version(), profile_of(isa), names_of(table_), {}};
    description.details = {{"isa", isa},
                           {"isa_cap", cap},
                           {"layout", "of convolutions chosen by the library (format any), else row-major"},
                           {"mapping", mapping_text},
                           {"threads", "1"}};
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override { return answer_by(table_, request); }

 private:
  std::string cap_;
  OpCalls table_ = calls();
};

}  // namespace
}  // namespace tiebreak::onednn

int main(int argc, char** argv) {
  using namespace tiebreak;
  onednn::use_one_thread();
  const std::vector<AdapterOption> options = {{"--isa", "highest instruction set, as ONEDNN_MAX_CPU_ISA has it: " + onednn::isa_caps()}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments) -> Result<std::unique_ptr<Adapter>> {
    const std::string& cap = arguments.at("--isa");
    if (!cap.empty()) TIEBREAK_CHECK(onednn::limit_isa(cap));
    return std::make_unique<onednn::OneDnnAdapter>(cap);
  });
}
