// SPDX-License-Identifier: Apache-2.0
// The backend `cmsis-nn`: functions of CMSIS-NN in plain C, each case one function. How requantization rounds is the build's: twice, or once in the program
// `cmsis-nn-single`.
#include "tools/adapters/cmsis-nn/kernels.hpp"

namespace tiebreak::cmsis_nn {
namespace {

#ifdef CMSIS_NN_USE_SINGLE_ROUNDING
constexpr const char *program = "cmsis-nn-single", *rounding = "single";
#else
constexpr const char *program = "cmsis-nn", *rounding = "double";
#endif

OpCalls calls() {
  OpCalls table = convolution_calls();
  table.merge(matrix_calls());
  table.merge(elementwise_calls());
  table.merge(pooling_calls());
  return table;
}

/// Which of the library's three kinds of code the compiler chose; the profiles speak of plain C.
std::string isa() {
#if defined(ARM_MATH_MVEI)
  return "mve";
#elif defined(ARM_MATH_DSP)
  return "dsp";
#else
  return "portable";
#endif
}

class CmsisNnAdapter : public Adapter {
 public:
  explicit CmsisNnAdapter(bool wide) : wide_(wide), table_(wide ? wide_calls() : calls()) {}
  Result<BackendDescription> describe() override {
    BackendDescription description{program, TIEBREAK_CMSIS_NN_VERSION, isa() != "portable" ? "" : wide_ ? "cmsis-nn-s16" : program, names_of(table_), {}};
    description.details = {{"isa", isa()},
                           {"layout", "NHWC, transposed by the adapter"},
                           {"mapping", "factors of 31 digits, half away, as TensorFlow Lite Micro makes them"},
                           {"rounding", rounding},
                           {"threads", "1"}};
    return description;
  }
  AdapterAnswer run(const ExchangeCase& request) override { return answer_by(table_, request); }

 private:
  bool wide_;
  OpCalls table_;
};

}  // namespace
}  // namespace tiebreak::cmsis_nn

int main(int argc, char** argv) {
  using namespace tiebreak;
  const std::vector<AdapterOption> known = {{"--product", "matrix products: fully_connected or batch_matmul", "fully_connected"},
                                            {"--sums", "bits of the sums of quant.requantize: 32, or 64 as the kernels of int16 have them", "32"},
                                            {"--weights", "functions for weights of 8 bits (s8) or of 4 (s4)", "s8"}};
  return adapter_main(argc, argv, known, [](const AdapterArguments& arguments) -> Result<std::unique_ptr<Adapter>> {
    const std::string &product = arguments.at("--product"), &weights = arguments.at("--weights"), &sums = arguments.at("--sums");
    if (product != "fully_connected" && product != "batch_matmul")
      return fail(Errc::unknown_name, "--product " + product + " is neither fully_connected nor batch_matmul");
    if (weights != "s8" && weights != "s4") return fail(Errc::unknown_name, "--weights " + weights + " is neither s8 nor s4");
    if (sums != "32" && sums != "64") return fail(Errc::unknown_name, "--sums " + sums + " is neither 32 nor 64");
    cmsis_nn::options() = {.batch_matmul = product == "batch_matmul", .small_weights = weights == "s4"};
    return std::make_unique<cmsis_nn::CmsisNnAdapter>(sums == "64");
  });
}
