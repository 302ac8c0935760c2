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

/// Kernels without dot products of four bytes add pairs in saturating 16 bits (docs/backends.md): no profile describes them.
std::string profile_of(const std::string& isa) {
  const bool dot_products =
      isa.find("vnni") != std::string::npos || isa.find("bf16") != std::string::npos || isa.find("amx") != std::string::npos;
  return dot_products ? "onednn-x64" : "";
}

class OneDnnAdapter : public Adapter {
 public:
  Result<BackendDescription> describe() override {
    const std::string isa = effective_isa();
    const char* cap = std::getenv("ONEDNN_MAX_CPU_ISA");
    BackendDescription description{"onednn", version(), profile_of(isa), mapped_ops(), {}};
    description.details = {{"isa", isa}, {"isa_cap", cap == nullptr ? "" : cap}, {"mapping", mapping_text}, {"threads", "1"}};
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override {
    auto op = single_op(request);
    if (!op) return AdapterAnswer::from(op.error());
    auto type = op->output_type(0);
    if (!type) return AdapterAnswer::from(type.error());
    auto answer = call(*op);
    if (!answer) return AdapterAnswer::from(answer.error());
    auto tensor = Tensor::from_bytes(*type, std::move(answer->bytes), op->outputs[0].name);
    if (!tensor) return AdapterAnswer::from(tensor.error());
    ExchangeTensor output;
    output.name = op->outputs[0].name;
    output.tensor = std::move(*tensor);
    AdapterAnswer result = AdapterAnswer::ok({std::move(output)});
    result.reason = answer->implementation;
    return result;
  }
};

}  // namespace
}  // namespace tiebreak::onednn

int main(int argc, char** argv) {
  using namespace tiebreak;
  onednn::use_one_thread();
  return adapter_main(argc, argv, {}, [](const AdapterArguments&) -> Result<std::unique_ptr<Adapter>> {
    return std::make_unique<onednn::OneDnnAdapter>();
  });
}
