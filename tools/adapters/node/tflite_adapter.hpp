// SPDX-License-Identifier: Apache-2.0
// What the TensorFlow Lite backends share: a case becomes a .tflite model, and the answer a tensor of the page.
#pragma once
#include "interpreter/program/program.hpp"
#include "testsuite/tflite/lower.hpp"
#include "tools/adapters/common/adapter.hpp"
#include "tools/adapters/node/worker.hpp"

namespace tiebreak::node {

struct TfliteBackend {
  std::string name{};
  std::string profile{};  ///< "": none declared
  std::map<std::string, std::string> details{};
  tflite::LowerOptions lowering{};
  /// The script's remark names the kernels that ran: an answer of others than those that are asked for is refused.
  bool names_kernels = false;
  std::vector<std::string> lacks{};  ///< ops that these kernels do not have
  bool runs_models = false;          ///< programs of several operations go out as one model
};

class TfliteAdapter : public Adapter {
 public:
  TfliteAdapter(TfliteBackend backend, Script script) : backend_(std::move(backend)), worker_(std::move(script)) {}
  Result<BackendDescription> describe() override;
  AdapterAnswer run(const ExchangeCase& request) override;

 private:
  Result<AdapterAnswer> answer(const ExchangeCase& request);
  Result<AdapterAnswer> answer_to_model(const ExchangeCase& request, const Program& program);
  TfliteBackend backend_;
  Worker worker_;
};

/// delegate or builtin, for --kernel.
Result<bool> wants_builtin(const std::string& word);

}  // namespace tiebreak::node
