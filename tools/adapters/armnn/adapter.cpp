// SPDX-License-Identifier: Apache-2.0
// The backend `armnn`: each case one layer of Arm NN on its reference device.
#include "tools/adapters/armnn/layers.hpp"
#include "tools/adapters/armnn/network.hpp"

namespace tiebreak::armnn_calls {
namespace {

class ArmNnAdapter : public Adapter {
 public:
  Result<BackendDescription> describe() override {
    BackendDescription description{"armnn", TIEBREAK_PACKAGE_VERSION, "armnn-cpuref", names_of(table_), {}};
    description.details = {{"compute", compute_device},
                           {"isa", "any: plain loops"},
                           {"layout", "NCHW"},
                           {"library", ARMNN_VERSION},
                           {"per_axis", "QLinearConv of one group with i8 weights"},
                           {"threads", "1"},
                           {"types", "i8 and u8, operands and result in any mixture that the library takes"}};
    return description;
  }
  AdapterAnswer run(const ExchangeCase& request) override { return answer_by(table_, request); }

 private:
  OpCalls table_ = layer_calls();
};

}  // namespace
}  // namespace tiebreak::armnn_calls

int main(int argc, char** argv) {
  using namespace tiebreak;
  armnn::ConfigureLogging(false, false, armnn::LogSeverity::Fatal);
  return adapter_main(argc, argv, {}, [](const AdapterArguments&) -> Result<std::unique_ptr<Adapter>> {
    return std::make_unique<armnn_calls::ArmNnAdapter>();
  });
}
