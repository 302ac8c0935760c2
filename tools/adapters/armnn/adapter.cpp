// SPDX-License-Identifier: Apache-2.0
// The backend `armnn`: each case one layer of Arm NN on one of its devices.
#include "tools/adapters/armnn/layers.hpp"
#include "tools/adapters/armnn/network.hpp"

namespace tiebreak::armnn_calls {
namespace {

class ArmNnAdapter : public Adapter {
 public:
  explicit ArmNnAdapter(Device device) : device_(device), table_(layer_calls(device)) {}

  Result<BackendDescription> describe() override {
    BackendDescription description{"armnn", TIEBREAK_PACKAGE_VERSION, is_reference() ? "armnn-cpuref" : "armnn-cpuacc", names_of(table_), {}};
    description.details = {
        {"compute", name_of(device_)}, {"isa", is_reference() ? "any: plain loops" : "neon"}, {"layout", "NCHW"}, {"library", ARMNN_VERSION}, {"threads", "1"}};
    return description;
  }
  AdapterAnswer run(const ExchangeCase& request) override { return answer_by(table_, request); }

 private:
  bool is_reference() const { return device_ == Device::cpu_ref; }

  Device device_;
  OpCalls table_;
};

Result<Device> device_of(const std::string& name) {
  for (const Device device : {Device::cpu_ref, Device::cpu_acc}) {
    if (name == name_of(device)) return device;
  }
  return fail(Errc::usage, "--device is CpuRef or CpuAcc, not '" + name + "'");
}

}  // namespace
}  // namespace tiebreak::armnn_calls

int main(int argc, char** argv) {
  using namespace tiebreak;
  armnn::ConfigureLogging(false, false, armnn::LogSeverity::Fatal);
  const std::vector<AdapterOption> options = {{"--device", "CpuRef: Arm NN's own loops; CpuAcc: the Compute Library, on ARM", "CpuRef"}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments, bool& absent) -> Result<std::unique_ptr<Adapter>> {
    TIEBREAK_TRY(device, armnn_calls::device_of(arguments.at("--device")));
    absent = !armnn_calls::is_there(device);
    if (absent) return fail(Errc::backend, "the packages of Arm NN that are installed have no " + armnn_calls::name_of(device));
    return std::make_unique<armnn_calls::ArmNnAdapter>(device);
  });
}
